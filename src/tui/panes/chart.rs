//! Parts of charts: axes of load and latency, and a curve in thirds of a row.

use ratatui::style::Style;

use crate::tui::pen::Pen;
use crate::tui::shown::Shown;

/// Axes from 0 on. The first row is reserved for a legend; the last two rows are the horizontal
/// axis and its figures.
pub struct Axes {
    /// Columns left of the vertical axis, for its figures.
    pub gutter: i32,
    pub width: i32,
    pub height: i32,
    /// Rows of the chart, from 1 on.
    pub rows: i32,
    /// The value at the upper edge.
    pub top: f64,
    /// The value at the right edge.
    pub right: f64,
}

impl Axes {
    /// Axes of the given width and height, up to `right` and `top`; `tick` formats figures of the
    /// vertical axis.
    pub fn new(
        (width, height): (i32, i32),
        right: f64,
        top: f64,
        tick: impl Fn(f64) -> String,
    ) -> Self {
        let gutter = tick(top).len() as i32 + 1;
        Self { gutter, width, height, rows: height - 3, top, right: right.max(1e-9) }
    }

    pub fn column(&self, x: f64) -> i32 {
        let columns = self.width - self.gutter - 2;
        self.gutter + (x / self.right * f64::from(columns)).round() as i32
    }

    pub fn row(&self, y: f64) -> i32 {
        let up = (y / self.top * f64::from(self.rows - 1)).round() as i32;
        self.rows - up
    }

    /// Draws the interval `y` ± `half`, unless shorter than half a row on each side.
    pub fn interval(
        &self,
        pen: &mut Pen<'_>,
        (x, y): (i32, f64),
        half: f64,
        (bar, style): (char, Style),
    ) {
        if half / self.top * f64::from(self.rows) >= 0.5 {
            let (high, low) = (self.row(y + half).max(1), self.row(y - half).min(self.rows));
            pen.each((high..=low).map(|y| (x, y)), bar, style);
        }
    }

    /// The horizontal value at a column.
    pub fn across(&self, column: i32) -> f64 {
        f64::from(column - self.gutter) / f64::from(self.width - self.gutter - 2) * self.right
    }

    /// Draws the axes, with `unit` under the horizontal axis.
    pub fn draw(
        &self,
        app: &Shown<'_>,
        pen: &mut Pen<'_>,
        tick: impl Fn(f64) -> String,
        unit: &str,
    ) {
        let dim = app.theme.dim();
        let &Self { gutter, width, height, top, right, .. } = self;
        let bottom = height - 2;
        pen.each((1..bottom).map(|y| (gutter, y)), app.glyphs.axis[2], dim);
        pen.put(gutter, bottom, app.glyphs.axis[0], dim);
        pen.each((gutter + 1..width).map(|x| (x, bottom)), app.glyphs.axis[1], dim);
        let middle = (bottom >= 6).then_some((1 + (bottom - 2) / 2, top / 2.0));
        for (y, value) in [(1, top), (bottom, 0.0)].into_iter().chain(middle) {
            pen.ending(gutter, y, &tick(value), dim);
        }
        pen.text(gutter, height - 1, "0", dim);
        pen.right(height - 1, &format!("{right:.2}"), dim);
        let middle = gutter + (width - gutter - unit.len() as i32) / 2;
        if width - gutter > unit.len() as i32 + 12 {
            pen.text(middle, height - 1, unit, dim);
        }
    }
}

/// A curve drawn from column to column; steep parts are joined vertically.
pub struct Stroke {
    pub rows: i32,
    pub style: Style,
    /// The row in the previous column, to join steep parts; `rows` is below the lowest.
    pub before: Option<i32>,
}

impl Stroke {
    /// Continues the curve to a share of the height in column `x`, drawn or left out as a gap.
    /// Returns false above the top row. A share of 0 has no point.
    pub fn to(
        &mut self,
        app: &Shown<'_>,
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
