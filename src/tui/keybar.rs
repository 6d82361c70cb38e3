//! The bottom line: the most important keys, or a message.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::{Action, Grid, Program, Runs};
use super::app::App;
use super::bindings::{BINDINGS, Binding, Context, bindable};
use super::pen::Pen;
use super::tour::Tour;

/// The label of a key on two runs, during a comparison.
fn of_two(action: Action) -> Option<&'static str> {
    let Action::Runs(what) = action else { return None };
    Some(match what {
        Runs::Swap => "swap",
        Runs::Contrast => "difference",
        Runs::Compare => "one run",
    })
}

/// Draws the bottom line.
pub fn draw(app: &App, buffer: &mut Buffer, area: Rect) {
    let bar = app.theme.bar();
    let mut pen = Pen::new(buffer, area);
    pen.fill(' ', bar);
    if let Some(note) = &app.note {
        pen.cut(1, 0, note, app.glyphs.ellipsis, bar);
        return;
    }
    if app.context() == Context::Studying {
        let of_study = BINDINGS.iter().filter(|it| it.context == Context::Studying);
        let usual = [Program::Help, Program::Quit, Program::Theme].map(Action::from);
        let usual = bindable().filter(|it| usual.contains(&it.action));
        let all = of_study.chain(usual);
        return words(app, &mut pen, all.filter_map(|it| Some((it, it.bar?))));
    }
    // During a comparison, keys on both runs directly follow help.
    let two = app.other().is_some();
    let both = bindable().filter_map(|binding| Some((binding, of_two(binding.action)?)));
    let usual = bindable().filter_map(|binding| Some((binding, binding.bar?)));
    // Digits answer a question of the tour.
    let asked = app.guide().is_some_and(Tour::asks);
    let usual = usual.filter(|(it, _)| !asked || !matches!(it.action, Action::Grid(Grid::View(_))));
    let mut usual = usual.filter(|(it, _)| !two || of_two(it.action).is_none()).peekable();
    let help = usual.next_if(|(binding, _)| binding.action == Action::Program(Program::Help));
    words(app, &mut pen, help.into_iter().chain(both.filter(|_| two)).chain(usual));
}

/// Writes keys and labels up to the available width.
fn words<'a>(app: &App, pen: &mut Pen<'_>, all: impl Iterator<Item = (&'a Binding, &'static str)>) {
    let (bar, mut x) = (app.theme.bar(), 1);
    for (binding, word) in all {
        let key = app.keys.names(binding, 1);
        let length = (key.chars().count() + 1 + word.chars().count()) as i32;
        if !key.is_empty() && x + length <= i32::from(pen.width()) {
            x = pen.text(x, 0, &key, bar.patch(app.theme.strong())) + 1;
            x = pen.text(x, 0, word, bar) + 2;
        }
    }
}
