//! Draws the plot of a study: latency by load with intervals, saturation, and models.

use std::cmp::Reverse;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::StudyView;
use crate::experiment::plot::{self, Origin};
use crate::experiment::sweep::{NumberedPoint, State};
use crate::tui::app::App;
use crate::tui::layout::inside;
use crate::tui::panes::chart::{Axes, Curve, interpolate};
use crate::tui::pen::Pen;

/// Scale factor for free space above the highest and to the right of the last point.
const SPARE: f64 = 1.05;

/// Symbol and style of a curve's points.
pub fn sign(app: &App, curve: usize) -> (char, Style) {
    (app.glyphs.curve[curve % app.glyphs.curve.len()], app.theme.hue(curve))
}

/// Computes the axes of the plot in a frame, with a free column at both sides.
fn axes(study: &StudyView, frame: Rect) -> (Rect, Axes) {
    let inner = inside(frame);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let plot = &study.status.plot;
    let latencies = study.status.points.iter().filter_map(|point| Some(point.latency?.0));
    let top = plot.y_max.or(latencies.reduce(f64::max)).unwrap_or(1.0) * SPARE;
    let right = study.status.points.iter().map(|point| point.load).fold(0.0, f64::max);
    // The plot ends soon after saturation, if every curve has saturated.
    let brackets = study.status.brackets.iter().copied().collect::<Option<Vec<_>>>();
    let above = brackets.and_then(|all| all.into_iter().map(|(_, above)| above).reduce(f64::max));
    let right = above.map_or(right, |above| right.min(above * 1.2)) * SPARE;
    (inner, Axes::new((inner.width.into(), inner.height.into()), right, (top, 0.95), 1.0))
}

/// Draws the plot into a frame.
pub fn draw(app: &App, study: &StudyView, buffer: &mut Buffer, frame: Rect) {
    let (inner, axes) = axes(study, frame);
    let pen = &mut Pen::new(buffer, inner);
    let (theme, glyphs, status) = (app.theme, &app.glyphs, &study.status);
    axes.draw(&app.shown(), pen);
    pen.text(axes.gutter + 1, 0, &caption(app, study), theme.dim());
    for (curve, bracket) in status.brackets.iter().enumerate() {
        for load in bracket.iter().flat_map(|&(below, above)| [below, above]) {
            axes.vertical(pen, load, glyphs.mark[0], sign(app, curve).1);
        }
    }
    for curve in &status.plot.curves {
        line(app, pen, &axes, curve);
    }
    for point in status.points.iter().filter(|point| axes.column(point.load) < axes.width) {
        mark(app, pen, &axes, point, point_style(app, point));
    }
    if let Some(point) = study.point() {
        mark(app, pen, &axes, point, theme.cursor());
        pen.put(axes.column(point.load), axes.height - 2, glyphs.tick, theme.cursor());
    }
}

fn point_style(app: &App, point: &NumberedPoint) -> Style {
    sign(app, point.curve).1.patch(app.theme.strong())
}

/// Draws a curve as a line through its points, or a model's curve as a dashed line.
fn line(app: &App, pen: &mut Pen<'_>, axes: &Axes, curve: &plot::Curve) {
    let dashed = curve.origin == Origin::Model;
    let drawn = if dashed { |x| x % 2 == 0 } else { |_| true };
    let style = sign(app, curve.group).1;
    let manner = Curve { style, drawn, fine: false, rise: None };
    let begins = |load: f64| curve.dots.first().is_some_and(|dot| dot.x < load);
    axes.curve(&app.shown(), pen, &manner, |load| {
        interpolate(&curve.dots, |dot| (dot.x, dot.y), load).filter(|_| begins(load))
    });
}

/// Draws a point with its interval. Saturated points are marked at the upper edge, running points
/// on the axis.
fn mark(app: &App, pen: &mut Pen<'_>, axes: &Axes, point: &NumberedPoint, style: Style) {
    let (x, glyphs) = (axes.column(point.load), &app.glyphs);
    if let Some((latency, half)) = point.latency {
        axes.interval(pen, (x, latency), half.unwrap_or(0.0), (glyphs.axis[2], style));
        let y = axes.row(latency);
        // A different symbol marks points above the upper edge.
        let glyph = if y < 1 {
            glyphs.more[0]
        } else if point.state == State::TooShort {
            glyphs.point[0]
        } else {
            sign(app, point.curve).0
        };
        return pen.put(x, y.max(1), glyph, style);
    }
    match &point.state {
        State::Saturated | State::Deadlocked => pen.put(x, 1, glyphs.times, style),
        State::Running { .. } => pen.put(x, axes.height - 2, glyphs.tick, style),
        State::Steady | State::TooShort | State::Missing | State::Refused(_) => {}
    }
}

fn caption(app: &App, study: &StudyView) -> String {
    let glyphs = &app.glyphs;
    let status = &study.status;
    let states = || status.points.iter().map(|point| &point.state);
    let unit = status.points.first().map_or("", |it| it.scenario.system.time_unit().symbol());
    let mut words = vec![unit.to_owned()];
    let mut say = |holds: bool, text: String| words.extend(holds.then_some(text));
    let saturates = status.brackets.iter().any(Option::is_some);
    say(states().any(State::is_beyond), format!("{} beyond", glyphs.times));
    say(saturates, format!("{} saturates", glyphs.mark[0]));
    say(states().any(|it| *it == State::TooShort), format!("{} too short", glyphs.point[0]));
    let model = status.plot.curves.iter().any(|curve| curve.origin == Origin::Model);
    say(model, format!("{0} {0} model", glyphs.level[1]));
    say(states().any(|it| matches!(it, State::Running { .. })), format!("{} running", glyphs.tick));
    words.join("  ")
}

/// Returns the nearest point to a position on the screen, within a small distance.
pub fn nearest(study: &StudyView, frame: Rect, (x, y): (u16, u16)) -> Option<usize> {
    let (inner, axes) = axes(study, frame);
    let at = (i32::from(x) - i32::from(inner.x), i32::from(y) - i32::from(inner.y));
    let far = |point: &NumberedPoint| {
        let row = point.latency.map_or(1, |(latency, _)| axes.row(latency).max(1));
        // A row is about as high as two columns are wide.
        (axes.column(point.load) - at.0).abs() + 2 * (row - at.1).abs()
    };
    let points = study.status.points.iter().enumerate();
    let shown = points.filter(|(_, point)| point.latency.is_some() || point.state.is_beyond());
    // Among points at the same distance, prefer the last, drawn on top.
    let (far, Reverse(nearest)) = shown.map(|(at, point)| (far(point), Reverse(at))).min()?;
    (far <= 6).then_some(nearest)
}
