//! The routing algorithms: one file each, and one line each in the list below, which generates the
//! names, the fields and the calls.

pub mod dimension_order;
pub mod dimension_reversal;
pub mod hierarchical;
pub mod layered;
pub mod minimal;
pub mod minimal_adaptive;
pub mod nearest_common_ancestor;
pub mod negative_first;
pub mod negative_hop;
pub mod north_last;
pub mod o1turn;
pub mod odd_even;
pub mod planar_adaptive;
pub mod positive_hop;
pub mod shortest_path;
pub mod table;
pub mod turn_model;
pub mod ugal;
pub mod up_down;
pub mod valiant;
pub mod west_first;

use std::sync::Arc;

use super::algorithm::Algorithm;
use super::fields::{
    Classes, Detours, Distance, HalfWay, Layers, LeaveEscape, Paths, Reversals, Threshold, field,
};
use super::order::Order;
use super::roots::Roots;
use super::rows::Rows;
use super::rule::{Needs, Rule, Ties};
use crate::topology::Network;
use crate::words::{Contents, Field, Kind, Misfit, Need, Structure, Value, Words};
use dimension_reversal::ReversalClasses;
use minimal::Rising;
use minimal_adaptive::Escape;
use nearest_common_ancestor::UpLinks;
use north_last::NorthLastClasses;
use planar_adaptive::PlanarClasses;
use positive_hop::HopClasses;
use turn_model::Turns;

/// Declares [`Routing`], its descriptors, and the rule of each value. The rules in the second list
/// consist of an inner rule from [`INNER`] and further fields.
macro_rules! algorithms {
    (
        $($name:ident $({ $($(#[$reads:meta])* $field:ident: $kind:ty),+ })? in $file:ident;)+
        @of
        $($outer:ident $({ $($more:ident: $type:ty),+ })? in $outer_file:ident;)+
    ) => {
        /// A routing rule: an algorithm with its fields.
        #[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
        pub enum Routing {
            $(
                #[doc = concat!("See [`", stringify!($file), "`].")]
                $name $({ $(
                    #[doc = concat!("See [`", stringify!($file), "::", stringify!($name), "`].")]
                    $(#[$reads])*
                    $field: $kind
                ),+ })?,
            )+
            $(
                #[doc = concat!("See [`", stringify!($outer_file), "`].")]
                $outer {
                    /// The inner rule.
                    of: Box<Routing>,
                    $($(
                        #[doc = concat!(
                            "See [`", stringify!($outer_file), "::", stringify!($outer), "`]."
                        )]
                        $more: $type
                    ),+)?
                },
            )+
        }

        impl Words for Routing {
            const ABOUT: &'static str = "A routing rule: an algorithm with its fields.";
            const VALUES: &'static [Value] = &[
                $(Value {
                    name: stringify!($name),
                    help: $file::$name::HELP,
                    contents: {
                        const OWN: &[Field] = &[$($(field::<$kind>(stringify!($field))),+)?];
                        match ($file::$name::TIES, OWN) {
                            (Ties::Never, []) => Contents::Nothing,
                            (Ties::Never, _) => Contents::Fields(&[OWN, $file::$name::ALSO]),
                            (Ties::Settled | Ties::Choosable, _) => {
                                Contents::Fields(&[OWN, &[field::<HalfWay>("half_way")]])
                            }
                        }
                    },
                },)+
                $(Value {
                    name: stringify!($outer),
                    help: $outer_file::$outer::HELP,
                    contents: Contents::Fields(&[
                        &[OF, $($(field::<$type>(stringify!($more))),+)?],
                        &[field::<HalfWay>("half_way")],
                    ]),
                },)+
            ];
            fn word(&self) -> &'static str {
                match self {
                    $(Self::$name { .. } => stringify!($name),)+
                    $(Self::$outer { .. } => stringify!($outer),)+
                }
            }
        }

        impl Routing {
            /// Creates the rule.
            pub(super) fn rule(&self) -> Arc<dyn Rule> {
                match self.clone() {
                    $(Self::$name $({ $($field),+ })? => {
                        Arc::new($file::$name $({ $($field),+ })?)
                    })+
                    $(Self::$outer { of, $($($more),+)? } => {
                        Arc::new($outer_file::$outer { of: of.rule(), $($($more),+)? })
                    })+
                }
            }
        }
    };
}

algorithms! {
    DimensionOrder {
        classes: Classes,
        #[serde(default, skip_serializing_if = "Order::is_ascending")]
        order: Order
    } in dimension_order;
    MinimalAdaptive {
        escape: Escape,
        #[serde(default = "LeaveEscape::allowed", skip_serializing_if = "LeaveEscape::is_allowed")]
        leave_escape: LeaveEscape
    } in minimal_adaptive;
    PositiveHop {
        #[serde(default = "HopClasses::taken", skip_serializing_if = "HopClasses::is_taken")]
        classes: HopClasses
    } in positive_hop;
    NegativeHop in negative_hop;
    NorthLast { classes: NorthLastClasses } in north_last;
    WestFirst in west_first;
    NegativeFirst in negative_first;
    OddEven in odd_even;
    O1Turn in o1turn;
    PlanarAdaptive { classes: PlanarClasses } in planar_adaptive;
    TurnModel { turns: Turns, detours: Detours } in turn_model;
    StaticReversal {
        classes: ReversalClasses,
        reversals: Reversals,
        detours: Detours
    } in dimension_reversal;
    DynamicReversal { reversals: Reversals, detours: Detours } in dimension_reversal;
    UpDown { roots: Roots, paths: Paths } in up_down;
    ShortestPath {
        paths: Paths,
        #[serde(default = "Distance::hops", skip_serializing_if = "Distance::is_hops")]
        by: Distance
    } in shortest_path;
    Minimal { classes: Rising } in minimal;
    Hierarchical in hierarchical;
    NearestCommonAncestor { up: UpLinks } in nearest_common_ancestor;
    Layered { layers: Layers } in layered;
    Table { routes: Rows } in table;
    @of
    Valiant in valiant;
    Ugal { threshold: Threshold } in ugal;
}

/// The rules available within others. They decide at each router, and all their VCs have classes.
pub const INNER: &[Value] = &[
    Value {
        name: "DimensionOrder",
        help: dimension_order::DimensionOrder::HELP,
        contents: Contents::Fields(&[&[field::<Classes>("classes"), field::<Order>("order")]]),
    },
    Value {
        name: "Minimal",
        help: minimal::Minimal::HELP,
        contents: Contents::Fields(&[&[field::<Rising>("classes")]]),
    },
    Value {
        name: "Hierarchical",
        help: hierarchical::Hierarchical::HELP,
        contents: Contents::Nothing,
    },
];

/// The field of an inner rule.
const OF: Field = Field {
    name: "of",
    help: "The rule of each of the two parts of a route.",
    need: Need::Example("Minimal()"),
    kind: Kind::Own("a routing rule", Structure::Either(&[Kind::Choice(&[INNER])])),
};

impl Routing {
    /// Dimension order from the first dimension to the last.
    pub const fn dimension_order(classes: Classes) -> Self {
        Self::DimensionOrder { classes, order: Order::ASCENDING }
    }

    /// Positive-hop with a class for each number of hops.
    pub const POSITIVE_HOP: Self = Self::PositiveHop { classes: HopClasses::Taken };

    /// Shortest routes by the number of links.
    pub const fn shortest_path(paths: Paths) -> Self {
        Self::ShortestPath { paths, by: Distance::Hops }
    }

    /// Display name of the rule.
    pub fn name(&self) -> &'static str {
        self.rule().name()
    }

    /// The minimum number of VCs needed on a network and their purpose, or the reason why the
    /// network is unsuitable.
    pub fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        let rule = self.rule();
        rule.on(network)?.unwrap_or(rule).serves(network)
    }

    /// Rejects, in scenarios, field values that are unsafe on an otherwise suitable network.
    pub fn refused_on(&self, network: &Network) -> Result<(), Misfit> {
        network.grid().map_or(Ok(()), |cube| self.rule().refused_on(cube))
    }

    /// True if all routes are shortest routes.
    pub fn is_minimal(&self) -> bool {
        self.rule().is_minimal()
    }

    /// True if a message's first channel depends on the queues at its source.
    pub fn selects_by_queues(&self) -> bool {
        matches!(self, Self::Ugal { .. })
    }

    /// True if heads may be offered a choice of channels or classes.
    pub fn offers_choice(&self) -> bool {
        self.rule().chooses()
    }

    /// True if the routes of a network are fixed before the first hop, and free of cycles of
    /// dependencies.
    pub fn settles_routes(&self, network: &Network) -> bool {
        self.rule().settles_routes(network.wraps())
    }

    /// True if messages may be offered both ways round a ring.
    pub fn may_choose_ways(&self) -> bool {
        self.rule().ties() == Ties::Choosable
    }
}
