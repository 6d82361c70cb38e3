//! Figures of a system that are computed on first use.

use std::sync::{Arc, OnceLock};

use crate::capacity::Capacity;
use crate::system::System;
use crate::system::failures::Proven;

/// Maximum number of proven changes of routes.
const CHANGES_MAX: usize = 64;

/// The capacity of a system, and the proofs of its routes after failures, computed on first use and shared
/// by clones.
#[derive(Clone, Debug, Default)]
pub struct LazyCapacity(Arc<Figures>);

#[derive(Debug, Default)]
struct Figures {
    capacity: OnceLock<Option<Capacity>>,
    proven: OnceLock<Vec<Proven>>,
}

impl LazyCapacity {
    /// The capacity of the system; `None` if the network is too large to compute the capacity.
    pub(super) fn of(&self, system: &System) -> Option<&Capacity> {
        self.0.capacity.get_or_init(|| Capacity::of(system).ok()).as_ref()
    }

    /// The routes of the system after each given failure, with their proofs.
    pub fn proven_after_failures(&self, system: &System) -> &[Proven] {
        self.0.proven.get_or_init(|| system.proven_after_failures(CHANGES_MAX))
    }
}
