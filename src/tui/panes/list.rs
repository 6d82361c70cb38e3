//! Draws scrolled lists of lines, and bars for shares.

use std::borrow::Cow;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::tui::pen::Pen;
use crate::tui::scene::Scene;
use crate::tui::view::Pane;

/// A line of a list, and a figure at its right end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Item {
    line: Line<'static>,
    figure: Span<'static>,
}

impl Item {
    /// Text in one style.
    pub fn new(text: impl Into<Cow<'static, str>>, style: Style) -> Self {
        Line::styled(text, style).into()
    }

    /// Adds a figure at the right end.
    #[must_use]
    pub fn with(self, figure: impl Into<Cow<'static, str>>, style: Style) -> Self {
        Self { figure: Span::styled(figure, style), ..self }
    }
}

impl From<Line<'static>> for Item {
    fn from(line: Line<'static>) -> Self {
        Self { line, figure: Span::default() }
    }
}

impl std::fmt::Display for Item {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}{}", self.line, self.figure)
    }
}

/// Draws the visible part of a pane's list.
pub(super) fn draw(app: &Scene<'_>, pane: Pane, pen: &mut Pen<'_>, items: &[Item]) {
    let rows = usize::from(pen.height());
    let from = scrolled(app, pane, items.len(), pen.height());
    for (y, item) in items.iter().skip(from).take(rows).enumerate() {
        let (row, left) = (y as i32, items.len() - from - y);
        if y + 1 == rows && left > 1 {
            let more = format!("{} {left} lines more", app.glyphs.more[1]);
            pen.text(0, row, &more, app.theme.dim());
            return;
        }
        let end = pen.line(0, row, &item.line, app.glyphs.ellipsis);
        if end + (item.figure.width() as i32) < i32::from(pen.width()) {
            pen.right(row, &item.figure.content, item.figure.style);
        }
    }
}

/// Draws the visible part of a list in the network's pane.
pub(in crate::tui) fn all(app: &Scene<'_>, pen: &mut Pen<'_>, items: &[Item]) {
    let from = usize::from(app.layout.panes.scroll)
        .min(items.len().saturating_sub(usize::from(pen.height())));
    for (y, item) in (0..).zip(&items[from..]) {
        pen.line(0, y, &item.line, app.glyphs.ellipsis);
    }
}

/// The first line to draw of a scrolled list, never past the end.
pub(in crate::tui) fn scrolled(app: &Scene<'_>, pane: Pane, lines: usize, rows: u16) -> usize {
    if app.layout.panes.focus != pane {
        return 0;
    }
    usize::from(app.layout.panes.scroll).min(lines.saturating_sub(usize::from(rows)))
}

/// A bar of `width` characters for a share.
pub(super) fn meter(app: &Scene<'_>, width: i32, share: f64, style: Style) -> Line<'static> {
    let eighths = (share * f64::from(width.max(0) * 8)).round() as i32;
    let cell = |x: i32| match (eighths - x * 8).clamp(0, 8) as usize {
        fill @ 1.. if app.glyphs.reach[fill] != ' ' => (app.glyphs.reach[fill], style),
        _ => (app.glyphs.rest, app.theme.frame()),
    };
    (0..width).map(cell).map(|(glyph, style)| Span::styled(glyph.to_string(), style)).collect()
}
