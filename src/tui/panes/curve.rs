//! The pane of mean latency against offered load.
//!
//! The model's curve up to saturation is drawn with simulated points at other loads, and the run's
//! present point.
//!
//! Outside the model's assumptions the curve has gaps, and the violated assumption is written
//! below. With two runs, both models and both points are drawn.

use super::chart::{Axes, Curve, interpolate};
use super::latency::{SECOND_HUE, model_words, write_model};
use crate::live::Theory;
use crate::stats::{Estimate, Steadiness};
use crate::tui::pen::{Pen, wrap_clauses};
use crate::tui::scene::Scene;
use crate::tui::study::Sweep;
use crate::tui::view::Pane;
use crate::units::Rate;

pub(super) fn title(app: &Scene<'_>) -> String {
    match app.swept {
        Some(sweep) => format!("latency by load: {}", sweep.words()),
        None => format!("latency by load, {}", app.times().load_unit()),
    }
}

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let (width, height) = (i32::from(pen.width()), i32::from(pen.height()));
    let theme = app.theme;
    let theory = app.theory();
    if width < 20 || height < 6 {
        let name = theory.map_or(app.no_theory(), |theory| theory.name);
        let lines = wrap_clauses(name, pen.width().into(), pen.height().into());
        for (y, line) in (0..).zip(lines) {
            pen.text(0, y, &line, theme.dim());
        }
        return;
    }
    if !has_curve(app) {
        pen.cut(0, 0, "L measures the curve", app.glyphs.ellipsis, theme.dim());
        return;
    }
    let once = app.arrangement().pane(Pane::Latency).is_none();
    let told = once && !model_words(app, true).2 && height >= 8;
    let height = height - i32::from(told);
    if told {
        write_model(app, pen, height);
    }
    let plot = axes(app, theory, (width, height));
    plot.draw(app, pen);
    // The first row is for the legend. The model of another run is a line with gaps.
    for other in app.others() {
        if let Some(theory) = other.theory() {
            line(&other, pen, theory, &plot, |x| x % 2 != 0);
        }
    }
    if let Some(theory) = theory {
        line(app, pen, theory, &plot, if theory.applies() { |_| true } else { |x| x % 3 != 0 });
    }
    let (bar, measured) = (app.glyphs.axis[2], theme.measured());
    let load_at = |rate: Rate| app.system().load_at(rate).0;
    for run in theory.iter().flat_map(|theory| &*theory.short_runs) {
        let Some(Estimate { mean, half_width, .. }) = run.summary.latency else { continue };
        let (style, at) = (theme.theory(), (load_at(run.rate), mean, half_width));
        plot.mean(pen, at, (bar, style), (app.glyphs.curve[4], style));
    }
    let saturation = app.saturation_load();
    if let Some(load) = saturation {
        plot.vertical(pen, load, app.glyphs.mark[0], theme.dim());
    }
    let capacity = app.update.scenario.capacity().map(|capacity| capacity.load.0);
    if let Some(load) = capacity.filter(|&load| load <= plot.right) {
        plot.vertical(pen, load, bar, theme.strong());
    }
    if let Some(sweep) = app.swept {
        swept(app, pen, sweep, &plot);
    }
    if let Some(rate) = app.saturated_at {
        plot.vertical(pen, load_at(rate), app.glyphs.mark[1], measured);
    }
    for (rate, latency) in &app.simulated {
        let at = (load_at(*rate), latency.mean, latency.half_width);
        plot.mean(pen, at, (bar, measured), (app.glyphs.point[1], measured));
    }
    let mut taken = None;
    for run in std::iter::once(*app).chain(app.others()) {
        let Some(latency) = run.update.summary.latency else { continue };
        let (x, y) = (plot.column(load_at(run.update.rate)), plot.row(latency.mean).max(1));
        let half = latency.half_width.unwrap_or(0.0);
        plot.interval(pen, (x, latency.mean), half, (bar, measured));
        // Coinciding points are drawn side by side.
        let x = x + i32::from(taken == Some((x, y)));
        let point = run.letter().unwrap_or(app.glyphs.point[2]);
        pen.put(x, y, point, measured.patch(theme.strong()));
        taken = Some((x, y));
    }
    let caption = caption(app, theory, saturation, (width - plot.gutter - 2) as usize);
    pen.text(plot.gutter + 1, 0, &caption, theme.dim());
}

/// True if a curve or two points can be drawn.
fn has_curve(app: &Scene<'_>) -> bool {
    let drawn = |theory: &Theory| theory.curve.len() > 1 || theory.short_runs.len() > 1;
    app.swept.is_some()
        || !app.simulated.is_empty()
        || app.all().any(|it| it.theory().is_some_and(drawn))
}

/// Draws the points of a sweep with their intervals, and the two loads that bracket saturation.
fn swept(app: &Scene<'_>, pen: &mut Pen<'_>, sweep: &Sweep, plot: &Axes) {
    let (measured, glyphs) = (app.theme.measured(), &app.glyphs);
    for load in sweep.bracket().map(<[f64; 2]>::from).into_iter().flatten() {
        plot.vertical(pen, load, glyphs.mark[1], measured);
    }
    for point in sweep.points() {
        if let Some((latency, half)) = point.latency {
            let cycles = point.scenario.system.time_unit().cycles as f64;
            let at = (point.load, latency * cycles, half.map(|half| half * cycles));
            let glyph = (glyphs.curve[1], measured.patch(app.theme.strong()));
            plot.mean(pen, at, (glyphs.axis[2], measured), glyph);
        } else if point.state.is_beyond() {
            pen.put(plot.column(point.load), 1, glyphs.times, measured);
        }
    }
}

/// Explains the symbols, as far as the room allows.
fn caption(
    app: &Scene<'_>,
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
            Steadiness::Steady | Steadiness::Finite | Steadiness::TooShort => "",
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
fn axes(app: &Scene<'_>, theory: Option<&Theory>, size: (i32, i32)) -> Axes {
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
    // The end of a rising curve may be cut off.
    Axes::new(size, right, (top, 0.8), app.times().cycles as f64)
}

/// Draws the model's curve with the gaps of `drawn`; after the last point, dots rise at the
/// saturation load.
fn line(app: &Scene<'_>, pen: &mut Pen<'_>, theory: &Theory, plot: &Axes, drawn: fn(i32) -> bool) {
    let style = if app.is_second() { app.theme.hue(SECOND_HUE) } else { app.theme.theory() };
    let load_per_rate = app.active().system().load_at(Rate(1.0)).0;
    let last = theory.curve.last().filter(|&&(_, latency)| latency < plot.top);
    let rise = theory.saturation.zip(last);
    let rise = rise.map(|(rate, &(_, latency))| (rate.0 * load_per_rate, latency));
    let curve = Curve { style, drawn, fine: app.glyphs.braille, rise };
    plot.curve(app, pen, &curve, |load| interpolate(&theory.curve, |&it| it, load / load_per_rate));
}
