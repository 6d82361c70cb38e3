//! Asciicasts: a header and an event per line, in version 3 (asciinema 3) or 2 (older players).
//!
//! Times are whole microseconds on the caller's clock. Version 3 writes the milliseconds since the
//! previous event; the rounding error is carried over, so that a long recording does not drift.
//! Version 2 writes seconds since the first frame.

use std::io::{self, Write};

use serde::Serialize;

use crate::text;

/// Escape sequences before the first frame: alternate screen, hidden cursor, no wrapping of lines,
/// default colours, empty screen.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[0m\x1b[2J";
/// Escape sequences that undo [`ENTER`].
const LEAVE: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/// A version of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Version 3.
    #[default]
    V3,
    /// Version 2, without exit status.
    V2,
}

/// The terminal's colours, each as `0xRRGGBB`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Palette {
    /// Ordinary text.
    pub ink: u32,
    /// Background.
    pub ground: u32,
    /// The 16 standard colours.
    pub colours: [u32; 16],
}

/// Metadata of a recording.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Header {
    /// The version.
    pub format: Format,
    /// Initial columns and rows.
    pub size: (u16, u16),
    /// Title shown by players.
    pub title: String,
    /// Creation time, in seconds since 1970; `None` to keep recordings reproducible.
    pub made: Option<u64>,
    /// Limit on pauses during playback, in seconds.
    pub idle_limit: Option<f64>,
    /// The terminal's kind, as in `TERM`.
    pub terminal: Option<String>,
    /// Colours for playback.
    pub palette: Option<Palette>,
}

/// Size of a recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    pub events: u64,
    /// Time of the last event, in microseconds.
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

/// A header as serialized: version 3 nests the properties of the terminal under `term`, version 2
/// uses the other fields.
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

/// A recording written to `W` line by line. Times are in microseconds on the caller's clock. An
/// error ends the recording.
#[derive(Debug)]
pub struct Cast<W> {
    pub out: W,
    format: Format,
    /// Columns and rows of the last frame; initially from the header.
    size: (u16, u16),
    /// Time of the first frame.
    began: Option<u64>,
    /// Milliseconds written up to now.
    written: u64,
    summary: Summary,
}

impl<W: Write> Cast<W> {
    /// Starts a recording with its header. The first frame and each frame of a new size must paint
    /// the complete screen.
    pub fn begin(mut out: W, header: &Header) -> io::Result<Self> {
        out.write_all((header.line()? + "\n").as_bytes())?;
        let (format, size, summary) = (header.format, header.size, Summary::default());
        Ok(Self { out, format, size, began: None, written: 0, summary })
    }

    /// Writes a frame of `size` columns and rows: `bytes` are the changes since the last frame.
    /// Before the first frame, the alternate screen is entered; a change of size is written first.
    pub fn frame(&mut self, at: u64, size: (u16, u16), bytes: &[u8]) -> io::Result<()> {
        let enter = if self.began.is_none() { ENTER } else { "" };
        let now = at.saturating_sub(*self.began.get_or_insert(at));
        if size != self.size {
            self.size = size;
            self.write(now, 'r', &format!("{}x{}", size.0, size.1))?;
        }
        self.write(now, 'o', &format!("{enter}{}", String::from_utf8_lossy(bytes)))
    }

    /// Names the present moment, for jumps in players. Ignored before the first frame.
    pub fn mark(&mut self, at: u64, name: &str) -> io::Result<()> {
        let Some(began) = self.began else { return Ok(()) };
        self.write(at.saturating_sub(began), 'm', &text::line(name))
    }

    /// Leaves the alternate screen and writes the exit status. Returns the writer.
    pub fn end(mut self, at: u64, status: u8) -> io::Result<(W, Summary)> {
        let now = at.saturating_sub(self.began.unwrap_or(at));
        self.write(now, 'o', LEAVE)?;
        self.write(now, 'x', &status.to_string())?;
        Ok((self.out, self.summary))
    }

    /// Writes an event at `now` microseconds after the start; earlier times than the last count as
    /// the last.
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

/// Parses the title from the first line of an asciicast.
pub fn title(text: &str) -> Option<String> {
    let header: serde_json::Value = serde_json::from_str(text.lines().next()?).ok()?;
    header.get("title")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests;
