//! The passage of flits through a router: at once, or in the stages of a pipeline.

use super::{Allocation, Ejection, Injection, Release, Selection, Terminals, Wormhole};
use crate::words::Need::Default;
use crate::words::{Kind, Structure, Words as _, words};

/// The longest stage in cycles.
const STAGE_MAX: u32 = 16;
/// The maximum number of crossbar inputs of an input port, of crossbar outputs of an output port, and of
/// internal cycles of a router in a cycle.
pub const SPEEDUP_MAX: u32 = 4;

/// The maximum number of iterations of an allocation.
pub const ITERATIONS_MAX: u32 = 16;

words! {
    /// The passage of flits through a router.
    pub enum Pipeline {
        /// A head is routed, gets a VC and leaves in one cycle.
        Immediate,
        /// An input-queued router with four stages. Heads pass all of them; other flits pass the last
        /// two. At most one flit per cycle leaves an input port, and one enters an output port. With a
        /// speedup of outputs or of the router, flits wait for the channel in an output buffer without
        /// limit.
        /// Other fields have the values of such a router if omitted: buffers of 8 flits,
        /// `release: Sent`, `allocation: RoundRobin`, `selection: RoundRobin`,
        /// `terminals: Channels`, `injection: OneMessage`, `ejection: Shared`, `credit_delay: 0`.
        Stages(struct Stages),
    }

    /// The stages of a router, in internal cycles.
    #[derive(Eq)]
    pub struct Stages {
        /// Cycles of the computation of a route; 0 if the router before computes it.
        pub route: u32 = Default("0"), Kind::whole("the cycles of a route", 0, STAGE_MAX);
        /// Cycles of the allocation of a VC.
        pub vc: u32 = Default("1"), Kind::whole("the cycles of the VC allocation", 0, STAGE_MAX);
        /// Cycles of the allocation of the crossbar.
        pub switch: u32 = Default("1"),
            Kind::whole("the cycles of the crossbar allocation", 0, STAGE_MAX);
        /// Cycles of the crossing.
        pub traverse: u32 = Default("1"), Kind::whole("the cycles of the crossing", 0, STAGE_MAX);
        /// True if heads request the crossbar together with a VC. Such a request ranks below all
        /// others, and is lost if no VC is allocated.
        pub speculative: bool = Default("false"), Kind::Own("`true` or `false`", Structure::Truth);
        /// The allocation of VCs and of the crossbar to the requests of a cycle.
        pub allocator: Allocator = Default("Islip(iterations: 1)"), Allocator::KIND;
        /// Crossbar inputs of an input port, used by its VCs in turn.
        pub input_speedup: u32 = Default("1"),
            Kind::whole("the crossbar inputs of an input port", 1, SPEEDUP_MAX);
        /// Crossbar outputs of an output port, used by the input ports in turn.
        pub output_speedup: u32 = Default("1"),
            Kind::whole("the crossbar outputs of an output port", 1, SPEEDUP_MAX);
        /// Internal cycles of the router in a cycle. Stages take internal cycles.
        pub internal_speedup: u32 = Default("1"),
            Kind::whole("the internal cycles in a cycle", 1, SPEEDUP_MAX);
        /// True if an output prefers flits of messages that cross it to heads, and so serves a message from
        /// head to tail while the message can move.
        pub hold_for_packet: bool = Default("false"),
            Kind::Own("`true` or `false`", Structure::Truth);
        /// Cycles, besides that of its link and `credit_delay`, after which a credit can be used.
        pub credit: u32 = Default("1"), Kind::whole("the cycles of a credit", 0, STAGE_MAX);
        /// Cycles of a flit from its node to the buffer of its router.
        pub injection: u32 = Default("2"), Kind::whole("the cycles of the injection", 1, STAGE_MAX);
    }

    /// The allocation of resources to requests: of VCs to heads, and of crossbar outputs to inputs.
    /// The requests of speculative heads for the crossbar are always allocated by one iteration of `Islip`.
    #[derive(Eq)]
    pub enum Allocator {
        /// Resources grant one request each, and requesters accept one grant each, round robin. Each
        /// further iteration matches requesters and resources that the ones before left over.
        Islip {
            /// Iterations in a cycle.
            iterations: u32 = Default("1"), Kind::whole("the number of iterations", 1, ITERATIONS_MAX);
        },
        /// Requesters choose one resource each, and resources grant one of the requests so chosen, round
        /// robin.
        Separable,
        /// Requests are granted diagonal by diagonal of the matrix of requesters and resources, which
        /// begins with another diagonal in every cycle.
        Wavefront,
    }
}

impl Stages {
    /// A router with one cycle for each stage after the route.
    pub const fn after(route: u32) -> Self {
        Self {
            route,
            vc: 1,
            switch: 1,
            traverse: 1,
            speculative: false,
            allocator: Allocator::Islip { iterations: 1 },
            input_speedup: 1,
            output_speedup: 1,
            internal_speedup: 1,
            hold_for_packet: false,
            credit: 1,
            injection: 2,
        }
    }

    /// True if heads gain time by requesting the crossbar together with a VC.
    pub fn speculates(self) -> bool {
        self.speculative && self.vc > 0 && self.switch > 0
    }

    /// True if flits wait for their channel in an output buffer after the crossing.
    pub const fn has_output_buffers(self) -> bool {
        self.output_speedup > 1 || self.internal_speedup > 1
    }

    /// True if two flits can end the crossing to a channel in the same cycle: the later one waits.
    pub fn meet_at_channels(self) -> bool {
        self.has_output_buffers() || self.speculates() && self.vc > self.switch
    }

    /// True if a port has one input and one output of the crossbar in each cycle, allocated in one
    /// iteration, an output serves any message, and heads do not speculate.
    pub fn is_simple(self) -> bool {
        let speedups = [self.input_speedup, self.output_speedup, self.internal_speedup];
        let allocator = Allocator::Islip { iterations: 1 };
        let usual = speedups == [1; 3] && self.allocator == allocator;
        usual && !self.hold_for_packet && !self.speculates()
    }

    /// The cycles in which a number of internal cycles end that begin with a cycle.
    const fn cycles(self, internal: u32) -> u32 {
        internal.div_ceil(self.internal_speedup)
    }

    /// Cycles by which the second flit of a message follows later than the next cycle, if the head
    /// crosses by speculation: the flit requests the crossbar once the VC is allocated.
    pub fn behind_guess(self) -> u32 {
        if !self.speculates() {
            return 0;
        }
        let second = self.internal_speedup.max(self.route + self.vc) + self.switch + self.traverse;
        self.cycles(second).saturating_sub(self.of_head() + 1)
    }

    /// Internal cycles from the request of a head for a VC until the head starts to cross, if both
    /// requests succeed at once.
    pub fn allocation(self) -> u32 {
        if self.speculative { self.vc.max(self.switch) } else { self.vc + self.switch }
    }

    /// Cycles for which a head that waits for nothing remains in a router.
    pub fn of_head(self) -> u32 {
        self.cycles(self.route + self.allocation() + self.traverse)
    }

    /// Internal cycles from the arrival of a head at the front of its buffer to its first request for
    /// the crossbar; in this time its VC is idle.
    pub fn before_crossing(self) -> u32 {
        if self.speculative { self.route } else { self.route + self.vc }
    }

    /// Cycles from the request of a flit for the crossbar until its departure, if it waits for nothing.
    pub fn of_flit(self) -> u32 {
        self.cycles(self.switch + self.traverse)
    }

    /// Cycles from the sending of a flit over a channel with a delay of `delay` cycles until its slot
    /// can be used again, if the flit leaves at once.
    pub fn round_trip(self, delay: u32, credit_delay: u32) -> u32 {
        self.of_flit() + delay + self.credit + delay + credit_delay
    }
}

impl Pipeline {
    /// The stages, if any.
    pub const fn stages(self) -> Option<Stages> {
        match self {
            Self::Immediate => None,
            Self::Stages(stages) => Some(stages),
        }
    }
}

impl Wormhole {
    /// The default machine with a pipeline.
    pub const fn pipelined(virtual_channels: u32, stages: Stages) -> Self {
        Self {
            pipeline: Pipeline::Stages(stages),
            credit_delay: 0,
            release: Release::Sent,
            injection: Injection::OneMessage,
            ejection: Ejection::Shared,
            terminals: Terminals::Channels,
            allocation: Allocation::RoundRobin,
            selection: Selection::RoundRobin,
            ..Self::new(virtual_channels, 8)
        }
    }

    /// The default machine with the same pipeline, VCs and buffers.
    pub(super) fn usual(&self) -> Self {
        let Self { virtual_channels, buffer_flits, .. } = *self;
        let usual = match self.pipeline.stages() {
            None => Self::new(virtual_channels, buffer_flits),
            Some(stages) => Self::pipelined(virtual_channels, stages),
        };
        Self { buffer_flits, ..usual }
    }
}
