//! Rules that affect every flit, as compile-time constants: the step is compiled once per machine.
//! All constants are false for the default machine.

/// The rules of a machine used inside the loop over flits; other rules affect only heads.
pub(super) trait Rules {
    /// Slots emptied in a cycle can be refilled in the same cycle.
    const INSTANT: bool;
    /// Every VC is a private, slow channel.
    const FIXED: bool;
    /// A VC is free once the tail has been sent into it.
    const SENT: bool;
    /// Flits or credits are under way between cycles.
    const FAR: bool;
    /// Buffers count their slots, and holds have positions in buffers. Otherwise a buffer contains
    /// only the flits of its single worm, every channel is a link, and worms may run freely.
    const TABLES: bool;
}

/// A machine given by its rules.
pub(super) struct By<
    const INSTANT: bool,
    const FIXED: bool,
    const SENT: bool,
    const FAR: bool,
    const TABLES: bool = true,
>;

impl<const INSTANT: bool, const FIXED: bool, const SENT: bool, const FAR: bool, const TABLES: bool>
    Rules for By<INSTANT, FIXED, SENT, FAR, TABLES>
{
    const INSTANT: bool = INSTANT;
    const FIXED: bool = FIXED;
    const SENT: bool = SENT;
    const FAR: bool = FAR;
    const TABLES: bool = TABLES;
}

/// The default machine.
pub(super) type Default = By<false, false, false, false, false>;
