//! How long messages take to pass, and how far a wait is felt.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | L, – | `length`, `variance` | mean length; variance of the time it takes to pass | flits, cycles² |
//! | τ | `pace` | cycles per flit of one message: 1, or round trip/B with buffers too short for that | cycles |
//! | B | `buffer` | flits in a VC's buffer | flits |
//! | k | index of `horizon` | channels further on | – |
//! | w, s | `Wait` | wait there, and how much longer the message takes because others share the channel | cycles |
//! | – | `longer` | share of the messages that are longer than kB | – |
//!
//! A worm whose head waits, or which shares a channel, goes on to fill the buffers behind it. With k channels
//! between, the tail passes at its time if the message is no longer than kB, and otherwise is delayed by
//! w + s − k(Bτ − 1)(1 + s/L) where that is positive: where channels are shared a flit that a buffer takes
//! up stands for the time of more than one. The part of a delay beyond x is taken as that of a time that is
//! spread evenly over 0 to T. With those who are not delayed, T would be 3E\[d²\]/(2E\[d\]): it is `longest` times
//! E\[d²\]/E\[d\].
//!
//! Sharing stretches a message in proportion to its length, and with it the spread of lengths: c²(L + s)².

use super::fitted::Constants;
use super::output::{Wait, exponent};
use crate::model::queue::Moments;
use crate::switching::{Ejection, LatencyTo, Terminals};
use crate::system::System;

/// The most channels further on whose waits count each by itself.
const REACH_MAX: usize = 64;

/// The share of longer messages below which buffers are taken to contain all delays: it ends a sum.
const LONGER_MIN: f64 = 0.02;

/// Cycles from when a tail has left a buffer until the next head has come there.
const HANDOVER: f64 = 2.0;

/// What the equations ask of the machine and the messages.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Machine {
    pub length: f64,
    pub variance: f64,
    /// From the head's crossing of a channel until the tail has crossed it.
    pub passing: f64,
    /// The least time in which one passes.
    pub least: f64,
    /// By how much faster a message passes that crosses one channel only, at whose end flits are consumed.
    pub slower: f64,
    /// Channels further on whose waits are felt.
    pub reach: usize,
    /// What terminals add to the transfer.
    pub end: f64,
    /// The power of the load with which others slow a message down: 1, or more where a message does not
    /// take all of a channel (H. Sakasegawa, *Annals of the Institute of Statistical
    /// Mathematics* 29, 1977).
    pub slots: f64,
    /// True if worms at their destination share a flit per cycle.
    pub shared_exit: bool,
    /// VCs of a channel, of all classes.
    pub vcs: f64,
    /// τ.
    pub pace: f64,
    pub buffer: f64,
    /// The share of messages that are longer than the buffers of a number of channels.
    longer: Vec<f64>,
    /// Squared coefficient of variation of lengths.
    pub spread: f64,
    pub constants: Constants,
}

impl Machine {
    pub fn of(system: &System, constants: Constants) -> Self {
        let lengths = &system.traffic.lengths;
        let (length, spread) = (lengths.mean(), lengths.variation());
        let machine = system.wormhole();
        let buffer = machine.map_or(1.0, |it| f64::from(it.buffer_flits));
        let pace = machine.map_or(1.0, |it| f64::from(it.round_trip()) / buffer).max(1.0);
        let channels = machine.is_some_and(|it| it.terminals == Terminals::Channels);
        let late = machine.is_some_and(|it| it.latency_to == LatencyTo::EndOfCycle);
        let reach = (0..REACH_MAX)
            .find(|&k| lengths.longer(k as f64 * buffer) < LONGER_MIN)
            .unwrap_or(REACH_MAX);
        Self {
            length,
            variance: spread * (length * pace) * (length * pace),
            passing: (length - 1.0) * pace + 1.0,
            least: (f64::from(lengths.least()) - 1.0) * if channels { pace } else { 1.0 } + 1.0,
            slower: if channels { 0.0 } else { (length - 1.0) * (pace - 1.0) },
            reach: reach.max(1),
            longer: (0..=reach).map(|k| lengths.longer(k as f64 * buffer)).collect(),
            end: if channels { 2.0 } else { 0.0 } + if late { 1.0 } else { 0.0 },
            slots: exponent(pace),
            shared_exit: machine.is_some_and(|it| it.ejection == Ejection::OneFlitPerCycle),
            vcs: machine.map_or(1.0, |it| f64::from(it.virtual_channels)),
            pace,
            buffer,
            spread,
            constants,
        }
    }

    /// The variance of the time in which a message passes where it takes this much longer because
    /// channels are shared: a long one longer.
    pub fn stretched(&self, sharing: f64) -> f64 {
        let stretch = 1.0 + sharing / self.length;
        self.variance * stretch * stretch
    }

    /// A time of this mean for which a channel is shared.
    pub fn shared(&self, mean: f64) -> Moments {
        // Times that are spread evenly over up to a message.
        Moments::with_variance(mean, 2.0 / 3.0 * self.length * (1.0 + self.spread) * mean)
    }

    /// By how many times sharing a channel takes longer since short buffers run empty or full meanwhile, where
    /// others use this part of the channel.
    pub fn gaps(&self, others: f64) -> f64 {
        1.0 + self.constants.gaps * others / self.buffer
    }

    /// What a source emits for a message, a flit per cycle.
    pub fn flits(&self) -> Moments {
        Moments::with_variance(self.length, self.spread * self.length * self.length)
    }

    /// By how much waits further on delay the tail, and for how much of that the next message could
    /// already come.
    pub fn delay(&self, horizon: &[Wait]) -> (Wait, f64) {
        let (mut delay, mut passed) = (Wait::default(), 0.0);
        for (k, wait) in horizon.iter().enumerate() {
            let here = self.felt(k, wait);
            delay.mean += wait.mean * here;
            delay.shared += wait.shared * here;
            delay.square += (wait.square - wait.mean * wait.mean) * here;
            passed += (wait.mean + wait.shared) * self.felt(k + 1, wait);
        }
        (delay, delay.mean + delay.shared - passed)
    }

    /// The part of a wait that the tail feels `channels` behind it.
    fn felt(&self, channels: usize, wait: &Wait) -> f64 {
        let longer = self.longer.get(channels).copied().unwrap_or(0.0);
        let mean = wait.mean + wait.shared;
        if mean <= 0.0 || longer <= 0.0 {
            return 0.0;
        }
        let slack = channels as f64 * (self.buffer * self.pace - 1.0);
        let slack = slack * (1.0 + wait.shared / self.length);
        let part = (1.0 - slack * mean / (self.constants.longest * square(wait))).max(0.0);
        longer * part * part
    }
}

/// What is left of a tail's delay, on average, when the next message of its stream comes: it takes
/// [`HANDOVER`] to get the VC before and to cross. Delays are taken as spread like an exponential time
/// with the moments of those `ahead`.
pub(super) fn found(delay: f64, ahead: &Wait) -> f64 {
    match square(ahead) {
        ..=0.0 => 0.0,
        square => {
            let mean = ahead.mean + ahead.shared;
            delay.max(0.0) * (-2.0 * HANDOVER * mean / square).exp()
        }
    }
}

/// The part of a lag of flits that they catch up with while their head waits: with an exponential wait of mean w
/// about w/(w + t/2) of a lag of t cycles, and the wait is there with the probability that its moments give.
pub(super) fn caught_up(wait: &Moments, lag: f64) -> f64 {
    if wait.square <= 0.0 {
        return 0.0;
    }
    let waits = (2.0 * wait.mean * wait.mean / wait.square).min(1.0);
    let mean = wait.square / (2.0 * wait.mean);
    waits * mean / (mean + 0.5 * lag)
}

/// The mean square of a wait together with the time for which the channel is shared, taken as certain, in cycles².
fn square(wait: &Wait) -> f64 {
    wait.square + (2.0 * wait.mean + wait.shared) * wait.shared
}

#[cfg(test)]
mod tests;
