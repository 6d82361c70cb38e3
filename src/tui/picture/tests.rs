//! Tests that pictures are well-formed and selected by file ending.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::*;

#[test]
fn the_document_is_well_formed_and_the_same_each_time() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 2));
    buffer.set_string(0, 0, "a<b & c>d ━┓", Style::new().fg(Color::Indexed(208)));
    buffer.set_string(0, 1, "█▄▀░", Style::new().bg(Color::Rgb(1, 2, 3)));
    let picture = svg(&buffer, DARK);
    assert_eq!(picture, svg(&buffer, DARK));
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(picture.contains(">a&lt;b</text>") && picture.contains(">&amp;</text>"));
    assert_eq!(picture.matches("<text").count(), picture.matches("</text>").count());
    for element in picture.split('<').skip(1) {
        assert_eq!(element.matches('"').count() % 2, 0, "{element}");
    }
}

#[test]
fn the_ending_says_the_kind() {
    let buffer = Buffer::with_lines(["ab"]);
    for ending in crate::recording::PICTURES {
        assert!(of(&format!("a{ending}"), &buffer, DARK).is_some(), "{ending}");
    }
    for name in ["a.gif", "svg", "a", "a.svg.gz", ""] {
        assert_eq!(of(name, &buffer, DARK), None, "{name}");
    }
}

#[test]
fn pixels_have_letters_of_their_own() {
    let png = |line: &str| of("a.png", &Buffer::with_lines([line]), DARK).unwrap();
    let picture = png("a▶⡇");
    assert_eq!(picture, png("a▶⡇"));
    assert_eq!(picture[..8], *b"\x89PNG\r\n\x1a\n");
    let size = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    assert_eq!((size(16), size(20)), (50, 34), "two pixels for each");
    for other in ["b▶⡇", "a◀⡇", "a▶⣿"] {
        assert_ne!(picture, png(other), "{other}");
    }
}

#[test]
fn every_character_of_the_screen_is_in_the_font_of_pixels() {
    let unicode = format!("{:?}", crate::tui::glyphs::UNICODE);
    let mut shown: Vec<char> = unicode.chars().filter(|it| !it.is_ascii()).collect();
    shown.sort_unstable();
    shown.dedup();
    let missing = |glyph: char| {
        let Some(picture) = of("a.png", &Buffer::with_lines([glyph.to_string()]), DARK) else {
            return true;
        };
        // A missing glyph is drawn as nothing or as the placeholder.
        let none = |other: &str| of("a.png", &Buffer::with_lines([other]), DARK).unwrap();
        picture == none(" ") || picture == none("\u{4e00}")
    };
    let missing: Vec<char> = shown.into_iter().filter(|&glyph| missing(glyph)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn text_has_a_line_per_row() {
    let buffer = Buffer::with_lines(["ab  ", "  c "]);
    assert_eq!(text(&buffer), "ab\n  c\n");
}

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
        other => vt100::Color::Idx(number(other).unwrap()),
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
