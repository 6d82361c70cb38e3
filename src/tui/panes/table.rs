//! Draws tables: cells in columns, and scrolled rows.
//!
//! The chosen row is always in sight. Two lines follow below.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::pen::Pen;
use crate::tui::rows::first_shown;
use crate::tui::scene::Scene;
use crate::tui::view::Pane;

/// Rows of headings above the table.
pub const HEAD: usize = 2;
/// Rows of explanations below the table.
pub const FOOT: usize = 2;

/// The number of rows that fit into a pane of `lines` lines.
pub fn room(lines: u16) -> usize {
    usize::from(lines).saturating_sub(HEAD + FOOT)
}

/// The width and alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// The width in characters, including the gap to the next column.
    pub width: i32,
    /// The most characters of a left-aligned text; `None` for right-aligned figures.
    pub room: Option<usize>,
}

impl Column {
    /// A column of texts, each followed by a free character.
    pub const fn text(width: i32) -> Self {
        Self { width, room: Some(width as usize - 1) }
    }

    pub const fn figure(width: i32) -> Self {
        Self { width, room: None }
    }
}

/// Writes a text into each column, from (x, y) on.
pub(in crate::tui) fn cells<T: AsRef<str>>(
    app: &Scene<'_>,
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

/// Draws the visible rows of a pane's table with `line`, between its headings and explanations.
pub(super) fn rows(
    app: &Scene<'_>,
    pen: &mut Pen<'_>,
    pane: Pane,
    rows: (usize, usize),
    line: impl FnMut(&mut Pen<'_>, i32, usize, Style),
) {
    let room = room(pen.height()) as u16;
    let part = Rect::new(0, HEAD as u16, pen.width(), room);
    visible(app, &mut pen.within(part), rows, app.layout.panes.focus == pane, line);
}

/// Draws the visible rows with `line`, and arrows at the edge for hidden rows.
pub(in crate::tui) fn visible(
    app: &Scene<'_>,
    pen: &mut Pen<'_>,
    (chosen, count): (usize, usize),
    focused: bool,
    mut line: impl FnMut(&mut Pen<'_>, i32, usize, Style),
) {
    let room = usize::from(pen.height());
    let from = first_shown(chosen, count, room);
    for (y, at) in (0..).zip((from..count).take(room)) {
        let style = match (at == chosen, focused) {
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
        pen.put(edge, 0, app.glyphs.more[0], app.theme.focus());
    }
    if from + room < count && room > 0 {
        pen.put(edge, room as i32 - 1, app.glyphs.more[1], app.theme.focus());
    }
}

/// Draws the lines below the rows.
pub(super) fn foot(app: &Scene<'_>, pen: &mut Pen<'_>, lines: [(String, Style); FOOT]) {
    let first = i32::from(pen.height()) - FOOT as i32;
    if first < HEAD as i32 {
        return;
    }
    for (y, (text, style)) in (first..).zip(lines) {
        pen.cut(0, y, &text, app.glyphs.ellipsis, style);
    }
}
