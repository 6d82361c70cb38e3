//! What tables share: columns with their headings, rows of which the chosen one is in sight, two
//! lines below them.

use ratatui::style::Style;

use crate::tui::pen::Pen;
use crate::tui::rows::first_shown;
use crate::tui::shown::Shown;
use crate::tui::view::Pane;

/// Rows above those of the table: the headings.
pub const HEAD: usize = 2;
/// Rows below them: what they are.
pub const FOOT: usize = 2;

/// Rows for which a pane with this many lines inside has room.
pub fn room(lines: u16) -> usize {
    usize::from(lines).saturating_sub(HEAD + FOOT)
}

/// A column: how wide it is, and at which side its texts stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Characters, those of a gap to the next column included.
    pub width: i32,
    /// Characters of a text, which stands at the left; none of figures, which end where it does.
    pub room: Option<usize>,
}

impl Column {
    /// Texts, with a free character behind them.
    pub const fn text(width: i32) -> Self {
        Self { width, room: Some(width as usize - 1) }
    }

    pub const fn figure(width: i32) -> Self {
        Self { width, room: None }
    }
}

/// Writes a text for each column, from (x, y) on; the last one may take what is left.
pub(in crate::tui) fn cells<T: AsRef<str>>(
    app: &Shown<'_>,
    pen: &mut Pen<'_>,
    (mut x, y): (i32, i32),
    columns: &[Column],
    texts: impl IntoIterator<Item = (T, Style)>,
) {
    for (column, (text, style)) in columns.iter().zip(texts) {
        let (text, end) = (text.as_ref(), x + column.width);
        if let Some(room) = column.room {
            let text: String = text.chars().take(room).collect();
            pen.cut(x, y, &text, app.glyphs.ellipsis, style);
        } else {
            pen.ending(end, y, text, style);
        }
        x = end;
    }
}

/// Draws the rows in sight with `line`, and signs where there are more.
pub(super) fn rows(
    app: &Shown<'_>,
    pen: &mut Pen<'_>,
    pane: Pane,
    (chosen, count): (usize, usize),
    mut line: impl FnMut(&mut Pen<'_>, i32, usize, Style),
) {
    let room = room(pen.height());
    let from = first_shown(chosen, count, room);
    for (y, at) in (from..count).take(room).enumerate() {
        let y = (HEAD + y) as i32;
        let style = match (at == chosen, app.wants.focus == pane) {
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
pub(super) fn foot(app: &Shown<'_>, pen: &mut Pen<'_>, lines: [(String, Style); FOOT]) {
    let first = i32::from(pen.height()) - FOOT as i32;
    if first < HEAD as i32 {
        return;
    }
    for (y, (text, style)) in (first..).zip(lines) {
        pen.cut(0, y, &text, app.glyphs.ellipsis, style);
    }
}
