//! Random numbers: one xoshiro256++ stream per (seed, replication, purpose, node), and hashes for
//! choices of single messages.
//!
//! | Random quantity | Source | Used in |
//! |---|---|---|
//! | times, destinations and lengths of a node's messages | a [`Stream`] each | `traffic/sources/random.rs` |
//! | a message's [`route_bits`]: its route, ties of age and of requests, random selection | a hash of [`key`], source and serial number | `traffic/sources.rs` |
//! | the class of an arrival, the length of a reply | a hash of [`key`], node and number, as a [`Stream`] | `traffic/sources/classed.rs` |
//! | the first port served in a cycle | a hash of [`key`] and the cycle | `engine/wormhole/allocate.rs` |
//! | the links of a random graph | a [`Stream`] of the graph's own seed | `topology/switches/random.rs` |
//!
//! Streams are cut from one sequence by jumps (2¹²⁸ draws between nodes, 2¹⁹² between purposes and
//! replications), so no two overlap. Logarithms are computed by `libm`, with the same bits on every
//! machine.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Purpose of a stream. Separate purposes give common random numbers: a change of lengths does not
/// affect arrivals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Times of generation.
    Arrivals,
    Destinations,
    /// Message lengths.
    Lengths,
}

const PURPOSES: u32 = 3;

/// Generator of the streams of one (seed, replication, purpose), node by node.
#[derive(Clone, Debug)]
pub struct Streams(Xoshiro256PlusPlus);

impl Streams {
    /// The streams of `purpose` in replication `replication` (from 0) of a run with `seed`.
    pub fn new(seed: u64, replication: u32, purpose: Purpose) -> Self {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..replication * PURPOSES + purpose as u32 {
            generator.long_jump();
        }
        Self(generator)
    }

    /// The stream of the next node, from node 0 up.
    pub fn next_node(&mut self) -> Stream {
        let stream = Stream(self.0.clone());
        self.0.jump();
        stream
    }
}

/// A stream of random numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream of a hash.
    pub fn keyed(hash: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(hash))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniformly distributed whole number below `end`, which must not be 0 (Lemire 2019).
    #[inline]
    pub fn below(&mut self, end: u32) -> u32 {
        debug_assert!(end > 0);
        let mut product = u64::from(self.bits() as u32) * u64::from(end);
        if (product as u32) < end {
            let reject = end.wrapping_neg() % end;
            while (product as u32) < reject {
                product = u64::from(self.bits() as u32) * u64::from(end);
            }
        }
        (product >> 32) as u32
    }

    /// An exponential variate of mean 1, above 0.
    pub fn exponential(&mut self) -> f64 {
        // 53 bits in (0, 1].
        let uniform = ((self.bits() >> 11) + 1) as f64 * (1.0 / (1u64 << 53) as f64);
        // Above 0 even for uniform = 1, so that time advances.
        -libm::log(uniform) + f64::MIN_POSITIVE
    }

    /// Hashes the stream's state without changing it.
    pub fn fingerprint(&self) -> u64 {
        self.clone().bits()
    }
}

/// Mixes a word into a hash: the finaliser of `SplitMix64` over the sum of both.
#[inline]
pub fn mix(hash: u64, word: u64) -> u64 {
    let mut z = hash.wrapping_add(word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The key of all hashes of replication `replication` (from 0) of a run with `seed`. Not a function
/// of the sum of both: replication 1 of seed 1 shares nothing with replication 0 of seed 2.
pub fn key(seed: u64, replication: u32) -> u64 {
    let first = mix(seed, 0);
    if replication == 0 { first } else { mix(first, u64::from(replication)) }
}

/// The random bits of message `serial` (from 0) of `source` in a run with this [`key`]: they select
/// its route, break ties of age and of requests, and make random selections.
#[inline]
pub fn route_bits(key: u64, source: u32, serial: u64) -> u64 {
    mix(mix(key, u64::from(source)), serial)
}

#[cfg(test)]
mod tests;
