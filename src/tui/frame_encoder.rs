//! Encodes frames as the bytes that update a terminal from the previous frame.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::app::App;
use super::draw::draw;

/// Resets colours and clears the screen.
const CLEAR: &[u8] = b"\x1b[0m\x1b[2J";

pub(super) struct FrameEncoder {
    terminal: Terminal<CrosstermBackend<FrameWriter>>,
    writer: FrameWriter,
    /// Columns and rows of the screen's state.
    size: (u16, u16),
}

impl FrameEncoder {
    /// Creates an encoder for the given columns and rows of this process's terminal.
    pub(super) fn new(size: (u16, u16)) -> io::Result<Self> {
        let writer = FrameWriter::default();
        Ok(Self { terminal: terminal(writer.clone(), size)?, writer, size })
    }

    /// Makes the next frame repaint the whole screen.
    pub(super) fn begin_anew(&mut self) -> io::Result<()> {
        // A new `Terminal` assumes an unknown screen. Clearing the old one would query the cursor
        // position, and some terminals never reply.
        self.terminal = terminal(self.writer.clone(), self.size)?;
        self.writer.write_all(CLEAR)
    }

    /// Encodes a frame and passes its bytes to `take` in one piece.
    pub(super) fn encode(
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
    // The reported size of the terminal is ignored, because a bogus size could exhaust memory.
    let viewport = Viewport::Fixed(Rect::new(0, 0, width, height));
    Terminal::with_options(CrosstermBackend::new(writer), TerminalOptions { viewport })
}

/// Begin and end of a synchronised update (DEC private mode 2026).
const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";

/// A writer with a buffer until [`Self::commit`]; clones share the buffer.
#[derive(Clone, Debug, Default)]
struct FrameWriter(Rc<RefCell<Vec<u8>>>);

impl FrameWriter {
    /// Passes the buffer to `take` in one piece, unless empty.
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
