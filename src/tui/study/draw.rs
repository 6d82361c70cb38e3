//! Draws the screen of a study: plot of curves, table of points, progress.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::arrange::{Parts, arrange};
use super::{StudyView, Work, plot, table};
use crate::text::count;
use crate::tui::app::App;
use crate::tui::keybar;
use crate::tui::layout::LEAST;
use crate::tui::pane_frame::frame;
use crate::tui::pen::{Pen, fitting, wrap};

/// Draws the screen without dialogs.
pub fn draw(app: &App, study: &StudyView, buffer: &mut Buffer) {
    let Some(Parts { header, plot, table, progress, keybar }) = arrange(app.size) else {
        return tiny(app, study, buffer);
    };
    head(app, study, &mut Pen::new(buffer, header));
    let name = &study.status.name;
    let unit = study.status.points.first().map(|point| point.scenario.system.time_unit());
    let unit = unit.map_or(String::new(), |unit| format!(", {}", unit.load_unit()));
    let what = format!("latency by load of {name}");
    let texts = [format!("{what}{unit}"), what, "latency by load".to_owned()];
    let title = fitting(texts, usize::from(plot.width).saturating_sub(4));
    frame(app, buffer, &title, plot, false);
    let points = count(study.status.points.len(), "point", "points");
    let round = study.status.rounds;
    let round = round.map_or_else(String::new, |round| format!(", round {round}"));
    frame(app, buffer, &format!("{points}{round}"), table, true);
    plot::draw(app, study, buffer, plot);
    table::draw(app, study, buffer, table);
    bar(app, study, &mut Pen::new(buffer, progress));
    keybar::draw(app, buffer, keybar);
}

fn head(app: &App, study: &StudyView, pen: &mut Pen<'_>) {
    let (theme, status, ellipsis) = (app.theme, &study.status, app.glyphs.ellipsis);
    let bar = theme.bar();
    pen.fill(' ', bar);
    let mut x = pen.cut(1, 0, "STUDY", ellipsis, bar.patch(theme.strong())) + 2;
    let warning = bar.patch(theme.warning());
    if app.recording.is_some() {
        x = pen.cut(x, 0, app.glyphs.recording, ellipsis, warning) + 2;
    }
    let work = match study.work {
        Work::Rests => None,
        Work::Goes => Some("runs are made here"),
        Work::Ends => Some("runs are given back"),
    };
    if let Some(work) = work {
        x = pen.cut(x, 0, work, ellipsis, bar.patch(theme.strong())) + 2;
    }
    if let Some(trouble) = &study.trouble {
        x = pen.cut(x, 0, trouble, ellipsis, warning) + 2;
    }
    let room = usize::try_from(i32::from(pen.width()) - x).unwrap_or(0);
    let last = status.folder.rsplit('/').next().unwrap_or_default().to_owned();
    x = pen.cut(x, 0, &fitting([status.folder.clone(), last], room), ellipsis, bar) + 2;
    if let Some(first) = status.strangers.first() {
        let files = count(status.strangers.len(), "file is", "files are");
        let left = format!("{files} left");
        let room = usize::try_from(i32::from(pen.width()) - x).unwrap_or(0);
        pen.cut(x, 0, &fitting([format!("{left}: {first}"), left], room), ellipsis, warning);
    }
}

/// Draws the progress as a bar and in words.
fn bar(app: &App, study: &StudyView, pen: &mut Pen<'_>) {
    let words = study.progress();
    let (width, glyphs) = (i32::from(pen.width()), &app.glyphs);
    let room = (width - words.chars().count() as i32 - 9).clamp(2, 60);
    let eighths = (study.status.share * f64::from(8 * room)).round() as i32;
    for x in 0..room {
        let (glyph, style) = match (eighths - 8 * x).clamp(0, 8) {
            0 => (glyphs.rest, app.theme.dim()),
            part => (glyphs.reach[part as usize], app.theme.measured()),
        };
        pen.put(1 + x, 0, glyph, style);
    }
    let share = (study.status.share * 100.0).floor();
    let x = pen.text(room + 1, 0, &format!("{share:>4.0} %  "), app.theme.strong());
    pen.cut(x, 0, &words, glyphs.ellipsis, app.theme.text());
}

/// Draws a notice on a screen too small for the parts.
fn tiny(app: &App, study: &StudyView, buffer: &mut Buffer) {
    let (width, height) = app.size;
    head(app, study, &mut Pen::new(buffer, Rect::new(0, 0, width, height.min(1))));
    let mut pen = Pen::new(buffer, Rect::new(0, 1, width, height.saturating_sub(1)));
    let least = format!("The study needs {}{}{} characters.", LEAST.0, app.glyphs.times, LEAST.1);
    let lines = [least, study.progress()];
    let lines = lines.iter().flat_map(|line| wrap(line, usize::from(width)));
    for (y, line) in (0..).zip(lines) {
        pen.text(0, y, &line, app.theme.text());
    }
}
