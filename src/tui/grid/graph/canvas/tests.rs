//! Tests of lanes and strokes, character by character.

use super::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

fn drawn(lines: &[(Line, Trace)], strokes: bool) -> Vec<String> {
    let mut canvas = Canvas::new(8, 3, strokes);
    for (rank, (line, trace)) in lines.iter().enumerate() {
        canvas.draw(line, *trace, rank as u8, Style::new());
    }
    let area = Rect::new(0, 0, 8, 3);
    let mut buffer = Buffer::empty(area);
    canvas.paint(&mut Pen::new(&mut buffer, area));
    let row = |y| (0..8).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..3).map(row).collect()
}

#[test]
fn lanes_keep_to_the_right_of_their_way() {
    let east = Line::new((1, 1), (6, 1));
    let west = Line::new((6, 1), (1, 1));
    assert_eq!(drawn(&[(east, Trace::Solid)], false)[1], " ⢀⣀⣀⣀⣀⣀ ");
    assert_eq!(drawn(&[(west, Trace::Solid)], false)[1], " ⠐⠒⠒⠒⠒⠒ ");
    assert_eq!(east.point(1, 2).1, 1);
    assert_eq!((east.side(), west.side()), (Side::East, Side::West));
}

#[test]
fn plain_strokes_follow_the_slope_and_the_higher_rank_wins() {
    let down = Line::new((1, 0), (4, 2));
    let along = Line::new((0, 0), (7, 0));
    assert_eq!(drawn(&[(down, Trace::Solid)], true), [" \\      ", " \\\\\\    ", "   \\\\   "]);
    let both = drawn(&[(down, Trace::Solid), (along, Trace::Broad)], true);
    assert_eq!(both[0], "########");
}
