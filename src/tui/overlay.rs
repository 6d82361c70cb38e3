//! Dialogs over the screen: help, chooser, prompts, errors.

mod help;
mod sheet;

use ratatui::buffer::Buffer;

use self::sheet::{Sheet, large, room};
use super::action::{Action, Move, Program, Run, Time};
use super::app::{App, Confirm, Dialog, Problems, Prompt};
use super::chooser::Chooser;
use super::palette::commands::What;
use super::palette::{Match, Palette};
use super::pen::{grouped, wrap};
use super::tour::texts;
use crate::live::{Breakpoint, ThreadPanic};
use crate::scenario::Problem;

/// Columns for names in a narrow and in a wide list of commands.
const NAMES: [i32; 2] = [22, 30];
/// First column of titles in the chooser, if the name is short enough.
const TITLES: i32 = 34;
/// Maximum number of listed commands.
const COMMANDS: u16 = 18;

/// Draws the open dialog and the notice of a dead simulation.
pub fn draw(app: &App, buffer: &mut Buffer) {
    match &app.dialog {
        Some(Dialog::Card) => card(app, buffer),
        Some(Dialog::Help(it)) => help::draw(app, buffer, it),
        Some(Dialog::Chooser(it)) => chooser(app, buffer, it),
        Some(Dialog::Prompt(it)) => prompt(app, buffer, it),
        Some(Dialog::Palette(it)) => palette(app, buffer, it),
        Some(Dialog::Problems(it)) => problems(app, buffer, it),
        Some(Dialog::Confirm(it)) => confirm(app, buffer, *it),
        None => {}
    }
    if let Some(it) = &app.death {
        death(app, buffer, it);
    }
}

/// Draws the card: an introduction, the main keys, and the tour.
fn card(app: &App, buffer: &mut Buffer) {
    let key = |action: Action| app.keys.way_to(action);
    let [run, step, back, next, help] = [
        Run::ToggleRun.into(),
        Run::Step.into(),
        Time::StepBack.into(),
        Move::Next.into(),
        Program::Help.into(),
    ]
    .map(key);
    let (carried, stops) = (app.carrier(), texts().len());
    let lines = [
        format!("Messages cross this network as {carried}s; each has a letter, where its head is."),
        format!(
            "{run} runs and pauses, {step} is one cycle ({back} back), {next} finds who waits longest."
        ),
        format!(
            "{help} explains what is here; {help} then t, or `flitscope tour`: {stops} stops to learn."
        ),
    ];
    let wide = lines.iter().map(|line| line.chars().count() as u16).max().unwrap_or(0) + 4;
    let title = "flitscope: an interconnection network, one flit at a time";
    let mut sheet = Sheet::above_the_legend(app, buffer, (wide, 5), title);
    for (y, line) in (0..).zip(&lines) {
        sheet.line(y, line, app.theme.text());
    }
}

/// Draws the chooser: a list, and the verdict on the chosen entry.
fn chooser(app: &App, buffer: &mut Buffer, chooser: &Chooser) {
    let (theme, compares) = (app.theme, chooser.beside.is_some());
    let asks = if compares {
        "compare with   choose, or type a setting:"
    } else {
        "open   type to filter, or a file's path:"
    };
    let mut sheet = Sheet::asking(app, buffer, large(app), asks, &chooser.filter);
    let (width, foot) = (i32::from(sheet.pen.width()), sheet.foot());
    let list = ((foot + 1) / 2 - 1).min(chooser.matches.len() as i32).max(1);
    let typed = chooser.setting().filter(|_| chooser.is_of_what_was_typed());
    if let Some((path, value)) = typed {
        sheet.line(0, &format!("itself with {path} = {value}"), theme.text());
    } else if chooser.matches.is_empty() {
        sheet.pen.text(1, 0, "nothing matches, and no file has this path", theme.dim());
    }
    let from = (chooser.chosen as i32 - list + 1).max(0) as usize;
    let list_rows = if typed.is_some() { 0 } else { list as usize };
    let shown = chooser.matches.iter().enumerate().skip(from).take(list_rows);
    let mut group = None;
    for (y, (at, &entry)) in (0..).zip(shown) {
        let entry = &chooser.entries[entry];
        let end = sheet.entry(y, &entry.name, at == chooser.chosen);
        // Each title is between the name and, in a group's first line, the heading at the right.
        let mut room = width - 1;
        if group.replace(entry.kind) != Some(entry.kind) {
            let heading = entry.kind.heading();
            sheet.pen.right(y, &format!("{heading} "), theme.dim());
            room -= heading.len() as i32 + 1;
        }
        let from = (end + 2).max(TITLES);
        sheet.line_to(room, (from, y), &entry.title, theme.dim());
    }
    sheet.pen.each((0..width).map(|x| (x, list)), app.glyphs.axis[1], theme.frame());
    let mut y = list + 1;
    match &chooser.preview {
        Some((text, Ok(scenario))) => {
            for line in text.lines().filter(|line| !line.trim().is_empty()) {
                if y < foot - 1 {
                    sheet.line(y, line, theme.dim());
                    y += 1;
                }
            }
            let name = scenario.system.network.name();
            let words = format!("valid: {name}, {}", scenario.system.relation.routing().name());
            sheet.phrase(y.min(foot - 1), &words, theme.measured());
        }
        Some((_, Err(problems))) => drop(problem_lines(&mut sheet, problems, y, foot)),
        None => {}
    }
    let keys = match (&chooser.preview, compares) {
        (Some((_, Err(_))), true) => "cannot be compared   Esc closes",
        (Some((_, Err(_))), false) => {
            "cannot be opened; the running simulation goes on   Esc closes"
        }
        (_, true) => "Enter compares   Esc closes   Up Down choose   Tab completes",
        (_, false) => "Enter opens   Esc closes   Up Down choose   Tab completes a path",
    };
    sheet.phrase(foot, keys, theme.dim());
}

fn palette(app: &App, buffer: &mut Buffer, palette: &Palette) {
    let room = room(app);
    let size = (room.width.saturating_sub(4).min(96), room.height.min(COMMANDS + 4));
    let mut sheet = Sheet::open(app, buffer, size, "command");
    let theme = app.theme;
    sheet.typed(":", &palette.text);
    let foot = sheet.foot();
    let mut y = 1;
    if let Some(error) = &palette.error {
        y = sheet.wrapped(error, y, (y + 4).min(foot + 1), theme.warning()).min(y + 4);
    }
    let rows = usize::try_from(foot - y).unwrap_or(0);
    if palette.matches.is_empty() && palette.error.is_none() {
        sheet.pen.text(1, y, "Enter does it", theme.dim());
    }
    let from = (palette.chosen + 1).saturating_sub(rows);
    let shown = palette.matches.iter().enumerate().skip(from).take(rows);
    for (y, (at, found)) in (y..).zip(shown) {
        candidate(&mut sheet, y, found, at == palette.chosen);
    }
    let more = palette.matches.len().saturating_sub(from + rows);
    if more > 0 {
        sheet.pen.right(foot, &format!("{more} more "), theme.dim());
    }
    let keys = "Enter does it   Tab completes   Ctrl-N Ctrl-P choose   Up Down: earlier";
    if more == 0 || usize::from(sheet.pen.width()) > keys.len() + 14 {
        sheet.phrase(foot, keys, theme.dim());
    }
}

/// Draws a completion: name, help, and the equivalent keys at the right.
fn candidate(sheet: &mut Sheet<'_>, y: i32, found: &Match, chosen: bool) {
    let (theme, width) = (sheet.app.theme, i32::from(sheet.pen.width()));
    let end = sheet.entry(y, &found.label, chosen);
    let keys = found.keys.chars().count() as i32;
    let room = width - if keys > 0 { keys + 2 } else { 0 };
    let x = (end + 2).max(NAMES[usize::from(width >= 90)] + 3);
    if x < room {
        sheet.line_to(room, (x, y), &found.help, theme.dim());
        if keys > 0 {
            sheet.pen.right(y, &format!("{} ", found.keys), theme.strong());
        }
    }
}

/// Draws problems from row `y` to `end`; returns the row after the last problem, even beyond `end`.
fn problem_lines(sheet: &mut Sheet<'_>, problems: &[Problem], mut y: i32, end: i32) -> i32 {
    let theme = sheet.app.theme;
    for problem in problems {
        let place = problem.place.as_ref().map_or(String::new(), |place| {
            format!("line {}, column {}: ", place.line, place.column)
        });
        y = sheet.wrapped(&format!("{place}{}", problem.what), y, end, theme.warning());
        if let Some(place) = &problem.place {
            if y + 1 < end {
                sheet.pen.cut(3, y, &place.text, sheet.app.glyphs.ellipsis, theme.text());
                let marks = (0..place.length).map(|at| ((2 + place.column + at) as i32, y + 1));
                sheet.pen.each(marks, '^', theme.warning());
            }
            y += 2;
        }
        if let Some(help) = &problem.help {
            y = sheet.wrapped(&format!("help: {help}"), y, end, theme.dim());
        }
    }
    y
}

fn prompt(app: &App, buffer: &mut Buffer, prompt: &Prompt) {
    let (title, hint) = prompt.what.asks(app.times()).unwrap_or_default();
    let (mut title, mut hint) = (title.to_owned(), hint.to_owned());
    if prompt.what == What::Break {
        title += &app.update.breakpoint.words(app.system());
        Breakpoint::forms(app.system()).clone_into(&mut hint);
    } else if prompt.what == What::Mark {
        let marks = (1..).zip(&app.update.bookmarks);
        let marks = marks.map(|(at, &cycle)| format!("{at}: {}", app.times().exact(cycle)));
        hint = marks.collect::<Vec<_>>().join("  ");
    } else if prompt.what == What::Cycle && !app.grants().is_empty() {
        hint = hint.replace(", or live", ", d1 for grant 1, or live");
    }
    let wide = hint.chars().count().max(54) as u16 + 4;
    let error = prompt.error.as_deref().map(|error| (error, app.theme.warning()));
    let (text, style) = error.unwrap_or((&hint, app.theme.dim()));
    let rows = wrap(text, usize::from(wide.min(room(app).width)).saturating_sub(4)).len() as u16;
    let mut sheet = Sheet::open(app, buffer, (wide, 3 + rows), &title);
    sheet.typed("", &prompt.text);
    sheet.wrapped(text, 1, 1 + i32::from(rows), style);
}

/// Draws the scrolled list of a file's problems.
fn problems(app: &App, buffer: &mut Buffer, list: &Problems) {
    let title = format!("{} cannot be run", list.path);
    let mut sheet = Sheet::open(app, buffer, large(app), &title);
    let foot = sheet.foot();
    let end = problem_lines(&mut sheet, &list.found, -i32::from(list.scroll), foot);
    let more = if end > foot { "   j k scroll" } else { "" };
    let keys = format!("Esc closes{more}   e edits again   the run goes on as it was");
    sheet.phrase(foot, &keys, app.theme.dim());
}

/// Draws the question about discarding the future or ending a recording.
fn confirm(app: &App, buffer: &mut Buffer, confirm: Confirm) {
    let times = app.times();
    let (now, live) = (times.now(app.now().0), times.now(app.update.live.0));
    let forgets = format!("This is {now}. What is known up to {live} would be forgotten.");
    let keys = "Enter forgets it   Esc keeps it";
    let (title, text, keys) = match confirm {
        Confirm::Fork(rate) => {
            let load = app.system().load_at(rate).0;
            (format!("offered load {load:.4} from here on?"), forgets, keys)
        }
        Confirm::Fail(part) => {
            let name = part.name(app.network());
            (format!("another state of the {name} from here on?"), forgets, keys)
        }
        Confirm::Quit => {
            let path = app.recording.as_deref().unwrap_or_default();
            let text = format!("The screen is being recorded into {path}.");
            ("end the recording and quit?".to_owned(), text, "Enter quits   Esc goes on recording")
        }
        Confirm::Replace => {
            let path = app.path.as_deref().unwrap_or_default();
            let text = format!("{path} has the session as it was opened.");
            ("replace the session?".to_owned(), text, "Enter replaces it   Esc keeps it")
        }
    };
    let mut sheet = Sheet::open(app, buffer, (58, 5), &title);
    let y = sheet.wrapped(&text, 0, 2, app.theme.warning());
    sheet.pen.text(1, y.min(2), keys, app.theme.dim());
}

fn death(app: &App, buffer: &mut Buffer, death: &ThreadPanic) {
    let title = if death.fault.is_of_input {
        "the simulation has ended: its messages cannot be read"
    } else {
        "the simulation has died: a mistake of the program"
    };
    let mut sheet = Sheet::open(app, buffer, (70, 9), title);
    let y = sheet.wrapped(&death.fault.what, 0, 4, app.theme.warning());
    let scenario = &app.update.scenario.name;
    let text = format!("{scenario}, seed {}, about cycle {}", death.seed, grouped(death.cycle));
    let y = sheet.wrapped(&text, y, 6, app.theme.text());
    let quit = app.keys.way_to(Program::Quit);
    let words = format!("What is on the screen is the last picture. {quit} quits.");
    sheet.pen.text(1, y, &words, app.theme.dim());
}
