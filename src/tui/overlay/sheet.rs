//! A box over the screen, with methods for writing text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, Clear, Widget};

use crate::tui::app::App;
use crate::tui::layout::inside;
use crate::tui::line::{EditLine, Visible};
use crate::tui::pen::{Pen, leading_clauses, wrap};
use crate::tui::view::Pane;

/// The area available to boxes.
pub(super) fn room(app: &App) -> Rect {
    Rect::new(0, 1, app.size.0, app.size.1.saturating_sub(2))
}

/// The size of a box for long texts.
pub(super) fn large(app: &App) -> (u16, u16) {
    let room = room(app);
    (room.width.saturating_sub(6).min(100), room.height.saturating_sub(2).min(34))
}

pub(super) struct Sheet<'a> {
    pub app: &'a App,
    /// Writes into the interior.
    pub pen: Pen<'a>,
}

impl<'a> Sheet<'a> {
    /// Opens a box of the given size at the centre.
    pub fn open(app: &'a App, buffer: &'a mut Buffer, size: (u16, u16), title: &str) -> Self {
        let all = room(app).intersection(buffer.area);
        Self::within(app, buffer, all, size, title, None)
    }

    /// Opens a box of the given size in the lower part of the screen, above the two rows reserved
    /// for the network's legend.
    pub fn above_the_legend(
        app: &'a App,
        buffer: &'a mut Buffer,
        size: (u16, u16),
        title: &str,
    ) -> Self {
        let all = room(app).intersection(buffer.area);
        let height = size.1.min(all.height);
        let grid = app.arrangement().pane(Pane::Grid);
        let end = grid.map_or(all.bottom(), |grid| grid.bottom().saturating_sub(2));
        let row = Rect { y: end.saturating_sub(height).max(all.y), height, ..all };
        Self::within(app, buffer, row, size, title, None)
    }

    fn within(
        app: &'a App,
        buffer: &'a mut Buffer,
        all: Rect,
        size: (u16, u16),
        title: &str,
        cursor: Option<usize>,
    ) -> Self {
        let (width, height) = (size.0.min(all.width), size.1.min(all.height));
        let rect = Rect {
            x: all.x + (all.width - width) / 2,
            y: all.y + (all.height - height) / 2,
            width,
            height,
        };
        Clear.render(rect, buffer);
        let block = Block::bordered().border_set(app.glyphs.border());
        block.border_style(app.theme.focus()).render(rect, buffer);
        let row = Rect { x: rect.x + 1, width: rect.width.saturating_sub(2), height: 1, ..rect };
        let title = format!(" {title} ");
        let mut pen = Pen::new(buffer, row);
        pen.cut(0, 0, &title, app.glyphs.ellipsis, app.theme.focus());
        mark(&mut pen, 1, &title[1..], cursor, app.theme.focus());
        Self { app, pen: Pen::new(buffer, inside(rect)) }
    }

    /// Opens a centred box with the line that is being edited in its title.
    pub fn asking(
        app: &'a App,
        buffer: &'a mut Buffer,
        size: (u16, u16),
        asks: &str,
        typed: &EditLine,
    ) -> Self {
        // The width excludes borders, three spaces and the caret.
        let width = usize::from(size.0.min(room(app).width)).saturating_sub(6);
        let before = asks.chars().count() + 1;
        let Visible { mut text, cursor, is_cut } = typed.visible(width.saturating_sub(before - 1));
        if is_cut && cursor != Some(0) {
            text = text.chars().skip(1).fold(app.glyphs.ellipsis.to_string(), |text, it| {
                text + it.encode_utf8(&mut [0; 4])
            });
        }
        let all = room(app).intersection(buffer.area);
        let title = format!("{asks} {text}");
        Self::within(app, buffer, all, size, &title, cursor.map(|at| before + at))
    }

    pub fn foot(&self) -> i32 {
        i32::from(self.pen.height()) - 1
    }

    /// Writes a line, truncated at the edge of the box; returns the next column.
    pub fn line(&mut self, y: i32, text: &str, style: Style) -> i32 {
        self.pen.cut(1, y, text, self.app.glyphs.ellipsis, style)
    }

    /// Writes the clauses of a line that fit into the box.
    pub fn phrase(&mut self, y: i32, text: &str, style: Style) {
        let room = usize::from(self.pen.width()).saturating_sub(2);
        self.pen.text(1, y, leading_clauses(text, room), style);
    }

    /// Writes the clauses of a line that fit between a given position and column `end`.
    pub fn line_to(&mut self, end: i32, (x, y): (i32, i32), text: &str, style: Style) {
        let room = usize::try_from(end - x).unwrap_or(0);
        self.pen.text(x, y, leading_clauses(text, room), style);
    }

    /// Writes a line of a list, marked if chosen.
    pub fn entry(&mut self, y: i32, text: &str, chosen: bool) -> i32 {
        let (glyphs, theme) = (&self.app.glyphs, self.app.theme);
        let (sign, style) =
            if chosen { (glyphs.chosen, theme.focus()) } else { (' ', theme.text()) };
        self.line(y, &format!("{sign} {text}"), style)
    }

    /// Wraps text over as many rows as needed; returns the next row.
    pub fn wrapped(&mut self, text: &str, mut y: i32, end: i32, style: Style) -> i32 {
        for line in wrap(text, usize::from(self.pen.width()).saturating_sub(2)) {
            if y < end {
                self.pen.text(1, y, &line, style);
            }
            y += 1;
        }
        y
    }

    /// Writes the part of an edited line around the cursor.
    pub fn typed(&mut self, before: &str, line: &EditLine) {
        let room = usize::from(self.pen.width()).saturating_sub(3 + before.len());
        let Visible { text, cursor, .. } = line.visible(room);
        let (text, style) = (format!("{before}{text}"), self.app.theme.strong());
        self.pen.text(1, 0, &text, style);
        mark(&mut self.pen, 1, &text, cursor.map(|at| before.len() + at), style);
    }
}

/// Reverses the character of `text` at the cursor; the text begins in column `x` of the first row.
fn mark(pen: &mut Pen<'_>, x: i32, text: &str, cursor: Option<usize>, style: Style) {
    let letter = cursor.and_then(|at| Some((at, text.chars().nth(at)?)));
    if let Some((at, letter)) = letter {
        pen.put(x + at as i32, 0, letter, style.add_modifier(Modifier::REVERSED));
    }
}
