//! The rules that matter for every flit, as constants: each machine is one instance of
//! the step; in the default machine all are false.

/// The rules of a machine that decide inside the loop over flits; the others matter to heads only.
pub(super) trait Rules {
    /// A slot emptied in a cycle can be refilled in it.
    const INSTANT: bool;
    /// Every VC is a private, slow channel.
    const FIXED: bool;
    /// A VC is free when the tail has been sent into it.
    const SENT: bool;
    /// Flits or credits are under way from one cycle to another.
    const FAR: bool;
    /// Buffers count their slots and holds have places in them. Without, a buffer is what its one
    /// worm has in it, every channel is a link, and worms may run free.
    const TABLES: bool;
}

/// A machine by its rules.
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
