//! Layered routing on any graph (after LASH, T. Skeie, O. Lysne and I. Theiss 2002, and DFSSSP,
//! J. Domke, T. Hoefler and W. Nagel 2011): routes for every pair of routers, as many as they have
//! hosts up to four, through layers of VCs that each have an order of the channels.
//!
//! A route follows the order of its layer and may continue in a higher layer, so no cycle of
//! dependencies can close. Among the shortest of these routes, the routes of all pairs are balanced;
//! where an even use of all of them is better, all of them are listed.

use crate::ids::ChannelId;
use crate::routing::algorithm::prelude::*;
use crate::routing::balance::{Apart, Balance};
use crate::routing::fields::Layers;
use crate::routing::layers::orders;
use crate::routing::reach::Reach;
use crate::routing::route_search::refuse_large;
use crate::routing::source_routes::Hop;

/// Layered routing.
#[derive(Clone, Copy, Debug)]
pub struct Layered {
    /// The number of layers, each with a class of VCs.
    pub layers: Layers,
}

impl Algorithm for Layered {
    const NAME: &'static str = "layered";
    const HELP: &'static str = "Follows balanced routes, which are short with more layers of VCs, \
                                on any network.";
    const MINIMAL: bool = false;

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(Needs::new(self.layers.0, "each layer has a class of VCs"))
    }

    fn routes(&self, network: &Network) -> Option<Result<Routes, Misfit>> {
        Some(self.synthesized(network))
    }

    fn around(&self) -> Option<Around> {
        Some(Around::Layers(self.layers))
    }

    #[inline]
    fn candidates(&self, step: Step<'_>) {
        step.on.follow(step.at, step.header, step.found);
    }
}

/// Layers in which a route may start.
const STARTS_MAX: u8 = 8;

impl Layered {
    /// The routes on a network.
    ///
    /// # Errors
    /// The reason why there are too many, or none between some pair.
    pub fn synthesized(self, network: &Network) -> Result<Routes, Misfit> {
        refuse_large(network, Self::NAME)?;
        let orders = orders(network, self.layers.0 as usize);
        let balance = match Balance::new(network, &orders) {
            Ok(balance) => balance,
            Err(Apart(from, to)) => return self.apart(network, from, to),
        };
        let mut uses = vec![0u64; network.links() * orders.len()];
        let mut routes = Routes::none(network.routers());
        let (mut layers, mut hops) = (Vec::new(), Vec::new());
        balance.each(&orders, |reach, [source, to], route, share| {
            self.layer(reach, route, &mut uses, share, &mut layers);
            hops.clear();
            hops.extend(route.iter().zip(&layers).map(|(&channel, &class)| Hop {
                from: network.channel(channel).from,
                channel,
                class,
            }));
            routes.add(source, to, &hops);
        });
        if routes.is_full() {
            let what = format!("the routes of {} are too long for a list", Self::NAME);
            return Misfit::because(what, "make the network smaller");
        }
        Ok(routes)
    }

    /// Fills `layers` with the layers of a route, among those possible the least used.
    fn layer(
        self,
        reach: &Reach<'_>,
        route: &[ChannelId],
        uses: &mut [u64],
        share: u64,
        layers: &mut Vec<u8>,
    ) {
        let all = self.layers.0 as usize;
        let vc = |(&link, &layer): (&ChannelId, &u8)| link.index() * all + usize::from(layer);
        let (mut lowest, mut tried) = (u64::MAX, Vec::new());
        for first in 0..STARTS_MAX {
            if reach.layers(route, first, &mut tried) {
                let used = route.iter().zip(&tried).map(|hop| uses[vc(hop)]).sum::<u64>();
                if used < lowest {
                    lowest = used;
                    layers.clone_from(&tried);
                }
            }
        }
        route.iter().zip(&*layers).for_each(|hop| uses[vc(hop)] += share);
    }

    fn apart(self, network: &Network, from: RouterId, to: RouterId) -> Result<Routes, Misfit> {
        let what = format!(
            "{} finds no order of the channels with which {} reaches {} in {} layer",
            Self::NAME,
            network.router_name(from),
            network.router_name(to),
            self.layers.0
        );
        Misfit::because(what, "write `layers: 2`")
    }
}
