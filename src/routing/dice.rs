//! The dice of a message: which of its random bits decide where it may go, every fall of them that
//! makes a difference, and the header that a message of two terminals gets.

use super::{CLASS_BIT, Classes, HalfWay, Header, Paths, Relation, Routing};
use crate::ids::{NodeId, RouterId};
use crate::topology::cube::Family;

/// The half of the dice that is left alone when a way is settled: it still tells messages apart.
const REST: u64 = u32::MAX as u64;

impl Relation {
    /// The header of a message from one terminal to another, whose private random bits are `dice`.
    /// Where the terminals settle the way ([`Paths::Host`]), the header's dice name it.
    pub fn header(&self, source: NodeId, destination: NodeId, dice: u64) -> Header {
        let network = &self.network;
        let (from, to) = (network.router_of(source), network.router_of(destination));
        let dice = match (self.routing, &self.routes) {
            (
                Routing::UpDown { paths: Paths::Host, .. }
                | Routing::ShortestPath { paths: Paths::Host },
                Some(routes),
            ) => {
                let seats = network.seat(source) + network.seat(destination);
                let way = seats % routes.count(from, to);
                routes.dice_for(from, to, way) | dice & REST
            }
            _ => dice,
        };
        Header { source: from, destination: to, dice }
    }

    /// Every fall of the dice that makes a difference to messages between two terminals; all are
    /// equally likely.
    pub fn ways(&self, source: NodeId, destination: NodeId) -> Vec<u64> {
        let Header { source: from, destination: to, dice } = self.header(source, destination, 0);
        match self.routing {
            Routing::UpDown { paths: Paths::Host, .. }
            | Routing::ShortestPath { paths: Paths::Host } => vec![dice],
            _ => self.falls(Some(from), to).collect(),
        }
    }

    /// Every fall of the dice that makes a difference to messages to `destination`: of those that
    /// started at `source`, or of any.
    pub fn falls(
        &self,
        source: Option<RouterId>,
        destination: RouterId,
    ) -> impl Iterator<Item = u64> + use<'_> {
        let routed = self.routes.as_deref().zip(source);
        let ways = routed.map_or(0, |(routes, source)| routes.count(source, destination));
        let bits = self.dice_read(source, destination);
        let named = (0..ways).filter_map(move |way| {
            routed.map(|(routes, source)| routes.dice_for(source, destination, way))
        });
        named.chain(subsets(bits).filter(move |_| routed.is_none()))
    }

    /// The bits of its dice that can change where a message to `destination` may go: those of one
    /// that started at `source`, or of any. None where a table lists the ways: there they name one
    /// together ([`Self::falls`]).
    pub fn dice_read(&self, source: Option<RouterId>, destination: RouterId) -> u64 {
        let Some(cube) = self.network.grid() else { return 0 };
        if !cube.wraps() || self.routes.is_some() {
            return 0;
        }
        // Where both ways are offered, only the escape still goes by the dice.
        let chooses = self.half_way == HalfWay::Adaptive && self.escape_vcs() == 0;
        let ways = cube.family() == Family::Torus { unidirectional: false } && !chooses;
        let picks = self.routing == Routing::DimensionOrder { classes: Classes::Random };
        let there = cube.coordinates(destination);
        let mut bits = 0;
        for (dimension, (&k, &to)) in cube.radix().iter().zip(there).enumerate() {
            let from = source.map(|source| cube.coordinates(source)[dimension]);
            let tie = match from {
                Some(from) => 2 * u32::from(from.abs_diff(to)) == k,
                None => k % 2 == 0,
            };
            bits |= u64::from(ways && tie) << dimension;
            bits |= u64::from(picks && from != Some(to)) << (CLASS_BIT + dimension);
        }
        bits & self.dice
    }
}

/// Every subset of a set of bits, the empty one first.
fn subsets(bits: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let now = next?;
        let after = now.wrapping_sub(bits) & bits;
        next = (after != 0).then_some(after);
        Some(now)
    })
}

#[cfg(test)]
mod tests {
    use super::subsets;

    #[test]
    fn subsets_are_all_there_once() {
        assert_eq!(subsets(0).collect::<Vec<_>>(), [0]);
        assert_eq!(subsets(0b1010).collect::<Vec<_>>(), [0, 2, 8, 10]);
    }
}
