//! Hierarchical routing on groups of fully joined routers, such as dragonflies (J. Kim, W. J. Dally,
//! S. Scott and D. Abts 2008): a local link to the router with a global link to the destination's
//! group, this global link, and a local link to the destination.
//!
//! The route is minimal in groups, not always in hops. Class 0 is used before the global link and
//! class 1 from this link on, so no cycle of dependencies can close.

use std::sync::Arc;

use crate::ids::ChannelId;
use crate::routing::algorithm::prelude::*;
use crate::topology::Network;

/// Hierarchical routing.
#[derive(Clone, Copy, Debug)]
pub struct Hierarchical;

impl Algorithm for Hierarchical {
    const NAME: &'static str = "hierarchical";
    const HELP: &'static str = "Leaves the group by a global link to the destination's group.";
    const MINIMAL: bool = false;
    const CHOOSES: bool = true;

    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        Global::new(network).map(|_| Needs::new(2, "one class before the global link, one after"))
    }

    fn on(&self, network: &Network) -> Option<OnNetwork> {
        let global = Global::new(network).expect("a rule runs on networks that it serves");
        Some(Arc::new(global))
    }
}

/// The links to other groups, for every router.
#[derive(Debug)]
struct Global {
    groups: usize,
    /// The group of every router.
    group: Vec<u16>,
    /// The links from router `r` towards group `g`, its own or those to a router with such a link,
    /// are `links[starts[r × groups + g]..]`.
    starts: Vec<u32>,
    links: Vec<ChannelId>,
}

impl Global {
    fn new(network: &Network) -> Result<Self, Misfit> {
        let Some(labels) = network.labels().filter(|labels| labels.levels().len() == 2) else {
            return Misfit::because(
                "hierarchical routing needs routers with a group and a number, and this network \
                 has none",
                "make the network a `Dragonfly`, or write `Minimal()`",
            );
        };
        let group: Vec<u16> =
            (0..network.routers()).map(|at| labels.of(RouterId::new(at))[0]).collect();
        let groups = labels.levels()[0].size as usize;
        let group_of = |at: RouterId| usize::from(group[at.index()]);
        let (mut starts, mut links) = (vec![0], Vec::new());
        for at in (0..network.routers()).map(RouterId::new) {
            let outputs = network.outputs(at);
            let to = |link: ChannelId| network.channel(link).to;
            for other in 0..groups {
                let begun = links.len();
                let leads = |at: RouterId| {
                    move |&&link: &&ChannelId| group_of(to(link)) == other && at != to(link)
                };
                links.extend(outputs.iter().filter(leads(at)));
                if links.len() == begun && other != group_of(at) {
                    links.extend(outputs.iter().filter(|&&link| {
                        let near = to(link);
                        group_of(near) == group_of(at)
                            && network.outputs(near).iter().any(|link| leads(near)(&link))
                    }));
                }
                if links.len() == begun && other != group_of(at) {
                    let what = format!(
                        "no route of a local and a global link leads from {} to group {other}",
                        network.router_name(at)
                    );
                    return Misfit::because(what, "write `Minimal()` or `UpDown()`");
                }
                starts.push(links.len() as u32);
            }
        }
        let mut joined = vec![false; network.routers()];
        for at in (0..network.routers()).map(RouterId::new) {
            joined.fill(false);
            network.neighbours(at).for_each(|near| joined[near.index()] = true);
            let mut group = (0..network.routers())
                .map(RouterId::new)
                .filter(|&it| it != at && group_of(it) == group_of(at));
            if let Some(apart) = group.find(|it| !joined[it.index()]) {
                let what = format!(
                    "hierarchical routing needs fully joined groups, and no link leads from {} to {}",
                    network.router_name(at),
                    network.router_name(apart)
                );
                return Misfit::because(what, "write `Minimal()` or `UpDown()`");
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

    fn bits_read(&self, _: &Prepared, _: Option<RouterId>, _: RouterId) -> u64 {
        0
    }

    fn candidates(&self, step: Step<'_>) {
        let Header { source, destination, .. } = *step.header;
        if step.at == destination {
            return;
        }
        let [start, here, there] = [source, step.at, destination].map(|at| self.group[at.index()]);
        for &channel in self.towards(step.at, there) {
            let to = step.network().channel(channel).to;
            if here != there || to == destination {
                let crossed = start != there && self.group[to.index()] == there;
                let vcs = step.on.class_vcs[usize::from(crossed)];
                step.found.push(Candidate { channel, vcs });
            }
        }
    }
}
