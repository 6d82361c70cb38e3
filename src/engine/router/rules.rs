//! Rules of routers as compile-time constants: the step is compiled for simple routers and for all others.

/// The rules of a router used inside the loop over flits.
pub(super) trait Rules {
    /// A cycle is one internal cycle, a port has one input and one output of the crossbar, allocated by one
    /// iteration of iSLIP, outputs serve any message, links take a flit in every cycle, and heads do not
    /// speculate.
    const SIMPLE: bool;
}

pub(super) struct Simple;

impl Rules for Simple {
    const SIMPLE: bool = true;
}

pub(super) struct Other;

impl Rules for Other {
    const SIMPLE: bool = false;
}
