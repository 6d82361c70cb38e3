//! Frames as events: the first one enters the screen, another size is told first, the end leaves it.

use std::io::{self, Write};

use super::cast::{Cast, Event};

/// What a terminal is told before the first frame: alternate screen, hidden cursor, no wrapping of
/// lines, ordinary colours, nothing on it.
pub const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[0m\x1b[2J";
/// The reverse of it.
pub const LEAVE: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/// Where events go.
pub trait Sink {
    /// Takes what happened `at` microseconds after the beginning. An error is the end of the
    /// recording.
    fn put(&mut self, at: u64, event: Event) -> io::Result<()>;
}

impl<W: Write> Sink for Cast<W> {
    fn put(&mut self, at: u64, event: Event) -> io::Result<()> {
        self.write(at, &event)
    }
}

/// A recording under way.
#[derive(Debug)]
pub struct Roll<S> {
    sink: S,
    /// When the first frame came, on the caller's clock.
    began: Option<u64>,
    size: (u16, u16),
}

impl<S: Sink> Roll<S> {
    /// A recording whose header promises `size` columns and rows. Its first frame must paint
    /// everything, and so must each one of another size.
    pub fn new(sink: S, size: (u16, u16)) -> Self {
        Self { sink, began: None, size }
    }

    /// Takes a frame of `size` columns and rows at a time in microseconds: the bytes that bring the
    /// terminal there from the frame before.
    pub fn frame(&mut self, at: u64, size: (u16, u16), bytes: &[u8]) -> io::Result<()> {
        let now = self.time(at);
        if size != self.size {
            self.size = size;
            self.sink.put(now, Event::Resize(size.0, size.1))?;
        }
        let text = String::from_utf8_lossy(bytes);
        let text = match self.began.replace(at - now) {
            None => format!("{ENTER}{text}"),
            Some(_) => text.into_owned(),
        };
        self.sink.put(now, Event::Output(text))
    }

    /// Marks this moment. Before the first frame there is nothing to mark.
    pub fn mark(&mut self, at: u64, name: &str) -> io::Result<()> {
        if self.began.is_none() {
            return Ok(());
        }
        self.sink.put(self.time(at), Event::Marker(name.to_owned()))
    }

    /// Leaves the screen; the program ends with this status.
    pub fn end(mut self, at: u64, status: u8) -> io::Result<S> {
        let now = self.time(at);
        self.sink.put(now, Event::Output(LEAVE.to_owned()))?;
        self.sink.put(now, Event::Exit(status))?;
        Ok(self.sink)
    }

    /// Microseconds since the first frame.
    pub fn time(&self, at: u64) -> u64 {
        self.began.map_or(0, |began| at.saturating_sub(began))
    }

    /// Where the events go.
    pub fn sink(&self) -> &S {
        &self.sink
    }
}

#[cfg(test)]
mod tests;
