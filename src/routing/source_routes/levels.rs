//! Which way is up: the directions of links under up*/down* routing (Schroeder et al. 1991,
//! *Autonet*; 002, section 7).
//!
//! Breadth-first search from a root gives every switch a level. A link is taken *up* when it leads
//! to a switch that comes earlier in the order of (level, number), else *down*. A route may go up and
//! then down, never up again. No cycle of dependencies can close: links up follow the order to the
//! front, links down to the back, and no route goes on from the second kind to the first.

use crate::ids::RouterId;
use crate::topology::Network;

/// The order of the switches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels(Vec<u32>);

impl Levels {
    /// The levels as seen from `root`.
    pub fn new(network: &Network, root: RouterId) -> Self {
        Self(network.distances(root))
    }

    /// The level of a switch: its distance from the root in hops.
    pub fn level(&self, switch: RouterId) -> u32 {
        self.0[switch.index()]
    }

    /// Whether a link from `from` to `to` leads up.
    pub fn up(&self, from: RouterId, to: RouterId) -> bool {
        (self.level(to), to) < (self.level(from), from)
    }
}
