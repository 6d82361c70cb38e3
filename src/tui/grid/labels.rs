//! Draws symbols and names at the heads of worms.
//!
//! Names are complete and separate from each other; without room for a name, only the symbol is
//! drawn, or nothing.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::frame::Frame;
use super::plane::{Plane, Side};
use super::tiles::Tiles;
use super::worms::{Ink, inks, seats};
use super::{brackets, coordinates, marks, stubs};
use crate::tui::names::{is_letter, single};
use crate::tui::pen::Mark;
use crate::tui::scene::Scene;

/// Labels at the heads of worms.
#[derive(Default)]
pub(super) struct Labels {
    pub(super) cells: Vec<Mark>,
    /// True if a head in sight has no name.
    pub(super) nameless: bool,
}

/// Characters taken by other marks.
type Taken = HashMap<(i32, i32), char>;

/// True if a head on the screen has no name.
pub(super) fn leave_out(app: &Scene<'_>) -> bool {
    let Some(size) = app.grid_size() else { return false };
    let (frame, tiles) = (app.frame(size), app.tiles(size));
    let part = tiles.as_ref().map_or(size, Tiles::size);
    let nameless = |plane: &Plane| {
        let app = &Scene { plane, ..*app };
        of(app, &frame, part).nameless
    };
    match tiles {
        Some(_) => (0..app.plane.slices).any(|slice| nameless(&Plane::new(app.network(), slice))),
        None => nameless(app.plane),
    }
}

/// Places the labels in a pane of the given size, the most important first: deadlocked worms, then
/// pinned and followed worms, then the first letters.
pub(super) fn of(app: &Scene<'_>, frame: &Frame, size: (u16, u16)) -> Labels {
    let (width, height) = (i32::from(size.0), i32::from(size.1));
    let mut taken = Taken::new();
    let kept = coordinates::of(app, frame).into_iter().chain(marks::on_links(app, frame));
    for ((x, y), glyph, _) in kept.chain(stubs::letters(app, frame)) {
        taken.insert((x, y), glyph);
    }
    if let Some([left, right]) = brackets(app, frame) {
        taken.extend([(left, '['), (right, ']')]);
    }
    let mut order: Vec<Ink<'_>> = inks(app).collect();
    order.reverse();
    order.sort_by_key(|ink| {
        let name = ink.worm.name();
        Reverse((ink.doomed, app.pins.contains(&name) || app.followed == Some(name)))
    });
    let mut labels = Labels::default();
    for ink in order {
        let Some(forms) = forms(app, frame, &ink, &taken) else { continue };
        let cells = forms
            .into_iter()
            .find(|form| {
                let inside = |&((x, y), _): &_| (0..width).contains(&x) && (0..height).contains(&y);
                form.iter().all(inside) && fits(form, &taken)
            })
            .unwrap_or_default();
        labels.nameless |= !cells.iter().any(|&(_, glyph)| is_letter(glyph));
        taken.extend(cells.iter().copied());
        labels.cells.extend(cells.into_iter().map(|(at, glyph)| (at, glyph, ink.head)));
    }
    labels
}

/// True if all characters are free and no adjacent letter could be read as part of the name.
fn fits(form: &[((i32, i32), char)], taken: &Taken) -> bool {
    form.iter().all(|((x, y), glyph)| {
        let beside = [x - 1, x + 1].into_iter().filter_map(|x| taken.get(&(x, *y)));
        !(taken.contains_key(&(*x, *y)) || is_letter(*glyph) && beside.copied().any(is_letter))
    })
}

type Form = Vec<((i32, i32), char)>;

fn word((x, y): (i32, i32), text: &str) -> Form {
    (x..).zip(text.chars()).map(|(x, glyph)| ((x, y), glyph)).collect()
}

/// Possible placements of symbol and name, the best first; `None` if the head is out of sight.
fn forms(app: &Scene<'_>, frame: &Frame, ink: &Ink<'_>, taken: &Taken) -> Option<Vec<Form>> {
    let seat = seats(app, ink.worm).next_back()??;
    let (col, row, side) = seat;
    let end = app.plane.step(col, row, side).and_then(|(col, row)| frame.at(col, row))?;
    let cells: Vec<(i32, i32)> = if frame.joined(seat) {
        frame.leaving(seat).collect()
    } else {
        frame.arriving(app.plane, seat).collect()
    };
    let sign = ink.sign.unwrap_or(app.glyphs.arrow[side as usize]);
    let (name, letter) = (&ink.name, single(ink.worm.letter));
    let length = name.len() as i32;
    let (before, after) = (format!("{sign}{name}"), format!("{name}{sign}"));
    let alone = |at| vec![(at, sign)];
    let Some(&(x, y)) = cells.last().filter(|_| frame.across.pitch > 2) else {
        // Each head has one character: the letter, if the worm has a single letter.
        let at = cells.last().copied().unwrap_or(end);
        return Some(
            letter.map(|letter| vec![(at, letter)]).into_iter().chain([alone(at)]).collect(),
        );
    };
    if side.is_across() {
        let east = side == Side::East;
        let free = cells.len() as i32 - length;
        let whole = (0..free).map(|back| {
            if east { word((x - length - back, y), &before) } else { word((x + back, y), &after) }
        });
        // The letter alone, next to an equal symbol of another worm.
        let shared =
            letter.filter(|_| taken.get(&(if east { x - 1 } else { x + 1 }, y)) == Some(&sign));
        let shared = shared.map(|letter| vec![((x, y), letter)]);
        let back = if east { -1 } else { 1 };
        let signs = (0..cells.len() as i32).map(|at| alone((x + back * at, y)));
        return Some(whole.chain(shared).chain(signs).collect());
    }
    // Names at vertical lanes are written on the outer side, over at most half the pitch.
    let lanes = frame.has_lanes();
    let (right, left) = match *cells.as_slice() {
        [.., (ax, ay), _] if lanes => {
            let mut forms = [word((x, y), name), word((x + 1 - length, y), name)];
            for form in &mut forms {
                form.push(((ax, ay), sign));
            }
            forms.into()
        }
        _ => (word((x, y), &before), word((x - length, y), &after)),
    };
    let whole = match side {
        _ if length > frame.across.pitch / 2 => vec![],
        Side::South if lanes => vec![left],
        _ if lanes => vec![right],
        // The last two avoid a head of the opposite direction in the same character.
        Side::East | Side::North | Side::West | Side::South => {
            vec![right, left, word((x + 1, y), &before), word((x - 1 - length, y), &after)]
        }
    };
    Some(whole.into_iter().chain([alone((x, y))]).collect())
}
