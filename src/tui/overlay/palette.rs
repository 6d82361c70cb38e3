//! The line that takes commands, and under it what it may become.

use ratatui::buffer::Buffer;

use super::sheet::{Sheet, room};
use crate::tui::app::App;
use crate::tui::palette::{Match, Palette};

/// Columns of the names in the list, where it is narrow and where it is wide.
const NAMES: [i32; 2] = [22, 30];
/// The most lines of the list.
const LINES: u16 = 18;

/// Draws it.
pub(super) fn palette(app: &App, buffer: &mut Buffer, palette: &Palette) {
    let room = room(app);
    let size = (room.width.saturating_sub(4).min(96), room.height.min(LINES + 4));
    let mut sheet = Sheet::open(app, buffer, size, "command");
    let theme = app.theme;
    sheet.typed(":", &palette.text);
    let foot = sheet.foot();
    let mut y = 1;
    if let Some(error) = &palette.error {
        y = sheet.wrapped(error, y, (y + 4).min(foot + 1), theme.warning()).min(y + 4);
    }
    let rows = usize::try_from(foot - y).unwrap_or(0);
    if palette.matches.is_empty() && palette.error.is_none() {
        sheet.pen.text(1, y, "Enter does it", theme.dim());
    }
    let from = (palette.chosen + 1).saturating_sub(rows);
    let shown = palette.matches.iter().enumerate().skip(from).take(rows);
    for (y, (at, found)) in (y..).zip(shown) {
        line(&mut sheet, y, found, at == palette.chosen);
    }
    let more = palette.matches.len().saturating_sub(from + rows);
    if more > 0 {
        sheet.pen.right(foot, &format!("{more} more "), theme.dim());
    }
    let keys = "Enter does it   Tab completes   Ctrl-N Ctrl-P choose   Up Down: before";
    if more == 0 || usize::from(sheet.pen.width()) > keys.len() + 14 {
        sheet.line(foot, keys, theme.dim());
    }
}

/// One line of the list: name, what it does, and the keys that do the same at the right.
fn line(sheet: &mut Sheet<'_>, y: i32, found: &Match, chosen: bool) {
    let (theme, width) = (sheet.app.theme, i32::from(sheet.pen.width()));
    let end = sheet.entry(y, &found.label, chosen);
    let keys = found.keys.chars().count() as i32;
    let room = width - if keys > 0 { keys + 2 } else { 0 };
    let x = (end + 2).max(NAMES[usize::from(width >= 90)] + 3);
    if x < room {
        let help: String = found.help.chars().take((room - x - 1).max(0) as usize).collect();
        let end = sheet.pen.text(x, y, &help, theme.dim());
        if help.len() < found.help.len() {
            sheet.pen.put(end, y, sheet.app.glyphs.ellipsis, theme.dim());
        }
        if keys > 0 {
            sheet.pen.right(y, &format!("{} ", found.keys), theme.strong());
        }
    }
}
