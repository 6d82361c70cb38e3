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
    for y in buffer.area.top()..buffer.area.bottom() {
        let row: Vec<&Cell> =
            (buffer.area.left()..buffer.area.right()).map(|x| &buffer[(x, y)]).collect();
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

/// Writes a colour; `base` is 30 for ink, 40 for paper.
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
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn a_terminal_that_reads_it_shows_the_same() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 3));
        let styles = [
            Style::new(),
            Style::new().fg(Color::Rgb(1, 20, 200)).bg(Color::Indexed(208)),
            Style::new().fg(Color::LightYellow).add_modifier(Modifier::BOLD),
            Style::new().bg(Color::Blue).add_modifier(Modifier::REVERSED | Modifier::DIM),
            Style::new().fg(Color::Indexed(9)).bg(Color::DarkGray),
        ];
        for (x, &style) in (0..).step_by(3).zip(&styles) {
            buffer.set_string(x, 0, "a━", style);
        }
        buffer.set_string(2, 1, "   ", Style::new().bg(Color::Red));
        let text = ansi(&buffer);
        assert!(text.ends_with("\n\n"), "an empty row is an empty line");
        let mut terminal = vt100::Parser::new(4.try_into().unwrap(), 20.try_into().unwrap(), 0);
        terminal.process(text.replace('\n', "\r\n").as_bytes());
        let expected = |colour| match colour {
            Color::Reset => vt100::Color::Default,
            Color::Rgb(red, green, blue) => vt100::Color::Rgb(red, green, blue),
            other => vt100::Color::Idx(super::super::number(other).unwrap()),
        };
        for y in 0..3 {
            for x in 0..20 {
                let (seen, cell) = (terminal.screen().cell(y, x).unwrap(), &buffer[(x, y)]);
                let blank = if seen.contents().is_empty() { " " } else { seen.contents() };
                assert_eq!(blank, cell.symbol(), "{x} {y}");
                let has = |modifier| cell.modifier.contains(modifier);
                assert_eq!(seen.bold(), has(Modifier::BOLD), "{x} {y}");
                assert_eq!(seen.dim(), has(Modifier::DIM), "{x} {y}");
                assert_eq!(seen.inverse(), has(Modifier::REVERSED), "{x} {y}");
                let colours = (expected(cell.fg), expected(cell.bg));
                assert_eq!((seen.fgcolor(), seen.bgcolor()), colours, "{x} {y}");
            }
        }
    }
}
