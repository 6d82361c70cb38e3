//! Draws the lattice from zoom level 1 on.
//!
//! Nodes are characters, links are lines with a weight and colour for heat or a line type for the
//! VC class.

use ratatui::style::{Color, Style};

use super::frame::{BOXES, Frame, LINES};
use super::link_value::LinkValue;
use super::plane::{Seat, Side};
use super::{boxes, difference, marks};
use crate::ids::ChannelId;
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;
use crate::tui::theme::Kind;
use crate::tui::view::View;

pub(super) fn draw(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    for ((col, row), _) in frame.places() {
        for side in Side::ALL {
            links(app, frame, pen, (col, row, side));
        }
    }
    for (place, at) in frame.places() {
        node(app, frame, pen, place, at);
    }
}

/// Draws the links on one side of a node.
fn links(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>, seat: Seat) {
    let side = seat.2;
    let out = app.plane.out(seat);
    let back = app.plane.incoming(seat);
    let into = back.and_then(|back| app.plane.out(back));
    if frame.has_lanes() {
        line(app, pen, [out, None], (side, false), frame.leaving(seat));
        if let Some(back) = back {
            line(app, pen, [into, None], (side, false), frame.arriving(app.plane, back));
        }
    } else if !frame.joined(seat) || matches!(side, Side::East | Side::North) {
        // One line for both directions, drawn from the western or southern node.
        line(app, pen, [out, into], (side, frame.zoom >= LINES), frame.leaving(seat));
    }
}

fn line(
    app: &Scene<'_>,
    pen: &mut Pen<'_>,
    channels: [Option<ChannelId>; 2],
    (side, is_thin): (Side, bool),
    cells: impl Iterator<Item = (i32, i32)>,
) {
    if let Some(value) = LinkValue::of(app, channels.into_iter().flatten()) {
        let (glyph, style) = value.mark(app, side.is_across());
        if is_thin && LinkValue::fills(app) && !side.is_across() {
            // Half characters on both sides: as wide as the links across are high.
            for (x, y) in cells {
                let columns = (x - 1..).zip([app.glyphs.half[0], glyph, app.glyphs.half[1]]);
                columns.for_each(|(x, half)| pen.put(x, y, half, style));
            }
        } else {
            pen.each(cells, glyph, style);
        }
    } else if channels.iter().any(Option::is_some) {
        // Idle links are faint: the shape of the network remains visible without traffic.
        let idle = if side.is_across() { app.glyphs.across[0] } else { app.glyphs.along[0] };
        pen.each(cells, idle, app.theme.frame());
    }
}

fn node(
    app: &Scene<'_>,
    frame: &Frame,
    pen: &mut Pen<'_>,
    (col, row): (u32, u32),
    (x, y): (i32, i32),
) {
    let Some(router) = app.plane.router(col, row) else { return };
    if frame.zoom == BOXES {
        return boxes::node(app, pen, (col, row), (x, y));
    }
    let (glyphs, theme) = (&app.glyphs, app.theme);
    if marks::is_failed(app, router) {
        return pen.put(x, y, glyphs.failed, theme.alarm_line());
    }
    let level = app.heat.router(router.index());
    let queued = app.heat.queued(router.index()) > 0;
    // Buffered flits are drawn as worms in the view of worms, and links show heat as blocks.
    let drawn = app.map.view == View::Worms || LinkValue::fills(app);
    let state = if queued { 2 } else { usize::from(level > 0 && !drawn) };
    // The node shows the heat or difference of vertical links that have no room.
    let alone = frame.gap(Side::North) == 0;
    if app.map.view == View::Difference && alone {
        let step = app.differences.router(router.index());
        let glyph = difference::sign(glyphs, step).unwrap_or(glyphs.node[0]);
        return pen.put(x, y, glyph, theme.difference(step));
    }
    let style = if alone && app.map.view.is_of_heat() && level > 0 && theme.has_ramp() {
        let light = (level < 9) == (theme.kind != Kind::Light);
        let ink = if light { Color::White } else { Color::Black };
        Style::new().fg(ink).bg(theme.heat(level))
    } else {
        [theme.frame(), theme.dim(), theme.text()][state]
    };
    pen.put(x, y, glyphs.node[state], style);
}
