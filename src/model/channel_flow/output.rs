//! The waits at one output, for which streams compete.
//!
//! A stream is the messages of one input (a channel before it, or the source) that go to the output.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | n | `Output::vcs` | VCs of the output | – |
//! | h | `Output::hold` | time for which a VC of the output is held | cycles |
//! | `ρ_i` | `Stream::load` | `λ_i` h/n | – |
//! | ρ, `r_i` | `all`, `part` | Σ `ρ_i`; `ρ_i`/ρ | – |
//! | Q | `Moments::arrival` | probability that a message of the stream comes within a hold, a gamma time | – |
//! | L, d | `Output::link`, – | what a message takes of the link that other classes leave; the rest of its hold, without sharing | cycles |
//! | `X_k` | `throughput` | messages that leave while k VCs are held | 1/cycle |
//! | `s_i` | `another` | probability that behind those of the stream that wait there is another | – |
//! | e² | `Stream::excess` | squared coefficient of variation of the others' gaps, less 1 | – |
//! | e | `Output::lingering` | what is left of a hold when the next message of its stream comes | cycles |
//! | t | `Output::lag` | part of a hold by which flits lag behind their head when it comes | cycles |
//! | `W_i` | `Wait::mean` | mean wait | cycles |
//!
//! Messages cross the output about in the order of their births, whether the oldest of the heads is served
//! first or all are in turn: as if they stood in one queue M/G/1. Of a stream only the first waits here,
//! the others are at channels before and wait there. With n messages in the queue with the probabilities
//! `p_n` of Pollaczek and Khinchine, each of stream i with the probability `r_i`, one of the stream waits
//! here when another's is in service and one of its own is among the rest. By Little's law `λ_i` `W_i` is
//! Σ over n of `p_n` (1 − `r_i`)(1 − (1 − `r_i`)ⁿ⁻¹), so that
//!
//! `W_i` = (1 − `r_i`) x/(1 − ρ + `λ_i` x) with x = (`ρ_i` − Q)/(`r_i` `λ_i`),
//!
//! and x = ρ E[h²]/(2h) for `λ_i` → 0. With exponential holds this is h(ρ − `ρ_i`)/(1 − ρ + `ρ_i`), the wait in
//! a queue of all others. With one stream there is no wait, with many small ones it is Pollaczek and
//! Khinchine's; at ρ = 1 it is what one message of the stream lets go first, (1 − `r_i`)/`λ_i`. With one VC
//! (1 − exp(−`tails` `ρ_i`)) e is added, since the message before may still be in the output's buffer, unless the
//! queue of a source has that in its service.
//!
//! At an exit that one worm at a time takes the VCs of an input may have one each: of n at most n − 1 wait
//! here behind one that crosses, so that of the wait W in a queue M/G/1 the part 1 − (`r_i` + (1 − `r_i`)
//! `s_i`) `s_i`ⁿ⁻¹ is here, with the `s_i` of below for σ = ρ.
//!
//! **More VCs.** Of n VCs all must be held, and while k are, the messages on them share one link: with
//! service L there and d elsewhere, mean value analysis (M. Reiser, S. S. Lavenberg, *Journal of the
//! ACM* 27, 1980) gives `X_k`. All messages are a birth and death chain with these rates (a flow equivalent
//! server: K. Chandy, U. Herzog, L. Woo, *IBM Journal of Research and Development* 19, 1975): `P` that n are
//! held, and W = P (1 + c²)/(2(X − λ)). With d = 0 and exponential lengths it is limited processor
//! sharing, P = ρⁿ; with L = 0 it is M/M/n. Of a stream as many wait here as its input has VCs that are not
//! crossing: of n that hold the output each is the stream's with the probability `r_i`, and behind those that
//! wait there is another with `s_i`, so that
//!
//! `W_i` = W (1 − (`r_i` + (1 − `r_i`) `s_i`)ⁿ), `s_i` = σ `r_i`/(1 − σ + σ `r_i`), σ = λ/X,
//!
//! which is the equation above for n = 1 and exponential holds. Where the input has one message at a time,
//! none of it may be crossing: `W_i` = W (1 − `r_i`)ⁿ (1 − `s_i`). Behind a source there is no channel before,
//! and all wait here: W, which is `Wait::whole`.
//!
//! The tail before adds `tails_several` P e/n.
//!
//! **Lags.** The flits of a message that had to wait have caught up with its head, and its hold is shorter. So with
//! one VC t/h is left out of ρ in 1 − ρ, and with several t out of d in X, which otherwise is `X_n`.
//!
//! **Fitted**: waits, but for tails and the `Wait::whole` of several VCs, are `Output::longer` times as long.
//!
//! **Bursts of others** make the wait b = 1 + e² ρ/(1 + c²) times as long, as W. Whitt's network analyzer has
//! it near saturation (*Bell System Technical Journal* 62, 1983), but no longer than (1 − `r_i`)/`λ_i`, as at
//! ρ = 1: `W_i` is b W w/(w + (b − 1) W) with this w.

use super::fitted::Constants;
use crate::model::queue::Moments;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Output<'a> {
    pub vcs: f64,
    pub hold: Moments,
    pub lingering: f64,
    /// L, on the link that messages of other classes leave.
    pub link: f64,
    /// The part of the hold in which its messages share the link with each other.
    pub sharing: f64,
    /// How much longer waits are than these equations have them.
    pub longer: f64,
    /// The part of the hold by which flits lag behind their head when it comes.
    pub lag: f64,
    pub constants: &'a Constants,
}

/// The wait of one stream.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Wait {
    pub mean: f64,
    /// The mean square, in cycles².
    pub square: f64,
    /// The mean where there is no channel before on which others of the stream wait.
    pub whole: f64,
    /// How much longer the message takes after it because others share the channel.
    pub shared: f64,
}

impl Wait {
    pub fn moments(&self) -> Moments {
        Moments { mean: self.mean, square: self.square }
    }
}

/// One of the streams that compete.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Stream {
    pub load: f64,
    /// Messages of the stream that can be before the output at a time: VCs of the channel it comes over.
    pub vcs: f64,
    /// True if the hold of the message before is in the service of a source's queue.
    pub queued: bool,
    /// e².
    pub excess: f64,
}

/// The most VCs of an output.
pub(super) const VCS_MAX: usize = 32;

/// The load of a stream below which x is its limit, since `ρ_i` − Q would have few digits.
const SERIES: f64 = 1e-5;

/// The highest load for which the square of a wait is computed: at 1 it has no limit.
const BUSY_MOST: f64 = 0.999;

/// A power that mostly is whole, which takes a fraction of the time then.
pub(super) fn power(base: f64, exponent: f64) -> f64 {
    if exponent.fract() == 0.0 { base.powi(exponent as i32) } else { base.powf(exponent) }
}

/// The exponent of the load where there are this many servers: 1 for one.
pub(super) fn exponent(servers: f64) -> f64 {
    (2.0 * (servers + 1.0)).sqrt() - 1.0
}

impl Output<'_> {
    /// Writes the waits of these `streams`; `None` where the output overflows.
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

    /// How much longer bursts of others make a wait of this mean.
    fn bursty(&self, stream: &Stream, part: f64, load: f64, wait: f64) -> f64 {
        let most = (1.0 - part) * self.hold.mean / stream.load;
        let longer = stream.excess * load / (1.0 + self.hold.variation());
        if most > 0.0 { (1.0 + longer) / (1.0 + longer * (wait / most).min(1.0)) } else { 1.0 }
    }

    /// With one VC.
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
            // Of M/G/1, with E[h³] taken as E[h]·E[h²].
            let rest = hold.square * busy / (3.0 * (1.0 - busy));
            wait.square = 2.0 * wait.mean * wait.mean + bursty * rest;
            wait.whole =
                if stream.queued { self.longer * all * residual / free } else { wait.mean };
        }
        Some(())
    }

    /// With more VCs than one.
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
        // The mean wait of those that find all VCs held.
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

    /// The probability that all VCs are held if messages arrive at this rate, in messages per cycle, and those that
    /// queue are this `load`; holds are exponential.
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
