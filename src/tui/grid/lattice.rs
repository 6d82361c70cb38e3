//! Zoom levels 1 and up: nodes as characters, links as lines whose weight and colour tell the
//! heat, or whose kind tells the VC class.

use ratatui::style::Style;

use super::boxes;
use super::difference::sign;
use super::frame::{BOXES, Frame};
use super::heat::{class_line, class_of};
use super::plane::Side;
use crate::ids::ChannelId;
use crate::tui::app::Shown;
use crate::tui::glyphs::Glyphs;
use crate::tui::pen::Pen;
use crate::tui::view::View;

pub(super) fn draw(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    for along in 0..frame.rows {
        for across in 0..frame.cols {
            let (col, row) = frame.shown(across, along);
            let Some(at) = frame.at(col, row) else { continue };
            for side in Side::ALL {
                links(app, frame, pen, (col, row), at, side);
            }
        }
    }
    for along in 0..frame.rows {
        for across in 0..frame.cols {
            let (col, row) = frame.shown(across, along);
            if let Some(at) = frame.at(col, row) {
                node(app, frame, pen, (col, row), at);
            }
        }
    }
}

/// The links on one side of a node, as far as this node draws them.
fn links(
    app: &Shown<'_>,
    frame: &Frame,
    pen: &mut Pen<'_>,
    (col, row): (u32, u32),
    at: (i32, i32),
    side: Side,
) {
    let joined = frame.joined(col, row, side);
    let out = app.plane.out(col, row, side);
    let into = app.plane.incoming(col, row, side);
    let length = if joined { frame.gap(side) } else { frame.stub(side) };
    if !frame.has_lanes() {
        // One line for both directions, drawn by the node to the west or south of it.
        if joined && matches!(side, Side::West | Side::South) {
            return;
        }
        let cells = frame.lane(at, side, length);
        line(app, pen, [out, into], side, cells);
        return;
    }
    let cells = frame.lane(at, side, length);
    line(app, pen, [out, None], side, cells);
    if !joined {
        line(app, pen, [into, None], side, arriving(frame, at, side));
    }
}

/// The last characters of the channel that comes to the node at `at` from a neighbour out of
/// sight on `side`, in the order of travel.
pub(super) fn arriving(
    frame: &Frame,
    (x, y): (i32, i32),
    side: Side,
) -> impl Iterator<Item = (i32, i32)> + use<> {
    let (across, along) = side.step();
    let neighbour = (x + across * frame.pitch_x, y - along * frame.pitch_y);
    let gap = frame.gap(side);
    frame.lane(neighbour, side.opposite(), gap).skip((gap - frame.stub(side)).max(0) as usize)
}

fn line(
    app: &Shown<'_>,
    pen: &mut Pen<'_>,
    channels: [Option<ChannelId>; 2],
    side: Side,
    cells: impl Iterator<Item = (i32, i32)>,
) {
    if app.view == View::Difference {
        return difference_line(app, pen, channels, side, cells);
    }
    let present = channels.iter().flatten().copied();
    if app.view == View::Classes {
        let cells = cells.peekable();
        if channels[1].is_none()
            && side.is_across()
            && let Some(channel) = channels[0]
        {
            return digits(app, pen, channel, cells);
        }
        let mut classes = present
            .filter_map(|channel| class_of(&app.update, app.snapshot(), channel.index(), app.vc));
        let Some(class) = classes.next() else { return };
        let (glyphs, style) = (&app.glyphs, app.theme.hue(class));
        let glyph = if side.is_across() { glyphs.class_across } else { glyphs.class_along }[class];
        pen.each(cells, glyph, style);
        return;
    }
    let Some(level) = present.map(|channel| app.heat.channel(channel.index())).max() else {
        return;
    };
    if level == 0 {
        return;
    }
    let glyphs = if side.is_across() { app.glyphs.across } else { app.glyphs.along };
    let glyph = glyphs[Glyphs::weight(level)];
    // Waits stand out from all else.
    let waits = app.view == View::Waits;
    let style = if waits { app.theme.dim() } else { app.theme.heat_line(level) };
    pen.each(cells, glyph, style);
}

/// The VCs of one lane as digits where they are held; as a line where there is no room for all.
fn digits(
    app: &Shown<'_>,
    pen: &mut Pen<'_>,
    channel: ChannelId,
    cells: impl Iterator<Item = (i32, i32)>,
) {
    let snapshot = app.snapshot();
    let relation = &app.system().relation;
    // From the left, whichever way the flits go.
    let mut cells: Vec<(i32, i32)> = cells.collect();
    cells.sort_unstable();
    let count = snapshot.virtual_channels as usize;
    if count > cells.len() || count > 10 {
        let Some(class) = class_of(&app.update, snapshot, channel.index(), app.vc) else { return };
        pen.each(cells, app.glyphs.class_across[class], app.theme.hue(class));
        return;
    }
    for (vc, &(x, y)) in cells.iter().enumerate().take(count) {
        let held = snapshot.vcs.get(channel.index() * count + vc).is_some_and(|v| v.holder > 0);
        if held && app.vc.is_none_or(|only| only as usize == vc) {
            let digit = char::from(b'0' + vc as u8);
            pen.put(x, y, digit, app.theme.hue(class_line(relation.vc_use(vc as u32))));
        }
    }
}

fn node(
    app: &Shown<'_>,
    frame: &Frame,
    pen: &mut Pen<'_>,
    (col, row): (u32, u32),
    (x, y): (i32, i32),
) {
    let Some(router) = app.plane.router(col, row) else { return };
    if frame.zoom == BOXES {
        return boxes::node(app, pen, (col, row), (x, y));
    }
    let level = app.heat.router(router.index());
    let queued = app.heat.queued(router.index()) > 0;
    let state = if queued { 2 } else { usize::from(level > 0) };
    let style = match state {
        0 => app.theme.frame(),
        1 => app.theme.dim(),
        _ => app.theme.text(),
    };
    if frame.has_lanes() {
        // Corners frame what passes and stay in the background.
        let (state, style) = match state {
            2 => (2, app.theme.title()),
            1 if app.view != View::Worms => (1, app.theme.dim()),
            _ => (0, app.theme.frame()),
        };
        for (nth, glyph) in app.glyphs.box_node[state].into_iter().enumerate() {
            let (right, down) = (nth as i32 % 2, nth as i32 / 2);
            pen.put(x + right, y + down, glyph, style);
        }
        return;
    }
    // Without vertical links the node itself must tell what they would.
    if app.view == View::Difference && frame.gap(Side::North) == 0 {
        let step = app.differences.router(router.index());
        let glyph = sign(&app.glyphs, step).unwrap_or(app.glyphs.node[0]);
        return pen.put(x, y, glyph, app.theme.difference(step));
    }
    let style = if frame.gap(Side::North) == 0 && level > 0 && app.theme.has_ramp() {
        let ink = if (level >= 9) == (app.theme.kind != crate::tui::theme::Kind::Light) {
            ratatui::style::Color::Black
        } else {
            ratatui::style::Color::White
        };
        Style::new().fg(ink).bg(app.theme.heat(level))
    } else {
        style
    };
    pen.put(x, y, app.glyphs.node[state], style);
}

/// A link, or both directions of one by the step farther from zero.
fn difference_line(
    app: &Shown<'_>,
    pen: &mut Pen<'_>,
    channels: [Option<ChannelId>; 2],
    side: Side,
    cells: impl Iterator<Item = (i32, i32)>,
) {
    let steps = channels.into_iter().flatten().map(|channel| app.differences.channel(channel));
    let Some(step) = steps.max_by_key(|step| step.abs()) else { return };
    let rest = if side.is_across() { app.glyphs.across[1] } else { app.glyphs.along[1] };
    let glyph = sign(&app.glyphs, step).unwrap_or(rest);
    pen.each(cells, glyph, app.theme.difference(step));
}
