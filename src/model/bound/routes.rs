//! Routes of all messages as sequences of VCs requested by their heads.

use std::collections::HashMap;

use crate::flows::routes::for_each_route;
use crate::ids::{ChannelId, NodeId};
use crate::model::{Unsolved, cancellation};
use crate::routing::Candidate;
use crate::system::System;

/// The VCs of a channel requested by some head; VCs that are alternatives of each other form one
/// resource.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Resource {
    pub channel: ChannelId,
    /// The VCs, as a mask.
    pub vcs: u32,
    /// Minimum number of VCs available to a head requesting this resource.
    pub choice: u32,
    /// The sources of messages that request the resource, in order.
    pub sources: Vec<u32>,
}

/// A route from a source to a destination.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Route {
    pub source: NodeId,
    pub destination: NodeId,
    /// The requests of the head, hop by hop: numbers of resources.
    pub hops: Vec<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Routes {
    pub resources: Vec<Resource>,
    /// Ordered by source.
    pub all: Vec<Route>,
    /// The resources, each before the resources that a worm holding it may request later; `None` if
    /// worms may wait for each other in a cycle.
    pub order: Option<Vec<u32>>,
}

impl Routes {
    /// Follows all routes of a system; an error if heads have a choice of channels.
    pub fn of(system: &System) -> Result<Self, Unsolved> {
        let mut ways = Vec::new();
        for_each_route(system, |route| {
            cancellation::charge(1 + route.hops.len())?;
            if !route.hops.is_empty() {
                ways.push((route.source, route.destination, route.hops.to_vec()));
            }
            Ok::<_, Unsolved>(())
        })?;
        let mut routes = Self { resources: together(&ways), all: Vec::new(), order: None };
        let mut of_channel: HashMap<ChannelId, Vec<u32>> = HashMap::new();
        for (number, resource) in (0..).zip(&routes.resources) {
            of_channel.entry(resource.channel).or_default().push(number);
        }
        for (source, destination, hops) in ways {
            let resources = &mut routes.resources;
            let mut find = |hop: Candidate| {
                let here = of_channel[&hop.channel].iter();
                let found = here.copied().find(|&it| resources[it as usize].vcs & hop.vcs != 0);
                let number = found.expect("every hop belongs to a resource");
                let row = &mut resources[number as usize];
                row.choice = row.choice.min(hop.vcs.count_ones());
                if row.sources.last() != Some(&source.0) {
                    row.sources.push(source.0);
                }
                number
            };
            let hops = hops.into_iter().map(&mut find).collect();
            routes.all.push(Route { source, destination, hops });
        }
        routes.order = routes.sorted();
        Ok(routes)
    }

    /// The resources in the order of [`Self::order`] (Kahn).
    fn sorted(&self) -> Option<Vec<u32>> {
        let mut next = vec![Vec::new(); self.resources.len()];
        for route in &self.all {
            for pair in route.hops.windows(2) {
                next[pair[0] as usize].push(pair[1]);
            }
        }
        let mut before = vec![0u32; next.len()];
        for after in &mut next {
            after.sort_unstable();
            after.dedup();
            for &it in &*after {
                before[it as usize] += 1;
            }
        }
        let free = |before: &[u32], it: u32| before[it as usize] == 0;
        let mut order: Vec<u32> = (0..next.len() as u32).filter(|&it| free(&before, it)).collect();
        let mut at = 0;
        while at < order.len() {
            for &it in &next[order[at] as usize] {
                before[it as usize] -= 1;
                if free(&before, it) {
                    order.push(it);
                }
            }
            at += 1;
        }
        (order.len() == next.len()).then_some(order)
    }
}

/// The resources of these routes: masks of a channel that share a VC are merged.
fn together(ways: &[(NodeId, NodeId, Vec<Candidate>)]) -> Vec<Resource> {
    let mut masks: HashMap<ChannelId, Vec<u32>> = HashMap::new();
    for hop in ways.iter().flat_map(|(_, _, hops)| hops) {
        let here = masks.entry(hop.channel).or_default();
        if !here.contains(&hop.vcs) {
            let (joined, apart): (Vec<u32>, Vec<u32>) =
                here.iter().partition(|&&mask| mask & hop.vcs != 0);
            *here = apart;
            here.push(joined.into_iter().fold(hop.vcs, |all, mask| all | mask));
        }
    }
    let resource = |channel, vcs| Resource { channel, vcs, choice: u32::MAX, sources: Vec::new() };
    let mut all: Vec<Resource> = masks
        .into_iter()
        .flat_map(|(channel, masks)| masks.into_iter().map(move |vcs| resource(channel, vcs)))
        .collect();
    all.sort_unstable_by_key(|it| (it.channel, it.vcs));
    all
}
