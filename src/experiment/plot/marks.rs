//! Marks of points: each has a distinct shape, so curves differ even without colours.

use plotters::coord::Shift;
use plotters::prelude::*;

/// A drawing area.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Failed = Box<dyn std::error::Error>;

/// Half the size of a mark, in pixels.
const SIZE: i32 = 4;
/// Colours distinguishable for most eyes (Okabe and Ito 2008), one per group.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];
/// Corners of the shapes after the disc: square, triangle, diamond, inverted triangle, hourglass.
const SHAPES: [&[(i32, i32)]; 5] = [
    &[(-SIZE, -SIZE), (SIZE, -SIZE), (SIZE, SIZE), (-SIZE, SIZE)],
    &[(0, -SIZE - 1), (SIZE + 1, SIZE), (-SIZE - 1, SIZE)],
    &[(0, -SIZE - 1), (SIZE + 1, 0), (0, SIZE + 1), (-SIZE - 1, 0)],
    &[(0, SIZE + 1), (SIZE + 1, -SIZE), (-SIZE - 1, -SIZE)],
    &[(-SIZE, -SIZE), (SIZE, -SIZE), (-SIZE, SIZE), (SIZE, SIZE)],
];

/// The colour of a group.
pub(super) fn colour(group: usize) -> RGBColor {
    COLOURS[group % COLOURS.len()]
}

/// The number of times that all colours are used before this group.
pub(super) fn round(group: usize) -> usize {
    group / COLOURS.len()
}

/// A mark, filled or in outline.
pub(super) fn draw(
    area: &Area<'_>,
    (x, y): (i32, i32),
    (group, mark): (usize, usize),
    filled: bool,
) -> Result<(), Failed> {
    let colour = colour(group);
    let style = if filled { colour.filled() } else { colour.stroke_width(2) };
    let Some(shape) = (mark % (SHAPES.len() + 1)).checked_sub(1) else {
        area.draw(&Circle::new((x, y), SIZE, style))?;
        return Ok(());
    };
    let corners = SHAPES[shape].iter().map(|(right, down)| (x + right, y + down));
    if filled {
        area.draw(&Polygon::new(corners.collect::<Vec<_>>(), style))?;
    } else {
        // The first corner closes an outline.
        let count = SHAPES[shape].len() + 1;
        area.draw(&PathElement::new(corners.cycle().take(count).collect::<Vec<_>>(), style))?;
    }
    Ok(())
}
