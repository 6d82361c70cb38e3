//! Draws hops of worms between nodes of a hypercube that are no neighbours in the plane.
//!
//! Such nodes share a row or a column: a hop is a bracket below the row or beside the column.

use ratatui::style::Style;

use super::frame::{Frame, LINES};
use crate::ids::ChannelId;
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;

/// The line of a worm.
pub(super) struct Line {
    /// Characters across and along.
    pub(super) glyphs: [char; 2],
    /// Characters of turns, in the order of the heavy corners.
    pub(super) corners: [char; 4],
    pub(super) style: Style,
}

/// Draws those hops of a path that leave the plane.
pub(super) fn draw(
    app: &Scene<'_>,
    frame: &Frame,
    pen: &mut Pen<'_>,
    path: impl Iterator<Item = ChannelId>,
    line: &Line,
) {
    if frame.zoom != LINES || !app.network().is_hypercube() {
        return;
    }
    let [across, along] = line.glyphs;
    let [east_north, north_west, west_south, _] = line.corners;
    for channel in path.filter(|&it| app.plane.seat_of(it).is_none()) {
        let ends = app.network().channel(channel);
        let place = |router| {
            let (_, col, row) = app.plane.place(router);
            frame.at(col, row)
        };
        let Some((from, to)) = place(ends.from).zip(place(ends.to)) else { continue };
        if from.1 == to.1 {
            let (y, left, right) = (from.1 + 1, from.0.min(to.0), from.0.max(to.0));
            pen.put(left, y, east_north, line.style);
            pen.each((left + 1..right).map(|x| (x, y)), across, line.style);
            pen.put(right, y, north_west, line.style);
        } else {
            let (x, top, bottom) = (from.0 + 1, from.1.min(to.1), from.1.max(to.1));
            pen.put(x, top, west_south, line.style);
            pen.each((top + 1..bottom).map(|y| (x, y)), along, line.style);
            pen.put(x, bottom, north_west, line.style);
        }
    }
}
