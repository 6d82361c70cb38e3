//! A buffer as text with the escape sequences of its colours, for `cat` and for pagers.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// What ends a line, so that no colour runs on.
const PLAIN: &str = "\x1b[0m";

/// The buffer's rows, a line each, ordinary at both ends; spaces at the end only where they are
/// coloured.
pub fn ansi(buffer: &Buffer) -> String {
    let mut out = String::new();
    for row in super::rows(buffer) {
        let bare = |cell: &Cell| cell.symbol() == " " && style(cell).is_empty();
        let end = row.iter().rposition(|cell| !bare(cell)).map_or(0, |last| last + 1);
        let mut now = String::new();
        for cell in &row[..end] {
            let wanted = style(cell);
            if wanted != now {
                let _ = write!(out, "\x1b[0{wanted}m");
                now = wanted;
            }
            out.push_str(cell.symbol());
        }
        if !now.is_empty() {
            out.push_str(PLAIN);
        }
        out.push('\n');
    }
    out
}

/// The parameters that lead from ordinary text to a cell's style, each behind a semicolon.
fn style(cell: &Cell) -> String {
    let mut codes = String::new();
    for (modifier, code) in [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
    ] {
        if cell.modifier.contains(modifier) {
            let _ = write!(codes, ";{code}");
        }
    }
    colour(&mut codes, cell.fg, 30);
    colour(&mut codes, cell.bg, 40);
    codes
}

/// Writes a colour; `base` is 30 for ink, 40 for the ground.
fn colour(codes: &mut String, colour: Color, base: u8) {
    let _ = match (super::number(colour), colour) {
        (_, Color::Reset) => Ok(()),
        (_, Color::Rgb(red, green, blue)) => write!(codes, ";{};2;{red};{green};{blue}", base + 8),
        (Some(number @ 0..8), _) => write!(codes, ";{}", base + number),
        (Some(number @ 8..16), _) => write!(codes, ";{}", base + 52 + number),
        (Some(number), _) => write!(codes, ";{};5;{number}", base + 8),
        (None, _) => Ok(()),
    };
}

#[cfg(test)]
mod tests;
