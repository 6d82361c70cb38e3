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
    /// Takes what happened so many microseconds after the beginning. An error is the end of the
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
mod tests {
    use super::*;

    #[derive(Default)]
    struct Seen(Vec<(u64, Event)>);

    impl Sink for Seen {
        fn put(&mut self, at: u64, event: Event) -> io::Result<()> {
            self.0.push((at, event));
            Ok(())
        }
    }

    #[test]
    fn a_recording_enters_tells_sizes_first_and_leaves() {
        let mut roll = Roll::new(Seen::default(), (80, 24));
        roll.mark(700, "too early").unwrap();
        roll.frame(1_000, (80, 24), b"one").unwrap();
        roll.mark(2_000, "pause").unwrap();
        roll.frame(3_000, (90, 24), b"two").unwrap();
        roll.frame(4_000, (90, 24), b"three").unwrap();
        let seen = roll.end(5_000, 0).unwrap().0;
        let output = |text: &str| Event::Output(text.to_owned());
        assert_eq!(
            seen,
            [
                (0, output(&format!("{ENTER}one"))),
                (1_000, Event::Marker("pause".to_owned())),
                (2_000, Event::Resize(90, 24)),
                (2_000, output("two")),
                (3_000, output("three")),
                (4_000, output(LEAVE)),
                (4_000, Event::Exit(0)),
            ]
        );
    }

    #[test]
    fn a_recording_that_begins_on_another_size_says_so() {
        let mut roll = Roll::new(Seen::default(), (80, 24));
        roll.frame(9, (100, 30), b"one").unwrap();
        let seen = roll.end(9, 0).unwrap().0;
        assert_eq!(seen[0], (0, Event::Resize(100, 30)));
    }

    #[test]
    fn what_is_taken_is_given_back() {
        for mode in ["?1049", "?25", "?7"] {
            assert!(ENTER.contains(mode) && LEAVE.contains(mode), "{mode}");
        }
    }
}
