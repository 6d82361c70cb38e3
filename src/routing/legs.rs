//! Tables of first candidates.
//!
//! Dimension order independent of the source, and adaptive routing, have a first candidate that
//! depends only on the first unfinished dimension, its coordinates and one random bit: on a small
//! cube a table of all outcomes is small.

use super::head::{Header, Straight};
use super::prepared::Prepared;
use crate::ids::RouterId;
use crate::topology::cube::Cube;

/// Maximum number of rows: 32 KiB.
const ROWS_MAX: usize = 4096;

/// The first candidate for each dimension, random bit and pair of coordinates.
#[derive(Clone, Debug)]
pub struct Legs {
    rows: Vec<Leg>,
    /// Bits per coordinate in the index of a row.
    bits: u32,
}

/// A [`Straight`] independent of its router: the port determines the channel.
#[derive(Clone, Copy, Default, Debug)]
struct Leg {
    vcs: u32,
    port: u16,
    more: u16,
}

impl Legs {
    /// Tabulates a rule, or returns `None` if the table would be too large. `rule` returns the
    /// candidate of a head at a router with this header.
    pub fn of(cube: &Cube, rule: impl Fn(RouterId, &Header) -> Straight) -> Option<Self> {
        let k = cube.radix().iter().copied().max().unwrap_or(1);
        let bits = k.next_power_of_two().trailing_zeros();
        let count = (2 * cube.dimensions()) << (2 * bits);
        if count > ROWS_MAX || !cube.is_packed() {
            return None;
        }
        let mut legs = Self { rows: vec![Leg::default(); count], bits };
        let mut stride = 1;
        for (dimension, &k) in cube.radix().iter().enumerate() {
            let pairs = (0..k).flat_map(|x| (0..k).map(move |y| (x, y))).filter(|(x, y)| x != y);
            for (bit, (x, y)) in pairs.flat_map(|pair| [(0, pair), (1, pair)]) {
                let (at, destination) = (RouterId(x * stride), RouterId(y * stride));
                let header = Header::new(at, destination, bit << dimension);
                let Straight { vcs, port, more, channel: _ } = rule(at, &header);
                let row = legs.row(dimension, bit, x as u16, y as u16);
                legs.rows[row] = Leg { vcs, port, more };
            }
            stride *= k;
        }
        Some(legs)
    }

    #[inline]
    fn row(&self, dimension: usize, bit: u64, x: u16, y: u16) -> usize {
        ((2 * dimension + bit as usize) << self.bits | usize::from(x)) << self.bits | usize::from(y)
    }

    /// The first candidate of a head that is not at its destination.
    #[expect(clippy::inline_always, reason = "measured: a fifth fewer instructions per turn")]
    #[inline(always)]
    pub fn first(&self, on: &Prepared, at: RouterId, header: &Header) -> Straight {
        let cube = on.cube();
        let (dimension, x, y) = cube.packed_difference(at, header.destination);
        let bit = on.route_bits(header) >> dimension & 1;
        let Leg { vcs, port, more } = self.rows[self.row(dimension, bit, x, y)];
        Straight { channel: cube.by_port(at, port), vcs, port, more }
    }
}
