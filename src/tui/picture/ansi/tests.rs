//! A terminal that reads the escape sequences shows the buffer.

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
