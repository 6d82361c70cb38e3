//! Turns the screen's state into the bytes that bring a terminal from the frame before to this one.

mod writer;

use std::io::{self, Write};

use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::app::App;
use super::draw::draw;
use writer::FrameWriter;

/// Ordinary colours, and nothing on the screen.
const CLEAR: &[u8] = b"\x1b[0m\x1b[2J";

/// What was painted last, and what is being gathered.
pub(super) struct Painter {
    terminal: Terminal<CrosstermBackend<FrameWriter>>,
    writer: FrameWriter,
    /// The size, where it does not follow that of a terminal.
    fixed: Option<Rect>,
}

impl Painter {
    /// Paints on the terminal of this process, whatever its size.
    pub(super) fn on_terminal() -> io::Result<Self> {
        Self::new(None)
    }

    /// Paints screens of this many columns and rows, with no terminal about.
    pub(super) fn sized(size: (u16, u16)) -> io::Result<Self> {
        Self::new(Some(Rect::new(0, 0, size.0, size.1)))
    }

    fn new(fixed: Option<Rect>) -> io::Result<Self> {
        let writer = FrameWriter::default();
        Ok(Self { terminal: terminal(writer.clone(), fixed)?, writer, fixed })
    }

    /// The next frame paints everything.
    pub(super) fn begin_anew(&mut self) -> io::Result<()> {
        // A new one knows nothing of what is on the screen, and unlike clearing the old one it
        // does not ask the terminal for its cursor, which some never answer.
        self.terminal = terminal(self.writer.clone(), self.fixed)?;
        self.writer.write_all(CLEAR)
    }

    /// Paints a frame; `take` gets its columns and rows, and its bytes in one piece.
    pub(super) fn paint(
        &mut self,
        app: &App,
        take: impl FnOnce((u16, u16), &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let area = self.terminal.draw(|frame| draw(app, frame.buffer_mut()))?.area;
        self.writer.commit(|bytes| take((area.width, area.height), bytes))
    }
}

fn terminal(
    writer: FrameWriter,
    fixed: Option<Rect>,
) -> io::Result<Terminal<CrosstermBackend<FrameWriter>>> {
    let viewport = fixed.map_or(Viewport::Fullscreen, Viewport::Fixed);
    Terminal::with_options(CrosstermBackend::new(writer), TerminalOptions { viewport })
}
