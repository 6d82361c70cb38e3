//! How much longer a message takes on a channel that it shares with others, in parts of its length.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | m | `met` | part of the channel that other streams of the message's class use | – |
//! | u | `unlike` | part that other classes use | – |
//! | n, k | `vcs`, – | VCs of the message's class; of the others | – |
//!
//! That is Dally's chain of VCs in use (1992), m + m² + …. With two classes, i others of the message's own and j of
//! the other add C(i + j, i) mⁱ uʲ, as in processor sharing, but only for i < n and j ≤ k: neither class takes VCs
//! of the other.

use super::machine::Machine;
use super::output::{VCS_MAX, power};

/// The most of a channel that others are taken to use: at 1 the chain would have no sum.
pub(super) const MET_MOST: f64 = 0.999;

impl Machine {
    /// m: the others that a message meets on a channel, of a stream with a number of flits per cycle; several
    /// messages of one stream may be there at a time for the part `many` of them.
    pub fn others(&self, crowd: f64, flits: f64, many: f64) -> f64 {
        let met = (1.0 - (1.0 - crowd) * (1.0 + flits)).max(0.0);
        (met * self.following(flits, many)).min(MET_MOST)
    }

    /// Dally's chain of VCs in use, the message's own being one of them: met + met² + … of the others, from
    /// as many as slow a message down.
    pub fn chain(&self, met: f64, vcs: f64) -> f64 {
        geometric(met, self.slots, (vcs - self.pace).max(0.0))
    }

    /// The chain where messages of the own class, which has some of the VCs, and of others share the channel.
    pub fn mixed(&self, met: f64, unlike: f64, vcs: f64) -> f64 {
        if unlike <= 0.0 {
            return self.chain(met, vcs);
        }
        let all = self.vcs;
        let met_of_all = (met + unlike).min(MET_MOST);
        let part = in_classes([met, unlike], [vcs, all - vcs].map(|it| it as usize));
        self.chain(met_of_all, all) * part / geometric(met_of_all, 1.0, all - 1.0)
    }

    /// The factor of the others that a message meets because those that follow each other take several VCs.
    fn following(&self, flits: f64, many: f64) -> f64 {
        let several = (1.0 - self.constants.following_from / self.vcs).max(0.0);
        1.0 + self.constants.following * many * several * flits
    }
}

/// The sum of `terms` powers of x from the one with this exponent on.
fn geometric(x: f64, exponent: f64, terms: f64) -> f64 {
    power(x, exponent) * (1.0 - power(x, terms)) / (1.0 - x)
}

/// The chain of a message of the first of two classes: Σ C(i + j, i) m₁ⁱ m₂ʲ over i < n₁ and j ≤ n₂, less 1.
/// `met` are the parts m of the channel that the classes use, `vcs` the numbers n of VCs that they have.
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

/// What a stream of this many flits per cycle adds to the channel as [`Machine::others`] finds it.
pub(super) fn crowd(flits: f64) -> f64 {
    flits / (1.0 + flits)
}

#[cfg(test)]
mod tests;
