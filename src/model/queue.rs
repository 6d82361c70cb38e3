//! The queue common to all models. Queues with finite room are in [`finite`].
//!
//! | Symbol | Code | Meaning | Unit | Equation |
//! |---|---|---|---|---|
//! | λ | `rate` | messages that request the channel | 1/cycle | – |
//! | x | `service` | mean holding time of a message | cycles | 003 (3) |
//! | s/f, `x_base` | `base` | the same in an empty network | cycles | 003 (4), app. A |
//! | W | result of [`wait`] | mean wait of an arrival | cycles | 003 (4) |

pub mod finite;
pub mod moments;

pub use moments::Moments;

/// The mean wait of an M/G/1 queue (Pollaczek and Khinchine), with `load` and `moment` the first
/// two moments of the service times the arrival rate; `None` if overloaded.
pub fn mean_wait(load: f64, moment: f64) -> Option<f64> {
    (load < 1.0).then(|| moment / (2.0 * (1.0 - load)))
}

/// Eq. (4) of 003: the mean wait of an M/G/1 queue with a service of `base` cycles plus downstream
/// waiting with the variance of an exponential distribution (Draper and Ghosh). `None` if
/// overloaded, λ·x ≥ 1.
///
/// The bar over x² in (4) covers x only: x² is the square of the mean.
pub fn wait(rate: f64, service: f64, base: f64) -> Option<f64> {
    let spread = service - base;
    mean_wait(rate * service, rate * (service * service + spread * spread))
}

/// A channel as a queue of 003.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Server {
    /// x in cycles.
    pub service: f64,
    /// W in cycles.
    pub wait: f64,
}

impl Server {
    /// The queue of a channel, with the wait computed by [`wait`].
    pub fn new(rate: f64, service: f64, base: f64) -> Option<Self> {
        Some(Self { service, wait: wait(rate, service, base)? })
    }

    /// Adds a `count`-th of `other` to a mean.
    pub fn add_one_of(&mut self, count: f64, other: Self) {
        self.service += other.service / count;
        self.wait += other.wait / count;
    }
}

/// The mean wait of an M/G/1 queue with this service; infinite if overloaded.
pub fn wait_of(rate: f64, service: Moments) -> f64 {
    mean_wait(rate * service.mean, rate * service.square).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests;
