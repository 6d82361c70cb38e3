//! The designs of a study, best first: saturation, and latency at a share of it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::Results;
use super::load_points::LoadPoints;
use super::study::Study;
use crate::experiment::report::{load_word, row};
use crate::experiment::sheet::{Column, Table, fixed};
use crate::experiment::verdict::Verdict;
use crate::scenario::Scenario;
use crate::text;

/// The share of its saturation at which the latency of a design is stated.
const SHARE: f64 = 0.6;
/// The greatest distance of a point from that load, as a share, without interpolation.
const NEAR: f64 = 0.02;

row! {
    /// A design of a study beside the others, with its latencies at the load `common` if no curve saturates.
    DesignRow from (results: &Results<'_>, curve: usize, common: Option<f64>) {
        let bracket = results.bracket(curve);
        let places = results.places(curve);
        let is_carried =
            |place: &&LoadPoints<'_>| place.verdict().is_some_and(|it| it <= Verdict::Carried);
        let accepted = places.iter().filter(is_carried);
        let accepted = accepted.filter_map(|place| place.mean("accepted_flits_per_node_cycle"));
        let saturates_from = bracket.below.map(|below| below.load);
        let saturates_to = bracket.above.map(|above| above.load);
        let share = saturates_from.filter(|_| saturates_to.is_some()).map(|load| SHARE * load);
        let load = common.or(share);
        let figures = load.and_then(|load| Figures::at(load, &places));
        let scenario = scenario(results.study, curve);
    } {
        /// Its rank, from 1, by the load at which it saturates.
        rank: usize = 0,
        /// The fields in which it differs from the others, in words.
        design: String = results.names()[curve].clone(),
        /// Its curve in the tables.
        curve: String = results.study.curves[curve].clone(),
        /// The highest load carried, in flits per node and cycle.
        saturates_from: Option<f64> = saturates_from,
        /// The lowest load not carried; `None` if all are carried.
        saturates_to: Option<f64> = saturates_to,
        /// True if the network deadlocks at this load, in runs of this length.
        deadlocks: bool = bracket.above.is_some_and(|above| above.verdict == Verdict::Deadlocked),
        /// The greatest accepted load of a load that is carried.
        carries_at_most: Option<f64> = accepted.reduce(f64::max),
        /// The load accepted by the congested network, where this is less than it carries before.
        once_congested: Option<f64> = results.metastable(curve).map(|known| known.congested),
        /// 60 % of the load at which it saturates; if no design saturates, the greatest load common to all.
        latency_load: Option<f64> = load,
        /// Mean latency at this load.
        latency_mean: Option<f64> = figures.map(|it| it.mean),
        /// Half the width of its 95 % interval.
        latency_half_width: Option<f64> = figures.and_then(|it| it.half),
        /// 99th percentile of the latency at this load.
        latency_p99: Option<f64> = figures.and_then(|it| it.p99),
        /// True if the latencies are interpolated between two loads.
        interpolated: bool = figures.is_some_and(|it| it.interpolated),
        /// The unit of all latencies.
        time_unit: &'static str = scenario.map_or("cycles", |scenario| scenario.system.time_unit().name),
    }
}

impl Results<'_> {
    /// The name of the design of each curve; see [`names`].
    pub(super) fn names(&self) -> &[String] {
        self.names.get_or_init(|| names(self.study))
    }
}

/// The designs of a study with at least two curves; empty for other studies, and without results.
pub(super) fn rows(results: &Results<'_>) -> Vec<DesignRow> {
    let study = results.study;
    let curves = 0..study.curves.len();
    if curves.len() < 2 {
        return Vec::new();
    }
    let saturates = curves.clone().any(|curve| results.bracket(curve).above.is_some());
    let common = if saturates { None } else { common_load(results) };
    if !saturates && common.is_none() {
        return Vec::new();
    }
    let mut rows: Vec<DesignRow> =
        curves.map(|curve| DesignRow::new(results, curve, common)).collect();
    let never = |row: &DesignRow| row.saturates_to.is_none() && row.saturates_from.is_some();
    rows.sort_by(|one, other| {
        let load = |row: &DesignRow| row.saturates_from.unwrap_or(0.0);
        let latency = |row: &DesignRow| row.latency_mean.unwrap_or(f64::INFINITY);
        Reverse(never(one))
            .cmp(&Reverse(never(other)))
            .then(load(other).total_cmp(&load(one)))
            .then(latency(one).total_cmp(&latency(other)))
    });
    for (rank, row) in (1..).zip(&mut rows) {
        row.rank = rank;
    }
    rows
}

/// The greatest load at which every curve has a latency.
fn common_load(results: &Results<'_>) -> Option<f64> {
    let loads = |curve: usize| -> Vec<f64> {
        let places = results.places(curve);
        places.iter().filter(|place| place.has_latency()).map(|place| place.load).collect()
    };
    let others: Vec<Vec<f64>> = (1..results.study.curves.len()).map(loads).collect();
    let is_common = |load: &f64| others.iter().all(|loads| loads.contains(load));
    loads(0).into_iter().filter(is_common).reduce(f64::max)
}

/// Latencies at a load.
#[derive(Clone, Copy)]
struct Figures {
    mean: f64,
    half: Option<f64>,
    p99: Option<f64>,
    interpolated: bool,
}

impl Figures {
    fn of(place: &LoadPoints<'_>) -> Option<Self> {
        let (mean, half) = place.estimate("latency_mean", "latency_half_width")?;
        Some(Self { mean, half, p99: place.mean("latency_p99"), interpolated: false })
    }

    /// The figures of the point at a load, or between the two points around it.
    fn at(load: f64, places: &[LoadPoints<'_>]) -> Option<Self> {
        let known = |place: &&LoadPoints<'_>| place.has_latency() && Self::of(place).is_some();
        let places: Vec<&LoadPoints<'_>> = places.iter().filter(known).collect();
        let distance = |place: &&&LoadPoints<'_>| (place.load - load).abs();
        let nearest =
            places.iter().min_by(|one, other| distance(one).total_cmp(&distance(other)))?;
        if distance(&nearest) <= NEAR * load {
            return Self::of(nearest);
        }
        let after = places.iter().position(|place| place.load > load)?;
        let (before, after) = (places[after.checked_sub(1)?], places[after]);
        let (one, other) = (Self::of(before)?, Self::of(after)?);
        let share = (load - before.load) / (after.load - before.load);
        let between = |(one, other): (f64, f64)| one + share * (other - one);
        Some(Self {
            mean: between((one.mean, other.mean)),
            half: one.half.zip(other.half).map(|(one, other)| one.max(other)),
            p99: one.p99.zip(other.p99).map(between),
            interpolated: true,
        })
    }
}

/// The designs for people; `None` unless there are several and one saturates.
pub(super) fn table(results: &Results<'_>) -> Option<Table> {
    let rows = rows(results);
    let first = rows.first()?;
    let unit = scenario(results.study, 0)?.system.time_unit();
    let whole = unit.cycles == 1;
    let decimals = if whole { 2 } else { 4 };
    // All latencies are at one load if no design saturates.
    let common = rows.iter().all(|row| row.saturates_to.is_none()).then_some(first.latency_load);
    let place = match common.flatten() {
        Some(load) => format!("load {load:.4}"),
        None => format!("{:.0} %", 100.0 * SHARE),
    };
    let share = format!("at {place}: latency, {}", first.time_unit);
    let columns = [
        Column::new("   design", |row: &&DesignRow| format!("{:<2} {}", row.rank, row.design)),
        Column::new("saturates at", |row: &&DesignRow| {
            let loads = match (row.saturates_from, row.saturates_to) {
                (Some(from), Some(to)) => format!("{from:.4}–{to:.4}"),
                (Some(from), None) => format!("above {from:.4}"),
                (None, Some(to)) => format!("below {to:.4}"),
                (None, None) => String::new(),
            };
            if row.deadlocks { format!("deadlocks {loads}") } else { loads }
        }),
        Column::new("carries at most", |row: &&DesignRow| {
            row.carries_at_most.map_or_else(String::new, |load| fixed(Some(load), 4))
        }),
        Column::new("once congested", |row: &&DesignRow| {
            row.once_congested.map_or_else(String::new, |load| fixed(Some(load), 4))
        }),
        Column::new(share, |row: &&DesignRow| {
            let about = if row.interpolated { "about " } else { "" };
            let mean = row.latency_mean.map(|mean| format!("{about}{mean:.decimals$}"));
            let half = row.latency_half_width.map(|half| format!(" ± {half:.decimals$}"));
            mean.map_or_else(String::new, |mean| mean + &half.unwrap_or_default())
        }),
        Column::new("99 %", |row: &&DesignRow| {
            row.latency_p99
                .map_or_else(String::new, |p99| fixed(Some(p99), if whole { 0 } else { 3 }))
        }),
    ];
    let mut table = Table::of(&columns, &rows.iter().collect::<Vec<_>>());
    table.label = format!("{}, best first", text::count(rows.len(), "design", "designs"));
    table.notes.push(format!("loads in {} offered", load_word(unit)));
    Some(table)
}

/// The scenario of a curve's first point.
fn scenario(study: &Study, curve: usize) -> Option<&Scenario> {
    let point = study.points.iter().find(|point| point.curve == curve)?;
    Some(&point.task.job.scenario)
}

/// The fields in which each curve differs, in words: `2 VCs · e-cube`. The labels of the curves if the
/// words are the same for two of them.
pub(super) fn names(study: &Study) -> Vec<String> {
    let scenarios: Vec<&Scenario> =
        (0..study.curves.len()).filter_map(|curve| scenario(study, curve)).collect();
    if scenarios.len() < study.curves.len() {
        return study.curves.clone();
    }
    let value = |scenario: &Scenario, path: &str| {
        scenario.set_fields().find(|one| one.path == path).map(|one| one.value.clone())
    };
    let mut paths: Vec<&str> = Vec::new();
    for one in scenarios.iter().flat_map(|scenario| scenario.set_fields()) {
        if !paths.contains(&one.path.as_str()) {
            paths.push(&one.path);
        }
    }
    paths.retain(|path| {
        let values: BTreeSet<_> = scenarios.iter().map(|it| value(it, path)).collect();
        values.len() > 1
    });
    let differ = scenarios.iter().any(|scenario| scenario.name != scenarios[0].name);
    let name = |scenario: &&Scenario| {
        let whose = differ.then(|| text::short_name(&scenario.name).to_owned());
        let fields =
            paths.iter().map(|path| words(scenario, path, value(scenario, path).as_deref()));
        whose.into_iter().chain(fields).collect::<Vec<_>>().join(" · ")
    };
    let names: Vec<String> = scenarios.iter().map(name).collect();
    let all_differ = names.iter().collect::<BTreeSet<_>>().len() == names.len();
    if all_differ && names.iter().all(|name| !name.is_empty()) {
        names
    } else {
        study.curves.clone()
    }
}

/// The value of a field in words.
fn words(scenario: &Scenario, path: &str, value: Option<&str>) -> String {
    let system = &scenario.system;
    let machine = system.wormhole();
    let count = |number: u32, one: &str, several: &str| text::count(number as usize, one, several);
    match (path, machine) {
        ("routing", _) => system.relation.routing().name().to_owned(),
        ("network", _) => system.network.name(),
        ("switching.virtual_channels", Some(it)) => count(it.virtual_channels, "VC", "VCs"),
        ("switching.buffer_flits", Some(it)) => count(it.buffer_flits, "flit", "flits"),
        _ => {
            let field = path.rsplit('.').next().unwrap_or(path).replace('_', " ");
            format!("{field} {}", value.unwrap_or("as it is"))
        }
    }
}
