//! The worms that have letters, and what each is doing.

use crate::engine::HeadState;
use crate::tui::app::App;
use crate::tui::names::{LETTERS, capital};
use crate::tui::pen::{Pen, grouped};
use crate::tui::states;
use crate::tui::view::Pane;

/// The sign beside the letter of a pinned message.
pub const PINNED: char = '*';

/// The title, with how many there are.
pub(super) fn title(app: &App) -> String {
    let count = app.update.snapshot.worms.len();
    let what = if app.has_circuits() { "circuits with links" } else { "worms" };
    if count > LETTERS {
        format!("{what}{}{LETTERS} of {}", app.glyphs.dot, grouped(count as u64))
    } else {
        format!("{what}{}{count}", app.glyphs.dot)
    }
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let snapshot = &app.update.snapshot;
    let network = &app.update.scenario.system.network;
    let circuits: Vec<_> = states::with_links(snapshot).collect();
    let letters: Vec<usize> = app.names.listed().collect();
    let from = super::scrolled(app, Pane::Worms, letters.len(), pen.height());
    for (y, &letter) in letters.iter().skip(from).take(usize::from(pen.height())).enumerate() {
        let y = y as i32;
        if app.names.is_pinned(letter) {
            pen.put(1, y, PINNED, app.theme.strong());
        }
        let Some(worm) = app.names.worm(letter).and_then(|at| snapshot.worms.get(at)) else {
            let name = app.names.holder(letter).map(|name| app.message_name(name));
            let text = format!("{} is not in the network", name.unwrap_or_default());
            pen.put(0, y, capital(letter), app.theme.dim());
            pen.cut(2, y, &text, app.glyphs.ellipsis, app.theme.dim());
            continue;
        };
        let doomed = app.names.worm(letter).is_some_and(|at| app.names.is_doomed(at));
        let circuit = app.names.worm(letter).and_then(|at| circuits.get(at));
        let hue = match circuit {
            _ if doomed => app.theme.alarm(),
            Some(circuit) => states::style(app, circuit.state),
            None => app.theme.hue(letter),
        };
        pen.put(0, y, capital(letter), hue);
        let x = 2;
        let name = app.message_name(worm.name());
        let goal = network.node_name(worm.destination);
        let way = format!("{name}{}{goal}", app.glyphs.to);
        let (sign, does) = match (worm.head, circuit) {
            (HeadState::Blocked(_), _) if doomed => (app.glyphs.blocked, "for ever".to_owned()),
            (_, Some(circuit)) => {
                let since = snapshot.cycle.0.saturating_sub(circuit.since.0);
                let (name, since) = (states::name(circuit.state), app.times().exact(since));
                (states::sign(app, circuit.state), format!("{name} {since}"))
            }
            (HeadState::AtSource, None) => (' ', "at source".to_owned()),
            (HeadState::Moving, None) => (app.glyphs.arrow[0], "moves".to_owned()),
            (HeadState::Arriving, None) => {
                (app.glyphs.arrow[3], format!("drains {}/{}", worm.consumed, worm.length))
            }
            (HeadState::Blocked(since), None) => {
                let cycles = grouped(snapshot.cycle.0.saturating_sub(since.0));
                (app.glyphs.blocked, format!("waits {cycles}"))
            }
        };
        if circuit.is_some() {
            // Names of hypercubes are long, and what a circuit does matters more.
            let end = pen.text(x, y, &format!("{sign} {does}"), hue).max(x + 17);
            pen.cut(end + 1, y, &way, app.glyphs.ellipsis, app.theme.text());
            continue;
        }
        let column = x + (way.chars().count() as i32).max(18) + 1;
        pen.cut(x, y, &way, app.glyphs.ellipsis, app.theme.text());
        pen.cut(column, y, &format!("{sign} {does}"), app.glyphs.ellipsis, hue);
    }
    if letters.is_empty() {
        pen.text(0, 0, &format!("no {} in the network", app.carrier()), app.theme.dim());
    }
}
