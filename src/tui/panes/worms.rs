//! The worms that have letters, and what each is doing.

use crate::engine::HeadState;
use crate::tui::app::App;
use crate::tui::names::{LETTERS, capital};
use crate::tui::pen::{Pen, grouped};
use crate::tui::states;
use crate::tui::view::Pane;

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
    let letters: Vec<usize> =
        (0..LETTERS).filter(|&letter| app.names.worm(letter).is_some()).collect();
    let from = super::scrolled(app, Pane::Worms, letters.len(), pen.height());
    for (y, &letter) in letters.iter().skip(from).take(usize::from(pen.height())).enumerate() {
        let Some(worm) = app.names.worm(letter).and_then(|at| snapshot.worms.get(at)) else {
            continue;
        };
        let y = y as i32;
        let doomed = app.names.worm(letter).is_some_and(|at| app.names.is_doomed(at));
        let circuit = app.names.worm(letter).and_then(|at| circuits.get(at));
        let hue = match circuit {
            _ if doomed => app.theme.alarm(),
            Some(circuit) => states::style(app, circuit.state),
            None => app.theme.hue(letter),
        };
        let x = pen.text(0, y, &capital(letter).to_string(), hue) + 1;
        let home = network.node_name(worm.source);
        let goal = network.node_name(worm.destination);
        let way = format!("{home}{}{goal}", app.glyphs.to);
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
        let column = x + (way.chars().count() as i32).max(15) + 1;
        pen.cut(x, y, &way, app.glyphs.ellipsis, app.theme.text());
        pen.cut(column, y, &format!("{sign} {does}"), app.glyphs.ellipsis, hue);
    }
    if letters.is_empty() {
        pen.text(0, 0, &format!("no {} in the network", app.carrier()), app.theme.dim());
    }
}
