//! Curves in braille dots, two by four per character.

use ratatui::style::Style;

use crate::tui::pen::Pen;

/// The bits of a braille character by column and row of the dot.
const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// A grid of braille dots over columns and rows of characters.
pub(super) struct Dots {
    columns: i32,
    rows: i32,
    cells: Vec<u8>,
}

impl Dots {
    pub(super) fn new(columns: i32, rows: i32) -> Self {
        let (columns, rows) = (columns.max(0), rows.max(0));
        Self { columns, rows, cells: vec![0; (columns * rows) as usize] }
    }

    fn set(&mut self, x: i32, y: i32) {
        let (col, row) = (x.div_euclid(2), y.div_euclid(4));
        if (0..self.columns).contains(&col) && (0..self.rows).contains(&row) {
            let bit = BITS[x.rem_euclid(2) as usize][y.rem_euclid(4) as usize];
            self.cells[(row * self.columns + col) as usize] |= bit;
        }
    }

    /// Draws a curve from a column of characters on. `share` is the height at a fractional column:
    /// 1 is the middle of the first row, 0 the middle of the last, and `None` ends the curve. Steep
    /// parts are joined. Every `gap`th column is left out (0: none).
    pub(super) fn curve(&mut self, from: i32, gap: i32, share: impl Fn(f64) -> Option<f64>) {
        let mut before: Option<i32> = None;
        for x in 2 * from..2 * self.columns {
            let Some(share) = share(f64::from(x) / 2.0 - 0.25) else { return };
            let row = f64::from(self.rows - 1) * (1.0 - share);
            let y = (4.0 * row.clamp(-1.0, f64::from(self.rows)) + 1.5).round() as i32;
            let drawn = gap == 0 || x.div_euclid(2) % gap != 0;
            let last = before.replace(y).unwrap_or(y);
            if drawn {
                // Steps start at the row after the last dot, to avoid an extra corner.
                let between = if y < last { y..=last - 1 } else { last.min(y - 1) + 1..=y };
                between.for_each(|y| self.set(x, y));
            }
            if y < 0 {
                return;
            }
        }
    }

    /// Draws every other dot of a column of characters, from a share of the height to the top.
    pub(super) fn rise(&mut self, column: i32, from: f64) {
        let row = f64::from(self.rows - 1) * (1.0 - from);
        let last = (4.0 * row + 1.5).round() as i32;
        (0..last).step_by(2).for_each(|y| self.set(2 * column, y));
    }

    /// Writes the dots to the screen; characters without dots are left unchanged.
    pub(super) fn paint(&self, pen: &mut Pen<'_>, style: Style) {
        for (at, &dots) in self.cells.iter().enumerate().filter(|(_, dots)| **dots > 0) {
            let glyph = char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ');
            pen.put(at as i32 % self.columns, at as i32 / self.columns, glyph, style);
        }
    }
}

#[cfg(test)]
mod tests;
