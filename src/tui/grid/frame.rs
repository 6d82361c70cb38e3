//! Which part of a plane a pane shows at a zoom level, and where each node and link lies in it.

mod pan;

use super::plane::{Plane, Side};

/// The most detailed zoom level at which there are several nodes.
pub const BOXES: u8 = 4;
/// The most detailed zoom level: one router fills the pane.
pub const ZOOM_MAX: u8 = 5;
/// Columns and rows per node from zoom level 1 on, and those of the node itself.
const PITCH: [(i32, i32, i32, i32); 4] = [(2, 1, 1, 1), (4, 2, 1, 1), (6, 3, 2, 2), (12, 6, 8, 4)];

/// Which place of a plane stands at the lower left corner of a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// Where only a part of the plane is in sight.
    pub corner: (u32, u32),
    /// Where all of it is, as far as it closes into rings.
    pub turn: (u32, u32),
}

/// A view onto a plane. Coordinates are those of the pane's inside, y growing downwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The zoom level.
    pub zoom: u8,
    /// Columns of characters per node.
    pub pitch_x: i32,
    /// Rows of characters per node (level 0: half rows).
    pub pitch_y: i32,
    /// Columns of characters of the node itself.
    pub size_x: i32,
    /// Rows of characters of the node itself.
    pub size_y: i32,
    /// Nodes shown, across and along.
    pub cols: u32,
    /// Nodes shown along.
    pub rows: u32,
    /// The plane's column at the left edge.
    pub from_col: u32,
    /// The plane's row at the lower edge.
    pub from_row: u32,
    /// Characters of links that lead out of sight, across and along.
    pub stub_x: i32,
    /// Likewise along.
    pub stub_y: i32,
    /// Level 0: nodes per pixel each way.
    pub block: u32,
    left: i32,
    bottom: i32,
    plane: Shape,
}

/// Columns, rows, and whether they close into rings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shape {
    cols: u32,
    rows: u32,
    wraps_across: bool,
    wraps_along: bool,
}

/// The first of `shown` places of a row of `all`.
fn first(corner: u32, turn: u32, shown: u32, all: u32, wraps: bool) -> u32 {
    match (shown >= all, wraps) {
        (true, true) => turn % all,
        (true, false) => 0,
        (false, true) => corner % all,
        (false, false) => corner.min(all - shown),
    }
}

impl Frame {
    /// The view of a pane `width` by `height` from `origin` on. `half` says that level 0 puts two
    /// pixels into a row.
    pub fn new(
        plane: &Plane,
        zoom: u8,
        origin: Origin,
        (width, height): (u16, u16),
        half: bool,
    ) -> Self {
        let (width, height) = (i32::from(width.max(1)), i32::from(height.max(1)));
        let shape = Shape {
            cols: plane.cols,
            rows: plane.rows,
            wraps_across: plane.wraps_across,
            wraps_along: plane.wraps_along,
        };
        let frame = match zoom {
            0 => Self::pixels(shape, width, height, half),
            1..=BOXES => Self::lattice(shape, zoom, width, height),
            _ => Self::single(shape, width, height),
        };
        let Origin { corner, turn } = origin;
        // At level 0 all of the plane is in sight.
        let (cols, rows) = (frame.cols * frame.block, frame.rows * frame.block);
        Self {
            from_col: first(corner.0, turn.0, cols, shape.cols, shape.wraps_across),
            from_row: first(corner.1, turn.1, rows, shape.rows, shape.wraps_along),
            ..frame
        }
    }

    fn lattice(shape: Shape, zoom: u8, width: i32, height: i32) -> Self {
        let (pitch_x, pitch_y, size_x, size_y) = PITCH[usize::from(zoom) - 1];
        let stub_x = (pitch_x - size_x).min(2);
        let stub_y = (pitch_y - size_y).min(1);
        let room = |length: i32, pitch: i32, taken: i32, nodes: u32| {
            let most = (length - taken).max(0) / pitch + 1;
            (most as u32).min(nodes).max(1)
        };
        let cols = room(width, pitch_x, size_x + 2 * stub_x, shape.cols);
        let rows = room(height, pitch_y, size_y + 2 * stub_y, shape.rows);
        let wide = (cols as i32 - 1) * pitch_x + size_x;
        let high = (rows as i32 - 1) * pitch_y + size_y;
        Self {
            zoom,
            pitch_x,
            pitch_y,
            size_x,
            size_y,
            cols,
            rows,
            stub_x,
            stub_y,
            left: (width - wide) / 2,
            bottom: (height - high) / 2 + (rows as i32 - 1) * pitch_y,
            ..Self::single(shape, width, height)
        }
    }

    /// One node as large as the pane.
    fn single(shape: Shape, width: i32, height: i32) -> Self {
        Self {
            zoom: ZOOM_MAX,
            pitch_x: width,
            pitch_y: height,
            size_x: width,
            size_y: height,
            cols: 1,
            rows: 1,
            from_col: 0,
            from_row: 0,
            stub_x: 0,
            stub_y: 0,
            block: 1,
            left: 0,
            bottom: 0,
            plane: shape,
        }
    }

    fn pixels(shape: Shape, width: i32, height: i32, half: bool) -> Self {
        let high = if half { height * 2 } else { height };
        let mut block = 1u32;
        while shape.cols.div_ceil(block) > width as u32 || shape.rows.div_ceil(block) > high as u32
        {
            block *= 2;
        }
        let (cols, rows) = (shape.cols.div_ceil(block), shape.rows.div_ceil(block));
        // Where there is room, a pixel is a whole character, or two beside each other.
        let spare = (width as u32 / cols).min(high as u32 / rows).clamp(1, 4) as i32;
        Self {
            zoom: 0,
            pitch_x: spare,
            pitch_y: spare,
            size_x: 1,
            size_y: 1,
            cols,
            rows,
            block,
            left: (width - cols as i32 * spare) / 2,
            // In half rows, or whole ones where pixels are not halved.
            bottom: (high - rows as i32 * spare) / 2 + (rows as i32 - 1) * spare,
            ..Self::single(shape, width, height)
        }
    }

    /// The largest zoom at which the whole plane fits.
    pub fn fit(plane: &Plane, (width, height): (u16, u16)) -> u8 {
        (1..=BOXES)
            .rev()
            .find(|&zoom| {
                let frame = Self::new(plane, zoom, Origin::default(), (width, height), true);
                let tall = i32::from(height)
                    >= (plane.rows as i32 - 1) * frame.pitch_y + frame.size_y + 2 * frame.stub_y;
                let wide = i32::from(width)
                    >= (plane.cols as i32 - 1) * frame.pitch_x + frame.size_x + 2 * frame.stub_x;
                tall && wide
            })
            .unwrap_or(0)
    }

    /// How far a place is from the lower left corner, in nodes.
    fn ahead(&self, col: u32, row: u32) -> (u32, u32) {
        let Shape { cols, rows, .. } = self.plane;
        ((col + cols - self.from_col) % cols, (row + rows - self.from_row) % rows)
    }

    /// The upper left character of a node; `None` where it is out of sight.
    pub fn at(&self, col: u32, row: u32) -> Option<(i32, i32)> {
        let (across, along) = self.ahead(col, row);
        let (across, along) = (across / self.block, along / self.block);
        (across < self.cols && along < self.rows).then(|| {
            (self.left + across as i32 * self.pitch_x, self.bottom - along as i32 * self.pitch_y)
        })
    }

    /// The plane's place shown `across` nodes or pixels from the left and `along` from below.
    pub fn shown(&self, across: u32, along: u32) -> (u32, u32) {
        let Shape { cols, rows, .. } = self.plane;
        ((self.from_col + across * self.block) % cols, (self.from_row + along * self.block) % rows)
    }

    /// Level 0: the pixel at a place of the pane, in rows of pixels.
    pub fn pixel_at(&self, x: i32, y: i32) -> Option<(u32, u32)> {
        let across = (x - self.left).div_euclid(self.pitch_x);
        let along = (self.bottom + self.pitch_y - 1 - y).div_euclid(self.pitch_y);
        let inside = |at: i32, all: u32| u32::try_from(at).ok().filter(|&at| at < all);
        Some((inside(across, self.cols)?, inside(along, self.rows)?))
    }

    /// Level 0: the pixel that a place of the plane belongs to.
    pub fn pixel_of(&self, col: u32, row: u32) -> (u32, u32) {
        let (across, along) = self.ahead(col, row);
        (across / self.block, along / self.block)
    }

    /// Level 0: the places of the plane that a pixel stands for.
    pub fn block_at(&self, across: u32, along: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (block, plane) = (self.block, self.plane);
        let (from_col, from_row) = (self.from_col, self.from_row);
        let part = move |at: u32, all: u32| at * block..((at + 1) * block).min(all);
        part(along, plane.rows).flat_map(move |down| {
            part(across, plane.cols)
                .map(move |right| ((from_col + right) % plane.cols, (from_row + down) % plane.rows))
        })
    }

    /// The node nearest to a character of the pane (`half`: as in [`Self::new`]).
    pub fn node_at(&self, x: i32, y: i32, half: bool) -> (u32, u32) {
        let (across, along) = self.seat_at(x, y, half);
        self.shown(across, along)
    }

    /// How many nodes or pixels from the left and from below the nearest to a character stands.
    pub fn seat_at(&self, x: i32, y: i32, half: bool) -> (u32, u32) {
        let y = if half && self.zoom == 0 { 2 * y } else { y };
        let nearest = |offset: i32, pitch: i32, size: i32, shown: u32| {
            let margin = if self.zoom == 0 { 0 } else { (pitch - size + 1) / 2 };
            (offset + margin).div_euclid(pitch).clamp(0, shown as i32 - 1) as u32
        };
        let high = if self.zoom == 0 { self.pitch_y } else { self.size_y };
        (
            nearest(x - self.left, self.pitch_x, self.size_x, self.cols),
            nearest(self.bottom + high - 1 - y, self.pitch_y, self.size_y, self.rows),
        )
    }

    /// Whether the neighbour to a side is drawn right beside a node that is in sight.
    pub fn joined(&self, col: u32, row: u32, side: Side) -> bool {
        let (across, along) = self.ahead(col, row);
        match side {
            Side::East => across + 1 < self.cols,
            Side::West => across > 0,
            Side::North => along + 1 < self.rows,
            Side::South => along > 0,
        }
    }

    /// The number of nodes or pixels left of and below the seam, where the plane's last column or
    /// row and its first meet in the middle of the view.
    pub fn seams(&self) -> (Option<u32>, Option<u32>) {
        let Shape { cols, rows, .. } = self.plane;
        let seam = |from: u32, shown: u32, all: u32| {
            let before = (all - from) / self.block;
            (from > 0 && before > 0 && before < shown).then_some(before)
        };
        (seam(self.from_col, self.cols, cols), seam(self.from_row, self.rows, rows))
    }

    /// The column of the first character of the nodes or pixels `across` from the left.
    pub fn column(&self, across: u32) -> i32 {
        self.left + across as i32 * self.pitch_x
    }

    /// The row of the first character (level 0: of pixels) of the nodes `along` from below.
    pub fn line(&self, along: u32) -> i32 {
        self.bottom - along as i32 * self.pitch_y
    }

    /// Whether a link is drawn as two lanes, one each way.
    pub fn has_lanes(&self) -> bool {
        self.size_x > 1
    }

    /// The characters of the channel that leaves the node drawn at (x, y) by `side`, in the
    /// order of travel, `length` of them. With two lanes traffic keeps to the right.
    pub fn lane(
        &self,
        (x, y): (i32, i32),
        side: Side,
        length: i32,
    ) -> impl Iterator<Item = (i32, i32)> + use<> {
        let far = i32::from(self.has_lanes());
        let middle = (x + (self.size_x - 1) / 2, y + (self.size_y - 1) / 2);
        let (start, step) = match side {
            Side::East => ((x + self.size_x, middle.1 + far), (1, 0)),
            Side::West => ((x - 1, middle.1), (-1, 0)),
            Side::North => ((middle.0 + far, y - 1), (0, -1)),
            Side::South => ((middle.0, y + self.size_y), (0, 1)),
        };
        (0..length).map(move |at| (start.0 + at * step.0, start.1 + at * step.1))
    }

    /// The number of characters between neighbours on a side.
    pub fn gap(&self, side: Side) -> i32 {
        if side.is_across() { self.pitch_x - self.size_x } else { self.pitch_y - self.size_y }
    }

    /// The number of characters of a link whose far end is out of sight.
    pub fn stub(&self, side: Side) -> i32 {
        if side.is_across() { self.stub_x } else { self.stub_y }
    }
}

#[cfg(test)]
mod tests;
