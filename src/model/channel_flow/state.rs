//! What is known of outputs and streams while holds and waits are worked out.

use super::machine::caught_up;
use super::output::{Stream, Wait};
use crate::model::queue::Moments;

/// What lies behind an output.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Ahead {
    pub waiting: f64,
    pub sharing: f64,
    /// The part of a lag with which messages come that they catch up with.
    pub caught: f64,
    /// Waits, sharing and links; links alone.
    pub time: Moments,
    pub ways: Moments,
}

/// What a stream meets at an output.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Crossing {
    pub wait: Wait,
    /// How much longer they take because others share the output, in cycles.
    pub sharing: f64,
    /// The same of messages that come without a lag, where others send no bursts.
    pub alone: f64,
    /// Squared coefficient of variation of the gaps between the others' messages, less 1.
    pub others: f64,
    /// What [`Sweep::injection`](super::sweep::Sweep::injection) is.
    pub injection: [f64; 2],
    /// The part of the time in which it is the turn of a message of the stream on the channel, which sends a flit
    /// then, or loses its turn since its source sends another.
    pub turns: f64,
    /// By how many cycles the last flits lag behind their head when it comes, since channels before are shared.
    pub lag: f64,
}

impl Crossing {
    /// The part of the lag that is caught up with while heads wait.
    pub fn caught(&self) -> f64 {
        caught_up(&self.wait.moments(), self.lag)
    }
}

/// What is known so far, by output and by stream.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub ahead: Vec<Ahead>,
    pub holds: Vec<Moments>,
    /// What is left of the lag with which messages come.
    pub lags: Vec<f64>,
    pub crossings: Vec<Crossing>,
    /// By channel, the turns per cycle that messages from a source lose.
    pub lost: Vec<f64>,
    /// Squared coefficient of variation of the gaps between messages, less 1, by stream; empty with
    /// Poisson arrivals.
    pub excesses: Vec<f64>,
    /// [`Machine::reach`] waits by output.
    pub horizon: Vec<Wait>,
    /// Of the streams of one output; storage.
    pub streams: Vec<Stream>,
    pub waits: Vec<Wait>,
    pub scratch: Vec<Wait>,
}

impl State {
    pub fn empty(outputs: usize, streams: usize, reach: usize, channels: usize) -> Self {
        Self {
            ahead: vec![Ahead::default(); outputs],
            holds: vec![Moments::NONE; outputs],
            lags: vec![0.0; outputs],
            crossings: vec![Crossing::default(); streams],
            lost: vec![0.0; channels],
            excesses: Vec::new(),
            horizon: vec![Wait::default(); outputs * reach],
            streams: Vec::new(),
            waits: Vec::new(),
            scratch: Vec::new(),
        }
    }
}
