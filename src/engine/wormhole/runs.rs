//! What is running free, counted and timed.

use educe::Educe;
use get_size2::GetSize;

use super::records::Timer;
use crate::engine::scratch::Scratch;

/// Buckets of the wheel of tail timers.
const BUCKETS: usize = 256;

/// Worms that move as a whole.
#[derive(Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Runs {
    /// Channels on which a running worm moves a flit in every cycle.
    pub channels: u64,
    /// Running worms that still feed from their source.
    pub sources: u64,
    /// Running worms whose flits are being consumed.
    pub sinks: u64,
    /// Timers by cycle, modulo [`BUCKETS`]. A timer is void unless its worm still runs and is due
    /// then.
    wheel: Vec<Vec<Timer>>,
    /// Storage of the bucket that is worked off.
    bucket: Scratch<Timer>,
    /// Running worms whose head crosses in this cycle and asks in the next.
    pub heads: Vec<u32>,
    /// Running worms that met another worm's flit in this cycle: dissolved before the next.
    pub clashes: Vec<u32>,
}

impl Runs {
    pub fn new() -> Self {
        Self {
            channels: 0,
            sources: 0,
            sinks: 0,
            wheel: vec![Vec::new(); BUCKETS],
            bucket: Scratch::default(),
            heads: Vec::new(),
            clashes: Vec::new(),
        }
    }

    pub fn arm(&mut self, timer: Timer) {
        self.wheel[timer.due as usize % BUCKETS].push(timer);
    }

    /// The timers of the bucket of cycle `now`, to be handed back by [`Self::recycle`].
    #[inline]
    pub fn take_bucket(&mut self, now: u64) -> Vec<Timer> {
        let bucket = &mut self.wheel[now as usize % BUCKETS];
        if bucket.is_empty() {
            return Vec::new();
        }
        std::mem::replace(bucket, std::mem::take(&mut *self.bucket))
    }

    /// Takes back the storage of a bucket.
    #[inline]
    pub fn recycle(&mut self, mut bucket: Vec<Timer>) {
        bucket.clear();
        *self.bucket = bucket;
    }
}
