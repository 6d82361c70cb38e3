//! Search for source routes on graphs of switches, such as fat trees.
//!
//! A route is a shortest route permitted by a turn rule: any route, or only up and then down
//! ([`Levels`]). Routes are found by a search over (router, phase), with phase 0 while a message
//! has only used up links. The routes of a pair are sorted by the routers visited. No route visits
//! a router twice, because the loop could be omitted.

use std::collections::VecDeque;

use super::around::Search;
use super::fields::{Distance, Paths};
use super::roots::Roots;
use super::rule::Needs;
use super::source_routes::{Choice, HOPS_MAX, Hop, ROUTERS_MAX, Routes};
use crate::ids::{ChannelId, RouterId};
use crate::text::count;
use crate::topology::Network;
use crate::topology::cube::Cube;
use crate::words::{Misfit, written};

/// Help message about one-way links.
pub(super) const MAKE_TWO_WAYS: &str = "make the links `Bidirectional`, or write `DimensionOrder`";

impl Search {
    /// The VCs needed on a network and their purpose, or the reason why the network is unsuitable;
    /// `name` is the name of the rule.
    pub fn serves(&self, network: &Network, name: &str) -> Result<Needs, Misfit> {
        if network.grid().is_some_and(Cube::is_one_way) {
            let what = format!("{name} needs bidirectional links, and these are one-way");
            return Misfit::because(what, MAKE_TWO_WAYS);
        }
        if self.up.is_some() && !network.is_two_way() {
            let what = format!("{name} needs bidirectional links, and one is one-way");
            return Misfit::because(what, "leave out `one_way`, or write `ShortestPath()`");
        }
        Ok(Needs::ONE)
    }

    /// Lists the routes on a network, including the roots.
    ///
    /// # Errors
    /// The reason why there are too many, or none between some pair.
    pub fn routes(&self, network: &Network, name: &str) -> Result<Routes, Misfit> {
        refuse_large(network, name)?;
        let routes = self.listed(network, self.up.as_ref(), name)?;
        if let Some(up) = &self.up {
            joined(network, &routes, up, name)?;
        }
        Ok(self.chosen(routes))
    }

    /// The same routes with the choice among those of a pair.
    pub(super) fn chosen(&self, routes: Routes) -> Routes {
        match self.paths {
            Paths::Split | Paths::First => routes,
            Paths::Host => routes.chosen(Choice::Hosts),
        }
    }

    /// Lists the routes in an order, also if routers remain apart.
    ///
    /// # Errors
    /// The reason why there are too many.
    pub(super) fn listed(
        &self,
        network: &Network,
        up: Option<&Roots>,
        name: &str,
    ) -> Result<Routes, Misfit> {
        let finder = Finder::new(network, up, self.paths == Paths::First).by(self.by);
        finder.table().map_or_else(
            || {
                let what = format!(
                    "the shortest routes of {name} have more than {HOPS_MAX} hops in total, the \
                 maximum for a list"
                );
                let help = match self.paths {
                    Paths::First => "make the network smaller",
                    Paths::Split | Paths::Host => {
                        "write `paths: First`, or make the network smaller"
                    }
                };
                Misfit::because(what, help)
            },
            Ok,
        )
    }
}

/// Rejects a network with too many routers for a list of routes.
pub(super) fn refuse_large(network: &Network, name: &str) -> Result<(), Misfit> {
    if network.routers() <= ROUTERS_MAX {
        return Ok(());
    }
    let what = format!(
        "{name} lists its routes, for at most {ROUTERS_MAX} routers, and this {} has {}",
        network.name(),
        network.routers()
    );
    Misfit::because(what, "make the network smaller")
}

/// A search for the routes permitted by a turn rule.
#[derive(Clone, Debug)]
pub struct Finder<'a> {
    network: &'a Network,
    /// Levels for up*/down* routes; `None` if all turns are permitted.
    levels: Option<Levels>,
    /// True if only the first route of each pair is kept.
    first_only: bool,
    /// The length of a link.
    by: Distance,
    /// Links by start router, sorted by end router.
    neighbours: Vec<Vec<(RouterId, ChannelId)>>,
}

/// The directions of links, up or down, under up*/down* routing (Schroeder et al. 1991, *Autonet*;
/// 002, section 7).
///
/// Breadth-first search from the roots assigns a level to every switch; without roots, the level
/// is lower the farther the next host is. A link is *up* if its end
/// precedes its start in the order of (level, number), otherwise *down*. A route may use up links
/// and then down links, but never up links again. No cycle of dependencies is possible: up links
/// decrease in the order, down links increase, and no route continues from a down link to an up
/// link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels(Vec<u32>);

impl Levels {
    /// Computes the levels of an order.
    pub fn new(network: &Network, up: &Roots) -> Self {
        match up {
            Roots::Listed(roots) => Self(network.distances_from(roots)),
            Roots::Hosts => {
                let with_hosts: Vec<RouterId> = network.host_routers().collect();
                let away = network.distances_from(&with_hosts);
                let most = away.iter().copied().max().unwrap_or_default();
                Self(away.into_iter().map(|hops| most - hops).collect())
            }
        }
    }

    /// The level of a switch: its distance from the nearest root in hops.
    pub fn level(&self, switch: RouterId) -> u32 {
        self.0[switch.index()]
    }

    /// True if a link from `from` to `to` is an up link.
    pub fn up(&self, from: RouterId, to: RouterId) -> bool {
        (self.level(to), to) < (self.level(from), from)
    }
}

/// Distances of all states from one destination.
struct Towards {
    /// The distance of the destination from (router, phase), at `2 × router + phase`; `u32::MAX`
    /// without a route.
    left: Vec<u32>,
    queue: VecDeque<usize>,
}

impl<'a> Finder<'a> {
    /// Prepares a search for the shortest routes on `network`, of at most [`ROUTERS_MAX`] routers:
    /// those up and then down in an order, or, without an order, all.
    pub fn new(network: &'a Network, up: Option<&Roots>, first_only: bool) -> Self {
        assert!(network.routers() <= ROUTERS_MAX);
        let neighbours = (0..network.routers())
            .map(|router| {
                let outputs = network.outputs(RouterId::new(router)).iter();
                let mut list: Vec<_> =
                    outputs.map(|&channel| (network.channel(channel).to, channel)).collect();
                list.sort_unstable();
                list
            })
            .collect();
        let levels = up.map(|up| Levels::new(network, up));
        Self { network, levels, first_only, by: Distance::Hops, neighbours }
    }

    /// The same search with another length of links.
    #[must_use]
    pub fn by(self, by: Distance) -> Self {
        Self { by, ..self }
    }

    /// The length of a link: 1, or its delay in cycles, 1 if the machine determines it.
    fn length(&self, link: ChannelId) -> u32 {
        let delay = self.network.channel(link).attributes.delay;
        match self.by {
            Distance::Hops => 1,
            Distance::Delay => delay.map_or(1, |cycles| cycles.get().into()),
        }
    }

    /// The phase of a message after a hop; `None` if the hop is not permitted.
    fn phase_after(&self, phase: usize, from: RouterId, to: RouterId) -> Option<usize> {
        match &self.levels {
            None => Some(0),
            Some(levels) => match (phase, levels.up(from, to)) {
                (0, true) => Some(0),
                (_, true) => None,
                (_, false) => Some(1),
            },
        }
    }

    /// Computes the distance of every state from `destination`, by a search against the hops.
    fn towards(&self, destination: RouterId, towards: &mut Towards) {
        towards.left.fill(u32::MAX);
        for phase in 0..2 {
            let state = 2 * destination.index() + phase;
            towards.left[state] = 0;
            towards.queue.push_back(state);
        }
        while let Some(state) = towards.queue.pop_front() {
            let (to, phase) = (RouterId::new(state / 2), state % 2);
            for &link in self.network.inputs(to) {
                let from = self.network.channel(link).from;
                let left = towards.left[state] + self.length(link);
                for before in 0..2 {
                    let earlier = 2 * from.index() + before;
                    if towards.left[earlier] > left
                        && self.phase_after(before, from, to) == Some(phase)
                    {
                        towards.left[earlier] = left;
                        towards.queue.push_back(earlier);
                    }
                }
            }
        }
    }

    /// The hops closer to the destination from a state, and the states after these hops.
    fn onward(
        &self,
        towards: &'a Towards,
        state: usize,
    ) -> impl Iterator<Item = (Hop, usize)> + '_ {
        let (from, phase) = (RouterId::new(state / 2), state % 2);
        let left = towards.left[state];
        self.neighbours[from.index()].iter().filter_map(move |&(to, channel)| {
            let next = 2 * to.index() + self.phase_after(phase, from, to)?;
            let through = towards.left[next].checked_add(self.length(channel));
            let closer = left != u32::MAX && through == Some(left);
            closer.then_some((Hop { from, channel, class: 0 }, next))
        })
    }

    /// Lists the routes; `None` if they have more than [`HOPS_MAX`] hops in total.
    pub fn table(&self) -> Option<Routes> {
        let routers = self.network.routers();
        let mut towards = Towards { left: vec![u32::MAX; 2 * routers], queue: VecDeque::new() };
        let mut table = Routes::none(routers);
        let mut route = Vec::new();
        for destination in (0..routers).map(RouterId::new) {
            self.towards(destination, &mut towards);
            for source in 0..routers {
                let ends = (RouterId::new(source), destination);
                self.list(&towards, 2 * source, &mut route, (&mut table, ends))?;
            }
        }
        Some(table)
    }

    /// Lists all continuations from a state after the hops so far. The recursion is as deep as a
    /// route is long.
    fn list(
        &self,
        towards: &Towards,
        state: usize,
        route: &mut Vec<Hop>,
        (table, ends): (&mut Routes, (RouterId, RouterId)),
    ) -> Option<()> {
        if towards.left[state] == 0 {
            table.add(ends.0, ends.1, route);
            return (!table.is_full()).then_some(());
        }
        let kept = if self.first_only { 1 } else { usize::MAX };
        for (hop, next) in self.onward(towards, state).take(kept) {
            route.push(hop);
            self.list(towards, next, route, (&mut *table, ends))?;
            route.pop();
        }
        Some(())
    }
}

/// Rejects routes that leave two routers with hosts apart.
fn joined(network: &Network, routes: &Routes, up: &Roots, name: &str) -> Result<(), Misfit> {
    let apart = routes.missing(network);
    if apart.is_empty() {
        return Ok(());
    }
    let named = |&(from, to): &(RouterId, RouterId)| {
        format!("{} to {}", network.router_name(from), network.router_name(to))
    };
    let some: Vec<String> = apart.iter().take(PAIRS_SHOWN).map(named).collect();
    let what = format!(
        "{name} has no route up and then down for {}, such as {}: they have no common ancestor",
        count(apart.len(), "pair of routers", "pairs of routers"),
        some.join(", ")
    );
    let help = match up {
        Roots::Hosts => "write `roots: [0]`".to_owned(),
        Roots::Listed(roots) => format!("write `roots: {}`", written(&sufficient(network, roots))),
    };
    Misfit::because(what, help)
}

/// Pairs of routers in a message.
const PAIRS_SHOWN: usize = 3;

/// Roots without those that leave routers apart.
fn sufficient(network: &Network, roots: &[RouterId]) -> Vec<RouterId> {
    let mut kept: Vec<RouterId> = Vec::new();
    for &root in roots {
        kept.push(root);
        let up = Roots::Listed(kept.clone());
        let routes = Finder::new(network, Some(&up), true).table();
        if routes.is_none_or(|routes| !routes.missing(network).is_empty()) {
            kept.pop();
        }
    }
    kept
}
