//! A routing rule prepared for one network and number of VCs.

use std::sync::Arc;

use super::algorithms::Routing;
use super::fields::HalfWay;
use super::head::{CLASSES_MAX, Candidate, ClassVcs, Header, Straight, TIE_BITS, VcUse};
use super::legs::Legs;
use super::prepared::Prepared;
use super::source_routes::{Routes, Search};
use super::steps::{Position, Step};
use crate::ids::{ChannelId, NodeId, RouterId};
use crate::topology::Network;

/// The half of the random bits that is left alone when a route is settled: it still tells messages
/// apart.
const REST: u64 = u32::MAX as u64;

/// A routing rule prepared for one network and number of VCs.
///
/// VCs beyond the number needed are shared out over the classes of the rule, each class holding VCs
/// next to each other; what does not come out even goes to the lowest classes. Those of adaptive
/// routing become adaptive.
#[derive(Clone, Debug)]
pub struct Relation {
    routing: Routing,
    half_way: HalfWay,
    on: Prepared,
    /// Where the outcomes are few: what it offers first.
    legs: Option<Arc<Legs>>,
    /// How many classes there are.
    classes: usize,
    virtual_channels: u32,
}

impl Relation {
    /// Prepares `routing`, ties between ways drawn ([`HalfWay::Random`]). The rule must be defined
    /// on the network ([`Routing::defined_on`]), its routes listable
    /// ([`Search::routes`]), and the number of VCs serve it
    /// ([`Routing::virtual_channels_needed`]).
    pub fn new(routing: Routing, network: Arc<Network>, virtual_channels: u32) -> Self {
        let list = |search: Search| search.routes(&network).expect("the routes can be listed");
        let routes = routing.search().map(|search| Arc::new(list(search)));
        let needed = if let Some(cube) = network.grid() {
            assert!(routing.defined_on(cube.family(), cube.radix()).is_ok());
            routing.virtual_channels_needed(cube.family(), cube.radix()).needed
        } else {
            assert!(routes.is_some(), "a checked configuration routes by links or coordinates");
            1
        };
        assert!((needed..=CLASSES_MAX as u32).contains(&virtual_channels));
        let adaptive = matches!(routing.class_use(0), VcUse::Escape(_));
        let classes = needed - u32::from(adaptive);
        let class_vcs = share_out(classes, if adaptive { classes } else { virtual_channels });
        let adaptive_vcs = class_vcs.iter().fold(first(virtual_channels), |left, vcs| left & !vcs);
        let (both_ways, bits) = (false, u64::MAX);
        let on = Prepared { network, class_vcs, adaptive_vcs, both_ways, bits, routes };
        let (half_way, classes) = (HalfWay::Random, classes as usize);
        Self { routing, half_way, on, legs: None, classes, virtual_channels }.with_legs()
    }

    /// The same rule with another way to decide between ways equally long.
    /// [`HalfWay::Adaptive`] needs a rule that may choose ([`Routing::may_choose_ways`]).
    #[must_use]
    pub fn with_half_way(mut self, half_way: HalfWay) -> Self {
        assert!(half_way != HalfWay::Adaptive || self.routing.may_choose_ways());
        self.half_way = half_way;
        self.on.both_ways = half_way == HalfWay::Adaptive;
        self.on.bits = if half_way == HalfWay::Positive { !TIE_BITS } else { u64::MAX };
        self.with_legs()
    }

    fn with_legs(mut self) -> Self {
        self.legs = None;
        if let Some(cube) = self.on.network.grid()
            && self.routing.first_by_coordinates(cube.wraps())
        {
            let legs = Legs::of(cube, |at, header| self.first_by_rule(at, header));
            self.legs = legs.map(Arc::new);
        }
        self
    }

    /// The rule.
    pub fn routing(&self) -> Routing {
        self.routing
    }

    /// How it decides between ways equally long.
    pub fn half_way(&self) -> HalfWay {
        self.half_way
    }

    /// VCs per channel.
    pub fn virtual_channels(&self) -> u32 {
        self.virtual_channels
    }

    /// The VCs of the escape sub-function; 0 where the rule has none.
    pub fn escape_vcs(&self) -> u32 {
        let adaptive = self.on.adaptive_vcs;
        if adaptive == 0 { 0 } else { first(self.virtual_channels) & !adaptive }
    }

    /// What VC `v` of every channel is used for.
    pub fn vc_use(&self, v: u32) -> VcUse {
        let bit = 1u32 << v;
        if self.on.adaptive_vcs & bit != 0 {
            return VcUse::Adaptive;
        }
        let class = self.on.class_vcs.iter().position(|vcs| vcs & bit != 0).unwrap_or(0) as u8;
        let used = self.routing.class_use(class);
        if self.classes == 1 && used == VcUse::Class(0) { VcUse::Open } else { used }
    }

    /// Fills `candidates` with what a head at router `at` may take, in order of preference: first
    /// channel first, within a channel the lowest free VC. Empty exactly at the destination.
    #[inline]
    pub fn candidates(&self, at: RouterId, header: &Header, candidates: &mut Vec<Candidate>) {
        candidates.clear();
        match self.on.network.grid() {
            Some(cube) => {
                let (on, found) = (&self.on, candidates);
                let head = Position { on, cube, at, header };
                self.routing.candidates(Step { head, found });
            }
            // Without coordinates all rules follow routes.
            None => self.on.follow(at, header, candidates),
        }
    }

    /// Whether, on tori and hypercubes, the channels offered depend only on the way that is left: not
    /// on where the head is, nor on where the message started.
    pub fn goes_by_offset(&self) -> bool {
        self.on.network.grid().is_some() && self.routing.goes_by_offset()
    }

    /// The VCs that messages may take on source routes.
    pub fn route_vcs(&self) -> u32 {
        self.on.class_vcs[0]
    }

    /// Whether heads have one candidate anywhere, which [`Self::straight`] tells.
    pub fn goes_straight(&self) -> bool {
        self.on.network.grid().is_some() && self.routing.goes_straight()
    }

    /// What the rule offers first to a head that is not at its destination.
    #[inline]
    pub fn first(&self, at: RouterId, header: &Header) -> Straight {
        match &self.legs {
            Some(legs) => legs.first(&self.on, at, header),
            None => self.first_by_rule(at, header),
        }
    }

    /// Whether [`Self::first`] looks it up.
    #[inline]
    pub fn lists_first(&self) -> bool {
        self.legs.is_some()
    }

    #[inline(never)]
    fn first_by_rule(&self, at: RouterId, header: &Header) -> Straight {
        if self.goes_straight() {
            return self.straight(at, header);
        }
        let mut candidates = Vec::new();
        self.candidates(at, header, &mut candidates);
        let Candidate { channel, vcs } = candidates[0];
        let (dimension, sign) = self.on.cube().direction(channel);
        Straight { channel, vcs, port: 2 * dimension as u16 + sign as u16, more: 0 }
    }

    /// The one candidate of a head that is not at its destination, where the rule
    /// [goes straight](Self::goes_straight).
    #[inline]
    pub fn straight(&self, at: RouterId, header: &Header) -> Straight {
        let (on, cube) = (&self.on, self.on.cube());
        let head = Position { on, cube, at, header };
        self.routing.straight(head).expect("it is not at its destination")
    }

    /// The channel at a port of a router ([`Straight::port`]).
    #[inline]
    pub fn at_port(&self, at: RouterId, port: u16) -> ChannelId {
        self.on.cube().by_port(at, port)
    }

    /// The routes of source routing, where the rule has a table of them.
    pub fn routes(&self) -> Option<&Routes> {
        self.on.routes.as_deref()
    }

    /// Whether the candidates depend on where the message started.
    pub fn reads_source(&self) -> bool {
        self.routing.reads_source(self.on.network.wraps())
    }

    /// The header of a message from one terminal to another, whose private random bits are `route_bits`.
    /// Where the terminals settle the route ([`Paths::Host`](super::Paths::Host)), the header's bits
    /// name it.
    #[inline]
    pub fn header(&self, source: NodeId, destination: NodeId, route_bits: u64) -> Header {
        let network = &self.on.network;
        let (from, to) = (network.router_of(source), network.router_of(destination));
        let route_bits = match &self.on.routes {
            Some(routes) if routes.settled_by_hosts() => {
                let seats = network.seat(source) + network.seat(destination);
                routes.bits_for(from, to, seats % routes.count(from, to)) | route_bits & REST
            }
            Some(_) | None => route_bits,
        };
        Header { source: from, destination: to, route_bits }
    }

    /// The random bits of messages between two terminals that make a difference, a number for each
    /// outcome; all are equally likely.
    pub fn ways(&self, source: NodeId, destination: NodeId) -> Vec<u64> {
        let Header { source: from, destination: to, route_bits } =
            self.header(source, destination, 0);
        match self.routes() {
            Some(routes) if routes.settled_by_hosts() => vec![route_bits],
            Some(_) | None => self.outcomes(Some(from), to).collect(),
        }
    }

    /// The random bits of messages to `destination` that make a difference, a number for each
    /// outcome: of those that started at `source`, or of any.
    pub fn outcomes(
        &self,
        source: Option<RouterId>,
        destination: RouterId,
    ) -> impl Iterator<Item = u64> + use<'_> {
        let routed = self.routes().zip(source);
        let count = routed.map_or(0, |(routes, source)| routes.count(source, destination));
        let named = (0..count).filter_map(move |route| {
            routed.map(|(routes, source)| routes.bits_for(source, destination, route))
        });
        let bits = self.bits_read(source, destination);
        named.chain(subsets(bits).filter(move |_| routed.is_none()))
    }

    /// The random bits that can change where a message to `destination` may go: those of one that
    /// started at `source`, or of any. None where a table lists the routes: there they name one
    /// together ([`Self::outcomes`]).
    pub fn bits_read(&self, source: Option<RouterId>, destination: RouterId) -> u64 {
        if self.on.routes.is_some() {
            return 0;
        }
        self.routing.bits_read(&self.on, source, destination) & self.on.bits
    }
}

/// The first `count` VCs.
fn first(count: u32) -> u32 {
    ((1u64 << count) - 1) as u32
}

/// Shares `virtual_channels` out over `classes`, in runs of neighbours, the lowest classes first.
fn share_out(classes: u32, virtual_channels: u32) -> ClassVcs {
    let mut shared = [0; CLASSES_MAX];
    let mut given = 0;
    for class in 0..classes {
        let (each, more) = (virtual_channels / classes, virtual_channels % classes);
        let count = each + u32::from(class < more);
        shared[class as usize] = first(given + count) & !first(given);
        given += count;
    }
    shared
}

/// Every subset of a set of bits, the empty one first.
fn subsets(bits: u64) -> impl Iterator<Item = u64> {
    let next = move |now: &u64| Some(now.wrapping_sub(bits) & bits).filter(|&after| after != 0);
    std::iter::successors(Some(0u64), next)
}

#[cfg(test)]
mod tests;
