//! Parts of a network: routers and links without which a case deadlocks too.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::failures::{failures, on_part, with_failures};
use super::rows::{channels, needed, pairs};
use super::text::{lines, set, traffic, with};
use super::{Case, Search};
use crate::engine::Snapshot;
use crate::experiment::trial::Letter;
use crate::ids::{ChannelId, NodeId, RouterId};
use crate::network_files::Graph;
use crate::network_files::write::{cables, rows_text};
use crate::routing::Routing;
use crate::routing::rows::Rows;
use crate::scenario::switches_text;
use crate::system::failures::Part;
use crate::topology::Network;
use crate::topology::switches::{Cable, flaws};

/// The most routers of a network whose routers and links are removed one by one.
pub(super) const PART_MAX: usize = 128;

impl Search<'_> {
    /// The case on the part of its network without the routers and links that it does not need, as
    /// `Switches`; unchanged if the routing serves no such part.
    pub(super) fn smaller_part(&self, mut case: Case) -> Case {
        let visited = self.visited(&case);
        let visited = visited.and_then(|visited| {
            // All hosts of these routers, so that more routes remain as they are.
            let network = &case.scenario.system.network;
            let mut hosts: Vec<NodeId> =
                visited.iter().flat_map(|&at| network.hosts_at(at)).copied().collect();
            hosts.sort_unstable();
            self.on_part(&case, (&visited, &hosts), |_| true).next()
        });
        if let Some(part) = visited {
            // Routes on a part may be others, with a cycle of other messages.
            if self.trial(&part).deadlocks(&part.letters) {
                case = part;
            } else if let Some(closed) = self.closed(&part.scenario) {
                case = closed;
            }
        }
        if case.scenario.system.network.routers() > PART_MAX {
            self.skipped.set(true);
            return case;
        }
        let mut size = case.scenario.system.network.routers();
        loop {
            size = size.div_ceil(2);
            let mut at = 0;
            while at < case.scenario.system.network.routers() {
                let network = &case.scenario.system.network;
                let last = (at + size).min(network.routers());
                let ends = ends(&case);
                let is_kept = |&router: &RouterId| {
                    !(at..last).contains(&router.index()) || ends.contains(&router)
                };
                let kept: Vec<RouterId> =
                    (0..network.routers()).map(RouterId::new).filter(is_kept).collect();
                let fewer = kept.len() < network.routers();
                match fewer.then(|| self.part(&case, &kept, |_| true)).flatten() {
                    Some(part) => case = part,
                    None => at += size,
                }
            }
            if size == 1 {
                break;
            }
        }
        let network = &case.scenario.system.network;
        let all: Vec<RouterId> = (0..network.routers()).map(RouterId::new).collect();
        let mut at = 0;
        while let Some(&cable) = cables(&case.scenario.system.network).get(at) {
            match self.part(&case, &all, |other| *other != cable) {
                Some(part) => case = part,
                None => at += 1,
            }
        }
        let is_listed = |text: String| text.starts_with("Switches");
        let listed = case.scenario.text_of("network").is_some_and(is_listed);
        let without_idle_hosts = listed.then(|| self.part(&case, &all, |_| true));
        without_idle_hosts.flatten().unwrap_or(case)
    }

    /// The routers at both ends of all channels that the messages occupy or request at the end of the run, and
    /// routers that connect these; `None` if these are all, and for families of networks.
    fn visited(&self, case: &Case) -> Option<Vec<RouterId>> {
        let network = &case.scenario.system.network;
        network.switches()?;
        let session = self.trial(case).run(&case.letters)?;
        let mut snapshot = Snapshot::default();
        session.observe(&mut snapshot);
        let requested = snapshot.waits.iter().map(|wait| wait.wants);
        let occupied = snapshot.path.iter().copied().chain(requested);
        let ends = occupied.flat_map(|vc| {
            let channel = network.channel(snapshot.split(vc).0);
            [channel.from, channel.to]
        });
        let mut routers: BTreeSet<RouterId> = self::ends(case);
        routers.extend(ends);
        for failure in &failures(&case.scenario).given {
            match failure.part {
                Part::Link(from, to) => routers.extend([from, to]),
                Part::Router(router) => routers.extend([router]),
            }
        }
        let first = *routers.first()?;
        let (from, to) = (network.distances_from(&[first]), network.distances_to(first));
        for router in routers.clone() {
            let nearer = |links: &[ChannelId], hops: &[u32], at: RouterId, outward: bool| {
                let mut ends = links.iter().map(|&link| {
                    let channel = network.channel(link);
                    if outward { channel.to } else { channel.from }
                });
                ends.find(|end| hops[end.index()] < hops[at.index()])
            };
            let mut at = router;
            while let Some(next) = nearer(network.inputs(at), &from, at, false) {
                routers.insert(next);
                at = next;
            }
            at = router;
            while let Some(next) = nearer(network.outputs(at), &to, at, true) {
                routers.insert(next);
                at = next;
            }
        }
        (routers.len() < network.routers()).then(|| routers.into_iter().collect())
    }

    /// The case on some of its routers, if it deadlocks there.
    pub(super) fn part(
        &self,
        case: &Case,
        routers: &[RouterId],
        kept: impl Fn(&Cable) -> bool,
    ) -> Option<Case> {
        let hosts: BTreeSet<NodeId> = case.letters.iter().flat_map(|letter| letter.ends).collect();
        let hosts: Vec<NodeId> = hosts.into_iter().collect();
        let mut parts = self.on_part(case, (routers, &hosts), kept);
        parts.find_map(|mut part| {
            part.outcome = self.trial(&part).outcome(&part.letters);
            part.outcome.is_some().then_some(part)
        })
    }

    /// The case on some of its routers and hosts, with the rows of a table that messages need or all of them; none
    /// if they are not connected or the routing does not serve them.
    fn on_part(
        &self,
        case: &Case,
        (routers, hosts): (&[RouterId], &[NodeId]),
        kept: impl Fn(&Cable) -> bool,
    ) -> impl Iterator<Item = Case> {
        let network = &case.scenario.system.network;
        let graph = Graph::part(network, routers, hosts, &kept);
        let is_stopped = self.stop.load(Ordering::Relaxed);
        let is_one =
            hosts.len() > 1 && !is_stopped && flaws(graph.routers, &graph.cables).is_empty();
        let tables = is_one.then(|| tables(case, routers, kept)).into_iter().flatten();
        tables.filter_map(move |routing| {
            let fields = [
                Some(set("network", switches_text(&graph).replace('\n', "\n    "))),
                Some(set("traffic", traffic(&case.scenario, &case.letters))),
                routing.map(|routing| set("routing", routing)),
            ];
            let scenario = with(&case.scenario, fields.into_iter().flatten())?;
            let scenario = with_failures(scenario, on_part(failures(&case.scenario), routers));
            let number = |node: NodeId| hosts.binary_search(&node).ok().map(NodeId::new);
            let letter = |letter: &Letter| {
                let [from, to] = letter.ends.map(number);
                Some(Letter { ends: [from?, to?], ..*letter })
            };
            let letters: Option<Vec<Letter>> = case.letters.iter().map(letter).collect();
            Some(Case { scenario, letters: letters?, outcome: None })
        })
    }
}

/// The routing on some routers, as far as it differs: for a table with the rows that messages need, and with all
/// rows between the routers.
fn tables(
    case: &Case,
    routers: &[RouterId],
    kept: impl Fn(&Cable) -> bool,
) -> impl Iterator<Item = Option<String>> {
    let network = &case.scenario.system.network;
    let text = |rows: &Rows| {
        let rows = rows_text(network, rows, |router| routers.binary_search(&router).is_ok());
        Some(format!("Table(routes: {})", lines(&rows)))
    };
    let found = if let Routing::Table { routes } = case.scenario.system.relation.routing() {
        let channels = channels(network, routers, kept);
        let needed = needed(network, routes, (&pairs(case), &channels));
        [needed.as_ref().map(text), Some(text(routes))]
    } else {
        [Some(None), None]
    };
    found.into_iter().flatten()
}

/// The routers at the ends of the messages.
pub(super) fn ends(case: &Case) -> BTreeSet<RouterId> {
    let network: &Network = &case.scenario.system.network;
    let ends = case.letters.iter().flat_map(|letter| letter.ends);
    ends.map(|node| network.router_of(node)).collect()
}
