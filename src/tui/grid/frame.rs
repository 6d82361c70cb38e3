//! Which part of a plane a pane shows at a zoom level, and where each node and link lies in it.

use super::plane::{Plane, Side};

/// The most detailed zoom level.
pub const ZOOM_MAX: u8 = 4;
/// Columns and rows per node from zoom level 1 on, and the size of a node.
const PITCH: [(i32, i32, i32); 4] = [(2, 1, 1), (4, 2, 1), (6, 3, 2), (12, 6, 2)];

/// A view onto a plane. Coordinates are those of the pane's inside, y growing downwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The zoom level.
    pub zoom: u8,
    /// Columns of characters per node.
    pub pitch_x: i32,
    /// Rows of characters per node (level 0: half rows).
    pub pitch_y: i32,
    /// Characters per node each way: 1, or 2 where links have two lanes.
    pub size: i32,
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
    plane: (u32, u32, bool, bool),
}

impl Frame {
    /// The view of a pane `width` by `height` from column and row `origin` on. `half` says that
    /// level 0 puts two pixels into a row.
    pub fn new(
        plane: &Plane,
        zoom: u8,
        origin: (u32, u32),
        (width, height): (u16, u16),
        half: bool,
    ) -> Self {
        let (width, height) = (i32::from(width.max(1)), i32::from(height.max(1)));
        let shape = (plane.cols, plane.rows, plane.wraps_across, plane.wraps_along);
        if zoom == 0 {
            return Self::pixels(shape, width, height, half);
        }
        let (pitch_x, pitch_y, size) = PITCH[usize::from(zoom.min(ZOOM_MAX)) - 1];
        let stub_x = (pitch_x - size).min(2);
        let stub_y = (pitch_y - size).min(1);
        let room = |length: i32, pitch: i32, stub: i32, nodes: u32| {
            let most = (length - size - 2 * stub).max(0) / pitch + 1;
            (most as u32).min(nodes).max(1)
        };
        let cols = room(width, pitch_x, stub_x, plane.cols);
        let rows = room(height, pitch_y, stub_y, plane.rows);
        let wide = (cols as i32 - 1) * pitch_x + size;
        let high = (rows as i32 - 1) * pitch_y + size;
        let clip = |from: u32, shown: u32, all: u32, wraps: bool| {
            if shown >= all {
                0
            } else if wraps {
                from % all
            } else {
                from.min(all - shown)
            }
        };
        Self {
            zoom,
            pitch_x,
            pitch_y,
            size,
            cols,
            rows,
            from_col: clip(origin.0, cols, plane.cols, plane.wraps_across),
            from_row: clip(origin.1, rows, plane.rows, plane.wraps_along),
            stub_x,
            stub_y,
            block: 1,
            left: (width - wide) / 2,
            bottom: (height - high) / 2 + (rows as i32 - 1) * pitch_y,
            plane: shape,
        }
    }

    fn pixels(shape: (u32, u32, bool, bool), width: i32, height: i32, half: bool) -> Self {
        let high = if half { height * 2 } else { height };
        let mut block = 1u32;
        while shape.0.div_ceil(block) > width as u32 || shape.1.div_ceil(block) > high as u32 {
            block *= 2;
        }
        let (cols, rows) = (shape.0.div_ceil(block), shape.1.div_ceil(block));
        // Where there is room, a pixel is a whole character, or two beside each other.
        let spare = (width as u32 / cols).min(high as u32 / rows).clamp(1, 4) as i32;
        Self {
            zoom: 0,
            pitch_x: spare,
            pitch_y: spare,
            size: 1,
            cols,
            rows,
            from_col: 0,
            from_row: 0,
            stub_x: 0,
            stub_y: 0,
            block,
            left: (width - cols as i32 * spare) / 2,
            // In half rows, or whole ones where pixels are not halved.
            bottom: (high - rows as i32 * spare) / 2 + (rows as i32 - 1) * spare,
            plane: shape,
        }
    }

    /// The largest zoom at which the whole plane fits.
    pub fn fit(plane: &Plane, (width, height): (u16, u16)) -> u8 {
        (1..=ZOOM_MAX)
            .rev()
            .find(|&zoom| {
                let frame = Self::new(plane, zoom, (0, 0), (width, height), true);
                let tall = i32::from(height)
                    >= (plane.rows as i32 - 1) * frame.pitch_y + frame.size + 2 * frame.stub_y;
                let wide = i32::from(width)
                    >= (plane.cols as i32 - 1) * frame.pitch_x + frame.size + 2 * frame.stub_x;
                tall && wide
            })
            .unwrap_or(0)
    }

    /// The origin that has `cursor` in sight, moved as little as possible.
    pub fn follow(&self, cursor: (u32, u32)) -> (u32, u32) {
        if self.zoom == 0 {
            return (0, 0);
        }
        let (all_cols, all_rows, wraps_across, wraps_along) = self.plane;
        let follow = |from: u32, shown: u32, all: u32, at: u32, wraps: bool| {
            if shown >= all {
                return 0;
            }
            if wraps {
                let ahead = (at + all - from) % all;
                if ahead < shown {
                    from
                } else if ahead - (shown - 1) <= all - ahead {
                    (from + ahead - (shown - 1)) % all
                } else {
                    at
                }
            } else if at < from {
                at
            } else if at >= from + shown {
                at + 1 - shown
            } else {
                from
            }
        };
        (
            follow(self.from_col, self.cols, all_cols, cursor.0, wraps_across),
            follow(self.from_row, self.rows, all_rows, cursor.1, wraps_along),
        )
    }

    /// The upper left character of a node; `None` where it is out of sight.
    pub fn at(&self, col: u32, row: u32) -> Option<(i32, i32)> {
        let (all_cols, all_rows, ..) = self.plane;
        if self.zoom == 0 {
            let (across, along) = ((col / self.block) as i32, (row / self.block) as i32);
            return Some((self.left + across * self.pitch_x, self.bottom - along * self.pitch_y));
        }
        let across = (col + all_cols - self.from_col) % all_cols;
        let along = (row + all_rows - self.from_row) % all_rows;
        (across < self.cols && along < self.rows).then(|| {
            (self.left + across as i32 * self.pitch_x, self.bottom - along as i32 * self.pitch_y)
        })
    }

    /// The plane's place shown `across` nodes from the left and `along` from below.
    pub fn shown(&self, across: u32, along: u32) -> (u32, u32) {
        let (all_cols, all_rows, ..) = self.plane;
        ((self.from_col + across) % all_cols, (self.from_row + along) % all_rows)
    }

    /// The node nearest to a character of the pane (`half`: as in [`Self::new`]).
    pub fn node_at(&self, x: i32, y: i32, half: bool) -> (u32, u32) {
        let (all_cols, all_rows, ..) = self.plane;
        if self.zoom == 0 {
            let y = if half { 2 * y } else { y };
            let across = (x - self.left).div_euclid(self.pitch_x).max(0) as u32 * self.block;
            let along = (self.bottom + self.pitch_y - 1 - y).div_euclid(self.pitch_y).max(0) as u32;
            return (across.min(all_cols - 1), (along * self.block).min(all_rows - 1));
        }
        let nearest = |offset: i32, pitch: i32, shown: u32| {
            let at = (offset + pitch / 2).div_euclid(pitch);
            at.clamp(0, shown as i32 - 1) as u32
        };
        let across = nearest(x - self.left, self.pitch_x, self.cols);
        let along = nearest(self.bottom - y + self.size - 1, self.pitch_y, self.rows);
        self.shown(across, along)
    }

    /// Whether the neighbour to a side is drawn right beside a node that is in sight.
    pub fn joined(&self, col: u32, row: u32, side: Side) -> bool {
        let (all_cols, all_rows, ..) = self.plane;
        let across = (col + all_cols - self.from_col) % all_cols;
        let along = (row + all_rows - self.from_row) % all_rows;
        match side {
            Side::East => across + 1 < self.cols,
            Side::West => across > 0,
            Side::North => along + 1 < self.rows,
            Side::South => along > 0,
        }
    }

    /// The characters of the channel that leaves the node drawn at (x, y) by `side`, in the
    /// order of travel, `length` of them. With two lanes traffic keeps to the right.
    pub fn lane(
        &self,
        (x, y): (i32, i32),
        side: Side,
        length: i32,
    ) -> impl Iterator<Item = (i32, i32)> + use<> {
        let far = self.size - 1;
        let (start, step) = match side {
            Side::East => ((x + self.size, y + far), (1, 0)),
            Side::West => ((x - 1, y), (-1, 0)),
            Side::North => ((x + far, y - 1), (0, -1)),
            Side::South => ((x, y + self.size), (0, 1)),
        };
        (0..length).map(move |at| (start.0 + at * step.0, start.1 + at * step.1))
    }

    /// The number of characters between neighbours on a side.
    pub fn gap(&self, side: Side) -> i32 {
        if side.is_across() { self.pitch_x - self.size } else { self.pitch_y - self.size }
    }

    /// The number of characters of a link whose far end is out of sight.
    pub fn stub(&self, side: Side) -> i32 {
        if side.is_across() { self.stub_x } else { self.stub_y }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::topology::cube::{Cube, Family};

    fn torus(radix: &[u32]) -> Plane {
        let network = Cube::network(Family::Torus { unidirectional: false }, radix);
        Plane::new(&Arc::new(network), 0)
    }

    #[test]
    fn the_cursor_is_always_in_sight() {
        let plane = torus(&[30, 20]);
        for zoom in 1..=ZOOM_MAX {
            let mut origin = (0, 0);
            for cursor in [(0, 0), (29, 19), (3, 12), (15, 0), (28, 1), (0, 19)] {
                let frame = Frame::new(&plane, zoom, origin, (40, 20), true);
                origin = frame.follow(cursor);
                let frame = Frame::new(&plane, zoom, origin, (40, 20), true);
                assert!(frame.at(cursor.0, cursor.1).is_some(), "{zoom} {cursor:?} {frame:?}");
            }
        }
    }

    #[test]
    fn a_click_on_a_node_finds_it() {
        let plane = torus(&[8, 6]);
        for zoom in 0..=ZOOM_MAX {
            let frame = Frame::new(&plane, zoom, (0, 0), (110, 50), true);
            for row in 0..6 {
                for col in 0..8 {
                    let (x, y) = frame.at(col, row).unwrap();
                    let y = if zoom == 0 { y.div_euclid(2) } else { y };
                    let found = frame.node_at(x, y, true);
                    assert_eq!(found.0, col);
                    if zoom > 0 {
                        assert_eq!(found, (col, row), "{zoom} {frame:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn fitting_takes_the_largest_zoom() {
        assert_eq!(Frame::fit(&torus(&[8, 8]), (44, 18)), 2);
        assert_eq!(Frame::fit(&torus(&[64, 64]), (106, 54)), 0);
        assert_eq!(Frame::fit(&torus(&[4, 4]), (106, 54)), 4);
    }
}
