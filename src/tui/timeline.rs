//! Draws the timeline: accepted load as a line of bars over the run's cycles.
//!
//! Checkpoints, bookmarks, deadlocks, failures, the present and the newest cycle are marked above.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::App;
use super::pen::Pen;
use crate::live::{Event, RunState};

/// Columns for the label at the left.
const GUTTER: u16 = 10;
/// Columns for the newest cycle at the right.
const MARGIN: u16 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Scale {
    /// Number of columns of bars.
    columns: usize,
    /// Number of cycles covered by all bars.
    cycles: u64,
}

impl Scale {
    /// The scale of a run, if wide enough.
    fn new(app: &App, area: Rect) -> Option<Self> {
        let width = usize::from(area.width.checked_sub(GUTTER + MARGIN)?);
        let bins = app.update.history.bins.len();
        let cycles = app.update.history.span * bins as u64;
        (width > 0).then_some(Self { columns: bins.min(width), cycles: cycles.max(1) })
    }

    /// The column of a cycle; cycles after the last bin are in the column after the bars.
    fn column(self, cycle: u64) -> i32 {
        let column = u128::from(cycle) * self.columns as u128 / u128::from(self.cycles);
        i32::from(GUTTER) + column.min(self.columns as u128) as i32
    }

    fn end(self) -> i32 {
        i32::from(GUTTER) + self.columns as i32
    }
}

/// The cycle at a position on the screen, if on the timeline.
pub fn cycle_at(app: &App, area: Rect, x: u16, y: u16) -> Option<u64> {
    if !area.contains((x, y).into()) {
        return None;
    }
    let scale = Scale::new(app, area)?;
    let column = u64::from((x - area.x).checked_sub(GUTTER)?);
    if column >= scale.columns as u64 {
        return Some(app.update.live.0);
    }
    Some((scale.cycles * column / scale.columns as u64).min(app.update.live.0))
}

/// Draws the timeline into one or two rows.
pub fn draw(app: &App, buffer: &mut Buffer, area: Rect) {
    let theme = app.theme;
    let history = &app.update.history;
    let last = i32::from(area.height) - 1;
    let Some(scale) = Scale::new(app, area) else { return };
    let mut pen = Pen::new(buffer, area);
    let top = history.bins.iter().map(|bin| bin.mean).fold(0.0, f32::max);
    pen.text(1, 0, "accepted", theme.dim());
    if last > 0 && top > 0.0 {
        pen.text(1, last, &format!("0{}{top:.3}", app.glyphs.dash), theme.dim());
    }
    let (now, live) = (app.snapshot().cycle.0, app.update.live.0.max(app.snapshot().cycle.0));
    let here = scale.column(now);
    let bins = history.bins.len();
    for column in 0..scale.columns {
        let from = column * bins / scale.columns;
        let part = &history.bins[from..(column + 1) * bins / scale.columns];
        let mean = part.iter().map(|bin| bin.mean).sum::<f32>() / part.len().max(1) as f32;
        let share = if top > 0.0 { mean / top } else { 0.0 };
        // Any nonzero load is visible.
        let eighths = ((share * 8.0).round() as usize).max(usize::from(mean > 0.0));
        let x = i32::from(GUTTER) + column as i32;
        let style = if now < live && x > here { theme.dim() } else { theme.measured() };
        pen.put(x, last, app.glyphs.rise[eighths.min(8)], style);
    }
    let running = app.update.state == RunState::Running;
    let style = if running { theme.text() } else { theme.strong() };
    let newest = app.times().brief(live as f64);
    let behind = now < live;
    if behind {
        pen.put(scale.end(), last, app.glyphs.live, theme.strong());
        pen.text(scale.end() + 1, last, &newest, theme.text());
    } else {
        pen.text(scale.end(), last, &format!(" {newest}"), style);
    }
    // A single row marks the present cycle within the bars.
    if last > 0 {
        let checkpoints = app.update.checkpoints.iter().map(|&cycle| (scale.column(cycle), 0));
        pen.each(checkpoints, app.glyphs.checkpoint, theme.dim());
        let ends = [here, scale.end()];
        words(app, &mut pen, scale, if behind { &ends } else { &[] });
        marks(app, &mut pen, scale);
        if behind {
            pen.put(scale.end(), 0, app.glyphs.live, theme.strong());
        }
    }
    if behind {
        pen.put(here, 0, app.glyphs.arrow[3], theme.focus());
    }
}

/// Writes figures in the upper row, as far to the right as marks and labels permit; `ends` are the
/// columns of the present and the newest cycle, if different.
fn words(app: &App, pen: &mut Pen<'_>, scale: Scale, ends: &[i32]) {
    const MEASURED: &str = "measured";
    let dim = app.theme.dim();
    let (events, bookmarks) = (&app.update.history.events, &app.update.bookmarks);
    let mut taken: Vec<(i32, i32)> = ends.iter().map(|&x| (x, 1)).collect();
    taken.extend(events.iter().map(|&(cycle, _)| (scale.column(cycle), 1)));
    // A bookmark is followed by its number.
    taken.extend(bookmarks.iter().map(|&cycle| (scale.column(cycle), 2)));
    let from = app.summary().measured_from.map(|from| scale.column(from));
    if let Some(x) = from.filter(|&x| x < scale.end()) {
        pen.put(x, 0, app.glyphs.mark[0], dim);
        let length = MEASURED.len() as i32;
        let clear = taken.iter().all(|&(at, n)| at + n <= x + 1 || x + 1 + length <= at);
        taken.push((x, 1));
        if x + 10 < scale.end() && clear {
            pen.text(x + 1, 0, MEASURED, dim);
            taken.push((x + 1, length));
        }
    }
    let load = app.system().load_at(app.update.rate).0;
    if let Some(accepted) = app.summary().accepted {
        let text = format!(" {accepted:.3} of {load:.3} ");
        // The unit is omitted if space is short.
        for text in [format!("{text}{} ", app.times().load_unit()), text] {
            let length = text.chars().count() as i32;
            let is_free = |&at: &i32| taken.iter().all(|&(x, n)| x + n <= at || at + length <= x);
            let places = i32::from(GUTTER)..=i32::from(pen.width()) - length;
            if let Some(at) = places.rev().find(is_free) {
                pen.text(at, 0, &text, dim);
                return;
            }
        }
    }
}

fn marks(app: &App, pen: &mut Pen<'_>, scale: Scale) {
    let (theme, glyphs) = (app.theme, &app.glyphs);
    for &(cycle, event) in &app.update.history.events {
        let (sign, style) = match event {
            Event::Load => (glyphs.lambda.chars().next().unwrap_or('l'), theme.theory()),
            Event::Deadlock => ('!', theme.alarm()),
            Event::Failure => (glyphs.failed, theme.alarm_line()),
            Event::Repair => (glyphs.repaired, theme.strong()),
            Event::Rerouting => (glyphs.rerouted, theme.strong()),
        };
        pen.put(scale.column(cycle), 0, sign, style);
    }
    for (number, &cycle) in (1..).zip(&app.update.bookmarks) {
        let text = format!("{}{number}", glyphs.bookmark);
        pen.text(scale.column(cycle), 0, &text, theme.strong());
    }
}
