//! Closed channels: their VCs are kept out of the mask from which heads are served.
//!
//! A VC is granted from a channel's mask [`Channel::free`] alone, so closed channels cost no test there.
//! VCs of a closed channel that no worm holds are put aside, and given back when it is opened. Worms that
//! hold a VC of it move on, flit by flit or as a whole, and leave it as they leave any other.

use std::collections::BTreeMap;

use educe::Educe;
use get_size2::GetSize;

use super::records::Channel;

/// Of each closed channel, the VCs that no worm holds.
#[derive(Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Closed(BTreeMap<u32, u32>);

impl Closed {
    /// Closes the channel in row `at`.
    pub fn close(&mut self, at: usize, row: &mut Channel) {
        row.closed = true;
        self.0.insert(at as u32, std::mem::take(&mut row.free));
    }

    /// Opens the channel in row `at`. Answers whether one of its VCs can be granted.
    pub fn open(&mut self, at: usize, row: &mut Channel) -> bool {
        row.closed = false;
        row.free = self.0.remove(&(at as u32)).unwrap_or_default();
        row.free != 0
    }

    /// VCs of the channel in row `at` are held by no worm from now on. Answers whether they can be
    /// granted.
    #[inline]
    pub fn let_free(&mut self, at: usize, row: &mut Channel, vcs: u32) -> bool {
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

    /// The VCs of the channel in row `at` that no worm holds, be it open or closed.
    pub fn unheld(&self, at: usize, row: &Channel) -> u32 {
        if row.closed { self.aside(at).unwrap_or_default() } else { row.free }
    }

    /// The VCs that are put aside of the channel in row `at`; none where it is open.
    pub fn aside(&self, at: usize) -> Option<u32> {
        self.0.get(&(at as u32)).copied()
    }

    /// For tests: forgets the channel in row `at`.
    #[cfg(test)]
    pub fn forget(&mut self, at: usize) {
        self.0.remove(&(at as u32));
    }
}
