//! Checks a stop of the tour by its own keys.
//!
//! Each task must be open before and done after them, and each question must reject the wrong
//! answers and accept the right one.

use std::sync::Arc;

use super::{FilmError, Order, Player, film_error, picture};
use crate::live;
use crate::model::budget;
use crate::recording::script::Line;
use crate::tui::action::{Key, Tour as Acts};
use crate::tui::terminal::Options;
use crate::tui::tour::{Goal, Stop, Task, Tour};

/// Plays a stop on a screen of `size`. `look` receives the screen as text at the beginning and end
/// of each step.
pub fn rehearse(
    options: Options,
    stop: &Stop,
    size: (u16, u16),
    mut look: impl FnMut(&str),
) -> Result<(), FilmError> {
    let tour = Some(Tour::new(vec![stop.clone()], 0));
    // No step waits for results of longer model evaluations.
    let live = live::Options { model_steps: budget::BESIDE_RUN, ..options.live };
    let options = Options { live, tour, ..options };
    let scenario = Arc::clone(&stop.scenario);
    let name = stop.name.clone();
    let mut play = Player::<std::io::Sink>::begin(options, scenario, size, name, (None, None))?;
    for (nth, step) in stop.steps.iter().enumerate() {
        let mistake = |what: String, help: &str| {
            let what = format!("step {} ({}): {what}", nth + 1, step.heading);
            film_error(&stop.name, None, what, help)
        };
        play.pass(PAUSE)?;
        look(&picture::text(&play.display.buffer()));
        if play.guide().is_some_and(Tour::is_done) {
            let help = "let `until` name a state that the keys lead to";
            return Err(mistake("it is done before anything was pressed".to_owned(), help));
        }
        match &step.task {
            Task::Choose { choices, right, why, .. } => {
                let wrong = (0..choices.len()).filter(|nth| why.is_some() && nth != right);
                for choice in wrong.chain([*right]) {
                    play.press(digit(choice))?;
                    play.pass(PAUSE)?;
                    if play.guide().is_none_or(|tour| tour.is_done() != (choice == *right)) {
                        let what = format!("answer {} is not judged as it should be", choice + 1);
                        return Err(mistake(what, "number the answers from 1"));
                    }
                }
            }
            Task::Reach { goals, keys } => {
                for line in keys {
                    play.line(line)?;
                }
                play.pass(PAUSE)?;
                if play.guide().is_none_or(|tour| !tour.is_done()) {
                    let goals: Vec<String> = goals.iter().map(Goal::words).collect();
                    let cycle = play.display.app.update.snapshot.cycle;
                    let what = format!(
                        "its keys do not bring about {} (they end at cycle {cycle})",
                        goals.join(", ")
                    );
                    return Err(mistake(what, "mend its `keys` or its `until`"));
                }
            }
        }
        play.pass(PAUSE)?;
        look(&picture::text(&play.display.buffer()));
        play.act(Acts::Advance)?;
    }
    play.act(Acts::Leave)?;
    if play.guide().is_some() {
        return Err(film_error(&stop.name, None, "it cannot be left".to_owned(), ""));
    }
    Ok(())
}

/// Pause between two actions, in microseconds.
const PAUSE: u64 = 100_000;

/// Returns the key of an answer.
fn digit(choice: usize) -> Key {
    Key::Char(char::from_digit(choice as u32 + 1, 10).unwrap_or('1'))
}

impl<W: std::io::Write> Player<W> {
    fn guide(&self) -> Option<&Tour> {
        self.display.app.guide()
    }

    /// Plays a line of the keys; pictures are skipped.
    fn line(&mut self, line: &Line<Key>) -> Result<(), FilmError> {
        if matches!(line.command, Order::Shot(_)) {
            return Ok(());
        }
        self.play(line, &mut |_, _| Ok(()))
    }
}
