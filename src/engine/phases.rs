//! Messages by the state of the network at their generation: before a failure, during it, and after.

use get_size2::GetSize;

/// Maximum number of phases; the last covers the rest of the run.
const PHASES_MAX: usize = 1 << 10;

/// A period between changes of the failed links.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, GetSize)]
pub struct Phase {
    /// The first cycle.
    pub from: u64,
    /// Failed channels in this period.
    pub closed: u32,
    /// Messages generated in this period and delivered.
    pub delivered: u64,
    /// Σ over these messages of the latency.
    pub latency_sum: u64,
    /// Messages generated in this period and lost.
    pub lost: u64,
}

/// The phases of a run; none before the first failure.
#[derive(Clone, Default, Debug, GetSize)]
pub(super) struct Phases(Vec<Phase>);

impl Phases {
    /// Begins a phase in cycle `now` with some closed channels. `before` are the messages delivered before
    /// the first failure, with the sum of their latencies.
    pub fn begin(&mut self, now: u64, closed: usize, before: (u64, u64)) {
        let closed = closed as u32;
        if self.0.is_empty() {
            let (delivered, latency_sum) = before;
            self.0.push(Phase { delivered, latency_sum, ..Phase::default() });
        }
        let is_full = self.0.len() >= PHASES_MAX;
        match self.0.last_mut().filter(|last| is_full || last.from == now) {
            Some(last) => last.closed = closed,
            None => self.0.push(Phase { from: now, closed, ..Phase::default() }),
        }
    }

    /// The phase of a message generated in cycle `born`.
    fn at(&mut self, born: u64) -> Option<&mut Phase> {
        let after = self.0.partition_point(|phase| phase.from <= born);
        self.0.get_mut(after.saturating_sub(1))
    }

    /// True before the first failure.
    #[inline]
    pub fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(never)]
    pub fn deliver(&mut self, born: u64, latency: u64) {
        if let Some(phase) = self.at(born) {
            phase.delivered += 1;
            phase.latency_sum += latency;
        }
    }

    pub fn lose(&mut self, born: u64) {
        if let Some(phase) = self.at(born) {
            phase.lost += 1;
        }
    }

    pub fn all(&self) -> &[Phase] {
        &self.0
    }
}
