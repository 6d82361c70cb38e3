//! The study's tables: simulation beside the models, and beside an independent simulation.

use std::sync::Arc;

use super::case::{All, Case, Law, Network, Set, Strategy, Theory};
use crate::experiment::reproduce::table::Beside;
use crate::experiment::reproduce::{Effort, Line, Results, Table, Tolerance};

/// The share of hold's saturation rate up to which its refined model is held to a tolerance.
const NEAR_SATURATION: f64 = 0.94;
/// Service times above which controllers decide, and the models of them are not held to anything.
const SERVICE_MAX: f64 = 0.01;
/// Aborts per message up to which deadlocks in a torus do not decide.
const VICTIMS_MAX: f64 = 0.04;
/// The refined latency from simulation, at most.
const LATENCY_WITHIN: f64 = 0.05;
/// Data times that a mean latency may have for two simulations to be held to each other, and the share
/// of hold's saturation rate: beyond, the length of the runs decides.
const STATIONARY: (f64, f64) = (6.0, 0.9);

/// Whether the refined model claims to be close here.
fn held(case: &Case) -> bool {
    let condition = &case.condition;
    let victims = condition.network == Network::OneWayTorus
        && condition.aborts.is_none_or(|aborts| aborts > VICTIMS_MAX);
    !case.beyond(NEAR_SATURATION) && condition.service <= SERVICE_MAX && !victims
}

/// How far refined aborts may be from simulation.
fn aborts_within(case: &Case) -> f64 {
    let condition = &case.condition;
    let back_off = condition.back_off.unwrap_or_default();
    match (condition.conflict, condition.law) {
        (Strategy::Adaptive, _) if back_off >= 1.0 => 0.05,
        (Strategy::Adaptive, _) => 0.07,
        (_, Law::Exponential) if back_off <= 0.4 => 0.10,
        _ => 0.06,
    }
}

/// The table of every set and those across the sets.
pub fn tables(all: &Arc<All>, effort: Effort) -> Vec<Table> {
    let mut tables: Vec<Table> = Set::ALL.into_iter().map(|set| refined(all, set)).collect();
    tables.extend([set_up(all), aborts(all), text(all), text_aborts(all)]);
    tables.extend([reference(all, effort), reference_aborts(all, effort)]);
    tables
}

/// A line of simulated latency.
fn latency(name: String, case: &Case) -> Line {
    let own = case.clone();
    Line::computed(name, move |results| own.latency(results))
}

/// A line of simulated aborts.
fn aborts_line(case: &Case) -> Line {
    let own = case.clone();
    Line::computed(name_in_all(case), move |results| own.aborts(results))
}

/// The name of a case among those of all sets.
fn name_in_all(case: &Case) -> String {
    let set = case.condition.set;
    match set {
        Set::Figure10 | Set::Figure11 | Set::ServiceTimes => {
            format!("{}: {}", set.name(), case.condition.name())
        }
        _ => {
            format!("{}: {}, {}", set.name(), case.condition.conflict.name(), case.condition.name())
        }
    }
}

/// Latencies of a set, and the refined model.
fn refined(all: &All, set: Set) -> Table {
    let lines = all.of(set).map(|case| {
        let model = case.refined.map(|it| it.latency);
        let tolerance =
            (held(case) && model.is_some()).then_some(Tolerance::ModelToSimulation(LATENCY_WITHIN));
        Line { model, tolerance, ..latency(case.condition.name(), case) }
    });
    Table {
        name: set.name(),
        title: format!("{}; the refined model", set.title()),
        unit: "units of time",
        decimals: 3,
        beside: Beside::Paper,
        lines: lines.collect(),
    }
}

/// Set-up times under hold.
fn set_up(all: &All) -> Table {
    let lines = all.of(Set::Figure6).map(|case| {
        let own = case.clone();
        let simulation = move |results: &Results| own.set_up(results);
        let model = case.refined.map(|it| it.set_up);
        Line { model, ..Line::computed(case.condition.name(), simulation) }
    });
    Table {
        name: "set-up",
        title: "mean time from generation to the acknowledgement, hold in an 8-cube; the refined \
                model"
            .to_owned(),
        unit: "units of time",
        decimals: 3,
        beside: Beside::Paper,
        lines: lines.collect(),
    }
}

/// Whether aborts are a figure of this case.
fn has_aborts(case: &Case) -> bool {
    case.condition.conflict != Strategy::Hold
}

/// Aborts of drop and adaptive, and the refined model.
fn aborts(all: &All) -> Table {
    let lines = all.0.iter().filter(|case| has_aborts(case)).map(|case| {
        let model = case.refined.map(|it| it.aborts);
        let figured = matches!(case.condition.set, Set::Figure7 | Set::Figure8 | Set::Figure9);
        let tolerance =
            (figured && model.is_some()).then(|| Tolerance::ModelToSimulation(aborts_within(case)));
        Line { model, tolerance, ..aborts_line(case) }
    });
    Table {
        name: "aborts",
        title: "attempts that end in an abort; the refined model".to_owned(),
        unit: "per message",
        decimals: 4,
        beside: Beside::Paper,
        lines: lines.collect(),
    }
}

/// Latencies, and the readings of the paper's own equations.
fn text(all: &All) -> Table {
    let mut lines = Vec::new();
    for case in &all.0 {
        let readings = [("text", case.text), ("text-printed", case.text_printed)];
        for (reading, theory) in readings {
            if let Some(theory) = theory {
                let line = latency(format!("{}, {reading}", name_in_all(case)), case);
                lines.push(Line { model: Some(theory.latency), ..line });
            }
        }
    }
    Table {
        name: "text",
        title: "mean latency; the paper's own equations, where they have a solution".to_owned(),
        unit: "units of time",
        decimals: 3,
        beside: Beside::Paper,
        lines,
    }
}

/// Aborts, and the paper's own equations.
fn text_aborts(all: &All) -> Table {
    let lines = all.0.iter().filter(|case| has_aborts(case)).filter_map(|case| {
        let Theory { aborts, .. } = case.text?;
        Some(Line { model: Some(aborts), ..aborts_line(case) })
    });
    Table {
        name: "text aborts",
        title: "attempts that end in an abort; the paper's own equations".to_owned(),
        unit: "per message",
        decimals: 4,
        beside: Beside::Paper,
        lines: lines.collect(),
    }
}

/// How far simulation may be from a figure of the independent one, if the two are held to each other:
/// not where the latter's own interval takes more than half of that.
fn simulations_within(
    case: &Case,
    effort: Effort,
    (figure, half_width): (f64, Option<f64>),
) -> Option<Tolerance> {
    let within = effort.choose(0.05, 0.02);
    let known = half_width.is_some_and(|half| half <= within / 2.0 * figure);
    (known && stationary(case)).then_some(Tolerance::SimulationToPaper(within))
}

/// Whether two simulations are held to each other here.
fn stationary(case: &Case) -> bool {
    let (times, share) = STATIONARY;
    let data = case.condition.data_mean;
    case.condition.latency.is_some_and(|it| it <= times * data) && !case.beyond(share)
}

/// Latencies, and those of the independent simulation.
fn reference(all: &All, effort: Effort) -> Table {
    let lines = all.0.iter().filter_map(|case| {
        let condition = &case.condition;
        let paper = condition.latency?;
        let tolerance = simulations_within(case, effort, (paper, condition.half_width));
        Some(Line { paper: Some(paper), tolerance, ..latency(name_in_all(case), case) })
    });
    Table {
        name: "reference",
        title: "mean latency beside that of an independent simulation of the same system (the \
                paper prints no values)"
            .to_owned(),
        unit: "units of time",
        decimals: 3,
        beside: Beside::IndependentSimulation,
        lines: lines.collect(),
    }
}

/// Aborts, and those of the independent simulation.
fn reference_aborts(all: &All, effort: Effort) -> Table {
    let lines = all.0.iter().filter(|case| has_aborts(case)).filter_map(|case| {
        let paper = case.condition.aborts?;
        let half_width = case.condition.aborts_half_width;
        let tolerance = simulations_within(case, effort, (paper, half_width));
        Some(Line { paper: Some(paper), tolerance, ..aborts_line(case) })
    });
    Table {
        name: "reference aborts",
        title: "attempts that end in an abort, beside those of an independent simulation"
            .to_owned(),
        unit: "per message",
        decimals: 4,
        beside: Beside::IndependentSimulation,
        lines: lines.collect(),
    }
}
