//! Input and output of a routing decision: header and arrival of a head, and its candidates.

use std::num::NonZeroU32;

use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::DIMENSIONS_MAX;

/// Maximum number of VC classes of a rule.
pub const CLASSES_MAX: usize = 32;

/// The VCs of each class, as masks.
pub type ClassVcs = [u32; CLASSES_MAX];

/// The random bits that decide between equally long routes, one for each dimension.
pub(super) const TIE_BITS: u64 = (1 << DIMENSIONS_MAX) - 1;
/// The first random bit available for other choices of a rule.
pub(super) const OWN_BIT: usize = 32;

/// The part of a message used by routing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The number of the message class: requests and replies may have VCs of their own.
    pub message_class: u8,
    /// The source router.
    pub source: RouterId,
    /// The destination router.
    pub destination: RouterId,
    /// Private random bits: bit `d` selects the way round dimension `d` if both ways are equally
    /// long (0: positive); the meaning of bits 32 and up depends on the rule. With several source
    /// routes the bits select a route.
    pub route_bits: u64,
}

impl Header {
    /// The header of a message of the first message class.
    #[inline]
    pub const fn new(source: RouterId, destination: RouterId, route_bits: u64) -> Self {
        Self { message_class: 0, source, destination, route_bits }
    }
}

/// The virtual channel of a head's arrival at its router.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Arrival(NonZeroU32);

impl Arrival {
    /// The arrival by VC `vc` of `channel`, a link.
    #[inline]
    pub fn by(channel: ChannelId, vc: u32) -> Self {
        let number = channel.0 * CLASSES_MAX as u32 + vc;
        Self(NonZeroU32::MIN.saturating_add(number))
    }

    /// The link.
    #[inline]
    pub fn channel(self) -> ChannelId {
        ChannelId(self.number() / CLASSES_MAX as u32)
    }

    /// The VC's number in its channel.
    #[inline]
    pub fn vc(self) -> u32 {
        self.number() % CLASSES_MAX as u32
    }

    #[inline]
    fn number(self) -> u32 {
        self.0.get() - 1
    }
}

/// A position on a message's route, as distinguished by a routing rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stop {
    /// The router of the head.
    pub at: RouterId,
    /// The VC of the head's arrival, if the rule depends on the arrival; `None` also at the source.
    pub came: Option<Arrival>,
    /// The count carried by the head, if the rule limits hops of some kind
    /// ([`Algorithm::count_max`](super::Algorithm::count_max)); 0 at the source.
    pub count: u8,
}

impl Stop {
    /// The source's router, before the first hop.
    #[inline]
    pub const fn start(at: RouterId) -> Self {
        Self { at, came: None, count: 0 }
    }
}

/// VCs of one channel available to a head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub channel: ChannelId,
    /// Bit `v` is set if VC `v` is available; lower numbers are preferred.
    pub vcs: u32,
}

/// The single candidate of a head, and the number of hops for which the candidate remains single.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Straight {
    pub channel: ChannelId,
    /// The available VCs.
    pub vcs: u32,
    /// The output port: twice the dimension, plus 1 for the negative direction.
    pub port: u16,
    /// Further hops with the same VCs of the channel at the same port as the only candidate.
    pub more: u16,
}

impl Straight {
    /// Placeholder for an unknown candidate.
    pub const UNKNOWN: Self = Self { channel: ChannelId(u32::MAX), vcs: 0, port: 0, more: 0 };
}

/// The first `count` VCs.
pub(super) fn first(count: u32) -> u32 {
    ((1u64 << count) - 1) as u32
}

/// Distributes `virtual_channels` over `classes`, in adjacent VCs, lowest classes first.
pub(super) fn share_out(classes: u32, virtual_channels: u32) -> ClassVcs {
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

/// The indices of the set bits, in ascending order: the VCs in a mask.
#[inline]
pub fn bits(mask: u32) -> impl Iterator<Item = u32> + Clone {
    let rest = |mask: u32| (mask != 0).then_some(mask);
    std::iter::successors(rest(mask), move |mask| rest(mask & (mask - 1))).map(u32::trailing_zeros)
}

/// Every subset of a set of bits, starting with the empty set.
pub(super) fn subsets(bits: u64) -> impl Iterator<Item = u64> {
    let next = move |now: &u64| Some(now.wrapping_sub(bits) & bits).filter(|&after| after != 0);
    std::iter::successors(Some(0u64), next)
}

/// The use of a virtual channel under a routing rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VcUse {
    /// Available to every message: no class rule.
    Open,
    /// Reserved for this class of messages.
    Class(u8),
    /// Reserved for messages after this number of hops, or of negative hops.
    Hop(u8),
    /// The escape VC of this class.
    Escape(u8),
    /// Adaptive: no rule but minimality.
    Adaptive,
}
