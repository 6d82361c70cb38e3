//! What the paper says of slower controllers (section 6.1), judged by simulation.

use super::case::{All, Case, Set, Strategy, same, values};
use crate::experiment::reproduce::{Judgement, Results};

/// The service time above which the paper sees hold and drop saturate.
pub const SLOW: f64 = 0.01;
/// Latencies so many times that of fast controllers count as saturation.
const SATURATED: f64 = 10.0;

/// The cases of the service times at one rate under a strategy, the fastest controllers first.
fn by_service(all: &All, strategy: Strategy, rate: f64) -> Vec<&Case> {
    let cases = all.under(Set::ServiceTimes, strategy);
    let mut cases: Vec<&Case> = cases.filter(|case| same(case.condition.rate, rate)).collect();
    cases.sort_by(|a, b| a.condition.service.total_cmp(&b.condition.service));
    cases
}

/// What slower controllers add to the set-up time, at rates where nothing saturates.
pub fn slower_controllers(all: &All, results: &Results) -> Option<Judgement> {
    let rate = *values(all.of(Set::ServiceTimes), |condition| condition.rate).first()?;
    let mut growth = Vec::new();
    for strategy in Strategy::ALL {
        let cases = by_service(all, strategy, rate);
        let (&fast, &slow) = (cases.first()?, cases.last()?);
        growth.push((slow.set_up(results)? - fast.set_up(results)?, strategy, slow, fast));
    }
    let of = |strategy| growth.iter().find(|it| it.1 == strategy).map(|it| it.0);
    let adaptive = of(Strategy::Adaptive)?;
    let holds = of(Strategy::Hold)? > adaptive && of(Strategy::Drop)? > adaptive;
    let each: Vec<String> =
        growth.iter().map(|it| format!("{} {:.3}", it.1.name(), it.0)).collect();
    let (_, _, slow, fast) = growth.first()?;
    let evidence = format!(
        "from services of {} to {} at rate {rate} the set-up grows by: {}",
        fast.condition.service,
        slow.condition.service,
        each.join(", ")
    );
    Some(Judgement::of(holds, evidence))
}

/// Whether hold and drop saturate at the lowest rate with service times above [`SLOW`].
pub fn slow_saturate(all: &All, results: &Results) -> Option<Judgement> {
    let rates = values(all.of(Set::ServiceTimes), |condition| condition.rate);
    let mut holds = true;
    let mut each = Vec::new();
    for (at, &rate) in rates.iter().enumerate() {
        for strategy in Strategy::ALL {
            let cases = by_service(all, strategy, rate);
            let fast = cases.first()?.latency(results)?.mean;
            let slow = cases.last()?;
            let latency = slow.latency(results)?.mean;
            let saturated = slow.saturated(results)? || latency > SATURATED * fast;
            if at == 0 && strategy != Strategy::Adaptive {
                holds &= saturated;
            }
            let what = if saturated { "saturated".to_owned() } else { format!("{latency:.2}") };
            let service = slow.condition.service;
            each.push(format!("{} {what} (services of {service}, rate {rate})", strategy.name()));
        }
    }
    Some(Judgement::of(holds, format!("latency with the slowest controllers: {}", each.join(", "))))
}
