//! Circuit switching: a message first reserves every link of its route, hop by hop, and then sends
//! its data over all of them at once (001).
//!
//! The unit of time is the unit of a scenario's transmission times, usually their mean. At every
//! node a routing controller serves requests one after the other, first come first served: *verify*
//! checks the requested link, *connect* reserves the link, and *release* frees the link. After the
//! last reservation the destination *acknowledges*, and the data start.
//!
//! Terminals that share a router have a link to the router and a link from it, which are the first and
//! the last link of a circuit; the controller of the router serves them. A terminal alone at its
//! router is the router, as in 001.

use crate::units::FLITS_PER_TIME;
use crate::words::Need::{Default, Example, Open};
use crate::words::{Kind, Words, words};

/// The longest service, back-off or transmission, in units of time.
pub const TIME_MAX: f64 = 100.0;
/// The highest rate of sources in messages per node and unit of time: a node may set up any number
/// of circuits.
pub const RATE_MAX: f64 = 1000.0;
/// Default time of each action of a routing controller (001, section 6).
pub const SERVICE_DEFAULT: f64 = 0.001;
/// Default back-off (001, section 6).
pub const BACK_OFF_DEFAULT: f64 = 1.5;

/// Limits of a time that may be 0, in units of time.
const TIMES: (f64, f64) = (0.0, TIME_MAX);

/// Waiting time of a message after the release of its links.
const BACK_OFF: Kind =
    Kind::within("the back-off", "1.5", (1.0 / FLITS_PER_TIME as f64, TIME_MAX), "units of time");

words! {
    /// Which law settles a request for a link that another circuit holds (001, section 3).
    pub enum Conflict {
        /// It waits in the link's queue, keeping the links it has.
        Hold,
        /// It gives back the links it has, waits, and asks again for the same way.
        Drop {
            /// How long it waits after the last link is back, in units of time, above 0.
            back_off: f64 = Default("1.5"), BACK_OFF;
        },
        /// It takes any free link that leads closer, in random order; where none is free it gives back
        /// what it has, waits, and tries again with new random choices.
        Adaptive {
            /// How long it waits after the last link is back, in units of time, above 0.
            back_off: f64 = Default("1.5"), BACK_OFF;
        },
    }

    /// What one circuit takes of a link.
    pub enum Duplex {
        /// Both directions: the reverse one carries the acknowledgement. The default on hypercubes.
        Half,
        /// Its own direction only. The default on all other networks.
        Full,
    }

    /// What is done about circuits that wait for each other in a ring, which [`Conflict::Hold`] allows
    /// on tori and other networks (001 does not say).
    pub enum Remedy {
        /// The message whose wait closes the ring gives back its links, waits, and asks again.
        Abort {
            /// How long it waits, in units of time, above 0.
            back_off: f64 = Default("1.5"), BACK_OFF;
        },
        /// The run stops.
        Stop,
        /// No ring can close: every link has two lanes, each of which carries a full circuit, and a
        /// circuit changes from the first to the second behind the wrap-around link.
        Lanes,
    }

    /// A circuit-switched machine. All times are in the unit in which transmission times are given.
    pub struct Circuit {
        /// What becomes of a request for a link in use.
        pub conflict: Conflict = Example("Hold"), Conflict::KIND;
        /// Time in which a controller looks at one link; left out, `service`.
        pub verify: f64 = Open,
            Kind::within("the time to verify a link", "0.001", TIMES, "units of time");
        /// Time in which a controller takes a link; left out, `service`.
        pub connect: f64 = Open,
            Kind::within("the time to connect a link", "0.001", TIMES, "units of time");
        /// Time in which a controller gives a link back; left out, `service`.
        pub release: f64 = Open,
            Kind::within("the time to release a link", "0.001", TIMES, "units of time");
        /// Time from the last connection to the beginning of the data; left out, `service`.
        pub acknowledge: f64 = Open,
            Kind::within("the time of the acknowledgement", "0.001", TIMES, "units of time");
        /// What a circuit takes of a link; left out, `Half` on hypercubes and `Full` elsewhere.
        pub duplex: Duplex = Open, Duplex::KIND;
        /// What is done about rings of waiting circuits, where they hold.
        pub on_deadlock: Remedy = Default("Abort(back_off: 1.5)"), Remedy::KIND;
    }
}

impl Circuit {
    /// Creates the machine of 001 under this law: services of [`SERVICE_DEFAULT`], half-duplex
    /// links, victims aborted.
    pub const fn new(conflict: Conflict) -> Self {
        Self {
            conflict,
            verify: SERVICE_DEFAULT,
            connect: SERVICE_DEFAULT,
            release: SERVICE_DEFAULT,
            acknowledge: SERVICE_DEFAULT,
            duplex: Duplex::Half,
            on_deadlock: Remedy::Abort { back_off: BACK_OFF_DEFAULT },
        }
    }

    /// Number of circuits on a link (or on one direction) at a time.
    pub const fn lanes(&self) -> u32 {
        if matches!(self.on_deadlock, Remedy::Lanes) { 2 } else { 1 }
    }

    /// Waiting time after an aborted attempt; `None` if no attempts are aborted.
    pub const fn back_off(&self) -> Option<f64> {
        match (self.conflict, self.on_deadlock) {
            (Conflict::Drop { back_off } | Conflict::Adaptive { back_off }, _)
            | (Conflict::Hold, Remedy::Abort { back_off }) => Some(back_off),
            _ => None,
        }
    }

    /// The law's name for display.
    pub const fn name(&self) -> &'static str {
        match self.conflict {
            Conflict::Hold => "hold",
            Conflict::Drop { .. } => "drop",
            Conflict::Adaptive { .. } => "adaptive",
        }
    }
}
