//! How many others share a channel with a message, each of them for as long as the message's own flits take.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | m | `met` | part of the channel that messages of the same class use, those of the own stream apart | – |
//! | u | `unlike` | the same of other classes; where a head may take either, of all | – |
//! | n, k | `vcs`, – | VCs of the message's class; of the others | – |
//! | p | `part` | of those that find no VC of their class free, the part that comes all the same | – |
//!
//! Dally's chain of VCs in use (1992), the message's own being one of them, is m + m² + …. With classes whose
//! messages take no others' VCs, a state with i + j others has the weight C(i + j, i) mⁱ uʲ, as in processor
//! sharing, but only for i < n and j ≤ k.

use super::fitted;
use super::machine::Machine;
use super::output::{VCS_MAX, power};

/// The most of a channel that others use, since the chain of more VCs has no end at 1.
pub(super) const MET_MOST: f64 = 0.999;

impl Machine {
    /// m: the others that a message meets on a channel, of a stream with a number of flits per cycle; several
    /// messages of one stream may be there at a time for the part `many` of them.
    pub fn others(&self, crowd: f64, flits: f64, many: f64) -> f64 {
        let met = (1.0 - (1.0 - crowd) * (1.0 + flits)).max(0.0);
        let following =
            fitted::FOLLOWING * many * (1.0 - fitted::FOLLOWING_FROM / self.vcs).max(0.0);
        (met * (1.0 + following * flits)).min(MET_MOST)
    }

    /// Dally's chain of VCs in use, the message's own being one of them: met + met² + … of the others, from
    /// as many as slow a message down.
    pub fn chain(&self, met: f64, vcs: f64) -> f64 {
        let slowing = (vcs - self.pace).max(0.0);
        power(met, self.slots) * (1.0 - power(met, slowing)) / (1.0 - met)
    }

    /// The chain where the others are of the message's own class, which has some of the VCs, and `unlike`.
    pub fn mixed(&self, met: f64, unlike: f64, vcs: f64) -> f64 {
        if unlike <= 0.0 {
            return self.chain(met, vcs);
        }
        let all = self.vcs;
        let met_of_all = (met + unlike).min(MET_MOST);
        let of_all: f64 = (1..all as i32).map(|others| met_of_all.powi(others)).sum();
        let part = in_classes([met, unlike], [vcs, all - vcs].map(|it| it as usize)) / of_all;
        part * self.chain(met_of_all, all)
    }

    /// The chain where a head may take VCs of several classes: those others of `unlike` which no longer find a VC of
    /// their class, of which there are `near`, come only in this part.
    pub fn pooled(&self, unlike: f64, near: f64, part: f64) -> f64 {
        let beyond = self.chain(part * unlike, self.vcs - near + 1.0);
        self.chain(unlike, near) + power(unlike, near - 1.0) * beyond
    }
}

/// Of messages of two classes, of which these parts of a channel are met and which have so many `vcs`, how many
/// others a message of the first is among: Σ C(i + j, i) m₁ⁱ m₂ʲ over i < n₁ and j ≤ n₂, but for i = j = 0.
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
