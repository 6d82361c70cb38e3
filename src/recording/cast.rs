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
    pub ground: u32,
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

    /// Writes what happened `at` microseconds after the beginning; time does not go back.
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
