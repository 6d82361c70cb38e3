//! Switching techniques: worms of flits ([`Wormhole`]) or circuits ([`Circuit`]).
//!
//! **Worms.** Every directed channel forwards at most one flit per cycle and has
//! [`Wormhole::virtual_channels`] virtual channels (VCs), each with a FIFO of
//! [`Wormhole::buffer_flits`] flits at its far end. A VC is granted to one worm, head to tail. All
//! other rules differ between the published machines, and are fields. The first value of each is
//! the default: the machine of the adaptive torus paper; the presets are the machines of the other
//! papers.
//!
//! **Circuits** are described in [`circuit`].

mod carried;
pub mod circuit;
mod per_class;
mod pipeline;
mod preset;

pub use circuit::Circuit;
pub use per_class::{MESSAGE_CLASSES_MAX, PerClass};
pub use pipeline::{Allocator, ITERATIONS_MAX, Pipeline, SPEEDUP_MAX, Stages};
pub use preset::Preset;

use crate::units::{CYCLES_PER_TIME, FLITS_PER_TIME};
use crate::words::Need::{Default, Open};
use crate::words::{Kind, Structure, Words, words};

/// Maximum number of virtual channels of a channel.
pub const VIRTUAL_CHANNELS_MAX: u32 = 32;
/// Maximum size of a VC's buffer in flits.
pub const BUFFER_FLITS_MAX: u32 = 65_535;
/// The longest channel delay in cycles.
pub const CHANNEL_DELAY_MAX: u32 = 64;
/// The longest credit delay in cycles.
pub const CREDIT_DELAY_MAX: u32 = 64;
/// Default limit on waiting messages at an independent source.
pub const WAITING_MAX_DEFAULT: u32 = 10_000;

/// Switching technique and machine.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub enum Switching {
    /// Worms of flits.
    Wormhole(Wormhole),
    /// Circuits.
    Circuit(Circuit),
}

impl Switching {
    /// The machine under wormhole switching.
    pub const fn wormhole(&self) -> Option<&Wormhole> {
        match self {
            Self::Wormhole(machine) => Some(machine),
            Self::Circuit(_) => None,
        }
    }

    /// The machine under circuit switching.
    pub const fn circuit(&self) -> Option<&Circuit> {
        match self {
            Self::Wormhole(_) => None,
            Self::Circuit(machine) => Some(machine),
        }
    }

    /// Maximum number of messages on a directed channel at a time: its virtual channels, or the
    /// lanes of its link.
    pub const fn virtual_channels(&self) -> u32 {
        match self {
            Self::Wormhole(machine) => machine.virtual_channels,
            Self::Circuit(machine) => machine.lanes(),
        }
    }

    /// Cycles from the head's first move to the consumption of the tail, without other messages,
    /// for a message of `length` flits; under circuit switching, the transmission time.
    #[inline]
    pub fn transfer(&self, length: u32, hops: u32) -> u64 {
        match self {
            Self::Wormhole(machine) => machine.transfer(length, hops),
            Self::Circuit(_) => u64::from(length) * CYCLES_PER_TIME / u64::from(FLITS_PER_TIME),
        }
    }

    /// Flits in the buffer of a virtual channel; circuits have no buffers.
    pub const fn buffer_flits(&self) -> u32 {
        match self {
            Self::Wormhole(machine) => machine.buffer_flits,
            Self::Circuit(_) => 0,
        }
    }
}

impl From<Wormhole> for Switching {
    fn from(machine: Wormhole) -> Self {
        Self::Wormhole(machine)
    }
}

impl From<Circuit> for Switching {
    fn from(machine: Circuit) -> Self {
        Self::Circuit(machine)
    }
}

/// The number of VCs of a message class.
const VCS_OF_CLASS: Kind =
    Kind::whole("the number of VCs of a message class", 1, VIRTUAL_CHANNELS_MAX);
/// The highest rank of a message class.
pub const RANK_MAX: u32 = 1_000_000;

const RANK_OF_CLASS: Kind = Kind::whole("the rank of a message class", 0, RANK_MAX);
const VC_OF_CLASS: Kind = Kind::whole("a VC of a message class", 0, VIRTUAL_CHANNELS_MAX - 1);
const RANGE_OF_CLASS: Kind = Kind::Own(
    "the first and the last VC of a message class",
    Structure::Tuple(&[VC_OF_CLASS], (2, 2)),
);

words! {
    /// The division of a channel among its VCs.
    pub enum Bandwidth {
        /// Flit by flit, round robin over the VCs that can move.
        OnDemand,
        /// Each VC is a private channel that needs as many cycles per flit as its channel has VCs.
        Fixed,
    }

    /// The earliest cycle in which a VC is granted again.
    pub enum Release {
        /// Once the buffer is empty: one cycle after the tail has left, regardless of the credit delay;
        /// with a delay of more than 1 cycle, earlier than a router could know.
        Drained,
        /// One cycle after the tail has entered the buffer; the next worm then queues behind. With a
        /// pipeline, one cycle after the tail has been sent.
        Sent,
        /// When all credits of the buffer have returned (pipelines only).
        Credit,
    }

    /// The order and rate in which the messages of a node leave.
    pub enum Injection {
        /// One flit per cycle from any number of messages under way, the oldest message first.
        OneFlitPerCycle,
        /// One message at a time in order of generation, over one VC, however many the links have. If
        /// terminals are channels, this VC limits the rate of a source ([`Wormhole::injection_bound`]).
        /// With a pipeline, consecutive messages use the VCs in turn.
        OneMessage,
        /// As `OneMessage`, but replies leave before requests (with a pipeline only).
        RepliesFirst,
        /// All waiting messages compete, and none blocks another.
        Independent {
            /// Maximum number of waiting messages at a node; further messages are discarded and counted.
            waiting_max: u32 = Default("10000"),
                Kind::whole("the number of messages that may wait at a node", 1, u32::MAX >> 1);
        },
    }

    /// The rate at which flits leave the network.
    pub enum Ejection {
        /// All flits are consumed on arrival (direct terminals only).
        Unlimited,
        /// Every worm at its destination ejects one flit per cycle, regardless of the others.
        PerWorm,
        /// One ejection channel with one VC, allocated from head to tail; with a pipeline, as many VCs
        /// as links have.
        Shared,
        /// One flit per cycle and node, round robin over the worms at the node.
        OneFlitPerCycle,
    }

    /// The attachment of terminals to their routers.
    pub enum Terminals {
        /// The source feeds the first link, the last link drains into the sink; only links count.
        Direct,
        /// An injection and an ejection channel, which count as hops.
        Channels,
    }

    /// The order of service of waiting heads.
    pub enum Allocation {
        /// The head of the oldest message first. With a pipeline, its flits too.
        OldestFirst,
        /// The first head to arrive at the router; at its source, the first message generated.
        FirstComeFirstServed,
        /// The first head to request. A head behind another worm in its buffer requests once no
        /// worm is ahead. Requests of the same cycle are served in the order of the router's input ports,
        /// from a port drawn anew in every cycle.
        FirstAskedFirstServed,
        /// In turn, from a position that moves past each winner (pipelines only).
        RoundRobin,
        /// Messages of the class with the highest number first, and in turn those of equal numbers: a
        /// number for each message class, in the order of the classes (pipelines only).
        Classes(PerClass<u32> = "Classes([0, 1])", Kind::Own(
            "the ranks of the message classes",
            Structure::List(&RANK_OF_CLASS, (1, MESSAGE_CLASSES_MAX)),
        )),
    }

    /// The end of a message's latency.
    pub enum LatencyTo {
        /// The cycle in which its tail arrives.
        Arrival,
        /// The end of this cycle, one cycle later.
        EndOfCycle,
    }

    /// The choice of a head among several free candidates.
    pub enum Selection {
        /// The candidate preferred by the routing.
        Preference,
        /// Any candidate, all with the same probability.
        Random,
        /// The candidate whose channel has the fewest flits sent without returned credits; of several,
        /// the candidate preferred by the routing.
        LeastLoaded,
        /// In turn, from a position that moves past each VC received (pipelines only).
        RoundRobin,
    }

    /// The earliest time at which a head is forwarded.
    pub enum Forwarding {
        /// Once the head has a VC.
        Wormhole,
        /// Once the head has a VC whose buffer has room for the whole message.
        CutThrough,
        /// Once, in addition, the tail has arrived.
        StoreAndForward,
        /// Bubble flow control (pipelines only): a buffer has slots for whole messages of the maximum
        /// length, two or more. Within a ring of a torus, a head needs a VC with a free slot; to enter a
        /// ring, a VC with two. A slot of every ring is then always free, so rings need no dateline
        /// (Puente et al. 1999).
        Bubble,
    }

    /// The division of the VCs among message classes.
    pub enum MessageVcs {
        /// Messages of all classes use all VCs.
        Shared,
        /// Every message class has VCs of its own: their numbers, in the order of the classes.
        Split(PerClass<u32> = "Split([1, 1])", Kind::Own(
            "the numbers of VCs of the message classes",
            Structure::List(&VCS_OF_CLASS, (1, MESSAGE_CLASSES_MAX)),
        )),
        /// Every message class has the VCs from a first to a last one, in the order of the classes.
        /// Ranges may overlap.
        Ranges(PerClass<(u32, u32)> = "Ranges([(0, 1), (1, 2)])", Kind::Own(
            "the VCs of the message classes",
            Structure::List(&RANGE_OF_CLASS, (1, MESSAGE_CLASSES_MAX)),
        )),
    }

    /// The treatment of a deadlock.
    pub enum OnDeadlock {
        /// The run stops.
        Stop,
        /// The youngest message of the cycle is removed and sent again from its source.
        Abort,
        /// The run continues, without a search for deadlocks.
        Continue,
    }

    /// A machine: buffers, channels and terminals, and the rules by which flits move.
    pub struct Wormhole {
        /// Virtual channels per physical channel; by default the minimum that the routing needs.
        pub virtual_channels: u32 = Open,
            Kind::whole("the number of virtual channels", 1, VIRTUAL_CHANNELS_MAX);
        /// Capacity of each VC's buffer in flits.
        pub buffer_flits: u32 = Default("4"),
            Kind::whole("a buffer's size in flits", 1, BUFFER_FLITS_MAX);
        /// Cycles from the sending of a flit until its next move at the end of the channel. Under
        /// [`Bandwidth::Fixed`] a flit is under way for one cycle less, after the cycles of its sending.
        pub channel_delay: u32 = Default("1"),
            Kind::whole("the channel delay in cycles", 1, CHANNEL_DELAY_MAX);
        /// Cycles from the departure of a flit until its slot in the buffer is available. With 0, a slot
        /// emptied in a cycle can be refilled in the same cycle. With a pipeline, the delay in addition to
        /// that of the channel.
        pub credit_delay: u32 = Default("1"),
            Kind::whole("the credit delay in cycles", 0, CREDIT_DELAY_MAX);
        /// The division of a channel among its VCs.
        pub bandwidth: Bandwidth = Default("OnDemand"), Bandwidth::KIND;
        /// The earliest cycle in which a VC is granted again.
        pub release: Release = Default("Drained"), Release::KIND;
        /// The order and rate in which the messages of a node leave.
        pub injection: Injection = Default("OneFlitPerCycle"), Injection::KIND;
        /// The rate at which flits leave the network.
        pub ejection: Ejection = Default("Unlimited"), Ejection::KIND;
        /// The attachment of terminals to their routers.
        pub terminals: Terminals = Default("Direct"), Terminals::KIND;
        /// The order of service of waiting heads.
        pub allocation: Allocation = Default("OldestFirst"), Allocation::KIND;
        /// The end of a message's latency.
        pub latency_to: LatencyTo = Default("Arrival"), LatencyTo::KIND;
        /// The choice of a head among several free candidates.
        pub selection: Selection = Default("Preference"), Selection::KIND;
        /// The earliest time at which a head is forwarded.
        pub forwarding: Forwarding = Default("Wormhole"), Forwarding::KIND;
        /// The treatment of a deadlock.
        pub on_deadlock: OnDeadlock = Default("Stop"), OnDeadlock::KIND;
        /// The division of the VCs among message classes, as requests and replies.
        pub message_classes: MessageVcs = Default("Shared"), MessageVcs::KIND;
        /// The passage of flits through a router.
        pub pipeline: Pipeline = Default("Immediate"), Pipeline::KIND;
    }
}

impl Wormhole {
    /// Creates the default machine.
    pub const fn new(virtual_channels: u32, buffer_flits: u32) -> Self {
        Self {
            virtual_channels,
            buffer_flits,
            channel_delay: 1,
            credit_delay: 1,
            bandwidth: Bandwidth::OnDemand,
            release: Release::Drained,
            injection: Injection::OneFlitPerCycle,
            ejection: Ejection::Unlimited,
            terminals: Terminals::Direct,
            allocation: Allocation::OldestFirst,
            latency_to: LatencyTo::Arrival,
            selection: Selection::Preference,
            forwarding: Forwarding::Wormhole,
            on_deadlock: OnDeadlock::Stop,
            message_classes: MessageVcs::Shared,
            pipeline: Pipeline::Immediate,
        }
    }

    /// The rules that differ from the default machine, as fields: `release: Sent`. Excludes the
    /// numbers of VCs and flits and the reaction to a deadlock.
    pub fn differences(&self) -> Vec<String> {
        let usual = Self { pipeline: Pipeline::Immediate, ..self.usual() };
        let usual = Self { on_deadlock: self.on_deadlock, ..usual }.told();
        self.told().into_iter().filter(|field| !usual.contains(field)).collect()
    }

    /// True if the messages of a node share its bandwidth flit by flit, instead of holding a VC
    /// each.
    pub fn sends_flit_by_flit(&self) -> bool {
        self.injection == Injection::OneFlitPerCycle && self.terminals == Terminals::Direct
    }

    /// True if the only buffers are the links themselves: a link holds a flit for each cycle of its
    /// delay, and passes a flit per cycle.
    pub fn stops_flits_in_flight(&self) -> bool {
        self.buffer_flits == self.channel_delay
            && self.credit_delay == 0
            && self.pipeline == Pipeline::Immediate
    }

    /// True if flits or credits take more than one cycle, regardless of the bandwidth policy.
    pub fn is_far(&self) -> bool {
        let Self { channel_delay, credit_delay, latency_to, .. } = *self;
        channel_delay > 1 || credit_delay > 1 || latency_to == LatencyTo::EndOfCycle
    }

    /// True if flits move by the rules of the default machine: allocation and selection may differ,
    /// but each channel then moves flits in the same way.
    pub fn moves_by_default(&self) -> bool {
        let default = Self::new(self.virtual_channels, self.buffer_flits);
        let Self { allocation, selection, on_deadlock, message_classes, .. } = *self;
        *self == Self { allocation, selection, on_deadlock, message_classes, ..default }
    }
}

impl Injection {
    /// True if a node sends one message at a time.
    pub fn is_of_one_message(self) -> bool {
        match self {
            Self::OneMessage | Self::RepliesFirst => true,
            Self::OneFlitPerCycle | Self::Independent { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests;
