//! The single queue behind the wormhole models, and the search for the rate at which one overflows.
//! With finite room it is in [`finite`].
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | λ | `rate` | messages that ask for the channel | 1/cycle | – |
//! | x | `service` | mean time for which a message holds it | cycles | 003 (3) |
//! | s/f, `x_base` | `base` | the same in an empty network | cycles | 003 (4), app. A |
//! | W | result of [`wait`] | mean wait of an arrival | cycles | 003 (4) |

pub mod finite;
pub mod moments;
pub mod service;

use crate::units::Rate;
use moments::Moments;

/// Relative width at which the search for a saturation rate stops.
const RATE_TOLERANCE: f64 = 1e-13;

/// Eq. (4) of 003: the mean wait of an M/G/1 queue whose service is `base` cycles plus waiting
/// further on, that waiting being spread like an exponential time (Draper and Ghosh). `None` where
/// the queue overflows, λ·x ≥ 1.
///
/// The bar over x² in (4) covers x only: x² is the square of the mean.
pub fn wait(rate: f64, service: f64, base: f64) -> Option<f64> {
    let busy = rate * service;
    let spread = service - base;
    (busy < 1.0).then(|| rate * (service * service + spread * spread) / (2.0 * (1.0 - busy)))
}

/// The mean wait of an M/G/1 queue with this service (Pollaczek and Khinchine); infinite where it
/// overflows.
pub fn wait_of(rate: f64, service: Moments) -> f64 {
    let idle = 1.0 - rate * service.mean;
    if idle > 0.0 { rate * service.square / (2.0 * idle) } else { f64::INFINITY }
}

/// The largest rate below `overflow` that has a solution, by bisection. Solutions end once and for
/// all at some rate; `overflow` is one that has none.
pub fn saturation_rate(overflow: f64, solved: impl FnMut(f64) -> bool) -> Rate {
    saturation_within(overflow, RATE_TOLERANCE, solved)
}

/// As [`saturation_rate`], to a relative width of `tolerance` of the rate, for what takes long.
pub fn saturation_within(
    overflow: f64,
    tolerance: f64,
    mut solved: impl FnMut(f64) -> bool,
) -> Rate {
    let (mut low, mut high) = (0.0, overflow);
    while high - low > tolerance * high {
        let rate = f64::midpoint(low, high);
        if solved(rate) {
            low = rate;
        } else {
            high = rate;
        }
    }
    Rate(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_service_waits_as_long_as_in_an_m_d_1_queue() {
        // ρ = 0.5: ρ·x / (2(1 − ρ)).
        assert!((wait(0.05, 10.0, 10.0).unwrap() - 5.0).abs() < 1e-12);
    }

    #[test]
    fn a_service_that_is_all_waiting_waits_as_long_as_in_an_m_m_1_queue() {
        assert!((wait(0.05, 10.0, 0.0).unwrap() - 10.0).abs() < 1e-12);
    }

    #[test]
    fn a_full_queue_has_no_wait() {
        assert_eq!(wait(0.1, 10.0, 10.0), None);
        assert_eq!(wait(0.0, 10.0, 10.0), Some(0.0));
    }

    #[test]
    fn the_search_finds_the_end_of_the_solutions() {
        let found = saturation_rate(1.0, |rate| wait(rate, 7.0, 7.0).is_some());
        assert!((found.0 * 7.0 - 1.0).abs() < 1e-12);
    }
}
