//! The state of outputs and streams during the computation of holds and waits.

use super::machine::caught_up;
use super::output::{Stream, Wait};
use crate::model::queue::Moments;

/// The route downstream of an output.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Ahead {
    pub waiting: f64,
    pub sharing: f64,
    /// The recovered part of the lag of arriving messages.
    pub caught: f64,
    /// Moments of waits, sharing and links together, and of the links alone.
    pub time: Moments,
    pub ways: Moments,
}

/// The delays of a stream at an output.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Crossing {
    pub wait: Wait,
    /// The extra time of messages because the output is shared, in cycles.
    pub sharing: f64,
    /// The extra time of messages without a lag, if other streams are not bursty.
    pub alone: f64,
    /// Squared coefficient of variation of the gaps between the others' messages, minus 1.
    pub others: f64,
    /// The result of [`Sweep::injection`](super::sweep::Sweep::injection).
    pub injection: [f64; 2],
    /// The fraction of time for which a message of the stream has its turn on the channel, and
    /// either sends a flit or loses the turn because its source sends another message.
    pub turns: f64,
    /// Lag of the last flits behind their head on arrival in cycles, caused by shared upstream
    /// channels.
    pub lag: f64,
}

impl Crossing {
    /// The part of the lag recovered while heads wait.
    pub fn caught(&self) -> f64 {
        caught_up(&self.wait.moments(), self.lag)
    }
}

/// The current state, by output and by stream.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub ahead: Vec<Ahead>,
    pub holds: Vec<Moments>,
    /// The remaining lag of messages after an output.
    pub lags: Vec<f64>,
    pub crossings: Vec<Crossing>,
    /// The turns per cycle lost by messages from a source, by channel.
    pub lost: Vec<f64>,
    /// Squared coefficient of variation of the gaps between messages, minus 1, by stream; empty for
    /// Poisson arrivals.
    pub excesses: Vec<f64>,
    /// Downstream waits, [`Machine::reach`] per output.
    pub horizon: Vec<Wait>,
    /// Scratch storage for the streams of one output.
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
