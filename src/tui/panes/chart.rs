//! What charts share: a curve in thirds of a row.

use ratatui::style::Style;

use crate::tui::app::App;
use crate::tui::pen::Pen;

/// A curve from column to column over some rows; where it is steep, rows in between are joined.
pub(super) struct Stroke {
    pub rows: i32,
    pub style: Style,
    /// The row of the column before, from which it is joined; `rows` is below the lowest.
    pub before: Option<i32>,
}

impl Stroke {
    /// Goes on to a share of the height in column `x`, drawn or left out as a gap; returns whether
    /// that lies within the rows. Nothing is drawn for a share of 0.
    pub fn to(
        &mut self,
        app: &App,
        pen: &mut Pen<'_>,
        (x, drawn): (i32, bool),
        share: f64,
    ) -> bool {
        let third = (share * f64::from(3 * self.rows - 1)).round() as i32;
        let row = if share > 0.0 { self.rows - 1 - third.div_euclid(3) } else { self.rows };
        let before = self.before.replace(row).unwrap_or(row);
        if drawn {
            let between = row.min(before).max(-1) + 1..row.max(before).min(self.rows);
            pen.each(between.map(|y| (x, y)), app.glyphs.axis[2], self.style);
            if (0..self.rows).contains(&row) {
                pen.put(x, row, app.glyphs.level[2 - third.rem_euclid(3) as usize], self.style);
            }
        }
        row >= 0
    }
}
