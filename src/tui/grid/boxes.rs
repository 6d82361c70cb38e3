//! Draws routers as boxes.
//!
//! Each side has a bar per virtual channel of the incoming channel, the middle has the number of
//! queued messages.

use ratatui::style::{Modifier, Style};

use super::heat::class_line;
use super::marks;
use super::plane::Side;
use crate::engine::{HeadState, VcView, WormView};
use crate::ids::ChannelId;
use crate::tui::names::single;
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;
use crate::tui::view::View;

/// Columns and rows of a box.
const SIZE: (i32, i32) = (8, 4);
/// The most bars on a side.
const BARS: usize = 6;

/// The number of virtual channels per bar.
pub(super) fn per_bar(vcs: u32) -> usize {
    (vcs as usize).div_ceil(BARS).max(1)
}

/// Draws the router at a column and row as a box with the upper left corner (x, y).
pub(super) fn node(app: &Scene<'_>, pen: &mut Pen<'_>, (col, row): (u32, u32), (x, y): (i32, i32)) {
    let Some(router) = app.plane.router(col, row) else { return };
    let style = app.theme.frame();
    let waiting = app.heat.queued(router.index());
    pen.boxed((x, y), SIZE, app.glyphs.border(), style);
    if waiting > 0 {
        pen.put(x + 3, y + 1, app.glyphs.node[2], app.theme.strong());
        let count = if waiting > 99 { "++".to_owned() } else { waiting.to_string() };
        pen.text(x + 3, y + 2, &count, app.theme.strong());
    }
    if marks::is_failed(app, router) {
        pen.put(x + 2, y + 1, app.glyphs.failed, app.theme.alarm_line());
    }
    for side in Side::ALL {
        let seat = app.plane.incoming((col, row, side));
        if let Some(channel) = seat.and_then(|seat| app.plane.out(seat)) {
            port(app, pen, channel, side, (x, y));
        }
    }
}

/// Draws the bars of an incoming channel on its side of the box.
fn port(app: &Scene<'_>, pen: &mut Pen<'_>, channel: ChannelId, side: Side, (x, y): (i32, i32)) {
    let per_bar = per_bar(app.snapshot().virtual_channels);
    for (bar, group) in app.snapshot().vcs_of(channel).chunks(per_bar).enumerate() {
        let (shift, step) = ((bar / 2) as i32, (bar % 2) as i32);
        let (x, y) = match side {
            Side::North => (x + 1 + bar as i32, y),
            Side::South => (x + 1 + bar as i32, y + SIZE.1 - 1),
            Side::West => (x + 1 + shift, y + 1 + step),
            Side::East => (x + SIZE.0 - 2 - shift, y + 1 + step),
        };
        let shown = app.filter().vc.is_none_or(|only| only as usize / per_bar == bar);
        // Free buffers on the upper and lower side are omitted: they would break the frame.
        let free = group.iter().all(|vc| vc.holder == 0);
        if shown && (side.is_across() || !free) {
            let (glyph, style) = look(app, channel, bar * per_bar, group);
            pen.put(x, y, glyph, style);
        }
    }
}

/// The character and style of a group of VCs; `first` is the number of the first VC.
fn look(app: &Scene<'_>, channel: ChannelId, first: usize, group: &[VcView]) -> (char, Style) {
    let theme = app.theme;
    let owner = |vc: &VcView| app.snapshot().owner(vc).filter(|(_, worm)| app.shows(worm));
    let flits: u32 = match app.filter().message_class {
        None => group.iter().map(|vc| vc.flits).sum(),
        Some(_) => group.iter().filter(|vc| owner(vc).is_some()).map(|vc| vc.flits).sum(),
    };
    let room = app.snapshot().buffer_flits.max(1) * group.len() as u32;
    let held = group.iter().find_map(owner);
    let Some((holder, worm)) = held else { return (app.glyphs.fill[0], theme.dim()) };
    // Without buffers, a held link is drawn as a full bar.
    let step = if app.has_buffers() { 1 + (3 * flits).div_ceil(room).min(3) as usize } else { 4 };
    let glyph = app.glyphs.fill[step];
    let blocked = matches!(worm.head, HeadState::Blocked(_));
    let style = match app.map.view {
        View::Worms => theme.worm(worm.letter),
        View::Classes => {
            let relation = &app.system().relation;
            theme.hue(class_line(relation.vc_use(first as u32)))
        }
        View::Waits if app.is_doomed(holder) => theme.alarm(),
        View::Waits if blocked => theme.warning(),
        View::Waits | View::Difference => theme.dim(),
        View::Occupancy | View::Utilisation | View::Routed => {
            theme.heat_line(app.heat.channel(channel.index()).max(1))
        }
    };
    if app.map.view != View::Worms || group.len() > 1 {
        return (glyph, style);
    }
    let heads = is_head(app, worm, channel, first);
    let name = single(worm.letter);
    let name = if heads { name } else { name.map(|name| name.to_ascii_lowercase()) };
    let stands = heads && blocked;
    (name.unwrap_or(glyph), if stands { style.add_modifier(Modifier::REVERSED) } else { style })
}

/// True if a worm's head is in this VC.
fn is_head(app: &Scene<'_>, worm: &WormView, channel: ChannelId, vc: usize) -> bool {
    let last = app.snapshot().path_of(worm).last().map(|&last| app.snapshot().split(last));
    last == Some((channel, vc as u32))
}
