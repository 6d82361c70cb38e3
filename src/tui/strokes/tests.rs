//! Tests that a terminal replaying the output shows every frame, including colours.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::*;

const SIZE: (u16, u16) = (24, 6);

fn expected(colour: Color) -> vt100::Color {
    match colour {
        Color::Reset => vt100::Color::Default,
        Color::Rgb(red, green, blue) => vt100::Color::Rgb(red, green, blue),
        Color::Indexed(number) => vt100::Color::Idx(number),
        Color::Blue => vt100::Color::Idx(4),
        other => panic!("{other:?} is not drawn here"),
    }
}

/// Compares the visible content of a terminal with a buffer.
fn assert_shown(terminal: &vt100::Parser, buffer: &Buffer, frame: &str) {
    for y in 0..buffer.area.height {
        let row: Vec<Cell> = (0..buffer.area.width).map(|x| buffer[(x, y)].clone()).collect();
        for (x, (cell, hidden)) in (0..).zip(row.iter().zip(covered(&row))) {
            if hidden {
                continue;
            }
            let shown = terminal.screen().cell(y, x).unwrap();
            let blank = if shown.contents().is_empty() { " " } else { shown.contents() };
            assert_eq!(blank, cell.symbol(), "{x} {y} after {frame:?}");
            assert_eq!(shown.bgcolor(), expected(cell.bg), "{x} {y} after {frame:?}");
            let reversed = cell.modifier.contains(Modifier::REVERSED);
            assert_eq!(shown.inverse(), reversed, "{x} {y} after {frame:?}");
            if !is_blank(cell) {
                assert_eq!(shown.fgcolor(), expected(cell.fg), "{x} {y} after {frame:?}");
                // This terminal keeps only the last of bold and dim.
                let dim = cell.modifier.contains(Modifier::DIM);
                assert_eq!(shown.dim(), dim, "{x} {y} after {frame:?}");
                assert_eq!(shown.bold(), !dim && cell.modifier.contains(Modifier::BOLD));
            }
        }
    }
}

#[test]
fn every_frame_is_shown_with_its_colours() {
    let styles = [
        Style::new(),
        Style::new().fg(Color::Rgb(48, 7, 40)),
        Style::new().fg(Color::Indexed(208)).bg(Color::Rgb(7, 48, 4)),
        Style::new().bg(Color::Rgb(7, 48, 4)).add_modifier(Modifier::BOLD),
        Style::new().bg(Color::Blue).add_modifier(Modifier::REVERSED),
        Style::new().fg(Color::Blue).add_modifier(Modifier::DIM),
    ];
    let words = [" ", "   ", "a", "━━", "x y", "宽", "◆"];
    let mut state = 7u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) as usize % below
    };
    let area = Rect::new(0, 0, SIZE.0, SIZE.1);
    let mut buffer = Buffer::empty(area);
    let (mut strokes, mut bytes) = (Strokes::default(), 0);
    let mut terminal =
        vt100::Parser::new(SIZE.1.try_into().unwrap(), SIZE.0.try_into().unwrap(), 0);
    terminal.process(b"\x1b[?7l");
    for _ in 0..400 {
        for _ in 0..draw(9) {
            let (x, y) = (draw(usize::from(SIZE.0)) as u16, draw(usize::from(SIZE.1)) as u16);
            buffer.set_string(x, y, words[draw(words.len())], styles[draw(styles.len())]);
        }
        let text = strokes.frame(&buffer);
        bytes += text.len();
        terminal.process(text.as_bytes());
        assert_shown(&terminal, &buffer, &text);
        assert!(strokes.frame(&buffer).is_empty(), "nothing has changed");
    }
    assert!(bytes > 10_000, "{bytes}");
}

#[test]
fn what_is_seen_alone_is_written() {
    let mut buffer = Buffer::with_lines(["one  two ", "         "]);
    let mut strokes = Strokes::default();
    assert_eq!(strokes.frame(&buffer), "\x1b[0m\x1b[2J\x1b[1Hone  two");
    // A blank in another foreground colour looks the same.
    buffer.set_string(3, 0, "  ", Style::new().fg(Color::Blue));
    assert_eq!(strokes.frame(&buffer), "");
    // Unchanged cells between two changes are rewritten if shorter.
    buffer.set_string(0, 0, "O", Style::new());
    buffer.set_string(5, 0, "T", Style::new());
    assert_eq!(strokes.frame(&buffer), "\x1b[1HOne  T");
    // Another size is a new screen.
    assert!(strokes.frame(&Buffer::with_lines(["a"])).starts_with(CLEAR));
}
