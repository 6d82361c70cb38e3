//! Closed links: their VCs are removed from the mask of free VCs.
//!
//! VCs are granted only from the mask `free` of a channel, so closed links need no test on grants.
//! Free VCs of a closed link are set aside, and restored when the link is opened. Worms on a closed
//! link advance as usual, flit by flit or in bulk, and release their VCs as usual.

use super::records::Worm;
use super::state::State;

impl State {
    /// Removes the VCs of a channel from allocation.
    pub fn close(&mut self, channel: usize) {
        let row = &mut self.channels[channel];
        row.closed = true;
        self.aside.insert(channel as u32, std::mem::take(&mut row.free));
    }

    /// Returns the VCs of a closed channel to allocation; heads at its router are served in the
    /// next allocation.
    pub fn open(&mut self, channel: usize) {
        let row = &mut self.channels[channel];
        row.closed = false;
        row.free = self.aside.remove(&(channel as u32)).unwrap_or_default();
        if row.free != 0 {
            let router = row.from;
            self.mark_freed(router, Worm::mark(channel as u32));
        }
    }

    /// Frees a VC for the next grant, unless its channel is closed.
    #[inline]
    pub fn free_vc(&mut self, vc: u32) {
        let (channel, v) = self.split(vc);
        if self.let_free(channel, 1 << v) {
            let router = self.channels[channel].from;
            self.mark_freed(router, Worm::mark(channel as u32));
        }
    }

    /// Frees VCs of an open or closed channel. Returns true if the VCs can be granted.
    #[inline]
    pub fn let_free(&mut self, channel: usize, vcs: u32) -> bool {
        let row = &mut self.channels[channel];
        if row.closed {
            self.put_aside(channel, vcs);
            return false;
        }
        row.free |= vcs;
        true
    }

    #[cold]
    fn put_aside(&mut self, channel: usize, vcs: u32) {
        if let Some(aside) = self.aside.get_mut(&(channel as u32)) {
            *aside |= vcs;
        }
    }

    /// The unoccupied VCs of an open or closed channel.
    pub fn unheld(&self, channel: usize) -> u32 {
        let row = &self.channels[channel];
        if row.closed { self.aside.get(&(channel as u32)).copied().unwrap_or(0) } else { row.free }
    }
}
