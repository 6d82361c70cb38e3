//! Input and output of a routing decision: header and arrival of a head, and its candidates.

use std::num::NonZeroU32;

use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::DIMENSIONS_MAX;

/// The most classes of VCs a rule may have.
pub const CLASSES_MAX: usize = 32;

/// The VCs of each class, as masks.
pub type ClassVcs = [u32; CLASSES_MAX];

/// The random bits that decide between routes equally long, one for each dimension.
pub(super) const TIE_BITS: u64 = (1 << DIMENSIONS_MAX) - 1;
/// The first of the random bits that rules have for choices of their own.
pub(super) const OWN_BIT: usize = 32;

/// The part of a message that routing reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The router where it started.
    pub source: RouterId,
    /// The router where it is going.
    pub destination: RouterId,
    /// Its private random bits: bit `d` decides which way round dimension `d` is taken when both
    /// are equally long (0: positive); what bits 32 and up mean is up to the rule. Of several source
    /// routes they name one.
    pub route_bits: u64,
}

/// The virtual channel by which a head arrived at its router.
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

/// A point of a message's way, as far as a routing rule tells them apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stop {
    /// The router at which the head is.
    pub at: RouterId,
    /// The VC by which it arrived, where the rule reads that; `None` also at the source.
    pub came: Option<Arrival>,
}

impl Stop {
    /// The source's router, before the first hop.
    #[inline]
    pub const fn start(at: RouterId) -> Self {
        Self { at, came: None }
    }
}

/// VCs of one channel that a head may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub channel: ChannelId,
    /// Bit `v` is set where VC `v` may be taken; lower numbers are preferred.
    pub vcs: u32,
}

/// The one candidate of a head, and for how many hops it stays so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Straight {
    pub channel: ChannelId,
    /// Its VCs that may be taken.
    pub vcs: u32,
    /// The port by which it leaves its router: twice the dimension, and 1 for the negative way.
    pub port: u16,
    /// Hops after this one over which the same VCs of the channel at the same port are the only
    /// candidate.
    pub more: u16,
}

impl Straight {
    /// Before anything is known.
    pub const UNKNOWN: Self = Self { channel: ChannelId(u32::MAX), vcs: 0, port: 0, more: 0 };
}

/// The numbers of the bits that are set, from the lowest up: the VCs in a mask.
#[inline]
pub fn bits(mask: u32) -> impl Iterator<Item = u32> + Clone {
    let rest = |mask: u32| (mask != 0).then_some(mask);
    std::iter::successors(rest(mask), move |mask| rest(mask & (mask - 1))).map(u32::trailing_zeros)
}

/// The use of a virtual channel under a routing rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VcUse {
    /// Open to every message: there is no class rule.
    Open,
    /// Reserved for this class of messages.
    Class(u8),
    /// Reserved for messages that have taken this number of hops, or of negative hops.
    Hop(u8),
    /// The escape VC of this class.
    Escape(u8),
    /// Adaptive: no rule but minimality.
    Adaptive,
}
