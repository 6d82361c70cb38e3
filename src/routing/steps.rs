//! Minimal steps, the building blocks of rules on cubes.

use std::cmp::Ordering;
use std::ops::Deref;

use super::fields::Classes;
use super::head::{Arrival, Candidate, Header, OWN_BIT, Straight};
use super::prepared::Prepared;
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;
use crate::topology::cube::{Cube, Sign};

/// The position of a head, with its header.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The rule's network and VCs.
    pub on: &'a Prepared,
    /// The lattice of the network; [`Cube::NONE`] without coordinates.
    pub cube: &'a Cube,
    pub at: RouterId,
    /// The VC of the head's arrival, for rules that [depend on the
    /// arrival](super::Algorithm::READS_ARRIVAL); `None` at the source.
    pub came: Option<Arrival>,
    /// The count carried by the head, for rules [with one](super::Algorithm::count_max).
    pub count: u8,
    pub header: &'a Header,
}

/// A request for the candidates of a head, to be added to `found`.
#[derive(Debug)]
pub struct Step<'a> {
    pub head: Position<'a>,
    pub found: &'a mut Vec<Candidate>,
}

impl<'a> Deref for Step<'a> {
    type Target = Position<'a>;

    fn deref(&self) -> &Position<'a> {
        &self.head
    }
}

impl<'a> Position<'a> {
    /// The coordinates of the head.
    #[inline]
    pub fn here(&self) -> &'a [u16] {
        self.cube.coordinates(self.at)
    }

    /// The coordinates of its destination.
    #[inline]
    pub fn there(&self) -> &'a [u16] {
        self.cube.coordinates(self.header.destination)
    }

    /// The coordinates of the source.
    #[inline]
    pub fn started(&self) -> &'a [u16] {
        self.cube.coordinates(self.header.source)
    }

    /// The dimension and direction of the head's arrival, for rules that depend on the arrival.
    #[inline]
    pub fn heading(&self) -> Option<(usize, Sign)> {
        self.came.map(|came| self.cube.direction(came.channel()))
    }

    /// The hops in all directions with a channel, lower dimensions first, each with true if it leads
    /// closer. Without rings.
    pub fn hops(&self) -> impl Iterator<Item = (usize, Sign, bool)> + use<'a> {
        let Self { cube, at, .. } = *self;
        let pairs = self.here().iter().zip(self.there()).enumerate();
        let ways = pairs.flat_map(|(dimension, (&x, &to))| {
            [(dimension, Sign::Plus, to > x), (dimension, Sign::Minus, to < x)]
        });
        ways.filter(move |&(dimension, sign, _)| cube.channel_from(at, dimension, sign).is_some())
    }

    /// True if a hop over a link does not lead closer. Without rings.
    pub fn is_detour(&self, link: ChannelId) -> bool {
        let (dimension, sign) = self.cube.direction(link);
        let (x, to) = (self.here()[dimension], self.there()[dimension]);
        match sign {
            Sign::Plus => to <= x,
            Sign::Minus => to >= x,
        }
    }

    /// The network.
    pub fn network(&self) -> &'a Network {
        &self.on.network
    }

    /// The relevant random bits of the message.
    #[inline]
    pub fn route_bits(&self) -> u64 {
        self.on.route_bits(self.header)
    }

    /// The VCs of class `class` on the minimal channel along `dimension` without rings, if any.
    #[inline]
    pub fn along(&self, dimension: usize, class: usize) -> Option<Straight> {
        let (from, to) = (self.here()[dimension], self.there()[dimension]);
        let sign = if to > from { Sign::Plus } else { Sign::Minus };
        let vcs = self.on.class_vcs[class];
        (from != to).then(|| self.ahead(dimension, sign, vcs, from.abs_diff(to)))
    }

    /// A candidate for `hops` hops straight ahead.
    #[inline]
    fn ahead(&self, dimension: usize, sign: Sign, vcs: u32, hops: u16) -> Straight {
        let port = 2 * dimension as u16 + sign as u16;
        let channel = self.cube.by_port(self.at, port);
        Straight { channel, vcs, port, more: hops - 1 }
    }

    /// The single candidate of ascending dimension order: the next channel along the first
    /// unfinished dimension.
    #[expect(clippy::inline_always, reason = "measured: a seventh fewer instructions per decision")]
    #[inline(always)]
    pub fn in_order(&self, classes: Classes) -> Option<Straight> {
        let cube = self.cube;
        if cube.is_hypercube() {
            let mut bits = Cube::bits_between(self.at, self.header.destination);
            let (dimension, sign) = bits.next()?;
            return Some(self.ahead(dimension, sign, self.on.class_vcs[0], 1));
        }
        let first = cube.first_difference(self.at, self.header.destination)?;
        Some(self.in_dimension(classes, first))
    }

    /// The next channel along a dimension, given with the coordinates of head and destination, which
    /// differ.
    #[expect(clippy::inline_always, reason = "measured with `in_order`")]
    #[inline(always)]
    pub fn in_dimension(
        &self,
        classes: Classes,
        (dimension, x, to): (usize, u16, u16),
    ) -> Straight {
        let (cube, route_bits) = (self.cube, self.route_bits());
        let sign = direction(cube, dimension, x, to, route_bits);
        let closes = wraps(sign, x, to);
        let hops = match sign {
            _ if !closes => x.abs_diff(to),
            // Up to the hop that closes the ring.
            Sign::Plus => cube.radix()[dimension] as u16 - x,
            Sign::Minus => x + 1,
        };
        if !cube.is_ring(dimension) {
            return self.ahead(dimension, sign, self.on.line_vcs, hops);
        }
        let class = match classes {
            // The most common case does not read the source.
            Classes::Destination => usize::from(!closes),
            Classes::None | Classes::Dateline | Classes::Static | Classes::Random => {
                let entered = self.started()[dimension];
                class(classes, sign, (entered, x, to), route_bits >> dimension)
            }
        };
        self.ahead(dimension, sign, self.on.class_vcs[class], hops)
    }
}

impl Step<'_> {
    /// Offers VCs of a channel.
    #[inline]
    pub fn offer(&mut self, dimension: usize, sign: Sign, vcs: u32) {
        let channel = ChannelId(self.cube.port(self.at, dimension, sign));
        self.found.push(Candidate { channel, vcs });
    }

    /// Offers one candidate, or nothing.
    #[inline]
    pub fn only(&mut self, straight: Option<Straight>) {
        self.found.extend(straight.map(|Straight { channel, vcs, .. }| Candidate { channel, vcs }));
    }

    /// Offers every minimal channel, lower dimensions first. Of two equally long ways, the way
    /// selected by the random bits is offered first, then the other if both are offered.
    #[expect(clippy::inline_always, reason = "measured: a seventh fewer instructions per decision")]
    #[inline(always)]
    pub fn minimal(&mut self, vcs: u32) {
        let (cube, route_bits) = (self.cube, self.route_bits());
        if cube.is_hypercube() {
            for (dimension, sign) in Cube::bits_between(self.at, self.header.destination) {
                self.offer(dimension, sign, vcs);
            }
            return;
        }
        for (dimension, (&x, &to)) in self.here().iter().zip(self.there()).enumerate() {
            if x != to {
                let sign = direction(cube, dimension, x, to, route_bits);
                self.offer(dimension, sign, vcs);
                if self.on.both_ways && cube.is_half_way(dimension, x, to) {
                    let other = if sign == Sign::Plus { Sign::Minus } else { Sign::Plus };
                    self.offer(dimension, other, vcs);
                }
            }
        }
    }
}

/// One dimension of a message's path, relative to the head. "Seam" is the wrap-around
/// channel of the dimension.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    /// Direction of travel, if any.
    pub sign: Sign,
    /// True if hops remain.
    pub open: bool,
    /// True if the remaining hops include the seam.
    pub ahead: bool,
    /// True if the seam has been crossed.
    pub crossed: bool,
}

impl Leg {
    /// A dimension without hops.
    pub const FINISHED: Self = Self { sign: Sign::Plus, open: false, ahead: false, crossed: false };

    /// A dimension of the path of the message at a position.
    #[inline]
    pub fn new(head: &Position<'_>, dimension: usize) -> Self {
        let from = head.started()[dimension];
        let (here, to) = (head.here()[dimension], head.there()[dimension]);
        // A path keeps its direction: the remaining direction is also the past direction.
        let start = if here == to { from } else { here };
        let sign = if start == to {
            Sign::Plus
        } else {
            direction(head.cube, dimension, start, to, head.route_bits())
        };
        Self {
            sign,
            open: here != to,
            ahead: here != to && wraps(sign, here, to),
            crossed: here != from && wraps(sign, from, here),
        }
    }

    /// True if the next hop along the dimension is the seam.
    #[inline]
    pub fn meets_seam(self, head: &Position<'_>, dimension: usize) -> bool {
        let edge = match self.sign {
            Sign::Plus => head.cube.radix()[dimension] as u16 - 1,
            Sign::Minus => 0,
        };
        self.ahead && head.here()[dimension] == edge
    }

    /// True if the whole path includes the seam.
    pub fn seam(self) -> bool {
        self.ahead || self.crossed
    }
}

/// The shorter way from coordinate `from` to `to` (not equal) in dimension `dimension`; the
/// message's random bits decide between equally long ways.
#[inline]
pub fn direction(cube: &Cube, dimension: usize, from: u16, to: u16, route_bits: u64) -> Sign {
    let plus = if cube.goes_both_ways_round() {
        let around = cube.around(dimension);
        let ahead = if to > from { u32::from(to - from) } else { around - u32::from(from - to) };
        match (2 * ahead).cmp(&around) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => route_bits >> dimension & 1 == 0,
        }
    } else {
        to > from || cube.is_one_way()
    };
    if plus { Sign::Plus } else { Sign::Minus }
}

/// True if a path from `from` to `to` in direction `sign` uses the wrap-around channel of its ring.
#[inline]
pub fn wraps(sign: Sign, from: u16, to: u16) -> bool {
    match sign {
        Sign::Plus => to < from,
        Sign::Minus => to > from,
    }
}

/// The VC class (0 or 1) of the next hop in a ring, for a message that entered the ring at
/// `entered`, is at `here` and leaves at `to`; the lowest bit of `route_bits` belongs to this
/// dimension.
#[inline]
fn class(
    classes: Classes,
    sign: Sign,
    (entered, here, to): (u16, u16, u16),
    route_bits: u64,
) -> usize {
    match classes {
        Classes::Random if !wraps(sign, entered, to) => (route_bits >> OWN_BIT) as usize & 1,
        Classes::Random | Classes::Destination => usize::from(!wraps(sign, here, to)),
        // The message has crossed if its path from the entrance uses the wrap-around channel.
        Classes::Dateline => usize::from(wraps(sign, entered, here)),
        Classes::Static => usize::from(wraps(sign, entered, to)),
        Classes::None => 0,
    }
}
