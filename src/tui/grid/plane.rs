//! A network laid out on a plane: which router stands where, and which channels join neighbours.
//!
//! Two dimensions are themselves, one is a line, more are slices of the first two. A hypercube
//! lies on a Gray-code plane, where neighbouring columns and rows differ in one bit. Switches
//! without coordinates stand in one row, in the order of their ids; steps between them go by where
//! they are drawn.

use std::sync::Arc;

use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;
use crate::topology::cube::{Cube, Family, Sign};

/// A side of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Towards higher columns.
    East,
    /// Towards higher rows, up on the screen.
    North,
    /// Towards lower columns.
    West,
    /// Towards lower rows.
    South,
}

impl Side {
    /// All four, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::East, Self::North, Self::West, Self::South];

    /// The step in (columns, rows).
    pub fn step(self) -> (i32, i32) {
        match self {
            Self::East => (1, 0),
            Self::North => (0, 1),
            Self::West => (-1, 0),
            Self::South => (0, -1),
        }
    }

    /// The side across.
    #[must_use]
    pub fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }

    /// Whether it lies along a row.
    pub fn is_across(self) -> bool {
        matches!(self, Self::East | Self::West)
    }
}

/// No router or channel stands here.
const NONE: u32 = u32::MAX;

/// How routers are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// Row by row, by their coordinates.
    Rows,
    /// On a Gray-code plane.
    Gray,
    /// At places of their own: switches of a graph.
    Places,
}

/// One slice of a network, laid out.
#[derive(Clone, Debug)]
pub struct Plane {
    network: Arc<Network>,
    /// Columns.
    pub cols: u32,
    /// Rows.
    pub rows: u32,
    /// Whether columns close into rings.
    pub wraps_across: bool,
    /// Whether rows close into rings.
    pub wraps_along: bool,
    /// Number of slices.
    pub slices: u32,
    /// Which slice this is.
    pub slice: u32,
    order: Order,
    /// Router by place.
    routers: Vec<u32>,
    /// Outgoing channel by place and side.
    out: Vec<u32>,
    /// Place × 4 + side by channel.
    seats: Vec<u32>,
}

fn gray(column: u32) -> u32 {
    column ^ (column >> 1)
}

fn gray_inverse(mut code: u32) -> u32 {
    let mut column = 0;
    while code > 0 {
        column ^= code;
        code >>= 1;
    }
    column
}

impl Plane {
    /// Lays out slice `slice` of a network.
    pub fn new(network: &Arc<Network>, slice: u32) -> Self {
        let mut plane = Self {
            network: Arc::clone(network),
            cols: 1,
            rows: 1,
            wraps_across: false,
            wraps_along: false,
            slices: 1,
            slice: 0,
            order: Order::Rows,
            routers: Vec::new(),
            out: Vec::new(),
            seats: Vec::new(),
        };
        match network.grid() {
            Some(cube) if cube.family() == Family::Hypercube => {
                plane.order = Order::Gray;
                let bits = cube.dimensions() as u32;
                plane.cols = 1 << bits.div_ceil(2);
                plane.rows = 1 << (bits / 2);
                plane.wraps_across = plane.cols > 2;
                plane.wraps_along = plane.rows > 2;
            }
            Some(cube) => {
                plane.cols = cube.radix()[0];
                plane.rows = cube.radix().get(1).copied().unwrap_or(1);
                plane.wraps_across = cube.wraps();
                plane.wraps_along = cube.wraps() && plane.rows > 1;
                plane.slices = cube.radix().iter().skip(2).product();
                plane.slice = slice.min(plane.slices - 1);
            }
            None => {
                plane.order = Order::Places;
                plane.cols = network.routers() as u32;
            }
        }
        plane.seat();
        plane
    }

    fn seat(&mut self) {
        let places = (self.cols * self.rows) as usize;
        self.routers = (0..places as u32)
            .map(|place| {
                let (col, row) = (place % self.cols, place / self.cols);
                let router = if self.order == Order::Gray {
                    gray(col) | gray(row) << self.cols.ilog2()
                } else {
                    place + self.slice * self.cols * self.rows
                };
                if (router as usize) < self.network.routers() { router } else { NONE }
            })
            .collect();
        self.out = vec![NONE; places * 4];
        self.seats = vec![NONE; self.network.channels().len()];
        let network = Arc::clone(&self.network);
        let Some(cube) = network.grid() else { return };
        for place in 0..places {
            for side in Side::ALL {
                let Some(channel) = self.channel_by_geometry(cube, place as u32, side) else {
                    continue;
                };
                self.out[place * 4 + side as usize] = channel.0;
                self.seats[channel.index()] = (place * 4 + side as usize) as u32;
            }
        }
    }

    fn channel_by_geometry(&self, cube: &Cube, place: u32, side: Side) -> Option<ChannelId> {
        let (col, row) = (place % self.cols, place / self.cols);
        let router = RouterId(self.routers[place as usize]);
        if self.order != Order::Gray {
            let dimension = usize::from(!side.is_across());
            let sign =
                if matches!(side, Side::East | Side::North) { Sign::Plus } else { Sign::Minus };
            return (dimension < cube.dimensions())
                .then(|| cube.channel_from(router, dimension, sign))
                .flatten();
        }
        let (there_col, there_row) = self.step(col, row, side)?;
        let there = self.router(there_col, there_row)?;
        let bit = (router.0 ^ there.0).trailing_zeros() as usize;
        let sign = if there.0 > router.0 { Sign::Plus } else { Sign::Minus };
        cube.channel_from(router, bit, sign)
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The router at a column and row.
    pub fn router(&self, col: u32, row: u32) -> Option<RouterId> {
        let router = *self.routers.get((row * self.cols + col) as usize)?;
        (router != NONE).then_some(RouterId(router))
    }

    /// (slice, column, row) of a router.
    pub fn place(&self, router: RouterId) -> (u32, u32, u32) {
        if self.order == Order::Gray {
            let bits = self.cols.ilog2();
            let mask = self.cols - 1;
            return (0, gray_inverse(router.0 & mask), gray_inverse(router.0 >> bits));
        }
        let size = self.cols * self.rows;
        let place = router.0 % size;
        (router.0 / size, place % self.cols, place / self.cols)
    }

    /// The place one step to a side, round the ring where there is one.
    pub fn step(&self, col: u32, row: u32, side: Side) -> Option<(u32, u32)> {
        if self.order == Order::Places {
            return self.toward(self.router(col, row)?, side).map(|there| (there.0, 0));
        }
        let (across, along) = side.step();
        let col = advance(col, across, self.cols, self.wraps_across)?;
        let row = advance(row, along, self.rows, self.wraps_along)?;
        Some((col, row))
    }

    /// Whether the routers are switches drawn at places of their own.
    pub fn is_graph(&self) -> bool {
        self.order == Order::Places
    }

    /// The switch to a side: the nearest, what lies aside counting twice.
    fn toward(&self, from: RouterId, side: Side) -> Option<RouterId> {
        let switches = self.network.switches()?;
        let here = switches.place(from);
        let cost = |&there: &RouterId| {
            let place = switches.place(there);
            let (x, y) =
                (i64::from(place.x) - i64::from(here.x), i64::from(place.y) - i64::from(here.y));
            let (ahead, aside) = match side {
                Side::East => (x, y),
                Side::West => (-x, y),
                Side::North => (y, x),
                Side::South => (-y, x),
            };
            // What lies mostly aside is met on another key.
            (ahead > 0 && aside.abs() <= 2 * ahead).then_some((ahead + 2 * aside.abs(), there))
        };
        let all = (0..self.network.routers()).map(RouterId::new);
        all.filter_map(|there| cost(&there)).min().map(|(_, there)| there)
    }

    /// The channel that leaves a place by a side.
    pub fn out(&self, col: u32, row: u32, side: Side) -> Option<ChannelId> {
        let channel = *self.out.get((row * self.cols + col) as usize * 4 + side as usize)?;
        (channel != NONE).then_some(ChannelId(channel))
    }

    /// The channel that comes to a place from the neighbour on a side.
    pub fn incoming(&self, col: u32, row: u32, side: Side) -> Option<ChannelId> {
        let (col, row) = self.step(col, row, side)?;
        self.out(col, row, side.opposite())
    }

    /// Column, row and side from which a channel of this slice leaves.
    pub fn seat_of(&self, channel: ChannelId) -> Option<(u32, u32, Side)> {
        let seat = *self.seats.get(channel.index())?;
        (seat != NONE).then(|| {
            let place = seat / 4;
            (place % self.cols, place / self.cols, Side::ALL[(seat % 4) as usize])
        })
    }

    /// Says which slice this is: `z = 2`; nothing where there is one only.
    pub fn slice_name(&self) -> Option<String> {
        let cube = self.network.grid()?;
        if self.slices <= 1 {
            return None;
        }
        let mut rest = self.slice;
        let mut parts = Vec::new();
        for (dimension, &k) in cube.radix().iter().enumerate().skip(2) {
            let name = Cube::direction_name(dimension, Sign::Plus)[1..].to_lowercase();
            parts.push(format!("{name} = {}", rest % k));
            rest /= k;
        }
        Some(parts.join(", "))
    }
}

fn advance(at: u32, step: i32, size: u32, wraps: bool) -> Option<u32> {
    let there = i64::from(at) + i64::from(step);
    if wraps {
        return Some(there.rem_euclid(i64::from(size)) as u32);
    }
    u32::try_from(there).ok().filter(|&there| there < size)
}

#[cfg(test)]
mod tests;
