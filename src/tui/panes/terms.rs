//! Where the latency goes: waiting at the source, blocking and transfer, as the model has them and
//! as they were simulated, with the model's error; and both as bars.

use ratatui::style::Style;

use super::latency::model_words;
use crate::live::Theory;
use crate::model::{Part, Prediction};
use crate::switching::Terminals;
use crate::tui::app::App;
use crate::tui::pen::Pen;

/// A mean below this, in cycles, is too small for an error in per cent to mean anything.
const LEAST: f64 = 0.05;

/// The title: what it is, and why it is to be taken with care.
pub(super) fn title(app: &App) -> String {
    let mut title = "latency by parts".to_owned();
    let mut add = |what: &str| {
        title.push_str(app.glyphs.dot);
        title.push_str(what);
    };
    if app.theory().is_some_and(|theory| !theory.applies()) {
        add("outside the model");
    }
    if app.summary().steadiness.is_saturated() {
        add("saturated");
    } else if app.summary().measured_from.is_none() {
        add("warming up");
    }
    title
}

/// A line of the pane.
enum Line {
    /// Headings of the columns.
    Heading,
    /// A name, and cycles by the model and as simulated.
    Figures { sign: Option<char>, name: &'static str, model: Option<f64>, simulated: Option<f64> },
    /// Stacked parts in cycles.
    Bar { of_model: bool, parts: [f64; 3] },
    /// What the model says of itself.
    Words,
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let rows = usize::from(pen.height());
    let mut lines = lines(app);
    // Least important last: whole ranks while there is room.
    let mut most = 0;
    for rank in 0..=6 {
        if lines.iter().filter(|(of, _)| *of <= rank).count() > rows {
            break;
        }
        most = rank;
    }
    lines.retain(|(rank, _)| *rank <= most);
    let longest = lines
        .iter()
        .filter_map(|(_, line)| match line {
            Line::Bar { parts, .. } => Some(parts.iter().sum()),
            Line::Heading | Line::Figures { .. } | Line::Words => None,
        })
        .fold(0.0, f64::max);
    for (y, (_, line)) in lines.iter().take(rows).enumerate() {
        let y = y as i32;
        match line {
            Line::Heading => heading(app, pen, y),
            Line::Figures { sign, name, model, simulated } => {
                figures(app, pen, y, (*sign, name), (*model, *simulated));
            }
            Line::Bar { of_model, parts } => bar(app, pen, y, *of_model, (parts, longest)),
            Line::Words => {
                let (words, style) = model_words(app);
                pen.cut(0, y, &words, app.glyphs.ellipsis, style);
            }
        }
    }
}

/// A part of the latency: cycles by the model and as simulated, and what is told of under it, each
/// with its rank.
struct Share {
    name: &'static str,
    cycles: [Option<f64>; 2],
    under: Vec<(u8, &'static str, [Option<f64>; 2])>,
}

/// All lines from the top, each with its rank: 0 must be seen.
fn lines(app: &App) -> Vec<(u8, Line)> {
    let prediction = app.theory().and_then(|it| it.prediction.as_ref().ok());
    let shares =
        if app.has_circuits() { of_circuits(app, prediction) } else { of_worms(app, prediction) };
    let figures = |sign, name, [model, simulated]: [Option<f64>; 2]| Line::Figures {
        sign,
        name,
        model,
        simulated,
    };
    let mut lines = vec![(2, Line::Heading)];
    for (nth, share) in shares.iter().enumerate() {
        lines.push((0, figures(Some(sign(app, nth)), share.name, share.cycles)));
        let under = share.under.iter();
        lines.extend(under.map(|&(rank, name, cycles)| (rank, figures(None, name, cycles))));
    }
    let model = prediction.map(|prediction| prediction.latency_mean);
    let total = app.summary().latency.map(|latency| latency.mean);
    lines.push((1, figures(None, "latency", [model, total])));
    if prediction.is_some() || total.is_some() {
        for (at, of_model) in [true, false].into_iter().enumerate() {
            let parts = [0, 1, 2].map(|nth: usize| shares[nth].cycles[at].unwrap_or(0.0).max(0.0));
            lines.push((4, Line::Bar { of_model, parts }));
        }
    }
    lines.push((5, Line::Words));
    lines
}

/// Waiting at the source, blocking and transfer.
fn of_worms(app: &App, prediction: Option<&Prediction>) -> [Share; 3] {
    let summary = app.summary();
    let simulated = [summary.source_wait_mean(), summary.blocking_mean(), summary.transfer_mean];
    [0, 1, 2].map(|nth: usize| {
        let part = Part::ALL[nth];
        let model = prediction.and_then(|prediction| prediction.part(part));
        let mut under = Vec::new();
        if part == Part::Blocking {
            let model = prediction.and_then(blocking_per_hop);
            let per_hop = |(cycles, hops): (f64, f64)| cycles / hops;
            let simulated = simulated[nth].zip(links_crossed(app)).map(per_hop);
            under.push((3, "  per hop", [model, simulated]));
            // What else the model has in this part.
            let terms = prediction.into_iter().flat_map(|prediction| &prediction.terms);
            let others = terms.filter(|term| term.part == part).skip(1);
            under.extend(others.map(|term| (6, term.name, [Some(term.cycles), None])));
        }
        Share { name: part.name(), cycles: [model, simulated[nth]], under }
    })
}

/// Setting up, the data and the release. What a model says of the waits inside the setting up cannot
/// be measured apart and stands there without a comparison.
fn of_circuits(app: &App, prediction: Option<&Prediction>) -> [Share; 3] {
    let summary = app.summary();
    let of_model = prediction.and_then(circuit_parts);
    // In the order in which a message meets them.
    let simulated = [summary.source_wait_mean(), summary.transfer_mean, summary.blocking_mean()];
    let set_up = SET_UP_TERMS.iter().flat_map(|&(term, short)| {
        let terms = prediction.into_iter().flat_map(|prediction| &prediction.terms);
        let found = terms.filter(move |found| found.name == term);
        found.map(move |found| (6, short, [Some(found.cycles), None]))
    });
    let mut under = [set_up.collect(), Vec::new(), Vec::new()].into_iter();
    [0, 1, 2].map(|nth: usize| Share {
        name: ["set-up", "data", "release"][nth],
        cycles: [of_model.map(|parts| parts[nth]), simulated[nth]],
        under: under.next().unwrap_or_default(),
    })
}

/// The model's terms of setting up (that of waiting for controllers also has the waits of the
/// release in it), and their names here.
const SET_UP_TERMS: &[(&str, &str)] = &[
    ("waiting for links", "  for links"),
    ("back-off", "  back-off"),
    ("undone by aborts", "  undone"),
    ("verification and connection", "  served"),
    ("acknowledgement", "  acknowl."),
];

/// The model's latency in the three parts that are measured of circuits: until the data start, the
/// data, and until the last link is back. They add up to it.
fn circuit_parts(prediction: &Prediction) -> Option<[f64; 3]> {
    let set_up = prediction.circuits?.set_up_cycles;
    let data = prediction.terms.iter().find(|term| term.name == "data")?.cycles;
    Some([set_up, data, (prediction.latency_mean - set_up - data).max(0.0)])
}

/// The character of a part in its bar.
fn sign(app: &App, part: usize) -> char {
    app.glyphs.shade[[1, 2, 4][part]]
}

fn blocking_per_hop(prediction: &Prediction) -> Option<f64> {
    let hops = prediction.hops_mean.filter(|&hops| hops > 0.0)?;
    Some(prediction.part(Part::Blocking)? / hops)
}

/// Links of the mean way, channels of terminals left out.
fn links_crossed(app: &App) -> Option<f64> {
    let machine = app.system().wormhole();
    let ends = machine.is_some_and(|machine| machine.terminals == Terminals::Channels);
    let terminals = if ends { 2.0 } else { 0.0 };
    app.summary().hops_mean.map(|hops| hops - terminals).filter(|&hops| hops > 0.0)
}

/// Whether words need not be short.
fn is_wide(pen: &Pen<'_>) -> bool {
    pen.width() >= 40
}

/// Where the three columns of figures end.
fn columns(pen: &Pen<'_>) -> [i32; 3] {
    let width = i32::from(pen.width()).min(48);
    if is_wide(pen) { [width - 19, width - 8, width] } else { [width - 13, width - 7, width] }
}

/// Writes three figures that end at these columns: of the model, as simulated, and the error.
pub(super) fn three(pen: &mut Pen<'_>, ends: [i32; 3], y: i32, texts: [(&str, Style); 3]) {
    for (end, (text, style)) in ends.into_iter().zip(texts) {
        pen.ending(end, y, text, style);
    }
}

/// The headings of three such columns.
pub(super) fn headings(app: &App, pen: &mut Pen<'_>, ends: [i32; 3], y: i32, simulated: &str) {
    let theme = app.theme;
    let texts = [("model", theme.theory()), (simulated, theme.measured()), ("error", theme.dim())];
    three(pen, ends, y, texts);
}

fn heading(app: &App, pen: &mut Pen<'_>, y: i32) {
    pen.text(0, y, app.times().symbol(), app.theme.dim());
    headings(app, pen, columns(pen), y, if is_wide(pen) { "simulated" } else { "sim." });
}

fn figures(
    app: &App,
    pen: &mut Pen<'_>,
    y: i32,
    (sign, name): (Option<char>, &str),
    (model, simulated): (Option<f64>, Option<f64>),
) {
    let whole = name == "latency";
    let style = if whole { app.theme.strong() } else { app.theme.text() };
    let mut x = 0;
    if let Some(sign) = sign {
        pen.put(0, y, sign, app.theme.measured());
        x = 2;
    }
    let ends = columns(pen);
    let (times, wide) = (app.times(), is_wide(pen));
    let words = |cycles: Option<f64>| match cycles {
        None => app.glyphs.dash.to_owned(),
        Some(cycles) if times.in_cycles() => cycles_text(cycles),
        Some(cycles) => time_text(times.unit.of(cycles), wide),
    };
    let model_text = words(model);
    let room = ends[0] - model_text.chars().count() as i32 - 1 - x;
    let name = if name.chars().count() as i32 > room {
        let kept = name.chars().take((room - 1).max(0) as usize);
        kept.chain([app.glyphs.ellipsis]).collect()
    } else {
        name.to_owned()
    };
    pen.text(x, y, &name, if whole { style } else { app.theme.dim() });
    // A term that is the model's alone has nothing beside it.
    let alone = simulated.is_none() && model.is_some() && sign.is_none() && !whole;
    let simulated_text = if alone { String::new() } else { words(simulated) };
    let error = match model.zip(simulated) {
        None => String::new(),
        Some((_, simulated)) if simulated.abs() < LEAST => app.glyphs.dash.to_owned(),
        Some((model, simulated)) => error_text(100.0 * (model / simulated - 1.0), wide),
    };
    let texts = [&*model_text, &simulated_text, &error].map(|text| (text, style));
    three(pen, ends, y, texts);
}

/// A time of circuits in at most five characters, six where it is wide: services take thousandths of
/// the unit.
fn time_text(time: f64, wide: bool) -> String {
    match time.abs() {
        n if n >= 99.995 => format!("{time:.1}"),
        n if n >= 9.9995 => format!("{time:.2}"),
        _ if wide => format!("{time:.4}"),
        _ => format!("{time:.3}"),
    }
}

/// At most five characters up to 99 999 cycles.
fn cycles_text(cycles: f64) -> String {
    match cycles.abs() {
        n if n >= 999.95 => format!("{cycles:.0}"),
        n if n >= 99.995 => format!("{cycles:.1}"),
        _ => format!("{cycles:.2}"),
    }
}

/// An error with its sign, at most six characters.
pub(super) fn error_text(per_cent: f64, wide: bool) -> String {
    let unit = if wide { " %" } else { "%" };
    // No sign before a zero.
    if per_cent.abs() < 0.05 {
        return format!("0.0{unit}");
    }
    if per_cent.abs() >= 99.95 {
        format!("{:+.0}{unit}", per_cent.clamp(-999.0, 999.0))
    } else {
        format!("{per_cent:+.1}{unit}")
    }
}

/// The parts one behind the other; the model's with gaps where it is outside its assumptions.
fn bar(app: &App, pen: &mut Pen<'_>, y: i32, of_model: bool, (parts, longest): (&[f64; 3], f64)) {
    let (name, style) =
        if of_model { ("model", app.theme.theory()) } else { ("simulated", app.theme.measured()) };
    pen.text(0, y, name, style);
    let from = 10;
    let room = i32::from(pen.width()).min(48) - from;
    if room < 4 || longest <= 0.0 {
        return;
    }
    let dashed = of_model && !app.theory().is_some_and(Theory::applies);
    let mut sum = 0.0;
    let mut x = 0;
    for (part, cycles) in parts.iter().enumerate() {
        sum += cycles;
        let end = (sum / longest * f64::from(room)).round() as i32;
        for at in x..end {
            if !(dashed && at % 3 == 2) {
                pen.put(from + at, y, sign(app, part), style);
            }
        }
        x = x.max(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_to_their_columns() {
        for cycles in [0.0, 9.999, 99.99, 100.0, 999.94, 999.96, 12_345.6] {
            assert!(cycles_text(cycles).len() <= 6, "{}", cycles_text(cycles));
        }
        assert_eq!(error_text(-1.62, true), "-1.6 %");
        assert_eq!(error_text(-51.62, false), "-51.6%");
        assert_eq!(error_text(-0.04, true), "0.0 %");
        assert_eq!(error_text(1e9, true), "+999 %");
    }
}
