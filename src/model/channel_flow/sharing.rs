//! The extra time of a message on a shared channel, relative to its length.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | m | `met` | fraction of the channel used by other streams of the message's class | – |
//! | u | `unlike` | fraction used by other classes | – |
//! | n, k | `vcs`, – | VCs of the message's class; of the other classes | – |
//!
//! The model is Dally's chain of occupied VCs (1992), m + m² + …. With two classes, i others of the
//! message's own class and j of the other class add C(i + j, i) mⁱ uʲ, as in processor sharing, but
//! only for i < n and j ≤ k: no class uses VCs of the other.

use super::machine::Machine;
use super::output::{VCS_MAX, power};

/// Maximum fraction of a channel used by others: the series of the chain diverges at 1.
pub(super) const MET_MOST: f64 = 0.999;

impl Machine {
    /// m: the competitors of a message on a channel, from a stream with this number of flits per
    /// cycle. For the fraction `many` of the stream's messages, several are present at a time.
    pub fn others(&self, crowd: f64, flits: f64, many: f64) -> f64 {
        let met = (1.0 - (1.0 - crowd) * (1.0 + flits)).max(0.0);
        (met * self.following(flits, many)).min(MET_MOST)
    }

    /// Dally's chain of occupied VCs, including the message's own: met + met² + … of the others,
    /// starting with the number of others that slow a message down.
    pub fn chain(&self, met: f64, vcs: f64) -> f64 {
        geometric(met, self.slots, (vcs - self.pace).max(0.0))
    }

    /// The chain if messages of the own class, with a number of VCs, and of other classes share the
    /// channel.
    pub fn mixed(&self, met: f64, unlike: f64, vcs: f64) -> f64 {
        if unlike <= 0.0 {
            return self.chain(met, vcs);
        }
        let all = self.vcs;
        let met_of_all = (met + unlike).min(MET_MOST);
        let part = in_classes([met, unlike], [vcs, all - vcs].map(|it| it as usize));
        self.chain(met_of_all, all) * part / geometric(met_of_all, 1.0, all - 1.0)
    }

    /// The growth of the number of competitors because successive messages occupy several VCs.
    fn following(&self, flits: f64, many: f64) -> f64 {
        let several = (1.0 - self.constants.following_from / self.vcs).max(0.0);
        1.0 + self.constants.following * many * several * flits
    }
}

/// The sum of `terms` powers of x, starting with this exponent.
fn geometric(x: f64, exponent: f64, terms: f64) -> f64 {
    power(x, exponent) * (1.0 - power(x, terms)) / (1.0 - x)
}

/// The chain of a message of the first of two classes: Σ C(i + j, i) m₁ⁱ m₂ʲ over i < n₁ and j ≤
/// n₂, minus 1. `met` contains the fractions m of the channel used by the classes, `vcs` their
/// numbers n of VCs.
fn in_classes(met: [f64; 2], vcs: [usize; 2]) -> f64 {
    let mut before = [0.0; VCS_MAX];
    let mut sum = -1.0;
    for own in 0..vcs[0] {
        let mut last = 0.0;
        for (others, term) in before.iter_mut().take(vcs[1] + 1).enumerate() {
            let first = if own + others == 0 { 1.0 } else { 0.0 };
            *term = first + met[0] * *term + met[1] * last;
            last = *term;
            sum += last;
        }
    }
    sum
}

/// The contribution of a stream with this number of flits per cycle to the channel, for
/// [`Machine::others`].
pub(super) fn crowd(flits: f64) -> f64 {
    flits / (1.0 + flits)
}

#[cfg(test)]
mod tests;
