//! The waits at one output, for which streams compete that do not queue behind themselves.
//!
//! A stream is the messages of one input (a channel before it, or the source) that go to the output. With
//! one VC an input holds one message at a time, so a message never finds one of its own stream there.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | n | `Output::vcs` | VCs of the output; a stream is taken as n equal ones | – |
//! | h | `Output::hold` | time for which a VC of the output is held | cycles |
//! | R | `residual` | h(1 + c²)/2: what is left of a hold that is met at random | cycles |
//! | `ρ_i` | `loads` | `λ_i` h/n | – |
//! | S | `crowd` | Σ `ρ_i`/(1 + `ρ_i`/n) | – |
//! | `b_i` | `behind` | probability that the next message follows at once: the stream is busy, `ρ_i`(1 + `W_i`/h) | – |
//! | `R_i` | `left` | R + `b_i`(h − R), with one VC | cycles |
//! | e | `Output::lingering` | time for which the output is held when its input is free again | cycles |
//! | Q | `queue` | work of those that wait, Σ `ρ_m` `W_m` | cycles |
//! | `W_i` | `Wait::mean` | mean wait | cycles |
//!
//! By the arrival theorem of queueing networks (S. S. Lavenberg, M. Reiser, *Journal of Applied
//! Probability* 17, 1980) a message sees the output as it would be without its own stream:
//!
//! `W_i` = Σ over m ≠ i of `ρ_m` (`R_i` + `W_m`),
//!
//! which is linear: `W_i` = ((ρ − `ρ_i`) `R_i` + Q)/(1 + `ρ_i`), and Q follows from S. With one stream
//! there is no wait, with many small ones it is Pollaczek and Khinchine's. A message right behind one of
//! its stream meets those that have come meanwhile at the *start* of their hold, therefore `R_i`; with all
//! streams always there this gives the (n − 1)h that it must. With one VC `ρ_i` e is added to the first
//! part of `W_i`, since the one before may still be in the output's buffer. Of n VCs all must be held: the load that
//! gives `W_i` is raised to √(2(n + 1)) − 1 (H. Sakasegawa, *Annals of the Institute of Statistical
//! Mathematics* 29, 1977).

use crate::model::queue::Moments;

/// An output.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Output {
    pub vcs: f64,
    pub hold: Moments,
    pub lingering: f64,
}

/// The wait of one stream.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Wait {
    pub mean: f64,
    /// The mean square, in cycles².
    pub square: f64,
    /// Probability that there is one.
    pub blocked: f64,
}

/// Rounds in which `b_i` and `W_i` are renewed; the third changes W by parts in a thousand.
const ROUNDS: usize = 3;

/// The exponent of the load where there are this many servers: 1 for one.
pub(super) fn exponent(servers: f64) -> f64 {
    (2.0 * (servers + 1.0)).sqrt() - 1.0
}

impl Output {
    /// Writes the waits of streams with these `loads`; `None` where the output overflows.
    pub fn waits(
        &self,
        loads: impl Iterator<Item = f64> + Clone,
        waits: &mut [Wait],
    ) -> Option<()> {
        let Self { vcs, hold, lingering } = *self;
        let residual = hold.square / (2.0 * hold.mean);
        let (mut all, mut crowd) = (0.0, 0.0);
        for load in loads.clone() {
            all += load;
            crowd += load / (1.0 + load / vcs);
        }
        if crowd >= 1.0 {
            return None;
        }
        let gain = if vcs > 1.0 { 0.0 } else { (hold.mean - residual).max(0.0) };
        let left = |load: f64, wait: f64| {
            let behind = (load * (1.0 + wait / hold.mean)).min(1.0);
            residual + behind * gain
        };
        let lingering = if vcs > 1.0 { 0.0 } else { lingering };
        for _ in 0..ROUNDS {
            let mut queue = 0.0;
            for (load, wait) in loads.clone().zip(&*waits) {
                let met = (all - load / vcs) * left(load, wait.mean);
                queue += load * met / (1.0 + load / vcs);
            }
            queue /= 1.0 - crowd;
            for (load, wait) in loads.clone().zip(&mut *waits) {
                let own = load * lingering;
                let met = (all - load / vcs) * left(load, wait.mean) + own + queue;
                wait.mean = (met / (1.0 + load / vcs)).max(0.0);
            }
        }
        for (load, wait) in loads.zip(waits) {
            let left = left(load, wait.mean);
            // The load of a queue M/G/1 with this wait.
            let busy = wait.mean / (wait.mean + left);
            let free = vcs * (1.0 - busy);
            wait.blocked = busy.powf(exponent(vcs));
            wait.mean = left * wait.blocked / free;
            // Of M/G/1, with E[h³] taken as E[h]·E[h²].
            wait.square = 2.0 * wait.mean * wait.mean + hold.square * busy / (3.0 * vcs * free);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests;
