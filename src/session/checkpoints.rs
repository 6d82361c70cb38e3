//! Copies of a run at earlier cycles, under a limit of memory: dense near the present, sparse far
//! from it. A checkpoint is a full copy of the run or runs ([`Runs`]): engine, statistics and journal;
//! bookmarks and what `live` measures are not in it.
//!
//! **Where.** A checkpoint is taken where the work done since the one before pays for the copy: so
//! many flit-hops for each byte ([`Keep::work_per_byte`]) that copying takes about a hundredth of the
//! time that simulating takes. **Thinning.** Where there is no room for another, that one goes whose
//! loss matters least: the gap that it would leave is the smallest share of its distance from the
//! present. What remains is spaced exponentially. Work is counted in flit-hops and never by a clock,
//! so that what is kept does not depend on the machine; and what is kept changes no result.

use std::ops::Range;

use super::runs::Runs;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keep {
    /// The memory that checkpoints may take, in bytes.
    pub bytes: usize,
    /// Flit-hops that must be done for each byte copied.
    pub work_per_byte: u64,
}

impl Default for Keep {
    /// 256 MB; 3 flit-hops, at 5 to 10 ns each, where copying a byte takes a quarter of one.
    fn default() -> Self {
        Self { bytes: 256_000_000, work_per_byte: 3 }
    }
}

/// The most checkpoints: beyond, more of them save no time that anybody would notice.
const MOST: usize = 1024;

#[derive(Debug)]
struct Checkpoint {
    runs: Box<Runs>,
    cycle: u64,
    work: u64,
    /// Bytes, shared ones included.
    bytes: usize,
    /// Bytes shared with the checkpoint before.
    shared: usize,
}

/// The checkpoints of one run, oldest first.
#[derive(Debug)]
pub(super) struct Checkpoints {
    kept: Vec<Checkpoint>,
    keep: Keep,
    /// The cycle of one that must stay.
    pinned: Option<u64>,
    /// Cycles in which there is no need to ask how much has been done: it cannot be enough yet.
    rest: Range<u64>,
}

impl Checkpoints {
    pub(super) fn new(keep: Keep) -> Self {
        Self { kept: Vec::new(), keep, pinned: None, rest: 0..0 }
    }

    pub(super) fn bytes(&self) -> usize {
        self.kept.iter().map(|one| one.bytes - one.shared).sum()
    }

    pub(super) fn cycles(&self) -> impl Iterator<Item = u64> {
        self.kept.iter().map(|checkpoint| checkpoint.cycle)
    }

    /// How many are at `cycle` or before.
    fn until(&self, cycle: u64) -> usize {
        self.kept.partition_point(|checkpoint| checkpoint.cycle <= cycle)
    }

    /// The newest at `cycle` or before.
    pub(super) fn before(&self, cycle: u64) -> Option<&Runs> {
        let at = self.until(cycle).checked_sub(1)?;
        Some(&self.kept[at].runs)
    }

    /// The newest for which `early` holds, which holds up to some cycle and no longer.
    pub(super) fn last_where(&self, early: impl Fn(&Runs) -> bool) -> Option<&Runs> {
        let at = self.kept.partition_point(|checkpoint| early(&checkpoint.runs));
        Some(&self.kept[at.checked_sub(1)?].runs)
    }

    /// Takes a checkpoint if enough work has been done since the one before.
    pub(super) fn offer(&mut self, runs: &Runs) {
        let cycle = runs.now().0;
        if self.rest.contains(&cycle) {
            return;
        }
        let before = self.until(cycle).checked_sub(1).map(|at| &self.kept[at]);
        let (begun, since) = before.map_or((0, 0), |it| (it.cycle, it.work));
        let done = runs.work().saturating_sub(since);
        // Sizes change slowly: that of the one before tells whether to look closer.
        let mut need = self.keep.work_per_byte * before.map_or(0, |it| it.bytes) as u64;
        if done >= need {
            need = self.keep.work_per_byte * runs.bytes() as u64;
        }
        if done >= need {
            self.take(runs);
            return;
        }
        // To ask takes a look at every message: it rests for a quarter of the way that is left, and for
        // no longer than that which is behind.
        let passed = cycle - begun;
        let left = u128::from(need - done) * u128::from(passed) / u128::from(done.max(1));
        let rest = u64::try_from(left / 4).unwrap_or(u64::MAX).min(passed);
        self.rest = cycle + 1..cycle.saturating_add(rest);
    }

    /// Takes a checkpoint that stays until [`Self::unpin`].
    pub(super) fn pin(&mut self, runs: &Runs) {
        if self.take(runs) {
            self.pinned = Some(runs.now().0);
        }
    }

    /// Lets go of the one that had to stay; what was taken for its sake alone is dropped, unless it
    /// is the newest.
    pub(super) fn unpin(&mut self) {
        let Some(pinned) = self.pinned.take() else { return };
        let newest = self.kept.last().map(|checkpoint| checkpoint.cycle);
        if newest != Some(pinned)
            && let Some(at) = self.kept.iter().position(|checkpoint| checkpoint.cycle == pinned)
        {
            self.drop_one(at);
        }
    }

    /// Takes a checkpoint unless there is one at this cycle or no room for it. Says whether it did.
    fn take(&mut self, runs: &Runs) -> bool {
        let (cycle, work) = (runs.now().0, runs.work());
        let need = runs.bytes();
        let known = self.until(cycle).checked_sub(1).is_some_and(|at| self.kept[at].cycle == cycle);
        if known || need > self.keep.bytes {
            return false;
        }
        while self.bytes() + need > self.keep.bytes || self.kept.len() >= MOST {
            let Some(victim) = self.least_missed(cycle, work) else { return false };
            self.drop_one(victim);
        }
        let copy = Box::new(runs.clone());
        // A copy has no room to spare, so that it is no larger than the original.
        let bytes = copy.bytes();
        let at = self.until(cycle);
        self.rest = 0..0;
        self.kept.insert(at, Checkpoint { runs: copy, cycle, work, bytes, shared: 0 });
        self.share(at);
        self.share(at + 1);
        true
    }

    /// Keeps one run of two in each, the second or the first.
    pub(super) fn part(&mut self, second: bool) {
        // A deadlocked run has the same cycle in several checkpoints.
        for checkpoint in &mut self.kept {
            checkpoint.runs.part(second);
            checkpoint.cycle = checkpoint.runs.now().0;
            checkpoint.work = checkpoint.runs.work();
            checkpoint.bytes = checkpoint.runs.bytes();
        }
        self.rest = 0..0;
        self.kept.dedup_by_key(|checkpoint| checkpoint.cycle);
        for at in 0..self.kept.len() {
            self.share(at);
        }
    }

    pub(super) fn cut(&mut self, cycle: u64) {
        self.kept.truncate(self.until(cycle));
        self.rest = 0..0;
    }

    /// Which one to drop for the sake of one at `cycle`, where the present is at `work`: never the
    /// newest of all, nor that which is pinned.
    fn least_missed(&self, cycle: u64, work: u64) -> Option<usize> {
        let cost = |at: usize| {
            let before = at.checked_sub(1).map_or(0, |at| self.kept[at].work);
            let after = self.kept.get(at + 1).map_or(work, |next| next.work);
            // The distance of the farther end of the gap, so that nothing is infinitely near.
            let far = work.abs_diff(before).max(work.abs_diff(after)).max(1);
            after.saturating_sub(before) as f64 / far as f64
        };
        let newest = self.kept.len().checked_sub(1)?;
        let spared = |at: usize| {
            let here = self.kept[at].cycle;
            Some(here) == self.pinned || here == cycle || (at == newest && here > cycle)
        };
        (0..self.kept.len())
            .filter(|&at| !spared(at))
            .map(|at| (at, cost(at)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(at, _)| at)
    }

    fn drop_one(&mut self, at: usize) {
        self.kept.remove(at);
        self.rest = 0..0;
        self.share(at);
    }

    /// Works out anew what the checkpoint at `at`, if there is one, shares with the one before.
    fn share(&mut self, at: usize) {
        let at = at.min(self.kept.len());
        let (before, from) = self.kept.split_at_mut(at);
        if let Some(checkpoint) = from.first_mut() {
            let before = before.last();
            checkpoint.shared =
                before.map_or(0, |before| checkpoint.runs.shared_bytes(&before.runs));
        }
    }
}
