//! Draws marks on the lattice other than nodes and links.
//!
//! These are hot spots, ranks of the hottest links, and seams of turned rings.

use ratatui::style::Modifier;

use super::frame::{Axis, Frame};
use super::stubs;
use crate::ids::{ChannelId, RouterId};
use crate::live::Measured;
use crate::tui::pen::{Mark, Pen};
use crate::tui::scene::Scene;
use crate::tui::view::Pane;

/// The number of links marked as the hottest.
pub(in crate::tui) const HOTTEST: usize = 10;

/// Draws the seams as dashes, before the links.
pub(super) fn seams(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let style = app.theme.warning();
    let (left, right, top, bottom) = edges(frame);
    if let Some(x) = seam(&frame.across) {
        pen.each((top - 1..=bottom).map(|y| (x, y)), app.glyphs.seam, style);
    }
    if let Some(y) = seam(&frame.along) {
        pen.each((left - 1..=right).map(|x| (x, y)), app.glyphs.seam, style);
    }
}

/// The character in the middle of the gap at the seam; `None` without a gap or a seam.
fn seam(axis: &Axis) -> Option<i32> {
    let gap = axis.pitch - axis.size;
    let seat = axis.seam().filter(|_| gap > 0)?;
    let first = axis.character(seat).max(axis.character(seat - 1));
    Some(first - 1 - (gap - 1) / 2)
}

/// The bounds of the nodes: left, right, top and bottom; right and bottom are exclusive.
fn edges(frame: &Frame) -> (i32, i32, i32, i32) {
    let Frame { across, along, .. } = frame;
    let right = across.character(across.shown - 1) + across.size;
    let bottom = along.character(0) + along.size;
    (across.character(0), right, along.character(along.shown - 1), bottom)
}

/// The routers of the hot-spot nodes.
pub(super) fn hot(app: &Scene<'_>) -> impl Iterator<Item = RouterId> {
    let hotspot = app.system().traffic.destinations.hotspot();
    hotspot.map_or(&[][..], |(nodes, _)| nodes).iter().map(|&node| app.network().router_of(node))
}

/// Marks the hot spots.
pub(super) fn hotspots(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    for router in hot(app) {
        let (slice, col, row) = app.plane.place(router);
        if let Some((x, y)) = frame.at(col, row).filter(|_| slice == app.plane.slice) {
            let y = if frame.zoom == 0 && app.half_rows() { y.div_euclid(2) } else { y };
            pen.put(x, y, app.glyphs.hot, app.theme.warning());
        }
    }
}

/// The busiest links and their shares of use, in descending order; ties are in the order of link
/// numbers.
pub(in crate::tui) fn hottest(app: &Scene<'_>, most: usize) -> Vec<(ChannelId, f64)> {
    let all = (0..app.network().links()).map(ChannelId::new);
    let used = all.filter_map(|link| Some((link, Measured::flow(&app.update, link).measured?)));
    let mut links: Vec<(ChannelId, f64)> = used.filter(|&(_, share)| share > 0.0).collect();
    links.sort_by(|one, other| other.1.total_cmp(&one.1));
    links.truncate(most);
    links
}

/// Marks with the ranks of the busiest links, 1 to 9 and 0 for the tenth, at the positions given by
/// `place`. The busiest link is last and covers the others. Empty without the pane of the hottest
/// links.
pub(super) fn ranked(
    app: &Scene<'_>,
    place: impl Fn(ChannelId) -> Option<(i32, i32)>,
) -> Vec<Mark> {
    if app.arrangement().pane(Pane::HottestLinks).is_none() {
        return Vec::new();
    }
    let style = app.theme.warning().add_modifier(Modifier::REVERSED);
    let links = "1234567890".chars().zip(hottest(app, HOTTEST));
    let marks = links.filter_map(|(digit, (link, _))| Some((place(link)?, digit, style)));
    let mut marks: Vec<Mark> = marks.collect();
    marks.reverse();
    marks
}

/// True if all links of a router have failed.
pub(super) fn is_failed(app: &Scene<'_>, router: RouterId) -> bool {
    app.update.failed.as_ref().is_some_and(|failed| failed.holds_router(router))
}

/// Marks of failed links, at the positions given by `place`.
pub(super) fn failed(
    app: &Scene<'_>,
    place: impl Fn(ChannelId) -> Option<(i32, i32)>,
) -> impl Iterator<Item = Mark> {
    let links = app.update.failed.iter().flat_map(|failed| &failed.links);
    let style = app.theme.alarm_line();
    links.filter_map(move |&link| Some((place(link)?, app.glyphs.failed, style)))
}

/// Ranks of the busiest links, and marks of failed ones, at the starts of links, or at their source
/// routers if links are not drawn.
pub(super) fn on_links(app: &Scene<'_>, frame: &Frame) -> Vec<Mark> {
    let place = |link: ChannelId| {
        let (slice, col, row) = app.plane.place(app.network().channel(link).from);
        let (x, y) = frame.at(col, row).filter(|_| slice == app.plane.slice)?;
        let pixel = (x, if app.half_rows() { y.div_euclid(2) } else { y });
        match app.plane.seat_of(link) {
            _ if frame.zoom == 0 => Some(pixel),
            Some(seat) => frame.leaving(seat).next().or(Some((x, y))),
            None => stubs::cells(frame, (x, y)).last().copied().or(Some((x, y))),
        }
    };
    // A failed router differs from its neighbours as a pixel, too.
    let leads_to_failed = |link: ChannelId| {
        let link = app.network().channel(link);
        is_failed(app, link.to) && !is_failed(app, link.from)
    };
    let of_failed = |link| place(link).filter(|_| frame.zoom > 0 || !leads_to_failed(link));
    ranked(app, place).into_iter().chain(failed(app, of_failed)).collect()
}

/// Draws ticks for the seams at the edges of the pixels, at zoom level 0.
pub(super) fn ticks(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let style = app.theme.warning();
    let rows = |y: i32| if app.half_rows() { y.div_euclid(2) } else { y };
    let (left, right, top, bottom) = edges(frame);
    if let Some(across) = frame.across.seam() {
        let ends = [rows(top) - 1, rows(bottom - 1) + 1];
        pen.each(ends.map(|y| (frame.across.character(across), y)), app.glyphs.seam, style);
    }
    if let Some(along) = frame.along.seam() {
        let y = rows(frame.along.character(along - 1));
        pen.each([left - 1, right].map(|x| (x, y)), app.glyphs.seam, style);
    }
}

/// Underlines the row above the seam at zoom level 1: adjacent rows leave no room for dashes.
pub(super) fn underline(frame: &Frame, pen: &mut Pen<'_>) {
    let Some(along) = frame.along.seam().filter(|_| frame.zoom == 1) else { return };
    for x in frame.across.character(0)..=frame.across.character(frame.across.shown - 1) {
        pen.add(x, frame.along.character(along), Modifier::UNDERLINED);
    }
}
