//! Routing as a pure relation: position and header in, candidate virtual channels out.
//!
//! Nothing here draws a random number, sees congestion or remembers: a message's coin flips travel
//! in its header ([`Header::dice`]); the hops that it has taken and the wrap-around channels that
//! it has crossed follow from its source, its destination and where it is, because rules on cubes are
//! minimal and source routes ([`source_routes`]) visit no router twice; and which free candidate is
//! taken is decided elsewhere. That is why [`dependency`] can prove a rule free of deadlock by
//! enumeration.

pub mod adaptive;
pub mod dependency;
mod dice;
pub mod dimension_order;
pub mod hops;
pub mod north_last;
mod rule;
pub mod source_routes;
pub mod turn;
pub mod up_down;

use std::sync::Arc;

use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;
use crate::topology::cube::{Cube, DIMENSIONS_MAX};
use source_routes::{Hop, Routes};

pub use rule::{Classes, Escape, HalfWay, Needs, NorthLastClasses, Paths, Routing};

/// The most classes of VCs a rule may have.
pub const CLASSES_MAX: usize = 32;

/// The VCs of each class, as masks.
pub type ClassVcs = [u32; CLASSES_MAX];

/// Bit `CLASS_BIT + d` of the dice is the class that [`Classes::Random`] draws for dimension `d`.
const CLASS_BIT: usize = 32;
/// The bits of the dice that decide between ways equally long.
const WAY_BITS: u64 = (1 << DIMENSIONS_MAX) - 1;

/// What a message carries for routing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The router where it started.
    pub source: RouterId,
    /// The router where it is going.
    pub destination: RouterId,
    /// Its private random bits: bit `d` decides which way round dimension `d` is taken when both
    /// are equally long (0: positive), bit `32 + d` the class that it keeps to in dimension `d`
    /// under [`Classes::Random`]. Of several source routes their upper half names one.
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
    /// Reserved for this class of dimension order or north-last.
    Class(u8),
    /// Reserved for messages that have taken this number of hops, or of negative hops.
    Hop(u8),
    /// The escape VC of this class.
    Escape(u8),
    /// Adaptive: no rule but minimality.
    Adaptive,
}

/// A routing rule prepared for one network and number of VCs.
///
/// VCs beyond the number needed are shared out over the classes of the rule, each class holding VCs
/// next to each other; what does not come out even goes to the lowest classes. Those of adaptive
/// routing become adaptive.
#[derive(Clone, Debug)]
pub struct Relation {
    routing: Routing,
    half_way: HalfWay,
    /// The bits of the dice that count.
    dice: u64,
    network: Arc<Network>,
    /// VCs of each class, escape class or hop class.
    class_vcs: ClassVcs,
    /// How many classes there are.
    classes: usize,
    /// Adaptive VCs.
    adaptive_vcs: u32,
    virtual_channels: u32,
    /// The ways of source routing.
    routes: Option<Arc<Routes>>,
}

impl Relation {
    /// Prepares `routing`, ties between ways drawn ([`HalfWay::Random`]). The rule must be defined
    /// on the network ([`Routing::defined_on`], [`Routing::routes_fit`]) and the number of
    /// VCs serve it ([`Routing::virtual_channels_needed`]).
    pub fn new(routing: Routing, network: Arc<Network>, virtual_channels: u32) -> Self {
        let routes = routing.finder(&network).map(|finder| Arc::new(finder.table()));
        let needed = if let Some(cube) = network.grid() {
            assert!(routing.defined_on(cube.family(), cube.radix()).is_ok());
            routing.virtual_channels_needed(cube.family(), cube.radix()).needed
        } else {
            assert!(routes.is_some(), "a checked configuration routes by links or coordinates");
            1
        };
        let wraps = network.grid().is_some_and(Cube::wraps);
        assert!((needed..=CLASSES_MAX as u32).contains(&virtual_channels));
        let all = u32::MAX >> (32 - virtual_channels);
        let (classes, class_vcs, adaptive_vcs) = match routing {
            Routing::MinimalAdaptive { escape: Escape::None } => (0, [0; CLASSES_MAX], all),
            Routing::MinimalAdaptive { .. } => {
                let classes = if wraps { 2 } else { 1 };
                let escapes = u32::MAX >> (32 - classes);
                (classes, share_out(classes, classes), all & !escapes)
            }
            _ => (needed, share_out(needed, virtual_channels), 0),
        };
        Self {
            routing,
            half_way: HalfWay::Random,
            dice: u64::MAX,
            network,
            class_vcs,
            classes: classes as usize,
            adaptive_vcs,
            virtual_channels,
            routes,
        }
    }

    /// The same rule with another way to decide between ways equally long.
    /// [`HalfWay::Adaptive`] needs a rule that may choose ([`Routing::may_choose_ways`]).
    #[must_use]
    pub fn with_half_way(self, half_way: HalfWay) -> Self {
        assert!(half_way != HalfWay::Adaptive || self.routing.may_choose_ways());
        let dice = if half_way == HalfWay::Positive { !WAY_BITS } else { u64::MAX };
        Self { half_way, dice, ..self }
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
        match self.routing {
            Routing::MinimalAdaptive { .. } => !self.adaptive_vcs & self.every_vc(),
            _ => 0,
        }
    }

    fn every_vc(&self) -> u32 {
        u32::MAX >> (32 - self.virtual_channels)
    }

    /// What VC `v` of every channel is used for.
    pub fn vc_use(&self, v: u32) -> VcUse {
        let bit = 1u32 << v;
        if self.adaptive_vcs & bit != 0 {
            return VcUse::Adaptive;
        }
        let classes = &self.class_vcs[..self.classes];
        let class = classes.iter().position(|vcs| vcs & bit != 0).unwrap_or(0) as u8;
        match self.routing {
            Routing::MinimalAdaptive { .. } => VcUse::Escape(class),
            Routing::PositiveHop | Routing::NegativeHop => VcUse::Hop(class),
            _ if self.classes == 1 => VcUse::Open,
            _ => VcUse::Class(class),
        }
    }

    /// Fills `candidates` with what a head at router `at` may take, in order of preference: first
    /// channel first, within a channel the lowest free VC. Empty exactly at the destination.
    pub fn candidates(&self, at: RouterId, header: &Header, candidates: &mut Vec<Candidate>) {
        candidates.clear();
        let Some(cube) = self.network.grid() else {
            return self.along_a_route(at, header, candidates);
        };
        match self.routing {
            Routing::DimensionOrder { classes } => {
                self.dimension_order(cube, at, header, classes, candidates);
            }
            Routing::MinimalAdaptive { escape } => {
                self.adaptive(cube, at, header, escape, candidates);
            }
            Routing::UpDown { .. } | Routing::ShortestPath { .. } => {
                self.along_a_route(at, header, candidates);
            }
            _ => self.others(cube, at, header, candidates),
        }
    }

    /// The ways of source routing, where the rule has a table of them.
    pub fn routes(&self) -> Option<&Routes> {
        self.routes.as_deref()
    }

    // Each in a function of its own, so that none pays for the registers of the others.
    #[inline(never)]
    fn along_a_route(&self, at: RouterId, header: &Header, candidates: &mut Vec<Candidate>) {
        let Some(routes) = &self.routes else { return };
        let way = routes.drawn(header.source, header.destination, header.dice);
        if let Some(&Hop { channel, .. }) = way.iter().find(|hop| hop.from == at) {
            candidates.push(Candidate { channel, vcs: self.class_vcs[0] });
        }
    }

    #[inline(never)]
    fn dimension_order(
        &self,
        cube: &Cube,
        at: RouterId,
        header: &Header,
        classes: Classes,
        candidates: &mut Vec<Candidate>,
    ) {
        let dice = header.dice & self.dice;
        dimension_order::candidate(cube, at, header, dice, classes, &self.class_vcs, candidates);
    }

    #[inline(never)]
    fn adaptive(
        &self,
        cube: &Cube,
        at: RouterId,
        header: &Header,
        escape: Escape,
        candidates: &mut Vec<Candidate>,
    ) {
        let dice = header.dice & self.dice;
        let both = self.half_way == HalfWay::Adaptive;
        adaptive::minimal(cube, at, header, dice, self.adaptive_vcs, both, candidates);
        let classes = match escape {
            Escape::Destination => Classes::Destination,
            Escape::Dateline => Classes::Dateline,
            Escape::None => return,
        };
        dimension_order::candidate(cube, at, header, dice, classes, &self.class_vcs, candidates);
    }

    #[inline(never)]
    fn others(&self, cube: &Cube, at: RouterId, header: &Header, candidates: &mut Vec<Candidate>) {
        let dice = header.dice & self.dice;
        let vcs = &self.class_vcs;
        let class = match self.routing {
            Routing::NorthLast { classes } => {
                return north_last::candidates(cube, at, header, dice, classes, vcs, candidates);
            }
            Routing::WestFirst => return turn::west_first(cube, at, header, vcs[0], candidates),
            Routing::NegativeFirst => {
                return turn::negative_first(cube, at, header, vcs[0], candidates);
            }
            Routing::OddEven => return turn::odd_even(cube, at, header, vcs[0], candidates),
            Routing::PositiveHop => hops::taken(cube, header.source, at),
            _ => hops::negative(cube, header.source, at),
        };
        let both = self.half_way == HalfWay::Adaptive;
        adaptive::minimal(cube, at, header, dice, vcs[class & 31], both, candidates);
    }

    /// Whether the candidates hang on where the message started.
    pub fn reads_source(&self) -> bool {
        let wraps = self.network.grid().is_some_and(Cube::wraps);
        match self.routing {
            Routing::DimensionOrder { classes } => {
                wraps && matches!(classes, Classes::Dateline | Classes::Static | Classes::Random)
            }
            Routing::MinimalAdaptive { escape } => wraps && escape == Escape::Dateline,
            Routing::NorthLast { .. } => wraps,
            Routing::PositiveHop
            | Routing::NegativeHop
            | Routing::OddEven
            | Routing::UpDown { .. }
            | Routing::ShortestPath { .. } => true,
            Routing::WestFirst | Routing::NegativeFirst => false,
        }
    }
}

/// Shares `virtual_channels` out over `classes`, in runs of neighbours, the lowest classes first.
fn share_out(classes: u32, virtual_channels: u32) -> ClassVcs {
    let mut shared = [0; CLASSES_MAX];
    let (each, more) = (virtual_channels / classes, virtual_channels % classes);
    let mut first = 0;
    for class in 0..classes {
        let count = each + u32::from(class < more);
        shared[class as usize] = (u32::MAX >> (32 - count)) << first;
        first += count;
    }
    shared
}
