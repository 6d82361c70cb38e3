//! Draws the table of a study's points.
//!
//! A row has load, result with interval, state and worker; details of the chosen point follow.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::arrange::split;
use super::plot::sign;
use super::{Line, StudyView};
use crate::experiment::sweep::{NumberedPoint, State};
use crate::tui::app::App;
use crate::tui::panes::table::{Column, cells, visible};
use crate::tui::pen::{Pen, fitting, grouped, wrap};
use crate::tui::rows::first_shown;
use crate::tui::times::lasting;

/// Minimum inner width for showing percentiles, accepted loads and workers.
const WIDE: u16 = 60;

/// Returns the line of the table at a position on the screen.
pub fn line_at(study: &StudyView, frame: Rect, (x, y): (u16, u16)) -> Option<Line> {
    let rows = rows(frame);
    let at = rows.contains((x, y).into()).then(|| usize::from(y - rows.y))?;
    let lines = study.lines();
    let first = first_shown(chosen(study, &lines), lines.len(), rows.height.into());
    lines.get(first + at).copied()
}

/// Number of rows for points.
pub fn room(frame: Rect) -> usize {
    usize::from(rows(frame).height)
}

/// The rows below the headings.
fn rows(frame: Rect) -> Rect {
    let (above, _) = split(frame);
    Rect { y: above.y + 1, height: above.height.saturating_sub(1), ..above }
}

/// Index of the line of the chosen point.
fn chosen(study: &StudyView, lines: &[Line]) -> usize {
    lines.iter().position(|&line| line == Line::Point(study.chosen)).unwrap_or(0)
}

/// Draws the table into its frame.
pub fn draw(app: &App, study: &StudyView, buffer: &mut Buffer, frame: Rect) {
    let (rows, (head, below)) = (rows(frame), split(frame));
    let wide = rows.width >= WIDE;
    let narrow = [8, 8, 7].map(Column::figure);
    let mut columns = narrow.to_vec();
    columns.extend(wide.then_some([8, 10].map(Column::figure)).into_iter().flatten());
    columns.push(Column::text(2));
    let before: i32 = columns.iter().map(|column| column.width).sum();
    let room = usize::try_from(i32::from(rows.width) - before).unwrap_or(0);
    columns.push(Column::text(40));
    let dim = |text: &'static str| (text, app.theme.dim());
    let more = wide.then_some(["99 %", "accepted"]).into_iter().flatten();
    let names = ["load", "latency", app.glyphs.plus_minus].into_iter().chain(more);
    let names = names.chain(["", "state"]).map(dim);
    cells(&app.shown(), &mut Pen::new(buffer, head), (0, 0), &columns, names);
    let lines = study.lines();
    let chosen = (chosen(study, &lines), lines.len());
    let shown = &app.shown();
    let pen = &mut Pen::new(buffer, rows);
    visible(shown, pen, chosen, true, |pen, y, at, style| match lines[at] {
        Line::Curve(curve) => heading(app, study, pen, y, curve),
        Line::Point(at) => {
            let texts = row(app, &study.status.points[at], (wide, room), style);
            cells(shown, pen, (0, y), &columns, texts);
        }
    });
    details(app, study, &mut Pen::new(buffer, below));
}

/// Draws the heading of a curve: label and saturation bracket.
fn heading(app: &App, study: &StudyView, pen: &mut Pen<'_>, y: i32, curve: usize) {
    let (glyph, style) = sign(app, curve);
    let label = match study.status.curves[curve].as_str() {
        "" => study.status.name.as_str(),
        label => label,
    };
    let bracket = study.status.brackets.get(curve).copied().flatten();
    let bracket = bracket.map(|(below, above)| {
        format!(" {} {below:.4}{}{above:.4}", app.glyphs.mark[0], app.glyphs.dash)
    });
    pen.put(1, y, glyph, style.patch(app.theme.strong()));
    let bracket = bracket.unwrap_or_default();
    let width = usize::from(pen.width()).saturating_sub(3);
    let beside = width.saturating_sub(bracket.chars().count());
    // A label without room beside the bracket is shortened, else takes the place of the bracket.
    let brief = label.split(" · ").map(|part| part.split(',').next().unwrap_or_default());
    let brief = brief.collect::<Vec<_>>().join(" · ");
    let labels = [label.to_owned(), brief];
    let shown = fitting(labels.clone(), beside);
    let is_beside = shown.chars().count() <= beside;
    let shown = if is_beside { shown } else { fitting(labels, width) };
    pen.cut(3, y, &shown, app.glyphs.ellipsis, app.theme.strong());
    if is_beside {
        pen.right(y, &bracket, style);
    }
}

fn row<'a>(
    app: &App,
    point: &'a NumberedPoint,
    (wide, room): (bool, usize),
    style: Style,
) -> impl Iterator<Item = (String, Style)> + use<'a> {
    let unit = point.scenario.system.time_unit();
    let decimals = if unit.in_cycles() { 1 } else { 3 };
    let dash = app.glyphs.dash;
    let (latency, half) = match point.latency {
        Some((latency, half)) => (
            format!("{latency:.decimals$}"),
            half.map_or_else(|| dash.to_owned(), |half| format!("{half:.*}", decimals + 1)),
        ),
        None => (dash.to_owned(), dash.to_owned()),
    };
    let accepted = point.accepted.map_or_else(|| dash.to_owned(), |it| format!("{it:.4}"));
    let whole = if unit.in_cycles() { 0 } else { 3 };
    let p99 = point.latency_p99.map_or_else(|| dash.to_owned(), |it| format!("{it:.whole$}"));
    let state = match &point.state {
        State::Steady => (String::new(), style),
        State::TooShort => ("too short".to_owned(), style.patch(app.theme.dim())),
        State::Saturated => ("saturated".to_owned(), style.patch(app.theme.warning())),
        State::Deadlocked => ("deadlocked".to_owned(), style.patch(app.theme.warning())),
        State::Running { by, since } => {
            let far = lasting(since.as_secs_f64().max(1.0));
            let words = [format!("running {far}, {by}"), format!("running {far}")];
            (fitting(words, room), style.patch(app.theme.measured()))
        }
        State::Missing => ("missing".to_owned(), style.patch(app.theme.dim())),
        State::Refused(_) => ("no result".to_owned(), style.patch(app.theme.warning())),
    };
    let figures = [format!("{:.4}", point.load), latency, half].into_iter();
    let more = wide.then_some([p99, accepted]).into_iter().flatten();
    let figures = figures.chain(more).map(move |text| (text, style));
    figures.chain([(String::new(), style), state])
}

fn details(app: &App, study: &StudyView, pen: &mut Pen<'_>) {
    let (theme, width) = (app.theme, i32::from(pen.width()));
    let mut y = 0;
    if pen.height() > 2 {
        pen.each((0..width).map(|x| (x, 0)), app.glyphs.axis[1], theme.frame());
        y = 1;
    }
    let Some(point) = study.point() else { return };
    let label = &study.status.curves[point.curve];
    let seed = point.scenario.seed;
    let about = match label.as_str() {
        "" => format!("point {}, seed {seed}", study.chosen),
        label => format!("point {}, seed {seed}, {label}", study.chosen),
    };
    let room = usize::try_from(width - 2).unwrap_or(1);
    let about = wrap(&about, room).into_iter().map(|line| (line, theme.strong()));
    let (more, style) = match &point.state {
        State::Refused(why) => (why.clone(), theme.warning()),
        State::Running { by, since } => {
            let since = lasting(since.as_secs_f64());
            (format!("{by} has been at it for {since}"), theme.text())
        }
        State::Missing => ("it has no result yet, and nobody is at it".to_owned(), theme.dim()),
        State::Steady | State::TooShort | State::Saturated | State::Deadlocked => {
            (result(app, point), theme.text())
        }
    };
    let more = wrap(&more, room).into_iter().map(|line| (line, style));
    for (row, (line, style)) in (y..i32::from(pen.height())).zip(about.chain(more)) {
        pen.cut(1, row, &line, app.glyphs.ellipsis, style);
    }
}

/// Details of a result beyond its row.
fn result(app: &App, point: &NumberedPoint) -> String {
    let unit = point.scenario.system.time_unit();
    let verdict = match point.state {
        State::TooShort => "too short to tell, ",
        State::Saturated => "beyond saturation, ",
        State::Deadlocked => "ended in a deadlock, ",
        State::Steady | State::Running { .. } | State::Missing | State::Refused(_) => "",
    };
    let accepted = point.accepted.map_or_else(String::new, |it| format!("accepts {it:.4}, "));
    let end = point.end.map_or_else(String::new, |end| {
        let first = if point.plan.replications > 1 { " (the first run)" } else { "" };
        format!("{} {}{first}", grouped(end), unit.symbol())
    });
    let took = point.seconds.map_or_else(String::new, |it| format!(" in {}", lasting(it)));
    let on = if point.machine.is_empty() { "" } else { " on " };
    format!("{verdict}{accepted}{end}{took}{on}{}{}", point.machine, app.glyphs.dot.trim_end())
        .trim_end_matches(app.glyphs.dot.trim_end())
        .to_owned()
}
