//! The list of worms by their letters, with their states; pinned messages are first.

use crate::engine::messages::Activity;
use crate::engine::{CircuitView, HeadState, WormView};
use crate::ids::MessageId;
use crate::tui::carrier::{Carrier, verb};
use crate::tui::names::capital;
use crate::tui::pen::{Pen, fitting, grouped};
use crate::tui::scene::Scene;
use crate::tui::states;
use crate::tui::view::Pane;

/// The mark after the letter of a pinned message.
pub const PINNED: &str = "*";

/// A line of the list: a worm with its index in the snapshot, or a pinned message outside the
/// network.
type Entry<'a> = Result<(usize, &'a WormView), MessageId>;

/// The title, with the number of worms.
pub(super) fn title(app: &Scene<'_>) -> String {
    let count = grouped(app.snapshot().worms.len() as u64);
    format!("{}{}{count}", app.words().listed, app.glyphs.dot)
}

/// The entries of the list: pinned messages in the order of pinning, then all other worms.
fn entries<'a>(app: &'a Scene<'_>) -> Vec<Entry<'a>> {
    let pins = &app.pins;
    let pinned =
        pins.iter().map(|&name| app.by_letter().find(|(_, worm)| worm.name() == name).ok_or(name));
    let others = app.by_letter().filter(|(_, worm)| !pins.contains(&worm.name()));
    pinned.chain(others.map(Ok)).collect()
}

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let circuits: Vec<_> = states::with_links(app.snapshot()).collect();
    let entries = entries(app);
    let from = super::list::scrolled(app, Pane::Worms, entries.len(), pen.height());
    let shown = entries.iter().skip(from).take(usize::from(pen.height()));
    let letters = |entry: &Entry<'_>| entry.map_or(1, |(_, worm)| capital(worm.letter).len());
    let x = shown.clone().map(letters).max().unwrap_or(1) as i32;
    for (y, entry) in (0..).zip(shown) {
        let name = entry.map_or_else(|name| name, |(_, worm)| worm.name());
        if app.pins.contains(&name) {
            pen.text(x, y, PINNED, app.theme.strong());
        }
        match *entry {
            Ok((at, worm)) => line(app, pen, (x + 1, y), (at, worm), circuits.get(at).copied()),
            Err(name) => {
                let text = format!("{} is not in the network", app.message_name(name));
                pen.cut(x + 1, y, &text, app.glyphs.ellipsis, app.theme.dim());
            }
        }
    }
    if entries.is_empty() {
        pen.text(0, 0, &format!("no {} in the network", app.carrier()), app.theme.dim());
    }
}

/// Draws a worm: the letters, and from (x, y) on the source, destination and state.
fn line(
    app: &Scene<'_>,
    pen: &mut Pen<'_>,
    (x, y): (i32, i32),
    (at, worm): (usize, &WormView),
    circuit: Option<&CircuitView>,
) {
    let doomed = app.is_doomed(at);
    let activity = circuit.map_or(Carrier::from(worm), Carrier::from).activity;
    let (sign, style) = app.sign(activity);
    let hue = match style {
        _ if doomed => app.theme.alarm(),
        Some(style) => style,
        None => app.theme.hue(worm.letter.index()),
    };
    pen.text(0, y, &capital(worm.letter), hue);
    let name = app.message_name(worm.name());
    let goal = app.network().short_node_name(worm.destination);
    let way = format!("{name}{}{goal}", app.glyphs.to);
    let does = match activity {
        Activity::Circuit(..) => format!("{} {}", verb(activity), app.since(activity)),
        Activity::Worm(HeadState::AtSource) => "at source".to_owned(),
        Activity::Worm(HeadState::Blocked(_)) if doomed => "for ever".to_owned(),
        Activity::Worm(HeadState::Blocked(_)) => format!("waits {}", app.since(activity)),
        Activity::Worm(HeadState::Arriving) => format!("drains {}/{}", worm.consumed, worm.length),
        Activity::Worm(HeadState::Moving) => verb(activity).to_owned(),
    };
    // A circuit's state precedes its name: names in hypercubes are long, and the state matters
    // more.
    let parts = [(way, app.theme.text()), (format!("{sign} {does}"), hue)];
    let (parts, least) = match activity {
        Activity::Worm(_) => (parts, 18),
        Activity::Circuit(..) => {
            let [way, does] = parts;
            ([does, way], 17)
        }
    };
    let [(first, style), (second, other)] = &parts;
    let column = x + (first.chars().count() as i32).max(least) + 1;
    let room = usize::try_from(i32::from(pen.width()) - column).unwrap_or(0);
    pen.cut(x, y, first, app.glyphs.ellipsis, *style);
    // Without room, the state is the verb, or the sign alone.
    let words: Vec<&str> = second.split(' ').collect();
    let verb = words[..words.len().min(2)].join(" ");
    let state = fitting([second.clone(), verb, sign.to_string()], room);
    pen.cut(column, y, &state, app.glyphs.ellipsis, *other);
}
