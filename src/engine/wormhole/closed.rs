//! Closed links: their VCs are kept out of the mask from which heads are served.
//!
//! A VC is granted from a channel's mask `free` alone, so closed links cost no test there. VCs of a closed
//! link that no worm holds are put aside, and given back when the link is opened. Worms that hold a VC
//! of it move on, flit by flit or as a whole, and leave it as they leave any other.

use super::records::Worm;
use super::state::State;

impl State {
    /// Grants no VC of a channel from now on.
    pub fn close(&mut self, channel: usize) {
        let row = &mut self.channels[channel];
        row.closed = true;
        self.aside.insert(channel as u32, std::mem::take(&mut row.free));
    }

    /// Grants the VCs of a closed channel again; heads at its router are served in the next allocation.
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

    /// Has VCs of a channel be held by no worm, be it open or closed. Answers whether they can be
    /// granted.
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

    /// The VCs of a channel that no worm holds, be it open or closed.
    pub fn unheld(&self, channel: usize) -> u32 {
        let row = &self.channels[channel];
        if row.closed { self.aside.get(&(channel as u32)).copied().unwrap_or(0) } else { row.free }
    }
}
