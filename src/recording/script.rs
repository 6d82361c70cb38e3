//! Key scripts: what is pressed at the screen, and when, one command per line.
//!
//! | command | what it does |
//! |---|---|
//! | `scenario ring-deadlock` | what runs, if nothing else is asked for; stands first |
//! | `size 120x40` | columns and rows, likewise |
//! | `fps 15` | frames per second, likewise |
//! | `wait 2s`, `wait 300ms` | lets time go by |
//! | `key space`, `key . x10`, `key ] x3 every 0.5s` | presses a key, often, at a distance |
//! | `click 40 12`, `click 40 12 x2` | clicks, or clicks twice, at a column and row from 0 |
//! | `drag 40 12 50 14` | presses at one place, lets go at another |
//! | `wheel up 40 12` | turns the wheel by one, `up` or `down`, over a place |
//! | `resize 80x24` | the terminal has another size from now on |
//! | `type "4000\n"` | presses a key per letter; `\n` is Enter, `\"` and `\\` are themselves |
//! | `marker "the first deadlock"` | a place with a name, to which players can jump |
//! | `until cycle 4000` | waits until the picture has come to this cycle |
//! | `until state deadlocked` | waits for `running`, `paused`, `deadlocked` or `limit` |
//! | `shot ring.svg` | a still of the screen, as `.svg`, `.png`, `.txt` or `.ans` |
//!
//! What follows a `#` is a comment, but for the key `#` and within quotes. Keys are called as the
//! help screen calls them, in large or small letters.

mod reader;

use crate::scenario::{PROBLEMS_MAX, Place, Problem, more};
use reader::{Read, Reader};

/// Between two presses of a key that is pressed several times, unless `every` says otherwise, and
/// after each thing done with the mouse.
pub const EVERY: u64 = 100_000;
/// The longest time that can be asked for: an hour.
const TIME_MAX: u64 = 3_600_000_000;
const TIMES_MAX: u32 = 1000;
const LINES_MAX: usize = 10_000;
/// The most columns and the most rows of a screen.
pub const SIDE_MAX: u16 = 1000;
/// Columns and rows that a film can have.
const SIDES: std::ops::RangeInclusive<u16> = 1..=SIDE_MAX;

const COMMANDS: [&str; 13] = [
    "wait", "key", "type", "click", "drag", "wheel", "resize", "marker", "until", "shot",
    "scenario", "size", "fps",
];
/// The most frames per second.
const FPS_MAX: u16 = 240;
const STATES: [(&str, Until); 4] = [
    ("running", Until::Running),
    ("paused", Until::Paused),
    ("deadlocked", Until::Deadlocked),
    ("limit", Until::Limit),
];
/// How the files of stills and pictures end.
pub const PICTURES: [&str; 4] = [".svg", ".png", ".txt", ".ans"];

/// What helps where a file lies outside the folder of a film.
pub const OUTSIDE: &str = "a script writes only below the folder of `--stills`, else that of the recording: \
                           name a file there, without `/` in front and without `..`";

/// The mistake in the name of a file, behind the name, that has a control character.
pub const CONTROL: &str = " has a control character in it, and is to name a file";
/// The remedy for it.
pub const NAMED: &str = "name the file with letters, digits and signs";

/// What a script waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// The picture is of this cycle or a later one.
    Cycle(u64),
    Running,
    Paused,
    Deadlocked,
    /// It has come to its limit.
    Limit,
}

/// What a line asks for. `K` is a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command<K> {
    /// Microseconds go by.
    Wait(u64),
    /// A key is pressed.
    Key {
        key: K,
        times: u32,
        /// The microseconds that each press takes.
        every: u64,
    },
    /// A text is typed.
    Type(String),
    /// The mouse is clicked at this column and row.
    Click { at: (u16, u16), double: bool },
    /// The mouse is pressed at one place and let go at another.
    Drag { from: (u16, u16), to: (u16, u16) },
    /// The wheel is turned.
    Wheel {
        /// True if up, which is in.
        up: bool,
        at: (u16, u16),
    },
    /// The terminal has this many columns and rows from now on.
    Resize((u16, u16)),
    /// A place gets a name.
    Marker(String),
    /// Time goes by until something is so.
    Until(Until),
    /// A still is taken into this file.
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
    /// What the script is called.
    pub name: String,
    /// What runs, if the script says so.
    pub scenario: Option<String>,
    /// Columns and rows, if the script says so.
    pub size: Option<(u16, u16)>,
    /// Frames per second, if the script says so.
    pub fps: Option<u16>,
    /// The commands in order.
    pub lines: Vec<Line<K>>,
}

impl<K> Script<K> {
    /// Reads and checks a script, or says all its problems. `name` is what problems call it; `key`
    /// finds a key by its name, or says what helps.
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
            let what = "this script does nothing".to_owned();
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
            let what = format!("`{name}` stands before all other commands");
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
