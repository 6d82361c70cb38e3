//! The worms that have letters, and what each is doing.

use crate::engine::HeadState;
use crate::tui::app::App;
use crate::tui::names::{LETTERS, capital};
use crate::tui::pen::{Pen, grouped};
use crate::tui::view::Pane;

/// The title, with how many there are.
pub(super) fn title(app: &App) -> String {
    let count = app.update.snapshot.worms.len();
    if count > LETTERS {
        format!("worms{}{LETTERS} of {}", app.glyphs.dot, grouped(count as u64))
    } else {
        format!("worms{}{count}", app.glyphs.dot)
    }
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let snapshot = &app.update.snapshot;
    let network = &app.update.scenario.system.network;
    let letters: Vec<usize> =
        (0..LETTERS).filter(|&letter| app.names.worm(letter).is_some()).collect();
    let from = super::scrolled(app, Pane::Worms, letters.len(), pen.height());
    for (y, &letter) in letters.iter().skip(from).take(usize::from(pen.height())).enumerate() {
        let Some(worm) = app.names.worm(letter).and_then(|at| snapshot.worms.get(at)) else {
            continue;
        };
        let y = y as i32;
        let doomed = app.names.worm(letter).is_some_and(|at| app.names.is_doomed(at));
        let hue = if doomed { app.theme.alarm() } else { app.theme.hue(letter) };
        let x = pen.text(0, y, &capital(letter).to_string(), hue) + 1;
        let home = network.node_name(worm.source);
        let goal = network.node_name(worm.destination);
        let way = format!("{home}{}{goal}", app.glyphs.to);
        let (sign, does) = match worm.head {
            HeadState::AtSource => (' ', "at source".to_owned()),
            HeadState::Moving => (app.glyphs.arrow[0], "moves".to_owned()),
            HeadState::Arriving => {
                (app.glyphs.arrow[3], format!("drains {}/{}", worm.consumed, worm.length))
            }
            HeadState::Blocked(_) if doomed => (app.glyphs.blocked, "for ever".to_owned()),
            HeadState::Blocked(since) => {
                let cycles = grouped(snapshot.cycle.0.saturating_sub(since.0));
                (app.glyphs.blocked, format!("waits {cycles}"))
            }
        };
        let column = x + (way.chars().count() as i32).max(15) + 1;
        pen.cut(x, y, &way, app.glyphs.ellipsis, app.theme.text());
        pen.cut(column, y, &format!("{sign} {does}"), app.glyphs.ellipsis, hue);
    }
    if letters.is_empty() {
        pen.text(0, 0, "no worm in the network", app.theme.dim());
    }
}
