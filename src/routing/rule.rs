//! The routing rules by name: which there are, where each is defined, and how many virtual channels
//! it needs there.

use super::source_routes::{Finder, HOPS_MAX, ROUTERS_MAX};
use crate::ids::RouterId;
use crate::topology::Network;
use crate::topology::cube::Family;

/// Which class of VCs a message uses on the rings of a torus.
///
/// All but [`Self::None`] follow Dally and Seitz, *Deadlock-free message routing in multiprocessor
/// interconnection networks* (1987).
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub enum Classes {
    /// Class 0 while the wrap-around channel of this dimension is still ahead (and on it),
    /// class 1 after it or when it is not needed.
    Destination,
    /// Class 0 from the start, class 1 after the wrap-around channel.
    Dateline,
    /// Class 1 for the whole dimension where the path uses its wrap-around channel, else class 0.
    /// Safe only where paths go at most half way round.
    Static,
    /// As [`Self::Destination`], but a message that does not need the wrap-around channel keeps to
    /// a class that it draws for each dimension.
    Random,
    /// No rule: every VC is open to every message. Rings can then deadlock.
    None,
}

/// How the adaptive routing escapes from deadlock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub enum Escape {
    /// Dimension order with destination classes.
    Destination,
    /// Dimension order with dateline classes.
    Dateline,
    /// No escape channels: deadlock is possible.
    None,
}

/// Which VCs north-last uses on a torus. "Seam" is the wrap-around channel of a dimension. Only
/// [`Self::TwoNetwork`], [`Self::TwoNetworkDateline`] and [`Self::SeamsCrossed`] are free of
/// deadlock; the others are plausible, and can deadlock, which is what they are here to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub enum NorthLastClasses {
    /// North-bound messages finish x with destination classes and then y likewise; the others use
    /// class 0 while a seam is ahead, cross that of x first and do not go back to x in class 0
    /// after it.
    TwoNetwork,
    /// The same, but north-bound messages take x with dateline classes.
    TwoNetworkDateline,
    /// Dateline classes, each dimension for itself.
    SeparateDateline,
    /// Destination classes, each dimension for itself.
    SeparateDestination,
    /// Static classes, each dimension for itself.
    SeparateStatic,
    /// Class 1 as soon as no seam of either dimension is ahead.
    NoSeamAhead,
    /// Class 1 after the first seam, of whichever dimension.
    AfterFirstSeam,
    /// Class 1 all the way where the path has any seam.
    AnySeam,
    /// The class counts the seams crossed: three classes.
    SeamsCrossed,
}

/// Which way round a ring a message goes when both are equally long.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub enum HalfWay {
    /// It draws one at its generation.
    #[default]
    Random,
    /// The positive way.
    Positive,
    /// Either: both are offered to its head as long as both are equally long. Only for rules that
    /// may choose ([`Routing::may_choose_ways`]).
    Adaptive,
}

/// Which of the shortest ways between two switches messages take.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub enum Paths {
    /// Every message draws one, all equally likely.
    #[default]
    Split,
    /// Every pair of hosts has its own: the one whose number is the sum of the places of the two
    /// among the hosts of their switches, modulo the number of ways.
    Host,
    /// All take the first, in the order of the switches visited.
    First,
}

/// A routing rule. All but up*/down* are minimal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
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
    /// Fully adaptive; the class is the number of hops taken (Gopal; Boppana and Chalasani 1993).
    PositiveHop,
    /// Fully adaptive; nodes are coloured 0 and 1 like a chessboard, and the class is the number of
    /// hops taken from colour 1 to colour 0 (Gopal; Boppana and Chalasani 1993).
    NegativeHop,
    /// Turn model (Glass and Ni 1992): x and south in any order, north when x is finished.
    NorthLast {
        /// The VC classes on tori. Meshes have no ring and use one class.
        classes: NorthLastClasses,
    },
    /// Turn model (Glass and Ni 1992): west until done, then the rest in any order.
    WestFirst,
    /// Turn model (Glass and Ni 1992): what leads to lower coordinates in any order, then what
    /// leads to higher ones in any order.
    NegativeFirst,
    /// Chiu, *The odd-even turn model* (2000): messages turn from east to north or south in odd
    /// columns only, and from north or south to west in even columns only.
    OddEven,
    /// Source routing along the shortest of the ways that go up and then down as seen from a root
    /// ([`super::up_down`]). On any connected network whose links lead both ways; one VC is enough.
    UpDown {
        /// The switch at the top.
        root: RouterId,
        /// Which of several such ways is taken.
        paths: Paths,
    },
    /// Source routing along the shortest ways, whatever their turns: rings can then deadlock, which
    /// is what this rule is here to show.
    ShortestPath {
        /// Which of several such ways is taken.
        paths: Paths,
    },
}

/// The VCs that a routing rule needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needs {
    /// The fewest virtual channels that serve the rule on this network.
    pub needed: u32,
    /// What needs them.
    pub why: &'static str,
}

impl Routing {
    /// The search for the ways of source routing on a network; `None` for rules that go by
    /// coordinates.
    pub fn finder<'a>(&self, network: &'a Network) -> Option<Finder<'a>> {
        match *self {
            Self::UpDown { root, paths } => {
                Some(Finder::new(network, Some(root), paths == Paths::First))
            }
            Self::ShortestPath { paths } => Some(Finder::new(network, None, paths == Paths::First)),
            _ => None,
        }
    }

    /// Whether the rule follows source routes, and so needs no coordinates.
    pub fn follows_routes(&self) -> bool {
        matches!(self, Self::UpDown { .. } | Self::ShortestPath { .. })
    }

    /// Whether the ways of source routing can be listed on a network: it is small enough, there are
    /// not too many of them, and the root is one of its switches. Rules that go by coordinates
    /// always pass.
    pub fn routes_fit(&self, network: &Network) -> Result<(), String> {
        let routers = network.routers();
        if !self.follows_routes() {
            return Ok(());
        }
        if let Self::UpDown { root, .. } = self
            && root.index() >= routers
        {
            return Err(format!(
                "the root must be one of the switches 0 to {}, not {}",
                routers - 1,
                root.0
            ));
        }
        if routers > ROUTERS_MAX {
            return Err(format!(
                "{} lists its ways, for {ROUTERS_MAX} switches at most, and here are {routers}",
                self.name()
            ));
        }
        let Some(finder) = self.finder(network) else { return Ok(()) };
        if finder.hops_in_all() > HOPS_MAX {
            return Err(format!(
                "the shortest ways of {} have more than {HOPS_MAX} hops in all, the most that are \
                 listed",
                self.name()
            ));
        }
        Ok(())
    }

    /// Whether the rule is defined on cubes of this family and radix; if not, why.
    pub fn defined_on(&self, family: Family, radix: &[u32]) -> Result<(), String> {
        let flat = radix.len() == 2;
        let dimensions = match radix.len() {
            1 => "1 dimension".to_string(),
            n => format!("{n} dimensions"),
        };
        match (self, family) {
            (
                Self::UpDown { .. } | Self::ShortestPath { .. },
                Family::Torus { unidirectional: true },
            ) => Err(format!("{} needs links both ways, and these lead one way", self.name())),
            (Self::NegativeHop, Family::Torus { .. }) => match radix.iter().find(|&k| k % 2 == 1) {
                Some(k) => Err(format!(
                    "negative-hop colours the nodes like a chessboard, and a ring of {k} nodes, an \
                     odd number, cannot be coloured so"
                )),
                None => Ok(()),
            },
            (Self::NorthLast { .. }, Family::Torus { unidirectional: true }) => {
                Err("north-last turns between four directions, and channels here lead north and \
                     east only"
                    .into())
            }
            (Self::NorthLast { .. }, Family::Hypercube) => {
                Err("north-last is defined on meshes and tori of 2 dimensions".into())
            }
            (Self::NorthLast { .. }, _) if !flat => Err(format!(
                "north-last is defined on meshes and tori of 2 dimensions, not on {dimensions}"
            )),
            (Self::WestFirst | Self::OddEven | Self::NegativeFirst, Family::Torus { .. }) => {
                Err(format!(
                    "{} forbids turns, and on a torus rings close without any turn",
                    self.name()
                ))
            }
            (Self::WestFirst | Self::OddEven, Family::Hypercube) => {
                Err(format!("{} is defined on meshes of 2 dimensions", self.name()))
            }
            (Self::WestFirst | Self::OddEven, Family::Mesh) if !flat => Err(format!(
                "{} is defined on meshes of 2 dimensions, not on {dimensions}",
                self.name()
            )),
            _ => Ok(()),
        }
    }

    /// The fewest VCs with which the rule can run on a cube of this family and radix, and what they
    /// are for.
    pub fn virtual_channels_needed(&self, family: Family, radix: &[u32]) -> Needs {
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
            Self::PositiveHop => {
                (diameter(family, radix), "one class for each hop of the longest way")
            }
            Self::NegativeHop => {
                (negative_hops(family, radix) + 1, "one class for each count of negative hops")
            }
            Self::NorthLast { classes: NorthLastClasses::SeamsCrossed } if rings => {
                (3, "a path crosses none, one or two of the wrap-around channels")
            }
            Self::NorthLast { .. } if rings => (2, "rings need two classes of VCs"),
            _ => (1, "one VC moves any message"),
        };
        Needs { needed, why }
    }

    /// Whether messages may be offered both ways round a ring: rules whose classes do not hang on
    /// the way that a message goes.
    pub fn may_choose_ways(&self) -> bool {
        matches!(self, Self::MinimalAdaptive { .. } | Self::PositiveHop | Self::NegativeHop)
    }

    /// The rule's name for people.
    pub fn name(&self) -> &'static str {
        match self {
            Self::DimensionOrder { classes } => match classes {
                Classes::Destination => "e-cube, destination classes",
                Classes::Dateline => "e-cube, dateline classes",
                Classes::Static => "e-cube, static classes",
                Classes::Random => "e-cube, random classes",
                Classes::None => "e-cube, no classes",
            },
            Self::MinimalAdaptive { escape } => match escape {
                Escape::Destination => "minimal adaptive, destination escape",
                Escape::Dateline => "minimal adaptive, dateline escape",
                Escape::None => "minimal adaptive, no escape",
            },
            Self::PositiveHop => "positive-hop",
            Self::NegativeHop => "negative-hop",
            Self::NorthLast { classes } => match classes {
                NorthLastClasses::TwoNetwork => "north-last, two networks",
                NorthLastClasses::TwoNetworkDateline => "north-last, two networks, dateline",
                NorthLastClasses::SeparateDateline => "north-last, separate datelines",
                NorthLastClasses::SeparateDestination => "north-last, separate destination classes",
                NorthLastClasses::SeparateStatic => "north-last, separate static classes",
                NorthLastClasses::NoSeamAhead => "north-last, class 1 when no seam is ahead",
                NorthLastClasses::AfterFirstSeam => "north-last, class 1 after the first seam",
                NorthLastClasses::AnySeam => "north-last, class 1 where the path has a seam",
                NorthLastClasses::SeamsCrossed => "north-last, class counts seams crossed",
            },
            Self::WestFirst => "west-first",
            Self::NegativeFirst => "negative-first",
            Self::OddEven => "odd-even",
            Self::UpDown { paths, .. } => match paths {
                Paths::Split => "up*/down*",
                Paths::Host => "up*/down*, a way for each pair of hosts",
                Paths::First => "up*/down*, first way",
            },
            Self::ShortestPath { .. } => "shortest path",
        }
    }
}

/// The hops of the longest minimal path.
fn diameter(family: Family, radix: &[u32]) -> u32 {
    let along = |&k: &u32| match family {
        Family::Torus { unidirectional: false } => k / 2,
        _ => k - 1,
    };
    radix.iter().map(along).sum()
}

/// The most hops from colour 1 to colour 0 that a minimal path makes before its last hop.
fn negative_hops(family: Family, radix: &[u32]) -> u32 {
    let diameter = diameter(family, radix);
    let odd_mesh = family == Family::Mesh && radix.iter().all(|k| k % 2 == 1);
    if odd_mesh {
        // All corners have colour 0, so the longest paths start there; from colour 1 they are
        // shorter by a hop at least.
        (diameter - 1) / 2
    } else {
        // Some longest path starts at colour 1: its hops 1, 3, 5... are the negative ones.
        diameter / 2
    }
}
