//! How long messages take to pass, and how far a wait is felt.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | L, c² | `length`, `variance` | mean length; variance of the time it takes to pass | flits, cycles² |
//! | τ | `pace` | cycles per flit of one message: 1, or round trip/B with buffers too short for that | cycles |
//! | B | `buffer` | flits in a VC's buffer | flits |
//! | k | index of `horizon` | channels further on | – |
//! | w | `Wait` | wait there | cycles |
//!
//! A worm whose head waits goes on to fill the buffers behind it. With k channels between, the tail passes
//! at its time if kB ≥ L, and otherwise is delayed by w − k(Bτ − 1) where that is positive. A wait of
//! mean m, given that there is one, is taken as spread evenly over 0 to 2m; its moments are those of the
//! mixture with no wait, so that 2m = 3E[w²]/(2E[w]).

use super::output::{Wait, exponent};
use crate::model::queue::Moments;
use crate::switching::{Ejection, LatencyTo, Terminals};
use crate::system::System;

/// Channels further on whose waits are told apart.
const REACH_MAX: usize = 64;

/// The longest a wait lasts, in units of E[w²]/E[w].
const LONGEST: f64 = 1.5;

/// What the equations ask of the machine and the messages.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Machine {
    pub length: f64,
    pub variance: f64,
    /// From the head's crossing of a channel until the tail has crossed it.
    pub passing: f64,
    /// Channels further on whose waits are felt.
    pub reach: usize,
    /// What terminals add to the transfer.
    pub end: f64,
    /// The power of the load with which others slow a message down: 1, or more where a message does not
    /// take all of a channel (Sakasegawa, as in [`super::output`]).
    pub slots: f64,
    /// Whether worms at their destination share a flit per cycle.
    pub shared_exit: bool,
    /// VCs of a channel, of all classes.
    pub vcs: f64,
    pace: f64,
    buffer: f64,
    /// Squared coefficient of variation of lengths.
    spread: f64,
}

impl Machine {
    pub fn of(system: &System) -> Self {
        let lengths = &system.traffic.lengths;
        let (length, spread) = (lengths.mean(), lengths.variation());
        let machine = system.wormhole();
        let buffer = machine.map_or(1.0, |it| f64::from(it.buffer_flits));
        let pace = machine.map_or(1.0, |it| f64::from(it.round_trip()) / buffer).max(1.0);
        let channels = machine.is_some_and(|it| it.terminals == Terminals::Channels);
        let late = machine.is_some_and(|it| it.latency_to == LatencyTo::EndOfCycle);
        Self {
            length,
            variance: spread * (length * pace) * (length * pace),
            passing: (length - 1.0) * pace + 1.0,
            reach: ((length / buffer).ceil() as usize).clamp(1, REACH_MAX),
            end: if channels { 2.0 } else { 0.0 } + if late { 1.0 } else { 0.0 },
            slots: exponent(pace),
            shared_exit: machine.is_some_and(|it| it.ejection == Ejection::OneFlitPerCycle),
            vcs: machine.map_or(1.0, |it| f64::from(it.virtual_channels)),
            pace,
            buffer,
            spread,
        }
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
            let here = self.felt(k as f64, wait);
            delay.mean += wait.mean * here;
            delay.square += wait.square * here;
            passed += wait.mean * self.felt(k as f64 + 1.0, wait);
        }
        (delay, delay.mean - passed)
    }

    /// The part of a wait that the tail feels `channels` behind it.
    fn felt(&self, channels: f64, wait: &Wait) -> f64 {
        if wait.mean <= 0.0 || channels * self.buffer >= self.length {
            return 0.0;
        }
        let slack = channels * (self.buffer * self.pace - 1.0);
        let part = (1.0 - slack * wait.mean / (LONGEST * wait.square)).max(0.0);
        part * part
    }
}
