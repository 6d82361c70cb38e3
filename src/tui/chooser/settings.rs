//! Settings of a scenario to compare.
//!
//! These are routing rules and fields of the machine, valid for its network and traffic.

use crate::routing::dependency::Verdict;
use crate::scenario::{Scenario, choices, contrast};
use crate::switching::Switching;
use crate::tui::library::{Entry, Kind};

/// Maximum number of routers for checking every setting before listing.
const TRIED: usize = 4096;
/// Maximum number of virtual channels for proofs of deadlock freedom; larger proofs would delay the
/// response to a key.
const PROVEN: usize = 1024;

/// The settings that result in a different system, as entries of the chooser.
pub(super) fn of(scenario: &Scenario) -> Vec<Entry> {
    let routings = choices("routing").into_iter();
    let mut all: Vec<_> = routings.map(|it| ("routing", it.value, it.help)).collect();
    if let Switching::Wormhole(machine) = &scenario.system.switching {
        let (channels, flits) = (machine.virtual_channels, machine.buffer_flits);
        let others = |now: u32| [now / 2, now * 2].into_iter().filter(|&other| other > 0);
        let channels = others(channels)
            .map(|it| ("switching.virtual_channels", it.to_string(), "Virtual channels."));
        let flits = others(flits)
            .map(|it| ("switching.buffer_flits", it.to_string(), "Flits in a buffer."));
        all.extend(channels.chain(flits));
    }
    // A setting without effect would give the same run.
    let makes_sense = |other: &Scenario| {
        contrast::beside(scenario, other).is_ok()
            && (other.system.relation.routing() != scenario.system.relation.routing()
                || other.system.switching != scenario.system.switching)
    };
    let offered = offered(scenario, &all, makes_sense).into_iter();
    let entry = |(path, value, title)| Entry {
        name: format!("{path}={value}"),
        kind: Kind::Setting,
        title,
    };
    offered.map(entry).collect()
}

/// The valid values of a field in a scenario, each with a description.
pub fn values(scenario: &Scenario, path: &str) -> Vec<(String, String)> {
    let all: Vec<_> = choices(path).into_iter().map(|it| (path, it.value, it.help)).collect();
    let offered = offered(scenario, &all, |_| true).into_iter();
    offered.map(|(_, value, title)| (value, title)).collect()
}

/// Filters fields and values for valid, sensible settings, each with a description; settings proven
/// free of deadlock are listed first.
fn offered<'a>(
    scenario: &Scenario,
    all: &[(&'a str, String, &str)],
    makes_sense: impl Fn(&Scenario) -> bool,
) -> Vec<(&'a str, String, String)> {
    let small = scenario.system.network.routers() <= TRIED;
    let made = |path: &str, value: &str| scenario.with_field(path, value).ok().filter(&makes_sense);
    let one = |(path, value, help): &(&'a str, String, &str)| {
        let title = help.split(['.', ';']).next().unwrap_or_default().trim().to_owned();
        let other = if small { Some(made(path, value)?) } else { None };
        let doomed = other.is_some_and(|other| may_deadlock(&other));
        let title = if doomed { format!("may deadlock. {title}") } else { title };
        Some((doomed, (*path, value.clone(), title)))
    };
    let mut offered: Vec<(bool, _)> = all.iter().filter_map(one).collect();
    offered.sort_by_key(|&(doomed, _)| doomed);
    offered.into_iter().map(|(_, one)| one).collect()
}

/// True if the proof of deadlock freedom was tried and failed.
fn may_deadlock(scenario: &Scenario) -> bool {
    let system = &scenario.system;
    let channels = system.network.links() * system.switching.virtual_channels().max(1) as usize;
    channels <= PROVEN
        && matches!(system.proof().verdict, Verdict::Cyclic { .. } | Verdict::Stranded { .. })
}
