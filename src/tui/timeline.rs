//! The run so far: accepted load as a line of bars over its cycles, with what happened above.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::App;
use super::pen::Pen;
use crate::live::{Event, RunState};

/// Columns for the label at the left.
const GUTTER: u16 = 10;

/// Draws the timeline into one or two rows.
pub fn draw(app: &App, buffer: &mut Buffer, area: Rect) {
    let theme = app.theme;
    let history = &app.update.history;
    let last = i32::from(area.height) - 1;
    let mut pen = Pen::new(buffer, area);
    if area.width <= GUTTER + 8 {
        return;
    }
    let top = history.bins.iter().map(|bin| bin.mean).fold(0.0, f32::max);
    pen.text(1, 0, "accepted", theme.dim());
    if last > 0 && top > 0.0 {
        pen.text(1, last, &format!("0{}{}", app.glyphs.dash, short(f64::from(top))), theme.dim());
    }
    let width = usize::from(area.width - GUTTER - 8);
    let bins = history.bins.len();
    let columns = bins.min(width);
    for column in 0..columns {
        let part = &history.bins[column * bins / columns..(column + 1) * bins / columns];
        let mean = part.iter().map(|bin| bin.mean).sum::<f32>() / part.len().max(1) as f32;
        let share = if top > 0.0 { mean / top } else { 0.0 };
        // Whatever moved shows.
        let eighths = ((share * 8.0).round() as usize).max(usize::from(mean > 0.0));
        let glyph = app.glyphs.rise[eighths.min(8)];
        pen.put(i32::from(GUTTER) + column as i32, last, glyph, theme.measured());
    }
    let end = i32::from(GUTTER) + columns as i32;
    let now = app.times().brief(app.update.snapshot.cycle.0 as f64);
    let style = if app.update.state == RunState::Running { theme.text() } else { theme.strong() };
    pen.text(end, last, &format!(" {now}"), style);
    if last == 0 {
        return;
    }
    let load = app.update.scenario.system.load_at(app.update.rate).0;
    if let Some(accepted) = app.update.summary.accepted {
        let text = format!("{accepted:.3} of {load:.3} {} ", app.times().load_unit());
        pen.right(0, &text, theme.dim());
    }
    let whole = (history.span * bins as u64).max(1);
    let at = |cycle: u64| {
        let column = (u128::from(cycle) * columns as u128 / u128::from(whole)) as i32;
        i32::from(GUTTER) + column.min(columns as i32)
    };
    for &(cycle, event) in &history.events {
        let x = at(cycle);
        match event {
            Event::Load => {
                pen.put(x, 0, app.glyphs.lambda.chars().next().unwrap_or('l'), theme.theory());
            }
            Event::Deadlock => pen.put(x, 0, '!', theme.alarm()),
        }
    }
    if let Some(from) = app.update.summary.measured_from {
        let x = at(from);
        if x < end {
            pen.put(x, 0, app.glyphs.mark[0], theme.dim());
            if x + 10 < end && history.events.is_empty() {
                pen.text(x + 1, 0, "measured", theme.dim());
            }
        }
    }
}

/// A load in few characters.
fn short(load: f64) -> String {
    format!("{load:.3}").trim_start_matches('0').to_owned()
}
