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
    if app.update.theory.as_deref().is_some_and(|theory| !theory.applies()) {
        add("outside the model");
    }
    if app.update.summary.steadiness.is_saturated() {
        add("saturated");
    } else if app.update.summary.measured_from.is_none() {
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
            _ => None,
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

/// All lines from the top, each with its rank: 0 must be seen.
fn lines(app: &App) -> Vec<(u8, Line)> {
    let summary = &app.update.summary;
    let prediction = app.update.theory.as_deref().and_then(|it| it.prediction.as_ref().ok());
    let of_model = |part| prediction.and_then(|prediction| prediction.part(part));
    if app.has_circuits() {
        return circuit_lines(app, prediction);
    }
    let simulated = [summary.source_wait_mean(), summary.blocking_mean(), summary.transfer_mean];
    let mut lines = vec![(2, Line::Heading)];
    for ((part, simulated), nth) in Part::ALL.into_iter().zip(simulated).zip(0..) {
        let sign = Some(sign(app, nth));
        lines
            .push((0, Line::Figures { sign, name: part.name(), model: of_model(part), simulated }));
        if part == Part::Blocking {
            let model = prediction.and_then(blocking_per_hop);
            let simulated = simulated.zip(links_crossed(app)).map(|(cycles, hops)| cycles / hops);
            let name = "  per hop";
            lines.push((3, Line::Figures { sign: None, name, model, simulated }));
            // What else the model has in this part.
            let others = prediction.into_iter().flat_map(|prediction| &prediction.terms);
            for term in others.filter(|term| term.part == part).skip(1) {
                let (name, model) = (term.name, Some(term.cycles));
                lines.push((6, Line::Figures { sign: None, name, model, simulated: None }));
            }
        }
    }
    let model = prediction.map(|prediction| prediction.latency_mean);
    let total = summary.latency.map(|latency| latency.mean);
    lines.push((1, Line::Figures { sign: None, name: "latency", model, simulated: total }));
    if prediction.is_some() || total.is_some() {
        let parts = |of: [Option<f64>; 3]| of.map(|cycles| cycles.unwrap_or(0.0).max(0.0));
        lines.push((4, Line::Bar { of_model: true, parts: parts(Part::ALL.map(of_model)) }));
        lines.push((4, Line::Bar { of_model: false, parts: parts(simulated) }));
    }
    lines.push((5, Line::Words));
    lines
}

/// The same of circuits, whose parts are setting up, the data and the release. What a model says of
/// the waits inside the setting up cannot be measured apart and stands there without a comparison.
fn circuit_lines(app: &App, prediction: Option<&Prediction>) -> Vec<(u8, Line)> {
    let summary = &app.update.summary;
    let of_model = prediction.and_then(circuit_parts);
    // In the order in which a message meets them: set-up, data, release.
    let simulated = [summary.source_wait_mean(), summary.transfer_mean, summary.blocking_mean()];
    let mut lines = vec![(2, Line::Heading)];
    for (nth, name) in ["set-up", "data", "release"].into_iter().enumerate() {
        let model = of_model.map(|parts| parts[nth]);
        let (sign, simulated) = (Some(sign(app, nth)), simulated[nth]);
        lines.push((0, Line::Figures { sign, name, model, simulated }));
        if nth == 0 {
            for &(term, short) in SET_UP_TERMS {
                let terms = prediction.into_iter().flat_map(|prediction| &prediction.terms);
                for found in terms.filter(|found| found.name == term) {
                    let (name, model) = (short, Some(found.cycles));
                    lines.push((6, Line::Figures { sign: None, name, model, simulated: None }));
                }
            }
        }
    }
    let model = prediction.map(|prediction| prediction.latency_mean);
    let total = summary.latency.map(|latency| latency.mean);
    lines.push((1, Line::Figures { sign: None, name: "latency", model, simulated: total }));
    if prediction.is_some() || total.is_some() {
        let parts = of_model.unwrap_or_default();
        lines.push((4, Line::Bar { of_model: true, parts }));
        let parts = simulated.map(|cycles| cycles.unwrap_or(0.0).max(0.0));
        lines.push((4, Line::Bar { of_model: false, parts }));
    }
    lines.push((5, Line::Words));
    lines
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
    let machine = app.update.scenario.system.wormhole();
    let ends = machine.is_some_and(|machine| machine.terminals == Terminals::Channels);
    let terminals = if ends { 2.0 } else { 0.0 };
    app.update.summary.hops_mean.map(|hops| hops - terminals).filter(|&hops| hops > 0.0)
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

fn ending(pen: &mut Pen<'_>, end: i32, y: i32, text: &str, style: Style) {
    pen.text(end - text.chars().count() as i32, y, text, style);
}

fn heading(app: &App, pen: &mut Pen<'_>, y: i32) {
    let ends = columns(pen);
    let names =
        if is_wide(pen) { ["model", "simulated", "error"] } else { ["model", "sim.", "error"] };
    pen.text(0, y, app.times().symbol(), app.theme.dim());
    let styles = [app.theme.theory(), app.theme.measured(), app.theme.dim()];
    for ((name, end), style) in names.into_iter().zip(ends).zip(styles) {
        ending(pen, end, y, name, style);
    }
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
    ending(pen, ends[0], y, &model_text, style);
    // A term that is the model's alone has nothing beside it.
    if simulated.is_some() || model.is_none() || sign.is_some() || whole {
        ending(pen, ends[1], y, &words(simulated), style);
    }
    if let Some((model, simulated)) = model.zip(simulated) {
        let error = if simulated.abs() < LEAST {
            app.glyphs.dash.to_owned()
        } else {
            error_text(100.0 * (model / simulated - 1.0), is_wide(pen))
        };
        ending(pen, ends[2], y, &error, style);
    }
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
    let dashed = of_model && !app.update.theory.as_deref().is_some_and(Theory::applies);
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
