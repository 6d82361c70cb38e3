//! Orders of channels that suit most of the given routes.

use std::collections::HashMap;

use super::acyclic::{Acyclic, Edge};
use super::vertex;
use crate::ids::{ChannelId, RouterId};
use crate::routing::layers::central;
use crate::topology::Network;

/// Roots of trees that are tried.
const ROOTS: usize = 4;

/// An order of all channels, each in some classes of virtual channels.
pub(super) struct Places {
    /// The graph whose order counts.
    pub graph: Acyclic,
    /// The tree that connects all routers in this order, if the order was made for one.
    pub tree: Option<Tree>,
}

/// A tree of links towards a root and from there.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The link of each router towards the root.
    up: Vec<Option<ChannelId>>,
    /// The link to each router from its parent on the way from the root.
    down: Vec<Option<ChannelId>>,
}

/// Orders for dependencies with their numbers of routes: without a tree, and with the trees of some roots.
pub(super) fn orders(network: &Network, classes: u32, edges: &HashMap<Edge, u32>) -> Vec<Places> {
    let mut sorted: Vec<(Edge, u32)> =
        edges.iter().map(|(&edge, &weight)| (edge, weight)).collect();
    sorted.sort_unstable_by_key(|&(edge, weight)| (std::cmp::Reverse(weight), edge));
    let empty = Acyclic::new(network.links() * classes as usize);
    let filled = |mut graph: Acyclic| {
        for &(edge, _) in &sorted {
            graph.add(edge);
        }
        graph
    };
    let roots = central(network).into_iter().take(ROOTS);
    let trees = roots.map(|root| {
        let tree = Tree::of(network, root);
        let mut graph = empty.clone();
        for edge in tree.edges(network, classes) {
            graph.add(edge);
        }
        Places { graph: filled(graph), tree: Some(tree) }
    });
    let alone = Places { graph: filled(empty.clone()), tree: None };
    std::iter::once(alone).chain(trees).collect()
}

impl Tree {
    /// The tree of the shortest ways to a root and from there.
    fn of(network: &Network, root: RouterId) -> Self {
        let (to, from) = (network.distances_to(root), network.distances_from(&[root]));
        let routers = || (0..network.routers()).map(RouterId::new);
        let nearer = |links: &[ChannelId],
                      hops: &[u32],
                      at: RouterId,
                      end: fn(&Network, ChannelId) -> RouterId| {
            let is_nearer =
                |&&link: &&ChannelId| hops[end(network, link).index()] < hops[at.index()];
            links.iter().find(is_nearer).copied()
        };
        let up = routers()
            .map(|at| nearer(network.outputs(at), &to, at, |it, link| it.channel(link).to));
        let up: Vec<Option<ChannelId>> = up.collect();
        let down = routers().map(|at| {
            // The way back of the link towards the root, if there is one.
            let parent = up[at.index()].map(|link| network.channel(link).to);
            let back =
                network.inputs(at).iter().find(|&&link| Some(network.channel(link).from) == parent);
            back.copied()
                .filter(|_| network.is_two_way())
                .or_else(|| nearer(network.inputs(at), &from, at, |it, link| it.channel(link).from))
        });
        Self { down: down.collect(), up }
    }

    /// The dependencies of all ways over the tree, in class 0.
    fn edges(&self, network: &Network, classes: u32) -> Vec<Edge> {
        let mut edges = Vec::new();
        let mut children: Vec<Vec<RouterId>> = vec![Vec::new(); network.routers()];
        let mut below: Vec<Vec<RouterId>> = vec![Vec::new(); network.routers()];
        for at in (0..network.routers()).map(RouterId::new) {
            if let Some(link) = self.up[at.index()] {
                below[network.channel(link).to.index()].push(at);
            }
            if let Some(link) = self.down[at.index()] {
                children[network.channel(link).from.index()].push(at);
            }
        }
        let number = |link: ChannelId| vertex(link, 0, classes);
        for at in (0..network.routers()).map(RouterId::new) {
            let arriving_up = below[at.index()]
                .iter()
                .filter_map(|from| self.up[from.index()].map(|link| (link, Some(*from))));
            let arriving_down = self.down[at.index()].map(|link| (link, None));
            for (arriving, from) in arriving_up.chain(arriving_down) {
                let onward = from.and(self.up[at.index()]);
                edges.extend(onward.map(|link| (number(arriving), number(link))));
                for &child in children[at.index()].iter().filter(|&&child| Some(child) != from) {
                    let link = self.down[child.index()];
                    edges.extend(link.map(|link| (number(arriving), number(link))));
                }
            }
        }
        edges
    }

    /// The next hops to a destination over the tree.
    pub fn next(&self, network: &Network, destination: RouterId) -> Vec<Option<ChannelId>> {
        let mut next = self.up.clone();
        let mut at = destination;
        while let Some(link) = self.down[at.index()] {
            at = network.channel(link).from;
            next[at.index()] = Some(link);
        }
        next[destination.index()] = None;
        next
    }
}
