//! A routing rule prepared for one network and number of VCs.

mod failures;
mod message_classes;

use std::sync::Arc;

use super::algorithms::Routing;
use super::fields::{HalfWay, Threshold};
use super::head::{
    CLASSES_MAX, Candidate, Header, Stop, Straight, TIE_BITS, VcUse, first, share_out,
};
use super::legs::Legs;
use super::placement::Placement;
use super::prepared::Prepared;
use super::rule::{Needs, Rule};
use super::source_routes::{Choice, Routes};
use crate::ids::{ChannelId, NodeId, RouterId};
use crate::topology::Network;

/// The half of the random bits preserved when a route is fixed, to distinguish messages.
const REST: u64 = u32::MAX as u64;

/// A routing rule prepared for one network and number of VCs.
///
/// VCs beyond the number needed are distributed over the classes of the rule, in adjacent VCs per
/// class; a remainder is assigned to the lowest classes. With adaptive routing additional VCs are
/// adaptive.
#[derive(Clone, Debug)]
pub struct Relation {
    routing: Routing,
    rule: Arc<dyn Rule>,
    reads_arrival: bool,
    /// The highest count carried by heads.
    count_max: u8,
    goes_straight: bool,
    half_way: HalfWay,
    on: Prepared,
    /// Table of first candidates, if small.
    legs: Option<Arc<Legs>>,
    /// The number of classes, of all message classes together.
    classes: usize,
    /// The VCs of each message class; empty if all share them.
    message_vcs: Vec<u32>,
    virtual_channels: u32,
}

impl Relation {
    /// Prepares `routing`, with random ties between ways ([`HalfWay::Random`]). The rule must be
    /// defined on the network ([`Routing::on`]) with this number of VCs.
    #[expect(clippy::needless_pass_by_value, reason = "callers have no further use for the rule")]
    pub fn new(routing: Routing, network: Arc<Network>, virtual_channels: u32) -> Self {
        let placement = routing.on(&network).expect("a checked rule serves its network");
        Self::of(placement, network, virtual_channels)
    }

    /// Prepares a rule under the name of `routing`.
    #[cfg(test)]
    pub(super) fn by(
        rule: Arc<dyn Rule>,
        routing: Routing,
        network: Arc<Network>,
        virtual_channels: u32,
    ) -> Self {
        let placement = Placement::new(routing, rule, &network).expect("a rule that serves");
        Self::of(placement, network, virtual_channels)
    }

    /// Prepares a rule with its tables for the links of this network and a sufficient number of
    /// VCs.
    pub fn of(placement: Placement, network: Arc<Network>, virtual_channels: u32) -> Self {
        let Placement { routing, needs: Needs { needed, .. }, rule, routes } = placement;
        let reads_arrival = rule.reads_arrival();
        let goes_straight = network.grid().is_some() && rule.goes_straight();
        assert!(!reads_arrival || !goes_straight && !rule.goes_by_offset());
        let count_max = rule.count_max();
        assert!(count_max == 0 || reads_arrival);
        assert!((needed..=CLASSES_MAX as u32).contains(&virtual_channels));
        let adaptive = matches!(rule.class_use(0), VcUse::Escape(_));
        let classes = needed - u32::from(adaptive);
        let class_vcs = share_out(classes, if adaptive { classes } else { virtual_channels });
        let adaptive_vcs = class_vcs.iter().fold(first(virtual_channels), |left, vcs| left & !vcs);
        let line_vcs = class_vcs.iter().fold(0, |all, vcs| all | vcs);
        let (both_ways, bits) = (false, u64::MAX);
        let on = Prepared { network, class_vcs, adaptive_vcs, line_vcs, both_ways, bits, routes };
        let (half_way, classes) = (HalfWay::Random, classes as usize);
        Self {
            routing,
            rule,
            reads_arrival,
            count_max,
            goes_straight,
            half_way,
            on,
            legs: None,
            classes,
            message_vcs: Vec::new(),
            virtual_channels,
        }
        .prepared()
    }

    /// Replaces the choice between equally long ways. [`HalfWay::Adaptive`] needs a rule with such
    /// a choice ([`Routing::may_choose_ways`]).
    #[must_use]
    pub fn with_half_way(mut self, half_way: HalfWay) -> Self {
        assert!(half_way != HalfWay::Adaptive || self.routing.may_choose_ways());
        self.half_way = half_way;
        self.on.both_ways = half_way == HalfWay::Adaptive;
        self.on.bits = if half_way == HalfWay::Positive { !TIE_BITS } else { u64::MAX };
        self.prepared()
    }

    /// Prepares the tables of the rule and of first candidates.
    fn prepared(mut self) -> Self {
        self.legs = None;
        if let Some(rule) = self.rule.prepared(&self.on) {
            self.rule = rule;
        }
        if let Some(cube) = self.on.network.grid()
            && self.rule.first_by_coordinates(cube.wraps())
        {
            let legs = Legs::of(cube, |at, header| self.first_by_rule(at, header));
            self.legs = legs.map(Arc::new);
        }
        self
    }

    /// The rule.
    pub fn routing(&self) -> &Routing {
        &self.routing
    }

    /// The choice between equally long ways.
    pub fn half_way(&self) -> HalfWay {
        self.half_way
    }

    /// VCs per channel.
    pub fn virtual_channels(&self) -> u32 {
        self.virtual_channels
    }

    /// The VCs of the escape sub-function; 0 without escape VCs.
    pub fn escape_vcs(&self) -> u32 {
        let adaptive = self.on.adaptive_vcs;
        if adaptive == 0 { 0 } else { first(self.virtual_channels) & !adaptive }
    }

    /// The use of VC `v` of every channel.
    pub fn vc_use(&self, v: u32) -> VcUse {
        let bit = 1u32 << v;
        if self.on.adaptive_vcs & bit != 0 {
            return VcUse::Adaptive;
        }
        let class = self.on.class_vcs.iter().position(|vcs| vcs & bit != 0).unwrap_or(0) as u8;
        let used = self.rule.class_use(class);
        if self.classes == usize::from(self.message_classes()) && used == VcUse::Class(0) {
            VcUse::Open
        } else {
            used
        }
    }

    /// Fills `candidates` for a head at `stop`, in order of preference: channels in order, within a
    /// channel the lowest free VC. Empty only at the destination.
    #[inline]
    pub fn candidates(&self, stop: Stop, header: &Header, candidates: &mut Vec<Candidate>) {
        candidates.clear();
        self.rule.candidates(&self.on, stop, header, candidates);
    }

    /// True if, on tori and hypercubes, the channels offered depend only on the remaining route,
    /// and neither on the head's position nor on the source.
    pub fn goes_by_offset(&self) -> bool {
        self.on.network.grid().is_some() && self.rule.goes_by_offset()
    }

    /// The VCs of a class, as a mask.
    pub fn class_vcs(&self, class: u8) -> u32 {
        self.on.class_vcs[usize::from(class)]
    }

    /// The class of a VC.
    pub fn class_of(&self, vc: u32) -> u8 {
        self.on.class_of(vc) as u8
    }

    /// True if every head has a single candidate: see [`Self::straight`].
    #[inline]
    pub fn goes_straight(&self) -> bool {
        self.goes_straight
    }

    /// The first candidate of a head not at its destination.
    #[inline]
    pub fn first(&self, at: RouterId, header: &Header) -> Straight {
        match &self.legs {
            Some(legs) => legs.first(&self.on, at, header),
            None => self.first_by_rule(at, header),
        }
    }

    /// True if [`Self::first`] reads a table.
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
        self.candidates(Stop::start(at), header, &mut candidates);
        let Candidate { channel, vcs } = candidates[0];
        let (dimension, sign) = self.on.cube().direction(channel);
        Straight { channel, vcs, port: 2 * dimension as u16 + sign as u16, more: 0 }
    }

    /// The single candidate of a head not at its destination, if the rule [has
    /// one](Self::goes_straight).
    #[inline]
    pub fn straight(&self, at: RouterId, header: &Header) -> Straight {
        self.rule.straight(&self.on, at, header)
    }

    /// The channel at a port of a router ([`Straight::port`]).
    #[inline]
    pub fn at_port(&self, at: RouterId, port: u16) -> ChannelId {
        self.on.cube().by_port(at, port)
    }

    /// The routes of source routing, if the rule has a table.
    pub fn routes(&self) -> Option<&Routes> {
        self.on.routes.as_deref()
    }

    /// True if the candidates depend on the message's source.
    pub fn reads_source(&self) -> bool {
        self.rule.reads_source(self.on.network.wraps())
    }

    /// The header of a message between two terminals, with private random bits `route_bits`. If the
    /// terminals determine the route ([`Paths::Host`](super::Paths::Host)), the header's bits
    /// select this route.
    #[inline]
    pub fn header(&self, source: NodeId, destination: NodeId, route_bits: u64) -> Header {
        let network = &self.on.network;
        let (from, to) = (network.router_of(source), network.router_of(destination));
        let Some(routes) = &self.on.routes else {
            return Header::new(from, to, route_bits);
        };
        let seats = [source, destination].map(|node| network.seat(node));
        let route_bits = match routes.settled([from, to], seats) {
            Some(route) => routes.bits_for(from, to, route) | route_bits & REST,
            None => route_bits,
        };
        Header::new(from, to, route_bits)
    }

    /// All relevant values of the random bits of messages between two terminals, equally likely.
    pub fn ways(&self, source: NodeId, destination: NodeId) -> Vec<u64> {
        let Header { source: from, destination: to, route_bits, .. } =
            self.header(source, destination, 0);
        let settled = self.routes().is_some_and(|routes| routes.choice() != Choice::Drawn);
        if settled || from == to {
            return vec![route_bits];
        }
        self.outcomes(Some(from), to).collect()
    }

    /// All relevant values of the random bits of messages to `destination`, from `source` or from
    /// any source.
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
        let drawn = match self.on.routes {
            Some(_) => Vec::new(),
            None => self.rule.outcomes(&self.on, source, destination),
        };
        named.chain(drawn)
    }

    /// The two parts of routes by way of any router with hosts, each as a relation of its own with the
    /// same VCs; `None` for other rules, and if the inner rule depends on the source.
    pub fn parts(&self) -> Option<[Self; 2]> {
        let wraps = self.on.network.wraps();
        let parts = self.rule.parts()?;
        let is_plain = |rule: &Arc<dyn Rule>| !rule.reads_source(wraps);
        let of = |rule: Arc<dyn Rule>| Self {
            reads_arrival: rule.reads_arrival(),
            count_max: rule.count_max(),
            rule,
            goes_straight: false,
            legs: None,
            ..self.clone()
        };
        parts.iter().all(is_plain).then(|| parts.map(of))
    }

    /// The random bits read by messages between two routers.
    pub(super) fn bits_read(&self, source: RouterId, destination: RouterId) -> u64 {
        self.rule.bits_read(&self.on, Some(source), destination) & self.on.bits
    }

    /// The threshold of a choice at the source, by the queues there, between a direct route and a
    /// detour, and the VCs of the direct route.
    pub fn selects_by_queues(&self) -> Option<(Threshold, u32)> {
        let each = (self.classes / usize::from(self.message_classes())).max(1);
        let of_classes = self.on.class_vcs[..self.classes].chunks(each);
        let direct = of_classes.flat_map(|vcs| &vcs[each / 2..]).fold(0, |all, vcs| all | vcs);
        Some((self.rule.selects_by_queues()?, direct))
    }
}

mod stops;
#[cfg(test)]
mod tests;
