//! The waits of the streams that compete for one output.
//!
//! A stream consists of the messages from one input (an upstream channel or the source) to the
//! output.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | n | `Output::vcs` | VCs of the output | – |
//! | h | `Output::hold` | time for which a message occupies a VC of the output | cycles |
//! | `ρ_i` | `Stream::load` | `λ_i` h/n | – |
//! | ρ, `r_i` | `all`, `part` | Σ `ρ_i`; `ρ_i`/ρ | – |
//! | Q | `Moments::arrival` | probability that a message of the stream arrives within a hold, a
//! gamma time | – |
//! | L, d | `Output::link`, – | time on the link without other classes; rest of the hold without
//! sharing | cycles |
//! | `X_k` | `throughput` | rate of departures while k VCs are occupied | 1/cycle |
//! | `s_i` | `another` | probability of another message behind the waiting messages of the stream |
//! – |
//! | e² | `Stream::excess` | squared coefficient of variation of the others' gaps, less 1 | – |
//! | e | `Output::lingering` | remainder of a hold at the arrival of the stream's next message |
//! cycles |
//! | t | `Output::lag` | part of a hold by which flits lag behind their head on arrival | cycles |
//! | `W_i` | `Wait::mean` | mean wait | cycles |
//!
//! Messages cross the output approximately in the order of their births, under oldest-first and
//! under round-robin arbitration, as in a single queue M/G/1. Only the first message of a stream
//! waits here; the others wait at upstream channels. With n messages in the queue with the
//! Pollaczek-Khinchine probabilities `p_n`, each of stream i with probability `r_i`, a message of
//! the stream waits here if a message of another stream is in service and at least one of the rest
//! belongs to the stream. By Little's law `λ_i` `W_i` is Σ over n of `p_n` (1 − `r_i`)(1 − (1 −
//! `r_i`)ⁿ⁻¹), hence
//!
//! `W_i` = (1 − `r_i`) x/(1 − ρ + `λ_i` x) with x = (`ρ_i` − Q)/(`r_i` `λ_i`),
//!
//! and x = ρ E[h²]/(2h) for `λ_i` → 0. With exponential holds this is h(ρ − `ρ_i`)/(1 − ρ + `ρ_i`),
//! the wait in a queue of all other streams. A single stream has no wait, and many small streams
//! have the wait of Pollaczek and Khinchine; at ρ = 1 the wait is (1 − `r_i`)/`λ_i`, the service of
//! the other streams per message of the stream. With one VC, (1 − exp(−`tails` `ρ_i`)) e is added,
//! because the previous message may still be in the output's buffer, unless the service of a source
//! queue includes this time.
//!
//! At an exit used by one worm at a time, each VC of an input may have a waiting message: of n at
//! most n − 1 wait here behind a crossing message, so of the wait W in a queue M/G/1 the fraction 1
//! − (`r_i` + (1 − `r_i`) `s_i`) `s_i`ⁿ⁻¹ is spent here, with `s_i` as defined below for σ = ρ.
//!
//! **Several VCs.** A message waits if all n VCs are occupied. While k VCs are occupied, their
//! messages share one link: with service L on the link and d elsewhere, mean value analysis (M.
//! Reiser, S. S. Lavenberg, *Journal of the ACM* 27, 1980) gives `X_k`. All messages form a
//! birth-death chain with these rates (a flow-equivalent server: K. Chandy, U. Herzog, L. Woo, *IBM
//! Journal of Research and Development* 19, 1975): `P`, the probability of n occupied VCs, and W =
//! P (1 + c²)/(2(X − λ)). With d = 0 and exponential lengths the chain is limited processor
//! sharing, P = ρⁿ; with L = 0 it is M/M/n. As many messages of a stream wait here as its input has
//! VCs that are not crossing: each of the n messages on the output belongs to the stream with
//! probability `r_i`, and behind the waiting messages follows another with probability `s_i`, hence
//!
//! `W_i` = W (1 − (`r_i` + (1 − `r_i`) `s_i`)ⁿ), `s_i` = σ `r_i`/(1 − σ + σ `r_i`), σ = λ/X,
//!
//! which for n = 1 and exponential holds is the equation above. If the input has one message at a
//! time, none may be crossing: `W_i` = W (1 − `r_i`)ⁿ (1 − `s_i`). A source has no upstream
//! channel, so all messages wait here: W, stored as `Wait::whole`.
//!
//! The previous tail adds `tails_several` P e/n.
//!
//! **Lags.** The flits of a message that waited have caught up with its head, so its hold is
//! shorter. With one VC t/h is therefore subtracted from ρ in 1 − ρ; with several VCs t is
//! subtracted from d in X, which otherwise equals `X_n`.
//!
//! **Fitted**: waits are multiplied by `Output::longer`, except for tails and the `Wait::whole` of
//! several VCs.
//!
//! **Bursts of others** multiply the wait by b = 1 + e² ρ/(1 + c²), and W likewise, as in Whitt's
//! network analyzer near saturation (*Bell System Technical Journal* 62, 1983), with the limit w =
//! (1 − `r_i`)/`λ_i` of ρ = 1: `W_i` is b W w/(w + (b − 1) W).

use super::constants::Constants;
use crate::model::queue::Moments;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Output<'a> {
    pub vcs: f64,
    pub hold: Moments,
    pub lingering: f64,
    /// L, on the link without messages of other classes.
    pub link: f64,
    /// The part of the hold in which messages of the output share the link.
    pub sharing: f64,
    /// Factor between the waits and these equations.
    pub longer: f64,
    /// The part of the hold by which flits lag behind their head on arrival.
    pub lag: f64,
    pub constants: &'a Constants,
}

/// The wait of one stream.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Wait {
    pub mean: f64,
    /// The mean square, in cycles².
    pub square: f64,
    /// The mean if no upstream channel has waiting messages of the stream.
    pub whole: f64,
    /// The extra time of the message after the wait, because the channel is shared.
    pub shared: f64,
}

impl Wait {
    pub fn moments(&self) -> Moments {
        Moments { mean: self.mean, square: self.square }
    }
}

/// A competing stream.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Stream {
    pub load: f64,
    /// Maximum number of simultaneous messages of the stream before the output: VCs of the input
    /// channel.
    pub vcs: f64,
    /// True if a source queue includes the hold of the previous message in its service.
    pub queued: bool,
    /// Squared coefficient of variation of the others' gaps, minus 1 (e²).
    pub excess: f64,
}

/// Maximum number of VCs of an output.
pub(super) const VCS_MAX: usize = 32;

/// The load of a stream below which x is replaced by its limit, because `ρ_i` − Q would lose
/// precision.
const SERIES: f64 = 1e-5;

/// Maximum load in the square of a wait, which diverges at 1.
const BUSY_MOST: f64 = 0.999;

/// A power, computed faster for integer exponents.
pub(super) fn power(base: f64, exponent: f64) -> f64 {
    if exponent.fract() == 0.0 { base.powi(exponent as i32) } else { base.powf(exponent) }
}

/// The exponent of the load for a number of servers: 1 for a single server.
pub(super) fn exponent(servers: f64) -> f64 {
    (2.0 * (servers + 1.0)).sqrt() - 1.0
}

impl Output<'_> {
    /// Computes the waits of these `streams`; `None` if the output overflows.
    pub fn waits(&self, streams: &[Stream], waits: &mut [Wait]) -> Option<()> {
        let all: f64 = streams.iter().map(|it| it.load).sum();
        if all <= 0.0 {
            waits.fill(Wait::default());
            Some(())
        } else if self.vcs > 1.0 {
            self.for_several(all, streams, waits)
        } else {
            self.for_one(all, streams, waits)
        }
    }

    /// The factor by which bursts of others lengthen a wait of this mean.
    fn bursty(&self, stream: &Stream, part: f64, load: f64, wait: f64) -> f64 {
        let most = (1.0 - part) * self.hold.mean / stream.load;
        let longer = stream.excess * load / (1.0 + self.hold.variation());
        if most > 0.0 { (1.0 + longer) / (1.0 + longer * (wait / most).min(1.0)) } else { 1.0 }
    }

    /// Computes the waits for one VC.
    fn for_one(&self, all: f64, streams: &[Stream], waits: &mut [Wait]) -> Option<()> {
        let Self { hold, lingering, .. } = *self;
        let free = 1.0 - all * (1.0 - self.lag / hold.mean);
        if free <= 0.0 {
            return None;
        }
        let residual = hold.square / (2.0 * hold.mean);
        for (stream, wait) in streams.iter().zip(waits) {
            let (part, own) = (stream.load / all, stream.load);
            let rate = own / hold.mean;
            let waiting = if stream.vcs > 1.0 {
                let another = all * part / (free + all * part);
                let here = 1.0 - (part + (1.0 - part) * another) * power(another, stream.vcs - 1.0);
                all * residual / free * here
            } else {
                let x = if own < SERIES {
                    all * residual
                } else {
                    (own - hold.arrival(rate)) / (part * rate)
                };
                (1.0 - part).max(0.0) * x / (free + rate * x)
            };
            let tail = if stream.queued {
                0.0
            } else {
                (1.0 - (-self.constants.tails * own).exp()) * lingering
            };
            let plain = self.longer * waiting + tail;
            let bursty = self.bursty(stream, part, all, plain);
            // The load of a queue M/G/1 with this wait.
            let busy = (plain / (plain + residual)).min(BUSY_MOST);
            wait.mean = bursty * plain;
            // The formula of M/G/1, with E[h³] approximated by E[h]·E[h²].
            let rest = hold.square * busy / (3.0 * (1.0 - busy));
            wait.square = 2.0 * wait.mean * wait.mean + bursty * rest;
            wait.whole =
                if stream.queued { self.longer * all * residual / free } else { wait.mean };
        }
        Some(())
    }

    /// Computes the waits for several VCs.
    fn for_several(&self, all: f64, streams: &[Stream], waits: &mut [Wait]) -> Option<()> {
        let Self { vcs, hold, lingering, .. } = *self;
        let (throughput, queue) = self.throughput();
        let rate = all * vcs / hold.mean;
        let load = rate / queue;
        if load >= 1.0 {
            return None;
        }
        let waiting = |stream: &Stream| {
            let part = stream.load / all;
            let another = load * part / (1.0 - load + load * part);
            if stream.vcs <= 1.0 {
                power(1.0 - part, vcs) * (1.0 - another)
            } else {
                1.0 - power(part + (1.0 - part) * another, vcs)
            }
        };
        let held = self.all_held(rate, &throughput, load);
        // The mean wait of messages that find all VCs occupied.
        let one = f64::midpoint(1.0, hold.variation()) / (queue * (1.0 - load));
        let tail = self.constants.tails_several * held * lingering / vcs;
        for (stream, wait) in streams.iter().zip(waits) {
            let (part, waiting) = (stream.load / all, waiting(stream));
            let (whole, plain) = (held * one, self.longer * held * one * waiting + tail);
            wait.mean = self.bursty(stream, part, load, plain) * plain;
            wait.whole = if stream.queued {
                self.bursty(stream, part, load, whole) * whole
            } else {
                wait.mean
            };
            wait.square = if held > 0.0 { 2.0 * wait.mean * wait.mean / held } else { 0.0 };
        }
        Some(())
    }

    /// `X_k`, from k = 1, and X of all VCs while heads wait.
    fn throughput(&self) -> ([f64; VCS_MAX], f64) {
        let elsewhere = (self.hold.mean - self.link - self.sharing).max(0.0);
        let (mut all, mut present, mut queue) = ([0.0; VCS_MAX], 0.0, 0.0);
        for (held, leaving) in all.iter_mut().enumerate().take(self.vcs as usize) {
            let shared = self.link * (1.0 + present);
            let held = (held + 1) as f64;
            *leaving = held / (shared + elsewhere);
            queue = held / (shared + (elsewhere - self.lag).max(0.0));
            present = *leaving * shared;
        }
        (all, queue)
    }

    /// The probability that all VCs are occupied, with `rate` arrivals per cycle, `load` of the
    /// queueing messages and exponential holds.
    fn all_held(&self, rate: f64, throughput: &[f64; VCS_MAX], load: f64) -> f64 {
        let vcs = self.vcs as usize;
        let (mut state, mut some_free) = (1.0, 1.0);
        for leaving in &throughput[..vcs - 1] {
            state *= rate / leaving;
            some_free += state;
        }
        let full = state * rate / throughput[vcs - 1] / (1.0 - load);
        full / (some_free + full)
    }
}

#[cfg(test)]
mod tests;
