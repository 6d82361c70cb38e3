//! Types and permitted values of the fields of routing algorithms.

use crate::ids::RouterId;
use crate::topology::switches::SWITCHES_MAX;
use crate::words::{Field, Kind, Need, Structure, Words, words};

/// A type of fields.
pub(super) trait Parameter {
    const HELP: &'static str;
    /// The default value.
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

impl Parameter for RouterId {
    const HELP: &'static str = "The root switch.";
    const DEFAULT: &'static str = "0";
    const KIND: Kind = Kind::Own(
        "the number of a switch",
        Structure::Either(&[Kind::whole("the root", 0, SWITCHES_MAX as u32 - 1)]),
    );
}

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
