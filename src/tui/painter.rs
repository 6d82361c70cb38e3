//! Turns the screen's state into the bytes that bring a terminal from the frame before to this one.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::app::App;
use super::draw::draw;

/// Ordinary colours, and nothing on the screen.
const CLEAR: &[u8] = b"\x1b[0m\x1b[2J";

pub(super) struct Painter {
    terminal: Terminal<CrosstermBackend<FrameWriter>>,
    writer: FrameWriter,
    /// Columns and rows, as the screen's state has them.
    size: (u16, u16),
}

impl Painter {
    /// Paints on so many columns and rows of the terminal of this process.
    pub(super) fn new(size: (u16, u16)) -> io::Result<Self> {
        let writer = FrameWriter::default();
        Ok(Self { terminal: terminal(writer.clone(), size)?, writer, size })
    }

    /// The next frame paints everything.
    pub(super) fn begin_anew(&mut self) -> io::Result<()> {
        // A new one knows nothing of what is on the screen, and unlike clearing the old one it
        // does not ask the terminal for its cursor, which some never answer.
        self.terminal = terminal(self.writer.clone(), self.size)?;
        self.writer.write_all(CLEAR)
    }

    /// Paints a frame; `take` gets its bytes in one piece.
    pub(super) fn paint(
        &mut self,
        app: &App,
        take: impl FnOnce(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.size != app.size {
            self.size = app.size;
            self.begin_anew()?;
        }
        self.terminal.draw(|frame| draw(app, frame.buffer_mut()))?;
        self.writer.commit(take)
    }
}

fn terminal(
    writer: FrameWriter,
    (width, height): (u16, u16),
) -> io::Result<Terminal<CrosstermBackend<FrameWriter>>> {
    // Not the size that the terminal claims, which may be one that no memory has room for.
    let viewport = Viewport::Fixed(Rect::new(0, 0, width, height));
    Terminal::with_options(CrosstermBackend::new(writer), TerminalOptions { viewport })
}

/// Begin and end of a synchronised update (DEC private mode 2026).
const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";

/// A writer that keeps everything until [`Self::commit`]. Clones share their storage.
#[derive(Clone, Debug, Default)]
struct FrameWriter(Rc<RefCell<Vec<u8>>>);

impl FrameWriter {
    /// Hands what was gathered to `take`, in one piece; nothing if there is nothing.
    fn commit(&self, take: impl FnOnce(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut frame = self.0.borrow_mut();
        if frame.is_empty() {
            return Ok(());
        }
        frame.extend_from_slice(END);
        let taken = take(&frame);
        frame.clear();
        taken
    }
}

impl Write for FrameWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut frame = self.0.borrow_mut();
        if frame.is_empty() {
            frame.extend_from_slice(BEGIN);
        }
        frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
