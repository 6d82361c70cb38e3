//! The line that takes commands, and under it what it may become.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::dialog::{open, typed, wrapped};
use crate::tui::app::App;
use crate::tui::palette::{Match, Palette};
use crate::tui::pen::Pen;

/// Columns of the names in the list, where it is narrow and where it is wide.
const NAMES: [i32; 2] = [22, 30];
/// The most lines of the list.
const LINES: u16 = 18;

/// Draws it.
pub fn palette(app: &App, buffer: &mut Buffer, main: Rect, palette: &Palette) {
    let size = (main.width.saturating_sub(4).min(96), main.height.min(LINES + 4));
    let inner = open(app, buffer, main, size, "command");
    let mut pen = Pen::new(buffer, inner);
    let theme = app.theme;
    typed(app, &mut pen, ":", &palette.text);
    let height = i32::from(pen.height());
    let mut y = 1;
    if let Some(error) = &palette.error {
        y = wrapped(&mut pen, error, y, (y + 4).min(height), theme.warning()).min(y + 4);
    }
    let foot = height - 1;
    let rows = usize::try_from(foot - y).unwrap_or(0);
    if palette.matches.is_empty() && palette.error.is_none() {
        pen.text(1, y, "Enter does it", theme.dim());
    }
    let from = (palette.chosen + 1).saturating_sub(rows);
    for (row, found) in palette.matches.iter().skip(from).take(rows).enumerate() {
        line(app, &mut pen, y + row as i32, found, from + row == palette.chosen);
    }
    let more = palette.matches.len().saturating_sub(from + rows);
    if more > 0 {
        pen.right(foot, &format!("{more} more "), theme.dim());
    }
    let keys = "Enter does it   Tab completes   Ctrl-N Ctrl-P choose   Up Down: before";
    if more == 0 || i32::from(pen.width()) > keys.len() as i32 + 14 {
        pen.cut(1, foot, keys, app.glyphs.ellipsis, theme.dim());
    }
}

/// One line of the list: name, what it does, and the keys that do the same at the right.
fn line(app: &App, pen: &mut Pen<'_>, y: i32, found: &Match, chosen: bool) {
    let theme = app.theme;
    let sign = if chosen { app.glyphs.chosen } else { ' ' };
    let style = if chosen { theme.focus() } else { theme.text() };
    let end = pen.cut(1, y, &format!("{sign} {}", found.label), app.glyphs.ellipsis, style);
    let keys = found.keys.chars().count() as i32;
    let room = i32::from(pen.width()) - if keys > 0 { keys + 2 } else { 0 };
    let x = (end + 2).max(NAMES[usize::from(pen.width() >= 90)] + 3);
    if x < room {
        let help: String = found.help.chars().take((room - x - 1).max(0) as usize).collect();
        let short = help.len() < found.help.len();
        let end = pen.text(x, y, &help, theme.dim());
        if short {
            pen.put(end, y, app.glyphs.ellipsis, theme.dim());
        }
        if keys > 0 {
            pen.right(y, &format!("{} ", found.keys), theme.strong());
        }
    }
}
