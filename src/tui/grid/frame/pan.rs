//! Moving a view over its plane: what stays in sight, and which origin shows what where.

use super::{Frame, Origin, Shape};

impl Frame {
    /// Whether all of the plane is in sight.
    pub fn whole(&self) -> bool {
        self.wide() >= self.plane.cols && self.high() >= self.plane.rows
    }

    /// Nodes in sight, across.
    fn wide(&self) -> u32 {
        self.cols * self.block
    }

    /// Nodes in sight, along.
    fn high(&self) -> u32 {
        self.rows * self.block
    }

    /// The corner that has `cursor` in sight, moved as little as possible from `corner`.
    pub fn follow(&self, corner: (u32, u32), cursor: (u32, u32)) -> (u32, u32) {
        let follow = |kept: u32, from: u32, shown: u32, all: u32, at: u32, wraps: bool| {
            if shown >= all {
                return kept.min(all - 1);
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
        let Shape { cols, rows, wraps_across, wraps_along } = self.plane;
        (
            follow(corner.0, self.from_col, self.wide(), cols, cursor.0, wraps_across),
            follow(corner.1, self.from_row, self.high(), rows, cursor.1, wraps_along),
        )
    }

    /// The corner from which `node` is seen `across` nodes or pixels from the left and `along`
    /// from below, as near as the edges of the plane allow.
    pub fn placing(&self, node: (u32, u32), (across, along): (u32, u32)) -> (u32, u32) {
        self.corner_at(
            i64::from(node.0) - i64::from(across * self.block),
            i64::from(node.1) - i64::from(along * self.block),
        )
    }

    /// The corner after moving so many nodes to the east and north, as far as the edges allow.
    pub fn moved(&self, east: i64, north: i64) -> (u32, u32) {
        self.corner_at(i64::from(self.from_col) + east, i64::from(self.from_row) + north)
    }

    /// The nearest corner to a place that may lie outside the plane.
    fn corner_at(&self, col: i64, row: i64) -> (u32, u32) {
        let from = |at: i64, shown: u32, all: u32, wraps: bool| {
            if wraps {
                at.rem_euclid(i64::from(all)) as u32
            } else {
                at.clamp(0, i64::from(all.saturating_sub(shown))) as u32
            }
        };
        let Shape { cols, rows, wraps_across, wraps_along } = self.plane;
        (from(col, self.wide(), cols, wraps_across), from(row, self.high(), rows, wraps_along))
    }

    /// The origin that puts `corner` at the lower left: by turning the plane where all of it is in
    /// sight, by moving over it where not.
    pub fn origin_at(&self, origin: Origin, corner: (u32, u32)) -> Origin {
        let Shape { cols, rows, wraps_across, wraps_along } = self.plane;
        let mut new = origin;
        if self.wide() < cols {
            new.corner.0 = corner.0;
        } else if wraps_across {
            new.turn.0 = corner.0;
        }
        if self.high() < rows {
            new.corner.1 = corner.1;
        } else if wraps_along {
            new.turn.1 = corner.1;
        }
        new
    }

    /// The place in sight that is nearest to another.
    pub fn nearest_in_sight(&self, (col, row): (u32, u32)) -> (u32, u32) {
        let near = |at: u32, from: u32, shown: u32, all: u32, wraps: bool| {
            let ahead = (at + all - from) % all;
            if ahead < shown {
                at
            } else if wraps && all - ahead < ahead - (shown - 1) || !wraps && at < from {
                from
            } else {
                (from + shown - 1) % all
            }
        };
        let Shape { cols, rows, wraps_across, wraps_along } = self.plane;
        (
            near(col, self.from_col, self.wide(), cols, wraps_across),
            near(row, self.from_row, self.high(), rows, wraps_along),
        )
    }
}
