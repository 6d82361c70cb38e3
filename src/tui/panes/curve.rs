//! Mean latency against offered load: the model's curve up to its saturation, and where the run
//! is now.

use crate::live::Theory;
use crate::tui::app::App;
use crate::tui::pen::Pen;

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let (width, height) = (i32::from(pen.width()), i32::from(pen.height()));
    let theme = app.theme;
    let Some(theory) = app.update.theory.as_deref() else {
        pen.text(1, 0, "no model for this network", theme.dim());
        return;
    };
    if width < 20 || height < 6 {
        pen.cut(0, 0, theory.name, app.glyphs.ellipsis, theme.dim());
        return;
    }
    let length = app.update.scenario.system.traffic.lengths.mean();
    let measured = app.update.summary.latency.map(|latency| latency.mean);
    let now_load = app.update.rate.0 * length;
    let saturation = theory.saturation.map(|rate| rate.0 * length);
    let first = theory.curve.first().map(|&(_, latency)| latency);
    let base = first.or(theory.latency_mean()).or(measured).unwrap_or(1.0);
    let top = (base * 4.0).max(measured.unwrap_or(0.0).min(base * 20.0) * 1.2);
    let right = (saturation.unwrap_or(0.0) * 1.1).max(now_load * 1.1).max(1e-9);
    let gutter = format!("{top:.0}").len() as i32 + 1;
    let (plot_width, plot_height) = (width - gutter - 1, height - 3);
    let column = |load: f64| gutter + (load / right * f64::from(plot_width - 1)).round() as i32;
    let row = |latency: f64| {
        let up = (latency / top * f64::from(plot_height - 1)).round() as i32;
        plot_height - up
    };
    frame(app, pen, gutter, top, right);
    let plot = Plot { gutter, width, rows: plot_height, top, right, length };
    // The first row is for the legend.
    line(app, pen, theory, &plot);
    let glyph = app.glyphs.level[1];
    if let Some(saturation) = saturation {
        let x = column(saturation);
        for y in 1..=plot_height {
            pen.put(x, y, app.glyphs.mark[0], theme.dim());
        }
    }
    let mut caption = String::new();
    if let Some(mean) = measured {
        let y = row(mean).max(1);
        pen.put(column(now_load), y, app.glyphs.point[2], theme.measured().patch(theme.strong()));
        caption = format!("{} now", app.glyphs.point[2]);
    }
    caption = format!("{caption}  {glyph} model");
    if !theory.applies() {
        caption.push_str(" (outside)");
    }
    if let Some(saturation) = saturation {
        let at = format!("  {} saturates {saturation:.3}", app.glyphs.mark[0]);
        if (caption.chars().count() + at.chars().count()) as i32 + 2 < width - gutter {
            caption.push_str(&at);
        }
    }
    pen.text(gutter + 1, 0, caption.trim_start(), theme.dim());
}

/// Measures of the plot.
struct Plot {
    gutter: i32,
    width: i32,
    rows: i32,
    /// Cycles at the upper edge.
    top: f64,
    /// Load at the right edge.
    right: f64,
    /// Flits per message.
    length: f64,
}

/// The model's curve in thirds of a row; with gaps where the model's assumptions do not hold.
fn line(app: &App, pen: &mut Pen<'_>, theory: &Theory, plot: &Plot) {
    let mut before: Option<i32> = None;
    let columns = plot.width - plot.gutter - 1;
    for x in plot.gutter + 1..plot.width {
        let load = f64::from(x - plot.gutter) / f64::from(columns - 1) * plot.right;
        let Some(latency) = interpolate(theory, load / plot.length) else { break };
        let third = (latency / plot.top * f64::from(3 * plot.rows - 1)).round() as i32;
        let drawn = theory.applies() || x % 3 != 0;
        let (row, part) = (plot.rows - third.div_euclid(3), third.rem_euclid(3));
        // Where the curve is steep, rows between two columns are joined.
        let from = before.map_or(row, |before| before.min(plot.rows + 1));
        for y in (row + 1).max(1)..from {
            if drawn {
                pen.put(x, y, app.glyphs.axis[2], app.theme.theory());
            }
        }
        if row < 1 {
            break;
        }
        if drawn {
            pen.put(x, row, app.glyphs.level[(2 - part) as usize], app.theme.theory());
        }
        before = Some(row);
    }
}

fn frame(app: &App, pen: &mut Pen<'_>, gutter: i32, top: f64, right: f64) {
    let dim = app.theme.dim();
    let (width, height) = (i32::from(pen.width()), i32::from(pen.height()));
    let bottom = height - 2;
    for y in 1..bottom {
        pen.put(gutter, y, app.glyphs.axis[2], dim);
    }
    pen.put(gutter, bottom, app.glyphs.axis[0], dim);
    for x in gutter + 1..width {
        pen.put(x, bottom, app.glyphs.axis[1], dim);
    }
    let label = |pen: &mut Pen<'_>, y: i32, value: f64| {
        let text = format!("{value:.0}");
        pen.text(gutter - text.len() as i32, y, &text, dim);
    };
    label(pen, 1, top);
    if bottom >= 6 {
        label(pen, 1 + (bottom - 2) / 2, top / 2.0);
    }
    label(pen, bottom, 0.0);
    let unit = "flits/node/cycle";
    let end = format!("{right:.2}");
    pen.text(gutter, height - 1, "0", dim);
    pen.right(height - 1, &end, dim);
    let middle = gutter + (width - gutter - unit.len() as i32) / 2;
    if width - gutter > unit.len() as i32 + 12 {
        pen.text(middle, height - 1, unit, dim);
    }
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
