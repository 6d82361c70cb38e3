//! Arranges a network on a plane: positions of routers, and channels between neighbours.
//!
//! Networks of one or two dimensions are laid out as a line or a plane; further dimensions become
//! slices of the first two. A hypercube is laid out in Gray code: neighbouring columns and rows
//! differ in one bit. Switches without coordinates are one row in the order of their ids; steps
//! between them follow their drawn positions.

use std::sync::Arc;

use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::{Cube, Sign};
use crate::topology::{Network, Role};

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
    /// All sides, in the order of their numbers.
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

    /// The step in characters: to the right, and down.
    pub fn on_screen(self) -> (i32, i32) {
        let (across, along) = self.step();
        (across, -along)
    }

    /// The opposite side.
    #[must_use]
    pub fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }

    /// True for east and west.
    pub fn is_across(self) -> bool {
        matches!(self, Self::East | Self::West)
    }
}

/// Column and row of a node and a side: identifies the channel that leaves the node by the side.
pub type Seat = (u32, u32, Side);

/// Layouts of routers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// Row by row, in the order of coordinates.
    Rows,
    /// Gray code, for hypercubes.
    Gray,
    /// Drawn positions, for switches of a graph.
    Places,
}

/// The layout of one slice of a network.
#[derive(Clone, Debug)]
pub struct Plane {
    network: Arc<Network>,
    pub cols: u32,
    pub rows: u32,
    pub wraps_across: bool,
    pub wraps_along: bool,
    pub slices: u32,
    pub slice: u32,
    order: Order,
}

fn gray(column: u32) -> u32 {
    column ^ (column >> 1)
}

fn gray_inverse(code: u32) -> u32 {
    [16, 8, 4, 2, 1].into_iter().fold(code, |column, shift| column ^ (column >> shift))
}

impl Plane {
    /// Lays out slice `slice` of a network.
    pub fn new(network: &Arc<Network>, slice: u32) -> Self {
        let (mut cols, mut rows, mut slices) = (network.routers() as u32, 1, 1);
        let order = match *network.radix() {
            [] => Order::Places,
            ref bits if network.is_hypercube() => {
                let bits = bits.len();
                (cols, rows) = (1 << bits.div_ceil(2), 1 << (bits / 2));
                Order::Gray
            }
            [across, ref more @ ..] => {
                (cols, rows) = (across, more.first().copied().unwrap_or(1));
                slices = more.iter().skip(1).product();
                Order::Rows
            }
        };
        let wraps = |size: u32, dimension: usize| match order {
            Order::Rows => network.wraps_along(dimension),
            Order::Gray => size > 2,
            Order::Places => false,
        };
        Self {
            network: Arc::clone(network),
            cols,
            rows,
            wraps_across: wraps(cols, 0),
            wraps_along: wraps(rows, 1),
            slices,
            slice: slice.min(slices - 1),
            order,
        }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The router at a column and row.
    pub fn router(&self, col: u32, row: u32) -> Option<RouterId> {
        let inside = col < self.cols && row < self.rows;
        inside.then(|| match self.order {
            Order::Gray => RouterId(gray(col) | gray(row) << self.cols.ilog2()),
            Order::Rows | Order::Places => {
                RouterId((self.slice * self.rows + row) * self.cols + col)
            }
        })
    }

    /// True if links lead to other slices, or to nodes of a hypercube that are no neighbours in the
    /// plane.
    pub fn has_links_out(&self) -> bool {
        self.network.radix().len() > if self.order == Order::Gray { 4 } else { 2 }
    }

    /// The labels of a column and of a row: coordinates, or the bits of a hypercube's node number
    /// that the column and the row determine.
    pub fn labels(&self, col: u32, row: u32) -> [u32; 2] {
        match self.order {
            Order::Gray => [gray(col), gray(row) << self.cols.ilog2()],
            Order::Rows | Order::Places => [col, row],
        }
    }

    /// The largest numbers of digits of the labels of rows and of columns.
    pub fn largest_labels(&self) -> [usize; 2] {
        let digits = |label: u32| label.checked_ilog10().unwrap_or(0) as usize + 1;
        let last = match self.order {
            Order::Gray => [(self.rows - 1) << self.cols.ilog2(), self.cols - 1],
            Order::Rows | Order::Places => [self.rows - 1, self.cols - 1],
        };
        last.map(digits)
    }

    /// The slice, column and row of a router.
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

    /// The column and row one step to a side, around the ring if the axis wraps.
    pub fn step(&self, col: u32, row: u32, side: Side) -> Option<(u32, u32)> {
        if self.order == Order::Places {
            return self.toward(self.router(col, row)?, side).map(|there| (there.0, 0));
        }
        let (across, along) = side.step();
        let col = advance(col, across, self.cols, self.wraps_across)?;
        let row = advance(row, along, self.rows, self.wraps_along)?;
        Some((col, row))
    }

    /// True if the routers are switches of a graph with drawn positions.
    pub fn is_graph(&self) -> bool {
        self.order == Order::Places
    }

    /// The nearest switch to a side; lateral distance counts twice.
    fn toward(&self, from: RouterId, side: Side) -> Option<RouterId> {
        let switches = self.network.switches()?;
        let here = switches.place(from);
        let (across, along) = side.step();
        let cost = |there: RouterId| {
            let place = switches.place(there);
            let away = |there: i32, here: i32| i64::from(there) - i64::from(here);
            let (x, y) = (away(place.x, here.x), away(place.y, here.y));
            let ahead = x * i64::from(across) + y * i64::from(along);
            let aside = if side.is_across() { y } else { x };
            // Switches at a steeper angle are reached by another key.
            (ahead > 0 && aside.abs() <= 2 * ahead).then_some((ahead + 2 * aside.abs(), there))
        };
        let all = (0..self.network.routers()).map(RouterId::new);
        all.filter_map(cost).min().map(|(_, there)| there)
    }

    /// The channel that leaves a node by a side.
    pub fn out(&self, (col, row, side): Seat) -> Option<ChannelId> {
        let links = self.network.outputs(self.router(col, row)?);
        links.iter().copied().find(|&link| self.side_of(link) == Some(side))
    }

    /// The seat of the channel that enters a node from the neighbour on a side.
    pub fn incoming(&self, (col, row, side): Seat) -> Option<Seat> {
        self.step(col, row, side).map(|(col, row)| (col, row, side.opposite()))
    }

    /// The seat of a channel; `None` for channels of other slices or out of the plane.
    pub fn seat_of(&self, channel: ChannelId) -> Option<Seat> {
        let (slice, col, row) = self.place(self.network.channel(channel).from);
        let side = self.side_of(channel).filter(|_| slice == self.slice)?;
        Some((col, row, side))
    }

    /// The side by which a channel leaves its router; `None` for channels out of the plane.
    fn side_of(&self, channel: ChannelId) -> Option<Side> {
        let ends = self.network.channel(channel);
        match self.order {
            Order::Rows if ends.role == Role::Link => {
                let (dimension, sign) = self.network.direction(channel)?;
                (dimension < 2).then(|| Side::ALL[dimension + 2 * sign as usize])
            }
            Order::Gray if ends.role == Role::Link => {
                let (_, col, row) = self.place(ends.from);
                let (_, to_col, to_row) = self.place(ends.to);
                let leads = |&side: &Side| self.step(col, row, side) == Some((to_col, to_row));
                Side::ALL.into_iter().find(leads)
            }
            Order::Rows | Order::Gray | Order::Places => None,
        }
    }

    /// The name of the slice, such as `z = 2`; `None` for the only slice.
    pub fn slice_name(&self) -> Option<String> {
        if self.slices == 1 {
            return None;
        }
        let mut rest = self.slice;
        let part = |(dimension, &k): (usize, &u32)| {
            let name = Cube::direction_name(dimension, Sign::Plus)[1..].to_lowercase();
            let part = format!("{name} = {}", rest % k);
            rest /= k;
            part
        };
        let parts: Vec<String> =
            self.network.radix().iter().enumerate().skip(2).map(part).collect();
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
