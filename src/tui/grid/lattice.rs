//! Draws the lattice from zoom level 1 on.
//!
//! Nodes are characters, links are lines with a weight and colour for heat or a line type for the
//! VC class.

use ratatui::style::{Color, Style};

use super::frame::{BOXES, Frame};
use super::heat::class_line;
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
        line(app, pen, [out, None], side, frame.leaving(seat));
        if let Some(back) = back {
            line(app, pen, [into, None], side, frame.arriving(app.plane, back));
        }
    } else if !frame.joined(seat) || matches!(side, Side::East | Side::North) {
        // One line for both directions, drawn from the western or southern node.
        line(app, pen, [out, into], side, frame.leaving(seat));
    }
}

fn line(
    app: &Scene<'_>,
    pen: &mut Pen<'_>,
    channels: [Option<ChannelId>; 2],
    side: Side,
    cells: impl Iterator<Item = (i32, i32)>,
) {
    let mut cells: Vec<(i32, i32)> = cells.collect();
    let idle = if side.is_across() { app.glyphs.across[0] } else { app.glyphs.along[0] };
    if let [Some(channel), None] = channels
        && app.map.view == View::Classes
        && side.is_across()
        && app.snapshot().virtual_channels as usize <= cells.len().min(10)
    {
        // Held VCs are shown as digits, in ascending order from the left for both directions.
        cells.sort_unstable();
        pen.each(cells.iter().copied(), idle, app.theme.frame());
        let vcs = app.snapshot().vcs_of(channel);
        for ((vc, view), (x, y)) in (0..).zip(vcs).zip(cells) {
            if app.shows_held(vc, view) {
                let style = app.theme.hue(class_line(app.system().relation.vc_use(vc)));
                pen.put(x, y, char::from(b'0' + vc as u8), style);
            }
        }
    } else if let Some(value) = LinkValue::of(app, channels.into_iter().flatten()) {
        pen.each(cells, value.glyph(&app.glyphs, side.is_across()), value.style(app));
    } else if channels.iter().any(Option::is_some) {
        // Idle links are faint: the shape of the network remains visible without traffic.
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
        let size = if frame.has_lanes() { 2 } else { 1 };
        let cells = (0..size).flat_map(|down| (0..size).map(move |right| (x + right, y + down)));
        return pen.each(cells, glyphs.failed, theme.alarm_line());
    }
    let level = app.heat.router(router.index());
    let queued = app.heat.queued(router.index()) > 0;
    // Buffered flits are drawn as worms in the view of worms.
    let state = if queued { 2 } else { usize::from(level > 0 && app.map.view != View::Worms) };
    if frame.has_lanes() {
        let style = [theme.frame(), theme.dim(), theme.title()][state];
        for (nth, glyph) in glyphs.box_node[state].into_iter().enumerate() {
            let (right, down) = (nth as i32 % 2, nth as i32 / 2);
            pen.put(x + right, y + down, glyph, style);
        }
        return;
    }
    // The node shows the heat or difference of vertical links that have no room.
    let alone = frame.gap(Side::North) == 0;
    if app.map.view == View::Difference && alone {
        let step = app.differences.router(router.index());
        let glyph = difference::sign(glyphs, step).unwrap_or(glyphs.node[0]);
        return pen.put(x, y, glyph, theme.difference(step));
    }
    let of_heat = matches!(app.map.view, View::Occupancy | View::Utilisation | View::Routed);
    let style = if alone && of_heat && level > 0 && theme.has_ramp() {
        let light = (level < 9) == (theme.kind != Kind::Light);
        let ink = if light { Color::White } else { Color::Black };
        Style::new().fg(ink).bg(theme.heat(level))
    } else {
        [theme.frame(), theme.dim(), theme.text()][state]
    };
    pen.put(x, y, glyphs.node[state], style);
}
