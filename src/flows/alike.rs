//! Flows of symmetric traffic on vertex-symmetric networks: one destination represents all.
//!
//! On tori and hypercubes every node can be translated to every other node. If the channels offered
//! depend only on the remaining route, the flows to one destination, translated to each node, are
//! the flows to all destinations: a channel carries as much as all channels of its direction carry
//! to one destination.

use super::demand::{Demand, all_nodes_alike};
use super::ways::{Explorer, Group, Ways};
use super::{Sums, TooLarge};
use crate::ids::{ChannelId, RouterId};
use crate::system::System;
use crate::topology::cube::Cube;

/// The messages of all nodes to node 0.
#[derive(Debug)]
pub struct Alike {
    starts: Vec<(RouterId, f64)>,
}

impl Alike {
    /// The demand of a system with equivalent nodes, routes that depend on the remaining distance,
    /// and more than a minimum of nodes: small networks distinguish the classes of VCs instead.
    pub fn of(system: &System, demand: &Demand) -> Option<Self> {
        let (network, relation) = (&system.network, &system.relation);
        let symmetric = demand.even > 0.0 || demand.by_distance.is_some();
        let alike = all_nodes_alike(network) && relation.goes_by_offset();
        if !symmetric
            || !alike
            || !demand.rates.all_alike()
            || (relation.goes_straight() && demand.by_distance.is_none())
        {
            return None;
        }
        let cube = network.cube()?;
        let each = demand.even_each(network.nodes());
        let by_distance = demand.by_distance.as_ref();
        let starts = (1..network.routers()).map(RouterId::new).map(|from| {
            let local = by_distance.map_or(0.0, |shares| shares[opposite(cube, from).index()]);
            (from, each + local)
        });
        Some(Self { starts: starts.filter(|&(_, share)| share > 0.0).collect() })
    }

    /// The groups of messages to node 0.
    pub fn groups(&self, system: &System) -> Vec<Group> {
        let to = RouterId(0);
        let outcomes: Vec<u64> = system.relation.outcomes(None, to).collect();
        let weight = 1.0 / outcomes.len() as f64;
        let starts: Vec<_> = self.starts.iter().map(|&(at, share)| (at, share * weight)).collect();
        let group = |route_bits| Group { to, from: None, route_bits, starts: starts.clone() };
        outcomes.into_iter().map(group).collect()
    }

    /// Adds the flows to all nodes.
    pub(super) fn add(&self, system: &System, sums: &mut Sums) -> Result<(), TooLarge> {
        let cube = system.network.cube().expect("equivalent nodes belong to a cube");
        let mut by_direction = vec![super::Flow::default(); 2 * cube.dimensions()];
        let mut explorer = Explorer::new(system);
        let mut ways = Ways::default();
        for group in self.groups(system) {
            ways.clear();
            explorer.explore(&group, &mut ways)?;
            sums.chosen |= ways.has_choices();
            ways.spread(|link, share, last| {
                let (dimension, sign) = cube.direction(link.channel);
                by_direction[2 * dimension + sign as usize].add(share, last);
            });
        }
        // A hypercube has one direction per dimension at every router.
        let bits = cube.is_hypercube();
        let class = sums.class(u32::MAX);
        for (channel, flow) in class.channels[..system.network.links()].iter_mut().enumerate() {
            let (dimension, sign) = cube.direction(ChannelId::new(channel));
            let [plus, minus] = [by_direction[2 * dimension], by_direction[2 * dimension + 1]];
            let one = by_direction[2 * dimension + sign as usize];
            let of = |both: f64, one: f64| if bits { both } else { one };
            flow.through += of(plus.through + minus.through, one.through);
            flow.last += of(plus.last + minus.last, one.last);
        }
        Ok(())
    }
}

/// The reflection of a router: the router at the same distance from router 0 on the opposite side.
fn opposite(cube: &Cube, router: RouterId) -> RouterId {
    let turned = cube.coordinates(router).iter().zip(cube.radix());
    let turned: Vec<u32> = turned.map(|(&x, &k)| (k - u32::from(x)) % k).collect();
    cube.router_at(&turned).expect("coordinates below the radix")
}
