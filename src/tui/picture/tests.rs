//! Pictures are well formed and chosen by the ending of a name.

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
    for name in ["a.png", "svg", "a", "a.svg.gz", ""] {
        assert_eq!(of(name, &buffer, DARK), None, "{name}");
    }
}

#[test]
fn text_has_a_line_per_row() {
    let buffer = Buffer::with_lines(["ab  ", "  c "]);
    assert_eq!(text(&buffer), "ab\n  c\n");
}
