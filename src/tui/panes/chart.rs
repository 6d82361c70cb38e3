//! Draws charts of latency by load.
//!
//! A chart has axes, points with intervals, and curves in braille dots or in thirds of a row.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::pen::{BRAILLE, Pen};
use crate::tui::scene::Scene;

/// Axes from 0 on. The first row is reserved for a legend; the last two rows are the horizontal
/// axis and its figures.
pub struct Axes {
    /// Columns left of the vertical axis, for its figures.
    pub gutter: i32,
    pub width: i32,
    pub height: i32,
    /// Rows of the chart, from 1 on; the last has the horizontal axis, at 0.
    pub rows: i32,
    /// The value at the upper edge.
    pub top: f64,
    /// The value at the right edge.
    pub right: f64,
    /// The vertical unit of the figures.
    unit: f64,
    /// The distance between the ticks of the vertical axis, in units.
    step: Step,
}

impl Axes {
    /// Axes of the given width and height, up to `right` and about `top`, at least a share `least` of it;
    /// vertical figures are in `unit`s.
    pub fn new(
        (width, height): (i32, i32),
        right: f64,
        (top, least): (f64, f64),
        unit: f64,
    ) -> Self {
        let rows = height - 2;
        let (top, step) = rounded((top / unit, least), rows - 1);
        let (top, right) = (top * unit, right.max(1e-9));
        let mut axes = Self { gutter: 0, width, height, rows, top, right, unit, step };
        let widths = axes.levels().into_iter().map(|(_, text)| text.len() as i32);
        axes.gutter = widths.max().unwrap_or(1) + 1;
        axes
    }

    /// Round values of the vertical axis above 0, and their figures.
    fn levels(&self) -> Vec<(f64, String)> {
        let values = self.step.up_to(self.top / self.unit);
        values.map(|value| (value * self.unit, self.step.figure(value))).collect()
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

    /// Draws a vertical line at a horizontal value.
    pub fn vertical(&self, pen: &mut Pen<'_>, x: f64, glyph: char, style: Style) {
        let x = self.column(x);
        pen.each((1..self.rows).map(|y| (x, y)), glyph, style);
    }

    /// Draws a mean with its interval; a mean above the upper edge has no point.
    pub fn mean(
        &self,
        pen: &mut Pen<'_>,
        (x, y, half): (f64, f64, Option<f64>),
        (bar, style): (char, Style),
        (glyph, point): (char, Style),
    ) {
        let x = self.column(x);
        self.interval(pen, (x, y), half.unwrap_or(0.0), (bar, style));
        if self.row(y) >= 1 {
            pen.put(x, self.row(y), glyph, point);
        }
    }

    /// Draws a curve; `value` is `None` where the curve has no value.
    pub fn curve(
        &self,
        app: &Scene<'_>,
        pen: &mut Pen<'_>,
        curve: &Curve,
        value: impl Fn(f64) -> Option<f64>,
    ) {
        let columns = f64::from(self.width - self.gutter - 2);
        let across = |x: f64| (x - f64::from(self.gutter)) / columns * self.right;
        let share = |x: f64| value(across(x)).map(|value| value / self.top);
        let mut pen = pen.within(Rect::new(0, 1, self.width as u16, self.rows.max(0) as u16));
        if curve.fine {
            let mut dots = Dots::new(self.width, self.rows);
            dots.curve(self.gutter + 1, curve.drawn, share);
            if let Some((x, y)) = curve.rise {
                dots.rise(self.column(x), y / self.top);
            }
            return dots.paint(&mut pen, curve.style);
        }
        let mut stroke = Stroke { rows: self.rows, style: curve.style, before: None };
        for x in self.gutter + 1..self.width {
            let Some(share) = share(x.into()) else { continue };
            if !stroke.to(app, &mut pen, (x, (curve.drawn)(x)), share) {
                break;
            }
        }
    }

    /// Draws the axes, with round values on both.
    pub fn draw(&self, app: &Scene<'_>, pen: &mut Pen<'_>) {
        let dim = app.theme.dim();
        let &Self { gutter, width, height, right, .. } = self;
        let bottom = height - 2;
        pen.each((1..bottom).map(|y| (gutter, y)), app.glyphs.axis[2], dim);
        pen.put(gutter, bottom, app.glyphs.axis[0], dim);
        pen.each((gutter + 1..width).map(|x| (x, bottom)), app.glyphs.axis[1], dim);
        pen.ending(gutter, bottom, "0", dim);
        for (value, figure) in self.levels() {
            pen.ending(gutter, self.row(value), &figure, dim);
        }
        let mut free = gutter;
        let step = Step::at_least(right / f64::from(((width - gutter) / 7).max(1)));
        let figures = step.up_to(right).map(|value| (value, step.figure(value)));
        for (value, figure) in std::iter::once((0.0, "0".to_owned())).chain(figures) {
            let length = figure.len() as i32;
            let x = (self.column(value) - (length - 1) / 2).max(gutter);
            if x >= free && x + length <= width {
                pen.text(x, height - 1, &figure, dim);
                free = x + length + 1;
            }
        }
    }
}

/// The distance between the round values of an axis: 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy)]
pub struct Step {
    pub size: f64,
    decimals: usize,
}

impl Step {
    /// The smallest step of at least this size.
    pub fn at_least(size: f64) -> Self {
        let size = size.max(1e-9);
        let power = size.log10().floor();
        let steps = [(1.0, power), (2.0, power), (5.0, power), (1.0, power + 1.0)];
        let is_enough = |&(factor, power): &(f64, f64)| factor * 10f64.powf(power) >= size * 0.999;
        let (factor, power) = steps.into_iter().find(is_enough).unwrap_or(steps[3]);
        Self { size: factor * 10f64.powf(power), decimals: (-power).max(0.0) as usize }
    }

    /// The multiples above 0 up to `end`.
    fn up_to(self, end: f64) -> impl Iterator<Item = f64> {
        let count = (end / self.size * 1.001).floor() as u32;
        (1..=count).map(move |nth| f64::from(nth) * self.size)
    }

    fn figure(self, value: f64) -> String {
        format!("{value:.*}", self.decimals)
    }
}

/// An end of an axis near `top`, and a step of a whole number of `rows`, at least two of them if the
/// axis has room: the lowest end of at least a share `least` of `top`.
fn rounded((top, least): (f64, f64), rows: i32) -> (f64, Step) {
    let fewest = if rows < 4 { 1 } else { 2 };
    let ends = (fewest..=(rows / 2).max(fewest)).map(|each| {
        let count = f64::from(rows.max(1)) / f64::from(each);
        let step = Step::at_least(top * least / count);
        (count * step.size, step)
    });
    let end = ends.min_by(|one, other| one.0.total_cmp(&other.0));
    end.unwrap_or_else(|| (top, Step::at_least(top)))
}

/// The manner of drawing a curve.
pub struct Curve {
    pub style: Style,
    /// False for columns left out as gaps.
    pub drawn: fn(i32) -> bool,
    /// True for braille dots, false for thirds of a row.
    pub fine: bool,
    /// The point from which dots rise to the upper edge, if any.
    pub rise: Option<(f64, f64)>,
}

/// The value at `x` of a line through points in ascending order; constant before the first point,
/// `None` after the last.
pub fn interpolate<T>(points: &[T], of: impl Fn(&T) -> (f64, f64), x: f64) -> Option<f64> {
    let after = points.partition_point(|point| of(point).0 < x);
    let (right, high) = of(points.get(after)?);
    let Some(before) = after.checked_sub(1) else { return Some(high) };
    let (left, low) = of(&points[before]);
    Some(low + (high - low) * (x - left) / (right - left).max(1e-12))
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
        app: &Scene<'_>,
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

/// A grid of braille dots over columns and rows of characters.
pub struct Dots {
    columns: i32,
    rows: i32,
    cells: Vec<u8>,
}

impl Dots {
    pub fn new(columns: i32, rows: i32) -> Self {
        let (columns, rows) = (columns.max(0), rows.max(0));
        Self { columns, rows, cells: vec![0; (columns * rows) as usize] }
    }

    fn set(&mut self, x: i32, y: i32) {
        let (col, row) = (x.div_euclid(2), y.div_euclid(4));
        if (0..self.columns).contains(&col) && (0..self.rows).contains(&row) {
            let bit = BRAILLE[x.rem_euclid(2) as usize][y.rem_euclid(4) as usize];
            self.cells[(row * self.columns + col) as usize] |= bit;
        }
    }

    /// Draws a curve from a column of characters on. `share` is the height at a fractional column:
    /// 1 is the middle of the first row, 0 the middle of the last, and `None` ends the curve. Steep
    /// parts are joined.
    pub fn curve(&mut self, from: i32, drawn: fn(i32) -> bool, share: impl Fn(f64) -> Option<f64>) {
        let mut before: Option<i32> = None;
        for x in 2 * from..2 * self.columns {
            let Some(share) = share(f64::from(x) / 2.0 - 0.25) else { return };
            let row = f64::from(self.rows - 1) * (1.0 - share);
            let y = (4.0 * row.clamp(-1.0, f64::from(self.rows)) + 1.5).round() as i32;
            let last = before.replace(y).unwrap_or(y);
            if drawn(x.div_euclid(2)) {
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
    fn rise(&mut self, column: i32, from: f64) {
        let row = f64::from(self.rows - 1) * (1.0 - from);
        let last = (4.0 * row + 1.5).round() as i32;
        (0..last).step_by(2).for_each(|y| self.set(2 * column, y));
    }

    /// Writes the dots to the screen; characters without dots are left unchanged.
    pub fn paint(&self, pen: &mut Pen<'_>, style: Style) {
        for (at, &dots) in self.cells.iter().enumerate().filter(|(_, dots)| **dots > 0) {
            let glyph = char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ');
            pen.put(at as i32 % self.columns, at as i32 / self.columns, glyph, style);
        }
    }
}

#[cfg(test)]
mod tests;
