//! The terminal in our mode: raw, on its other screen, with a title of its own, perhaps with the mouse.
//! Taken and given back here alone.

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

/// Alternate screen, hidden cursor, no wrapping of lines; what is pasted comes in one piece, and the
/// window tells when it gets the focus.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[?1004h\x1b[2J";
/// The reverse of it, the mouse and synchronised output given back as well.
const LEAVE: &str = "\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l";
/// Has the terminal remember the window's title, and take it back.
const KEEP_TITLE: &str = "\x1b[22;2t";
const GIVE_TITLE_BACK: &str = "\x1b[23;2t";
/// Whether the title is kept: it is kept once, however often the terminal is taken.
static TITLED: AtomicBool = AtomicBool::new(false);
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// Holds the terminal; dropping it, or a panic on any thread but the simulation's, gives it back.
pub(super) struct Mode {
    mouse: bool,
}

impl Mode {
    pub(super) fn enter() -> io::Result<Self> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // The death of a simulation is shown on the screen, which stays.
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

    /// Takes the terminal, also where it was taken and somebody has changed its mode since: a shell
    /// does so when a program is stopped that had no chance to give it back.
    pub(super) fn take(&self) -> io::Result<()> {
        // Of a program in the background the mode is the shell's, and not to be given back later.
        while tcgetpgrp(io::stdin()).is_ok_and(|group| group != getpgrp()) {
            signal_hook::low_level::emulate_default_handler(SIGTTOU)?;
        }
        // The library sets nothing where it believes that nothing has changed.
        disable_raw_mode()?;
        enable_raw_mode()?;
        control(ENTER)?;
        if self.mouse { control(MOUSE_ON) } else { Ok(()) }
    }

    /// Takes the mouse or gives it back.
    pub(super) fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        control(if on { MOUSE_ON } else { MOUSE_OFF })
    }

    /// Sets the window's title.
    pub(super) fn set_title(title: &str) -> io::Result<()> {
        let keep = if TITLED.swap(true, Ordering::SeqCst) { "" } else { KEEP_TITLE };
        control(&format!("{keep}\x1b]2;{}\x1b\\", text::line(title)))
    }

    /// Puts a text into the clipboard (OSC 52), where the terminal allows it.
    pub(super) fn copy(text: &str) -> io::Result<()> {
        control(&format!("\x1b]52;c;{}\x1b\\", STANDARD.encode(text)))
    }

    /// Gives the terminal back for as long as [`Self::take`] is not called; what fails here cannot be
    /// mended.
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

/// The columns and rows of the terminal that are drawn on: all of a real one, and of one that claims
/// thousands as many as a film can have.
pub(super) fn size() -> io::Result<(u16, u16)> {
    let (columns, rows) = terminal::size()?;
    Ok((columns.min(SIDE_MAX), rows.min(SIDE_MAX)))
}

/// Writes control sequences past the frame buffer.
pub(super) fn control(sequence: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(sequence.as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests;
