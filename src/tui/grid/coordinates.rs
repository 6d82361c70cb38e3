//! Labels of columns and rows in the margins of the lattice.

use super::frame::{Axis, Frame};
use crate::tui::pen::Mark;
use crate::tui::scene::Scene;

/// The labels of the columns below the lattice and of the rows at its left. Without a row below, columns
/// are labelled beside the stubs that leave their last nodes.
pub(super) fn of(app: &Scene<'_>, frame: &Frame) -> Vec<Mark> {
    let Frame { across, along, has_labels: [of_rows, of_columns], .. } = frame;
    let (style, [widest_row, widest_column]) = (app.theme.dim(), app.plane.largest_labels());
    let text = |(x, y): (i32, i32), text: String| -> Vec<Mark> {
        (x..).zip(text.chars()).map(|(x, digit)| ((x, y), digit, style)).collect()
    };
    let mut marks = Vec::new();
    let beside_stubs = !of_columns && along.stub > 0 && app.plane.cols > 1;
    if *of_columns || beside_stubs {
        let y = along.character(0) + along.size + along.stub - i32::from(beside_stubs);
        for seat in (0..across.shown).step_by(step(across, widest_column)) {
            let label = app.plane.labels(across.node(seat), 0)[0].to_string();
            let length = label.len() as i32;
            let middle = if beside_stubs { -length } else { (across.size - length) / 2 };
            marks.extend(text((across.character(seat) + middle, y), label));
        }
    }
    if *of_rows {
        let end = across.character(0) - across.stub - 1;
        for seat in 0..along.shown {
            let label = app.plane.labels(0, along.node(seat))[1].to_string();
            debug_assert!(label.len() <= widest_row, "the margin has room for every label");
            let (x, y) = (end - label.len() as i32, along.character(seat) + along.size / 2);
            marks.extend(text((x, y), label));
        }
    }
    marks
}

/// The distance between labelled columns, in columns.
fn step(across: &Axis, widest: usize) -> usize {
    (widest + 1).div_ceil(across.pitch as usize).max(1)
}
