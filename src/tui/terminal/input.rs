//! Reads keys, pasted text, mouse gestures, replies and changes of size.
//!
//! Reading never waits longer than requested, whatever the terminal sends.

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

/// Maximum number of bytes per read, to keep frames on time.
const CHUNK: usize = 1024;

/// An item of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Input {
    Key(Key),
    /// A mouse gesture at a column and row.
    Mouse(Gesture, u16, u16),
    Paste(String),
    Focus,
    /// The terminal's reply to a query, without delimiters.
    Answer(String),
    /// New columns and rows of the terminal.
    Size(u16, u16),
}

/// An event of the mouse's left button or wheel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gesture {
    Press,
    Drag,
    Release,
    WheelUp,
    WheelDown,
}

/// A reader of terminal input.
#[derive(Debug)]
pub(super) struct Listener {
    decoder: Decoder,
    /// Readable after a change of size.
    resized: UnixStream,
}

impl Listener {
    pub(super) fn new() -> io::Result<Self> {
        let (resized, noted) = UnixStream::pair()?;
        resized.set_nonblocking(true)?;
        pipe::register(SIGWINCH, noted)?;
        Ok(Self { decoder: Decoder::default(), resized })
    }

    /// Waits for input for at most `patience` and adds the input to `heard`.
    pub(super) fn listen(&mut self, patience: Duration, heard: &mut Vec<Input>) -> io::Result<()> {
        let left = self.decoder.patience(Instant::now());
        let patience = left.map_or(patience, |left| left.min(patience));
        let stdin = io::stdin();
        let mut sources =
            [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&self.resized, PollFlags::IN)];
        let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
        match poll(&mut sources, Some(&timeout)) {
            Ok(_) => {}
            // Interrupted by a signal, to be checked by the caller.
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
                // The terminal has disappeared; the signal thread ends the program.
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
