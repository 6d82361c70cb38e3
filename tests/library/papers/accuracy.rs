//! How far channel flow is off, over systems that were drawn once: the guide's table.

mod drawn;
mod fit;
mod held_out;
mod measured;
mod simulate;
mod simulated;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use drawn::{Drawn, SYSTEMS};
use flitscope::model::channel_flow::ChannelFlow;
use flitscope::model::models_for;
use measured::{Errors, row, spread_row};
use simulated::{DRAWN, FURTHER, Run};

/// The simulated systems of a file, with their runs.
fn systems(kept: &str, take: impl Fn(&Drawn) -> bool) -> Vec<(Drawn, Vec<Run>)> {
    let mut runs = simulated::kept(kept);
    runs.sort_by_key(|run| (run.system, run.load));
    let each = runs.chunk_by(|a, b| a.system == b.system);
    let all = each.map(|runs| (Drawn::new(runs[0].system), runs.to_vec()));
    all.filter(|(system, _)| take(system)).collect()
}

fn errors(of: &[(Drawn, Vec<Run>)]) -> Vec<(&Drawn, Errors)> {
    let errors = of.iter().map(|(system, runs)| {
        let model = ChannelFlow::of(&system.scenario().system);
        (system, Errors::of(&model, system, runs))
    });
    errors.collect()
}

/// The rows of further numbers of the draw.
fn further(name: &str) -> [String; 2] {
    let systems = systems(FURTHER, |it| !it.adaptive);
    let of: Vec<Errors> = errors(&systems).into_iter().map(|it| it.1).collect();
    [row(name, &of), spread_row(name, &of)]
}

/// The rows of the tables, of latencies and of their quantiles, for each family and for all.
fn rows(name: &str, of: &[(Drawn, Vec<Run>)]) -> Vec<String> {
    let all = errors(of);
    let all: Vec<(&str, Errors)> = all.into_iter().map(|it| (it.0.family, it.1)).collect();
    let families = ["mesh", "torus", "cube", "switches"].map(Some);
    let both = std::iter::once(None).chain(families).map(|family| {
        let of = all.iter().filter(|it| family.is_none_or(|family| it.0 == family));
        let of: Vec<Errors> = of.map(|it| it.1.clone()).collect();
        let name = family.map_or(name.to_owned(), |family| format!("{name}, {family}"));
        [row(&name, &of), spread_row(&name, &of)]
    });
    let (latencies, quantiles): (Vec<String>, Vec<String>) = both.map(<(_, _)>::from).unzip();
    [latencies, quantiles].concat()
}

/// The tables have the errors on systems with fixed routes, of those to which constants were fitted and of others.
#[test]
fn the_tables_have_the_errors_of_the_drawn_systems() {
    let tables = include_str!("../../../src/model/channel_flow/fitted_systems.md");
    let mut all = rows("fitted", &systems(DRAWN, |it| !it.adaptive));
    all.extend(further("not fitted"));
    let missing = all.iter().any(|row| !tables.contains(row));
    assert!(!missing, "the tables should have\n{}", all.join("\n"));
}

/// By what is sent, and where all that a paper assumes holds beside its model.
#[test]
#[ignore = "prints what models are off by"]
fn errors_of_all_models_are_printed() {
    let mut out = std::io::stdout();
    let mut all: BTreeMap<String, Vec<Errors>> = BTreeMap::new();
    for (system, runs) in systems(DRAWN, |_| true) {
        let scenario = system.scenario();
        for model in models_for(&scenario.system) {
            if model.mismatches(&scenario.system).is_empty() {
                let errors = Errors::of(&*model, &system, &runs);
                let sent = if system.bursts { "bursts" } else { system.pattern };
                for part in [sent, &system.number.to_string()] {
                    let name = format!("{} {}, {part}", model.name(), model.reading());
                    all.entry(name).or_default().push(errors.clone());
                }
            }
        }
    }
    for (name, errors) in all {
        writeln!(out, "{}", row(&name, &errors)).unwrap();
    }
}

#[test]
fn every_drawn_system_is_a_scenario() {
    let texts: BTreeSet<String> = (0..SYSTEMS)
        .map(|number| {
            let system = Drawn::new(number);
            assert!(system.scenario().system.wormhole().is_some(), "{}", system.text);
            system.text
        })
        .collect();
    // A few are drawn twice.
    assert!(texts.len() > SYSTEMS as usize * 9 / 10, "{}", texts.len());
}

#[test]
#[ignore = "simulates what is not kept yet; FLITSCOPE_PROGRAM names an optimised program"]
fn the_drawn_systems_are_simulated() {
    let systems = std::env::var("FLITSCOPE_SYSTEMS").map_or(SYSTEMS, |it| it.parse().unwrap());
    let drawn = (0..systems).map(|number| (DRAWN, Drawn::new(number)));
    let chosen = (1001..=1248).map(Drawn::new).filter(|it| it.adaptive);
    let fixed = (1400..=1482).map(Drawn::new).filter(|it| !it.adaptive);
    for (name, system) in drawn.chain(chosen.chain(fixed).map(|it| (FURTHER, it))) {
        let begun = simulated::file(name).exists();
        if !begun || simulated::kept(name).iter().all(|run| run.system != system.number) {
            simulate::keep(name, &system);
        }
    }
}
