//! Counts the uses of virtual channels, on request, at each grant.

use educe::Educe;
use get_size2::GetSize;

/// Uses by slot; empty unless counting has begun.
#[derive(Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Counts {
    /// The flits of all worms granted the VC.
    pub(super) granted: Vec<u64>,
    /// The cycles waited in the network by their heads before the grant.
    pub(super) waited: Vec<u64>,
}

impl Counts {
    /// Starts to count, at the start of a run.
    pub fn begin(&mut self, slots: u32) {
        self.granted = vec![0; slots as usize];
        self.waited = vec![0; slots as usize];
    }

    /// Adds the flits of a worm that is granted a VC.
    #[inline]
    pub fn grant(&mut self, slot: u32, flits: u32) {
        if let Some(granted) = self.granted.get_mut(slot as usize) {
            *granted += u64::from(flits);
        }
    }

    /// Adds the wait of a head for the granted VC.
    pub fn wait(&mut self, slot: u32, cycles: u64) {
        if let Some(waited) = self.waited.get_mut(slot as usize) {
            *waited += cycles;
        }
    }

    /// Subtracts the flits of an aborted worm that will not cross the VC.
    pub fn abort(&mut self, slot: u32, flits: u32) {
        if let Some(granted) = self.granted.get_mut(slot as usize) {
            *granted -= u64::from(flits);
        }
    }
}
