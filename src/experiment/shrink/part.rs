//! Parts of a network: routers and links without which a case deadlocks too.

use std::collections::BTreeSet;

use super::text::{lines, set, traffic, with};
use super::{Case, Search};
use crate::experiment::trial::Letter;
use crate::ids::{NodeId, RouterId};
use crate::network_files::Graph;
use crate::network_files::write::{cables, rows_text};
use crate::routing::Routing;
use crate::scenario::switches_text;
use crate::topology::Network;
use crate::topology::switches::{Cable, flaws};

impl Search<'_> {
    /// The case on the part of its network without the routers and links that it does not need, as
    /// `Switches`; unchanged if the routing serves no such part.
    pub(super) fn smaller_part(&self, mut case: Case) -> Case {
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

    /// The case on some of its routers, if it deadlocks there.
    fn part(
        &self,
        case: &Case,
        routers: &[RouterId],
        kept: impl Fn(&Cable) -> bool,
    ) -> Option<Case> {
        let network = &case.scenario.system.network;
        let hosts: BTreeSet<NodeId> = case.letters.iter().flat_map(|letter| letter.ends).collect();
        let hosts: Vec<NodeId> = hosts.into_iter().collect();
        let graph = Graph::part(network, routers, &hosts, kept);
        if hosts.len() < 2 || !flaws(graph.routers, &graph.cables).is_empty() {
            return None;
        }
        let traffic = traffic(&case.scenario, &case.letters);
        let mut routing = None;
        if let Routing::Table { routes } = case.scenario.system.relation.routing() {
            let rows = rows_text(network, routes, |router| routers.contains(&router));
            routing = Some(format!("Table(routes: {})", lines(&rows)));
        }
        let fields = [
            Some(set("network", switches_text(&graph).replace('\n', "\n    "))),
            Some(set("traffic", traffic)),
            routing.map(|routing| set("routing", routing)),
        ];
        let scenario = with(&case.scenario, fields.into_iter().flatten())?;
        let number = |node: NodeId| hosts.binary_search(&node).ok().map(NodeId::new);
        let letter = |letter: &Letter| {
            let [from, to] = letter.ends.map(number);
            Some(Letter { ends: [from?, to?], ..*letter })
        };
        let letters: Option<Vec<Letter>> = case.letters.iter().map(letter).collect();
        let part = Case { scenario, letters: letters? };
        self.trial(&part).deadlocks(&part.letters).then_some(part)
    }
}

/// The routers at the ends of the messages.
fn ends(case: &Case) -> BTreeSet<RouterId> {
    let network: &Network = &case.scenario.system.network;
    let ends = case.letters.iter().flat_map(|letter| letter.ends);
    ends.map(|node| network.router_of(node)).collect()
}
