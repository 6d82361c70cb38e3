//! The part of a plane shown in a pane at a zoom level, and the positions of nodes and links.

mod axis;

pub use self::axis::Axis;
use super::plane::{Plane, Seat, Side};

/// The zoom level of nodes as points, with spacing adapted to the pane.
pub const LINES: u8 = 2;
/// The most detailed zoom level with several nodes in sight.
pub const BOXES: u8 = 3;
/// The most detailed zoom level: one router fills the pane.
pub const ZOOM_MAX: u8 = 4;
/// Spacing across and along, from zoom level 1 on.
const SPACING: [[Spacing; 2]; 3] = [
    [Spacing::new([2, 2], 1, 1), Spacing::new([1, 1], 1, 0)],
    [Spacing::new([4, 10], 1, 2), Spacing::new([2, 5], 1, 1)],
    [Spacing::new([12, 18], 8, 2), Spacing::new([6, 9], 4, 1)],
];

/// Characters of nodes and links in one direction.
#[derive(Clone, Copy)]
struct Spacing {
    /// The least and the largest distance from node to node.
    pitch: [i32; 2],
    /// The length of a node.
    size: i32,
    /// The length of links that lead out of sight.
    stub: i32,
}

impl Spacing {
    const fn new(pitch: [i32; 2], size: i32, stub: i32) -> Self {
        Self { pitch, size, stub }
    }

    /// The distance from node to node with which `nodes` fill `length` characters.
    fn pitch(&self, nodes: u32, length: i32) -> i32 {
        let [least, most] = self.pitch;
        let room = length - self.size - 2 * self.stub;
        (room / (nodes as i32 - 1).max(1)).clamp(least, most)
    }

    fn fits(&self, nodes: u32, length: i32) -> bool {
        length >= (nodes as i32 - 1) * self.pitch[0] + self.size + 2 * self.stub
    }

    /// The same without stubs, for a line whose nodes all fit.
    fn for_axis(self, (nodes, wraps): (u32, bool), length: i32) -> Self {
        let whole = Self { stub: 0, ..self };
        if !wraps && whole.fits(nodes, length) { whole } else { self }
    }
}

/// Columns at the right of a lattice for marks of links that leave the plane.
const MARKS: i32 = 3;

/// Columns at the left for labels, columns at the right for marks, and rows at the bottom for labels;
/// none if they would hide nodes that fit without them.
fn margins(
    plane: &Plane,
    (across, along): (Spacing, Spacing),
    (width, height): (i32, i32),
) -> [i32; 3] {
    let [widest, _] = plane.largest_labels();
    let left = if plane.rows > 1 { widest as i32 + 1 } else { 0 };
    let below = i32::from(plane.cols > 1);
    let right = if plane.has_links_out() { MARKS } else { 0 };
    let costs = |spacing: Spacing, nodes, length, margin| {
        spacing.fits(nodes, length) && !spacing.fits(nodes, length - margin)
    };
    [
        if costs(across, plane.cols, width, left) { 0 } else { left },
        if costs(across, plane.cols, width, left + right) { 0 } else { right },
        if costs(along, plane.rows, height, below) { 0 } else { below },
    ]
}

/// The place of a plane at the lower left corner of a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The first node along axes partly in sight.
    pub corner: (u32, u32),
    /// The first node along rings wholly in sight.
    pub turn: (u32, u32),
}

/// A view onto a plane. Coordinates are relative to the inside of the pane, with y growing
/// downwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    pub zoom: u8,
    /// Columns of the plane.
    pub across: Axis,
    pub along: Axis,
    /// True if the left margin has the labels of rows, and the lower margin those of columns.
    pub has_labels: [bool; 2],
}

impl Frame {
    /// The view of a pane `width` by `height` from `origin` on. With `half`, zoom level 0 has two
    /// pixels per row of characters.
    pub fn new(
        plane: &Plane,
        zoom: u8,
        Origin { corner, turn }: Origin,
        (width, height): (u16, u16),
        half: bool,
    ) -> Self {
        let (width, height) = (i32::from(width.max(1)), i32::from(height.max(1)));
        let (mut high, mut block) = (height, 1);
        let [mut left, mut right, mut below] = [0; 3];
        let [across, along] = match zoom {
            0 => {
                high = if half { height * 2 } else { height };
                let pixels = |block| (plane.cols.div_ceil(block), plane.rows.div_ceil(block));
                while pixels(block).0 > width as u32 || pixels(block).1 > high as u32 {
                    block *= 2;
                }
                // Pixels grow to at most four times their size if the pane has room.
                let (cols, rows) = pixels(block);
                let spare = |room: i32, count: u32| (room as u32 / count).clamp(1, 4) as i32;
                let [across, along] = [spare(width, cols), spare(high, rows)];
                let [wide, tall] = [across.min(2 * along), along.min(2 * across)];
                [[wide, wide, 0], [tall, tall, 0]]
            }
            1..=BOXES => {
                let [across, along] = Self::spacing(plane, zoom, (width, height));
                if zoom >= LINES {
                    [left, right, below] = margins(plane, (across, along), (width, height));
                }
                let mut cols = across.pitch(plane.cols, width - left - right);
                let mut rows = along.pitch(plane.rows, height - below);
                // A character is about half as wide as it is high.
                cols = cols.min(4 * rows);
                rows = rows.min(cols);
                [[cols, across.size, across.stub], [rows, along.size, along.stub]]
            }
            _ => [[width, width, 0], [height, height, 0]],
        };
        let (cols, rows) = ((plane.cols, plane.wraps_across), (plane.rows, plane.wraps_along));
        let [width, high] = [width - left - right, high - below];
        Self {
            zoom: zoom.min(ZOOM_MAX),
            across: Axis::new(cols, (left, width), across, block, (corner.0, turn.0), false),
            along: Axis::new(rows, (0, high), along, block, (corner.1, turn.1), true),
            has_labels: [left > 0, below > 0],
        }
    }

    /// The largest zoom level from 1 on with room for the whole plane, else 0.
    pub fn fit(plane: &Plane, size: (u16, u16)) -> u8 {
        (1..=BOXES).rev().find(|&zoom| Self::fits(plane, zoom, size)).unwrap_or(0)
    }

    /// The spacing of a plane at a zoom level from 1 to [`BOXES`].
    fn spacing(plane: &Plane, zoom: u8, (width, height): (i32, i32)) -> [Spacing; 2] {
        let [across, along] = SPACING[usize::from(zoom) - 1];
        [
            across.for_axis((plane.cols, plane.wraps_across), width),
            along.for_axis((plane.rows, plane.wraps_along), height),
        ]
    }

    /// True if the whole plane fits at a zoom level.
    pub fn fits(plane: &Plane, zoom: u8, size: (u16, u16)) -> bool {
        let (width, height) = (i32::from(size.0), i32::from(size.1));
        let [across, along] = Self::spacing(plane, zoom.clamp(1, BOXES), (width, height));
        across.fits(plane.cols, width) && along.fits(plane.rows, height)
    }

    /// Nodes per pixel in each direction at zoom level 0.
    pub fn block(&self) -> u32 {
        self.across.block
    }

    /// The column and row at the lower left corner.
    pub fn corner(&self) -> (u32, u32) {
        (self.across.from, self.along.from)
    }

    /// The upper left character of a node; `None` if out of sight.
    pub fn at(&self, col: u32, row: u32) -> Option<(i32, i32)> {
        Some((self.across.at(col)?, self.along.at(row)?))
    }

    /// A character inside a node, given its upper left character.
    pub fn middle(&self, (x, y): (i32, i32)) -> (i32, i32) {
        (x + self.across.size / 2, y + self.along.size / 2)
    }

    /// The column and row shown `across` nodes or pixels from the left and `along` from the bottom.
    pub fn shown(&self, across: u32, along: u32) -> (u32, u32) {
        (self.across.node(across), self.along.node(along))
    }

    /// The nodes in sight (the first node of each pixel) and their upper left characters.
    pub fn places(self) -> impl Iterator<Item = ((u32, u32), (i32, i32))> {
        let seats =
            (0..self.along.shown).flat_map(move |y| (0..self.across.shown).map(move |x| (x, y)));
        seats.map(move |(x, y)| {
            (self.shown(x, y), (self.across.character(x), self.along.character(y)))
        })
    }

    /// The nodes of the pixel at column `x` and pixel row `y` of the pane, at zoom level 0.
    pub fn block_at(&self, x: i32, y: i32) -> Option<impl Iterator<Item = (u32, u32)> + Clone> {
        let cols = self.across.nodes(self.across.seat_at(x)?);
        let rows = self.along.nodes(self.along.seat_at(y)?);
        Some(rows.flat_map(move |row| cols.clone().map(move |col| (col, row))))
    }

    /// The node nearest to a character of the pane (`half`: as in [`Self::new`]).
    pub fn node_at(&self, x: i32, y: i32, half: bool) -> (u32, u32) {
        let (across, along) = self.seat_at(x, y, half);
        self.shown(across, along)
    }

    /// The position of the node or pixel nearest to a character, counted from the left and from the
    /// bottom.
    pub fn seat_at(&self, x: i32, y: i32, half: bool) -> (u32, u32) {
        let y = if half && self.zoom == 0 { 2 * y } else { y };
        (self.across.nearest(x), self.along.nearest(y))
    }

    fn axis(&self, side: Side) -> &Axis {
        if side.is_across() { &self.across } else { &self.along }
    }

    /// True if a node and its neighbour on a side are in sight next to each other.
    pub fn joined(&self, (col, row, side): Seat) -> bool {
        let after = matches!(side, Side::East | Side::North);
        let node = if side.is_across() { col } else { row };
        self.at(col, row).is_some() && self.axis(side).joined(node, after)
    }

    /// True if the first and the last column or row of the plane meet inside the view.
    pub fn has_seam(&self) -> bool {
        self.across.seam().or(self.along.seam()).is_some()
    }

    /// True if links are drawn as two lanes, a lane per direction.
    pub fn has_lanes(&self) -> bool {
        self.across.size > 1
    }

    /// The characters from `first` to before `last` of the channel that leaves the node at (x, y)
    /// by `side`, in the direction of travel. With two lanes, traffic keeps to the right.
    pub fn lane(
        &self,
        (x, y): (i32, i32),
        side: Side,
        (first, last): (i32, i32),
    ) -> impl Iterator<Item = (i32, i32)> + use<> {
        let far = i32::from(self.has_lanes());
        let size = (self.across.size, self.along.size);
        let middle = (x + (size.0 - 1) / 2, y + (size.1 - 1) / 2);
        let start = match side {
            Side::East => (x + size.0, middle.1 + far),
            Side::West => (x - 1, middle.1),
            Side::North => (middle.0 + far, y - 1),
            Side::South => (middle.0, y + size.1),
        };
        let (right, down) = side.on_screen();
        (first..last).map(move |at| (start.0 + at * right, start.1 + at * down))
    }

    /// The characters of a channel at the node it leaves, in the direction of travel: the whole
    /// channel if the neighbour is drawn next to the node, else a stub; none if the node is out of
    /// sight.
    pub fn leaving(&self, seat: Seat) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (col, row, side) = seat;
        let length = if self.joined(seat) { self.gap(side) } else { self.axis(side).stub };
        let lane = self.at(col, row).map(|at| self.lane(at, side, (0, length)));
        lane.into_iter().flatten()
    }

    /// The last characters of a channel before the node it enters, in the direction of travel; none
    /// if [`Self::leaving`] yields the whole channel or the node is out of sight.
    pub fn arriving(&self, plane: &Plane, seat: Seat) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (col, row, side) = seat;
        let end = plane.step(col, row, side).filter(|_| !self.joined(seat));
        let lane = end.and_then(|(col, row)| self.at(col, row)).map(|(x, y)| {
            let (right, down) = side.on_screen();
            let start = (x - right * self.across.pitch, y - down * self.along.pitch);
            let gap = self.gap(side);
            self.lane(start, side, ((gap - self.axis(side).stub).max(0), gap))
        });
        lane.into_iter().flatten()
    }

    /// The number of characters between neighbours on a side.
    pub fn gap(&self, side: Side) -> i32 {
        let axis = self.axis(side);
        axis.pitch - axis.size
    }

    /// True if the whole plane is in sight.
    pub fn whole(&self) -> bool {
        self.across.whole() && self.along.whole()
    }

    /// The corner with `cursor` in sight that needs the least movement; axes wholly in sight keep
    /// `corner`.
    pub fn follow(&self, corner: (u32, u32), cursor: (u32, u32)) -> (u32, u32) {
        (self.across.follow(corner.0, cursor.0), self.along.follow(corner.1, cursor.1))
    }

    /// The corner that shows `node` `across` nodes or pixels from the left and `along` from the
    /// bottom, as near as the edges of the plane allow.
    pub fn placing(&self, node: (u32, u32), (across, along): (u32, u32)) -> (u32, u32) {
        let corner = |axis: &Axis, node: u32, seat: u32| {
            axis.clamped(i64::from(node) - i64::from(seat * axis.block))
        };
        (corner(&self.across, node.0, across), corner(&self.along, node.1, along))
    }

    /// The corner that shows `node` in the middle, as near as the edges allow.
    pub fn centring(&self, node: (u32, u32)) -> (u32, u32) {
        self.placing(node, (self.across.shown / 2, self.along.shown / 2))
    }

    /// The corner after moving the picture to the right and down, as far as the edges allow. Units
    /// are characters; at zoom level 0, vertical units are pixels.
    pub fn moved(&self, right: i32, down: i32) -> (u32, u32) {
        let corner = |axis: &Axis, moved: i32| {
            let nodes = (f64::from(moved) / f64::from(axis.pitch)).round() as i64;
            axis.clamped(i64::from(axis.from) + nodes * i64::from(axis.block))
        };
        (corner(&self.across, -right), corner(&self.along, down))
    }

    /// The origin with `corner` at the lower left: rings wholly in sight are turned, axes partly in
    /// sight are moved.
    pub fn origin_at(&self, mut origin: Origin, corner: (u32, u32)) -> Origin {
        let put = |axis: &Axis, from: u32, corner: &mut u32, turn: &mut u32| {
            if !axis.whole() {
                *corner = from;
            } else if axis.wraps {
                *turn = from;
            }
        };
        put(&self.across, corner.0, &mut origin.corner.0, &mut origin.turn.0);
        put(&self.along, corner.1, &mut origin.corner.1, &mut origin.turn.1);
        origin
    }

    /// The node in sight nearest to a column and row.
    pub fn nearest_in_sight(&self, (col, row): (u32, u32)) -> (u32, u32) {
        (self.across.nearest_in_sight(col), self.along.nearest_in_sight(row))
    }
}

#[cfg(test)]
mod tests;
