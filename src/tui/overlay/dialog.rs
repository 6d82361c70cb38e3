//! A box over the screen, and text in it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, Clear, Widget};

use crate::tui::app::App;
use crate::tui::layout::inside;
use crate::tui::pen::{Pen, wrap};

/// Opens a box of this size in the middle and returns its inside.
pub(super) fn open(
    app: &App,
    buffer: &mut Buffer,
    within: Rect,
    size: (u16, u16),
    title: &str,
) -> Rect {
    let within = within.intersection(buffer.area);
    let (width, height) = (size.0.min(within.width), size.1.min(within.height));
    let rect = Rect {
        x: within.x + (within.width - width) / 2,
        y: within.y + (within.height - height) / 2,
        width,
        height,
    };
    Clear.render(rect, buffer);
    Block::bordered()
        .border_set(app.glyphs.border())
        .border_style(app.theme.focus())
        .render(rect, buffer);
    let row = Rect { x: rect.x + 1, width: rect.width.saturating_sub(2), height: 1, ..rect };
    let mut pen = Pen::new(buffer, row);
    pen.cut(0, 0, &format!(" {title} "), app.glyphs.ellipsis, app.theme.focus());
    inside(rect)
}

/// Writes text word by word over as many rows as it needs; returns the row after it.
pub(super) fn wrapped(pen: &mut Pen<'_>, text: &str, mut y: i32, end: i32, style: Style) -> i32 {
    for line in wrap(text, usize::from(pen.width()).saturating_sub(2)) {
        if y < end {
            pen.text(1, y, &line, style);
        }
        y += 1;
    }
    y
}

/// The end of what is being typed, as much as there is room for: that is where one types.
pub(super) fn typed(app: &App, pen: &mut Pen<'_>, before: &str, text: &str) {
    let room = usize::from(pen.width()).saturating_sub(3 + before.len());
    let skip = text.chars().count().saturating_sub(room);
    let text: String = text.chars().skip(skip).collect();
    pen.text(1, 0, &format!("{before}{text}_"), app.theme.strong());
}
