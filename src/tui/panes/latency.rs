//! The pane of the latency histogram, in logarithmic bins.
//!
//! Quantiles are under the axis; the model's mean, density and upper bound are over the bars.
//!
//! Circuits have a second histogram of set-up times. Two runs share a histogram, each in shares of
//! its own messages: the first run is filled, the second an outline.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::by_class;
use super::chart::{Dots, Stroke};
use super::loads::margins;
use super::scale::Scale;
use crate::live::{Latencies, Theory, Update};
use crate::model::spread::Spread;
use crate::model::stated_error::StatedError;
use crate::model::{Mismatch, Unsolved};
use crate::stats::Steadiness;
use crate::tui::pen::{Pen, grouped, wrap, wrap_clauses};
use crate::tui::scene::Scene;

/// The title, with the number of messages and any caveat.
pub(super) fn title(app: &Scene<'_>) -> String {
    let of = app.letter().map_or(String::new(), |letter| format!(" of {letter}"));
    let shown = by_class::selected(app).map_or(&app.run.update.latencies, |(_, _, it)| it);
    let count = format!("n {}", grouped(shown.count));
    let parts = [Some(&*format!("latency{of}")), Some(&count), app.caveat()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(app.glyphs.dot)
}

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let (width, height) = (pen.width(), i32::from(pen.height()));
    let summary = app.summary();
    if app.update.latencies.count == 0 {
        pen.text(1, 0, "no message has arrived yet", app.theme.dim());
        if height > 1 {
            write_model(app, pen, height - 1);
        }
        return;
    }
    // The model's status takes the lines that the bars can spare.
    let spare = if height == 7 { 1 } else { (height - 8).clamp(0, 4) } as usize;
    let (words, style) = match by_class::lines(app, width, 1 + spare) {
        Some(lines) => (lines, app.theme.text()),
        None => model_lines(app, width, 1 + spare),
    };
    let text_rows = if height >= 9 { 2 } else { 1 } + words.len() as i32;
    let selected = by_class::selected(app);
    let quantiles = match selected {
        Some((_, figures, _)) => [figures.latency_p50, figures.latency_p95, figures.latency_p99],
        None => [summary.latency_p50, summary.latency_p95, summary.latency_p99],
    };
    let quantiles = ["p50", "p95", "p99"]
        .into_iter()
        .zip(quantiles)
        .filter_map(|(name, value)| Some((name, value?)));
    let quantiles: Vec<(&str, u64)> = quantiles.filter(|_| height >= 9).collect();
    let bars = height - 1 - text_rows.min(height - 2).max(0);
    if bars >= 2 {
        let ticks = quantiles.iter().map(|&(_, value)| value).collect();
        for (left, width, chart) in charts(app, ticks, width) {
            let area = Rect::new(left, 0, width, bars as u16 + 1);
            chart.draw(app, &mut pen.within(area), bars);
        }
    }
    let mut y = (height - text_rows).max(0);
    let mut line = String::new();
    if height >= 9 {
        let mut add = |part: String, most: u16| {
            if line.chars().count() + part.chars().count() <= usize::from(most) {
                line.push_str(&part);
            }
        };
        for (name, value) in quantiles {
            let value = app.times().exact(value);
            add(format!("{}{name} {value}  ", app.glyphs.tick), width + 2);
        }
        if let Some(bound) = app.theory().and_then(|theory| theory.bound) {
            add(format!("bound {}  ", app.times().exact(bound)), width + 2);
        }
        let network = summary.network_latency_mean.filter(|_| selected.is_none());
        // The breakdown pane covers circuits.
        if let Some(network) = network.filter(|_| app.times().in_cycles()) {
            add(format!("in network {network:.1}"), width);
        }
        pen.text(0, y, line.trim_end(), app.theme.text());
        y += 1;
    }
    let p99 = summary.latency_p99.filter(|_| !line.contains("p99"));
    figures(app, pen, y, p99);
    for (y, line) in (y + 1..).zip(words) {
        pen.cut(0, y, &line, app.glyphs.ellipsis, style);
    }
}

/// The histograms with their first columns and widths: one of latencies over all columns or, for
/// circuits, also one of set-up times.
fn charts<'a>(app: &Scene<'a>, ticks: Vec<u64>, width: u16) -> Vec<(u16, u16, Chart<'a>)> {
    let Update { latencies, set_ups, .. } = &*app.run.update;
    let predicted = app.theory().and_then(Theory::latency_mean);
    let spread = app.run.prediction().and_then(|it| it.spread.as_ref());
    let bound = app.theory().and_then(|theory| theory.bound);
    let whole =
        Chart { filled: latencies, outline: None, predicted, bound, spread, ticks, name: None };
    if let Some([filled, outline]) = app.both().map(|both| both.map(|it| &it.run.update.latencies))
    {
        let outline = Some(outline);
        let name = Some("A filled, B line");
        return vec![(0, width, Chart { filled, outline, name, spread: None, ..whole })];
    }
    if let Some((class, _, filled)) = by_class::selected(app) {
        let name = Some(&*class.name);
        let of_class = Chart { filled, name, predicted: None, bound: None, spread: None, ..whole };
        return vec![(0, width, of_class)];
    }
    if set_ups.count == 0 || width < 30 {
        return vec![(0, width, whole)];
    }
    let predicted = app.prediction().and_then(|it| Some(it.circuits?.set_up_cycles));
    let name = Some("set-up");
    let ticks = Vec::new();
    let beside =
        Chart { filled: set_ups, outline: None, predicted, bound: None, spread: None, ticks, name };
    let half = width / 2 - 1;
    vec![(0, half, Chart { name: Some("latency"), ..whole }), (width - half, half, beside)]
}

struct Chart<'a> {
    filled: &'a Latencies,
    /// A second histogram, drawn as a line.
    outline: Option<&'a Latencies>,
    predicted: Option<f64>,
    /// An upper bound on all latencies, in cycles.
    bound: Option<u64>,
    /// The model's latency distribution, drawn as a line over the bars.
    spread: Option<&'a Spread>,
    /// Cycles marked with ticks on the axis.
    ticks: Vec<u64>,
    /// The name, if there are two histograms.
    name: Option<&'a str>,
}

impl Chart<'_> {
    fn draw(&self, app: &Scene<'_>, pen: &mut Pen<'_>, bars: i32) {
        let histograms = std::iter::once(self.filled).chain(self.outline);
        let bound = self.bound.map(|bound| bound as f64);
        let scale = Scale::new(histograms, self.predicted, bound, i32::from(pen.width()));
        self.columns(app, pen, &scale, bars);
        pen.text(0, 0, self.name.unwrap_or_default(), app.theme.dim());
        self.axis(app, pen, &scale, bars);
    }

    fn columns(&self, app: &Scene<'_>, pen: &mut Pen<'_>, scale: &Scale, rows: i32) {
        let counts = scale.shares(self.filled);
        let second = self.outline.map(|outline| (scale.shares(outline), app.theme.hue(SECOND_HUE)));
        let known = &mut app.run.density.borrow_mut();
        let spread = self.spread.map(|spread| (scale.density(spread, known), app.theme.theory()));
        let lines = [spread, second].into_iter().flatten();
        let heights = lines.clone().flat_map(|(line, _)| line).chain(counts.iter().copied());
        let top = heights.fold(0.0, f64::max);
        let marked = self.predicted.and_then(|mean| scale.column(mean));
        if let Some(x) = self.bound.and_then(|bound| scale.column(bound as f64)) {
            (0..rows).for_each(|y| pen.put(x, y, app.glyphs.mark[1], app.theme.warning()));
        }
        let applies = app.theory().is_some_and(Theory::applies);
        let (mark, theory) = (app.glyphs.mark[usize::from(applies)], app.theme.theory());
        let provisional = app.summary().measured_from.is_none();
        let bar = if provisional { app.theme.dim() } else { app.theme.measured() };
        for (x, &count) in (0..).zip(&counts) {
            let share = if top > 0.0 { count / top } else { 0.0 };
            let eighths = (share * f64::from(rows * 8)).round() as i32;
            let eighths = eighths.max(i32::from(count > 0.0));
            for y in 0..rows {
                let fill = (eighths - (rows - 1 - y) * 8).clamp(0, 8) as usize;
                if marked == Some(x) {
                    pen.put(x, y, mark, if fill >= 5 { over(app, theory, bar) } else { theory });
                } else if fill > 0 {
                    pen.put(x, y, app.glyphs.rise[fill], bar);
                }
            }
        }
        for (line, style) in lines.filter(|_| top > 0.0) {
            let full = app.glyphs.rise[8];
            let over = over(app, style, bar);
            // The bars remain visible behind the line.
            let cells = (0..scale.width).flat_map(|x| (0..rows).map(move |y| (x, y)));
            let filled: Vec<_> = cells.filter(|&(x, y)| pen.shows(x, y, full)).collect();
            if app.glyphs.braille {
                let mut dots = Dots::new(scale.width, rows);
                let share = |x: f64| Some(line.get(x.max(0.0) as usize).unwrap_or(&0.0) / top);
                dots.curve(0, |_| true, share);
                dots.paint(pen, style);
            } else {
                let mut stroke = Stroke { rows, style, before: Some(rows) };
                for (x, &share) in (0..).zip(&line) {
                    stroke.to(app, pen, (x, true), share / top);
                }
            }
            for (x, y) in filled {
                if !pen.shows(x, y, full) {
                    pen.restyle(x, y, over);
                }
            }
        }
    }

    fn axis(&self, app: &Scene<'_>, pen: &mut Pen<'_>, scale: &Scale, y: i32) {
        let (dim, times) = (app.theme.dim(), app.times());
        let unit = format!(" {}", times.symbol());
        let unit_from = scale.width - unit.len() as i32;
        pen.text(unit_from, y, &unit, dim);
        // Ticks for the quantiles in the line below; figures of the axis keep clear of them.
        let marks = self.ticks.iter().filter_map(|&cycles| scale.column(cycles as f64));
        let marks: Vec<i32> = marks.filter(|&column| column < unit_from).collect();
        pen.each(marks.iter().map(|&x| (x, y)), app.glyphs.tick, app.theme.warning());
        let mut free = 0;
        for tick in scale.ticks(times.cycles as f64) {
            if let Some(column) = scale.column(tick) {
                let label = format!("{}{}", app.glyphs.notch, times.brief(tick));
                let length = label.chars().count() as i32;
                let from = column;
                let clear = marks.iter().all(|&mark| mark < from || mark > from + length);
                if clear && from >= free && from + length < unit_from {
                    pen.text(from, y, &label, dim);
                    free = from + length + 1;
                } else if from >= free && from < unit_from && !marks.contains(&from) {
                    pen.put(from, y, app.glyphs.notch, dim);
                    free = from + 1;
                }
            }
        }
    }
}

/// The style of a line over a bar, with the bar's colour as background; ASCII bars have no
/// background.
fn over(app: &Scene<'_>, line: Style, bar: Style) -> Style {
    match bar.fg {
        _ if app.glyphs.ascii => line,
        Some(colour) => line.bg(colour),
        None => line.add_modifier(Modifier::REVERSED),
    }
}

/// The hue of the second of two runs.
pub(super) const SECOND_HUE: usize = 4;

/// Writes `mean 54.8 ± 0.6  model 53.1 (-3.1 %)  p99 171` or `mean so far 10044, growing`, as far
/// as the width allows.
fn figures(app: &Scene<'_>, pen: &mut Pen<'_>, y: i32, p99: Option<u64>) {
    let (summary, theme, times) = (app.summary(), app.theme, app.times());
    if let Some((_, figures, _)) = by_class::selected(app) {
        let mean = figures.latency_mean.map_or(String::new(), |mean| times.mean(mean));
        pen.text(0, y, &format!("mean {mean}"), theme.strong());
        return;
    }
    let Some(latency) = summary.latency else { return };
    let mean = times.mean(latency.mean);
    let text = match summary.steadiness {
        Steadiness::Saturated => format!("mean so far {mean}, growing"),
        Steadiness::Deadlocked => format!("mean {mean} until the deadlock"),
        Steadiness::Finite => format!("mean {mean}"),
        Steadiness::Steady | Steadiness::TooShort => {
            // Too few messages for an interval are shown as `?`.
            let half_width = latency.shown_half_width();
            let half_width = half_width.map_or("?".to_owned(), |half| times.mean(half));
            format!("mean {mean} {} {half_width}", app.glyphs.plus_minus)
        }
    };
    let mut x = pen.text(0, y, &text, theme.strong()) + 2;
    let room = i32::from(pen.width());
    let fits = |x: i32, text: &String| x + text.chars().count() as i32 <= room;
    if let Some(mean) =
        app.theory().filter(|_| summary.steadiness.has_mean()).and_then(Theory::latency_mean)
    {
        let short = format!("model {}", times.mean(mean));
        let long = format!("{short} ({:+.1} %)", (mean / latency.mean - 1.0) * 100.0);
        if let Some(text) = [long, short].iter().find(|text| fits(x, text)) {
            x = pen.text(x, y, text, theme.theory()) + 2;
        }
    }
    let p99 = p99.map(|p99| format!("p99 {}", times.exact(p99)));
    if let Some(text) = p99.filter(|text| fits(x, text)) {
        pen.text(x, y, &text, theme.text());
    }
}

/// The figures of the histogram as a sentence; `None` without a mean.
pub fn sentence(app: &Scene<'_>) -> Option<String> {
    let (summary, times) = (app.summary(), app.times());
    let latency = summary.latency.filter(|_| summary.steadiness.has_mean())?;
    let half = latency.shown_half_width();
    let half = half.map(|it| format!(" {} {}", app.glyphs.plus_minus, times.mean(it)));
    let mean = times.mean(latency.mean);
    let mut text = format!("latency {mean}{} {}", half.unwrap_or_default(), times.symbol());
    let quantiles = [summary.latency_p50, summary.latency_p95, summary.latency_p99];
    for (name, value) in ["p50", "p95", "p99"].into_iter().zip(quantiles) {
        text += &value.map_or_else(String::new, |it| format!(", {name} {}", times.exact(it)));
    }
    let model = app.theory().and_then(Theory::latency_mean);
    text += &model.map_or_else(String::new, |mean| format!(", model {}", times.mean(mean)));
    Some(text)
}

/// Writes the model's status from row `y` on.
pub(super) fn write_model(app: &Scene<'_>, pen: &mut Pen<'_>, y: i32) {
    let rows = (i32::from(pen.height()) - y).max(1) as usize;
    let (lines, style) = model_lines(app, pen.width(), rows);
    for (y, line) in (y..).zip(lines) {
        pen.cut(0, y, &line, app.glyphs.ellipsis, style);
    }
}

/// The model's status in at most `rows` lines, and their style.
fn model_lines(app: &Scene<'_>, width: u16, rows: usize) -> (Vec<String>, Style) {
    let width = usize::from(width);
    let (words, style, _) = model_words(app, false);
    let lines = wrap(&words, width);
    if lines.len() <= rows {
        return (lines, style);
    }
    (wrap_clauses(&model_words(app, true).0, width, rows), style)
}

/// The model's status as text, its style, and true if nothing speaks against the model. The brief text
/// of a violated assumption omits the assumption.
pub(super) fn model_words(app: &Scene<'_>, brief: bool) -> (String, Style, bool) {
    let (dim, warning, [unsure, sure]) = (app.theme.dim(), app.theme.warning(), app.glyphs.mark);
    let Some(theory) = app.theory() else {
        return (app.no_theory().to_owned(), dim, true);
    };
    let saturation = app.saturation_load();
    match (&app.update.wrong_here, &theory.prediction, theory.mismatches.first()) {
        (Some(why), ..) => (format!("model wrong here: {why}"), warning, false),
        (None, Err(Unsolved::Saturated { .. }), _) => {
            let load = saturation.map_or(String::new(), |load| format!(" from load {load:.3} on"));
            (format!("model: saturated{load}"), warning, false)
        }
        (None, Err(why), _) => (format!("model: {why}"), dim, false),
        (None, Ok(_), Some(mismatch)) => {
            let Mismatch { assumes, found, .. } = mismatch;
            let words = if brief {
                format!("{unsure} outside the model: {found}")
            } else {
                format!("{unsure} the model assumes {assumes} (here {found})")
            };
            (words, warning, false)
        }
        (None, Ok(_), None) => {
            let unmeasured = matches!(theory.stated_error, Some(StatedError::NotMeasured(_)));
            let but = if unmeasured { ", error not measured" } else { "" };
            let percent = theory.stated_error.as_ref().and_then(StatedError::percent);
            let how = match percent {
                Some(percent) => margins(app, percent),
                None => "valid".to_owned(),
            };
            let load = saturation.map_or(String::new(), |load| format!(", saturation {load:.3}"));
            (format!("{sure} model {how}{load}{but}"), dim, true)
        }
    }
}
