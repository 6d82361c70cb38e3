//! Types and permitted values of the fields of routing algorithms.

use serde::{Deserialize, Serialize};

use super::head::CLASSES_MAX;
use super::roots::{HOSTS, Roots};
use super::rows::Rows;
use crate::topology::switches::SWITCHES_MAX;
use crate::words::{Contents, Field, Kind, Need, Structure, Value, Words, words};

/// A type of fields.
pub(super) trait Parameter {
    const HELP: &'static str;
    /// The default value; an example if there is none.
    const DEFAULT: &'static str;
    /// The treatment of a missing field.
    const NEED: Need = Need::Default(Self::DEFAULT);
    const KIND: Kind;
}

impl<T: Words> Parameter for T {
    const HELP: &'static str = T::ABOUT;
    const DEFAULT: &'static str = T::VALUES[0].name;
    const KIND: Kind = T::KIND;
}

impl Distance {
    /// Links of length 1.
    pub const fn hops() -> Self {
        Self::Hops
    }

    /// True for links of length 1.
    pub fn is_hops(&self) -> bool {
        *self == Self::Hops
    }
}

/// The number of layers of VCs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layers(pub u32);

impl Parameter for Layers {
    const HELP: &'static str = "The number of layers, each with a class of VCs.";
    const DEFAULT: &'static str = "2";
    const KIND: Kind = Kind::whole("the number of layers", 1, CLASSES_MAX as u32);
}

/// True if heads may leave the escape VCs again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LeaveEscape(pub bool);

impl LeaveEscape {
    /// Heads may leave.
    pub const fn allowed() -> Self {
        Self(true)
    }

    /// True if heads may leave.
    pub fn is_allowed(&self) -> bool {
        self.0
    }
}

impl Parameter for LeaveEscape {
    const HELP: &'static str = "True if a head on an escape VC may take an adaptive VC again; false if it \
                                takes escape VCs to its destination.";
    const DEFAULT: &'static str = "true";
    const KIND: Kind = Kind::Own("`true` or `false`", Structure::Truth);
}

/// The number of hops of a route that do not lead closer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Detours(pub u32);

/// The highest limits of [`Detours`] and [`Reversals`], which a head carries together in 8 bits.
const COUNTED_MAX: u32 = 15;

impl Parameter for Detours {
    const HELP: &'static str = "The maximum number of hops of a route that do not lead closer, each \
                                of which makes the route two hops longer.";
    const DEFAULT: &'static str = "2";
    const KIND: Kind = Kind::whole("the number of detours", 0, COUNTED_MAX);
}

/// The number of dimension reversals of a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reversals(pub u32);

impl Parameter for Reversals {
    const HELP: &'static str = "The maximum number of dimension reversals of a route: turns to a \
                                lower dimension, or back.";
    const DEFAULT: &'static str = "2";
    const KIND: Kind = Kind::whole("the number of reversals", 0, COUNTED_MAX);
}

/// The flits by which the queue of a direct route may exceed twice that of a detour.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Threshold(pub u32);

impl Parameter for Threshold {
    const HELP: &'static str = "The direct route is taken while its queue has at most this number \
                                of flits more than twice the queue of the detour.";
    const DEFAULT: &'static str = "0";
    const KIND: Kind = Kind::whole("the threshold", 0, u32::MAX >> 2);
}

impl Parameter for Rows {
    const HELP: &'static str = "`File(\"routes.csv\")`, a file looked for beside the scenario, or \
                                the text of such a file.";
    const DEFAULT: &'static str = "File(\"routes.csv\")";
    const NEED: Need = Need::Example(Self::DEFAULT);
    const KIND: Kind = Kind::Own(
        "a file or a text",
        Structure::Either(&[
            Kind::Choice(&[&[Value {
                name: "File",
                help: "A routing table in a file.",
                contents: Contents::One(Self::DEFAULT, Kind::Text("the name of a file")),
            }]]),
            Kind::Text("the text of a routing table"),
        ]),
    );
}

impl Parameter for Roots {
    const HELP: &'static str = "The routers to which up links lead: a list of roots, or `Hosts` for \
                                links away from the hosts.";
    const DEFAULT: &'static str = "[0]";
    const KIND: Kind = Kind::Own(
        "a list of switches or one word",
        Structure::Either(&[
            Kind::Own("a list of switches", Structure::List(&ROOT, (1, SWITCHES_MAX))),
            Kind::Choice(&[&[Value {
                name: HOSTS,
                help: "Up links lead away from the hosts.",
                contents: Contents::Nothing,
            }]]),
        ]),
    );
}

const ROOT: Kind = Kind::whole("a root", 0, SWITCHES_MAX as u32 - 1);

/// A single root, in place of [`Roots`].
pub(super) const ONE_ROOT: Field = Field {
    name: "root",
    help: "A single root.",
    need: Need::Open,
    kind: Kind::Own("the number of a switch", Structure::Either(&[ROOT])),
};

/// The descriptor of a field of this type.
pub(super) const fn field<T: Parameter>(name: &'static str) -> Field {
    Field { name, help: T::HELP, need: T::NEED, kind: T::KIND }
}

words! {
    /// The way round a ring if both ways are equally long.
    #[derive(Eq)]
    pub enum HalfWay {
        /// A random way, drawn when the message is generated.
        Random,
        /// The positive way.
        Positive,
        /// Both ways are offered to the head while they are equally long. Only for adaptive and
        /// hop-based routing.
        Adaptive,
    }

    /// The VC classes of messages on the rings of a torus.
    ///
    /// All but [`Self::None`] follow Dally and Seitz, *Deadlock-free message routing in
    /// multiprocessor interconnection networks* (1987).
    #[derive(Eq)]
    pub enum Classes {
        /// Class 0 up to and including the wrap-around channel of this dimension; class 1
        /// afterwards, or if the path does not use this channel.
        Destination,
        /// Class 0 from the start, class 1 after the wrap-around channel.
        Dateline,
        /// Class 1 for the whole dimension if the path uses its wrap-around channel, otherwise
        /// class 0. Safe only if paths go at most half way round.
        Static,
        /// As [`Self::Destination`], but a message that does not need the wrap-around channel uses
        /// a class drawn for each dimension.
        Random,
        /// No rule: every VC is available to every message, so rings can deadlock.
        None,
    }

    /// The length of a link.
    #[derive(Eq)]
    pub enum Distance {
        /// 1, so that the routes with the fewest links are the shortest.
        Hops,
        /// The delay of the link in cycles; 1 for links with the delay of the machine.
        Delay,
    }

    /// The choice among the shortest routes between two switches.
    #[derive(Eq)]
    pub enum Paths {
        /// A random route for every message, all with equal probability.
        Split,
        /// A fixed route for every pair of hosts: its number is the sum of the indices of the two
        /// hosts at their switches, modulo the number of routes.
        Host,
        /// The first route for all messages, in the order of the switches visited.
        First,
    }
}
