//! The ranking of a field's values, as rows and for people.

use super::check::CheckRow;
use super::row;
use super::table::{latency, load_word, rate_in_words, titled, word};
use crate::experiment::Outcome;
use crate::experiment::rank::{Candidate, Measure, Place, reasons};
use crate::experiment::sheet::{Column, Sheet, Table, fixed};
use crate::experiment::verdict::Verdict;
use crate::scenario::{Scenario, contrast};
use crate::system::System;
use crate::text;
use crate::units::TimeUnit;

/// Limit of recommended replications, in multiples of the replications made.
const WORTHWHILE: usize = 100;

row! {
    /// The results of one value of a field beside the others.
    RankRow from (name: &str, field: &str, rank: usize, place: &Place) {
        let (summary, scenario, apart) = (&place.whole.summary, &place.whole.scenario, place.apart);
        let system = &scenario.system;
        let (unit, machine) = (system.time_unit(), system.wormhole());
        let serves = system.relation.routing().serves(&system.network);
        let time = |cycles: Option<f64>| Some(unit.of(cycles?));
        let by_load = apart.is_some_and(|apart| apart.measure == Measure::Accepted);
        let measured = |figure| if by_load { figure } else { time(figure) };
    } {
        /// The scenario's name.
        scenario: String = name.to_owned(),
        /// The field and this value of it: `routing=OddEven()`.
        value: String = format!("{field}={}", place.value),
        /// Its rank, from 1; `None` where it cannot be run.
        rank: Option<usize> = Some(rank),
        /// `steady`, `too short to tell`, `saturated`, `deadlocked` or `cannot run`.
        standing: &'static str = place.verdict.name(),
        /// Mean latency.
        latency_mean: Option<f64> = time(summary.latency.map(|it| it.mean)),
        /// Half the width of its 95 % interval.
        latency_half_width: Option<f64> = time(summary.latency.and_then(|it| it.half_width)),
        /// 99th percentile of the latency.
        latency_p99: Option<f64> = time(summary.latency_p99.map(|cycles| cycles as f64)),
        /// Cycles until the last delivery of given messages, on average over the replications.
        completion_cycles: Option<f64> = place.completion(),
        /// Flits per node and cycle that arrived.
        accepted_flits_per_node_cycle: Option<f64> = summary.accepted,
        /// The figure compared with the first: `latency` where that carries the load, `completion` for given
        /// messages, else `accepted`.
        compared_by: Option<&'static str> = apart.map(|apart| apart.measure.into()),
        /// The difference from the first in this figure, replication by replication.
        difference_mean: Option<f64> = measured(apart.map(|apart| apart.difference.mean)),
        /// Half the width of its interval; all intervals of differences hold together at 95 %.
        difference_half_width: Option<f64> = measured(apart.and_then(|apart| apart.difference.half_width)),
        /// True if the difference is more than chance explains.
        told_from_first: Option<bool> = apart.map(|apart| apart.is_told()),
        /// Replications that would tell it from the first, about; `None` if these do, or a million would not.
        replications_needed: Option<usize> = apart.and_then(|apart| apart.replications),
        /// Messages in each replication that would be long enough for a verdict on saturation, about; `None` if
        /// these are.
        messages_needed: Option<u64> = (place.verdict == Verdict::TooShort)
            .then(|| Outcome::messages_to_tell(&place.runs).unwrap_or(0)),
        /// Replications made.
        replications: Option<usize> = Some(place.runs.len()),
        /// Messages counted in all of them.
        messages: Option<u64> = Some(summary.messages),
        /// Virtual channels that its routing needs here, at least.
        virtual_channels_needed: Option<u32> = machine.map(|_| serves.map_or(1, |needs| needs.needed)),
        /// Virtual channels that it had.
        virtual_channels: Option<u32> = machine.map(|machine| machine.virtual_channels),
        /// True if its routing was proven free of deadlock; `None` where unknown.
        deadlock_free: Option<bool> = CheckRow::proven(scenario, &system.proof()).deadlock_free,
        /// Other values with which all runs are the same, bit for bit.
        alike: Vec<String> = place.alike.clone(),
        /// The reason against running it.
        why_not: Option<String> = None,
        /// The unit of all latencies.
        time_unit: Option<&'static str> = Some(unit.name),
        /// The program's version.
        version: &'static str = env!("CARGO_PKG_VERSION"),
    }
}

impl RankRow {
    /// The rows of a ranking, followed by rows of values that cannot run.
    pub fn all(name: &str, field: &str, places: &[Place], refused: &[Candidate]) -> Vec<Self> {
        let ranked = (1..).zip(places).map(|(rank, place)| Self::new(name, field, rank, place));
        let refused = refused.iter().map(|one| Self {
            scenario: name.to_owned(),
            value: format!("{field}={}", one.value),
            standing: "cannot run",
            why_not: one.made.as_ref().err().cloned(),
            version: env!("CARGO_PKG_VERSION"),
            ..Self::default()
        });
        ranked.chain(refused).collect()
    }

    fn deadlock(&self) -> &'static str {
        match self.deadlock_free {
            Some(true) => "none",
            Some(false) => "can occur",
            None => "not ruled out",
        }
    }
}

/// The ranking for people: a table, insignificant differences, values that cannot run, and a
/// conclusion.
pub fn ranking_table(
    first: &Scenario,
    field: &str,
    rows: &[RankRow],
    (places, refused): (&[Place], &[Candidate]),
) -> String {
    let system = &first.system;
    let unit = system.time_unit();
    let mut lines = titled(first);
    // Values may change lengths: only the rate is common to all.
    let load = |it: &System| format!("load {:.4} {}", it.load().0, load_word(unit));
    let script = system.traffic.script.as_ref();
    let offered = if let Some(script) = script {
        let messages = text::count(script.len() as usize, "message", "messages");
        format!("{messages} of {} flits in all", script.flits())
    } else if places.iter().all(|it| load(&it.whole.scenario.system) == load(system)) {
        load(system)
    } else {
        format!("rate {}", rate_in_words(system.traffic.rate, unit))
    };
    let runs = places.iter().map(|place| place.runs.len()).max().unwrap_or(0);
    let runs = text::count(runs, "run", "runs");
    let same = places.iter().all(|place| contrast::same_messages(first, &place.whole.scenario));
    let same = if same { "seeds and messages" } else { "seeds" };
    let network = system.network.name();
    lines.line(&format!("{network}, {offered}; {runs} of each, the {same} the same for all"));
    let ranked = || rows.iter().zip(places);
    let figure = if script.is_some() { "all delivered" } else { "latency" };
    let columns = columns(field, &format!("{figure}, {}", word(unit)));
    lines.line("");
    lines.table(Table::of(&columns, &ranked().collect::<Vec<_>>()));
    lines.line("");
    conclusion(&mut lines, rows, places);
    for row in rows {
        open(&mut lines, row, unit);
    }
    for row in rows.iter().filter(|row| !row.alike.is_empty()) {
        let (rank, alike) = (row.rank.unwrap_or_default(), row.alike.join(", "));
        lines.line(&format!("{rank}: in every run the same as {alike}"));
    }
    for (values, why) in reasons(refused, places) {
        lines.line(&format!("cannot run here: {}: {why}", values.join(", ")));
    }
    lines.line("± is half a 95 % interval; those of the differences hold all together.");
    lines.text()
}

/// A row together with the value it describes.
type Ranked<'a> = (&'a RankRow, &'a Place);

fn columns<'a>(field: &str, figure: &str) -> [Column<'a, Ranked<'a>>; 7] {
    [
        Column::new(format!("   {field}"), |&(row, place): &Ranked<'a>| {
            format!("{:<2} {}", row.rank.unwrap_or_default(), place.value)
        }),
        Column::new(figure, |&(_, place): &Ranked<'a>| match place.completion() {
            Some(cycles) => fixed(Some(cycles), 1),
            None if place.verdict == Verdict::Steady => latency(&place.whole),
            None => place.verdict.name().to_owned(),
        }),
        Column::new("99 %", |&(row, place): &Ranked<'a>| {
            let p99 = row.latency_p99.filter(|_| place.verdict == Verdict::Steady);
            p99.map_or_else(String::new, |it| fixed(Some(it), decimals(row) - 2))
        }),
        Column::new("accepted", |&(row, _): &Ranked<'a>| {
            fixed(row.accepted_flits_per_node_cycle, 4)
        }),
        Column::new("behind 1", |&(row, _): &Ranked<'a>| behind(row).unwrap_or_default()),
        Column::new("VCs needed", |&(row, _): &Ranked<'a>| {
            let vcs = row.virtual_channels_needed.zip(row.virtual_channels);
            vcs.map_or_else(String::new, |(needed, given)| format!("{needed} of {given}"))
        }),
        Column::new("deadlock", |&(row, _): &Ranked<'a>| row.deadlock().to_owned()),
    ]
}

fn decimals(row: &RankRow) -> usize {
    if row.time_unit == Some(TimeUnit::CYCLE.name) { 2 } else { 4 }
}

/// The difference from the first.
fn behind(row: &RankRow) -> Option<String> {
    let decimals = if row.compared_by == Some("accepted") { 4 } else { decimals(row) };
    let (mean, half) = row.difference_mean.zip(row.difference_half_width)?;
    Some(format!("{mean:+.decimals$} ± {half:.decimals$}"))
}

/// The recommended value, as far as significant.
fn conclusion(lines: &mut Sheet, rows: &[RankRow], places: &[Place]) {
    let (Some(first), Some(place)) = (rows.first(), places.first()) else { return };
    let compared = rows.iter().filter(|row| row.told_from_first.is_some()).count();
    let behind = rows.iter().filter(|row| row.told_from_first == Some(true)).count();
    let (best, worse, like) = match place.verdict {
        Verdict::Steady | Verdict::Carried => ("is the fastest", "slower", "that carry the load"),
        Verdict::Deadlocked => return lines.line("All of them ended in a deadlock."),
        Verdict::TooShort | Verdict::Saturated => {
            lines.line("None of them is known to carry this load.");
            ("accepts most", "worse", "that did not deadlock")
        }
    };
    lines.line(&match behind {
        _ if compared == 0 => format!("1 {best}; there are no others {like}."),
        1 if compared == 1 => {
            format!("1 {best}; the only other is {worse}, and the difference is significant (95 %).")
        }
        all if all == compared => format!(
            "1 {best}; the other {all} {like} are {worse}, and the differences are significant (95 %)."
        ),
        0 => "1 came out first, but no difference is significant (95 %).".to_owned(),
        some => format!(
            "1 came out first; {some} of {compared} others {like} are significantly {worse} (95 %)."
        ),
    });
    if first.deadlock_free != Some(true) {
        let safe = rows.iter().find(|row| row.deadlock_free == Some(true));
        let safe = safe.and_then(|row| row.rank).map_or_else(String::new, |rank| {
            format!("; the first that is proven free of it is {rank}")
        });
        lines.line(&format!("1 is not proven free of deadlock{safe} (see `flitscope check`)."));
    }
}

/// Open questions of these runs, with the number of runs or messages needed.
fn open(lines: &mut Sheet, row: &RankRow, unit: TimeUnit) {
    let rank = row.rank.unwrap_or_default();
    if let Some(messages @ 1..) = row.messages_needed {
        lines.line(&format!(
            "{rank}: too short to tell whether it carries the load; about {messages} messages in each \
             run would tell (--messages {messages})"
        ));
    }
    let Some(apart) = behind(row).filter(|_| row.told_from_first == Some(false)) else { return };
    let made = row.replications.unwrap_or_default();
    let would = match row.replications_needed {
        Some(runs) if runs <= WORTHWHILE * made => {
            format!("about {runs} runs of each would tell (--replications {runs})")
        }
        Some(_) | None => format!("even {} runs would hardly tell", WORTHWHILE * made),
    };
    let unit = if row.compared_by == Some("accepted") { load_word(unit) } else { word(unit) };
    lines.line(&format!("{rank}: too close to 1 to tell, {apart} {unit}; {would}"));
}
