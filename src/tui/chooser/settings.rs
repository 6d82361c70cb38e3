//! What may be set in a scenario to compare it with itself: routing rules and fields of the machine that
//! its network and traffic admit.

use crate::routing::dependency::Verdict;
use crate::scenario::{Scenario, choices, contrast};
use crate::switching::Switching;
use crate::tui::library::{Entry, Kind};

/// Networks up to this many routers are tried with each setting before it is listed.
const TRIED: usize = 4096;
/// Up to this many virtual channels proofs that there is no deadlock are tried as well: a key must not
/// wait for them.
const PROVEN: usize = 1024;

/// The settings that make another system to compare with, ready to be chosen.
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
    // What changes nothing is the same run.
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

/// The values of a field that the rest of a scenario admits, each with a word about it.
pub fn values(scenario: &Scenario, path: &str) -> Vec<(String, String)> {
    let all: Vec<_> = choices(path).into_iter().map(|it| (path, it.value, it.help)).collect();
    let offered = offered(scenario, &all, |_| true).into_iter();
    offered.map(|(_, value, title)| (value, title)).collect()
}

/// Of fields and values with their help those that can be set and make sense, each with a word about it;
/// what is proven free of deadlock comes first.
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

/// True if the proof that there is no deadlock fails, where it is tried.
fn may_deadlock(scenario: &Scenario) -> bool {
    let system = &scenario.system;
    let channels = system.network.links() * system.switching.virtual_channels().max(1) as usize;
    channels <= PROVEN
        && matches!(system.proof().verdict, Verdict::Cyclic { .. } | Verdict::Stranded { .. })
}
