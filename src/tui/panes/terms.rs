//! The pane of the parts of the latency, predicted and simulated.
//!
//! The parts are waiting at the source, blocking and transfer, with the model's error, and both as
//! bars.

use ratatui::style::Style;

use super::latency::write_model;
use crate::live::Theory;
use crate::model::{Part, Prediction};
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;

/// The least mean, in cycles, with a meaningful error in per cent.
const LEAST: f64 = 0.05;

/// Predicted and simulated cycles.
type Cycles = [Option<f64>; 2];

/// The title, with any caveat.
pub(super) fn title(app: &Scene<'_>) -> String {
    let outside = app.theory().filter(|theory| !theory.applies()).map(|_| "outside model");
    let parts = [Some("latency by parts"), app.caveat().or(outside)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(app.glyphs.dot)
}

/// A line of the pane: the rank, 0 for indispensable lines, and the function that draws the line
/// into a row.
type Line<'a> = (u8, Box<dyn Fn(&mut Pen<'_>, i32) + 'a>);

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let rows = usize::from(pen.height());
    let lines = lines(app);
    // Whole ranks are shown, the most important first, while the pane has room.
    let fits = |most: &u8| lines.iter().filter(|(rank, _)| rank <= most).count() <= rows;
    let most = (0..=6).take_while(fits).last().unwrap_or(0);
    for (y, (_, line)) in (0..).zip(lines.iter().filter(|(rank, _)| *rank <= most).take(rows)) {
        line(pen, y);
    }
}

/// A part of the latency: name, cycles, and lines below with their ranks.
type Share = (&'static str, Cycles, Vec<(u8, &'static str, Cycles)>);

/// All lines, from top to bottom.
fn lines<'a>(app: &'a Scene<'_>) -> Vec<Line<'a>> {
    let prediction = app.prediction();
    let shares =
        if app.has_circuits() { of_circuits(app, prediction) } else { of_worms(app, prediction) };
    let bars = [0, 1]
        .map(|at: usize| [0, 1, 2].map(|nth: usize| shares[nth].1[at].unwrap_or(0.0).max(0.0)));
    let row = |rank, name: (Option<char>, &'static str), cycles| -> Line<'_> {
        (rank, Box::new(move |pen, y| figures(app, pen, y, name, cycles)))
    };
    let mut lines: Vec<Line<'_>> = vec![(2, Box::new(|pen, y| heading(app, pen, y)))];
    for (nth, (name, cycles, under)) in shares.into_iter().enumerate() {
        lines.push(row(0, (Some(sign(app, nth)), name), cycles));
        lines.extend(under.into_iter().map(|(rank, name, cycles)| row(rank, (None, name), cycles)));
    }
    let model = prediction.map(|prediction| prediction.latency_mean);
    let total = app.summary().latency.map(|latency| latency.mean);
    lines.push(row(1, (None, "latency"), [model, total]));
    if model.or(total).is_some() {
        let longest = bars.iter().map(|parts| parts.iter().sum()).fold(0.0, f64::max);
        for (of_model, parts) in [true, false].into_iter().zip(bars) {
            let bar = move |pen: &mut Pen<'_>, y| bar(app, pen, y, of_model, (parts, longest));
            lines.push((4, Box::new(bar)));
        }
    }
    lines.push((5, Box::new(|pen, y| write_model(app, pen, y))));
    lines
}

/// The parts of a worm's latency: waiting at the source, blocking and transfer.
fn of_worms(app: &Scene<'_>, prediction: Option<&Prediction>) -> [Share; 3] {
    let summary = app.summary();
    let simulated = [summary.source_wait_mean(), summary.blocking_mean(), summary.transfer_mean];
    [0, 1, 2].map(|nth: usize| {
        let part = Part::ALL[nth];
        let model = prediction.and_then(|prediction| prediction.part(part));
        let mut under = Vec::new();
        if part == Part::Blocking {
            let hops = prediction.and_then(|it| it.hops_mean).filter(|&hops| hops > 0.0);
            let per_hop = |(cycles, hops): (f64, f64)| cycles / hops;
            let measured = simulated[nth].zip(links_crossed(app)).map(per_hop);
            under.push((3, "  (per hop)", [model.zip(hops).map(per_hop), measured]));
            // Further terms of the model in the same part.
            let terms = prediction.into_iter().flat_map(|prediction| &prediction.terms);
            let others = terms.filter(|term| term.part == part).skip(1);
            let short = |name| if name == BEHIND { "  behind others" } else { name };
            under.extend(others.map(|term| (6, short(term.name), [Some(term.cycles), None])));
            let waits = summary.head_waits_mean.into_iter().flatten();
            under.extend(
                HEAD_WAITS.iter().zip(waits).map(|(name, wait)| (6, *name, [None, Some(wait)])),
            );
        }
        (part.name(), [model, simulated[nth]], under)
    })
}

/// The model's term of the wait for the end of other messages in a buffer.
const BEHIND: &str = "behind others in buffers";

/// The waits of heads in pipelined routers.
const HEAD_WAITS: [&str; 4] = ["  in buffers", "  for VCs", "  for crossbars", "  for credits"];

/// The parts of a circuit's latency: set-up, data and release. The model's terms of waits within
/// the set-up cannot be measured separately and have no simulated figure.
fn of_circuits(app: &Scene<'_>, prediction: Option<&Prediction>) -> [Share; 3] {
    let summary = app.summary();
    let terms = || prediction.into_iter().flat_map(|prediction| &prediction.terms);
    let under = SET_UP_TERMS.iter().flat_map(|&(term, short)| {
        let found = terms().filter(move |found| found.name == term);
        found.map(move |found| (6, short, [Some(found.cycles), None]))
    });
    let [set_up, release, data] = Part::ALL.map(|part| prediction.and_then(|it| it.part(part)));
    // Parts are in the order of a message's progress.
    [
        ("set-up", [set_up, summary.source_wait_mean()], under.collect()),
        ("data", [data, summary.transfer_mean], Vec::new()),
        ("release", [release, summary.blocking_mean()], Vec::new()),
    ]
}

/// The model's terms of the set-up, except waits for controllers, with their short names.
const SET_UP_TERMS: &[(&str, &str)] = &[
    ("waiting for links", "  for links"),
    ("back-off", "  back-off"),
    ("undone by aborts", "  undone"),
    ("verification and connection", "  served"),
    ("acknowledgement", "  acknowl."),
];

/// The character of a part in its bar.
fn sign(app: &Scene<'_>, part: usize) -> char {
    app.glyphs.shade[[1, 2, 4][part]]
}

/// The mean number of links per message, without channels of terminals.
fn links_crossed(app: &Scene<'_>) -> Option<f64> {
    let terminals = f64::from(app.system().terminal_hops());
    app.summary().hops_mean.map(|hops| hops - terminals).filter(|&hops| hops > 0.0)
}

/// True if the pane has room for long words.
fn is_wide(pen: &Pen<'_>) -> bool {
    pen.width() >= 40
}

/// The ends of the three columns of figures.
fn columns(pen: &Pen<'_>) -> [i32; 3] {
    let width = i32::from(pen.width()).min(48);
    if is_wide(pen) { [width - 19, width - 8, width] } else { [width - 13, width - 7, width] }
}

/// Writes three right-aligned figures: predicted, simulated, and the error.
pub(super) fn three(pen: &mut Pen<'_>, ends: [i32; 3], y: i32, texts: [(&str, Style); 3]) {
    for (end, (text, style)) in ends.into_iter().zip(texts) {
        pen.ending(end, y, text, style);
    }
}

fn heading(app: &Scene<'_>, pen: &mut Pen<'_>, y: i32) {
    pen.text(0, y, app.times().symbol(), app.theme.dim());
    headings(app, pen, columns(pen), y, if is_wide(pen) { "simulated" } else { "sim." });
}

/// Writes the headings of the three columns.
pub(super) fn headings(
    app: &Scene<'_>,
    pen: &mut Pen<'_>,
    ends: [i32; 3],
    y: i32,
    simulated: &str,
) {
    let theme = app.theme;
    let texts = [("model", theme.theory()), (simulated, theme.measured()), ("error", theme.dim())];
    three(pen, ends, y, texts);
}

fn figures(
    app: &Scene<'_>,
    pen: &mut Pen<'_>,
    y: i32,
    (sign, name): (Option<char>, &str),
    [model, simulated]: Cycles,
) {
    let whole = name == "latency";
    let style = if whole { app.theme.strong() } else { app.theme.text() };
    let (ends, times, wide) = (columns(pen), app.times(), is_wide(pen));
    let words = |cycles: Option<f64>| {
        let text = |cycles| time_text(times.of(cycles), times.in_cycles(), wide);
        cycles.map_or_else(|| app.glyphs.dash.to_owned(), text)
    };
    let model_text = words(model);
    // Terms known only to the model have no simulated figure.
    let alone = simulated.is_none() && model.is_some() && sign.is_none() && !whole;
    let simulated_text = if alone { String::new() } else { words(simulated) };
    let error = match model.zip(simulated) {
        None => String::new(),
        Some((_, simulated)) if simulated.abs() < LEAST => app.glyphs.dash.to_owned(),
        Some((model, simulated)) => error_text(100.0 * (model / simulated - 1.0), wide),
    };
    let x = if sign.is_some() { 2 } else { 0 };
    if let Some(sign) = sign {
        pen.put(0, y, sign, app.theme.measured());
    }
    let room = ends[0] - model_text.chars().count() as i32 - 1 - x;
    let cut = name.chars().count() as i32 > room;
    let kept = if cut { (room - 1).max(0) as usize } else { usize::MAX };
    let kept = name.chars().take(kept).chain(cut.then_some(app.glyphs.ellipsis));
    pen.text(x, y, &kept.collect::<String>(), if whole { style } else { app.theme.dim() });
    three(pen, ends, y, [&*model_text, &simulated_text, &error].map(|text| (text, style)));
}

/// Formats a time in at most five characters up to 99 999 cycles; in six for circuits in wide
/// panes, since services take thousandths of the unit.
fn time_text(time: f64, in_cycles: bool, wide: bool) -> String {
    let decimals = match time.abs() {
        n if n >= 999.95 && in_cycles => 0,
        n if n >= 99.995 => 1,
        n if n >= 9.9995 || in_cycles => 2,
        _ if wide => 4,
        _ => 3,
    };
    format!("{time:.decimals$}")
}

/// Formats an error with its sign, in at most six characters unless `wide`.
pub(super) fn error_text(per_cent: f64, wide: bool) -> String {
    let unit = if wide { " %" } else { "%" };
    // Zero has no sign.
    if per_cent.abs() < 0.05 {
        return format!("0.0{unit}");
    }
    if per_cent >= 999.5 {
        format!(">999{unit}")
    } else if per_cent.abs() >= 99.95 {
        format!("{per_cent:+.0}{unit}")
    } else {
        format!("{per_cent:+.1}{unit}")
    }
}

/// Draws the parts as one bar; the model's bar has gaps if an assumption is violated.
fn bar(
    app: &Scene<'_>,
    pen: &mut Pen<'_>,
    y: i32,
    of_model: bool,
    (parts, longest): ([f64; 3], f64),
) {
    let (name, style) =
        if of_model { ("model", app.theme.theory()) } else { ("simulated", app.theme.measured()) };
    pen.text(0, y, name, style);
    let from = 10;
    let room = i32::from(pen.width()).min(48) - from;
    if room < 4 || longest <= 0.0 {
        return;
    }
    let dashed = of_model && !app.theory().is_some_and(Theory::applies);
    let (mut sum, mut x) = (0.0, 0);
    for (part, cycles) in parts.iter().enumerate() {
        sum += cycles;
        let end = (sum / longest * f64::from(room)).round() as i32;
        let drawn = (x..end).filter(|at| !(dashed && at % 3 == 2));
        pen.each(drawn.map(|at| (from + at, y)), sign(app, part), style);
        x = x.max(end);
    }
}

#[cfg(test)]
mod tests;
