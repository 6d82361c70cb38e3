//! Captions below the screen in double size, and the frame at the end of a film.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::{BASE, CELL, PICTURES, Sheet, Spot, brief};
use crate::recording::{Palette, Script};
use crate::tui::action::Key;
use crate::tui::film::{FilmError, Order, film_error};
use crate::tui::pen::wrap;
use crate::tui::picture::escaped;

/// Maximum number of lines of a caption.
const LINES: usize = 3;
/// Pictures of the frame at the end.
pub(super) const END: u64 = 2 * PICTURES;
/// The share of the screen's colours that is left in the frame at the end.
const LEFT: f64 = 0.25;

/// A line with the size of its characters, in units of the screen's characters.
pub(super) type Large = (String, u16);

/// The lines of a caption and the size of their characters.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Caption {
    pub(super) lines: Vec<String>,
    pub(super) scale: u16,
}

impl Caption {
    /// Wraps a caption for a screen of `width` columns, in double size if it fits; `None` if too long.
    pub(super) fn new(text: &str, width: u16) -> Option<Self> {
        [2, 1].into_iter().find_map(|scale| {
            let room = usize::from(width.saturating_sub(2) / scale);
            let lines = wrap(text, room);
            let fits = lines.len() <= LINES && lines.iter().all(|line| line.width() <= room);
            fits.then_some(Self { lines, scale })
        })
    }

    /// The rows of the screen's characters that the caption takes.
    fn rows(&self) -> u16 {
        self.lines.len() as u16 * self.scale
    }

    /// The line that begins at a row, counted from 0.
    pub(super) fn line_at(&self, row: u16) -> Option<Large> {
        let scale = self.scale.max(1);
        let nth = row.is_multiple_of(scale).then_some(row / scale)?;
        let line = self.lines.get(usize::from(nth)).filter(|line| !line.is_empty())?;
        Some((line.clone(), self.scale))
    }
}

/// Returns the number of rows for the captions of a script.
pub(in crate::tui::film) fn rows(script: &Script<Key>, mut width: u16) -> Result<u16, FilmError> {
    let mut rows = 0;
    for line in &script.lines {
        match &line.command {
            Order::Resize((columns, _)) => width = width.max(*columns),
            Order::Marker(text) => {
                let Some(caption) = Caption::new(text, width) else {
                    let what = format!("there is no room for this caption below {width} columns");
                    let help = "what a marker tells has three lines there; shorten it";
                    return Err(film_error(&script.name, Some(&line.place), what, help));
                };
                rows = rows.max(caption.rows());
            }
            Order::Wait(_)
            | Order::Key { .. }
            | Order::Type(_)
            | Order::Click { .. }
            | Order::Drag { .. }
            | Order::Wheel { .. }
            | Order::Until(_)
            | Order::Shot(_) => {}
        }
    }
    Ok(rows)
}

impl Sheet {
    /// Draws the lines of captions.
    pub(super) fn captions(
        &mut self,
        out: &mut String,
        lines: Vec<(Large, Spot)>,
        palette: Palette,
    ) {
        let class = self.look(palette.ink, true);
        for (line, (row, column)) in lines {
            large(out, &class, &line, (f64::from(column), f64::from(row)));
        }
    }

    /// Draws the frame at the end: the last screen, faint, with the title of the film and the name of
    /// the program.
    pub(super) fn end_frame(
        &mut self,
        out: &mut String,
        (from, length): (u64, u64),
        (width, height): (f64, f64),
        (title, palette): (&str, Palette),
    ) {
        self.lasting.insert(length - from);
        self.beginning.insert(from);
        let _ = write!(
            out,
            "<g class=\"d{} s{from}\"><rect width=\"{width}\" height=\"{height}\" \
             fill=\"#{:06x}\" opacity=\"{}\"/>",
            length - from,
            palette.ground,
            1.0 - LEFT
        );
        let columns = width / CELL.0;
        let title = Caption::new(title, columns as u16).unwrap_or_default();
        let class = self.look(palette.ink, true);
        let middle = height / CELL.1 / 2.0;
        let by = Some(("flitscope".to_owned(), 1));
        let lines = title.lines.into_iter().filter(|line| !line.is_empty());
        let lines = lines.map(|line| (line, title.scale)).chain(by);
        let mut row = (middle - 3.0).max(0.0).floor();
        for (text, scale) in lines {
            let indent = (columns - f64::from(scale) * text.width() as f64) / 2.0;
            let line = (text, scale);
            large(out, &class, &line, (indent.max(0.0).floor(), row));
            row += f64::from(scale) + 1.0;
        }
        out.push_str("</g>\n");
    }
}

/// Writes a line from a column and row of the screen on.
fn large(out: &mut String, class: &str, (line, scale): &Large, (column, row): (f64, f64)) {
    let scale = f64::from(*scale);
    let mut at = column;
    let columns = line.chars().map(|letter| {
        let here = at;
        at += scale * f64::from(letter.to_string().width() as u32);
        brief(here * CELL.0)
    });
    let columns = columns.collect::<Vec<_>>().join(" ");
    let size =
        if scale > 1.0 { format!(" font-size=\"{}\"", brief(8.3 * scale)) } else { String::new() };
    let _ = write!(
        out,
        "<text class=\"{class}\" x=\"{columns}\" y=\"{}\"{size}>{}</text>",
        brief(row * CELL.1 + BASE * scale),
        escaped(line)
    );
}
