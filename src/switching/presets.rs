//! The machines of published papers.

use super::{
    Allocation, Bandwidth, Ejection, Injection, LatencyTo, Preset, Release, Selection, Terminals,
    WAITING_MAX_DEFAULT, Wormhole,
};

impl Wormhole {
    /// A published machine. Its buffers hold one flit; those of [`Preset::FiniteBuffers1997`] 200,
    /// at delays of 10 cycles for flits and credits, which are parameters of that paper (002).
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
        }
    }
}
