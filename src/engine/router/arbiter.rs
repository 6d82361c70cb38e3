//! Round-robin arbiters.

/// The rank of a request for a round-robin arbiter: its distance from the preferred position.
#[inline]
pub(super) fn distance(position: u32, preferred: u32, count: u32) -> u32 {
    if position >= preferred { position - preferred } else { position + count - preferred }
}

/// The position after `position`.
#[inline]
pub(super) fn after(position: u32, count: u32) -> u32 {
    if position + 1 == count { 0 } else { position + 1 }
}

/// The best request of a cycle at one arbiter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub rank: u32,
    /// The requesting row.
    pub row: u32,
}

impl Best {
    pub const NONE: Self = Self { rank: u32::MAX, row: u32::MAX };

    /// Keeps the request with the lower rank.
    #[inline]
    pub fn offer(&mut self, rank: u32, row: u32) {
        if rank < self.rank {
            *self = Self { rank, row };
        }
    }
}
