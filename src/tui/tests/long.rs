//! Ten thousand actions in a row on runs that obey: nothing panics, the cursor stays on a node, and
//! every picture can be drawn, whatever the size.

use std::sync::Arc;
use std::time::Duration;

use super::DARK_THEME;
use crate::live::{Command, Options, Staged, Update};
use crate::random::mix;
use crate::scenario::{Scenario, builtin, parse};
use crate::session::events::Events;
use crate::tui::action::{Action, Key};
use crate::tui::app::{App, Effect};
use crate::tui::bindings::BINDINGS;
use crate::tui::fake;
use crate::tui::picture::text;
use crate::units::Cycle;

/// Actions in all.
const ACTIONS: u64 = 10_000;
/// The farthest that a run may be sent at once, in cycles: numbers are typed at random.
const FAR: u64 = 2_000;

/// Draws numbers, always the same ones.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 += 1;
        mix(self.0, 0x6b65_7973) % end
    }

    /// A key that means something now, a letter, a place for the mouse, or a size.
    fn action(&mut self, app: &App) -> Option<Action> {
        let place = (self.below(210) as u16, self.below(64) as u16);
        Some(match self.below(40) {
            0 => Action::Resize(place.0, place.1),
            1 => Action::Resize(80 + place.0 / 2, 24 + place.1 / 2),
            2 => Action::Click(place.0, place.1),
            3 => Action::DoubleClick(place.0, place.1),
            4 => Action::Drag(place.0, place.1),
            5 => Action::Wheel(self.below(2) == 0, place.0, place.1),
            6 => Action::Release,
            7..12 => {
                let letters: Vec<char> = "0123456789,()#-. abcdefhilnorstu=".chars().collect();
                let letter = letters[self.below(letters.len() as u64) as usize];
                return app.action_of(Key::Char(letter));
            }
            _ => {
                let rows: Vec<_> =
                    BINDINGS.iter().filter(|row| row.context == app.context()).collect();
                rows[self.below(rows.len() as u64) as usize].action
            }
        })
    }
}

/// A command as far as it can be obeyed at once.
fn tamed(command: Command, update: &Update) -> Option<Command> {
    Some(match command {
        Command::Step(cycles) => Command::Step(cycles.min(FAR)),
        Command::Seek(Cycle(cycle)) => Command::Seek(Cycle(cycle.min(update.live.0 + FAR))),
        // What never happens is never found.
        Command::NextEvent(_) => Command::NextEvent(Events { deadlock: false, ..Events::ALL }),
        Command::Quit => return None,
        command => command,
    })
}

fn show(app: &mut App, run: &mut Staged) {
    loop {
        let mut update = Box::new(Update::empty(Arc::clone(&app.update.scenario)));
        run.draw(&mut update);
        app.receive(update);
        let errands = app.errands();
        if errands.is_empty() {
            return;
        }
        for errand in errands {
            run.obey(errand);
        }
    }
}

fn play(scenario: &Arc<Scenario>, actions: u64, seed: u64) {
    let mut run = Staged::new(Arc::clone(scenario), Options::default());
    let empty = Box::new(Update::empty(Arc::clone(scenario)));
    let mut app = fake::app(empty, DARK_THEME, false, (120, 40));
    show(&mut app, &mut run);
    let mut dice = Dice(seed);
    for nth in 0..actions {
        let Some(action) = dice.action(&app) else { continue };
        for effect in app.update(action) {
            if let Effect::Send(command) = effect
                && let Some(command) = tamed(command, &app.update)
            {
                run.obey(command);
            }
        }
        if dice.below(3) == 0 {
            run.elapse(Duration::from_micros(200));
        }
        show(&mut app, &mut run);
        assert!(app.cursor_router().is_some(), "{nth}: {action:?}");
        // Panes lie on the screen, and the line at the top says something.
        let screen = fake::buffer(&app);
        for (pane, rect) in app.arrangement().panes {
            assert_eq!(rect.intersection(screen.area), rect, "{nth}: {action:?}, {pane:?}");
        }
        let top = text(&screen);
        let top = top.lines().next().unwrap_or_default();
        assert!(app.size.0 < 20 || app.size.1 == 0 || !top.is_empty(), "{nth}: {action:?}");
    }
}

#[test]
fn ten_thousand_actions_leave_a_whole_screen() {
    let names = ["ring-deadlock", "papers/circuit-torus-hold-8x8", "switches-campus", "mesh-8x8"];
    for (seed, name) in (1..).zip(names) {
        let text = builtin::find(name).unwrap().text;
        let scenario = Arc::new(parse(name, text, &[]).unwrap());
        play(&scenario, ACTIONS / names.len() as u64, seed << 32);
    }
}
