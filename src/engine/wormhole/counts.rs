//! Uses of virtual channels, counted grant by grant where somebody asks for them.

use educe::Educe;
use get_size2::GetSize;

/// Uses by slot; none while nobody counts.
#[derive(Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Counts {
    /// Flits of the worms that were granted the VC.
    pub(super) granted: Vec<u64>,
    /// Cycles for which their heads had waited for the grant in the network.
    pub(super) waited: Vec<u64>,
}

impl Counts {
    /// Counts from now on, at the beginning of a run.
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

    /// Adds the wait of a head for the VC that it takes.
    pub fn wait(&mut self, slot: u32, cycles: u64) {
        if let Some(waited) = self.waited.get_mut(slot as usize) {
            *waited += cycles;
        }
    }

    /// Takes off the flits of an aborted worm that will not come over the VC.
    pub fn abort(&mut self, slot: u32, flits: u32) {
        if let Some(granted) = self.granted.get_mut(slot as usize) {
            *granted -= u64::from(flits);
        }
    }
}
