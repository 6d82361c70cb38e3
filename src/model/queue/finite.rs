//! The M/G/1/K queue: one server, room for K customers with the one in service; a customer that
//! finds it full is sent away. What is given is the rate at which customers are *accepted*.
//!
//! In a wormhole network no worm is sent away: a worm that finds no room waits upstream. So the flow
//! through the queue is known, and the rate offered to it is whatever makes that flow the accepted
//! one (002, section 5.1, after H. Takagi, Queueing Analysis, volume 2, chapter 5).
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | λ | `accepted` | customers served | 1/cycle | 002 (10) |
//! | λ' | [`Solution::offered`] | customers that come, λ/(1 − `P_B`) | 1/cycle | 002 (10) |
//! | `P_B` | [`Solution::blocked`] | probability that the queue is full | – | 002 (10) |
//! | `π_j` | [`Queue::left_behind`] | probability that a departure leaves j behind | – | 002 (14) |
//! | K | `room` | most customers at once | – | 002, 5.1 |
//! | Υ | [`Solution::wait`] | wait of an accepted customer | cycles | 002 (14) |
//!
//! **Departures.** What crosses the cut between j and j + 1 upwards during a service crosses it
//! downwards at a departure: `π_(j+1) a_0` = `π_0` T⁰ⱼ + Σ `π_i` T⁰₍ⱼ₋ᵢ₊₁₎. All terms are positive,
//! so nothing cancels. With `s_i` = `π_i`, but `s_1` = `π_0` + `π_1` (an empty queue starts its next
//! service with one), the right side is a convolution of s with the tails; where the tails are
//! geometric it is a running sum, and the whole costs K steps and not K².
//!
//! **Waits.** A customer that finds n in the system waits for what is left of the service and n − 1
//! whole ones. The m-th moment of what is left, with the probability of n, is m!/λ'ᵐ Σ `s_i` Tᵐ₍ₙ₋ᵢ₎
//! over i ≤ n: the same running sums with the next two tails. Section 5.1's transform (14) has the
//! same two moments (a test compares them), but loses digits at light load.

use super::moments::Moments;
use super::service::{Arrivals, Service};

/// Relative width at which the search for the offered rate stops.
const RATE_TOLERANCE: f64 = 1e-14;
/// Steps of that search at most; it takes about six.
const STEPS_MAX: u32 = 200;
/// Offered load, in customers per service, beyond which a queue counts as always full.
const OFFERED_MAX: f64 = 300.0;
/// Probabilities are brought down where they grow beyond this.
const LARGE: f64 = 1e150;
/// Probabilities that fall below this share of their sum are nothing, and so are all after them.
const SMALL: f64 = 1e-28;

/// What came of a queue.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Solution {
    /// λ': customers that come, per cycle; infinite where the queue is always full.
    pub offered: f64,
    /// Probability that the queue is full at any time: `P_B`.
    pub blocked: f64,
    /// Wait of an accepted customer, without its own service.
    pub wait: Moments,
}

/// A solver; its storage is used again from queue to queue.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    arrivals: Arrivals,
    /// `π_j`, as far as it is anything; normalised once solved.
    left_behind: Vec<f64>,
    /// `s_i`: services that start with i customers; nothing at 0.
    starts: Vec<f64>,
    /// Whether the queue solved last is always full.
    full: bool,
}

impl Queue {
    /// `π_j` of the queue solved last, from j = 0; what follows the last is 0. Of a queue that is
    /// always full every departure leaves K − 1, and there is nothing here.
    pub fn left_behind(&self) -> &[f64] {
        &self.left_behind
    }

    /// Solves the queue with room for `room` ≥ 1 customers of which `accepted` > 0 are served per
    /// cycle, each for a time like `service`. Eqs. (10) and (14) of 002.
    ///
    /// `least` is a bound from below for λ', where one is known: λ' of the same queue with more
    /// room; 0 otherwise. Where `accepted` exceeds what the server can do, or is so close that λ'
    /// would be beyond all measure, the queue is always full: λ' → ∞.
    pub fn solve(&mut self, accepted: f64, service: &Service, room: usize, least: f64) -> Solution {
        let mean = service.moments.mean;
        let overloaded = accepted * mean >= 1.0;
        let offered = if overloaded { None } else { self.offered(accepted, service, room, least) };
        self.full = offered.is_none();
        let Some(offered) = offered else {
            self.left_behind.clear();
            let others = (room - 1) as f64;
            let wait = Moments::with_variance(others * mean, others * service.moments.variance());
            return Solution { offered: f64::INFINITY, blocked: 1.0, wait };
        };
        Solution {
            offered,
            blocked: 1.0 - 1.0 / (self.left_behind[0] + offered * mean),
            wait: self.wait(service, offered),
        }
    }

    /// The probability that `count` or more customers are in the system at any time, in the queue
    /// solved last. A term of eq. (16) of 002.
    pub fn at_least(&self, count: usize, solution: &Solution) -> f64 {
        if count == 0 || self.full {
            return 1.0;
        }
        let waiting: f64 = self.left_behind.iter().skip(count).sum();
        (1.0 - solution.blocked) * waiting + solution.blocked
    }

    /// λ' by (10), and the probabilities that belong to it; `None` where it is beyond measure.
    ///
    /// With `P_j` = `π_j`/(`π_0` + λ' S) equation (10) is g = `π_0` − λ' (1/λ − S) = 0, and g falls
    /// from g(λ) ≥ 0: secants between bounds, which are halved where a secant leaves them.
    fn offered(
        &mut self,
        accepted: f64,
        service: &Service,
        room: usize,
        least: f64,
    ) -> Option<f64> {
        let idle = 1.0 / accepted - service.moments.mean;
        let most = OFFERED_MAX / service.moments.mean;
        let (mut low, mut high) = (least.max(accepted), f64::INFINITY);
        if low >= most {
            return None;
        }
        let mut rate = low;
        let mut excess = self.empty(service, rate, room) - rate * idle;
        // The slope of a queue that is never full.
        let mut slope = -1.0 / accepted;
        for _ in 0..STEPS_MAX {
            if excess >= 0.0 {
                low = rate;
            } else if rate > low {
                high = rate;
            } else {
                // No loss, but for rounding.
                break;
            }
            if low >= most {
                return None;
            }
            let secant = rate - excess / slope;
            let guess = if secant >= low && secant <= high {
                secant
            } else if high.is_finite() {
                f64::midpoint(low, high)
            } else {
                1.5 * low
            };
            let guess = guess.min(most);
            if (guess - rate).abs() <= RATE_TOLERANCE * guess {
                break;
            }
            let found = self.empty(service, guess, room) - guess * idle;
            slope = (found - excess) / (guess - rate);
            (rate, excess) = (guess, found);
        }
        let sum: f64 = self.left_behind.iter().sum();
        self.left_behind.iter_mut().chain(&mut self.starts).for_each(|p| *p /= sum);
        Some(rate)
    }

    /// `π_0` at the offered rate `rate`. All are kept, but not normalised.
    fn empty(&mut self, service: &Service, rate: f64, room: usize) -> f64 {
        let Self { arrivals, left_behind, starts, .. } = self;
        arrivals.fill(service, rate, room);
        left_behind.clear();
        left_behind.push(1.0);
        starts.clear();
        starts.push(0.0);
        let mut sum = 1.0;
        for n in 1..room {
            let up = if n == 1 {
                left_behind[0] * arrivals.some()
            } else {
                arrivals.before() + arrivals.convolved(starts, n, 1, 0)
            };
            let own = up / arrivals.none;
            left_behind.push(own);
            sum += own;
            starts.push(if n == 1 { left_behind[0] + own } else { own });
            arrivals.start(starts[n]);
            if own > LARGE {
                left_behind.iter_mut().chain(&mut *starts).for_each(|p| *p /= LARGE);
                arrivals.falling.iter_mut().for_each(|falling| falling.sum /= LARGE);
                sum /= LARGE;
            } else if own < SMALL * sum && own < left_behind[n - 1] {
                break;
            }
        }
        left_behind[0] / sum
    }

    /// Both moments of the wait, (14) of 002, state by state.
    fn wait(&mut self, service: &Service, offered: f64) -> Moments {
        let Self { arrivals, left_behind, starts, .. } = self;
        let (mean, variance) = (service.moments.mean, service.moments.variance());
        arrivals.falling.iter_mut().for_each(|falling| falling.sum = 0.0);
        let mut wait = Moments::NONE;
        for (n, &here) in left_behind.iter().enumerate().skip(1) {
            arrivals.start(starts[n]);
            // What is left of the service, weighted with the probability of n.
            let left = [1, 2].map(|m| arrivals.with(starts, n, m));
            let (first, second) = (left[0] / offered, 2.0 * left[1] / (offered * offered));
            let others = (n - 1) as f64;
            let before = others * mean;
            wait.mean += first + before * here;
            wait.square +=
                second + 2.0 * before * first + (others * variance + before * before) * here;
        }
        wait
    }
}

#[cfg(test)]
mod tests;
