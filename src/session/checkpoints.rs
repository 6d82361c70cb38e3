//! Stores copies of a run at earlier cycles in limited memory.
//!
//! Checkpoints are dense near the present and sparse far from the present. A checkpoint is a full
//! copy of the run or runs ([`Runs`]): engine, statistics and journal, without bookmarks and
//! without the measurements of `live`.
//!
//! **When.** A checkpoint is taken as soon as the work since the previous checkpoint justifies the
//! copy: with [`Keep::work_per_byte`] flit-hops per byte, copying takes about a hundredth of the
//! simulation time. **Thinning.** When memory is exhausted, the checkpoint with the least costly
//! loss is dropped: the remaining gap is the smallest fraction of the distance to the present. The
//! remaining checkpoints are spaced exponentially. Work is counted in flit-hops rather than
//! measured by a clock, so the selection does not depend on the machine; results do not depend on
//! the selection.

use std::ops::Range;

use super::runs::Runs;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keep {
    /// Memory limit in bytes.
    pub bytes: usize,
    /// Flit-hops required per byte copied.
    pub work_per_byte: u64,
}

impl Default for Keep {
    /// 256 MB; 3 flit-hops per byte. A flit-hop takes 5 to 10 ns, copying a byte about 0.25 ns.
    fn default() -> Self {
        Self { bytes: 256_000_000, work_per_byte: 3 }
    }
}

/// Maximum number of checkpoints. More checkpoints would save no noticeable time.
const MOST: usize = 1024;

#[derive(Debug)]
struct Checkpoint {
    runs: Box<Runs>,
    cycle: u64,
    work: u64,
    /// Size in bytes, including shared bytes.
    bytes: usize,
    /// Bytes shared with the previous checkpoint.
    shared: usize,
}

/// The checkpoints of a run, oldest first.
#[derive(Debug)]
pub(super) struct Checkpoints {
    kept: Vec<Checkpoint>,
    keep: Keep,
    /// The cycle of a checkpoint that must not be dropped.
    pinned: Option<u64>,
    /// Cycles without a check of the work, because not enough can have been done.
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

    /// The number of checkpoints at `cycle` or earlier.
    fn until(&self, cycle: u64) -> usize {
        self.kept.partition_point(|checkpoint| checkpoint.cycle <= cycle)
    }

    /// The newest checkpoint at `cycle` or earlier.
    pub(super) fn before(&self, cycle: u64) -> Option<&Runs> {
        let at = self.until(cycle).checked_sub(1)?;
        Some(&self.kept[at].runs)
    }

    /// The newest checkpoint that satisfies `early`, a predicate true up to some cycle and false
    /// afterwards.
    pub(super) fn last_where(&self, early: impl Fn(&Runs) -> bool) -> Option<&Runs> {
        let at = self.kept.partition_point(|checkpoint| early(&checkpoint.runs));
        Some(&self.kept[at.checked_sub(1)?].runs)
    }

    /// Takes a checkpoint if enough work has been done since the previous checkpoint.
    pub(super) fn offer(&mut self, runs: &Runs) {
        let cycle = runs.now().0;
        if self.rest.contains(&cycle) {
            return;
        }
        let before = self.until(cycle).checked_sub(1).map(|at| &self.kept[at]);
        let (begun, since) = before.map_or((0, 0), |it| (it.cycle, it.work));
        let done = runs.work().saturating_sub(since);
        // Sizes change slowly: check first with the size of the previous checkpoint.
        let mut need = self.keep.work_per_byte * before.map_or(0, |it| it.bytes) as u64;
        if done >= need {
            need = self.keep.work_per_byte * runs.bytes() as u64;
        }
        if done >= need {
            self.take(runs);
            return;
        }
        // Computing the size visits every message. Skip the check for a quarter of the remaining
        // distance, but not for longer than the distance covered.
        let passed = cycle - begun;
        let left = u128::from(need - done) * u128::from(passed) / u128::from(done.max(1));
        let rest = u64::try_from(left / 4).unwrap_or(u64::MAX).min(passed);
        self.rest = cycle + 1..cycle.saturating_add(rest);
    }

    /// Takes a checkpoint and keeps it until [`Self::unpin`].
    pub(super) fn pin(&mut self, runs: &Runs) {
        if self.take(runs) {
            self.pinned = Some(runs.now().0);
        }
    }

    /// Releases the pinned checkpoint, and drops it if taken only for this purpose and not the
    /// newest.
    pub(super) fn unpin(&mut self) {
        let Some(pinned) = self.pinned.take() else { return };
        let newest = self.kept.last().map(|checkpoint| checkpoint.cycle);
        if newest != Some(pinned)
            && let Some(at) = self.kept.iter().position(|checkpoint| checkpoint.cycle == pinned)
        {
            self.drop_one(at);
        }
    }

    /// Takes a checkpoint unless one exists at this cycle or memory is exhausted. Returns true if
    /// taken.
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
        // A copy has no spare capacity and is no larger than the original.
        let bytes = copy.bytes();
        let at = self.until(cycle);
        self.rest = 0..0;
        self.kept.insert(at, Checkpoint { runs: copy, cycle, work, bytes, shared: 0 });
        self.share(at);
        self.share(at + 1);
        true
    }

    /// Keeps only the first or the second run of two in each checkpoint.
    pub(super) fn part(&mut self, second: bool) {
        // Several checkpoints of a deadlocked run have the same cycle.
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

    /// The index of the checkpoint to drop in favour of a new checkpoint at `cycle`, with the
    /// present at `work`; never the newest nor the pinned checkpoint.
    fn least_missed(&self, cycle: u64, work: u64) -> Option<usize> {
        let cost = |at: usize| {
            let before = at.checked_sub(1).map_or(0, |at| self.kept[at].work);
            let after = self.kept.get(at + 1).map_or(work, |next| next.work);
            // Distance of the farther end of the gap: never 0.
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

    /// Recomputes the bytes shared between the checkpoint at `at`, if any, and the previous
    /// checkpoint.
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
