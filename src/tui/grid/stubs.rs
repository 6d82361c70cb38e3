//! Draws marks for links that leave the plane.
//!
//! These are links into other slices, and hypercube links between nodes that are not neighbours on
//! the screen.
//!
//! Active links are marked at both ends: in a torus by an arrow or digit for the dimension and a
//! symbol; in a hypercube by the symbol alone, with the digit only at the cursor. Views of heat
//! mark only the hottest link of a hypercube node, except at the cursor.

use std::collections::BTreeMap;

use ratatui::style::{Modifier, Style};

use super::emphasis;
use super::frame::{BOXES, Frame, LINES};
use super::link_value::LinkValue;
use super::plane::Side;
use super::waits::wants;
use super::worms::path;
use crate::engine::{CircuitState, HeadState};
use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::Sign;
use crate::tui::glyphs::Glyphs;
use crate::tui::names::{dimension_digit, single};
use crate::tui::pen::Mark;
use crate::tui::scene::Scene;
use crate::tui::states;
use crate::tui::view::View;

/// The mark of a channel: style, symbol after the digit, and rank. Marks of the lowest rank are
/// dropped for lack of room.
#[derive(Clone, Copy)]
struct Word {
    style: Style,
    sign: char,
    rank: u8,
}

/// Marks of channels held by worms or waited for, in place of their heat.
type Words = BTreeMap<ChannelId, Word>;

/// True if the network has links that leave the plane.
pub(super) fn exist(app: &Scene<'_>) -> bool {
    app.plane.has_links_out()
}

/// True for views of heat, false for views of worms and waits.
fn is_of_heat(app: &Scene<'_>) -> bool {
    !matches!(app.map.view, View::Worms | View::Waits)
}

/// The marks of all nodes in sight.
pub(super) fn letters(app: &Scene<'_>, frame: &Frame) -> Vec<Mark> {
    let mut marks = Vec::new();
    if frame.zoom < LINES || !exist(app) {
        return marks;
    }
    let stubs: Vec<(ChannelId, Word)> = match app.map.view {
        View::Worms => worms(app).collect(),
        View::Waits => waits(app).collect(),
        View::Occupancy | View::Classes | View::Utilisation | View::Difference | View::Routed => {
            Vec::new()
        }
    };
    let mut words = Words::new();
    for (channel, word) in stubs {
        if app.plane.seat_of(channel).is_none() {
            keep(&mut words, channel, word);
        }
    }
    for ((col, row), at) in frame.places() {
        if let Some(router) = app.plane.router(col, row) {
            node(app, &words, &mut marks, router, &cells(frame, at));
        }
    }
    marks
}

/// The characters below and to the right of a node, free of links and names.
pub(super) fn cells(frame: &Frame, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
    let (x, y) = (x + frame.across.size, y + frame.along.size);
    let gap = frame.gap(Side::East).min(5);
    let across = if frame.zoom == BOXES { 0..gap } else { 1..gap };
    let along = frame.gap(Side::South).min(2);
    (0..along).flat_map(|down| across.clone().map(move |right| (x + right, y + down))).collect()
}

fn node(
    app: &Scene<'_>,
    words: &Words,
    marks: &mut Vec<Mark>,
    router: RouterId,
    cells: &[(i32, i32)],
) {
    let network = app.network();
    // Both directions of a link share a key: the dimension, and 1 for the lower neighbour.
    let mut found: BTreeMap<(usize, u8), Word> = BTreeMap::new();
    let out = network.outputs(router).iter().map(|&channel| (channel, true));
    let into = network.inputs(router).iter().map(|&channel| (channel, false));
    for (channel, leaves) in out.chain(into).filter(|&(it, _)| app.plane.seat_of(it).is_none()) {
        let Some((dimension, sign)) = network.direction(channel) else { continue };
        let down = u8::from((sign == Sign::Plus) != leaves);
        if let Some(word) = words.get(&channel).copied().or_else(|| heat(app, channel)) {
            keep(&mut found, (dimension, down), word);
        }
    }
    let named = !network.is_hypercube() || app.cursor_router() == Some(router);
    let digit = |&(dimension, down): &(usize, u8)| match dimension {
        _ if network.is_hypercube() => dimension_digit(dimension),
        2 => app.glyphs.slices[usize::from(down)],
        more => dimension_digit(more),
    };
    let each = if named && 2 * found.len() <= cells.len() { 2 } else { 1 };
    let mut shown: Vec<(&(usize, u8), &Word)> = found.iter().collect();
    let most = if is_of_heat(app) && !named { 1 } else { cells.len() / each };
    if shown.len() > most {
        shown.sort_by_key(|(_, word)| std::cmp::Reverse(word.rank));
        shown.truncate(most);
        shown.sort_by_key(|(key, _)| **key);
    }
    for ((key, word), place) in shown.into_iter().zip(cells.chunks(each)) {
        let sign = if named { digit(key) } else { word.sign };
        marks.push((place[0], sign, word.style));
        marks.extend(place.get(1).map(|&at| (at, word.sign, word.style)));
    }
}

/// The mark of a channel by heat; `None` for idle channels and for views without heat.
fn heat(app: &Scene<'_>, channel: ChannelId) -> Option<Word> {
    let value =
        LinkValue::of(app, [channel].into_iter()).filter(|&value| value != LinkValue::Step(0))?;
    let value = is_of_heat(app).then_some(value)?;
    let level = app.heat.channel(channel.index());
    let style = match value {
        // High levels are bold, for digits without a symbol or colour.
        LinkValue::Level(level) if Glyphs::weight(level) == 3 => {
            value.style(app).add_modifier(Modifier::BOLD)
        }
        LinkValue::Level(_) | LinkValue::Step(_) | LinkValue::Class(_) => value.style(app),
    };
    let rank = if let LinkValue::Step(step) = value { step.unsigned_abs() } else { level };
    Some(Word { style, sign: value.glyph(&app.glyphs, true), rank })
}

fn worms(app: &Scene<'_>) -> impl Iterator<Item = (ChannelId, Word)> {
    let circuits: Vec<CircuitState> =
        states::with_links(app.snapshot()).map(|circuit| circuit.state).collect();
    let drawn = emphasis::of(app);
    let worms = app.snapshot().worms.iter().enumerate();
    let worms =
        worms.filter(move |(_, worm)| drawn.as_ref().is_none_or(|all| all.contains(&worm.id)));
    worms.flat_map(move |(at, worm)| {
        let state = circuits.get(at).copied();
        // Circuits are drawn by state; sending circuits need no letter.
        let named = state != Some(CircuitState::Transmitting);
        let (name, doomed) = (single(worm.letter).filter(|_| named), app.is_doomed(at));
        let line = match state {
            _ if doomed => app.theme.alarm_line(),
            Some(state) => states::style(app.theme, state),
            None => app.theme.worm(worm.letter),
        };
        (1..).zip(path(app, worm)).filter_map(move |(nth, channel)| {
            let heads = nth == worm.path_len;
            let stands = heads && matches!(worm.head, HeadState::Blocked(_));
            let style = if stands { line.add_modifier(Modifier::REVERSED) } else { line };
            let sign = match name {
                Some(name) if heads => name,
                Some(name) => name.to_ascii_lowercase(),
                None if stands => app.glyphs.blocked,
                None => {
                    state.map_or(app.glyphs.thin[0], |it| app.glyphs.circuit_across[it as usize])
                }
            };
            let rank = 32 + u8::from(name.is_some()) * 8 + u8::from(heads) + u8::from(doomed) * 16;
            Some((channel?, Word { style, sign, rank }))
        })
    })
}

/// Marks of the channels awaited by blocked heads, and of a ring that could close.
fn waits(app: &Scene<'_>) -> impl Iterator<Item = (ChannelId, Word)> {
    wants(app).into_iter().map(|(channel, why)| {
        let sign = if why.waits() { app.glyphs.blocked } else { why.line(app)[0] };
        (channel, Word { style: why.style(app), sign, rank: 31 + why as u8 })
    })
}

fn keep<K: Ord>(words: &mut BTreeMap<K, Word>, key: K, word: Word) {
    let known = words.entry(key).or_insert(word);
    if word.rank > known.rank {
        *known = word;
    }
}
