//! Deliveries of given messages: last deliveries, and messages in flight over time.

use educe::Educe;
use get_size2::GetSize;

use crate::ids::NodeId;

/// Maximum number of intervals.
const INTERVALS: usize = 48;

/// Deliveries of given messages.
#[derive(PartialEq, Eq, Debug, Educe, GetSize)]
#[educe(Clone)]
pub struct Deliveries {
    finished: Vec<u64>,
    /// The sum over the messages of their cycles in flight, for each interval.
    in_flight: Vec<u64>,
    /// The cycles of an interval, as a power of 2.
    shift: u32,
}

impl Deliveries {
    /// The beginning for a number of terminals.
    pub(super) fn new(terminals: usize) -> Self {
        Self { finished: vec![0; terminals], in_flight: Vec::new(), shift: 0 }
    }

    /// Records that a message between two terminals, born at `born`, arrived at `done`.
    pub(super) fn delivered(&mut self, ends: [NodeId; 2], born: u64, done: u64) {
        for node in ends {
            let latest = &mut self.finished[node.index()];
            *latest = done.max(*latest);
        }
        while done > (INTERVALS as u64) << self.shift {
            self.shift += 1;
            self.in_flight = self.in_flight.chunks(2).map(|pair| pair.iter().sum()).collect();
        }
        let last = done.saturating_sub(1) >> self.shift;
        if self.in_flight.len() as u64 <= last {
            self.in_flight.resize(last as usize + 1, 0);
        }
        for at in born >> self.shift..=last {
            let (from, to) = (at << self.shift, (at + 1) << self.shift);
            self.in_flight[at as usize] += to.min(done).saturating_sub(from.max(born));
        }
    }

    /// The latest delivery of a message from or to each terminal; 0 before the first.
    pub fn finished(&self) -> &[u64] {
        &self.finished
    }

    /// The cycles of an interval.
    pub fn interval(&self) -> u64 {
        1 << self.shift
    }

    /// The mean number of messages generated and not delivered in each interval, from cycle 0 to the
    /// latest delivery. Messages without a delivery are not counted.
    pub fn in_flight(&self) -> impl Iterator<Item = f64> {
        let end = self.finished.iter().copied().max().unwrap_or(0);
        (0..).step_by(1 << self.shift).zip(&self.in_flight).map(move |(from, &sum)| {
            let cycles = self.interval().min(end.saturating_sub(from)).max(1);
            sum as f64 / cycles as f64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_the_mean_of_every_cycle() {
        let mut deliveries = Deliveries::new(3);
        let mut every = vec![0u64; 4000];
        let mut messages: Vec<(u64, u64)> =
            (0..500).map(|at| (at * 7 % 900, 1 + at * 7 % 900 + at * 13 % 300)).collect();
        messages.sort_by_key(|&(_, done)| done);
        for &(born, done) in &messages {
            deliveries.delivered([NodeId(0), NodeId(2)], born, done);
            every[born as usize..done as usize].iter_mut().for_each(|count| *count += 1);
        }
        let end = messages.last().unwrap().1;
        assert_eq!(deliveries.finished(), [end, 0, end]);
        let found: Vec<f64> = deliveries.in_flight().collect();
        let interval = deliveries.interval() as usize;
        assert!(found.len() <= INTERVALS && found.len() > INTERVALS / 2, "{}", found.len());
        for (cycles, found) in every[..end as usize].chunks(interval).zip(&found) {
            let mean = cycles.iter().sum::<u64>() as f64 / cycles.len() as f64;
            assert!((mean - found).abs() < 1e-9, "{mean} {found}");
        }
    }
}
