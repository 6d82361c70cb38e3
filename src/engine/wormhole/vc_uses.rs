//! Computes the uses of VCs from the counts of grants and the flits not yet sent.

use super::engine::WormholeEngine;
use super::records::NONE;
use crate::engine::totals::VcUse;

impl WormholeEngine {
    /// The uses of every VC, in the order of [`crate::engine::Snapshot::vcs`]; empty if not
    /// counted.
    pub(super) fn vc_uses(&self, out: &mut Vec<VcUse>) {
        let (state, counts) = (&self.state, &self.counts);
        out.clear();
        if counts.granted.is_empty() {
            return;
        }
        for channel in 0..state.channels.len() {
            for v in 0..state.virtual_channels {
                let slot = state.slot(channel, v);
                let hold = state.hold(slot);
                let held = hold.worm != NONE && state.is_held(slot);
                let to_come = if held { state.flits(slot, self.now).left } else { 0 };
                let granted = counts.granted[slot as usize];
                let (flits, waited) = (granted - u64::from(to_come), counts.waited[slot as usize]);
                out.push(VcUse { flits, waited });
            }
        }
    }
}
