//! Encodes the differences between frames compactly, for recordings.
//!
//! Only changed cells are written, grouped by style, since in a recording a change of style costs
//! more than a cursor movement. Blanks take the style of the preceding cell, and short unchanged
//! stretches are rewritten if shorter than a cursor movement.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use super::picture;

/// Resets colours and clears the screen.
const CLEAR: &str = "\x1b[0m\x1b[2J";
/// Additional bytes of an escape character in a recording.
const ESCAPED: usize = 5;

/// State of the recording's terminal.
#[derive(Debug, Default)]
pub(super) struct Strokes {
    /// The terminal's content; `None` before a complete repaint.
    shown: Option<Buffer>,
    manner: Manner,
}

/// The style of a cell: parameters of modifiers, foreground and background.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Manner {
    modifiers: String,
    ink: String,
    ground: String,
    /// True if a blank in this style shows more than its background.
    inks_blanks: bool,
}

impl Manner {
    fn of(cell: &Cell) -> Self {
        let [modifiers, ink, ground] = picture::codes(cell);
        if is_blank(cell) {
            return Self { ground, ..Self::default() };
        }
        Self { modifiers, ink, ground, inks_blanks: !is_plain(cell) }
    }

    /// True if a cell of style `own` looks the same when written in this style.
    fn suits(&self, cell: &Cell, own: &Self) -> bool {
        self == own || is_blank(cell) && !self.inks_blanks && self.ground == own.ground
    }

    /// The escape sequence to change from another style.
    fn after(&self, other: &Self) -> String {
        let mut codes = String::new();
        let fresh = self.modifiers != other.modifiers;
        if fresh {
            codes = format!(";0{}", self.modifiers);
        }
        let [was_ink, was_ground] =
            [&other.ink, &other.ground].map(|was| if fresh { "" } else { was });
        for (is, was, none) in [(&self.ink, was_ink, ";39"), (&self.ground, was_ground, ";49")] {
            if is != was {
                codes.push_str(if is.is_empty() { none } else { is });
            }
        }
        format!("\x1b[{}m", &codes[1..])
    }
}

/// A changed cell: row and column.
type Spot = (u16, u16);

impl Strokes {
    /// Returns the bytes that update the terminal from the previous frame, empty if nothing
    /// changed. The first frame and any frame of another size begin by clearing the screen.
    pub(super) fn frame(&mut self, now: &Buffer) -> String {
        let mut out = String::new();
        let before = self.shown.take().filter(|before| before.area == now.area);
        let before = before.unwrap_or_else(|| {
            out.push_str(CLEAR);
            self.manner = Manner::default();
            Buffer::empty(now.area)
        });
        let mut groups = changes(&before, now);
        let mut pen = Pen { due: groups.values().flatten().copied().collect(), now, at: None, out };
        // Cells of the current style are written first.
        if let Some(spots) = groups.remove(&self.manner) {
            pen.write(&self.manner, &spots);
        }
        for (manner, spots) in groups {
            pen.out.push_str(&manner.after(&self.manner));
            pen.write(&manner, &spots);
            self.manner = manner;
        }
        let out = pen.out;
        self.shown = Some(now.clone());
        out
    }
}

/// True if a blank in the cell's style would show its background alone.
fn is_plain(cell: &Cell) -> bool {
    let inked = Modifier::REVERSED | Modifier::UNDERLINED | Modifier::CROSSED_OUT;
    !cell.modifier.intersects(inked)
}

/// True if only the background of a cell is visible.
fn is_blank(cell: &Cell) -> bool {
    cell.symbol() == " " && is_plain(cell)
}

/// The visible part of a cell: for a blank the background alone; `None` if covered by a wide
/// character.
fn seen(cell: &Cell, covered: bool) -> Option<(&str, Color, Color, Modifier)> {
    let ink = (cell.fg, cell.modifier);
    let (fg, modifier) = if is_blank(cell) { (Color::Reset, Modifier::empty()) } else { ink };
    (!covered).then_some((cell.symbol(), fg, cell.bg, modifier))
}

/// True for each cell of a row covered by a preceding wide character.
fn covered(row: &[Cell]) -> impl Iterator<Item = bool> + '_ {
    row.iter().scan(0, |left, cell| {
        let covered = *left > 0;
        *left = if covered { *left - 1 } else { cell.symbol().width().max(1) - 1 };
        Some(covered)
    })
}

/// The changed cells by style, from left to right and from top to bottom.
fn changes(before: &Buffer, now: &Buffer) -> BTreeMap<Manner, Vec<Spot>> {
    let mut groups: BTreeMap<Manner, Vec<Spot>> = BTreeMap::new();
    let columns = usize::from(now.area.width.max(1));
    let rows = before.content.chunks(columns).zip(now.content.chunks(columns));
    for (y, (old, new)) in (0..).zip(rows) {
        // Style of the changed cell immediately before.
        let mut last: Option<Manner> = None;
        let both = old.iter().zip(covered(old)).zip(new.iter().zip(covered(new)));
        for (x, ((old, hidden), (new, hides))) in (0..).zip(both) {
            if hides || seen(old, hidden) == seen(new, hides) {
                last = None;
                continue;
            }
            let own = Manner::of(new);
            let manner = last.take().filter(|last| last.suits(new, &own)).unwrap_or(own);
            last = Some(manner.clone());
            groups.entry(manner).or_default().push((y, x));
        }
    }
    groups
}

/// Writes the cells of a frame.
struct Pen<'a> {
    now: &'a Buffer,
    /// The cursor position, if known.
    at: Option<Spot>,
    /// Cells still to be written.
    due: BTreeSet<Spot>,
    out: String,
}

impl Pen<'_> {
    fn write(&mut self, manner: &Manner, spots: &[Spot]) {
        for &(y, x) in spots {
            let way = self.way((y, x), manner);
            self.out.push_str(&way);
            let symbol = self.now[(x, y)].symbol();
            self.out.push_str(symbol);
            self.due.remove(&(y, x));
            let next = x + symbol.width().max(1) as u16;
            // After the last column the cursor position depends on the terminal.
            self.at = (next < self.now.area.width).then_some((y, next));
        }
    }

    /// The shortest output that moves the cursor to a cell.
    fn way(&self, to: Spot, manner: &Manner) -> String {
        let jump = if to.1 == 0 {
            format!("\x1b[{}H", to.0 + 1)
        } else {
            format!("\x1b[{};{}H", to.0 + 1, to.1 + 1)
        };
        let Some((y, x)) = self.at else { return jump };
        if (y, x) == to {
            return String::new();
        }
        if y == to.0 && x < to.1 {
            let on = match to.1 - x {
                1 => "\x1b[C".to_owned(),
                far => format!("\x1b[{far}C"),
            };
            // Cells in between may be rewritten.
            let over: Option<String> = (x..to.1).map(|x| self.again((y, x), manner)).collect();
            return over.filter(|over| over.len() <= on.len() + ESCAPED).unwrap_or(on);
        }
        jump
    }

    /// The text to pass over a cell in this style; a cell still to be written is blanked for now.
    fn again(&self, (y, x): Spot, manner: &Manner) -> Option<&str> {
        let cell = &self.now[(x, y)];
        let narrow = cell.symbol().width() == 1;
        if narrow && self.due.contains(&(y, x)) {
            return Some(" ");
        }
        (narrow && manner.suits(cell, &Manner::of(cell))).then(|| cell.symbol())
    }
}

#[cfg(test)]
mod tests;
