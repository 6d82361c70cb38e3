//! Sets up and restores the terminal's mode.
//!
//! The mode has raw input, the alternate screen, a window title and, optionally, the mouse. No
//! other module changes the mode.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use base64::prelude::{BASE64_STANDARD as STANDARD, Engine};
use crossterm::terminal::{self, disable_raw_mode, enable_raw_mode};
use rustix::process::getpgrp;
use rustix::termios::tcgetpgrp;
use signal_hook::consts::SIGTTOU;

use crate::experiment::points;
use crate::live;
use crate::recording::script::SIDE_MAX;
use crate::text;

/// Alternate screen, hidden cursor, no line wrapping, bracketed paste, focus reports.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[?1004h\x1b[2J";
/// The reverse of `ENTER`, also disabling mouse and synchronised output.
const LEAVE: &str = "\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l";
/// Saves and restores the window's title.
const KEEP_TITLE: &str = "\x1b[22;2t";
const GIVE_TITLE_BACK: &str = "\x1b[23;2t";
/// True while the title is saved, to save the title once only.
static TITLED: AtomicBool = AtomicBool::new(false);
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// Ownership of the terminal, restored on drop or on a panic of any thread except simulation
/// threads.
pub(super) struct Mode {
    mouse: bool,
}

impl Mode {
    pub(super) fn enter() -> io::Result<Self> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // A simulation's death is reported on the screen.
            let simulates = [live::THREAD_NAME, points::THREAD_NAME];
            let thread = std::thread::current();
            if !thread.name().is_some_and(|name| simulates.contains(&name)) {
                Self::leave();
                before(panic);
            }
        }));
        let mode = Self { mouse: false };
        mode.take()?;
        Ok(mode)
    }

    /// Sets up the terminal, even if already set up: a shell may have changed the mode after a
    /// program was stopped without restoring the terminal.
    pub(super) fn take(&self) -> io::Result<()> {
        // The mode of a background program belongs to the shell and must not be saved for later.
        while tcgetpgrp(io::stdin()).is_ok_and(|group| group != getpgrp()) {
            signal_hook::low_level::emulate_default_handler(SIGTTOU)?;
        }
        // The library skips changes already in effect according to its own record.
        disable_raw_mode()?;
        enable_raw_mode()?;
        control(ENTER)?;
        if self.mouse { control(MOUSE_ON) } else { Ok(()) }
    }

    /// Enables or disables mouse events.
    pub(super) fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        control(if on { MOUSE_ON } else { MOUSE_OFF })
    }

    /// Sets the window's title.
    pub(super) fn set_title(title: &str) -> io::Result<()> {
        let keep = if TITLED.swap(true, Ordering::SeqCst) { "" } else { KEEP_TITLE };
        control(&format!("{keep}\x1b]2;{}\x1b\\", text::line(title)))
    }

    /// Copies text to the clipboard (OSC 52), if supported by the terminal.
    pub(super) fn copy(text: &str) -> io::Result<()> {
        control(&format!("\x1b]52;c;{}\x1b\\", STANDARD.encode(text)))
    }

    /// Restores the terminal until the next [`Self::take`]; errors are ignored.
    pub(super) fn leave() {
        let title = if TITLED.swap(false, Ordering::SeqCst) { GIVE_TITLE_BACK } else { "" };
        let _ = control(&format!("{LEAVE}{title}"));
        let _ = disable_raw_mode();
    }
}

impl Drop for Mode {
    fn drop(&mut self) {
        Self::leave();
        if !std::thread::panicking() {
            let _ = std::panic::take_hook();
        }
    }
}

/// Columns and rows used for drawing, at most the size limit of films: a terminal may report
/// thousands.
pub(super) fn size() -> io::Result<(u16, u16)> {
    let (columns, rows) = terminal::size()?;
    Ok((columns.min(SIDE_MAX), rows.min(SIDE_MAX)))
}

/// Writes a control sequence, bypassing the frame buffer.
pub(super) fn control(sequence: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(sequence.as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests;
