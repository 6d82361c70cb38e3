//! The fields of routing algorithms: their types, and where their values come from.

use crate::ids::RouterId;

/// Where the fields of an algorithm are read from. What is wrong is noted there.
pub trait Fields {
    /// Which of `words` a field is; the first where it is left out.
    fn word(&mut self, field: &str, words: &[&'static str]) -> Option<usize>;

    /// The router whose number a field is; router 0 where it is left out.
    fn router(&mut self, field: &str) -> Option<RouterId>;
}

/// A type of fields.
pub trait Field: Sized {
    /// Reads the field of this name.
    fn read(field: &str, fields: &mut dyn Fields) -> Option<Self>;
}

impl Field for RouterId {
    fn read(field: &str, fields: &mut dyn Fields) -> Option<Self> {
        fields.router(field)
    }
}

/// Declares an enum whose variants are the words of a field, the first of them the default.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$of_word:meta])* $word:ident,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
        pub enum $name {
            $($(#[$of_word])* $word,)+
        }

        impl $name {
            /// All of them, the default first.
            pub const ALL: &[Self] = &[$(Self::$word),+];
        }

        impl $crate::routing::fields::Field for $name {
            fn read(field: &str, fields: &mut dyn $crate::routing::fields::Fields) -> Option<Self> {
                fields.word(field, &[$(stringify!($word)),+]).map(|word| Self::ALL[word])
            }
        }
    };
}

words! {
    /// Which way round a ring a message goes when both are equally long.
    HalfWay {
        /// It draws one at its generation.
        Random,
        /// The positive way.
        Positive,
        /// Either: both are offered to its head as long as both are equally long. Only for rules
        /// that may choose ([`Routing::may_choose_ways`](super::Routing::may_choose_ways)).
        Adaptive,
    }
}

words! {
    /// Which class of VCs a message uses on the rings of a torus.
    ///
    /// All but [`Self::None`] follow Dally and Seitz, *Deadlock-free message routing in
    /// multiprocessor interconnection networks* (1987).
    Classes {
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
}

words! {
    /// Which of the shortest routes between two switches messages take.
    Paths {
        /// Every message draws one, all equally likely.
        Split,
        /// Every pair of hosts has its own: the one whose number is the sum of the places of the two
        /// among the hosts of their switches, modulo the number of routes.
        Host,
        /// All take the first, in the order of the switches visited.
        First,
    }
}

pub(super) use words;
