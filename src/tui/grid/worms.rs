//! Worms over the lattice: bodies as heavy lines, heads as arrows or stops with a letter, tails
//! as small letters. Names of several letters stand where there is room for all of them.

use ratatui::style::{Modifier, Style};

use super::frame::{BOXES, Frame};
use super::lattice::arriving;
use super::plane::Side;
use crate::engine::{CircuitState, HeadState, WormView};
use crate::tui::app::Shown;
use crate::tui::glyphs::Glyphs;
use crate::tui::names::{capital, single};
use crate::tui::pen::Pen;
use crate::tui::states;

/// A worm and how to draw it.
pub(super) struct Ink<'a> {
    pub(super) worm: &'a WormView,
    pub(super) doomed: bool,
    pub(super) style: Style,
    /// What its circuit is doing, if it is one.
    state: Option<CircuitState>,
}

impl Ink<'_> {
    /// Its line, across and along.
    fn lines(&self, glyphs: &Glyphs) -> [char; 2] {
        match self.state.map(states::number) {
            Some(state) => [glyphs.circuit_across[state], glyphs.circuit_along[state]],
            None => glyphs.body,
        }
    }
}

/// The worms in the order in which they are drawn: those with the first letters last, on top.
pub(super) fn inks<'a>(app: &'a Shown<'_>) -> Vec<Ink<'a>> {
    let circuits: Vec<CircuitState> =
        states::with_links(app.snapshot()).map(|circuit| circuit.state).collect();
    let ink = |(at, worm): (usize, &'a WormView)| {
        let (state, doomed) = (circuits.get(at).copied(), app.is_doomed(at));
        let style = match state {
            _ if doomed => app.theme.alarm_line(),
            Some(state) => states::style(app, state).add_modifier(Modifier::BOLD),
            None => app.theme.worm(worm.letter),
        };
        Ink { worm, doomed, style, state }
    };
    app.by_letter().rev().map(ink).collect()
}

pub(super) fn draw(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let inks = inks(app);
    // Heads and tails over all bodies.
    for ink in &inks {
        body(app, frame, pen, ink);
    }
    for ink in &inks {
        ends(app, frame, pen, ink);
    }
}

/// A link of a worm's path that lies in this plane: where it starts and its side.
fn seats(
    app: &Shown<'_>,
    worm: &WormView,
) -> impl DoubleEndedIterator<Item = Option<(u32, u32, Side)>> {
    let snapshot = app.snapshot();
    snapshot.path_of(worm).iter().map(move |&vc| {
        let (channel, number) = snapshot.split(vc);
        app.plane.seat_of(channel).filter(|_| app.vc.is_none_or(|only| only == number))
    })
}

fn body(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>, ink: &Ink<'_>) {
    let glyphs = &app.glyphs;
    let lines = ink.lines(glyphs);
    let mut before: Option<Side> = None;
    let last = (ink.worm.path_len as usize).saturating_sub(1);
    for (nth, seat) in seats(app, ink.worm).enumerate() {
        let Some((col, row, side)) = seat else {
            before = None;
            continue;
        };
        let line = usize::from(!side.is_across());
        let is_tail = nth == 0 && ink.worm.at_source == 0 && nth < last && ink.state.is_none();
        let glyph = if is_tail { glyphs.tail[line] } else { lines[line] };
        let joined = frame.joined(col, row, side);
        if let Some(at) = frame.at(col, row) {
            // In a box, the buffers tell whose they are.
            if let Some(before) = before.filter(|_| frame.zoom < BOXES) {
                through(frame, pen, glyphs, at, (before, side), ink.style);
            }
            let length = if joined { frame.gap(side) } else { frame.stub(side) };
            pen.each(frame.lane(at, side, length), glyph, ink.style);
        }
        if let Some((there, at)) = arrival(app, frame, (col, row, side))
            && there
        {
            pen.each(arriving(frame, at, side.opposite()), glyph, ink.style);
        }
        before = Some(side);
    }
}

/// Where the node at a channel's end is drawn, and whether the channel is drawn there as a stub
/// of its own; `None` where it is out of sight.
fn arrival(
    app: &Shown<'_>,
    frame: &Frame,
    (col, row, side): (u32, u32, Side),
) -> Option<(bool, (i32, i32))> {
    let (to_col, to_row) = app.plane.step(col, row, side)?;
    let at = frame.at(to_col, to_row)?;
    let joined = frame.at(col, row).is_some() && frame.joined(col, row, side);
    Some((!joined, at))
}

/// A worm's way through a node that it enters going `from` and leaves going `to`.
fn through(
    frame: &Frame,
    pen: &mut Pen<'_>,
    glyphs: &Glyphs,
    (x, y): (i32, i32),
    (from, to): (Side, Side),
    style: Style,
) {
    let far = frame.size_x - 1;
    let (mut cx, mut cy) = match from {
        Side::East => (x, y + far),
        Side::West => (x + far, y),
        Side::North => (x + far, y + far),
        Side::South => (x, y),
    };
    let mut going = from;
    for _ in 0..2 * frame.size_x {
        let meets = match to {
            Side::East => cy == y + far,
            Side::West => cy == y,
            Side::North => cx == x + far,
            Side::South => cx == x,
        };
        let glyph = if going == from && from != to && meets {
            going = to;
            corner(glyphs, from, to)
        } else {
            glyphs.body[usize::from(!going.is_across())]
        };
        pen.put(cx, cy, glyph, style);
        let (across, along) = going.step();
        (cx, cy) = (cx + across, cy - along);
        if cx < x || cy < y || cx > x + far || cy > y + far {
            break;
        }
    }
}

/// The corner of a way that comes in going `from` and leaves going `to`.
fn corner(glyphs: &Glyphs, from: Side, to: Side) -> char {
    let (a, b) = (from.opposite() as usize, to as usize);
    match (0..4)
        .find(|&first| (first, (first + 1) % 4) == (a, b) || (first, (first + 1) % 4) == (b, a))
    {
        Some(at) => glyphs.corner[at],
        None => glyphs.body[usize::from(!to.is_across())],
    }
}

fn ends(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>, ink: &Ink<'_>) {
    let letter = ink.worm.letter;
    let ends = if ink.doomed { app.theme.alarm() } else { ink.style };
    if ink.state.is_none()
        && frame.zoom < BOXES
        && let Some(Some((col, row, _))) = seats(app, ink.worm).next()
        && let Some((x, y)) = frame.at(col, row)
        && let Some(name) = single(letter)
    {
        pen.put(x, y, name.to_ascii_lowercase(), ends);
    }
    let Some(Some((col, row, side))) = seats(app, ink.worm).next_back() else { return };
    let Some((stub, to)) = arrival(app, frame, (col, row, side)) else { return };
    let cells: Vec<(i32, i32)> = if stub {
        arriving(frame, to, side.opposite()).collect()
    } else {
        let Some(at) = frame.at(col, row) else { return };
        frame.lane(at, side, frame.gap(side)).collect()
    };
    let blocked = matches!(ink.worm.head, HeadState::Blocked(_));
    let sign = match ink.state {
        Some(state) => states::sign(app, state),
        None if blocked => app.glyphs.blocked,
        None => app.glyphs.arrow[side as usize],
    };
    let style = if blocked { ends.add_modifier(Modifier::REVERSED) } else { ends };
    let name = capital(letter);
    let length = name.len() as i32;
    // Names leave a lane along the plane on its outer side.
    let outwards = if frame.has_lanes() && side == Side::South { -1 } else { 1 };
    let room = (frame.pitch_x - 1) / 2;
    match *cells.as_slice() {
        [] => pen.put(to.0, to.1, single(letter).unwrap_or(sign), style),
        [(x, y)] if frame.pitch_x <= 2 => pen.put(x, y, single(letter).unwrap_or(sign), style),
        [(x, y)] => {
            pen.put(x, y, sign, style);
            if length <= room {
                pen.text(x + if outwards > 0 { 1 } else { -length }, y, &name, style);
            }
        }
        [.., (ax, ay), (x, y)] if !side.is_across() => {
            pen.put(ax, ay, sign, style);
            if length <= room + 1 {
                pen.text(x + if outwards > 0 { 0 } else { 1 - length }, y, &name, style);
            } else {
                pen.put(x, y, sign, style);
            }
        }
        [.., (x, y)] if cells.len() as i32 > length => {
            let left = if side == Side::East { x - length } else { x };
            let east = side == Side::East;
            let (sign_x, name_x) = if east { (left, left + 1) } else { (left + length, left) };
            pen.put(sign_x, y, sign, style);
            pen.text(name_x, y, &name, style);
        }
        [.., (x, y)] => pen.put(x, y, sign, style),
    }
}
