//! Writes into a rectangular area of a buffer, clipped at its edges.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Offset, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::symbols::border::Set;
use ratatui::text::Line;

use crate::text;

/// A position, its character, and its style.
pub type Mark = ((i32, i32), char, Style);

/// The bits of a braille character by column and row of the dot.
pub const BRAILLE: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// A pen clipped to an area. Coordinates are relative to the area's corner.
pub struct Pen<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
}

impl<'a> Pen<'a> {
    /// Creates a pen for the part of `area` within the buffer.
    pub fn new(buffer: &'a mut Buffer, area: Rect) -> Self {
        let area = area.intersection(buffer.area);
        Self { buffer, area }
    }

    /// Number of columns.
    pub fn width(&self) -> u16 {
        self.area.width
    }

    /// Number of rows.
    pub fn height(&self) -> u16 {
        self.area.height
    }

    fn cell(&mut self, x: i32, y: i32) -> Option<&mut Cell> {
        let (x, y) = (u16::try_from(x).ok()?, u16::try_from(y).ok()?);
        let inside = x < self.area.width && y < self.area.height;
        inside.then(|| self.buffer.cell_mut((self.area.x + x, self.area.y + y))).flatten()
    }

    /// Writes one character.
    pub fn put(&mut self, x: i32, y: i32, glyph: char, style: Style) {
        if let Some(cell) = self.cell(x, y) {
            // The former style is discarded.
            cell.set_char(text::letter(glyph));
            (cell.fg, cell.bg) = (style.fg.unwrap_or_default(), style.bg.unwrap_or_default());
            cell.modifier = style.add_modifier - style.sub_modifier;
        }
    }

    /// True if a cell contains the character.
    pub fn shows(&mut self, x: i32, y: i32, glyph: char) -> bool {
        self.cell(x, y).is_some_and(|cell| cell.symbol().chars().eq([glyph]))
    }

    /// True if a cell contains a letter or digit.
    pub fn has_word(&mut self, x: i32, y: i32) -> bool {
        self.cell(x, y).is_some_and(|cell| cell.symbol().chars().all(char::is_alphanumeric))
    }

    /// Changes the style of a cell and keeps its character.
    pub fn restyle(&mut self, x: i32, y: i32, style: Style) {
        if let Some(cell) = self.cell(x, y) {
            cell.set_style(Style::reset().patch(style));
        }
    }

    /// Adds a modifier to the style of a cell.
    pub fn add(&mut self, x: i32, y: i32, modifier: Modifier) {
        if let Some(cell) = self.cell(x, y) {
            cell.modifier |= modifier;
        }
    }

    /// Creates a pen for a part of the area.
    pub fn within(&mut self, part: Rect) -> Pen<'_> {
        let part = part.offset(Offset { x: self.area.x.into(), y: self.area.y.into() });
        Pen { area: part.intersection(self.area), buffer: &mut *self.buffer }
    }

    /// Writes the same character into several cells.
    pub fn each(&mut self, cells: impl IntoIterator<Item = (i32, i32)>, glyph: char, style: Style) {
        for (x, y) in cells {
            self.put(x, y, glyph, style);
        }
    }

    /// Draws a frame around spaces.
    pub fn boxed(&mut self, (x, y): (i32, i32), size: (i32, i32), set: Set<'_>, style: Style) {
        let (right_edge, last) = (size.0 - 1, size.1 - 1);
        for row in 0..=last {
            let (left, middle, right) = match row {
                0 => (set.top_left, set.horizontal_top, set.top_right),
                _ if row == last => (set.bottom_left, set.horizontal_bottom, set.bottom_right),
                _ => (set.vertical_left, " ", set.vertical_right),
            };
            self.text(x, y + row, left, style);
            for between in 1..right_edge {
                self.text(x + between, y + row, middle, style);
            }
            self.text(x + right_edge, y + row, right, style);
        }
    }

    /// Writes text at (x, y), one column per character; returns the next column.
    pub fn text(&mut self, x: i32, y: i32, text: &str, style: Style) -> i32 {
        let mut at = x;
        for glyph in text.chars() {
            self.put(at, y, glyph, style);
            at += 1;
        }
        at
    }

    /// Writes text, truncated with `ellipsis` at the area's edge; returns the next column.
    pub fn cut(&mut self, x: i32, y: i32, text: &str, ellipsis: char, style: Style) -> i32 {
        let room = i32::from(self.area.width) - x;
        if room <= 0 {
            return x;
        }
        if text.chars().count() as i32 <= room {
            return self.text(x, y, text, style);
        }
        let head: String = text.chars().take(room as usize - 1).collect();
        let end = self.text(x, y, head.trim_end(), style);
        self.put(end, y, ellipsis, style);
        end + 1
    }

    /// Writes a line of styled spans, truncated as by [`Self::cut`]; returns the next column.
    pub fn line(&mut self, x: i32, y: i32, line: &Line<'_>, ellipsis: char) -> i32 {
        let mut at = x;
        for span in &line.spans {
            let fits = span.content.chars().count() as i32 <= i32::from(self.area.width) - at;
            at = self.cut(at, y, &span.content, ellipsis, line.style.patch(span.style));
            if !fits {
                break;
            }
        }
        at
    }

    /// Writes text right-aligned before column `end`.
    pub fn ending(&mut self, end: i32, y: i32, text: &str, style: Style) {
        self.text(end - text.chars().count() as i32, y, text, style);
    }

    /// Writes text right-aligned in the area.
    pub fn right(&mut self, y: i32, text: &str, style: Style) {
        self.ending(i32::from(self.area.width), y, text, style);
    }

    /// Fills the area.
    pub fn fill(&mut self, glyph: char, style: Style) {
        let (columns, rows) = (i32::from(self.width()), i32::from(self.height()));
        self.each((0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))), glyph, style);
    }
}

/// Wraps words into lines of at most `width` characters, except longer words; returns at least one
/// line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut words = text.split_whitespace();
    let mut lines = vec![words.next().unwrap_or_default().to_owned()];
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The text before the last boundary of clauses, or of groups of keys; `None` without a boundary.
fn without_last_clause(text: &str) -> Option<&str> {
    let ends = ["; ", ", ", " (", ": ", ". ", "   "].into_iter();
    ends.filter_map(|between| text.rfind(between)).max().map(|end| text[..end].trim_end())
}

/// The leading clauses of a text that fit into `width` characters.
pub fn leading_clauses(text: &str, width: usize) -> &str {
    let mut kept = Some(text);
    while let Some(text) = kept.filter(|text| text.chars().count() > width) {
        kept = without_last_clause(text);
    }
    kept.unwrap_or_default()
}

/// Wraps a text into at most `rows` lines, without its last clauses if there is no room for them. The
/// first clause is kept, and truncated to whole words if necessary.
pub fn wrap_clauses(text: &str, width: usize, rows: usize) -> Vec<String> {
    let mut kept = text;
    loop {
        let mut lines = wrap(kept, width);
        if lines.len() <= rows {
            return lines;
        }
        let Some(text) = without_last_clause(kept) else {
            lines.truncate(rows);
            return lines;
        };
        kept = text;
    }
}

/// The first of these texts that fits into `width` characters, else the last.
pub fn fitting<const N: usize>(texts: [String; N], width: usize) -> String {
    let fits = |text: &String| text.chars().count() <= width;
    let at = texts.iter().position(fits).unwrap_or(N - 1);
    texts.into_iter().nth(at).unwrap_or_default()
}

/// Formats a count with its noun: `1 worm`, `4 worms`.
pub fn plural(count: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Formats an integer with commas between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let (first, rest) = digits.split_at((digits.len() - 1) % 3 + 1);
    let groups =
        rest.as_bytes().chunks(3).map(|group| format!(",{}", String::from_utf8_lossy(group)));
    std::iter::once(first.to_owned()).chain(groups).collect()
}

/// Formats a number in at most five characters: `950`, `1.25k`, `340k`, `1.2M`.
pub fn brief(number: f64) -> String {
    let (value, unit) = match number.abs() {
        n if n >= 999.5e6 => (number / 1e9, "G"),
        n if n >= 999.5e3 => (number / 1e6, "M"),
        n if n >= 999.5 => (number / 1e3, "k"),
        _ => (number, ""),
    };
    let decimals = match value.abs() {
        v if v >= 99.95 || unit.is_empty() && v.fract() == 0.0 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests;
