//! Published machines.

use super::{
    Allocation, Bandwidth, Ejection, Injection, LatencyTo, Release, SPEEDUP_MAX, Selection, Stages,
    Terminals, WAITING_MAX_DEFAULT, Wormhole,
};
use crate::words::words;

words! {
    /// A published machine.
    pub enum Preset {
        /// Greenberg and Guan's (PDCS 1997): injection and ejection are channels.
        MeshTorus1997,
        /// Boppana and Chalasani's (ISCA 1993): every VC is a private channel.
        Hops1993,
        /// Hu and Kleinrock's (ITC 1997): channels that take time, and one long buffer per input port.
        FiniteBuffers1997,
        /// The router of `BookSim2` by default: a pipeline with `route: 1`, and buffers of 8 flits.
        BookSim2,
        /// The router of CAMINOS by default: stages and credits without delay, an input of the crossbar for
        /// each VC, up to four, and outputs that prefer messages that cross them to heads.
        Caminos,
        /// The router of Garnet in gem5 by default: a cycle for each router, four flits for each VC, and
        /// a message at a time in each.
        Garnet,
    }
}

impl Wormhole {
    /// Creates a published machine with buffers of one flit, except those with a pipeline and
    /// [`Preset::FiniteBuffers1997`]: buffers of 200 flits, at delays of 10 cycles for flits and
    /// credits, all parameters of the paper (002).
    pub const fn preset(preset: Preset, virtual_channels: u32) -> Self {
        let shared = Self {
            credit_delay: 0,
            release: Release::Sent,
            allocation: Allocation::FirstComeFirstServed,
            ..Self::new(virtual_channels, 1)
        };
        match preset {
            Preset::MeshTorus1997 => Self {
                injection: Injection::OneMessage,
                ejection: Ejection::PerWorm,
                terminals: Terminals::Channels,
                ..shared
            },
            Preset::Hops1993 => Self {
                bandwidth: Bandwidth::Fixed,
                injection: Injection::Independent { waiting_max: WAITING_MAX_DEFAULT },
                selection: Selection::Random,
                ..shared
            },
            Preset::FiniteBuffers1997 => Self {
                buffer_flits: 200,
                channel_delay: 10,
                credit_delay: 10,
                injection: Injection::OneMessage,
                ejection: Ejection::Shared,
                terminals: Terminals::Channels,
                allocation: Allocation::FirstAskedFirstServed,
                latency_to: LatencyTo::EndOfCycle,
                ..shared
            },
            Preset::BookSim2 => Self::pipelined(virtual_channels, Stages::after(1)),
            Preset::Caminos => {
                let stages = Stages {
                    vc: 0,
                    switch: 0,
                    traverse: 0,
                    input_speedup: SPEEDUP_MAX,
                    hold_for_packet: true,
                    credit: 0,
                    injection: 1,
                    ..Stages::after(0)
                };
                Self::pipelined(virtual_channels, stages)
            }
            Preset::Garnet => {
                let stages = Stages { vc: 0, traverse: 0, ..Stages::after(0) };
                Self {
                    buffer_flits: 4,
                    release: Release::Credit,
                    ..Self::pipelined(virtual_channels, stages)
                }
            }
        }
    }
}
