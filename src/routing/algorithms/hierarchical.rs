//! Hierarchical routing on groups of fully joined routers, such as dragonflies (J. Kim, W. J. Dally,
//! S. Scott and D. Abts 2008): a local link to the router with a global link to the destination's
//! group, this global link, and a local link to the destination.
//!
//! The route is minimal in groups, not always in hops. Class 0 is used before the global link and
//! class 1 from this link on, so no cycle of dependencies can close.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::ids::ChannelId;
use crate::routing::algorithm::prelude::*;

/// Rules for networks without such groups.
const OTHERS: &str = "write `Minimal()` or `UpDown()`";

/// Hierarchical routing.
#[derive(Clone, Copy, Debug)]
pub struct Hierarchical;

impl Algorithm for Hierarchical {
    const NAME: &'static str = "hierarchical";
    const HELP: &'static str = "Leaves the group by a global link to the destination's group.";
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;

    fn on(&self, network: &Network) -> Result<Option<OnNetwork>, Misfit> {
        Ok(Some(Arc::new(Global::new(network)?)))
    }
}

/// The links to other groups, for every router.
#[derive(Debug)]
struct Global {
    groups: usize,
    /// The group of every router.
    group: Vec<u16>,
    /// `links[starts[r × groups + g]..]` lead from router `r` to group `g`, or to a router of its
    /// own group with such a link.
    starts: Vec<u32>,
    links: Vec<ChannelId>,
}

impl Global {
    fn new(network: &Network) -> Result<Self, Misfit> {
        let Some(labels) = network.labels().filter(|labels| labels.levels().len() == 2) else {
            return Misfit::because(
                "hierarchical routing needs routers with a group and a number, and this network \
                 has none",
                "make the network a `Dragonfly`, give `Switches` their `groups`, or write `Minimal()`",
            );
        };
        let group: Vec<u16> =
            (0..network.routers()).map(|at| labels.of(RouterId::new(at))[0]).collect();
        let groups = labels.levels()[0].size as usize;
        let group_of = |at: RouterId| usize::from(group[at.index()]);
        let routers = || (0..network.routers()).map(RouterId::new);
        let ends =
            |at: RouterId| network.outputs(at).iter().map(|&link| (link, network.channel(link).to));
        let mut sizes = vec![0; groups];
        routers().for_each(|at| sizes[group_of(at)] += 1);
        // The groups to which each router has a link, its own included.
        let joined: Vec<BTreeSet<usize>> =
            routers().map(|at| ends(at).map(|(_, to)| group_of(to)).collect()).collect();
        let (mut starts, mut links) = (vec![0], Vec::new());
        for at in routers() {
            let own = group_of(at);
            let mut towards = vec![Vec::new(); groups];
            let mut near = BTreeSet::new();
            for (link, to) in ends(at) {
                towards[group_of(to)].push(link);
                if group_of(to) == own {
                    near.insert(to);
                }
            }
            if near.len() + 1 < sizes[own] {
                let apart =
                    routers().find(|it| *it != at && group_of(*it) == own && !near.contains(it));
                let what = format!(
                    "hierarchical routing needs fully joined groups, and no link leads from {} to {}",
                    network.router_name(at),
                    network.router_name(apart.unwrap_or(at))
                );
                return Misfit::because(what, OTHERS);
            }
            for (link, to) in ends(at).filter(|&(_, to)| group_of(to) == own) {
                for &other in joined[to.index()].difference(&joined[at.index()]) {
                    towards[other].push(link);
                }
            }
            if let Some(other) =
                (0..groups).find(|&other| other != own && towards[other].is_empty())
            {
                let what = format!(
                    "no route of a local and a global link leads from {} to group {}",
                    network.router_name(at),
                    network.group_name(other as u16)
                );
                return Misfit::because(what, OTHERS);
            }
            for towards in towards {
                links.extend(towards);
                starts.push(links.len() as u32);
            }
        }
        Ok(Self { groups, group, starts, links })
    }

    fn towards(&self, at: RouterId, group: u16) -> &[ChannelId] {
        let row = at.index() * self.groups + usize::from(group);
        &self.links[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

impl Algorithm for Global {
    const NAME: &'static str = Hierarchical::NAME;
    const HELP: &'static str = Hierarchical::HELP;
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;
    const READS_SOURCE: bool = false;
    const READS_ARRIVAL: bool = true;

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(Needs::new(2, "one class before the global link, one after"))
    }

    fn candidates(&self, step: Step<'_>) {
        let (at, destination) = (step.at, step.header.destination);
        if at == destination {
            return;
        }
        let group = |at: RouterId| self.group[at.index()];
        let network = step.network();
        let leaves = |link: ChannelId| {
            let link = network.channel(link);
            group(link.from) != group(link.to)
        };
        let crossed = step.came.is_some_and(|came| leaves(came.channel()));
        for &channel in self.towards(at, group(destination)) {
            if group(at) != group(destination) || network.channel(channel).to == destination {
                let class = usize::from(crossed || leaves(channel));
                step.found.push(Candidate { channel, vcs: step.on.class_vcs[class] });
            }
        }
    }
}
