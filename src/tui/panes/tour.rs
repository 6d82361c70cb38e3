//! The pane of the tour: text, question or goals of the present step.

use ratatui::text::{Line, Span};

use super::list::Item;
use crate::tui::action::Tour as Acts;
use crate::tui::bindings::{BINDINGS, key_name};
use crate::tui::pen::wrap;
use crate::tui::scene::Scene;
use crate::tui::tour::{Task, Tour, texts};

/// The title: number and subject of the stop.
pub(super) fn title(app: &Scene<'_>) -> String {
    app.guide.map_or("tour".to_owned(), |tour| {
        let (at, count) = tour.place();
        let place = if count > 1 { format!(" {}/{count}", at + 1) } else { String::new() };
        format!("tour{place}: {}", tour.stop().title)
    })
}

pub(super) fn lines(app: &Scene<'_>, width: usize) -> Vec<Item> {
    let theme = app.theme;
    let Some(tour) = app.guide else {
        let stops = texts().len();
        return wrapped(&format!("A tour of {stops} stops: ? and then t starts it."), width)
            .map(|line| Item::new(line, theme.dim()))
            .collect();
    };
    let (step, (nth, count)) = (tour.step(), tour.step_place());
    let heading = Item::new(step.heading, theme.focus());
    let mut lines = vec![heading.with(format!("{} of {count}", nth + 1), theme.dim())];
    for (nth, paragraph) in step.text.split("\n\n").enumerate() {
        lines.extend((nth > 0).then(Item::default));
        lines.extend(wrapped(paragraph, width).map(|line| Item::new(line, theme.text())));
    }
    lines.push(Item::default());
    match &step.task {
        Task::Choose { choices, right, why, .. } => {
            let open = tour.asks();
            for (nth, choice) in choices.iter().enumerate() {
                let chosen = tour.answer() == Some(nth);
                // The other choices are hidden after the answer, to leave room for the reply.
                if tour.is_done() && !chosen {
                    continue;
                }
                let wrong = chosen && why.is_some() && nth != *right;
                let style = match chosen {
                    _ if wrong => theme.warning(),
                    true => theme.strong(),
                    false if open => theme.text(),
                    false => theme.dim(),
                };
                let sign = if chosen { app.glyphs.chosen } else { ' ' };
                let words = wrap(choice, width.saturating_sub(4)).into_iter().enumerate();
                lines.extend(words.map(|(row, text)| match row {
                    0 => Item::new(format!("{sign}{} {text}", nth + 1), style),
                    _ => Item::new(format!("   {text}"), style),
                }));
            }
            lines.extend(said(app, tour, why.as_deref(), width));
        }
        Task::Reach { .. } => {
            let [full, free] = app.glyphs.slot;
            for (goal, holds) in app.goals() {
                let (sign, style) =
                    if holds { (full, theme.strong()) } else { (free, theme.text()) };
                let sign = Span::styled(format!("{sign} "), style);
                lines.push(Line::from_iter([sign, Span::styled(goal, style)]).into());
            }
            lines.extend(review(app, tour, width));
        }
    }
    lines.push(Item::default());
    lines.push(Item::new(keys(tour), theme.dim()));
    lines
}

/// The reply to an answer, and the [review].
fn said(app: &Scene<'_>, tour: &Tour, why: Option<&str>, width: usize) -> Vec<Item> {
    let theme = app.theme;
    let (text, style) = match (tour.is_done(), tour.answer(), why) {
        (true, _, Some(why)) => (format!("Yes: {why}"), theme.measured()),
        (true, _, None) => ("We shall see.".to_owned(), theme.measured()),
        (false, Some(chosen), _) => {
            let reason = tour.step().task.reason(chosen).unwrap_or("look again.");
            (format!("Not so: {reason}"), theme.warning())
        }
        (false, None, _) => return Vec::new(),
    };
    let lines = wrapped(&text, width).map(|line| Item::new(line, style));
    lines.chain(review(app, tour, width)).collect()
}

/// A review of the predictions at the end of a stop, with a summary at the end of the tour.
fn review(app: &Scene<'_>, tour: &Tour, width: usize) -> Vec<Item> {
    let (nth, count) = tour.step_place();
    if nth + 1 < count || !tour.is_done() {
        return Vec::new();
    }
    let told = |[predicted, came]: [&str; 2]| {
        if predicted == came {
            "Your prediction was right.".to_owned()
        } else {
            format!("You predicted: {predicted}. It came otherwise: {came}.")
        }
    };
    let told: Vec<String> = tour.predictions().map(told).collect();
    let lines = told.iter().flat_map(|told| wrapped(told, width));
    let mut lines: Vec<Item> = lines.map(|line| Item::new(line, app.theme.dim())).collect();
    if tour.is_last() && tour.place().1 > 1 {
        lines.extend(end(app, tour, width));
    }
    lines
}

/// A summary at the end of the tour: the subjects of all stops, and what to try next.
fn end(app: &Scene<'_>, tour: &Tour, width: usize) -> Vec<Item> {
    let subjects: Vec<&str> = tour.stops().iter().map(|stop| stop.title.as_str()).collect();
    let paragraphs = [
        format!("That was the tour. You have seen: {}.", subjects.join(", ")),
        "Next: o opens another network, c compares two of them on the same messages, L measures \
         latency by load."
            .to_owned(),
    ];
    let style = app.theme.text();
    let lines = paragraphs.iter().flat_map(|text| {
        let lines = wrapped(text, width).map(move |line| Item::new(line, style));
        std::iter::once(Item::default()).chain(lines)
    });
    lines.collect()
}

fn wrapped(text: &str, width: usize) -> impl Iterator<Item = String> {
    wrap(text, width).into_iter()
}

/// The effect of the keys at the present step.
fn keys(tour: &Tour) -> String {
    let name = |action: Acts| {
        let row = BINDINGS.iter().find(|row| row.action == action.into());
        row.map_or(String::new(), |row| key_name(row.keys[0]))
    };
    let goes_on = match &tour.step().task {
        _ if tour.is_done() && tour.is_last() => "This was the last stop.   ".to_owned(),
        _ if tour.is_done() => format!("{} goes on   ", name(Acts::Advance)),
        Task::Choose { choices, .. } => match choices.len() {
            2 => "1 or 2 answers   ".to_owned(),
            count => format!("1 to {count} answers   "),
        },
        Task::Reach { .. } => String::new(),
    };
    format!("{goes_on}{} leaves", name(Acts::Leave))
}
