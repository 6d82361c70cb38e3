//! The strip of a comparison: differences between two runs, in total and message by message.

use ratatui::style::Style;

use super::app::App;
use super::pen::plural;
use super::pen::{Pen, grouped};
use super::run_view::RunView;
use super::scene::Scene;
use crate::ids::ChannelId;
use crate::live::Measured;
use crate::session::pairs::PairsSummary;
use crate::session::verdict;
use crate::stats::Steadiness;

/// A figure of the strip; figures without enough space are omitted as a whole.
type Item = (String, Style);

/// The strip's title: the difference's direction, and warnings about provisional figures.
pub fn title(app: &App) -> String {
    let dash = if app.glyphs.ascii { "-" } else { "−" };
    let mut parts = vec![format!("B {dash} A")];
    if app.all().any(|run| run.summary().measured_from.is_none()) {
        parts.push("warming up".to_owned());
    }
    let state = |run: Scene<'_>| match run.summary().steadiness {
        Steadiness::Saturated => Some(format!("{} saturated", run.letter()?)),
        Steadiness::Deadlocked => Some(format!("{} stands still", run.letter()?)),
        Steadiness::Steady | Steadiness::Finite | Steadiness::TooShort => None,
    };
    parts.extend(app.all().filter_map(state));
    parts.join(app.glyphs.dot)
}

/// Draws the strip's interior.
pub fn draw(app: &App, pen: &mut Pen<'_>) {
    let Some(both) = app.shown().both() else { return };
    let compares = both.iter().all(has_means);
    let all = figures(app, both, compares);
    let by_message = if let Some(pairs) = app.update.pairs {
        messages(app, &pairs, compares)
    } else {
        let text = "the two do not send the same messages: none are compared one by one";
        vec![(text.to_owned(), app.theme.dim())]
    };
    // A strip of one line shows the comparison by message, and for growing runs also the accepted
    // loads.
    let lines = match (pen.height() > 1, compares) {
        (true, _) => vec![all, by_message],
        (false, true) => vec![by_message],
        (false, false) => {
            let mut line = by_message;
            let accepted = all.into_iter().next();
            if let Some(item) = accepted {
                line.insert(line.len().min(1), item);
            }
            vec![line]
        }
    };
    for (y, items) in (0..).zip(lines) {
        let mut x = 0;
        for (text, style) in items {
            if x + text.chars().count() as i32 <= i32::from(pen.width()) {
                x = pen.text(x, y, &text, style) + 3;
            }
        }
    }
}

/// True if the run's mean and quantiles are comparable. A growing or deadlocked run has figures of
/// arrived messages only.
fn has_means(run: &Scene<'_>) -> bool {
    let update = &run.update;
    let saturated = verdict::announced_at(&update.scenario, update.rate, run.summary()).is_some();
    !saturated && !run.summary().is_growing() && run.deadlock().is_none()
}

/// Name, value, format of a difference, and true if also shown in per cent.
type Figure<'a> = (&'static str, fn(&RunView) -> Option<f64>, &'a dyn Fn(f64) -> String, bool);

/// Number of latency figures, listed first.
const LATENCIES: usize = 2;

/// Differences of the totals; latencies are included only if `compares` is true.
fn figures(app: &App, [first, second]: [Scene<'_>; 2], compares: bool) -> Vec<Item> {
    let (theme, times) = (app.theme, app.times());
    let rows: [Figure<'_>; 5] = [
        ("mean", |run| Some(run.summary().latency?.mean), &|it| times.mean(it), true),
        (
            "p99",
            |run| run.summary().latency_p99.map(|it| it as f64),
            &|it| times.exact(it as u64),
            false,
        ),
        ("accepted", |run| run.summary().accepted, &|it| format!("{it:.4}"), true),
        ("busiest link", busiest, &|it| format!("{it:.3}"), false),
        ("blocked", |run| Some(run.waiting() as f64), &|it| format!("{it:.0}"), false),
    ];
    let standing = app.other_deadlock().map(|standing| (standing, theme.alarm()));
    let rows = rows.into_iter().skip(if compares { 0 } else { LATENCIES });
    let rows = rows.filter_map(|(name, of, text, shared)| {
        let (one, two) = of(&first).zip(of(&second))?;
        let share = if shared { share(app, one, two) } else { String::new() };
        let first = if compares { "mean" } else { "accepted" };
        let style = if name == first { theme.strong() } else { theme.text() };
        Some((format!("{name} {}{share}", signed(app, two - one, text)), style))
    });
    standing.into_iter().chain(rows).collect()
}

/// Differences of paired messages, with an interval only if `compares` is true.
fn messages(app: &App, pairs: &PairsSummary, compares: bool) -> Vec<Item> {
    let (theme, times) = (app.theme, app.times());
    let paired = &pairs.paired;
    let mut items = Vec::new();
    match paired.difference {
        None => items
            .push(("no message since the warm-up has arrived in both yet".to_owned(), theme.dim())),
        Some(difference) => {
            // A difference of means has a smaller error than the means.
            let fine = |cycles| times.fixed(cycles, [2, 4]);
            let mean = signed(app, difference.mean, fine);
            let half_width = difference.half_width.filter(|_| compares);
            let half_width = half_width
                .map_or(String::new(), |half| format!(" {} {}", app.glyphs.plus_minus, fine(half)));
            let so_far = if compares { "" } else { " so far" };
            let text = format!("message by message {mean}{half_width} {}{so_far}", times.symbol());
            items.push((text, theme.strong()));
            let percent = |count: u64| 100.0 * count as f64 / paired.both.max(1) as f64;
            let parts =
                [("earlier in B", paired.earlier), ("same", paired.same), ("later", paired.later)];
            for (what, count) in parts {
                items.push((format!("{what} {:.1} %", percent(count)), theme.text()));
            }
            items.push((format!("n {}", grouped(paired.both)), theme.text()));
        }
    }
    for (letter, count) in ["A", "B"].into_iter().zip(pairs.only) {
        items.push((format!("only in {letter} {}", grouped(count)), theme.dim()));
    }
    if pairs.one_in > 1 {
        items.push((format!("of every {}", plural(pairs.one_in, "message")), theme.dim()));
    }
    items
}

fn signed(app: &App, difference: f64, text: impl Fn(f64) -> String) -> String {
    let text = text(difference.abs());
    // A value rounded to zero has no sign.
    if !text.contains(|letter: char| ('1'..='9').contains(&letter)) {
        return text;
    }
    let sign = if difference < 0.0 { app.glyphs.below[0] } else { '+' };
    format!("{sign}{text}")
}

/// The relative difference of `second` from `first` in per cent.
fn share(app: &App, first: f64, second: f64) -> String {
    if first == 0.0 {
        return String::new();
    }
    let percent = (second / first - 1.0) * 100.0;
    format!(" ({} %)", signed(app, percent, |it| format!("{it:.1}")))
}

/// The use of the busiest link since the warm-up.
fn busiest(run: &RunView) -> Option<f64> {
    let links = (0..run.network().links()).map(ChannelId::new);
    links.filter_map(|link| Measured::flow(&run.update, link).measured).reduce(f64::max)
}
