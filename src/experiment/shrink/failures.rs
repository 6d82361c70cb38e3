//! Failures of links and routers in reduced cases.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::{Change, drawn_failures};
use crate::ids::{ChannelId, RouterId};
use crate::scenario::{Scenario, consequences_text};
use crate::session::saved::Saved;
use crate::system::failures::{Failure, Failures, OnFailure, Part, failed_parts};
use crate::topology::Network;
use crate::units::Cycle;
use crate::words::written;

/// The failures of a run up to a cycle, as given ones: those of the scenario, random ones, and links that
/// were closed from outside.
pub(super) fn happened(saved: &Saved, end: Cycle) -> Failures {
    let system = &saved.scenario.system;
    let (network, plan) = (&system.network, system.plan());
    let mut given = plan.failures.given.clone();
    given.extend(drawn_failures(plan, network, end));
    given.extend(from_outside(saved));
    given.retain(|failure| failure.cycle <= end.0);
    for failure in &mut given {
        failure.lasts = failure.lasts.filter(|lasts| failure.cycle.saturating_add(*lasts) <= end.0);
    }
    given.sort_by_key(|failure| failure.cycle);
    of(given, plan.consequences())
}

/// Given failures with their consequences, if there are any.
pub(super) fn of(given: Vec<Failure>, consequences: OnFailure) -> Failures {
    let consequences = if given.is_empty() { OnFailure::default() } else { consequences };
    Failures { given, random: None, consequences }
}

/// The failures that follow from a session's changes of links.
fn from_outside(saved: &Saved) -> Vec<Failure> {
    let network = &saved.scenario.system.network;
    let mut since: BTreeMap<ChannelId, u64> = BTreeMap::new();
    let mut closed: BTreeMap<(u64, Option<u64>), BTreeSet<ChannelId>> = BTreeMap::new();
    for done in &saved.journal {
        let now = done.cycle.0;
        match done.change {
            Change::Rate(_) => {}
            Change::LinkDown(link) => {
                since.insert(link, now);
            }
            Change::LinkUp(link) => {
                if let Some(begun) = since.remove(&link).filter(|&begun| begun < now) {
                    closed.entry((begun, Some(now - begun))).or_default().insert(link);
                }
            }
        }
    }
    for (link, begun) in since {
        closed.entry((begun, None)).or_default().insert(link);
    }
    let failure = |(cycle, lasts)| move |part| Failure { cycle, part, lasts };
    let parts = |(time, links)| failed_parts(network, &links).into_iter().map(failure(time));
    closed.into_iter().flat_map(parts).collect()
}

/// The scenario with these failures, as far as its network has their parts.
pub(super) fn with_failures(scenario: Scenario, failures: Failures) -> Scenario {
    let Failures { mut given, consequences, .. } = failures;
    let network = &scenario.system.network;
    given.retain(|failure| !failure.part.links(network).is_empty());
    if scenario.system.circuit().is_some() {
        return scenario;
    }
    let system = scenario.system.clone().with_failures(of(given, consequences));
    Scenario { system, ..scenario }
}

/// The failures of a scenario.
pub(super) fn failures(scenario: &Scenario) -> &Failures {
    &scenario.system.plan().failures
}

/// The failures on some routers of a network, by their numbers there.
pub(super) fn on_part(all: &Failures, routers: &[RouterId]) -> Failures {
    let number = |router: RouterId| routers.binary_search(&router).ok().map(RouterId::new);
    let on_part = |failure: &Failure| {
        let part = match failure.part {
            Part::Link(from, to) => Part::Link(number(from)?, number(to)?),
            Part::Router(router) => Part::Router(number(router)?),
        };
        Some(Failure { part, ..*failure })
    };
    Failures { given: all.given.iter().filter_map(on_part).collect(), ..*all }
}

/// The failures on another network of the family, moved by their coordinates; on a network without
/// coordinates, by numbers.
pub(super) fn on_other(all: &Failures, from: &Network, to: &Network) -> Failures {
    let moved = |failure: &Failure| {
        let part = match failure.part {
            Part::Router(at) => {
                let [at] = moved([at], from, to)?;
                Part::Router(at)
            }
            Part::Link(one, other) => {
                let [one, other] = moved([one, other], from, to)?;
                let part = Part::Link(one, other);
                if part.links(to).is_empty() {
                    Part::Link(one, to.neighbours(one).next()?)
                } else {
                    part
                }
            }
        };
        Some(Failure { part, ..*failure })
    };
    Failures { given: all.given.iter().filter_map(moved).collect(), ..*all }
}

/// Routers moved together until all of them are in another network.
fn moved<const N: usize>(
    routers: [RouterId; N],
    from: &Network,
    to: &Network,
) -> Option<[RouterId; N]> {
    let (Some(labels), Some(others)) = (from.labels(), to.labels()) else {
        let beyond = routers.iter().map(|at| at.index() + 1).max()?.saturating_sub(to.routers());
        return Some(routers.map(|at| RouterId::new(at.index().saturating_sub(beyond))));
    };
    let mut found = [RouterId(0); N];
    for (at, place) in routers.iter().zip(&mut found) {
        let coordinate = |(level, size): (usize, u32)| {
            let of =
                |router: &RouterId| u32::from(labels.of(*router).get(level).copied().unwrap_or(0));
            let highest = routers.iter().map(of).max().unwrap_or(0);
            of(at).saturating_sub((highest + 1).saturating_sub(size))
        };
        let sizes = others.levels().iter().map(|level| level.size).enumerate();
        let coordinates: Vec<u32> = sizes.map(coordinate).collect();
        *place = others.router_at(&coordinates)?;
    }
    Some(found)
}

/// The fields `failures` and `on_failure` of a scenario, if it has failures, with the names of routers that
/// have given names.
pub(super) fn fields(scenario: &Scenario) -> Option<[(&'static str, String); 2]> {
    let Failures { given, consequences, .. } = failures(scenario);
    if given.is_empty() {
        return None;
    }
    let network = &scenario.system.network;
    let numbered = network.switches().is_some_and(|it| it.names().routers.is_empty());
    let name = |at: RouterId| {
        if numbered { at.0.to_string() } else { written(&network.router_name(at)) }
    };
    let entry = |failure: &Failure| {
        let part = match failure.part {
            Part::Link(from, to) => format!("link: ({}, {})", name(from), name(to)),
            Part::Router(router) => format!("router: {}", name(router)),
        };
        let lasts = failure.lasts.map_or_else(String::new, |lasts| format!(", lasts: {lasts}"));
        format!("        (cycle: {}, {part}{lasts}),\n", failure.cycle)
    };
    let entries: String = given.iter().map(entry).collect();
    let failures = format!("[\n{entries}    ]");
    Some([("failures", failures), ("on_failure", consequences_text(*consequences))])
}
