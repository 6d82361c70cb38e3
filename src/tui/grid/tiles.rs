//! Arranges all slices of a network of more than two dimensions in one pane.
//!
//! The slices are small multiples, drawn at once if the pane has room.

use ratatui::layout::Rect;

use super::frame::{BOXES, Frame};
use super::plane::Plane;

/// The division of a pane among slices: each tile has a line for the name and the plane below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tiles {
    slices: u32,
    columns: u32,
    /// Columns and rows of a slice's plane.
    size: (u16, u16),
}

impl Tiles {
    /// Divides a pane of the given size among all slices at a zoom level; `None` for a single slice
    /// or without room.
    pub fn new(plane: &Plane, zoom: u8, (width, height): (u16, u16)) -> Option<Self> {
        let (slices, wide, high) = (plane.slices, u32::from(width), u32::from(height));
        if slices < 2 || !(1..=BOXES).contains(&zoom) {
            return None;
        }
        let tiles = (1..=slices.min(wide)).map(|columns| {
            let rows = slices.div_ceil(columns);
            let size = ((wide / columns) as u16, (high / rows).saturating_sub(1) as u16);
            (rows.abs_diff(columns), Self { slices, columns, size })
        });
        let fitting = tiles.filter(|(_, it)| Frame::fits(plane, zoom, it.size));
        fitting.min_by_key(|&(off, _)| off).map(|(_, it)| it)
    }

    /// The largest zoom level with room for all slices, from level 2 on, since lower levels do not
    /// show links into other slices.
    pub fn fit(plane: &Plane, size: (u16, u16)) -> Option<u8> {
        (2..=BOXES).rev().find(|&zoom| Self::new(plane, zoom, size).is_some())
    }

    /// Columns and rows of a slice's plane.
    pub fn size(&self) -> (u16, u16) {
        self.size
    }

    /// The area of a slice's plane in the pane; the line above is for the name.
    pub fn plane(&self, slice: u32) -> Rect {
        let (col, row) = ((slice % self.columns) as u16, (slice / self.columns) as u16);
        let (width, height) = self.size;
        Rect { x: col * width, y: row * (height + 1) + 1, width, height }
    }

    /// The slice at a character of the pane, and the character relative to the slice's plane.
    pub fn at(&self, (x, y): (i32, i32)) -> (u32, (i32, i32)) {
        let (width, high) = (i32::from(self.size.0), i32::from(self.size.1) + 1);
        let col = (x / width).clamp(0, self.columns as i32 - 1);
        let rows = self.slices.div_ceil(self.columns) as i32;
        let slice = (y / high).clamp(0, rows - 1) as u32 * self.columns + col as u32;
        let slice = slice.min(self.slices - 1);
        let corner = self.plane(slice);
        (slice, (x - i32::from(corner.x), y - i32::from(corner.y)))
    }
}
