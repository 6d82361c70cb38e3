//! Draws straight lines between characters.
//!
//! Lines consist of braille dots (two by four per character) or, on ASCII terminals, of plain
//! strokes.

use ratatui::style::Style;

use crate::tui::grid::plane::Side;
use crate::tui::pen::{BRAILLE, Pen};

/// Dots per character, across and along.
const DOTS: (i32, i32) = (2, 4);

/// Ways to draw a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trace {
    /// A line between the lanes.
    Thread,
    /// Every other dot of the lane.
    Dotted,
    /// All dots of the lane.
    Solid,
    /// Two dots wide.
    Broad,
}

/// A line from one character to another, in dots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    from: (i32, i32),
    to: (i32, i32),
}

impl Line {
    /// A line between the middles of two characters.
    pub fn new(from: (i32, i32), to: (i32, i32)) -> Self {
        let middle = |(x, y): (i32, i32)| (x * DOTS.0 + 1, y * DOTS.1 + 2);
        Self { from: middle(from), to: middle(to) }
    }

    /// The vector from start to end, in dots.
    fn extent(&self) -> (i32, i32) {
        (self.to.0 - self.from.0, self.to.1 - self.from.1)
    }

    /// The side nearest to the line's direction.
    pub fn side(&self) -> Side {
        let (x, y) = self.extent();
        match x.abs() >= y.abs() {
            true if x >= 0 => Side::East,
            true => Side::West,
            false if y > 0 => Side::South,
            false => Side::North,
        }
    }

    /// The line shifted to the right of its direction by a number of dots.
    fn lane(&self, dots: i32) -> Self {
        let (right, down) = self.side().on_screen();
        let moved = |(x, y): (i32, i32)| (x - down * dots, y + right * dots);
        Self { from: moved(self.from), to: moved(self.to) }
    }

    /// The character at the fraction `part / whole` of the line's lane.
    pub fn point(&self, part: i32, whole: i32) -> (i32, i32) {
        let lane = self.lane(1);
        let (x, y) = lane.extent();
        let dot = (lane.from.0 + x * part / whole, lane.from.1 + y * part / whole);
        (dot.0.div_euclid(DOTS.0), dot.1.div_euclid(DOTS.1))
    }

    /// The character after (x, y) in the direction of the line.
    pub fn beyond(&self, (x, y): (i32, i32)) -> (i32, i32) {
        let (right, down) = self.side().on_screen();
        (x + right, y + down)
    }

    /// The dots of the line in order (Bresenham).
    fn dots(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (x, y) = self.extent();
        let (across, along) = (x.abs(), y.abs());
        let (step_x, step_y) = (x.signum(), y.signum());
        let (mut at, mut error) = (self.from, across - along);
        (0..=across.max(along)).map(move |_| {
            let here = at;
            let twice = 2 * error;
            if twice > -along {
                error -= along;
                at.0 += step_x;
            }
            if twice < across {
                error += across;
                at.1 += step_y;
            }
            here
        })
    }

    /// The ASCII stroke nearest to the line's slope.
    fn stroke(&self) -> char {
        let (x, y) = self.extent();
        match (x.abs(), y.abs()) {
            (x, y) if x > 2 * y => '-',
            (x, y) if y > 2 * x => '|',
            _ if (x > 0) == (y > 0) => '\\',
            _ => '/',
        }
    }
}

/// The contents of a character.
#[derive(Clone, Copy, Default)]
struct Cell {
    dots: u8,
    /// Rank, ASCII stroke and style of the line on top; `None` if nothing is drawn.
    top: Option<(u8, char, Style)>,
    /// Flags for horizontal threads, vertical threads, and any other lines in the character.
    straight: [bool; 3],
}

/// A grid of characters to draw lines on.
pub struct Canvas {
    width: i32,
    cells: Vec<Cell>,
    strokes: bool,
}

impl Canvas {
    /// An empty canvas of `width` by `height` characters; `strokes` selects ASCII.
    pub fn new(width: u16, height: u16, strokes: bool) -> Self {
        let cells = vec![Cell::default(); usize::from(width) * usize::from(height)];
        Self { width: i32::from(width), cells, strokes }
    }

    /// Draws a line. A character shared by several lines takes the style of the highest rank.
    pub fn draw(&mut self, line: &Line, trace: Trace, rank: u8, style: Style) {
        // The ASCII stroke, the distance between drawn dots, and the lanes.
        let (stroke, every, lanes): (char, usize, &[i32]) = match trace {
            Trace::Thread => ('.', 1, &[0]),
            Trace::Dotted => (':', 2, &[1]),
            Trace::Solid => (line.stroke(), 1, &[1]),
            Trace::Broad => ('#', 1, &[1, 2]),
        };
        let kind = match line.extent() {
            (_, 0) if trace == Trace::Thread => 0,
            (0, _) if trace == Trace::Thread => 1,
            _ => 2,
        };
        for (x, y) in lanes.iter().flat_map(|&lane| line.lane(lane).dots().step_by(every)) {
            let (col, row) = (x.div_euclid(DOTS.0), y.div_euclid(DOTS.1));
            let at = usize::try_from(row * self.width + col)
                .ok()
                .filter(|_| (0..self.width).contains(&col));
            let Some(cell) = at.and_then(|at| self.cells.get_mut(at)) else { continue };
            cell.dots |= BRAILLE[x.rem_euclid(DOTS.0) as usize][y.rem_euclid(DOTS.1) as usize];
            cell.straight[kind] = true;
            if cell.top.is_none_or(|(highest, ..)| rank >= highest) {
                cell.top = Some((rank, stroke, style));
            }
        }
    }

    /// True for a character inside the canvas without a line.
    pub fn is_free(&self, x: i32, y: i32) -> bool {
        let at = usize::try_from(y * self.width + x).ok().filter(|_| (0..self.width).contains(&x));
        at.and_then(|at| self.cells.get(at)).is_some_and(|cell| cell.top.is_none())
    }

    /// Writes the lines to the screen; straight threads become solid box-drawing lines.
    pub fn paint(&self, pen: &mut Pen<'_>) {
        for (at, cell) in self.cells.iter().enumerate() {
            let Some((_, stroke, style)) = cell.top else { continue };
            let (x, y) = (at as i32 % self.width, at as i32 / self.width);
            let glyph = match cell.straight {
                _ if self.strokes => stroke,
                [true, false, false] => '─',
                [false, true, false] => '│',
                [true, true, false] => '┼',
                [_, _, true] | [false, false, false] => {
                    char::from_u32(0x2800 + u32::from(cell.dots)).unwrap_or(stroke)
                }
            };
            pen.put(x, y, glyph, style);
        }
    }
}

#[cfg(test)]
mod tests;
