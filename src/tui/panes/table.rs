//! What tables share: a heading, rows of which the chosen one is in sight, two lines below them.

use ratatui::style::Style;

use crate::tui::app::App;
use crate::tui::app::tables::first_shown;
use crate::tui::pen::Pen;
use crate::tui::view::Pane;

/// Rows above those of the table: the headings.
pub const HEAD: usize = 2;
/// Rows below them: what they are.
pub const FOOT: usize = 2;

/// Rows for which a pane with so many lines inside has room.
pub fn room(lines: u16) -> usize {
    usize::from(lines).saturating_sub(HEAD + FOOT)
}

/// Draws the rows in sight with `line`, and signs where there are more.
pub(super) fn rows(
    app: &App,
    pen: &mut Pen<'_>,
    pane: Pane,
    (chosen, count): (usize, usize),
    mut line: impl FnMut(&mut Pen<'_>, i32, usize, Style),
) {
    let room = room(pen.height());
    let from = first_shown(chosen, count, room);
    for (y, at) in (from..count).take(room).enumerate() {
        let y = (HEAD + y) as i32;
        let style = match (at == chosen, app.focus == pane) {
            (true, true) => app.theme.focus(),
            (true, false) => app.theme.strong(),
            (false, _) => app.theme.text(),
        };
        if at == chosen {
            pen.put(0, y, app.glyphs.chosen, style);
        }
        line(pen, y, at, style);
    }
    let edge = i32::from(pen.width()) - 1;
    if from > 0 {
        pen.put(edge, HEAD as i32, app.glyphs.more[0], app.theme.focus());
    }
    if from + room < count && room > 0 {
        pen.put(edge, (HEAD + room) as i32 - 1, app.glyphs.more[1], app.theme.focus());
    }
}

/// Draws the lines below the rows.
pub(super) fn foot(app: &App, pen: &mut Pen<'_>, lines: &[(String, Style); FOOT]) {
    let first = i32::from(pen.height()) - FOOT as i32;
    if first < HEAD as i32 {
        return;
    }
    for (y, (text, style)) in (first..).zip(lines) {
        pen.cut(0, y, text, app.glyphs.ellipsis, *style);
    }
}

/// Writes text that ends before a column.
pub(super) fn ending(pen: &mut Pen<'_>, end: i32, y: i32, text: &str, style: Style) {
    pen.text(end - text.chars().count() as i32, y, text, style);
}
