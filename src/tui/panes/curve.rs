//! Mean latency against offered load: the model's curve up to its saturation, what was simulated
//! at other loads, and where the run is now. Outside its assumptions the curve has gaps, and what is
//! broken stands below it. Of two runs both models and both points stand there.

use super::latency::{SECOND_HUE, model_words};
use crate::live::Theory;
use crate::session::saturation;
use crate::tui::app::{App, Shown};
use crate::tui::pen::Pen;
use crate::units::Rate;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let (width, height) = (i32::from(pen.width()), i32::from(pen.height()));
    let theme = app.theme;
    let theory = app.theory();
    if width < 20 || height < 6 {
        let name = theory.map_or("no model for this network", |theory| theory.name);
        pen.cut(0, 0, name, app.glyphs.ellipsis, theme.dim());
        return;
    }
    let words = theory.map(|_| model_words(app)).filter(|_| !silent(app, theory) && height >= 8);
    let height = height - i32::from(words.is_some());
    if let Some((words, style)) = words {
        pen.cut(0, height, &words, app.glyphs.ellipsis, style);
    }
    let plot = Plot::new(app, theory, width, height);
    frame(app, pen, &plot);
    // The first row is for the legend. The other run's model is a line with gaps.
    let other = app.other();
    if let Some(other) = &other
        && let Some(theory) = other.update.theory.as_deref()
    {
        line(other, pen, theory, &plot, 2);
    }
    if let Some(theory) = theory {
        line(&app.shown(), pen, theory, &plot, if theory.applies() { 0 } else { 3 });
    }
    let saturation = saturation_load(app, theory);
    if let Some(saturation) = saturation {
        for y in 1..=plot.rows {
            pen.put(plot.column(saturation), y, app.glyphs.mark[0], theme.dim());
        }
    }
    let load_at = |rate: Rate| app.system().load_at(rate).0;
    for &(rate, latency) in &app.simulated {
        let (x, y) = (plot.column(load_at(rate)), plot.row(latency));
        if y >= 1 {
            pen.put(x, y, app.glyphs.point[1], theme.measured());
        }
    }
    let mut taken = None;
    for run in [Some(app.shown()), other].into_iter().flatten() {
        let Some(latency) = run.update.summary.latency else { continue };
        let (x, y) = (plot.column(load_at(run.update.rate)), plot.row(latency.mean).max(1));
        // Points that fall together stand side by side.
        let x = if taken == Some((x, y)) { x + 1 } else { x };
        let point = run.letter().unwrap_or(app.glyphs.point[2]);
        pen.put(x, y, point, theme.measured().patch(theme.strong()));
        taken = Some((x, y));
    }
    let caption = caption(app, theory, saturation, (width - plot.gutter - 2) as usize);
    pen.text(plot.gutter + 1, 0, &caption, theme.dim());
}

/// Whether there is nothing to say against the model.
fn silent(app: &App, theory: Option<&Theory>) -> bool {
    let sound = |theory: &Theory| theory.applies() && theory.prediction.is_ok();
    theory.is_none_or(sound) && !refuted(app, theory)
}

/// Whether the run refutes the model's verdict on saturation.
fn refuted(app: &App, theory: Option<&Theory>) -> bool {
    theory.is_some_and(|theory| saturation::refuted(&theory.prediction, app.summary()).is_some())
}

/// The load at which the model saturates.
fn saturation_load(app: &App, theory: Option<&Theory>) -> Option<f64> {
    theory?.saturation.map(|rate| app.system().load_at(rate).0)
}

/// What the signs mean, as far as there is room.
fn caption(app: &App, theory: Option<&Theory>, saturation: Option<f64>, room: usize) -> String {
    let glyphs = &app.glyphs;
    let mut parts = Vec::new();
    if app.summary().latency.is_some() {
        match app.letter() {
            Some(_) => parts.push("A B now".to_owned()),
            None if app.summary().steadiness.is_saturated() => {
                parts.push(format!("{} now, growing", glyphs.point[2]));
            }
            None => parts.push(format!("{} now", glyphs.point[2])),
        }
    }
    match theory {
        Some(theory) if theory.applies() => parts.push(format!("{} model", glyphs.level[1])),
        Some(_) => parts.push(format!("{0} {0} model (outside)", glyphs.level[1])),
        None => parts.push("no model for this network".to_owned()),
    }
    if let Some(letter) = app.other().and_then(|run| run.letter()) {
        parts.push(format!("{0} {0} of {letter}", glyphs.level[1]));
    }
    if !app.simulated.is_empty() {
        parts.push(format!("{} before", glyphs.point[1]));
    }
    if let Some(saturation) = saturation {
        let wrong = if refuted(app, theory) { ": wrong here" } else { "" };
        parts.push(format!("{} saturates {saturation:.3}{wrong}", glyphs.mark[0]));
    }
    let mut caption = String::new();
    for part in parts {
        if caption.chars().count() + part.chars().count() + 2 > room {
            break;
        }
        if !caption.is_empty() {
            caption.push_str("  ");
        }
        caption.push_str(&part);
    }
    caption
}

/// Measures of the plot.
struct Plot {
    gutter: i32,
    width: i32,
    height: i32,
    rows: i32,
    /// Cycles at the upper edge.
    top: f64,
    /// Load at the right edge.
    right: f64,
    /// Load at a rate of 1.
    load_per_rate: f64,
}

impl Plot {
    fn new(app: &App, theory: Option<&Theory>, width: i32, height: i32) -> Self {
        let load_per_rate = app.system().load_at(Rate(1.0)).0;
        let runs = [Some(app.shown()), app.other()];
        let means = runs.into_iter().flatten().filter_map(|run| run.update.summary.latency);
        let measured = means.map(|latency| latency.mean).reduce(f64::max);
        let first = theory.and_then(|theory| theory.curve.first().map(|&(_, latency)| latency));
        let lowest = app.simulated.first().map(|&(_, latency)| latency);
        let base =
            first.or(theory.and_then(Theory::latency_mean)).or(lowest).or(measured).unwrap_or(1.0);
        let top = (base * 4.0).max(measured.unwrap_or(0.0).min(base * 20.0) * 1.2);
        let now = app.update.rate.0 * load_per_rate;
        let before = app.simulated.last().map_or(0.0, |&(rate, _)| rate.0 * load_per_rate);
        let right = saturation_load(app, theory).unwrap_or(0.0).max(now).max(before) * 1.1;
        let gutter = tick_label(app, top).len() as i32 + 1;
        let rows = height - 3;
        Self { gutter, width, height, rows, top, right: right.max(1e-9), load_per_rate }
    }

    fn column(&self, load: f64) -> i32 {
        let columns = self.width - self.gutter - 2;
        self.gutter + (load / self.right * f64::from(columns)).round() as i32
    }

    fn row(&self, latency: f64) -> i32 {
        let up = (latency / self.top * f64::from(self.rows - 1)).round() as i32;
        self.rows - up
    }
}

/// The model's curve in thirds of a row; every `gap`th column is left out, 0: none.
fn line(app: &Shown<'_>, pen: &mut Pen<'_>, theory: &Theory, plot: &Plot, gap: i32) {
    let style = if app.is_second() { app.theme.hue(SECOND_HUE) } else { app.theme.theory() };
    let mut before: Option<i32> = None;
    let columns = plot.width - plot.gutter - 1;
    for x in plot.gutter + 1..plot.width {
        let load = f64::from(x - plot.gutter) / f64::from(columns - 1) * plot.right;
        let Some(latency) = interpolate(theory, load / plot.load_per_rate) else { break };
        let third = (latency / plot.top * f64::from(3 * plot.rows - 1)).round() as i32;
        let drawn = gap == 0 || x % gap != 0;
        let (row, part) = (plot.rows - third.div_euclid(3), third.rem_euclid(3));
        // Where the curve is steep, rows between two columns are joined.
        let from = before.map_or(row, |before| before.min(plot.rows + 1));
        for y in (row + 1).max(1)..from {
            if drawn {
                pen.put(x, y, app.glyphs.axis[2], style);
            }
        }
        if row < 1 {
            break;
        }
        if drawn {
            pen.put(x, row, app.glyphs.level[(2 - part) as usize], style);
        }
        before = Some(row);
    }
}

fn frame(app: &App, pen: &mut Pen<'_>, plot: &Plot) {
    let dim = app.theme.dim();
    let &Plot { gutter, width, height, top, right, .. } = plot;
    let bottom = height - 2;
    for y in 1..bottom {
        pen.put(gutter, y, app.glyphs.axis[2], dim);
    }
    pen.put(gutter, bottom, app.glyphs.axis[0], dim);
    for x in gutter + 1..width {
        pen.put(x, bottom, app.glyphs.axis[1], dim);
    }
    let label = |pen: &mut Pen<'_>, y: i32, value: f64| {
        let text = tick_label(app, value);
        pen.text(gutter - text.len() as i32, y, &text, dim);
    };
    label(pen, 1, top);
    if bottom >= 6 {
        label(pen, 1 + (bottom - 2) / 2, top / 2.0);
    }
    label(pen, bottom, 0.0);
    let unit = app.times().load_unit();
    let end = format!("{right:.2}");
    pen.text(gutter, height - 1, "0", dim);
    pen.right(height - 1, &end, dim);
    let middle = gutter + (width - gutter - unit.len() as i32) / 2;
    if width - gutter > unit.len() as i32 + 12 {
        pen.text(middle, height - 1, unit, dim);
    }
}

/// A latency on the axis: in whole cycles, or in units of time.
fn tick_label(app: &App, cycles: f64) -> String {
    let times = app.times();
    if times.in_cycles() { format!("{cycles:.0}") } else { format!("{:.1}", times.unit.of(cycles)) }
}

/// The model's latency at a rate, between the points of its curve; straight to the left of them.
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
