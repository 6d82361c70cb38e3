//! Draws the frame of a pane with its title.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::symbols::merge::MergeStrategy;
use ratatui::widgets::{Block, Borders, Widget};

use super::app::App;
use super::layout::inside;
use super::pen::Pen;

/// Draws the frame of a pane.
pub(super) fn frame(app: &App, buffer: &mut Buffer, title: &str, rect: Rect, focused: bool) {
    let rect = rect.intersection(buffer.area);
    if rect.is_empty() {
        return;
    }
    let style = if focused { app.theme.focus() } else { app.theme.frame() };
    let mut block = Block::bordered().border_set(app.glyphs.border()).border_style(style);
    if !app.glyphs.ascii {
        block = block.merge_borders(MergeStrategy::Exact);
    }
    // Four separate sides: a whole block would also process its interior, a tenth of a frame's
    // time.
    let inner = inside(rect);
    let sides = [
        (Borders::TOP | Borders::LEFT | Borders::RIGHT, Rect { height: 1, ..rect }),
        (Borders::LEFT, Rect { x: rect.x, width: 1, ..inner }),
        (Borders::RIGHT, Rect { x: rect.right() - 1, width: 1, ..inner }),
        (
            Borders::BOTTOM | Borders::LEFT | Borders::RIGHT,
            Rect { y: rect.bottom() - 1, height: 1, ..rect },
        ),
    ];
    for (borders, side) in sides {
        block.clone().borders(borders).render(side, buffer);
    }
    let row = Rect { x: rect.x + 1, width: rect.width.saturating_sub(2), height: 1, ..rect };
    let mut pen = Pen::new(buffer, row);
    let style = if focused { app.theme.focus() } else { app.theme.title() };
    let sign = if focused { app.glyphs.chosen } else { ' ' };
    let end = pen.cut(0, 0, &format!("{sign}{title}"), app.glyphs.ellipsis, style);
    pen.text(end, 0, " ", style);
}
