//! The rules that matter for every flit, as constants: a machine is an instance of the one step, the
//! default machine that with all of them off.

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

/// The default machine.
pub(super) struct Default;

impl Rules for Default {
    const INSTANT: bool = false;
    const FIXED: bool = false;
    const SENT: bool = false;
    const FAR: bool = false;
    const TABLES: bool = false;
}

/// Any machine by its rules.
pub(super) struct Any<const INSTANT: bool, const FIXED: bool, const SENT: bool, const FAR: bool>;

impl<const INSTANT: bool, const FIXED: bool, const SENT: bool, const FAR: bool> Rules
    for Any<INSTANT, FIXED, SENT, FAR>
{
    const INSTANT: bool = INSTANT;
    const FIXED: bool = FIXED;
    const SENT: bool = SENT;
    const FAR: bool = FAR;
    const TABLES: bool = true;
}
