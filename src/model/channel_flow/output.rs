//! The waits at one output, for which streams compete that do not queue behind themselves.
//!
//! A stream is the messages of one input (a channel before it, or the source) that go to the output. With
//! one VC an input holds one message at a time, so a message never finds one of its own stream there.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | n | `Output::vcs` | VCs of the output | – |
//! | `n_i` | `Stream::vcs` | messages of a stream that can be before the output at a time | – |
//! | h | `Output::hold` | time for which a VC of the output is held | cycles |
//! | R | `residual` | h(1 + c²)/2: what is left of a hold that is met at random | cycles |
//! | `ρ_i` | `Stream::load` | `λ_i` h/n | – |
//! | S | `crowd` | Σ `ρ_i`/(1 + `ρ_i`/`n_i`) | – |
//! | `u_i` | `Stream::seen` | load that a message finds | – |
//! | `b_i` | `behind` | probability that the next message follows at once: the stream is busy, `ρ_i`(1 + `W_i`/h) | – |
//! | `R_i` | `left` | R + `b_i`^1.4 (h − R), with one VC | cycles |
//! | L, d | `Output::link`, – | what a message takes of the link alone; the rest of its hold, without sharing | cycles |
//! | `X_k` | `throughput` | messages that leave while k VCs are held | 1/cycle |
//! | e² | `Stream::excess` | squared coefficient of variation of the others' gaps, less 1 | – |
//! | e | `Output::lingering` | what is left of a hold when the next message of its stream comes | cycles |
//! | Q | `queue` | work of those that wait, Σ `ρ_m` `W_m` | cycles |
//! | `W_i` | `Wait::mean` | mean wait | cycles |
//!
//! By the arrival theorem of queueing networks (S. S. Lavenberg, M. Reiser, *Journal of Applied
//! Probability* 17, 1980) a message sees the output as it would be without its own stream:
//!
//! `W_i` = `u_i` `R_i` + Σ over m of `ρ_m` `W_m` − `ρ_i` `W_i`/`n_i`,
//!
//! which is linear: `W_i` = (`u_i` `R_i` + Q)/(1 + `ρ_i`/`n_i`), and Q follows from S. `u_i` is ρ − `ρ_i`/`n_i`;
//! where its stream can have as many messages there as the output has VCs, ρ(1 − (`ρ_i`/ρ)ⁿ): of n VCs
//! it can hold n − 1 beside the message, so that one at least must be another's. With one stream
//! there is no wait, with many small ones it is Pollaczek and Khinchine's. A message right behind one of
//! its stream meets those that have come meanwhile at the *start* of their hold, therefore `R_i`; with all
//! streams always there this gives the (n − 1)h that it must. With one VC (1 − exp(−3`ρ_i`)) e is
//! added to the first part of `W_i`, since the one before may still be in the output's buffer, unless the
//! queue of a source has that in its service.
//!
//! **More VCs.** Of n VCs all must be held, and while k are, the messages on them share one link: with
//! service L there and d elsewhere, mean value analysis (M. Reiser, S. S. Lavenberg, *Journal of the
//! ACM* 27, 1980) gives `X_k`. Messages at the rate that gives `W_i` at one VC are a birth and death chain
//! with these rates (a flow equivalent server: K. Chandy, U. Herzog, L. Woo, *IBM Journal of Research and
//! Development* 19, 1975): `P` that n are held, and `W_i` = P ((1 + c²)/2)^1.3/(`X_n` − λ). With d = 0 and
//! exponential lengths it is limited processor sharing, P = ρⁿ; with L = 0 it is M/M/n.
//!
//! **Bursts of others** make the wait B = 1 + e² ρ/(1 + c²) times as long, as W. Whitt's network analyzer has
//! it near saturation (*Bell System Technical Journal* 62, 1983). With one VC each other stream has one
//! message there at most: `W_i` is B w W/(w + (B − 1) W), with w the holds of one message of each.
//!
//! **The oldest first.** A machine that serves the oldest message lets those of stream m that came before
//! go first with the probability `p_mi` of being older, and those that come later with 1 − `p_im`:
//!
//! `W_i` = `u_i` `R_i` + Σ over m of `ρ_m` (`p_mi` `W_m` + (1 − `p_im`) `W_i`),
//!
//! so that what one gains the other loses: Σ `ρ_i` `W_i` stays (L. Kleinrock's conservation law). The age at
//! an output is the number of links behind plus an exponential time of the mean wait until there; one that
//! came before came R earlier.

use crate::model::queue::Moments;

/// An output.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Output {
    pub vcs: f64,
    pub hold: Moments,
    pub lingering: f64,
    /// L.
    pub link: f64,
    /// The part of the hold in which its messages share the link with each other.
    pub sharing: f64,
}

/// The wait of one stream.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Wait {
    pub mean: f64,
    /// The mean square, in cycles².
    pub square: f64,
    /// Probability that there is one.
    pub blocked: f64,
    /// How much longer the message takes after it because others share the channel.
    pub shared: f64,
}

impl Wait {
    /// Together with a time for which the channel is shared after it.
    pub fn and_then(&self, sharing: Moments) -> Moments {
        Moments { mean: self.mean, square: self.square }.and_then(sharing)
    }
}

/// The age of the messages of a stream when they ask for an output, in cycles: a fixed part, and the
/// mean of one that is spread like an exponential time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Age {
    pub fixed: f64,
    pub random: f64,
}

impl Age {
    /// Probability of being older than another that came this much later.
    fn older(self, other: Self, later: f64) -> f64 {
        let by = self.fixed - other.fixed + later;
        let sum = self.random + other.random;
        // That an exponential time of this mean is longer than another by at least `by`.
        let longer = |mean: f64, by: f64| match mean {
            ..=0.0 => 0.0,
            _ => (-by / mean).exp() * mean / sum,
        };
        if by >= 0.0 { 1.0 - longer(other.random, by) } else { longer(self.random, -by) }
    }
}

/// One of the streams that compete.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Stream {
    pub load: f64,
    /// Messages of the stream that can be before the output at a time: VCs of the channel it comes over.
    pub vcs: f64,
    /// Whether the hold of the message before is in the service of a source's queue.
    pub queued: bool,
    pub age: Age,
    /// `u_i`, once all streams are known.
    pub seen: f64,
    /// What it meets on the output, as far as waits are known.
    pub met: f64,
    /// e².
    pub excess: f64,
}

impl Stream {
    /// The part of the load that a message of the stream is itself.
    fn own(&self) -> f64 {
        self.load / self.vcs
    }

    /// The load that a message finds, of `all` on an output with a number of VCs.
    fn seen(&self, all: f64, vcs: f64) -> f64 {
        if self.vcs <= 1.0 || self.vcs > vcs {
            return all - self.own();
        }
        // With as many VCs as the output the others of its stream cannot take all.
        all * (1.0 - power(self.load / all, vcs))
    }
}

/// The most VCs of an output.
const VCS_MAX: usize = 32;

/// The power of (1 + c²)/2 in the wait for one of several VCs: fitted to simulations.
const SPREAD_POWER: f64 = 1.3;

/// The power of the probability that a message comes right behind one of its stream: fitted to simulations.
const BEHIND: f64 = 1.4;

/// How fast the probability that a message finds the one before of its stream grows with the stream's load:
/// fitted to simulations.
const TAILS: f64 = 3.0;

/// Rounds in which waits by age are renewed at most, and the change at which they end.
const AGE_ROUNDS: usize = 30;
const AGE_TOLERANCE: f64 = 1e-3;

/// The least part of an output's time that is left to a stream by those that overtake it.
const REST_MIN: f64 = 0.1;

/// Rounds in which `b_i` and `W_i` are renewed; the third changes W by parts in a thousand.
const ROUNDS: usize = 3;

/// A power that mostly is whole, which takes a fraction of the time then.
pub(super) fn power(base: f64, exponent: f64) -> f64 {
    if exponent.fract() == 0.0 { base.powi(exponent as i32) } else { base.powf(exponent) }
}

/// The exponent of the load where there are this many servers: 1 for one.
pub(super) fn exponent(servers: f64) -> f64 {
    (2.0 * (servers + 1.0)).sqrt() - 1.0
}

impl Output {
    /// Writes the waits of these `streams`; `None` where the output overflows.
    pub fn waits(&self, streams: &mut [Stream], waits: &mut [Wait]) -> Option<()> {
        let Self { vcs, hold, lingering, .. } = *self;
        let residual = hold.square / (2.0 * hold.mean);
        let all: f64 = streams.iter().map(|it| it.load).sum();
        let crowd: f64 = streams.iter().map(|it| it.load / (1.0 + it.own())).sum();
        if crowd >= 1.0 {
            return None;
        }
        for stream in &mut *streams {
            stream.seen = stream.seen(all, vcs);
        }
        let gain = if vcs > 1.0 { 0.0 } else { (hold.mean - residual).max(0.0) };
        let left = |stream: &Stream, wait: &Wait| {
            if gain <= 0.0 {
                return residual;
            }
            let behind = (stream.load * (1.0 + wait.mean / hold.mean)).min(1.0);
            residual + behind.powf(BEHIND) * gain
        };
        let meet = |streams: &mut [Stream], waits: &[Wait]| {
            for (stream, wait) in streams.iter_mut().zip(waits) {
                stream.met = stream.seen * left(stream, wait);
                if vcs <= 1.0 && !stream.queued {
                    stream.met += (1.0 - (-TAILS * stream.load).exp()) * lingering;
                }
            }
        };
        for _ in 0..ROUNDS {
            meet(streams, waits);
            let queued = |stream: &Stream| stream.load * stream.met / (1.0 + stream.own());
            let queue = streams.iter().map(queued).sum::<f64>() / (1.0 - crowd);
            for (stream, wait) in streams.iter().zip(&mut *waits) {
                wait.mean = ((stream.met + queue) / (1.0 + stream.own())).max(0.0);
            }
        }
        if streams.iter().any(|stream| stream.age.random > 0.0) {
            meet(streams, waits);
            by_age(streams, residual, waits);
        }
        let throughput = self.throughput();
        // What one message of each other stream takes.
        let most = (streams.len() as f64 - 1.0) * hold.mean;
        for (stream, wait) in streams.iter().zip(waits) {
            let left = left(stream, wait);
            // The load of a queue M/G/1 with this wait.
            let busy = wait.mean / (wait.mean + left);
            let bursty = 1.0 + stream.excess * busy / (1.0 + hold.variation());
            if vcs > 1.0 {
                let (blocked, one) = self.all_held(busy * vcs / hold.mean, &throughput)?;
                let one = one * bursty * (left / hold.mean).powf(SPREAD_POWER);
                wait.blocked = blocked;
                wait.mean = blocked * one;
                wait.square = 2.0 * blocked * one * one;
            } else {
                let free = 1.0 - busy;
                let plain = left * busy / free;
                let full = (plain / most).min(1.0);
                let bursty = bursty / (1.0 + (bursty - 1.0) * full);
                wait.blocked = busy;
                wait.mean = bursty * plain;
                // Of M/G/1, with E[h³] taken as E[h]·E[h²].
                wait.square =
                    2.0 * wait.mean * wait.mean + bursty * hold.square * busy / (3.0 * free);
            }
        }
        Some(())
    }

    /// `X_k`, from k = 1.
    fn throughput(&self) -> [f64; VCS_MAX] {
        let elsewhere = (self.hold.mean - self.link - self.sharing).max(0.0);
        let (mut all, mut present) = ([0.0; VCS_MAX], 0.0);
        for (held, leaving) in all.iter_mut().enumerate().take(self.vcs as usize) {
            let shared = self.link * (1.0 + present);
            *leaving = (held + 1) as f64 / (shared + elsewhere);
            present = *leaving * shared;
        }
        all
    }

    /// At a `rate` in messages per cycle, the probability that a message finds all VCs held, and the mean
    /// wait in cycles of those that do, if holds are exponential; `None` where the queue overflows.
    fn all_held(&self, rate: f64, throughput: &[f64; VCS_MAX]) -> Option<(f64, f64)> {
        let vcs = self.vcs as usize;
        let (mut state, mut some_free) = (1.0, 1.0);
        for leaving in &throughput[..vcs - 1] {
            state *= rate / leaving;
            some_free += state;
        }
        let leaving = throughput[vcs - 1];
        let load = rate / leaving;
        let held = state * load / (1.0 - load);
        (load < 1.0).then(|| (held / (some_free + held), 1.0 / (leaving - rate)))
    }
}

/// Renews waits for an output that serves the oldest first.
fn by_age(streams: &[Stream], later: f64, waits: &mut [Wait]) {
    for _ in 0..AGE_ROUNDS {
        let mut change = 0.0f64;
        for (at, stream) in streams.iter().enumerate() {
            let (mut ahead, mut rest) = (stream.met, 1.0);
            for (number, (other, wait)) in streams.iter().zip(&*waits).enumerate() {
                let own = if number == at { other.own() } else { 0.0 };
                let load = other.load - own;
                ahead += load * other.age.older(stream.age, later) * wait.mean;
                rest -= load * (1.0 - stream.age.older(other.age, later));
            }
            let renewed = ahead / rest.max(REST_MIN);
            change = change.max((renewed - waits[at].mean).abs() / (1.0 + renewed));
            waits[at].mean = renewed;
        }
        if change < AGE_TOLERANCE {
            break;
        }
    }
}

#[cfg(test)]
mod tests;
