//! The M/G/1/K queue: one server, and room for K customers.
//!
//! The room includes the customer in service; customers finding the queue full are rejected. The
//! input is the rate of *accepted* customers.
//!
//! In a wormhole network no worm is rejected: a worm without room waits upstream. Hence the flow
//! through the queue is known, and the offered rate is determined by equating the flow and the
//! accepted rate (002, section 5.1, after H. Takagi, Queueing Analysis, volume 2, chapter 5).
//!
//! | Symbol | Code | Meaning | Unit | Equation |
//! |---|---|---|---|---|
//! | λ | `accepted` | customers served | 1/cycle | 002 (10) |
//! | λ' | [`Solution::offered`] | customers arriving, λ/(1 − `P_B`) | 1/cycle | 002 (10) |
//! | `P_B` | [`Solution::blocked`] | probability that the queue is full | – | 002 (10) |
//! | `π_j` | [`Queue::left_behind`] | probability that a departure leaves j behind | – | 002 (14) |
//! | K | `room` | maximum number of customers | – | 002, 5.1 |
//! | Υ | [`Solution::wait`] | wait of an accepted customer | cycles | 002 (14) |
//! | S | `moments` | service time | cycles | 002 (11) |
//! | C² | [`Moments::variation`] | squared coefficient of variation | – | 002 (11) |
//! | δ, μ | within [`Service::new`] | the mixture's shape and rate | –, 1/cycle | 002 (11)–(13) |
//! | `a_k` | – | probability of k arrivals in a service | – | integral in 5.1 of 002 |
//! | – | tails | T⁰ₖ = Σ a over i > k; T¹ₖ = Σ T⁰ over i > k; T²ₖ likewise | – | – |
//!
//! **Departures.** Upward crossings of the cut between j and j + 1 during a service equal downward
//! crossings at departures: `π_(j+1) a_0` = `π_0` T⁰ⱼ + Σ `π_i` T⁰₍ⱼ₋ᵢ₊₁₎. All terms are positive,
//! without cancellation. With `s_i` = `π_i`, but `s_1` = `π_0` + `π_1` (an empty queue starts its
//! next service with one customer), the right side is a convolution of s with the tails; for
//! geometric tails, the convolution is a running sum, at a total cost of K steps instead of K².
//!
//! **Waits.** A customer that finds n in the system waits for the residual service and n − 1 whole
//! services. The m-th moment of the residual, with the probability of n, is m!/λ'ᵐ Σ `s_i` Tᵐ₍ₙ₋ᵢ₎
//! over i ≤ n: the same running sums with the next two tails. The transform (14) of section 5.1 has
//! the same two moments (compared in a test), but loses digits at light load.

use super::moments::Moments;

/// Relative width at which the search for the offered rate stops.
const RATE_TOLERANCE: f64 = 1e-14;
/// Maximum number of steps of the search; about six are typical.
const STEPS_MAX: u32 = 200;
/// Offered load, in customers per service, above which a queue counts as always full.
const OFFERED_MAX: f64 = 300.0;
/// Limit above which probabilities are scaled down.
const LARGE: f64 = 1e150;
/// Probabilities below this share of their sum are neglected, along with all after them.
const SMALL: f64 = 1e-28;

/// Squared coefficient of variation below which a service counts as constant.
const CONSTANT: f64 = 1e-12;
/// Tails of the constant part below this limit are neglected.
const TAIL_MIN: f64 = 1e-19;

/// Solution of a queue.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Solution {
    /// λ': customers arriving per cycle; infinite if the queue is always full.
    pub offered: f64,
    /// Probability that the queue is full at any time: `P_B`.
    pub blocked: f64,
    /// Wait of an accepted customer, without its own service.
    pub wait: Moments,
}

/// A solver with reusable storage.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    arrivals: Arrivals,
    /// `π_j`, without negligible values; normalised once solved.
    left_behind: Vec<f64>,
    /// `s_i`: services that start with i customers; 0 at index 0.
    starts: Vec<f64>,
    /// True if the queue solved last is always full.
    full: bool,
}

impl Queue {
    /// `π_j` of the queue solved last, from j = 0; values after the last are 0. Empty for a queue
    /// that is always full, with K − 1 customers left by every departure.
    pub fn left_behind(&self) -> &[f64] {
        &self.left_behind
    }

    /// Solves the queue with room for `room` ≥ 1 customers, `accepted` > 0 served per cycle, each
    /// for a time distributed as `service`. Eqs. (10) and (14) of 002.
    ///
    /// `least` is a known lower bound for λ': λ' of the same queue with more room; 0 otherwise. If
    /// `accepted` exceeds the capacity of the server, or is too close for a finite λ', the queue is
    /// always full: λ' → ∞.
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

    /// λ' by (10), with the corresponding probabilities; `None` if too large.
    ///
    /// With `P_j` = `π_j`/(`π_0` + λ' S), equation (10) is g = `π_0` − λ' (1/λ − S) = 0, and g
    /// falls from g(λ) ≥ 0: solved by secants between bounds, with bisection if a secant leaves the
    /// bounds.
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
        // The slope for a queue that is never full.
        let mut slope = -1.0 / accepted;
        for _ in 0..STEPS_MAX {
            if excess >= 0.0 {
                low = rate;
            } else if rate > low {
                high = rate;
            } else {
                // No rejections, except for rounding.
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

    /// `π_0` at the offered rate `rate`. Stores all probabilities without normalising.
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
            // The residual service, weighted with the probability of n.
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

#[derive(Clone, Copy, PartialEq, Debug)]
struct Exponential {
    weight: f64,
    rate: f64,
}

/// A service time: the two-moment surrogate of 002, (11).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Service {
    pub moments: Moments,
    exponential: [Exponential; 2],
    /// The probability of a service exactly equal to the mean.
    constant: f64,
}

impl Service {
    /// The service with these moments; the mean must be above 0, and the square at least that of a
    /// constant time.
    ///
    /// Eqs. (11)–(13) of 002. Both roots δ of (12) and (13) give the same density; the larger root
    /// is used.
    pub fn new(moments: Moments) -> Self {
        let (mean, variation) = (moments.mean, moments.variation());
        let none = Exponential { weight: 0.0, rate: 1.0 / mean };
        let (exponential, constant) = if variation >= 1.0 {
            let delta = variation + (variation * variation - 1.0).sqrt();
            let mu = 2.0 / ((delta + 1.0) * mean);
            let slow = Exponential { weight: 1.0 / (delta + 1.0), rate: mu };
            let fast = Exponential { weight: delta / (delta + 1.0), rate: delta * mu };
            ([slow, fast], 0.0)
        } else if variation > CONSTANT {
            ([Exponential { weight: variation, ..none }, none], 1.0 - variation)
        } else {
            ([none, none], 1.0)
        };
        Self { moments, exponential, constant }
    }
}

/// A geometric tail, Tᵐₖ = scaleₘ · ratioᵏ, and its running convolution with s.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Falling {
    ratio: f64,
    scale: [f64; 3],
    /// Σ `s_i` ratioⁿ⁻ⁱ over i ≤ n.
    pub sum: f64,
}

/// Arrivals during one service at one rate. Reused for different rates.
#[derive(Clone, Debug, Default)]
struct Arrivals {
    /// `a_0`: no arrivals.
    pub none: f64,
    /// The tails of the exponential parts.
    pub falling: [Falling; 2],
    /// The tails of the constant part by index, without negligible values.
    constant: Vec<[f64; 3]>,
}

impl Arrivals {
    /// Computes the arrivals at `rate` in one `service`, for the constant part only at indices
    /// below `end`.
    pub fn fill(&mut self, service: &Service, rate: f64, end: usize) {
        self.none = 0.0;
        for (part, falling) in service.exponential.iter().zip(&mut self.falling) {
            let more = rate / (rate + part.rate);
            let enough = part.rate / (rate + part.rate);
            // a_k = enough · moreᵏ, summed once, twice and three times.
            let first = part.weight * more;
            *falling = Falling {
                ratio: more,
                scale: [first, first * more / enough, first * (more / enough) * (more / enough)],
                sum: 0.0,
            };
            self.none += part.weight * enough;
        }
        self.constant.clear();
        if service.constant > 0.0 {
            self.fill_constant(service.constant, rate * service.moments.mean, end);
            self.none += service.constant * (-rate * service.moments.mean).exp();
        }
    }

    /// A constant service equal to `mean` interarrival times: Poisson probabilities forwards until
    /// negligible, then summed backwards, smallest first.
    fn fill_constant(&mut self, weight: f64, mean: f64, end: usize) {
        let mut probability = weight * (-mean).exp();
        let mut k = 0.0;
        loop {
            self.constant.push([probability, 0.0, 0.0]);
            k += 1.0;
            probability *= mean / k;
            if k > mean && probability < TAIL_MIN {
                break;
            }
        }
        let mut sums = [0.0; 3];
        for tails in self.constant.iter_mut().rev() {
            let own = tails[0];
            *tails = sums;
            // T²(k − 1) = T²(k) + T¹(k), and so on: the highest order first.
            sums[2] += sums[1];
            sums[1] += sums[0];
            sums[0] += own;
        }
        self.constant.truncate(end);
        while self.constant.last().is_some_and(|tails| tails[0] < TAIL_MIN) {
            self.constant.pop();
        }
    }

    /// T⁰₀: at least one arrival.
    pub fn some(&self) -> f64 {
        let falling: f64 = self.falling.iter().map(|falling| falling.scale[0]).sum();
        falling + self.constant.first().map_or(0.0, |tails| tails[0])
    }

    /// Advances to the next n, with the services that start with n customers.
    pub fn start(&mut self, starts: f64) {
        for falling in &mut self.falling {
            falling.sum = falling.ratio * falling.sum + starts;
        }
    }

    /// Σ `s_i` T⁰₍ₙ₊₁₋ᵢ₎ over i ≤ n, of the exponential parts.
    pub fn before(&self) -> f64 {
        let [a, b] = &self.falling;
        a.sum * a.scale[0] * a.ratio + b.sum * b.scale[0] * b.ratio
    }

    /// Σ `s_i` Tᵐ₍ₙ₋ᵢ₎ over i ≤ n.
    pub fn with(&self, starts: &[f64], n: usize, m: usize) -> f64 {
        let [a, b] = &self.falling;
        a.sum * a.scale[m] + b.sum * b.scale[m] + self.convolved(starts, n, 0, m)
    }

    /// Σ `s_i` Tᵐ₍ₙ₋ᵢ₎ over i ≤ n − `skipped`, of the constant part.
    pub fn convolved(&self, starts: &[f64], n: usize, skipped: usize, m: usize) -> f64 {
        let tails = self.constant.iter().enumerate().take(n).skip(skipped);
        tails.map(|(back, tails)| starts[n - back] * tails[m]).sum()
    }
}

#[cfg(test)]
mod tests;
