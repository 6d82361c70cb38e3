//! The queue of a source with any arrival process of a scenario.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | `p_i`, `a_i` | `phases` | gaps are a mixture of exponential ones: probabilities, rates | –, 1/cycle |
//! | q | `share` | share of the source's messages that come to this queue, at random | – |
//! | B(s) | 1 − `Moments::arrival` | transform of a gamma time with the moments of the service | – |
//! | σ | [`Waiting::met`] | probability of a wait | – |
//!
//! With A = N/D the transform of the gaps, N = `a_1 a_2` + gs, g = `p_1 a_1` + `p_2 a_2` and D =
//! (`a_1` + s)(`a_2` + s), gaps between a random share q of the messages have the transform `A_q` =
//! qN/(D − (1 − q)N). The wait is that of the queue K₂/G/1 (J. W. Cohen, *The Single Server Queue*,
//! 1982, II.5.10): with
//!
//! f(s) = D(−s) − (1 − q)N(−s) − qN(−s)B(s) = `f_1` s + `f_2` s² + `f_3` s³ + …
//!
//! and its single root δ > 0, the transform of W is `f_1` s(1 − s/δ)/f(s), so E\[W\] = 1/δ +
//! `f_2`/`f_1`, E\[W²\] = 2E\[W\]² − 2E\[W\]/δ − 2`f_3`/`f_1`, and σ = 1 + `f_1`/δ. For n servers
//! the mean is that of a single server n times as fast, times σ^(√(2(n+1)) − 2) (Sakasegawa).

use super::output::{exponent, power};
use crate::model::queue::{Moments, mean_wait};
use crate::traffic::Process;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Arrivals {
    /// The probability and the mean of each exponential part, in mean gaps.
    phases: [(f64, f64); 2],
    /// The squared coefficient of variation of the gaps, minus 1.
    pub excess: f64,
    poisson: bool,
}

/// A wait: its mean in cycles, E\[W²\]/E\[W\] − 2E\[W\], and the probability of a wait.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Waiting {
    mean: f64,
    rest: f64,
    met: f64,
}

/// Maximum number of steps to the root δ; the search ends with a relative step below `STEP_LEAST`.
const STEPS: usize = 50;
const STEP_LEAST: f64 = 1e-14;

impl Arrivals {
    /// Creates the arrivals of a process; geometric gaps are approximated as exponential.
    pub fn new(process: Process) -> Self {
        let phases = process.phases();
        Self { phases, excess: process.variation() - 1.0, poisson: phases[0].0 >= 1.0 }
    }

    /// The wait at one server for a `share` of the messages, `rate` of them per cycle, at a load
    /// below 1.
    fn one(&self, share: f64, rate: f64, service: Moments) -> Waiting {
        let load = rate * service.mean;
        if self.poisson {
            let mean = mean_wait(load, rate * service.square).unwrap_or(f64::INFINITY);
            let rest = service.mean * (1.0 + 2.0 * service.variation()) / 1.5;
            return Waiting { mean, rest, met: load };
        }
        let [short, long] = self.phases;
        let all = rate / share;
        let (a, b) = (all / short.1, all / long.1);
        // The constant g.
        let next = short.0 * a + long.0 * b;
        let linear = a + b - (1.0 - share) * next;
        let first = a * b / all * (load - 1.0);
        let second = 1.0 - share * (next * service.mean + a * b * service.square / 2.0);
        // The quotient f(s)/s, equal to `first` at 0 and positive at `linear`.
        let slope = |s: f64| {
            let arrival = service.arrival(s);
            share * a * b * arrival / s - linear + s + share * next * (1.0 - arrival)
        };
        let root = root(slope, (0.0, first), (linear, slope(linear)));
        let mean = 1.0 / root + second / first;
        // E[S³] of a gamma time.
        let cube = service.square * service.mean * (1.0 + 2.0 * service.variation());
        let third = share * (a * b * cube / 6.0 + next * service.square / 2.0);
        let rest = -2.0 * (1.0 / root + third / (first * mean));
        Waiting { mean, rest, met: 1.0 + first / root }
    }

    /// The mean wait of a `share` of the messages, `rate` of them per cycle, for `servers` with
    /// this service; `None` if the queue overflows.
    pub fn wait(&self, share: f64, rate: f64, service: Moments, servers: f64) -> Option<f64> {
        let load = rate * service.mean / servers;
        if load >= 1.0 {
            return None;
        }
        if load <= 0.0 {
            return Some(0.0);
        }
        let Waiting { mean, met, .. } = self.one(share, rate, service.stretched(1.0 / servers));
        Some(mean.max(0.0) * power(met.clamp(0.0, 1.0), exponent(servers) - 1.0))
    }

    /// Returns a function from the mean of a wait in cycles to its moments, with the distribution
    /// of a `share` of the messages, `rate` of them per cycle, at one server with this service.
    pub fn spread(&self, share: f64, rate: f64, service: Moments) -> impl Fn(f64) -> Moments {
        let rest = self.one(share, rate, service).rest.max(0.0);
        move |mean| Moments { mean, square: (2.0 * mean + rest) * mean }
    }
}

/// The root of a function between two points with values of different signs, by false position. The
/// value at a retained end is halved (M. Dowell, P. Jarratt, *BIT* 11, 1971).
fn root(of: impl Fn(f64) -> f64, mut stays: (f64, f64), mut last: (f64, f64)) -> f64 {
    for _ in 0..STEPS {
        let at = last.0 - last.1 * (last.0 - stays.0) / (last.1 - stays.1);
        let (step, value) = (at - last.0, of(at));
        if value * last.1 < 0.0 {
            stays = last;
        } else {
            stays.1 /= 2.0;
        }
        last = (at, value);
        if value == 0.0 || step.abs() <= STEP_LEAST * at {
            break;
        }
    }
    last.0
}

#[cfg(test)]
mod tests;
