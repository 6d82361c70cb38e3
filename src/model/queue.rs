//! The single queue behind the models. With finite room it is in [`finite`].
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | λ | `rate` | messages that ask for the channel | 1/cycle | – |
//! | x | `service` | mean time for which a message holds it | cycles | 003 (3) |
//! | s/f, `x_base` | `base` | the same in an empty network | cycles | 003 (4), app. A |
//! | W | result of [`wait`] | mean wait of an arrival | cycles | 003 (4) |

pub mod finite;
pub mod moments;

pub use moments::Moments;

/// The mean wait of an M/G/1 queue (Pollaczek and Khinchine), of whose services `load` and `moment`
/// are the first two moments times the arrival rate; `None` where it overflows.
pub fn mean_wait(load: f64, moment: f64) -> Option<f64> {
    (load < 1.0).then(|| moment / (2.0 * (1.0 - load)))
}

/// Eq. (4) of 003: the mean wait of an M/G/1 queue whose service is `base` cycles plus waiting
/// further on, that waiting being spread like an exponential time (Draper and Ghosh). `None` where
/// the queue overflows, λ·x ≥ 1.
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
    /// The queue of a channel, as [`wait`] has it.
    pub fn new(rate: f64, service: f64, base: f64) -> Option<Self> {
        Some(Self { service, wait: wait(rate, service, base)? })
    }

    /// Adds one of `count` to a mean.
    pub fn add_one_of(&mut self, count: f64, other: Self) {
        self.service += other.service / count;
        self.wait += other.wait / count;
    }
}

/// The mean wait of an M/G/1 queue with this service; infinite where it overflows.
pub fn wait_of(rate: f64, service: Moments) -> f64 {
    mean_wait(rate * service.mean, rate * service.square).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests;
