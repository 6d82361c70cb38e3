//! What the paper says of slower controllers (section 6.1), judged by simulation.

use super::case::{All, Case, Set, Strategy, same, values};
use crate::experiment::reproduce::{Finding, Judgement, Results};

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
    let growth = |strategy, results: &Results| {
        let cases = by_service(all, strategy, rate);
        Some(cases.last()?.set_up(results)? - cases.first()?.set_up(results)?)
    };
    let costs_more = |strategy| {
        results.judge(0.0..=f64::INFINITY, |results| {
            Some(growth(strategy, results)? - growth(Strategy::Adaptive, results)?)
        })
    };
    let findings = [costs_more(Strategy::Hold)?, costs_more(Strategy::Drop)?];
    let mut each = Vec::new();
    for strategy in Strategy::ALL {
        each.push(format!("{} {:.3}", strategy.name(), growth(strategy, results)?));
    }
    let cases = by_service(all, Strategy::Adaptive, rate);
    let (fast, slow) = (cases.first()?, cases.last()?);
    let evidence = format!(
        "from services of {} to {} at rate {rate} the set-up grows by: {}",
        fast.condition.service,
        slow.condition.service,
        each.join(", ")
    );
    Some(Judgement::all(findings, evidence))
}

/// Whether hold and drop saturate at the lowest rate with service times above [`SLOW`].
pub fn slow_saturate(all: &All, results: &Results) -> Option<Judgement> {
    let rates = values(all.of(Set::ServiceTimes), |condition| condition.rate);
    let mut findings: Vec<Finding> = Vec::new();
    let mut each = Vec::new();
    for (at, &rate) in rates.iter().enumerate() {
        for strategy in Strategy::ALL {
            let cases = by_service(all, strategy, rate);
            let (fast, slow) = (cases.first()?, cases.last()?);
            if at == 0 && strategy != Strategy::Adaptive {
                findings.push(results.judge(SATURATED..=f64::INFINITY, |results| {
                    Some(slow.latency(results)? / fast.latency(results)?)
                })?);
            }
            let (latency, service) = (slow.latency(results)?, slow.condition.service);
            each.push(format!(
                "{} {latency:.2} (services of {service}, rate {rate})",
                strategy.name()
            ));
        }
    }
    let evidence = format!("latency with the slowest controllers: {}", each.join(", "));
    Some(Judgement::all(findings, evidence))
}
