//! Types and permitted values of the fields of routing algorithms.

use crate::ids::RouterId;
use crate::topology::switches::SWITCHES_MAX;
use crate::words::{Field, Kind, Need, Structure, Words, words};

/// A type of fields.
pub(super) trait Parameter {
    const HELP: &'static str;
    /// The default value.
    const DEFAULT: &'static str;
    const KIND: Kind;
}

impl<T: Words> Parameter for T {
    const HELP: &'static str = T::ABOUT;
    const DEFAULT: &'static str = T::VALUES[0].name;
    const KIND: Kind = T::KIND;
}

impl Parameter for RouterId {
    const HELP: &'static str = "The switch at the top.";
    const DEFAULT: &'static str = "0";
    const KIND: Kind = Kind::Own(
        "the number of a switch",
        Structure::Either(&[Kind::whole("the root", 0, SWITCHES_MAX as u32 - 1)]),
    );
}

/// The descriptor of a field of this type.
pub(super) const fn field<T: Parameter>(name: &'static str) -> Field {
    Field { name, help: T::HELP, need: Need::Default(T::DEFAULT), kind: T::KIND }
}

words! {
    /// Which way round a ring a message goes when both are equally long.
    #[derive(Eq)]
    pub enum HalfWay {
        /// It draws one at its generation.
        Random,
        /// The positive way.
        Positive,
        /// Either: both are offered to its head as long as both are equally long. Only for the
        /// adaptive and the hop rules.
        Adaptive,
    }

    /// Which class of VCs a message uses on the rings of a torus.
    ///
    /// All but [`Self::None`] follow Dally and Seitz, *Deadlock-free message routing in
    /// multiprocessor interconnection networks* (1987).
    #[derive(Eq)]
    pub enum Classes {
        /// Class 0 while the wrap-around channel of this dimension is still ahead (and on it),
        /// class 1 after it or when it is not needed.
        Destination,
        /// Class 0 from the start, class 1 after the wrap-around channel.
        Dateline,
        /// Class 1 for the whole dimension where the path uses its wrap-around channel, else class
        /// 0. Safe only where paths go at most half way round.
        Static,
        /// As [`Self::Destination`], but a message that does not need the wrap-around channel keeps
        /// to a class that it draws for each dimension.
        Random,
        /// No rule: every VC is open to every message. Rings can then deadlock.
        None,
    }

    /// Which of the shortest routes between two switches messages take.
    #[derive(Eq)]
    pub enum Paths {
        /// Every message draws one, all equally likely.
        Split,
        /// Every pair of hosts has its own: the one whose number is the sum of the places of the two
        /// among the hosts of their switches, modulo the number of routes.
        Host,
        /// All take the first, in the order of the switches visited.
        First,
    }
}
