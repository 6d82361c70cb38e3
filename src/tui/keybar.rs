//! The bottom line: the keys for the state of the run, for the focused pane and for all panes, or a message.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::{Action, Grid, Move, Panes, Program, Run, Runs, Time};
use super::app::App;
use super::bindings::{BINDINGS, Binding, Context, bindable};
use super::pen::{Pen, wrap};
use super::tour::Tour;
use super::view::{Pane, View};
use crate::live::RunState;

/// The label of a key on two runs, during a comparison.
fn of_two(action: Action) -> Option<&'static str> {
    let Action::Runs(what) = action else { return None };
    Some(match what {
        Runs::Swap => "swap",
        Runs::Contrast => "difference",
        Runs::Compare => "one run",
    })
}

/// The most important actions on a pane, in order.
fn of_pane(pane: Pane) -> [Action; 4] {
    let [next, follow, history, pin] =
        [Move::Next, Move::Follow, Move::History, Move::Pin].map(Action::from);
    let [run, step, sweep, up] =
        [Run::ToggleRun, Run::Step, Run::Sweep, Run::LoadUp].map(Action::from);
    match pane {
        Pane::Grid | Pane::Lens => [run, step, next, Grid::ZoomIn.into()],
        Pane::Latency => [run, sweep, Panes::Terms.into(), up],
        Pane::Curve => [sweep, up, Run::LoadDown.into(), Panes::Expand.into()],
        Pane::Terms | Pane::Loads => [up, Run::LoadDown.into(), sweep, Panes::Terms.into()],
        Pane::Classes => {
            [Grid::View(View::Classes), Grid::VcFilter, Grid::ClassFilter, Grid::Window]
                .map(Action::from)
        }
        Pane::Chains => [next, Time::ToDeadlock.into(), history, follow],
        Pane::Inspector | Pane::History => [next, history, follow, pin],
        Pane::Worms | Pane::Messages => [follow, history, pin, Panes::SortTable.into()],
        Pane::Links | Pane::HottestLinks => [
            Panes::SortTable.into(),
            Panes::Inspect.into(),
            Grid::View(View::Utilisation).into(),
            Panes::Tables.into(),
        ],
        Pane::Tour => [run, step, next, Time::ToDeadlock.into()],
    }
}

/// The most important actions in the state of the run, before those of the pane.
fn of_state(app: &App) -> Vec<Action> {
    let mut actions = Vec::new();
    if app.snapshot().deadlock.is_some() {
        actions.extend([Time::ToDeadlock, Time::StepBack].map(Action::from));
        actions.push(Run::Restart.into());
    }
    if app.is_behind() {
        actions.push(Time::ToLive.into());
    }
    actions
}

/// True if an action has an effect in the present state of the run.
fn is_useful(app: &App, action: Action) -> bool {
    let needs_deadlock = action == Action::Time(Time::ToDeadlock);
    let needs_rewind = action == Action::Time(Time::ToLive);
    (!needs_deadlock || app.snapshot().deadlock.is_some()) && (!needs_rewind || app.is_behind())
}

/// The label of an action in the present state of the run.
fn label(app: &App, binding: &Binding) -> Option<&'static str> {
    let runs = app.update.state == RunState::Running;
    let pauses = runs && binding.action == Action::Run(Run::ToggleRun);
    if pauses { Some("pause") } else { binding.bar }
}

/// Draws the bottom line.
pub fn draw(app: &App, buffer: &mut Buffer, area: Rect) {
    let bar = app.theme.bar();
    if let Some(note) = &app.note {
        // A long message also takes the lines above.
        let lines = wrap(note, usize::from(area.width.saturating_sub(2)));
        let further = (lines.len() as u16 - 1).min(area.y);
        let height = area.height + further;
        let mut pen = Pen::new(buffer, Rect { y: area.y - further, height, ..area });
        pen.fill(' ', bar);
        for (y, line) in (0..).zip(&lines) {
            pen.cut(1, y, line, app.glyphs.ellipsis, bar);
        }
        return;
    }
    let mut pen = Pen::new(buffer, area);
    pen.fill(' ', bar);
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
    let mut first = of_state(app);
    first.extend(of_pane(app.panes.focus));
    let place = |action| first.iter().position(|it| *it == action).unwrap_or(first.len());
    let help = Action::from(Program::Help);
    let mut usual: Vec<_> = bindable()
        .filter_map(|binding| Some((binding, label(app, binding)?)))
        .filter(|(it, _)| is_useful(app, it.action))
        .collect();
    usual.sort_by_key(|(it, _)| (it.action != help, place(it.action)));
    let usual = usual.into_iter();
    // Digits answer a question of the tour.
    let asked = app.guide().is_some_and(Tour::asks);
    let usual = usual.filter(|(it, _)| !asked || !matches!(it.action, Action::Grid(Grid::View(_))));
    let mut usual = usual.filter(|(it, _)| !two || of_two(it.action).is_none()).peekable();
    let help = usual.next_if(|(binding, _)| binding.action == help);
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
