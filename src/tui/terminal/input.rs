//! The input of the terminal: what was typed, pasted, clicked or answered, and a new size. Reading
//! never waits longer than its caller allows, whatever the terminal sends.

mod decoder;

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use signal_hook::consts::SIGWINCH;
use signal_hook::low_level::pipe;

use super::mode;
use crate::tui::action::Key;
use decoder::Decoder;

/// The bytes that are taken at a time: a frame is due after them if it is due.
const CHUNK: usize = 1024;

/// A piece of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Input {
    Key(Key),
    /// A gesture of the mouse, at a column and a row.
    Mouse(Gesture, u16, u16),
    Paste(String),
    /// The window got the focus.
    Focus,
    /// A string that the terminal sends when it is asked, without its marks.
    Answer(String),
    /// The terminal has this many columns and rows now.
    Size(u16, u16),
}

/// A movement of the left button or the wheel of the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gesture {
    Press,
    Drag,
    Release,
    WheelUp,
    WheelDown,
}

/// A reader of the terminal.
#[derive(Debug)]
pub(super) struct Listener {
    decoder: Decoder,
    /// Readable once the size has changed.
    resized: UnixStream,
}

impl Listener {
    pub(super) fn new() -> io::Result<Self> {
        let (resized, noted) = UnixStream::pair()?;
        resized.set_nonblocking(true)?;
        pipe::register(SIGWINCH, noted)?;
        Ok(Self { decoder: Decoder::default(), resized })
    }

    /// Waits for input, no longer than `patience`, and adds what came to `heard`.
    pub(super) fn listen(&mut self, patience: Duration, heard: &mut Vec<Input>) -> io::Result<()> {
        let left = self.decoder.patience(Instant::now());
        let patience = left.map_or(patience, |left| left.min(patience));
        let stdin = io::stdin();
        let mut sources =
            [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&self.resized, PollFlags::IN)];
        let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
        match poll(&mut sources, Some(&timeout)) {
            Ok(_) => {}
            // A signal, which the caller looks for.
            Err(Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        let [typed, sized] = sources.map(|source| source.revents());
        if sized.contains(PollFlags::IN) {
            while self.resized.read(&mut [0; CHUNK]).is_ok_and(|count| count > 0) {}
            let (width, height) = mode::size()?;
            heard.push(Input::Size(width, height));
        }
        if !typed.is_empty() {
            let mut bytes = [0; CHUNK];
            match read(&stdin, &mut bytes) {
                // The terminal is gone: a thread of its own sees to the end.
                Ok(0) | Err(Errno::IO) => std::thread::sleep(patience),
                Ok(count) => self.decoder.feed(&bytes[..count], Instant::now(), heard),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.decoder.expire(Instant::now(), heard);
        Ok(())
    }
}
