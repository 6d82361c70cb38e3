//! Asciicasts: a header and an event per line, in version 3 (asciinema 3) or 2 (older players).
//!
//! Times are whole microseconds on the caller's clock. Version 3 writes the milliseconds since the
//! event before; what rounding leaves over is carried on, so that a long recording does not drift.
//! Version 2 writes seconds since the beginning, which is the first frame.

use std::io::{self, Write};

use serde::Serialize;

use crate::text;

/// What a terminal is told before the first frame: alternate screen, hidden cursor, no wrapping of
/// lines, ordinary colours, nothing on it.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[0m\x1b[2J";
/// The reverse of it.
const LEAVE: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/// A version of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Version 3.
    #[default]
    V3,
    /// Version 2, which has no exit status.
    V2,
}

/// The terminal's colours, each as `0xRRGGBB`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Palette {
    /// Ordinary text.
    pub ink: u32,
    /// Background.
    pub ground: u32,
    /// The 16 of old.
    pub colours: [u32; 16],
}

/// What a recording says of itself.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Header {
    /// The version.
    pub format: Format,
    /// Columns and rows at the beginning.
    pub size: (u16, u16),
    /// The title that a player shows.
    pub title: String,
    /// When it was made, in seconds since 1970; `None` where that would make two differ.
    pub made: Option<u64>,
    /// Players shorten longer rests to this many seconds.
    pub idle_limit: Option<f64>,
    /// The terminal's kind, as in `TERM`.
    pub terminal: Option<String>,
    /// The colours to play it in.
    pub palette: Option<Palette>,
}

/// What was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    pub events: u64,
    /// The time of the last one, in microseconds.
    pub length: u64,
}

#[derive(Serialize)]
struct Theme {
    fg: String,
    bg: String,
    palette: String,
}

#[derive(Serialize)]
struct Terminal<'a> {
    cols: u16,
    rows: u16,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<&'a Theme>,
}

#[derive(Serialize)]
struct Environment<'a> {
    #[serde(rename = "TERM")]
    term: &'a str,
}

/// A header as it is written; of the terminal version 3 has `term`, version 2 all else.
#[derive(Serialize)]
struct First<'a> {
    version: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    term: Option<Terminal<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_time_limit: Option<f64>,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    env: Option<Environment<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<&'a Theme>,
}

impl Header {
    fn line(&self) -> io::Result<String> {
        let hex = |colour: u32| format!("#{colour:06x}");
        let theme = self.palette.map(|Palette { ink, ground, colours }| Theme {
            fg: hex(ink),
            bg: hex(ground),
            palette: colours.map(hex).join(":"),
        });
        let kind = self.terminal.as_deref().map(text::line);
        let (kind, theme, (cols, rows)) = (kind.as_deref(), theme.as_ref(), self.size);
        let second = self.format == Format::V2;
        Ok(serde_json::to_string(&First {
            version: if second { 2 } else { 3 },
            term: (!second).then_some(Terminal { cols, rows, kind, theme }),
            width: second.then_some(cols),
            height: second.then_some(rows),
            timestamp: self.made,
            idle_time_limit: self.idle_limit,
            title: text::line(&self.title),
            env: kind.filter(|_| second).map(|term| Environment { term }),
            theme: theme.filter(|_| second),
        })?)
    }
}

/// A recording on its way into `W`, which gets a line at a time. Times are in microseconds on the
/// caller's clock; an error is the end of the recording.
#[derive(Debug)]
pub struct Cast<W> {
    pub out: W,
    format: Format,
    /// Columns and rows of the last frame; at first those that the header promises.
    size: (u16, u16),
    /// When the first frame came.
    began: Option<u64>,
    /// Milliseconds written so far.
    written: u64,
    summary: Summary,
}

impl<W: Write> Cast<W> {
    /// Begins a recording with its header. Its first frame must paint everything, and so must each
    /// one of another size.
    pub fn begin(mut out: W, header: &Header) -> io::Result<Self> {
        out.write_all((header.line()? + "\n").as_bytes())?;
        let (format, size, summary) = (header.format, header.size, Summary::default());
        Ok(Self { out, format, size, began: None, written: 0, summary })
    }

    /// Takes a frame of `size` columns and rows: the bytes that bring the terminal there from the
    /// frame before. The first one enters the screen, another size is told first.
    pub fn frame(&mut self, at: u64, size: (u16, u16), bytes: &[u8]) -> io::Result<()> {
        let enter = if self.began.is_none() { ENTER } else { "" };
        let now = at.saturating_sub(*self.began.get_or_insert(at));
        if size != self.size {
            self.size = size;
            self.write(now, 'r', &format!("{}x{}", size.0, size.1))?;
        }
        self.write(now, 'o', &format!("{enter}{}", String::from_utf8_lossy(bytes)))
    }

    /// Gives this moment a name: players jump from one to the next. Before the first frame there is
    /// nothing to mark.
    pub fn mark(&mut self, at: u64, name: &str) -> io::Result<()> {
        let Some(began) = self.began else { return Ok(()) };
        self.write(at.saturating_sub(began), 'm', &text::line(name))
    }

    /// Leaves the screen; the program ends with this status. Gives back what was written to.
    pub fn end(mut self, at: u64, status: u8) -> io::Result<(W, Summary)> {
        let now = at.saturating_sub(self.began.unwrap_or(at));
        self.write(now, 'o', LEAVE)?;
        self.write(now, 'x', &status.to_string())?;
        Ok((self.out, self.summary))
    }

    /// Writes what happened that long after the beginning; time does not go back.
    fn write(&mut self, now: u64, code: char, data: &str) -> io::Result<()> {
        let Summary { events, length } = self.summary;
        self.summary = Summary { events: events + 1, length: length.max(now) };
        let time = match self.format {
            Format::V2 if code == 'x' => return Ok(()),
            Format::V3 => {
                let now = (self.summary.length + 500) / 1000;
                let since = now - self.written;
                self.written = now;
                format!("{}.{:03}", since / 1000, since % 1000)
            }
            Format::V2 => {
                let now = self.summary.length;
                format!("{}.{:06}", now / 1_000_000, now % 1_000_000)
            }
        };
        let line = format!("[{time}, \"{code}\", {}]\n", serde_json::to_string(data)?);
        self.out.write_all(line.as_bytes())
    }
}

/// The title that an asciicast says in its first line, from the beginning of its text.
pub fn title(text: &str) -> Option<String> {
    let header: serde_json::Value = serde_json::from_str(text.lines().next()?).ok()?;
    header.get("title")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests;
