//! How the machine moves flits: the choices a scenario makes about channels and buffers.
//!
//! DESIGN of the machine: every directed channel moves at most one flit per cycle and has
//! [`Wormhole::virtual_channels`] virtual channels (VCs), each with a FIFO of
//! [`Wormhole::buffer_flits`] flits at its far end. A VC is granted to one worm, head to tail, and
//! is free again when the tail has left its buffer. A flit's slot may be used again from the cycle
//! after it was emptied. The VCs of a channel share it flit by flit, round robin over those that
//! can move; heads are served oldest message first; a node emits one flit per cycle in all and
//! consumes what arrives at once.

/// The most virtual channels a channel may have.
pub const VIRTUAL_CHANNELS_MAX: u32 = 32;
/// The most flits a VC's buffer may hold.
pub const BUFFER_FLITS_MAX: u32 = 65_535;

/// Wormhole switching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wormhole {
    /// Virtual channels per physical channel, 1 to [`VIRTUAL_CHANNELS_MAX`].
    pub virtual_channels: u32,
    /// Capacity of each VC's buffer in flits, 1 to [`BUFFER_FLITS_MAX`].
    pub buffer_flits: u32,
}
