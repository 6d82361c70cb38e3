//! Draws worms over the lattice.
//!
//! Bodies are heavy lines, tails are small letters; heads are drawn by `labels`.

use std::collections::HashSet;

use ratatui::style::{Modifier, Style};

use super::frame::{BOXES, Frame};
use super::plane::{Seat, Side};
use super::{arcs, emphasis};
use crate::engine::{CircuitState, HeadState, WormView};
use crate::ids::{ChannelId, WormId};
use crate::tui::names::{capital, single};
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;
use crate::tui::states;

/// A worm with its characters and styles.
pub(super) struct Ink<'a> {
    pub(super) worm: &'a WormView,
    pub(super) name: String,
    /// Styles of the line, of the tail and of the head.
    pub(super) line: Style,
    pub(super) ends: Style,
    pub(super) head: Style,
    /// The symbol of the head; `None` for the arrow of a moving worm.
    pub(super) sign: Option<char>,
    /// True if the worm can never move again.
    pub(super) doomed: bool,
    /// True if all flits have left the source.
    pub(super) has_left: bool,
    is_circuit: bool,
    /// Characters of the line, across and along.
    glyphs: [char; 2],
    /// Characters of turns, in the order of the heavy corners.
    corners: [char; 4],
}

/// The worms to draw, in drawing order; the first letters are last, on top.
pub(super) fn inks<'a>(app: &'a Scene<'_>) -> impl Iterator<Item = Ink<'a>> {
    inks_of(app, emphasis::of(app))
}

/// The same of `drawn` worms; `None` for all.
fn inks_of<'a>(
    app: &'a Scene<'_>,
    drawn: Option<HashSet<WormId>>,
) -> impl Iterator<Item = Ink<'a>> {
    let circuits: Vec<CircuitState> =
        states::with_links(app.snapshot()).map(|circuit| circuit.state).collect();
    let is_drawn = move |worm: &WormView| drawn.as_ref().is_none_or(|all| all.contains(&worm.id));
    let shown = app.by_letter().rev().filter(move |(_, worm)| app.shows(worm) && is_drawn(worm));
    shown.map(move |(at, worm)| {
        let (state, doomed) = (circuits.get(at).copied(), app.is_doomed(at));
        let line = match state {
            _ if doomed => app.theme.alarm_line(),
            Some(state) => states::style(app.theme, state).add_modifier(Modifier::BOLD),
            None => app.theme.worm(worm.letter),
        };
        let ends = if doomed { app.theme.alarm() } else { line };
        let blocked = matches!(worm.head, HeadState::Blocked(_));
        let glyphs = &app.glyphs;
        let line_glyphs = match (state, single(worm.letter)) {
            (Some(state), _) => {
                [glyphs.circuit_across[state as usize], glyphs.circuit_along[state as usize]]
            }
            (None, Some(_)) => glyphs.body,
            (None, None) => glyphs.thin,
        };
        let heavy = line_glyphs == glyphs.body;
        Ink {
            worm,
            name: capital(worm.letter),
            line,
            ends,
            head: if blocked { ends.add_modifier(Modifier::REVERSED) } else { ends },
            sign: match state {
                Some(state) => Some(states::sign(&app.glyphs, state)),
                None => blocked.then_some(glyphs.blocked),
            },
            doomed,
            has_left: worm.at_source == 0 && worm.path_len > 1 && state.is_none(),
            is_circuit: state.is_some(),
            glyphs: line_glyphs,
            corners: if heavy { glyphs.corner } else { glyphs.thin_corner },
        }
    })
}

pub(super) fn draw(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let drawn = emphasis::of(app);
    let is_alone = drawn.is_some();
    let inks: Vec<Ink<'_>> =
        inks_of(app, drawn).filter(|ink| touches(app, frame, ink.worm)).collect();
    // Tails are drawn over all bodies.
    for ink in &inks {
        if is_alone {
            let &Ink { glyphs, corners, line: style, .. } = ink;
            let line = arcs::Line { glyphs, corners, style };
            arcs::draw(app, frame, pen, path(app, ink.worm).flatten(), &line);
        }
        body(app, frame, pen, ink);
    }
    for ink in &inks {
        tail(app, frame, pen, ink);
    }
}

/// True if a worm's path has an end of a channel in the frame.
fn touches(app: &Scene<'_>, frame: &Frame, worm: &WormView) -> bool {
    let is_inside = |(col, row)| frame.at(col, row).is_some();
    seats(app, worm).flatten().any(|(col, row, side)| {
        is_inside((col, row)) || app.plane.step(col, row, side).is_some_and(is_inside)
    })
}

/// The channels of a worm's path from tail to head; `None` for VCs not selected.
pub(super) fn path<'a>(
    app: &'a Scene<'_>,
    worm: &WormView,
) -> impl DoubleEndedIterator<Item = Option<ChannelId>> + 'a {
    app.snapshot().path_of(worm).iter().map(|&vc| {
        let (channel, number) = app.snapshot().split(vc);
        app.selects(number).then_some(channel)
    })
}

/// The seats of a worm's path; `None` outside this plane and for VCs not selected.
pub(super) fn seats<'a>(
    app: &'a Scene<'_>,
    worm: &WormView,
) -> impl DoubleEndedIterator<Item = Option<Seat>> + 'a {
    path(app, worm).map(|channel| app.plane.seat_of(channel?))
}

fn body(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>, ink: &Ink<'_>) {
    let glyphs = &app.glyphs;
    let mut before: Option<Side> = None;
    for (nth, seat) in seats(app, ink.worm).enumerate() {
        let came = std::mem::replace(&mut before, seat.map(|(_, _, side)| side));
        let Some(seat) = seat else { continue };
        let (col, row, side) = seat;
        // Boxes name the owners of their buffers.
        if frame.zoom < BOXES
            && let Some((at, from)) = frame.at(col, row).zip(came)
        {
            pen.put(at.0, at.1, corner(ink, from, side), ink.line);
        }
        let line = usize::from(!side.is_across());
        let glyph = if nth == 0 && ink.has_left { glyphs.tail[line] } else { ink.glyphs[line] };
        let cells = frame.leaving(seat).chain(frame.arriving(app.plane, seat));
        pen.each(cells, glyph, ink.line);
    }
}

/// The line through a node that a worm enters in direction `from` and leaves in direction `to`.
fn corner(ink: &Ink<'_>, from: Side, to: Side) -> char {
    let (back, ahead) = (from.opposite() as usize, to as usize);
    match (ahead + 4 - back) % 4 {
        1 => ink.corners[back],
        3 => ink.corners[ahead],
        _ => ink.glyphs[usize::from(!to.is_across())],
    }
}

/// Draws the small letter of a worm at the node of its tail.
fn tail(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>, ink: &Ink<'_>) {
    if !ink.is_circuit
        && frame.zoom < BOXES
        && let Some(Some((col, row, _))) = seats(app, ink.worm).next()
        && let Some((x, y)) = frame.at(col, row)
        && let Some(name) = single(ink.worm.letter)
    {
        pen.put(x, y, name.to_ascii_lowercase(), ink.ends);
    }
}
