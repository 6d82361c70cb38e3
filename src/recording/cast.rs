//! Asciicasts: a header and an event per line, in version 3 (asciinema 3) or 2 (older players).
//!
//! Times are whole microseconds on the caller's clock. Version 3 writes the milliseconds since the
//! event before; what rounding leaves over is carried on, so that a long recording does not drift.
//! Version 2 writes seconds since the beginning.

use std::io::{self, Write};

use serde::Serialize;

use crate::text;

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
    pub paper: u32,
    /// The 16 of old.
    pub colours: [u32; 16],
}

/// What a recording says of itself.
#[derive(Clone, PartialEq, Debug)]
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

/// What happens in a recording.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The terminal is sent this.
    Output(String),
    /// It has this many columns and rows from now on.
    Resize(u16, u16),
    /// A place with a name: players jump from one to the next.
    Marker(String),
    /// The program ended with this status.
    Exit(u8),
}

#[derive(Serialize)]
struct Theme {
    fg: String,
    bg: String,
    palette: String,
}

impl From<&Palette> for Theme {
    fn from(palette: &Palette) -> Self {
        let hex = |colour: u32| format!("#{colour:06x}");
        let colours: Vec<String> = palette.colours.iter().map(|&colour| hex(colour)).collect();
        Self { fg: hex(palette.ink), bg: hex(palette.paper), palette: colours.join(":") }
    }
}

#[derive(Serialize)]
struct Terminal<'a> {
    cols: u16,
    rows: u16,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<Theme>,
}

#[derive(Serialize)]
struct Third<'a> {
    version: u8,
    term: Terminal<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_time_limit: Option<f64>,
    title: &'a str,
}

#[derive(Serialize)]
struct Environment<'a> {
    #[serde(rename = "TERM")]
    term: &'a str,
}

#[derive(Serialize)]
struct Second<'a> {
    version: u8,
    width: u16,
    height: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_time_limit: Option<f64>,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    env: Option<Environment<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<Theme>,
}

impl Header {
    fn line(&self) -> io::Result<String> {
        let theme = self.palette.as_ref().map(Theme::from);
        let (title, kind) = (text::line(&self.title), self.terminal.as_deref().map(text::line));
        let (title, kind) = (title.as_str(), kind.as_deref());
        let (timestamp, idle_time_limit) = (self.made, self.idle_limit);
        let line = match self.format {
            Format::V3 => {
                let term = Terminal { cols: self.size.0, rows: self.size.1, kind, theme };
                let header = Third { version: 3, term, timestamp, idle_time_limit, title };
                serde_json::to_string(&header)
            }
            Format::V2 => serde_json::to_string(&Second {
                version: 2,
                width: self.size.0,
                height: self.size.1,
                timestamp,
                idle_time_limit,
                title,
                env: kind.map(|term| Environment { term }),
                theme,
            }),
        };
        Ok(line?)
    }
}

/// A recording on its way into `W`.
#[derive(Debug)]
pub struct Cast<W> {
    out: W,
    format: Format,
    /// Milliseconds written so far.
    written: u64,
    /// The time of the last event.
    last: u64,
}

impl<W: Write> Cast<W> {
    /// Begins a recording with its header.
    pub fn begin(mut out: W, header: &Header) -> io::Result<Self> {
        writeln!(out, "{}", header.line()?)?;
        Ok(Self { out, format: header.format, written: 0, last: 0 })
    }

    /// Writes what happened `at` so many microseconds after the beginning; time does not go back.
    pub fn write(&mut self, at: u64, event: &Event) -> io::Result<()> {
        let (code, data) = match event {
            Event::Output(text) => ('o', text.clone()),
            Event::Resize(columns, rows) => ('r', format!("{columns}x{rows}")),
            Event::Marker(name) => ('m', text::line(name)),
            Event::Exit(_) if self.format == Format::V2 => return Ok(()),
            Event::Exit(status) => ('x', status.to_string()),
        };
        self.last = self.last.max(at);
        let time = match self.format {
            Format::V3 => {
                let now = (self.last + 500) / 1000;
                let since = now - self.written;
                self.written = now;
                format!("{}.{:03}", since / 1000, since % 1000)
            }
            Format::V2 => format!("{}.{:06}", self.last / 1_000_000, self.last % 1_000_000),
        };
        writeln!(self.out, "[{time}, \"{code}\", {}]", serde_json::to_string(&data)?)
    }

    /// Hands on what is held back.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Gives back what was written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}

#[cfg(test)]
mod tests;
