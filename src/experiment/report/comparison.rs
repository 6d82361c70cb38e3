//! Two runs of the same messages, for machines and for people.

use serde::Serialize;

use super::table::{Lines, fixed, outcomes_table};
use super::{Row, row};
use crate::experiment::Ended;
use crate::experiment::compare::Comparison;
use crate::experiment::forecast::Forecast;
use crate::scenario::contrast;
use crate::units::TimeUnit;

row! {
    /// How one run differs from another of the same messages. Differences are the second less the first.
    ComparisonRow {
        /// The first scenario's name.
        scenario: String,
        /// The second scenario's name.
        against: String,
        /// The fields in which they differ: `routing: MinimalAdaptive, DimensionOrder`.
        differs: Vec<String>,
        /// The seed of both.
        seed: u64,
        /// The replication, from 0; `None` for all together.
        replication: Option<u32>,
        /// Messages per node and cycle (per node and unit of time).
        rate: f64,
        /// Mean latency of the first run, of all messages counted.
        first_latency_mean: Option<f64>,
        /// That of the second run.
        second_latency_mean: Option<f64>,
        /// Messages delivered in both, generated after the warm-up of both; `None` here and below where
        /// the two do not send the same messages.
        pairs: Option<u64>,
        /// Those that arrived earlier in the second.
        earlier: Option<u64>,
        /// Those that arrived at the same cycle.
        same: Option<u64>,
        /// Those that arrived later in the second.
        later: Option<u64>,
        /// Messages delivered in the first only, so far.
        first_only: Option<u64>,
        /// Messages delivered in the second only.
        second_only: Option<u64>,
        /// Mean difference of the latencies, message by message.
        paired_difference_mean: Option<f64>,
        /// Half the width of its 95 % interval.
        paired_difference_half_width: Option<f64>,
        /// Difference of the 99th percentiles.
        latency_p99_difference: Option<f64>,
        /// Difference of the accepted loads.
        accepted_difference: Option<f64>,
        /// Difference of the mean utilisations of links.
        channel_utilisation_difference: Option<f64>,
        /// The unit of all latencies.
        time_unit: &'static str,
        /// Cycles simulated, warm-up included; for circuits, whole units of time.
        cycles: u64,
        /// Whether either was found saturated; `None` where neither was and a run is too short to tell.
        saturated: Option<bool>,
        /// The same in words: `steady`, `saturated` or `too short to tell`.
        steadiness: &'static str,
        /// Whether either stands in a deadlock.
        deadlock: bool,
        /// The program's version.
        version: &'static str,
        /// `true` where the runs were stopped before their end; only there it is written.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        partial: bool,
    }
}

impl Row for ComparisonRow {
    // `partial` is added where it is true.
    const COLUMNS: &'static [&'static str] = Self::FIELDS.split_at(Self::FIELDS.len() - 1).0;

    fn partial(&self) -> bool {
        self.partial
    }
}

/// Second less first, where there are both.
fn difference(first: Option<f64>, second: Option<f64>) -> Option<f64> {
    Some(second? - first?)
}

impl From<&Comparison> for ComparisonRow {
    fn from(comparison: &Comparison) -> Self {
        let [first, second] = &comparison.outcomes;
        let unit = first.scenario.system.time_unit();
        let pairs = comparison.pairs.as_ref();
        let estimate = pairs.and_then(|pairs| pairs.paired.difference);
        let mean = |latency: Option<crate::stats::Estimate>| Some(unit.of(latency?.mean));
        let differs = contrast::differences(&first.scenario, &second.scenario);
        let differ = |it: contrast::Difference| format!("{}: {}", it.field, it.values.join(", "));
        let p99 = |quantile: Option<u64>| Some(unit.of(quantile? as f64));
        let (one, two) = (&first.summary, &second.summary);
        let steadiness = one.steadiness.max(two.steadiness);
        Self {
            scenario: first.scenario.name.clone(),
            against: second.scenario.name.clone(),
            differs: differs.into_iter().map(differ).collect(),
            seed: first.seed,
            replication: first.replication,
            rate: first.rate.0,
            first_latency_mean: mean(one.latency),
            second_latency_mean: mean(two.latency),
            pairs: pairs.map(|pairs| pairs.paired.both),
            earlier: pairs.map(|pairs| pairs.paired.earlier),
            same: pairs.map(|pairs| pairs.paired.same),
            later: pairs.map(|pairs| pairs.paired.later),
            first_only: pairs.map(|pairs| pairs.only[0]),
            second_only: pairs.map(|pairs| pairs.only[1]),
            paired_difference_mean: estimate.map(|it| unit.of(it.mean)),
            paired_difference_half_width: estimate
                .and_then(|it| it.half_width)
                .map(|half| unit.of(half)),
            latency_p99_difference: difference(p99(one.latency_p99), p99(two.latency_p99)),
            accepted_difference: difference(one.accepted, two.accepted),
            channel_utilisation_difference: difference(
                one.channel_utilisation_mean,
                two.channel_utilisation_mean,
            ),
            time_unit: unit.name,
            cycles: first.cycles.max(second.cycles) / unit.cycles,
            saturated: steadiness.saturated(),
            steadiness: steadiness.name(),
            deadlock: comparison.outcomes.iter().any(|outcome| outcome.deadlock.is_some()),
            version: env!("CARGO_PKG_VERSION"),
            partial: first.ended == Ended::Stopped,
        }
    }
}

/// Both runs as tables with their models, and below how they differ. `together` stands for all
/// replications where there are several.
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
    let mut lines = Lines(text);
    differences(&mut lines, whole);
    lines.0
}

fn differences(lines: &mut Lines, whole: &Comparison) {
    let [first, second] = &whole.outcomes;
    let unit = first.scenario.system.time_unit();
    lines.line("B less A");
    let differs = contrast::differences(&first.scenario, &second.scenario);
    for contrast::Difference { field, values: [one, two] } in &differs {
        lines.entry("differ in", &format!("{field}: A {one}, B {two}"));
    }
    if differs.is_empty() {
        lines.entry("differ in", "nothing");
    }
    let row = ComparisonRow::from(whole);
    let Some(pairs) = &whole.pairs else {
        lines.entry("messages", "not the same in both: none are compared one by one");
        return totals(lines, &row, unit);
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
        let interval = difference.half_width.map_or(String::new(), half);
        lines.entry("message by message", &format!("{}{interval}", text(difference.mean)));
        let percent = |count: u64| 100.0 * count as f64 / paired.both.max(1) as f64;
        let (earlier, same, later) =
            (percent(paired.earlier), percent(paired.same), percent(paired.later));
        lines.entry(
            "in B",
            &format!("earlier {earlier:.1} %, same cycle {same:.1} %, later {later:.1} %"),
        );
    }
    totals(lines, &row, unit);
}

/// The differences of what is known of each run in all.
fn totals(lines: &mut Lines, row: &ComparisonRow, unit: TimeUnit) {
    let decimals = if unit.cycles == 1 { 2 } else { 4 };
    let means = difference(row.first_latency_mean, row.second_latency_mean);
    lines.entry("mean latency", &signed(means, decimals));
    lines.entry("99 %", &signed(row.latency_p99_difference, decimals.min(3)));
    lines.entry("accepted load", &signed(row.accepted_difference, 4));
    lines.entry("channel utilisation", &signed(row.channel_utilisation_difference, 4));
}

fn signed(value: Option<f64>, decimals: usize) -> String {
    match value {
        Some(value) if value >= 0.0 => format!("+{}", fixed(Some(value), decimals)),
        value => fixed(value, decimals),
    }
}
