//! Comparison of two runs on the same messages, for machines and for people.

use super::row;
use super::table::outcomes_table;
use crate::experiment::compare::Comparison;
use crate::experiment::forecast::Forecast;
use crate::experiment::sheet::{Sheet, fixed};
use crate::experiment::{Ended, Outcome};
use crate::scenario::contrast;
use crate::units::TimeUnit;

row! {
    /// The differences between two runs of the same messages. Differences are the second less the first.
    ComparisonRow from (comparison: &Comparison) {
        let [first, second] = &comparison.outcomes;
        let (one, two) = (&first.summary, &second.summary);
        let unit = first.scenario.system.time_unit();
        let time = |cycles: Option<f64>| Some(unit.of(cycles?));
        let pairs = comparison.pairs.as_ref();
        let paired = pairs.map(|pairs| &pairs.paired);
        let apart = paired.and_then(|paired| paired.difference);
        let compares = comparison.outcomes.iter().all(has_means);
        let p99 = |quantile: Option<u64>| time(quantile.map(|cycles| cycles as f64));
        let differs = contrast::differences(&first.scenario, &second.scenario);
        let differ = |it: contrast::Difference| format!("{}: {}", it.field, it.values.join(", "));
        let steadiness = one.steadiness.max(two.steadiness);
    } {
        /// The first scenario's name.
        scenario: String = first.scenario.name.clone(),
        /// The second scenario's name.
        against: String = second.scenario.name.clone(),
        /// The fields in which they differ: `routing: MinimalAdaptive, DimensionOrder`.
        differs: Vec<String> = differs.into_iter().map(differ).collect(),
        /// The seed of both.
        seed: u64 = first.seed,
        /// The replication, from 0; `None` for all together.
        replication: Option<u32> = first.replication,
        /// Messages per node and cycle (per node and unit of time).
        rate: f64 = first.rate.0,
        /// Mean latency of the first run, of all messages counted.
        first_latency_mean: Option<f64> = time(one.latency.map(|it| it.mean)),
        /// That of the second run.
        second_latency_mean: Option<f64> = time(two.latency.map(|it| it.mean)),
        /// Messages delivered in both, generated after the warm-up of both; `None` here and below where
        /// the two do not send the same messages.
        pairs: Option<u64> = paired.map(|paired| paired.both),
        /// Those that arrived earlier in the second.
        earlier: Option<u64> = paired.map(|paired| paired.earlier),
        /// Those that arrived at the same cycle.
        same: Option<u64> = paired.map(|paired| paired.same),
        /// Those that arrived later in the second.
        later: Option<u64> = paired.map(|paired| paired.later),
        /// Messages delivered in the first only, so far.
        first_only: Option<u64> = pairs.map(|pairs| pairs.only[0]),
        /// Messages delivered in the second only.
        second_only: Option<u64> = pairs.map(|pairs| pairs.only[1]),
        /// Mean difference of the latencies, message by message.
        paired_difference_mean: Option<f64> = time(apart.map(|it| it.mean)),
        /// Half the width of its 95 % interval; `None` where a run grows or stands in a deadlock.
        paired_difference_half_width: Option<f64> = time(apart.and_then(|it| it.half_width).filter(|_| compares)),
        /// Difference of the 99th percentiles; `None` where a run grows or stands in a deadlock.
        latency_p99_difference: Option<f64> =
            difference(p99(one.latency_p99), p99(two.latency_p99)).filter(|_| compares),
        /// Difference of the accepted loads.
        accepted_difference: Option<f64> = difference(one.accepted, two.accepted),
        /// Difference of the mean utilisations of links.
        channel_utilisation_difference: Option<f64> =
            difference(one.channel_utilisation_mean, two.channel_utilisation_mean),
        /// The unit of all latencies.
        time_unit: &'static str = unit.name,
        /// Cycles simulated, warm-up included; for circuits, whole units of time.
        cycles: u64 = first.cycles.max(second.cycles) / unit.cycles,
        /// True if either was found saturated; `None` where neither was and a run is too short to tell, or
        /// deadlocked.
        saturated: Option<bool> = steadiness.saturated(),
        /// The same in words: `steady`, `saturated`, `deadlocked` or `too short to tell`.
        steadiness: &'static str = steadiness.name(),
        /// True if either stands in a deadlock.
        deadlock: bool = comparison.outcomes.iter().any(|outcome| outcome.deadlock.is_some()),
        /// The program's version.
        version: &'static str = env!("CARGO_PKG_VERSION"),
        /// `true` where the runs were stopped before their end; only there it is written.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        partial: bool = first.ended == Ended::Stopped,
    }
}

/// True if mean and quantiles of a run are comparable. Growing or deadlocked runs have only the
/// latencies of the messages delivered so far.
fn has_means(outcome: &Outcome) -> bool {
    !outcome.summary.is_growing() && outcome.deadlock.is_none()
}

/// The reason against comparing means and quantiles, if any.
fn incomparable(whole: &Comparison) -> Option<String> {
    let mut reasons =
        ["A", "B"].into_iter().zip(&whole.outcomes).filter_map(|(letter, outcome)| {
            let why = match outcome.deadlock {
                Some(_) => "stands in a deadlock",
                None if outcome.summary.steadiness.is_saturated() => "is saturated",
                None if outcome.summary.is_growing() => "accepts less than it is offered",
                None => return None,
            };
            Some(format!("{letter} {why}"))
        });
    let first = reasons.next()?;
    let all = reasons.fold(first, |all, one| format!("{all}, {one}"));
    Some(format!("not compared: {all}"))
}

/// Second minus first, if both exist.
fn difference(first: Option<f64>, second: Option<f64>) -> Option<f64> {
    Some(second? - first?)
}

/// Both runs as tables with their models, followed by the differences. `together` pools several
/// replications.
pub fn comparison_table(
    all: &[Comparison],
    together: Option<&Comparison>,
    forecasts: [Result<&Forecast, &str>; 2],
) -> String {
    let Some(whole) = together.or(all.first()) else {
        return "PARTIAL: stopped before the first run began\n".to_owned();
    };
    let mut text = String::new();
    for (side, forecast) in forecasts.into_iter().enumerate() {
        let outcomes: Vec<_> = all.iter().map(|one| one.outcomes[side].clone()).collect();
        let sum = together.map(|together| &together.outcomes[side]);
        let scenario = &whole.outcomes[side].scenario;
        text.push_str(["A: ", "B: "][side]);
        text.push_str(&outcomes_table(scenario, &outcomes, sum, forecast));
        text.push('\n');
    }
    let mut lines = Sheet::default();
    differences(&mut lines, whole);
    text + &lines.text()
}

fn differences(lines: &mut Sheet, whole: &Comparison) {
    let [first, second] = &whole.outcomes;
    let unit = first.scenario.system.time_unit();
    lines.line("B - A");
    let differs = contrast::differences(&first.scenario, &second.scenario);
    for contrast::Difference { field, values: [one, two] } in &differs {
        lines.entry("differ in", &format!("{field}: A {one}, B {two}"));
    }
    if differs.is_empty() {
        lines.entry("differ in", "nothing");
    }
    let row = ComparisonRow::new(whole);
    lines.entry("accepted load", &signed(row.accepted_difference, 4));
    let why_not = incomparable(whole);
    let Some(pairs) = &whole.pairs else {
        lines.entry("messages", "not the same in both: none are compared one by one");
        return totals(lines, &row, unit, why_not);
    };
    let paired = &pairs.paired;
    let [one, two] = pairs.only;
    let about = if pairs.one_in > 1 {
        format!(" (of every {}th message looked at; the latter are estimates)", pairs.one_in)
    } else if pairs.settled {
        String::new()
    } else {
        " (the warm-up goes on)".to_owned()
    };
    let counts = format!("{} in both, {one} in A only, {two} in B only{about}", paired.both);
    lines.entry("same messages", &counts);
    if let Some(difference) = paired.difference {
        let decimals = if unit.cycles == 1 { 3 } else { 5 };
        let text = |cycles: f64| format!("{:+.decimals$}", unit.of(cycles));
        let half = |half: f64| format!(" ± {:.decimals$}", unit.of(half));
        let interval = match (&why_not, difference.half_width) {
            (Some(_), _) => " so far".to_owned(),
            (None, width) => width.map_or(String::new(), half),
        };
        lines.entry("message by message", &format!("{}{interval}", text(difference.mean)));
        let percent = |count: u64| 100.0 * count as f64 / paired.both.max(1) as f64;
        let (earlier, same, later) =
            (percent(paired.earlier), percent(paired.same), percent(paired.later));
        lines.entry(
            "in B",
            &format!("earlier {earlier:.1} %, same cycle {same:.1} %, later {later:.1} %"),
        );
    }
    totals(lines, &row, unit, why_not);
}

/// The differences of whole-run statistics.
fn totals(lines: &mut Sheet, row: &ComparisonRow, unit: TimeUnit, why_not: Option<String>) {
    let decimals = if unit.cycles == 1 { 2 } else { 4 };
    if let Some(why_not) = why_not {
        lines.entry("mean latency, 99 %", &why_not);
    } else {
        let means = difference(row.first_latency_mean, row.second_latency_mean);
        lines.entry("mean latency", &signed(means, decimals));
        lines.entry("99 %", &signed(row.latency_p99_difference, decimals.min(3)));
    }
    lines.entry("channel utilisation", &signed(row.channel_utilisation_difference, 4));
}

fn signed(value: Option<f64>, decimals: usize) -> String {
    match value {
        Some(value) if value >= 0.0 => format!("+{}", fixed(Some(value), decimals)),
        value => fixed(value, decimals),
    }
}
