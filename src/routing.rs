//! Routing as a pure relation: position and header in, candidate virtual channels out.
//!
//! Nothing here draws a random number or sees congestion: a message's coin flips travel in its
//! header ([`Header::dice`]), and which free candidate is taken is decided elsewhere.

pub mod adaptive;
pub mod dimension_order;

use std::sync::Arc;

use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::Family;
use crate::topology::{Network, Shape};

/// Which class of VCs a message uses on the rings of a torus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Classes {
    /// Class 0 while the wrap-around channel of this dimension is still ahead (and on it),
    /// class 1 after it or when it is not needed (Dally and Seitz).
    Destination,
    /// Class 0 from the start, class 1 after the wrap-around channel.
    Dateline,
    /// Class 1 for the whole dimension where the path uses its wrap-around channel, else class 0.
    Static,
    /// No rule: every VC is open to every message. Rings can then deadlock.
    None,
}

/// How the adaptive routing escapes from deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Escape {
    /// Dimension order with destination classes.
    Destination,
    /// Dimension order with dateline classes.
    Dateline,
    /// No escape channels: deadlock is possible.
    None,
}

/// A routing rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Routing {
    /// Dimension order (e-cube): the first dimension is finished before the second begins.
    DimensionOrder {
        /// The VC classes on rings. Meshes and hypercubes have no ring and use one class.
        classes: Classes,
    },
    /// Minimal and fully adaptive: any free adaptive VC that leads closer, the first dimension
    /// preferred, else the escape VC of dimension order.
    MinimalAdaptive {
        /// The escape rule.
        escape: Escape,
    },
}

/// What a message carries for routing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The router where it started.
    pub source: RouterId,
    /// The router where it is going.
    pub destination: RouterId,
    /// Its private random bits: bit `d` decides which way round dimension `d` is taken when both
    /// are equally long (0: positive).
    pub dice: u64,
}

/// VCs of one channel that a head may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The channel.
    pub channel: ChannelId,
    /// Bit `v` is set where VC `v` may be taken; lower numbers are preferred.
    pub vcs: u32,
}

/// What a virtual channel is used for under a routing rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VcUse {
    /// Open to every message: there is no class rule.
    Open,
    /// Reserved for this class of dimension order.
    Class(u8),
    /// The escape VC of this class.
    Escape(u8),
    /// Adaptive: no rule but minimality.
    Adaptive,
}

/// Why a routing rule cannot run here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooFewVcs {
    /// The fewest virtual channels that serve the rule on this network.
    pub needed: u32,
    /// What needs them.
    pub why: &'static str,
}

impl Routing {
    /// The fewest VCs with which the rule can run on a cube of this family, and what they are for.
    pub fn virtual_channels_needed(&self, family: Family) -> TooFewVcs {
        let rings = matches!(family, Family::Torus { .. });
        let (needed, why) = match self {
            Self::DimensionOrder { classes } if rings && *classes != Classes::None => {
                (2, "rings need two classes of VCs")
            }
            Self::MinimalAdaptive { escape } if *escape != Escape::None => {
                if rings {
                    (3, "rings need two escape VCs, and one more must be adaptive")
                } else {
                    (2, "one VC is the escape, and one more must be adaptive")
                }
            }
            _ => (1, "one VC moves any message"),
        };
        TooFewVcs { needed, why }
    }

    /// The rule's name for people.
    pub fn name(&self) -> &'static str {
        match self {
            Self::DimensionOrder { classes: Classes::Destination } => "e-cube, destination classes",
            Self::DimensionOrder { classes: Classes::Dateline } => "e-cube, dateline classes",
            Self::DimensionOrder { classes: Classes::Static } => "e-cube, static classes",
            Self::DimensionOrder { classes: Classes::None } => "e-cube, no classes",
            Self::MinimalAdaptive { escape: Escape::Destination } => {
                "minimal adaptive, destination escape"
            }
            Self::MinimalAdaptive { escape: Escape::Dateline } => {
                "minimal adaptive, dateline escape"
            }
            Self::MinimalAdaptive { escape: Escape::None } => "minimal adaptive, no escape",
        }
    }
}

/// A routing rule prepared for one network and number of VCs.
#[derive(Clone, Debug)]
pub struct Relation {
    routing: Routing,
    network: Arc<Network>,
    /// VCs of each dimension-order or escape class.
    class_vcs: [u32; 2],
    /// Adaptive VCs.
    adaptive_vcs: u32,
    virtual_channels: u32,
}

impl Relation {
    /// Prepares `routing`. The number of VCs must serve it
    /// ([`Routing::virtual_channels_needed`]).
    pub fn new(routing: Routing, network: Arc<Network>, virtual_channels: u32) -> Self {
        let cube = network.cube().expect("a checked configuration routes cubes by coordinates");
        assert!(virtual_channels >= routing.virtual_channels_needed(cube.family()).needed);
        let all = u32::MAX >> (32 - virtual_channels);
        let (class_vcs, adaptive_vcs) = match routing {
            Routing::DimensionOrder { classes: Classes::None } => ([all, all], 0),
            Routing::DimensionOrder { .. } if cube.wraps() => {
                // Contiguous halves; an odd one out goes to class 0, which every message of a
                // dateline scheme starts in.
                let low = u32::MAX >> (32 - virtual_channels.div_ceil(2));
                ([low, all & !low], 0)
            }
            Routing::DimensionOrder { .. } => ([all, all], 0),
            Routing::MinimalAdaptive { escape: Escape::None } => ([0, 0], all),
            Routing::MinimalAdaptive { .. } if cube.wraps() => ([1, 2], all & !3),
            Routing::MinimalAdaptive { .. } => ([1, 1], all & !1),
        };
        Self { routing, network, class_vcs, adaptive_vcs, virtual_channels }
    }

    /// The rule.
    pub fn routing(&self) -> Routing {
        self.routing
    }

    /// VCs per channel.
    pub fn virtual_channels(&self) -> u32 {
        self.virtual_channels
    }

    /// What VC `v` of every channel is used for.
    pub fn vc_use(&self, v: u32) -> VcUse {
        let bit = 1u32 << v;
        if self.adaptive_vcs & bit != 0 {
            return VcUse::Adaptive;
        }
        if self.class_vcs[0] == self.class_vcs[1]
            && matches!(self.routing, Routing::DimensionOrder { .. })
        {
            return VcUse::Open;
        }
        let class = u8::from(self.class_vcs[0] & bit == 0);
        match self.routing {
            Routing::DimensionOrder { .. } => VcUse::Class(class),
            Routing::MinimalAdaptive { .. } => VcUse::Escape(class),
        }
    }

    /// Fills `candidates` with what a head at router `at` may take, in order of preference: first
    /// channel first, within a channel the lowest free VC. Empty exactly at the destination.
    pub fn candidates(&self, at: RouterId, header: &Header, candidates: &mut Vec<Candidate>) {
        candidates.clear();
        let Shape::Cube(cube) = self.network.shape();
        match self.routing {
            Routing::DimensionOrder { classes } => {
                dimension_order::candidate(cube, at, header, classes, self.class_vcs, candidates);
            }
            Routing::MinimalAdaptive { escape } => {
                adaptive::minimal(cube, at, header, self.adaptive_vcs, candidates);
                let classes = match escape {
                    Escape::Destination => Classes::Destination,
                    Escape::Dateline => Classes::Dateline,
                    Escape::None => return,
                };
                dimension_order::candidate(cube, at, header, classes, self.class_vcs, candidates);
            }
        }
    }
}
