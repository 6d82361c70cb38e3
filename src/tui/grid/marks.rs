//! Marks on the lattice that are neither nodes nor links: the seam where a turned ring's last node
//! meets its first, and which dimension of a hypercube the links between two columns or rows cross.

use ratatui::style::Modifier;

use super::frame::Frame;
use crate::tui::app::Shown;
use crate::tui::names::dimension_digit;
use crate::tui::pen::Pen;

/// Dashes the seams; links are drawn over them.
pub(super) fn seams(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let (across, along) = frame.seams();
    let style = app.theme.warning();
    let (left, right) = (frame.column(0), frame.column(frame.cols - 1) + frame.size_x);
    let (top, bottom) = (frame.line(frame.rows - 1), frame.line(0) + frame.size_y);
    let gap = (frame.pitch_x - frame.size_x, frame.pitch_y - frame.size_y);
    if let Some(across) = across.filter(|_| gap.0 > 0) {
        let x = frame.column(across) - 1 - (gap.0 - 1) / 2;
        for y in top - 1..=bottom {
            pen.put(x, y, app.glyphs.seam[0], style);
        }
    }
    if let Some(along) = along.filter(|_| gap.1 > 0) {
        let y = frame.line(along - 1) - 1 - (gap.1 - 1) / 2;
        for x in left - 1..=right {
            pen.put(x, y, app.glyphs.seam[1], style);
        }
    }
}

/// Level 0: ticks beside the pixels where the seams are.
pub(super) fn ticks(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let (across, along) = frame.seams();
    let style = app.theme.warning();
    let rows = |y: i32| if app.half_rows() { y.div_euclid(2) } else { y };
    if let Some(across) = across {
        let top = rows(frame.line(frame.rows - 1));
        let bottom = rows(frame.line(0) + frame.pitch_y - 1);
        for y in [top - 1, bottom + 1] {
            pen.put(frame.column(across), y, app.glyphs.seam[0], style);
        }
    }
    if let Some(along) = along {
        let (left, right) = (frame.column(0), frame.column(frame.cols - 1) + frame.pitch_x);
        for x in [left - 1, right] {
            pen.put(x, rows(frame.line(along - 1)), app.glyphs.seam[1], style);
        }
    }
}

/// Where rows touch, the row above the seam is underlined: there is no room for dashes.
pub(super) fn underline(frame: &Frame, pen: &mut Pen<'_>) {
    let Some(along) = frame.seams().1.filter(|_| frame.zoom == 1) else { return };
    for x in frame.column(0)..=frame.column(frame.cols - 1) {
        pen.add(x, frame.line(along), Modifier::UNDERLINED);
    }
}

/// The digit of the dimension that each gap between columns, and between rows, crosses.
pub(super) fn dimensions(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    if app.hypercube().is_none() || frame.zoom < 2 {
        return;
    }
    let top = frame.line(frame.rows - 1) - 1;
    let left = frame.column(0) - 1;
    let mark = |pen: &mut Pen<'_>, x: i32, y: i32, one: (u32, u32), other: (u32, u32)| {
        let routers = app.plane.router(one.0, one.1).zip(app.plane.router(other.0, other.1));
        let Some((one, other)) = routers else { return };
        let dimension = (one.0 ^ other.0).trailing_zeros() as usize;
        let style = app.theme.hue(dimension).add_modifier(Modifier::BOLD);
        pen.put(x, y, dimension_digit(dimension), style);
    };
    for across in 1..frame.cols {
        let x = frame.column(across) - (frame.pitch_x - frame.size_x + 1) / 2;
        mark(pen, x, top, frame.shown(across - 1, 0), frame.shown(across, 0));
    }
    for along in 1..frame.rows {
        let y = frame.line(along - 1) - (frame.pitch_y - frame.size_y + 1) / 2;
        mark(pen, left, y, frame.shown(0, along - 1), frame.shown(0, along));
    }
    // Beside the stubs that close the rings.
    let closes = |shown: u32, all: u32| shown > 2 && shown == all;
    if closes(frame.cols, app.plane.cols) {
        let (first, last) = (frame.shown(0, 0), frame.shown(frame.cols - 1, 0));
        let right = frame.column(frame.cols - 1) + frame.size_x;
        mark(pen, left, top, first, last);
        mark(pen, right, top, first, last);
    }
    if closes(frame.rows, app.plane.rows) {
        let (first, last) = (frame.shown(0, 0), frame.shown(0, frame.rows - 1));
        let bottom = frame.line(0) + frame.size_y;
        mark(pen, left, bottom, first, last);
    }
}
