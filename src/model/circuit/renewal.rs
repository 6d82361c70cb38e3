//! Probabilities that a link found busy is still, or again, busy at the next attempts.
//!
//! One link is an alternating renewal process on a grid of time: held for a data time and
//! additional times, then idle for an exponential time. An aborted message checks the link at equal
//! intervals. In the meantime, the circuit of the first conflict may end and a new one may start;
//! and every other message aborted by the same circuit returns as well, once per interval.

use super::parameters::DataTime;
use crate::model::budget;

/// The longest slot of the grid, in mean data times.
const SLOT: f64 = 0.03;
/// Minimum number of slots between two checks.
const SLOTS_MIN: usize = 12;
/// Maximum product of the slots between two checks and the slots of the longest circuit, which is
/// the number of steps for a check. Slots are longer beyond this limit.
const CELLS_MAX: f64 = (1 << 16) as f64;
/// Maximum number of slots of the longest circuit; closer checks are one slot apart.
const LENGTHS_MAX: f64 = (1 << 16) as f64;
/// Maximum number of checks computed one by one.
const LOOKS_MAX: usize = 150;
/// Shares of circuits added in the time of a step of work.
const SHARES_PER_STEP: usize = 64;

/// Parameters of the link.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Question {
    /// τ: time between two checks.
    pub interval: f64,
    pub busy: f64,
    /// Holding time of a link in addition to the data.
    pub beyond_data: f64,
    /// The share of new circuits that would arrive over the link held by the message, and are
    /// therefore excluded.
    pub excluded: f64,
    /// Mean number of links that a retrying message must find free before this one.
    pub links_before: f64,
}

/// The probabilities that the link is busy at check 1, 2, … after a conflict.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Repeats {
    pub first: Vec<f64>,
    pub later: f64,
}

impl Repeats {
    pub fn at(&self, number: usize) -> f64 {
        self.first.get(number).copied().unwrap_or(self.later)
    }

    fn towards(&self, other: &Self, part: f64) -> Self {
        let between = |a: f64, b: f64| a + part * (b - a);
        let looks = self.first.len().max(other.first.len());
        Self {
            first: (0..looks).map(|look| between(self.at(look), other.at(look))).collect(),
            later: between(self.later, other.later),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Answers {
    /// h: probability that the link is busy an interval after its release.
    pub taken: f64,
    /// After a conflict with a random circuit.
    pub fresh: Repeats,
    /// After a conflict with a circuit established since the message's release.
    pub young: Repeats,
}

/// Relative change of the links' utilisation that requires new answers.
const MOVED: f64 = 2e-4;
/// Number of answers after which the tolerated change doubles, after twice as many triples: answers
/// are discontinuous at changes of the number of slots, and a search may oscillate about a
/// discontinuity without end.
const PATIENCE: u32 = 10;

/// Answers, reused within a tolerance, since they are the most expensive part of a round.
#[derive(Debug)]
pub(super) struct AnswerCache<T> {
    last: Option<(f64, T)>,
    worked_out: u32,
}

impl<T> AnswerCache<T> {
    pub fn none() -> Self {
        Self { last: None, worked_out: 0 }
    }

    /// The answers at `busy`, computed or reused.
    pub fn at(&mut self, busy: f64, work_out: impl FnOnce() -> T) -> &T {
        let moved = MOVED * f64::from(1 + self.worked_out / PATIENCE);
        let kept = self.last.take().filter(|(at, _)| (busy - at).abs() <= moved * at);
        let (_, answers) = self.last.insert(kept.unwrap_or_else(|| {
            self.worked_out += 1;
            (busy, work_out())
        }));
        answers
    }
}

/// The process on its grid, and buffers for its steps.
struct Grid {
    question: Question,
    slots: usize,
    slot: f64,
    /// P(a circuit holds the link for j slots).
    lengths: Vec<f64>,
    /// The least possible number of slots.
    shortest: usize,
    /// Mean and second moment of a circuit's duration, in units of time.
    mean: f64,
    second: f64,
    /// Summed over all earlier checks: P(the conflicting circuit existed already when another
    /// message, which returns in slot v, was aborted).
    returns: Vec<f64>,
    /// Circuits that end in each slot after the last check.
    ends: Vec<f64>,
}

impl Answers {
    pub fn kinds(&self) -> [&Repeats; 2] {
        [&self.fresh, &self.young]
    }

    /// Moved towards `other` by `part` of the difference.
    pub fn towards(&self, other: &Self, part: f64) -> Self {
        Self {
            taken: self.taken + part * (other.taken - self.taken),
            fresh: self.fresh.towards(&other.fresh, part),
            young: self.young.towards(&other.young, part),
        }
    }

    /// The answers to `question` for data times of distribution `data`.
    pub fn of(question: Question, data: &DataTime) -> Self {
        let mut grid = Grid::new(question, data);
        let mut young = vec![0.0; grid.lengths.len()];
        let taken = grid.step(&mut young, 1.0, None);
        let fresh = grid.equilibrium();
        let looks = (grid.longest() / grid.question.interval).ceil() as usize;
        let fresh = grid.repeats(fresh, taken, looks);
        let young = grid.repeats(young, taken, looks);
        Self { taken, fresh, young }
    }

    pub fn first_repeat(question: Question, data: &DataTime) -> f64 {
        let mut grid = Grid::new(question, data);
        let taken = grid.step(&mut vec![0.0; grid.lengths.len()], 1.0, None);
        let mut residual = grid.equilibrium();
        grid.step(&mut residual, 0.0, Some((taken, 0)))
    }
}

impl Grid {
    fn new(question: Question, data: &DataTime) -> Self {
        let longest = question.beyond_data + data.longest();
        let interval = question.interval.max(longest / LENGTHS_MAX);
        let question = Question { interval, ..question };
        let slots = ((interval / (SLOT * data.mean())).ceil() as usize).max(SLOTS_MIN);
        let most = (CELLS_MAX * interval / longest).sqrt().clamp(1.0, CELLS_MAX);
        let slots = slots.min(most as usize);
        let slot = interval / slots as f64;
        let mut lengths = Vec::new();
        let mut before = 0.0;
        for index in 0.. {
            let until = (f64::from(index) + 0.5) * slot;
            let cumulative = data.cumulative((until - question.beyond_data).min(data.longest()));
            lengths.push(cumulative - before);
            before = cumulative;
            if until >= longest {
                break;
            }
        }
        let (mut mean, mut second) = (0.0, 0.0);
        for (index, share) in lengths.iter_mut().enumerate() {
            *share /= before;
            let time = index as f64 * slot;
            mean += *share * time;
            second += *share * time * time;
        }
        let mut grid = Self {
            question,
            slots,
            slot,
            ends: vec![0.0; slots + lengths.len()],
            shortest: lengths.iter().position(|&share| share > 0.0).unwrap_or(0),
            lengths,
            mean,
            second,
            returns: Vec::new(),
        };
        grid.returns = grid.returns_per_slot();
        grid
    }

    fn longest(&self) -> f64 {
        (self.lengths.len() - 1) as f64 * self.slot
    }

    /// P(longer than j slots) for each j.
    fn longer(&self) -> Vec<f64> {
        let mut left = 1.0;
        let tail = |share: &f64| {
            left -= share;
            f64::max(left, 0.0)
        };
        self.lengths.iter().map(tail).collect()
    }

    /// The residual of a random circuit, by slots; 0 in slot 0.
    fn equilibrium(&self) -> Vec<f64> {
        let longer = self.longer();
        let mut residual = vec![0.0; longer.len()];
        for j in 1..longer.len() {
            residual[j] = f64::midpoint(longer[j - 1], longer[j]);
        }
        let total: f64 = residual.iter().sum();
        for share in &mut residual {
            *share /= total;
        }
        residual
    }

    /// [`Self::returns`]: the age of the present circuit exceeds the time since the other message's
    /// abort.
    fn returns_per_slot(&self) -> Vec<f64> {
        let mut older = self.longer();
        for j in (1..older.len()).rev() {
            older[j - 1] += older[j];
        }
        let all = older[0];
        let since = |slot: usize| older.iter().skip(self.slots - slot).step_by(self.slots);
        (1..=self.slots).map(|slot| since(slot).sum::<f64>() / all).collect()
    }

    /// Advances from one check to the next. `residual` is the remaining time of the present
    /// circuit, by slots, and is replaced by the remaining time of the circuit found at the next
    /// check, given a busy link; returns the probability of a busy link. `idle` is the probability
    /// that the link is free at the first check. `retries` contains the probability that a released
    /// link is taken, and the number of previous checks; without `retries`, no other message
    /// retries, and no circuit is excluded.
    fn step(&mut self, residual: &mut [f64], idle: f64, retries: Option<(f64, usize)>) -> f64 {
        let busy = self.question.busy;
        let base = busy / ((1.0 - busy) * self.mean) * self.slot;
        let (reach, lasting, entering) = match retries {
            None => (0.0, 0.0, 1.0),
            Some((taken, looks)) => {
                let most = self.second / (self.mean * self.question.interval);
                (
                    (1.0 - taken).powf(self.question.links_before),
                    (looks as f64).min(most),
                    1.0 - self.question.excluded,
                )
            }
        };
        self.ends.fill(0.0);
        let shares = &self.lengths[self.shortest..];
        budget::charge(1 + self.slots * shares.len() / SHARES_PER_STEP);
        let mut idle = idle;
        for slot in 1..=self.slots {
            let starts = base * (1.0 + reach * (self.returns[slot - 1] + lasting));
            let started = idle * -(-starts).exp_m1();
            for (ends, share) in self.ends[slot + self.shortest..].iter_mut().zip(shares) {
                *ends += started * share;
            }
            let ended = self.ends[slot] + residual.get(slot).copied().unwrap_or(0.0);
            idle += ended - started;
        }
        for left in 0..residual.len() {
            let old = residual.get(left + self.slots).copied().unwrap_or(0.0);
            let new = self.ends.get(left + self.slots).copied().unwrap_or(0.0);
            residual[left] = if left == 0 { 0.0 } else { old + entering * new };
        }
        let found: f64 = residual.iter().sum();
        if found > 0.0 {
            for share in residual.iter_mut() {
                *share /= found;
            }
        }
        found
    }

    /// Computes check after check from `residual` on. The tail is a mean over all checks during the
    /// longest circuit: constant lengths make the checks periodic.
    fn repeats(&mut self, mut residual: Vec<f64>, taken: f64, period: usize) -> Repeats {
        let looks = (3 * period + 4).min(LOOKS_MAX);
        let first: Vec<f64> =
            (0..looks).map(|look| self.step(&mut residual, 0.0, Some((taken, look)))).collect();
        if looks < period {
            return Repeats { later: self.unfollowed(&residual, (taken, looks)), first };
        }
        let last = &first[looks - period..];
        let later = (last.iter().map(|busy| busy.ln()).sum::<f64>() / last.len() as f64).exp();
        Repeats { first, later }
    }

    /// A tail with the correct mean number of busy checks, if a circuit may outlast all checks
    /// computed: the rest of the present circuit, and whole circuits after it, each with the
    /// probability that the check after an end finds the link busy.
    fn unfollowed(&mut self, residual: &[f64], retries: (f64, usize)) -> f64 {
        let left: f64 = (0..).zip(residual).map(|(slot, share)| f64::from(slot) * share).sum();
        let looks = left / self.slots as f64;
        let mut ending = vec![0.0; self.lengths.len()];
        let ends = self.slots.min(ending.len() - 1);
        ending[1..=ends].fill(1.0 / ends as f64);
        let again = self.step(&mut ending, 0.0, Some(retries));
        let more = again / (1.0 - again) * self.mean / self.question.interval;
        (looks + more) / (1.0 + looks + more)
    }
}

#[cfg(test)]
mod tests;
