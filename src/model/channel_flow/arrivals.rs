//! The queue of a source whose messages come by any process of the scenario.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | – | `phases` | gaps are a mixture of exponential ones, in mean gaps | – |
//! | `c_a²`, c² | `variation` | squared coefficient of variation of gaps; of services | – |
//! | q | `share` | share of the source's messages that come to this queue | – |
//! | σ | [`Arrivals::met`] | probability that a message meets another, were services exponential | – |
//! | x | `service` | service time | cycles |
//!
//! σ is the root of σ = A((1 − σ)n/x) of GI/M/1, A being the transform of the gaps. A message in
//! q of them, at random, has `A_q` = qA/(1 − (1 − q)A), with `c_q²` = 1 + q(`c_a²` − 1). The wait is
//! x/n · `σ^(√(2(n+1)) − 1)`/(1 − σ) · (`c_q²` + c²)/(`c_q²` + 1): exact for M/G/1 and GI/M/1 with n = 1.

use super::output::exponent;
use crate::model::queue::Moments;
use crate::traffic::Process;

/// How messages come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Arrivals {
    phases: [(f64, f64); 2],
    poisson: bool,
}

/// Steps to the root σ, each of which comes nearer from below.
const ROUNDS: usize = 200;

impl Arrivals {
    /// Of a process; geometric gaps are taken as exponential ones.
    pub fn new(process: Process) -> Self {
        let phases = process.phases();
        Self { phases, poisson: phases[0].0 >= 1.0 }
    }

    fn variation(&self) -> f64 {
        2.0 * self.phases.iter().map(|(share, mean)| share * mean * mean).sum::<f64>() - 1.0
    }

    /// σ for services of `load` on average, of a `share` of the messages.
    fn met(&self, share: f64, load: f64) -> f64 {
        // A at (1 − σ)·n/x, in mean gaps of all messages.
        let renewed = |met: f64| {
            let at = (1.0 - met) * share / load;
            let all: f64 = self.phases.iter().map(|(part, mean)| part / (1.0 + at * mean)).sum();
            share * all / (1.0 - (1.0 - share) * all)
        };
        let mut met = load;
        for _ in 0..ROUNDS {
            let next = renewed(met);
            if (next - met).abs() < 1e-12 {
                break;
            }
            met = next;
        }
        met
    }

    /// The mean wait of a `share` of the messages, `rate` of them per cycle, for `servers` with this
    /// service; `None` where the queue overflows.
    pub fn wait(&self, share: f64, rate: f64, service: Moments, servers: f64) -> Option<f64> {
        let load = rate * service.mean / servers;
        if load >= 1.0 {
            return None;
        }
        if load <= 0.0 {
            return Some(0.0);
        }
        let (met, gaps) = if self.poisson {
            (load, 1.0)
        } else {
            (self.met(share, load), 1.0 + share * (self.variation() - 1.0))
        };
        let spread = (gaps + service.variation()) / (gaps + 1.0);
        Some(service.mean / servers * met.powf(exponent(servers)) / (1.0 - met) * spread)
    }
}

#[cfg(test)]
mod tests;
