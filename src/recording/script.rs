//! Key scripts: timed key presses and other input for the screen, one command per line.
//!
//! | Command | Effect |
//! |---|---|
//! | `scenario ring-deadlock` | default scenario; at the start of the script |
//! | `size 120x40` | columns and rows, likewise |
//! | `fps 15` | frames per second, likewise |
//! | `wait 2s`, `wait 300ms` | waits |
//! | `key space`, `key . x10`, `key ] x3 every 0.5s` | presses a key, repeatedly, at an interval |
//! | `click 40 12`, `click 40 12 x2` | clicks or double-clicks at a column and row from 0 |
//! | `drag 40 12 50 14` | drags from one position to another |
//! | `wheel up 40 12` | turns the wheel by one step, `up` or `down`, at a position |
//! | `resize 80x24` | changes the size of the terminal |
//! | `type "4000\n"` | presses a key per letter; `\n` is Enter; `\"` and `\\` are escapes |
//! | `marker "the first deadlock"` | marks a named moment for jumps in players |
//! | `until cycle 4000` | waits until the displayed cycle is at least 4000 |
//! | `until state deadlocked` | waits for `running`, `paused`, `deadlocked` or `limit` |
//! | `shot ring.svg` | saves a still of the screen, as `.svg`, `.png`, `.txt` or `.ans` |
//!
//! A `#` starts a comment, except as the key `#` and within quotes. Keys have the names shown on
//! the help screen, in upper or lower case.

mod reader;

use crate::scenario::{PROBLEMS_MAX, Place, Problem, more};
use reader::{Read, Reader};

/// Default interval between presses of a repeated key, and after each mouse action, in
/// microseconds.
pub const EVERY: u64 = 100_000;
/// Maximum time in microseconds: an hour.
const TIME_MAX: u64 = 3_600_000_000;
const TIMES_MAX: u32 = 1000;
const LINES_MAX: usize = 10_000;
/// Maximum columns and maximum rows of a screen.
pub const SIDE_MAX: u16 = 1000;
/// Valid columns and rows of a film.
const SIDES: std::ops::RangeInclusive<u16> = 1..=SIDE_MAX;

const COMMANDS: [&str; 13] = [
    "wait", "key", "type", "click", "drag", "wheel", "resize", "marker", "until", "shot",
    "scenario", "size", "fps",
];
/// Maximum frames per second.
const FPS_MAX: u16 = 240;
const STATES: [(&str, Until); 4] = [
    ("running", Until::Running),
    ("paused", Until::Paused),
    ("deadlocked", Until::Deadlocked),
    ("limit", Until::Limit),
];
/// File extensions of stills and pictures.
pub const PICTURES: [&str; 4] = [".svg", ".png", ".txt", ".ans"];

/// Help for a file outside the folder of a film.
pub const OUTSIDE: &str = "a script writes only below the folder of `--stills`, else that of the recording: \
                           name a file there, without `/` in front and without `..`";

/// Error for a file name with a control character, appended to the name.
pub const CONTROL: &str = " has a control character, which a file name must not contain";
/// Help for a file name with a control character.
pub const NAMED: &str = "name the file with letters, digits and signs";

/// Condition of a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// The displayed cycle is at least this one.
    Cycle(u64),
    Running,
    Paused,
    Deadlocked,
    /// The run has reached its limit.
    Limit,
}

/// A command of a script. `K` is a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command<K> {
    /// Waits a number of microseconds.
    Wait(u64),
    /// Presses a key.
    Key {
        key: K,
        times: u32,
        /// Microseconds per press.
        every: u64,
    },
    /// Types a text.
    Type(String),
    /// Clicks at a column and row.
    Click { at: (u16, u16), double: bool },
    /// Presses the mouse at one position and releases at another.
    Drag { from: (u16, u16), to: (u16, u16) },
    /// Turns the wheel.
    Wheel {
        /// True for up, which zooms in.
        up: bool,
        at: (u16, u16),
    },
    /// Changes the terminal to this many columns and rows.
    Resize((u16, u16)),
    /// Marks a named moment.
    Marker(String),
    /// Waits for a condition.
    Until(Until),
    /// Saves a still to a file.
    Shot(String),
}

/// A line with a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<K> {
    pub command: Command<K>,
    pub place: Place,
}

/// A checked script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script<K> {
    /// Name of the script.
    pub name: String,
    /// Scenario, if given in the script.
    pub scenario: Option<String>,
    /// Columns and rows, if given in the script.
    pub size: Option<(u16, u16)>,
    /// Frames per second, if given in the script.
    pub fps: Option<u16>,
    /// The commands in order.
    pub lines: Vec<Line<K>>,
}

impl<K> Script<K> {
    /// Parses and checks a script; returns all problems in case of errors. `name` is the script's
    /// name in problems; `key` parses the name of a key or returns a hint.
    pub fn parse(
        name: &str,
        text: &str,
        key: impl Fn(&str) -> Result<K, String>,
    ) -> Result<Self, Vec<Problem>> {
        let mut script = Self {
            name: name.to_owned(),
            scenario: None,
            size: None,
            fps: None,
            lines: Vec::new(),
        };
        let mut problems = Vec::new();
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in (1..).zip(body.lines()) {
            let mut reader = Reader { source: name, number, line, rest: line };
            let read = match reader.word() {
                _ if number > LINES_MAX => {
                    let what = format!("a script has at most {LINES_MAX} lines");
                    reader.wrong(line, what, "")
                }
                None => continue,
                Some(word) => script.read(word, &mut reader, &key),
            };
            if let Err(problem) = read.and_then(|()| reader.end()) {
                problems.push(problem);
                if number > LINES_MAX {
                    break;
                }
            }
        }
        if problems.is_empty() && script.lines.is_empty() {
            let what = "this script has no commands".to_owned();
            let help = Some("a script has a command per line, as in `wait 2s`".to_owned());
            problems.push(Problem { source: name.to_owned(), place: None, what, help });
        }
        let left_out = problems.len().saturating_sub(PROBLEMS_MAX);
        problems.truncate(PROBLEMS_MAX);
        problems.extend(more(name, left_out));
        if problems.is_empty() { Ok(script) } else { Err(problems) }
    }

    fn read(
        &mut self,
        name: &str,
        reader: &mut Reader<'_>,
        key: &impl Fn(&str) -> Result<K, String>,
    ) -> Read<()> {
        if matches!(name, "scenario" | "size" | "fps") && !self.lines.is_empty() {
            let what = format!("`{name}` must precede all other commands");
            return reader.wrong(name, what, "move it to the top");
        }
        let command = match name {
            "scenario" => {
                let named = reader.value("the name of a scenario or its file")?;
                self.scenario = Some(named.to_owned());
                return Ok(());
            }
            "size" => {
                self.size = Some(reader.size()?);
                return Ok(());
            }
            "fps" => {
                self.fps = Some(reader.fps()?);
                return Ok(());
            }
            "wait" => Command::Wait(reader.time("a time, as in 2s or 300ms")?),
            "key" => reader.key(key)?,
            "type" => Command::Type(reader.quoted()?),
            "click" => Command::Click { at: reader.spot()?, double: reader.twice()? },
            "drag" => Command::Drag { from: reader.spot()?, to: reader.spot()? },
            "wheel" => Command::Wheel { up: reader.up()?, at: reader.spot()? },
            "resize" => Command::Resize(reader.size()?),
            "marker" => Command::Marker(reader.quoted()?),
            "until" => Command::Until(reader.until()?),
            "shot" => Command::Shot(reader.shot()?),
            _ => return reader.unknown(name, "command", &COMMANDS),
        };
        let place = reader.place(reader.line.trim());
        self.lines.push(Line { command, place });
        Ok(())
    }
}

/// Columns and rows: `120x40`, each from 1 to 1000.
pub fn size(text: &str) -> Option<(u16, u16)> {
    let (columns, rows) = text.split_once('x')?;
    let side = |text: &str| text.parse().ok().filter(|side| SIDES.contains(side));
    Some((side(columns)?, side(rows)?))
}

#[cfg(test)]
mod tests;
