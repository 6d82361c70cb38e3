//! Tests of text and number formats.

use super::*;

#[test]
fn numbers_read_well() {
    assert_eq!(grouped(0), "0");
    assert_eq!(grouped(12_345), "12,345");
    assert_eq!(grouped(1_234_567), "1,234,567");
    assert_eq!(brief(0.25), "0.25");
    assert_eq!(brief(950.0), "950");
    assert_eq!(brief(1250.0), "1.25k");
    assert_eq!(brief(340_000.0), "340k");
    assert_eq!(brief(1_200_000.0), "1.2M");
}

#[test]
fn text_is_cut_where_the_area_ends() {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
    Pen::new(&mut buffer, Rect::new(1, 0, 5, 9)).cut(0, 0, "abcdefgh", '~', Style::new());
    assert_eq!(buffer, Buffer::with_lines([" abcd~"]));
}
