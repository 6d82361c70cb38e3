//! The routing algorithms: one file each, one line each in the list below, from which the names, the
//! fields and the calls are made.

pub mod dimension_order;
pub mod minimal_adaptive;
pub mod negative_first;
pub mod negative_hop;
pub mod north_last;
pub mod o1turn;
pub mod odd_even;
pub mod positive_hop;
pub mod shortest_path;
pub mod up_down;
pub mod west_first;

use super::algorithm::{Algorithm, Needs, Ties};
use super::fields::{Classes, HalfWay, Paths, field};
use super::head::{Candidate, Header, Straight, VcUse};
use super::prepared::Prepared;
use super::source_routes::Search;
use super::steps::{Position, Step};
use crate::ids::RouterId;
use crate::topology::cube::{Cube, Family};
use crate::words::{Contents, Field, Misfit, Value, Words};
use minimal_adaptive::Escape;
use north_last::NorthLastClasses;

/// Makes [`Routing`], its descriptors, and `each!`, which calls the algorithm that a
/// [`Routing`] names as a value of its own type. (The dollar sign is for `each!`.)
macro_rules! algorithms {
    ($d:tt $($name:ident $({ $($field:ident: $kind:ty),+ })? in $file:ident;)+) => {
        /// A routing rule: an algorithm with its fields.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
        pub enum Routing {
            $(
                #[doc = concat!("See [`", stringify!($file), "`].")]
                $name $({ $(
                    #[doc = concat!("See [`", stringify!($file), "::", stringify!($name), "`].")]
                    $field: $kind
                ),+ })?,
            )+
        }

        impl Words for Routing {
            const ABOUT: &'static str = "A routing rule: an algorithm with its fields.";
            const VALUES: &'static [Value] = &[$(Value {
                name: stringify!($name),
                help: $file::$name::HELP,
                contents: {
                    const OWN: &[Field] = &[$($(field::<$kind>(stringify!($field))),+)?];
                    match ($file::$name::TIES, OWN) {
                        (Ties::Never, []) => Contents::Nothing,
                        (Ties::Never, _) => Contents::Fields(&[OWN]),
                        (Ties::Settled | Ties::Choosable, _) => {
                            Contents::Fields(&[OWN, &[field::<HalfWay>("half_way")]])
                        }
                    }
                },
            }),+];
            fn word(&self) -> &'static str {
                match self { $(Self::$name { .. } => stringify!($name)),+ }
            }
        }

        macro_rules! each {
            ($d routing:expr, $d rule:ident => $d result:expr) => {
                match $d routing {
                    $(Routing::$name $({ $($field),+ })? => {
                        let $d rule = $file::$name $({ $($field),+ })?;
                        $d result
                    })+
                }
            };
        }
    };
}

algorithms! { $
    DimensionOrder { classes: Classes } in dimension_order;
    MinimalAdaptive { escape: Escape } in minimal_adaptive;
    PositiveHop in positive_hop;
    NegativeHop in negative_hop;
    NorthLast { classes: NorthLastClasses } in north_last;
    WestFirst in west_first;
    NegativeFirst in negative_first;
    OddEven in odd_even;
    O1Turn in o1turn;
    UpDown { root: RouterId, paths: Paths } in up_down;
    ShortestPath { paths: Paths } in shortest_path;
}

impl Routing {
    /// The rule's name for people.
    pub fn name(self) -> &'static str {
        each!(self, rule => rule.name())
    }

    /// Whether the rule is defined on cubes of this family and radix; if not, why.
    pub fn defined_on(self, family: Family, radix: &[u32]) -> Result<(), Misfit> {
        each!(self, rule => rule.defined_on(family, radix))
    }

    /// See [`Algorithm::refused_on`].
    pub fn refused_on(self, family: Family) -> Result<(), Misfit> {
        each!(self, rule => rule.refused_on(family))
    }

    /// The fewest VCs with which the rule can run on a cube of this family and radix, and what they
    /// are for.
    pub fn virtual_channels_needed(self, family: Family, radix: &[u32]) -> Needs {
        each!(self, rule => rule.needs(family, radix))
    }

    /// Whether heads may be offered a choice of channels or classes.
    pub fn offers_choice(self) -> bool {
        match self {
            Self::MinimalAdaptive { .. }
            | Self::PositiveHop
            | Self::NegativeHop
            | Self::NorthLast { .. }
            | Self::WestFirst
            | Self::NegativeFirst
            | Self::OddEven => true,
            Self::DimensionOrder { .. }
            | Self::O1Turn
            | Self::UpDown { .. }
            | Self::ShortestPath { .. } => false,
        }
    }

    /// Whether messages may be offered both ways round a ring.
    pub fn may_choose_ways(self) -> bool {
        each!(self, rule => ties(rule)) == Ties::Choosable
    }

    /// The routes that the rule lists, where it needs no coordinates.
    pub fn search(self) -> Option<Search> {
        each!(self, rule => rule.search())
    }

    /// Whether the rule follows source routes, and so needs no coordinates.
    pub fn follows_routes(self) -> bool {
        self.search().is_some()
    }

    pub(super) fn class_use(self, class: u8) -> VcUse {
        each!(self, rule => class_use(rule)(class))
    }

    pub(super) fn reads_source(self, wraps: bool) -> bool {
        each!(self, rule => rule.reads_source(wraps))
    }

    pub(super) fn bits_read(self, on: &Prepared, from: Option<RouterId>, to: RouterId) -> u64 {
        each!(self, rule => rule.bits_read(on, from, to))
    }

    pub(super) fn first_by_coordinates(self, wraps: bool) -> bool {
        each!(self, rule => rule.first_by_coordinates(wraps))
    }

    pub(super) fn goes_by_offset(self) -> bool {
        each!(self, rule => goes_by_offset(rule))
    }

    pub(super) fn goes_straight(self) -> bool {
        each!(self, rule => goes_straight(rule))
    }

    #[inline]
    pub(super) fn straight(self, head: Position<'_>) -> Option<Straight> {
        each!(self, rule => rule.straight(head))
    }

    #[inline]
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "measured: a value is taken apart early")]
    pub(super) fn candidates(&self, step: Step<'_>) {
        let Step { head: Position { on, cube, at, header }, found } = step;
        each!(*self, rule => alone(rule, (on, cube), at, header, found));
    }
}

/// In a function of its own, so that no algorithm pays for the registers of the others; what it is
/// asked comes in registers too.
#[inline(never)]
fn alone<A: Algorithm>(
    rule: A,
    (on, cube): (&Prepared, &Cube),
    at: RouterId,
    header: &Header,
    found: &mut Vec<Candidate>,
) {
    rule.candidates(Step { head: Position { on, cube, at, header }, found });
}

fn ties<A: Algorithm>(_: A) -> Ties {
    A::TIES
}

fn goes_by_offset<A: Algorithm>(_: A) -> bool {
    A::BY_OFFSET
}

fn goes_straight<A: Algorithm>(_: A) -> bool {
    A::STRAIGHT
}

fn class_use<A: Algorithm>(_: A) -> fn(u8) -> VcUse {
    A::CLASS_USE
}
