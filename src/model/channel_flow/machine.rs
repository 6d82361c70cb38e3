//! Passage times of messages, and the effect of downstream waits.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | L, – | `length`, `variance` | mean length; variance of the time it takes to pass | flits, cycles² |
//! | τ | `pace` | cycles per flit of one message: 1, or round trip/B with buffers too short for that | cycles |
//! | B | `buffer` | flits in a VC's buffer | flits |
//! | k | index of `horizon` | number of channels downstream | – |
//! | w, s | `Wait` | wait at this channel, and extra time of the message because the channel is
//! shared | cycles |
//! | – | `longer` | share of the messages longer than kB | – |
//!
//! A worm with a blocked head, or on a shared channel, continues to fill the buffers behind its
//! head. With k channels between head and tail, the tail passes without delay if the message is at
//! most kB long; otherwise the tail is delayed by w + s − k(Bτ − 1)(1 + s/L) if positive: on shared
//! channels a flit in a buffer corresponds to more than one cycle. The part of a delay beyond x is
//! approximated by that of a uniform time from 0 to T. Including undelayed messages, T would be
//! 3E\[d²\]/(2E\[d\]); the model uses `longest` times E\[d²\]/E\[d\].
//!
//! Sharing stretches a message in proportion to its length, and the variance of lengths to c²(L +
//! s)².

use super::constants::Constants;
use super::output::{Wait, exponent};
use crate::model::queue::Moments;
use crate::switching::{Ejection, LatencyTo, Terminals};
use crate::system::System;

/// Maximum number of downstream channels with individually modelled waits.
const REACH_MAX: usize = 64;

/// Share of longer messages below which buffers are assumed to absorb all delays; truncates a sum.
const LONGER_MIN: f64 = 0.02;

/// Cycles between the departure of a tail from a buffer and the arrival of the next head.
const HANDOVER: f64 = 2.0;

/// Parameters of the machine and the messages in the equations.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Machine {
    pub length: f64,
    pub variance: f64,
    /// Cycles from the crossing of a channel by the head until the tail has crossed.
    pub passing: f64,
    /// Minimum passage time of a message.
    pub least: f64,
    /// Reduction of the passage time for messages over a single channel whose end consumes flits.
    pub slower: f64,
    /// Number of downstream channels with an effect.
    pub reach: usize,
    /// Contribution of the terminals to the transfer time.
    pub end: f64,
    /// Exponent of the load in the slowdown by others: 1, or more if a message does not use the
    /// full channel (H. Sakasegawa, *Annals of the Institute of Statistical Mathematics* 29, 1977).
    pub slots: f64,
    /// True if worms at a common destination share a flit per cycle.
    pub shared_exit: bool,
    /// The number of VCs of a channel, over all classes.
    pub vcs: f64,
    /// The pace τ.
    pub pace: f64,
    pub buffer: f64,
    /// The share of messages longer than the buffers of k channels, by k.
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

    /// The variance of the passage time with `sharing` extra cycles from shared channels; long
    /// messages take more of them.
    pub fn stretched(&self, sharing: f64) -> f64 {
        let stretch = 1.0 + sharing / self.length;
        self.variance * stretch * stretch
    }

    /// The moments of a sharing time with this mean.
    pub fn shared(&self, mean: f64) -> Moments {
        // A uniform distribution up to the length of a message.
        Moments::with_variance(mean, 2.0 / 3.0 * self.length * (1.0 + self.spread) * mean)
    }

    /// The factor by which sharing takes longer because short buffers run empty or full, if others
    /// use this fraction of the channel.
    pub fn gaps(&self, others: f64) -> f64 {
        1.0 + self.constants.gaps * others / self.buffer
    }

    /// The flits emitted by a source for a message, one per cycle.
    pub fn flits(&self) -> Moments {
        Moments::with_variance(self.length, self.spread * self.length * self.length)
    }

    /// The delay of the tail by downstream waits, and the part of the delay during which the next
    /// message could already arrive.
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

    /// The part of a wait that delays the tail `channels` behind.
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

/// The mean remainder of a tail's delay at the arrival of the stream's next message, which takes
/// [`HANDOVER`] to get the previous VC and to cross. Delays are assumed exponential with the
/// moments of the downstream waits `ahead`.
pub(super) fn found(delay: f64, ahead: &Wait) -> f64 {
    match square(ahead) {
        ..=0.0 => 0.0,
        square => {
            let mean = ahead.mean + ahead.shared;
            delay.max(0.0) * (-2.0 * HANDOVER * mean / square).exp()
        }
    }
}

/// The fraction of a lag recovered while the head waits: for an exponential wait with mean w about
/// w/(w + t/2) of a lag of t cycles, times the probability of a wait, as derived from its moments.
pub(super) fn caught_up(wait: &Moments, lag: f64) -> f64 {
    if wait.square <= 0.0 {
        return 0.0;
    }
    let waits = (2.0 * wait.mean * wait.mean / wait.square).min(1.0);
    let mean = wait.square / (2.0 * wait.mean);
    waits * mean / (mean + 0.5 * lag)
}

/// The mean square of a wait plus a constant sharing time, in cycles².
fn square(wait: &Wait) -> f64 {
    wait.square + (2.0 * wait.mean + wait.shared) * wait.shared
}

#[cfg(test)]
mod tests;
