//! A service time known by two moments, as a mixture of exponential and constant times, and the
//! arrivals that fall into one service.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | S | `moments` | service time | cycles | 002 (11) |
//! | C² | [`Moments::variation`] | squared coefficient of variation | – | 002 (11) |
//! | δ, μ | within [`Service::new`] | the mixture's shape and rate | –, 1/cycle | 002 (11)–(13) |
//! | λ' | `rate` | Poisson arrivals | 1/cycle | 002 (10) |
//! | `a_k` | – | probability of k arrivals in a service | – | integral in 5.1 of 002 |
//! | – | tails | T⁰ₖ = Σ a over i > k; T¹ₖ = Σ T⁰ over i > k; T²ₖ likewise | – | – |

use super::moments::Moments;

/// Below this squared coefficient of variation a service is constant.
const CONSTANT: f64 = 1e-12;
/// Tails of the constant part below this are nothing.
const TAIL_MIN: f64 = 1e-19;

#[derive(Clone, Copy, PartialEq, Debug)]
struct Exponential {
    weight: f64,
    rate: f64,
}

/// A service time: the two-moment surrogate of 002, (11).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Service {
    /// Its moments.
    pub moments: Moments,
    exponential: [Exponential; 2],
    /// The probability of a service that takes the mean exactly.
    constant: f64,
}

impl Service {
    /// The service with these moments; its mean is above 0, its square no less than that of a
    /// constant time.
    ///
    /// Eqs. (11)–(13) of 002. Both roots δ of (12) and (13) give the same density; the larger is
    /// taken.
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

/// A tail that falls by the same ratio from one index to the next: Tᵐₖ = scaleₘ · ratioᵏ; and its
/// running convolution with s.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Falling {
    ratio: f64,
    scale: [f64; 3],
    /// Σ `s_i` ratioⁿ⁻ⁱ over i ≤ n.
    pub sum: f64,
}

/// Arrivals during one service at one rate. Recycled from rate to rate.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals {
    /// `a_0`: none comes.
    pub none: f64,
    /// The tails of the exponential parts.
    pub falling: [Falling; 2],
    /// The tails of the constant part by index, as far as they are anything.
    constant: Vec<[f64; 3]>,
}

impl Arrivals {
    /// Works out the arrivals at `rate` in one `service`, those of the constant part for indices
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

    /// A service that always takes as long as `mean` arrivals: Poisson probabilities forwards until
    /// they are nothing, then summed backwards, smallest first.
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
            // T²(k − 1) = T²(k) + T¹(k), and so on: the higher first.
            sums[2] += sums[1];
            sums[1] += sums[0];
            sums[0] += own;
        }
        self.constant.truncate(end);
        while self.constant.last().is_some_and(|tails| tails[0] < TAIL_MIN) {
            self.constant.pop();
        }
    }

    /// T⁰₀: at least one comes.
    pub fn some(&self) -> f64 {
        let falling: f64 = self.falling.iter().map(|falling| falling.scale[0]).sum();
        falling + self.constant.first().map_or(0.0, |tails| tails[0])
    }

    /// Goes on to the next n, with the services that start with n customers.
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
