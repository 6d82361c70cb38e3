//! Tori (uni- and bidirectional), meshes and hypercubes: routers on a grid of any radix per
//! dimension, one terminal on each.

mod family;

use super::attributes::Attributes;
use super::labels::{Labels, Level};
use super::{Channel, Network, Shape};
use crate::ids::{ChannelId, RouterId};
pub use family::{Dimension, Family, axis, sizes};

/// The most dimensions a cube may have.
pub const DIMENSIONS_MAX: usize = 12;
/// The most routers a cube may have.
pub const ROUTERS_MAX: usize = 1 << 20;
/// The most routers along one dimension: coordinates are 16 bits wide.
pub const RADIX_MAX: u32 = 1 << 16;

/// A direction along a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Towards higher coordinates (east, north).
    Plus,
    /// Towards lower coordinates (west, south).
    Minus,
}

/// The geometry of a cube. Router ids count the first dimension fastest: in two dimensions
/// router `x + y·radix[0]` stands at `(x, y)`, x growing east and y growing north.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cube {
    family: Family,
    dimensions: Vec<Dimension>,
    radix: Vec<u32>,
    /// A bit for each dimension that closes into rings.
    rings: u16,
    /// The hops round each dimension: the radix of a ring, and twice the radix of a line, so that
    /// the way round a line is never as short as the direct way.
    around: Vec<u32>,
    labels: Labels,
    /// Those of each router in one word, [`PACKED_BITS`] bits each; empty where they are too many.
    packed: Vec<u64>,
    /// `ports[router × 2·dimensions + 2·dimension + (0 plus, 1 minus)]`, `u32::MAX` where none;
    /// empty where every port has its channel, of the same number.
    ports: Vec<u32>,
    /// Dimension and sign of each channel.
    directions: Vec<(u8, Sign)>,
}

/// Bits of a coordinate in a word of them.
const PACKED_BITS: usize = u16::BITS as usize;

/// No channel leaves by this port.
pub(crate) const NO_CHANNEL: u32 = u32::MAX;

impl Cube {
    /// A lattice without routers.
    pub const NONE: Self = Self {
        family: Family::Mesh,
        dimensions: Vec::new(),
        radix: Vec::new(),
        rings: 0,
        around: Vec::new(),
        labels: Labels::NONE,
        packed: Vec::new(),
        ports: Vec::new(),
        directions: Vec::new(),
    };

    /// Builds the network of a cube, as [`Self::with_dimensions`] does. A torus closes into rings in
    /// every dimension.
    pub fn network(family: Family, radix: &[u32]) -> Network {
        let dimensions: Vec<Dimension> = radix.iter().map(|&k| Dimension::new(k)).collect();
        Self::with_dimensions(family, &dimensions)
    }

    /// Builds the network of a cube. The dimensions must have been checked: 1 to
    /// [`DIMENSIONS_MAX`], each with a radix of 1 to [`RADIX_MAX`], at most [`ROUTERS_MAX`] routers; 2
    /// throughout for a hypercube. Every dimension of a one-way torus wraps.
    pub fn with_dimensions(family: Family, dimensions: &[Dimension]) -> Network {
        let radix: Vec<u32> = dimensions.iter().map(|it| it.radix).collect();
        let routers: usize = radix.iter().map(|&k| k as usize).product();
        assert!((1..=DIMENSIONS_MAX).contains(&radix.len()) && routers <= ROUTERS_MAX);
        let closes = dimensions.iter().map(|it| family.closes(it));
        let rings = closes.clone().rev().fold(0, |rings, ring| rings << 1 | u16::from(ring));
        let around = closes.zip(&radix).map(|(ring, &k)| if ring { k } else { 2 * k }).collect();
        let level = |(dimension, &size)| Level { name: axis(dimension), size };
        let mut coordinates = Vec::with_capacity(routers * radix.len());
        for router in 0..routers {
            let mut rest = router;
            for &k in &radix {
                coordinates.push((rest % k as usize) as u16);
                rest /= k as usize;
            }
        }
        let mut cube = Self {
            // A torus without rings is a mesh.
            family: match family {
                Family::Torus { .. } if rings == 0 => Family::Mesh,
                Family::Torus { .. } | Family::Mesh | Family::Hypercube => family,
            },
            dimensions: dimensions.to_vec(),
            rings,
            around,
            labels: Labels::new(radix.iter().enumerate().map(level).collect(), coordinates),
            packed: Vec::new(),
            ports: vec![NO_CHANNEL; routers * 2 * radix.len()],
            directions: Vec::new(),
            radix,
        };
        assert!(!cube.is_one_way() || cube.wraps_everywhere());
        if dimensions.len() * PACKED_BITS <= u64::BITS as usize {
            let pack = |word: u64, &x: &u16| word << PACKED_BITS | u64::from(x);
            let rows = (0..routers).map(|router| cube.labels.of(RouterId::new(router)));
            cube.packed = rows.map(|row| row.iter().rev().fold(0, pack)).collect();
        }
        let channels = cube.join(routers);
        let terminals = (0..routers).map(RouterId::new).collect();
        Network::new(Shape::Lattice(cube), routers, terminals, channels)
    }

    /// Returns the channels between all routers, after filling in their ports and directions.
    fn join(&mut self, routers: usize) -> Vec<Channel> {
        let mut channels = Vec::new();
        for router in 0..routers {
            for (dimension, &Dimension { delay, .. }) in self.dimensions.iter().enumerate() {
                let attributes = Attributes { delay, ..Attributes::default() };
                for sign in [Sign::Plus, Sign::Minus] {
                    if let Some(to) = self.neighbour_by_geometry(router, dimension, sign) {
                        self.ports[(router * self.radix.len() + dimension) * 2 + sign as usize] =
                            channels.len() as u32;
                        self.directions.push((dimension as u8, sign));
                        let link = Channel::link(RouterId::new(router), RouterId::new(to));
                        channels.push(Channel { attributes, ..link });
                    }
                }
            }
        }
        if channels.len() == self.ports.len() {
            self.ports = Vec::new();
        }
        channels
    }

    /// The end of a hop by the rules of the family, before channels exist.
    fn neighbour_by_geometry(&self, router: usize, dimension: usize, sign: Sign) -> Option<usize> {
        let k = self.radix[dimension] as usize;
        let stride: usize = self.radix[..dimension].iter().map(|&k| k as usize).product();
        let here = router / stride % k;
        let there = match (self.is_ring(dimension), sign) {
            (true, Sign::Plus) => (here + 1) % k,
            (true, Sign::Minus) if self.is_one_way() => return None,
            (true, Sign::Minus) => (here + k - 1) % k,
            (false, Sign::Plus) if here + 1 < k => here + 1,
            (false, Sign::Minus) if here > 0 => here - 1,
            (false, Sign::Plus | Sign::Minus) => return None,
        };
        Some(router - here * stride + there * stride)
    }

    /// True if some dimension closes into rings.
    #[inline]
    pub fn wraps(&self) -> bool {
        self.rings != 0
    }

    /// True if a dimension closes into rings; otherwise it is a line.
    #[inline]
    pub fn is_ring(&self, dimension: usize) -> bool {
        self.rings >> dimension & 1 != 0
    }

    /// True if every dimension with more than one router closes into rings.
    pub fn wraps_everywhere(&self) -> bool {
        let alone = |dimension: usize| self.radix[dimension] == 1;
        (0..self.radix.len()).all(|dimension| alone(dimension) || self.is_ring(dimension))
    }

    /// True if there are rings with channels both ways round.
    #[inline]
    pub fn goes_both_ways_round(&self) -> bool {
        self.family == Family::Torus { unidirectional: false }
    }

    /// The hops both ways round a ring together; more than twice the longest way along a line.
    #[inline]
    pub fn around(&self, dimension: usize) -> u32 {
        self.around[dimension]
    }

    /// True if links lead the positive way only.
    #[inline]
    pub fn is_one_way(&self) -> bool {
        self.family == Family::Torus { unidirectional: true }
    }

    /// True if neighbours differ in one bit, and share one link in each direction.
    #[inline]
    pub fn is_hypercube(&self) -> bool {
        self.family == Family::Hypercube
    }

    /// True if rows, of any length, end at edges.
    pub fn is_mesh(&self) -> bool {
        self.family == Family::Mesh
    }

    /// The hops between the two routers that are farthest from each other.
    pub fn diameter(&self) -> u32 {
        let both_ways = self.goes_both_ways_round();
        let dimensions = self.radix.iter().enumerate();
        let longest = |(at, &k)| if both_ways && self.is_ring(at) { k / 2 } else { k - 1 };
        dimensions.map(longest).sum()
    }

    /// The number of routers along each dimension.
    pub fn radix(&self) -> &[u32] {
        &self.radix
    }

    /// The number of dimensions.
    pub fn dimensions(&self) -> usize {
        self.radix.len()
    }

    /// The hops of a shortest path between two routers.
    #[inline]
    pub fn distance(&self, from: RouterId, to: RouterId) -> u32 {
        let (from, to) = (self.coordinates(from), self.coordinates(to));
        let pairs = from.iter().zip(to).zip(&self.around);
        match self.family {
            Family::Mesh | Family::Hypercube => {
                pairs.map(|((&a, &b), _)| u32::from(a.abs_diff(b))).sum()
            }
            Family::Torus { unidirectional: false } => pairs
                .map(|((&a, &b), &around)| {
                    let apart = u32::from(a.abs_diff(b));
                    apart.min(around - apart)
                })
                .sum(),
            Family::Torus { unidirectional: true } => pairs
                .map(|((&a, &b), &k)| {
                    let (a, b) = (u32::from(a), u32::from(b));
                    if b >= a { b - a } else { b + k - a }
                })
                .sum(),
        }
    }

    /// True if both ways round from coordinate `from` to `to` of a dimension are equally long.
    #[inline]
    pub fn is_half_way(&self, dimension: usize, from: u16, to: u16) -> bool {
        self.goes_both_ways_round() && 2 * u32::from(from.abs_diff(to)) == self.around[dimension]
    }

    /// A router's coordinates, one per dimension.
    #[inline]
    pub fn coordinates(&self, router: RouterId) -> &[u16] {
        self.labels.of(router)
    }

    /// The coordinates of all routers.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The first dimension in which two routers differ, and their coordinates in it.
    #[inline]
    pub fn first_difference(&self, one: RouterId, other: RouterId) -> Option<(usize, u16, u16)> {
        if self.is_packed() {
            return (one != other).then(|| self.packed_difference(one, other));
        }
        let pairs = self.coordinates(one).iter().zip(self.coordinates(other)).enumerate();
        let mut pairs = pairs.map(|(dimension, (&x, &y))| (dimension, x, y));
        pairs.find(|&(_, x, y)| x != y)
    }

    /// True if a router's coordinates fit into one word.
    #[inline]
    pub(crate) fn is_packed(&self) -> bool {
        !self.packed.is_empty()
    }

    /// The same of two that do differ, where coordinates fit into one word.
    #[inline]
    pub(crate) fn packed_difference(&self, one: RouterId, other: RouterId) -> (usize, u16, u16) {
        let [one, other] = [one, other].map(|router| self.packed[router.index()]);
        let shift = (one ^ other).trailing_zeros() & 0x30;
        (shift as usize / PACKED_BITS, (one >> shift) as u16, (other >> shift) as u16)
    }

    /// The dimensions of a hypercube in which two routers differ, the first of them first, and the way
    /// from `one` to `other` in each: coordinates are the bits of router numbers.
    #[inline]
    pub(crate) fn bits_between(
        one: RouterId,
        other: RouterId,
    ) -> impl Iterator<Item = (usize, Sign)> {
        let mut left = one.0 ^ other.0;
        std::iter::from_fn(move || {
            let bit = left & left.wrapping_neg();
            left ^= bit;
            let sign = if one.0 & bit == 0 { Sign::Plus } else { Sign::Minus };
            (bit != 0).then(|| (bit.trailing_zeros() as usize, sign))
        })
    }

    /// The router at these coordinates, or `None` outside the network.
    pub fn router_at(&self, coordinates: &[u32]) -> Option<RouterId> {
        if coordinates.len() != self.radix.len() {
            return None;
        }
        let mut router = 0usize;
        for (&x, &k) in coordinates.iter().zip(&self.radix).rev() {
            if x >= k {
                return None;
            }
            router = router * k as usize + x as usize;
        }
        Some(RouterId::new(router))
    }

    /// The channel that leaves `router` along `dimension` in direction `sign`.
    pub fn channel_from(
        &self,
        router: RouterId,
        dimension: usize,
        sign: Sign,
    ) -> Option<ChannelId> {
        let port = self.port(router, dimension, sign);
        (port != NO_CHANNEL).then_some(ChannelId(port))
    }

    /// The channel that leaves along `dimension`, or [`NO_CHANNEL`].
    #[inline]
    pub(crate) fn port(&self, router: RouterId, dimension: usize, sign: Sign) -> u32 {
        self.by_port(router, (dimension * 2) as u16 + sign as u16).0
    }

    /// The channel at a port of a router: twice the dimension, and 1 for the negative way.
    #[inline]
    pub(crate) fn by_port(&self, router: RouterId, port: u16) -> ChannelId {
        let port = router.index() * self.radix.len() * 2 + usize::from(port);
        ChannelId(if self.ports.is_empty() { port as u32 } else { self.ports[port] })
    }

    /// The dimension along which a channel leads, and which way.
    pub fn direction(&self, channel: ChannelId) -> (usize, Sign) {
        let (dimension, sign) = self.directions[channel.index()];
        (dimension as usize, sign)
    }

    /// The name of a direction: `+X`, `-Y`, `+Z`, from the fourth dimension on `+d3`.
    pub fn direction_name(dimension: usize, sign: Sign) -> String {
        let sign = if sign == Sign::Plus { '+' } else { '-' };
        let axis = axis(dimension);
        if dimension < 3 {
            format!("{sign}{}", axis.to_uppercase())
        } else {
            format!("{sign}{axis}")
        }
    }

    pub(crate) fn router_name(&self, router: RouterId) -> String {
        self.labels.name(router)
    }

    /// The family and radix for people (see [`Family::name`]).
    pub fn name(&self) -> String {
        self.family.name(&self.dimensions, "")
    }

    /// The name of a grid of switches.
    pub(super) fn name_of_switches(&self) -> String {
        self.family.name(&self.dimensions, " of switches")
    }
}

#[cfg(test)]
mod tests;
