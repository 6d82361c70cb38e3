//! Closes channels: their VCs are removed from the mask of free VCs.
//!
//! VCs are granted only from the mask [`Channel::free`], so closed channels need no test on grants.
//! Free VCs of a closed channel are set aside, and restored when the channel is opened. VCs released
//! on a closed channel join them. Worms that hold a VC of the channel are lost or stopped by `failures`.

use std::collections::BTreeMap;

use educe::Educe;
use get_size2::GetSize;

use super::records::Channel;

/// The VCs of each closed channel that are not held by any worm, as a mask per channel.
#[derive(Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Closed(BTreeMap<u32, u32>);

impl Closed {
    /// Removes the VCs of the channel in row `at` from allocation.
    pub fn close(&mut self, at: usize, row: &mut Channel) {
        row.closed = true;
        self.0.insert(at as u32, std::mem::take(&mut row.free));
    }

    /// Returns the VCs of the channel in row `at` to allocation. Returns true if any VC can be
    /// granted.
    pub fn open(&mut self, at: usize, row: &mut Channel) -> bool {
        row.closed = false;
        row.free = self.0.remove(&(at as u32)).unwrap_or_default();
        row.free != 0
    }

    /// Frees VCs of the channel in row `at`, open or closed. Returns true if the VCs can be
    /// granted.
    #[inline]
    pub fn release(&mut self, at: usize, row: &mut Channel, vcs: u32) -> bool {
        if row.closed {
            self.put_aside(at, vcs);
            return false;
        }
        row.free |= vcs;
        true
    }

    #[cold]
    fn put_aside(&mut self, at: usize, vcs: u32) {
        if let Some(aside) = self.0.get_mut(&(at as u32)) {
            *aside |= vcs;
        }
    }

    /// The VCs of the channel in row `at`, open or closed, that are not held by any worm.
    pub fn unheld(&self, at: usize, row: &Channel) -> u32 {
        if row.closed { self.aside(at).unwrap_or_default() } else { row.free }
    }

    /// The VCs set aside for the channel in row `at`; `None` if open.
    pub fn aside(&self, at: usize) -> Option<u32> {
        self.0.get(&(at as u32)).copied()
    }

    /// Removes the entry of the channel in row `at`; for tests.
    #[cfg(test)]
    pub fn forget(&mut self, at: usize) {
        self.0.remove(&(at as u32));
    }
}
