//! Mean latency against offered load: the model's curve up to saturation, simulated points at other
//! loads, and the run's present point.
//!
//! Outside the model's assumptions the curve has gaps, and the violated assumption is written
//! below. With two runs, both models and both points are drawn.

use ratatui::layout::Rect;

use super::chart::{Axes, Stroke};
use super::dots::Dots;
use super::latency::{SECOND_HUE, model_words, write_model};
use crate::live::Theory;
use crate::stats::{Estimate, Steadiness};
use crate::tui::pen::Pen;
use crate::tui::shown::Shown;
use crate::tui::study::Sweep;
use crate::tui::view::Pane;
use crate::units::Rate;

/// Decimals of latencies on the axis, in cycles and in units of time.
const TICK: [usize; 2] = [0, 1];

pub(super) fn title(app: &Shown<'_>) -> String {
    let swept = app.swept.map_or_else(String::new, |sweep| format!(": {}", sweep.words()));
    format!("latency by load{swept}")
}

pub(super) fn draw(app: &Shown<'_>, pen: &mut Pen<'_>) {
    let (width, height) = (i32::from(pen.width()), i32::from(pen.height()));
    let theme = app.theme;
    let theory = app.theory();
    if width < 20 || height < 6 {
        let name = theory.map_or(app.no_theory(), |theory| theory.name);
        pen.cut(0, 0, name, app.glyphs.ellipsis, theme.dim());
        return;
    }
    let once = app.arrangement().pane(Pane::Latency).is_none();
    let told = once && !model_words(app).2 && height >= 8;
    let height = height - i32::from(told);
    if told {
        write_model(app, pen, height);
    }
    let plot = axes(app, theory, (width, height));
    plot.draw(app, pen, |cycles| app.times().fixed(cycles, TICK), app.times().load_unit());
    // The first row is for the legend. The model of another run is a line with gaps.
    for other in app.others() {
        if let Some(theory) = other.theory() {
            line(&other, pen, theory, &plot, 2);
        }
    }
    if let Some(theory) = theory {
        line(app, pen, theory, &plot, if theory.applies() { 0 } else { 3 });
    }
    for run in theory.iter().flat_map(|theory| &*theory.short_runs) {
        let Some(latency) = run.summary.latency else { continue };
        let x = plot.column(app.system().load_at(run.rate).0);
        let style = theme.theory();
        let half = latency.half_width.unwrap_or(0.0);
        plot.interval(pen, (x, latency.mean), half, (app.glyphs.axis[2], style));
        if plot.row(latency.mean) >= 1 {
            pen.put(x, plot.row(latency.mean), app.glyphs.curve[4], style);
        }
    }
    let saturation = app.saturation_load();
    if let Some(x) = saturation.map(|load| plot.column(load)) {
        pen.each((1..=plot.rows).map(|y| (x, y)), app.glyphs.mark[0], theme.dim());
    }
    let capacity = app.update.scenario.capacity().map(|capacity| capacity.load.0);
    if let Some(x) = capacity.filter(|&load| load <= plot.right).map(|load| plot.column(load)) {
        pen.each((1..=plot.rows).map(|y| (x, y)), app.glyphs.axis[2], theme.strong());
    }
    if let Some(sweep) = app.swept {
        swept(app, pen, sweep, &plot);
    }
    let load_at = |rate: Rate| app.system().load_at(rate).0;
    if let Some(rate) = app.saturated_at {
        let x = plot.column(load_at(rate));
        pen.each((1..=plot.rows).map(|y| (x, y)), app.glyphs.mark[1], theme.measured());
    }
    for (rate, latency) in &app.simulated {
        let x = plot.column(load_at(*rate));
        interval(app, pen, &plot, x, latency);
        if plot.row(latency.mean) >= 1 {
            pen.put(x, plot.row(latency.mean), app.glyphs.point[1], theme.measured());
        }
    }
    let mut taken = None;
    for run in std::iter::once(*app).chain(app.others()) {
        let Some(latency) = run.update.summary.latency else { continue };
        let (x, y) = (plot.column(load_at(run.update.rate)), plot.row(latency.mean).max(1));
        interval(app, pen, &plot, x, &latency);
        // Coinciding points are drawn side by side.
        let x = x + i32::from(taken == Some((x, y)));
        let point = run.letter().unwrap_or(app.glyphs.point[2]);
        pen.put(x, y, point, theme.measured().patch(theme.strong()));
        taken = Some((x, y));
    }
    let caption = caption(app, theory, saturation, (width - plot.gutter - 2) as usize);
    pen.text(plot.gutter + 1, 0, &caption, theme.dim());
}

/// Draws the points of a sweep with their intervals, and the two loads that bracket saturation.
fn swept(app: &Shown<'_>, pen: &mut Pen<'_>, sweep: &Sweep, plot: &Axes) {
    let (theme, glyphs) = (app.theme, &app.glyphs);
    let (below, above) = sweep.bracket().unzip();
    for x in [below, above].into_iter().flatten().map(|load| plot.column(load)) {
        pen.each((1..=plot.rows).map(|y| (x, y)), glyphs.mark[1], theme.measured());
    }
    for point in sweep.points() {
        let x = plot.column(point.load);
        let Some((latency, half)) = point.latency else {
            if point.state.is_beyond() {
                pen.put(x, 1, glyphs.times, theme.measured());
            }
            continue;
        };
        let cycles = point.scenario.system.time_unit().cycles as f64;
        let (latency, half) = (latency * cycles, half.unwrap_or(0.0) * cycles);
        plot.interval(pen, (x, latency), half, (glyphs.axis[2], theme.measured()));
        if plot.row(latency) >= 1 {
            pen.put(x, plot.row(latency), glyphs.curve[1], theme.measured().patch(theme.strong()));
        }
    }
}

/// Draws the confidence interval of a mean.
fn interval(app: &Shown<'_>, pen: &mut Pen<'_>, plot: &Axes, x: i32, latency: &Estimate) {
    let half = latency.half_width.unwrap_or(0.0);
    plot.interval(pen, (x, latency.mean), half, (app.glyphs.axis[2], app.theme.measured()));
}

/// Explains the symbols, as far as the room allows.
fn caption(
    app: &Shown<'_>,
    theory: Option<&Theory>,
    saturation: Option<f64>,
    room: usize,
) -> String {
    let glyphs = &app.glyphs;
    let now = app.summary().latency.map(|_| {
        if app.letter().is_some() {
            let letters = app.all().filter_map(|run| run.letter()).map(String::from);
            let grows = app.all().any(|run| run.summary().is_growing());
            let growing = if grows { ", growing" } else { "" };
            return format!("{} now{growing}", letters.collect::<Vec<_>>().join(" "));
        }
        let state = match app.summary().steadiness {
            Steadiness::Saturated => ", growing",
            Steadiness::Deadlocked => ", stands still",
            Steadiness::Steady | Steadiness::TooShort => "",
        };
        format!("{} now{state}", glyphs.point[2])
    });
    let model = match theory {
        Some(theory) if !theory.is_comparable() => "no model to compare".to_owned(),
        Some(theory) if theory.applies() => format!("{} model", glyphs.level[1]),
        Some(_) => format!("{0} {0} model (outside)", glyphs.level[1]),
        None => app.no_theory().to_owned(),
    };
    let others = app.others().filter_map(|run| run.letter());
    let others = others.map(|letter| format!("{0} {0} of {letter}", glyphs.level[1]));
    let before = (!app.simulated.is_empty()).then(|| format!("{} before", glyphs.point[1]));
    let swept = app.swept.map(|_| format!("{} swept", glyphs.curve[1]));
    let wrong = if app.update.wrong_here.is_some() { ": wrong here" } else { "" };
    let unknown = || {
        let theory = theory?;
        let stopped = theory.unfinished.is_some().then_some("saturates beyond the model's budget");
        stopped.or(theory.at_work.then_some("saturates: at work")).map(str::to_owned)
    };
    let saturation = saturation
        .map(|load| format!("{} saturates {load:.3}{wrong}", glyphs.mark[0]))
        .or_else(unknown);
    let short = theory.is_some_and(|theory| !theory.short_runs.is_empty());
    let short = short.then(|| format!("{} short runs", glyphs.curve[4]));
    let found = app.saturated_at.map(|rate| {
        format!("{} run saturated {:.3}", glyphs.mark[1], app.system().load_at(rate).0)
    });
    let mut caption = String::new();
    let parts = now.into_iter().chain(swept).chain([model]).chain(short);
    let parts = parts.chain(others).chain(before);
    let capacity = app.update.scenario.capacity();
    let capacity = capacity.map(|it| format!("{} capacity {:.3}", glyphs.axis[2], it.load.0));
    let parts = parts.chain(found).chain(capacity);
    let parts = parts.chain(saturation);
    for part in parts {
        if caption.chars().count() + part.chars().count() + 2 > room {
            break;
        }
        let gap = if caption.is_empty() { "" } else { "  " };
        caption = format!("{caption}{gap}{part}");
    }
    caption
}

/// The axes of the chart: loads horizontally, latencies in cycles vertically.
fn axes(app: &Shown<'_>, theory: Option<&Theory>, size: (i32, i32)) -> Axes {
    let load_at = |rate: Rate| app.system().load_at(rate).0;
    let means = app.all().filter_map(|run| run.update.summary.latency);
    let measured = means.map(|latency| latency.mean).reduce(f64::max);
    let short = |theory: &Theory| Some(theory.short_runs.first()?.summary.latency?.mean);
    let drawn = |theory: &Theory| theory.curve.first().map(|it| it.1).or_else(|| short(theory));
    let first = theory.and_then(drawn);
    let lowest = app.simulated.first().map(|(_, latency)| latency.mean);
    let lowest = lowest.or(app.swept.and_then(Sweep::lowest));
    let base =
        first.or(theory.and_then(Theory::latency_mean)).or(lowest).or(measured).unwrap_or(1.0);
    let top = (base * 4.0).max(measured.unwrap_or(0.0).min(base * 20.0) * 1.2);
    let top = top.max(app.swept.and_then(Sweep::top).unwrap_or(0.0));
    let before = app.simulated.last().map_or(0.0, |(rate, _)| load_at(*rate));
    let saturation = app.saturation_load();
    let capacity = app.update.scenario.capacity().filter(|_| saturation.is_none());
    // The last short run may be saturated and does not set the scale.
    let short = theory.and_then(|theory| theory.short_runs.iter().rev().nth(1));
    let ends = [
        saturation,
        app.swept.and_then(Sweep::highest),
        capacity.map(|capacity| capacity.load.0),
        short.map(|run| load_at(run.rate)),
    ];
    let now = load_at(app.update.rate).max(before);
    let right = ends.into_iter().flatten().fold(now, f64::max) * 1.1;
    Axes::new(size, right, top, |cycles| app.times().fixed(cycles, TICK))
}

/// Draws the model's curve; every `gap`th column is left out (0: none).
fn line(app: &Shown<'_>, pen: &mut Pen<'_>, theory: &Theory, plot: &Axes, gap: i32) {
    let style = if app.is_second() { app.theme.hue(SECOND_HUE) } else { app.theme.theory() };
    let mut pen = pen.within(Rect::new(0, 1, plot.width as u16, plot.rows as u16));
    let load_per_rate = app.active().system().load_at(Rate(1.0)).0;
    if app.glyphs.braille {
        return dots(theory, plot, load_per_rate, gap).paint(&mut pen, style);
    }
    let mut stroke = Stroke { rows: plot.rows, style, before: None };
    for x in plot.gutter + 1..plot.width {
        let Some(latency) = interpolate(theory, plot.across(x) / load_per_rate) else { break };
        let drawn = gap == 0 || x % gap != 0;
        if !stroke.to(app, &mut pen, (x, drawn), latency / plot.top) {
            break;
        }
    }
}

/// The model's curve in braille dots; after the last point, dots rise at the saturation load.
fn dots(theory: &Theory, plot: &Axes, load_per_rate: f64, gap: i32) -> Dots {
    let mut dots = Dots::new(plot.width, plot.rows);
    let columns = f64::from(plot.width - plot.gutter - 2);
    let load = |x: f64| (x - f64::from(plot.gutter)) / columns * plot.right;
    dots.curve(plot.gutter + 1, gap, |x| {
        interpolate(theory, load(x) / load_per_rate).map(|latency| latency / plot.top)
    });
    let last = theory.curve.last().filter(|&&(_, latency)| latency < plot.top);
    if let Some((rate, &(_, latency))) = theory.saturation.zip(last) {
        dots.rise(plot.column(rate.0 * load_per_rate), latency / plot.top);
    }
    dots
}

/// The model's latency at a rate, interpolated between points of the curve; constant before the
/// first point, `None` after the last.
fn interpolate(theory: &Theory, rate: f64) -> Option<f64> {
    let curve = &theory.curve;
    let after = curve.partition_point(|&(at, _)| at < rate);
    let (right_rate, right) = *curve.get(after)?;
    if after == 0 {
        return Some(right);
    }
    let (left_rate, left) = curve[after - 1];
    Some(left + (right - left) * (rate - left_rate) / (right_rate - left_rate))
}
