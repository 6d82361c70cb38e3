//! Key scripts: what is pressed at the screen, and when, one command per line.
//!
//! | command | what it does |
//! |---|---|
//! | `scenario ring-deadlock` | what runs, if nothing else is asked for; stands first |
//! | `size 120x40` | columns and rows, likewise |
//! | `wait 2s`, `wait 300ms` | lets time go by |
//! | `key space`, `key . x10`, `key ] x3 every 0.5s` | presses a key, often, at a distance |
//! | `type "4000\n"` | presses a key per letter; `\n` is Enter, `\"` and `\\` are themselves |
//! | `marker "the first deadlock"` | a place with a name, to which players can jump |
//! | `until cycle 4000` | waits until the picture has come to this cycle |
//! | `until state deadlocked` | waits for `running`, `paused`, `deadlocked` or `limit` |
//! | `shot ring.svg` | a still of the screen, as `.svg`, `.txt` or `.ans` |
//!
//! What follows a `#` is a comment, but for the key `#` and within quotes. Keys are called as the
//! help screen calls them, in large or small letters.

use crate::files::Fence;
use crate::scenario::{PROBLEMS_MAX, Place, Problem, more, nearest};

/// Between two presses of a key that is pressed several times, unless `every` says otherwise.
const EVERY: u64 = 100_000;
/// The longest time that can be asked for: an hour.
const TIME_MAX: u64 = 3_600_000_000;
/// The most presses of one line.
const TIMES_MAX: u32 = 1000;
/// The most lines.
const LINES_MAX: usize = 10_000;
/// Columns and rows that a film can have.
const SIDES: std::ops::RangeInclusive<u16> = 1..=1000;

const COMMANDS: [&str; 8] = ["wait", "key", "type", "marker", "until", "shot", "scenario", "size"];
const STATES: [&str; 4] = ["running", "paused", "deadlocked", "limit"];
/// How the files of stills and pictures end.
pub const PICTURES: [&str; 3] = [".svg", ".txt", ".ans"];

/// What helps where a file lies outside the folder of a film.
pub const OUTSIDE: &str = "a script writes only below the folder of `--stills`, else that of the recording: \
                           name a file there, without `/` in front and without `..`";

/// What a script waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// The picture is of this cycle or a later one.
    Cycle(u64),
    /// The run goes on.
    Running,
    /// It stands.
    Paused,
    /// It is deadlocked.
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
        /// Which.
        key: K,
        /// How often.
        times: u32,
        /// The microseconds that each press takes.
        every: u64,
    },
    /// A text is typed.
    Type(String),
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
    /// What it asks for.
    pub command: Command<K>,
    /// Where it stands.
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
        let mut script =
            Self { name: name.to_owned(), scenario: None, size: None, lines: Vec::new() };
        let mut problems = Vec::new();
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in (1..).zip(body.lines()) {
            let mut reader = Reader { source: name, number, line, at: 0 };
            let read = match reader.word() {
                _ if number > LINES_MAX => Err(reader.problem(
                    (0, line.len()),
                    format!("a script has at most {LINES_MAX} lines"),
                    None,
                )),
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
        word: Span,
        reader: &mut Reader<'_>,
        key: &impl Fn(&str) -> Result<K, String>,
    ) -> Read<()> {
        let name = reader.text(word);
        if matches!(name, "scenario" | "size") && !self.lines.is_empty() {
            let what = format!("`{name}` stands before all other commands");
            return Err(reader.problem(word, what, Some("move it to the top".to_owned())));
        }
        let command = match name {
            "scenario" => {
                let span = reader.value("the name of a scenario or its file")?;
                self.scenario = Some(reader.text(span).to_owned());
                return Ok(());
            }
            "size" => {
                let span = reader.value("columns and rows, as in 120x40")?;
                let size = size(reader.text(span));
                self.size = Some(size.ok_or_else(|| {
                    reader.problem(span, SIZE_WANTED.to_owned(), Some("write 120x40".to_owned()))
                })?);
                return Ok(());
            }
            "wait" => {
                let span = reader.value("a time, as in 2s or 300ms")?;
                Command::Wait(reader.time(span)?)
            }
            "key" => reader.key(key)?,
            "type" => Command::Type(reader.quoted()?),
            "marker" => Command::Marker(reader.quoted()?),
            "until" => Command::Until(reader.until()?),
            "shot" => Command::Shot(reader.shot()?),
            other => {
                let near = nearest(other, COMMANDS.iter().copied());
                let help = near.map_or_else(
                    || format!("commands are {}", COMMANDS.join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                return Err(reader.problem(
                    word,
                    format!("there is no command `{other}`"),
                    Some(help),
                ));
            }
        };
        let place = reader.place((word.0, reader.line.trim_end().len()));
        self.lines.push(Line { command, place });
        Ok(())
    }
}

const SIZE_WANTED: &str = "a size is columns and rows from 1 to 1000 each";

/// Columns and rows: `120x40`, each from 1 to 1000.
pub fn size(text: &str) -> Option<(u16, u16)> {
    let (columns, rows) = text.split_once('x')?;
    let side = |text: &str| text.parse().ok().filter(|side| SIDES.contains(side));
    Some((side(columns)?, side(rows)?))
}

/// First byte and the one behind the last.
type Span = (usize, usize);
type Read<T> = Result<T, Problem>;

/// A line that is being read.
struct Reader<'a> {
    source: &'a str,
    number: usize,
    line: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn text(&self, span: Span) -> &'a str {
        &self.line[span.0..span.1]
    }

    fn place(&self, span: Span) -> Place {
        let letters = |text: &str| text.chars().count();
        Place {
            line: self.number,
            column: letters(&self.line[..span.0]) + 1,
            length: letters(self.text(span)).max(1),
            text: self.line.to_owned(),
        }
    }

    fn problem(&self, span: Span, what: String, help: Option<String>) -> Problem {
        let place = Some(self.place(span));
        Problem { source: self.source.to_owned(), place, what, help }
    }

    fn skip(&mut self) {
        let rest = &self.line[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// The next characters up to a space; a comment is none.
    fn word(&mut self) -> Option<Span> {
        self.skip();
        if self.line[self.at..].starts_with('#') {
            return None;
        }
        self.raw()
    }

    /// The same, whatever it begins with.
    fn raw(&mut self) -> Option<Span> {
        self.skip();
        let rest = &self.line[self.at..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let span = (self.at, self.at + length);
        self.at = span.1;
        (length > 0).then_some(span)
    }

    fn value(&mut self, wanted: &str) -> Read<Span> {
        match self.word() {
            Some(span) => Ok(span),
            None => Err(self.missing(wanted)),
        }
    }

    fn missing(&self, wanted: &str) -> Problem {
        let end = self.line[..self.at].trim_end().len();
        self.problem((end, end), format!("here should be {wanted}"), None)
    }

    /// Nothing but a comment may be left.
    fn end(&mut self) -> Read<()> {
        match self.word() {
            None => Ok(()),
            Some(span) => {
                let what = format!("`{}` is too much here", self.text(span));
                let help = "a line has one command; comments begin with #".to_owned();
                Err(self.problem(span, what, Some(help)))
            }
        }
    }

    fn time(&self, span: Span) -> Read<u64> {
        time(self.text(span)).ok_or_else(|| {
            let what = format!("`{}` is no time of up to an hour", self.text(span));
            self.problem(span, what, Some("write 2s, 0.5s or 300ms".to_owned()))
        })
    }

    fn key<K>(&mut self, known: &impl Fn(&str) -> Result<K, String>) -> Read<Command<K>> {
        let span = self.raw().ok_or_else(|| self.missing("a key, as in `key space`"))?;
        let name = self.text(span);
        let key = known(name)
            .map_err(|help| self.problem(span, format!("there is no key `{name}`"), Some(help)))?;
        let (mut times, mut every) = (1, EVERY);
        let before = self.at;
        match self.word() {
            Some(span) if self.text(span).starts_with('x') => {
                let count = self.text(span)[1..].parse().ok();
                times = count.filter(|count| (1..=TIMES_MAX).contains(count)).ok_or_else(|| {
                    let what = format!("a key is pressed x1 to x{TIMES_MAX} times");
                    self.problem(span, what, None)
                })?;
            }
            _ => self.at = before,
        }
        let before = self.at;
        match self.word() {
            Some(span) if self.text(span) == "every" => {
                let span = self.value("a time, as in 0.5s")?;
                every = self.time(span)?;
            }
            _ => self.at = before,
        }
        Ok(Command::Key { key, times, every })
    }

    fn quoted(&mut self) -> Read<String> {
        self.skip();
        let start = self.at;
        let mut letters = self.line[start..].char_indices();
        if letters.next().is_none_or(|(_, letter)| letter != '"') {
            return Err(self.missing("a text in double quotes"));
        }
        let mut text = String::new();
        while let Some((offset, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at = start + offset + 1;
                    return Ok(text);
                }
                '\\' => match letters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, same @ ('"' | '\\'))) => text.push(same),
                    other => {
                        let (first, length) =
                            (start + offset, 1 + other.map_or(0, |(_, letter)| letter.len_utf8()));
                        let what = "this stands for nothing".to_owned();
                        let help = "a text knows \\n, \\\" and \\\\".to_owned();
                        return Err(self.problem((first, first + length), what, Some(help)));
                    }
                },
                letter => text.push(letter),
            }
        }
        let what = "this text does not end".to_owned();
        let help = "close it with a double quote".to_owned();
        Err(self.problem((start, self.line.trim_end().len()), what, Some(help)))
    }

    fn until(&mut self) -> Read<Until> {
        let span = self.value("`cycle` or `state`")?;
        match self.text(span) {
            "cycle" => {
                let span = self.value("a cycle, as in 4000")?;
                let digits = self.text(span).replace(['_', ','], "");
                digits
                    .parse()
                    .map(Until::Cycle)
                    .map_err(|_| self.problem(span, "a cycle is a whole number".to_owned(), None))
            }
            "state" => {
                let span = self.value(&format!("one of {}", STATES.join(", ")))?;
                match self.text(span) {
                    "running" => Ok(Until::Running),
                    "paused" => Ok(Until::Paused),
                    "deadlocked" => Ok(Until::Deadlocked),
                    "limit" => Ok(Until::Limit),
                    other => {
                        let near = nearest(other, STATES.iter().copied());
                        let help = near.map_or_else(
                            || format!("states are {}", STATES.join(", ")),
                            |near| format!("did you mean `{near}`?"),
                        );
                        let what = format!("there is no state `{other}`");
                        Err(self.problem(span, what, Some(help)))
                    }
                }
            }
            other => {
                let what = format!("`{other}` cannot be waited for");
                let help = "write `until cycle 4000` or `until state paused`".to_owned();
                Err(self.problem(span, what, Some(help)))
            }
        }
    }

    fn shot(&mut self) -> Read<String> {
        let span = self.value("a file, as in ring.svg")?;
        let name = self.text(span);
        if !Fence::admits(name) {
            let what = format!("`{name}` lies outside the folder of the film");
            return Err(self.problem(span, what, Some(OUTSIDE.to_owned())));
        }
        if PICTURES.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending)) {
            return Ok(name.to_owned());
        }
        let what = format!("`{name}` is no name of a picture");
        let help = format!("it ends in {}", PICTURES.join(", "));
        Err(self.problem(span, what, Some(help)))
    }
}

/// Microseconds: `2s`, `0.5s`, `300ms`.
fn time(text: &str) -> Option<u64> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e3),
        None => (text.strip_suffix('s')?, 1e6),
    };
    if !number.chars().all(|letter| letter.is_ascii_digit() || letter == '.') {
        return None;
    }
    let time = (number.parse::<f64>().ok()? * unit).round();
    (time <= TIME_MAX as f64).then_some(time as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Script<String>, Vec<Problem>> {
        let known = ["Space", "Enter", ".", "#", "]"];
        Script::parse("a.keys", text, |name| {
            let found = known.iter().find(|key| key.eq_ignore_ascii_case(name));
            found.map(|key| (*key).to_owned()).ok_or_else(|| "a key has a name".to_owned())
        })
    }

    fn commands(text: &str) -> Vec<Command<String>> {
        parse(text).unwrap().lines.into_iter().map(|line| line.command).collect()
    }

    #[test]
    fn every_command_is_read() {
        let text = "# A film.\nscenario ring-deadlock # the ring\nsize 120x40\n\n  wait 2s\n\
                    wait 300ms\nkey space\nkey . x10\nkey ] x3 every 0.5s # faster\nkey #\n\
                    type \"a \\\"b\\\\ # c\\n\"\nmarker \"there\"\nuntil cycle 4_000\n\
                    until state deadlocked\nshot a/b.svg\n";
        let script = parse(text).unwrap();
        assert_eq!(script.scenario.as_deref(), Some("ring-deadlock"));
        assert_eq!(script.size, Some((120, 40)));
        let key = |key: &str, times, every| Command::Key { key: key.to_owned(), times, every };
        assert_eq!(
            commands(text),
            [
                Command::Wait(2_000_000),
                Command::Wait(300_000),
                key("Space", 1, EVERY),
                key(".", 10, EVERY),
                key("]", 3, 500_000),
                key("#", 1, EVERY),
                Command::Type("a \"b\\ # c\n".to_owned()),
                Command::Marker("there".to_owned()),
                Command::Until(Until::Cycle(4000)),
                Command::Until(Until::Deadlocked),
                Command::Shot("a/b.svg".to_owned()),
            ]
        );
        assert_eq!(script.lines[0].place.line, 5);
        assert_eq!((script.lines[0].place.column, script.lines[0].place.length), (3, 7));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place_and_all_at_once() {
        let problem = |text: &str| {
            let problems = parse(text).unwrap_err();
            assert_eq!(problems.len(), 1, "{problems:?}");
            let place = problems[0].place.clone().unwrap();
            let help = problems[0].help.clone().unwrap_or_default();
            (problems[0].what.clone(), place.column, place.length, help)
        };
        let cases = [
            ("wiat 2s", "there is no command `wiat`", 1, 4, "did you mean `wait`?"),
            ("fly", "there is no command `fly`", 1, 3, "commands are wait, key, type"),
            ("wait", "here should be a time", 5, 1, ""),
            ("wait 2", "`2` is no time", 6, 1, "write 2s"),
            ("wait 2h", "`2h` is no time", 6, 2, "write 2s"),
            ("wait -2s", "`-2s` is no time", 6, 3, "write 2s"),
            ("wait 4000s", "`4000s` is no time", 6, 5, "write 2s"),
            ("wait ..s", "`..s` is no time", 6, 3, "write 2s"),
            ("key spcae", "there is no key `spcae`", 5, 5, "a key has a name"),
            ("key", "here should be a key", 4, 1, ""),
            ("key . x0", "a key is pressed x1 to x1000", 7, 2, ""),
            ("key . ten", "`ten` is too much", 7, 3, "one command"),
            ("key . every", "here should be a time", 12, 1, ""),
            ("type hello", "here should be a text in double quotes", 5, 1, ""),
            ("type \"hello", "this text does not end", 6, 6, "close it"),
            ("type \"ä\\q\"", "this stands for nothing", 8, 2, "a text knows"),
            ("marker \"a\" b", "`b` is too much", 12, 1, ""),
            ("until noon", "`noon` cannot be waited for", 7, 4, "until cycle"),
            ("until cycle x", "a cycle is a whole number", 13, 1, ""),
            ("until state puased", "there is no state `puased`", 13, 6, "did you mean `paused`?"),
            ("shot a.png", "`a.png` is no name of a picture", 6, 5, "it ends in .svg"),
            ("shot .svg", "`.svg` is no name of a picture", 6, 4, ""),
            ("size 0x10", "a size is columns and rows", 6, 4, "write 120x40"),
            ("size 80", "a size is columns and rows", 6, 2, "write 120x40"),
            ("wait 1s\nsize 80x24", "`size` stands before all other commands", 1, 4, "to the top"),
        ];
        for (text, what, column, length, help) in cases {
            let found = problem(text);
            assert!(found.0.starts_with(what), "{text}: {}", found.0);
            assert_eq!((found.1, found.2), (column, length), "{text}");
            assert!(found.3.contains(help), "{text}: {}", found.3);
        }
        for nothing in ["", "\n# a\n", "size 80x24\n"] {
            assert_eq!(parse(nothing).unwrap_err()[0].what, "this script does nothing");
        }
        let problems = parse("wait\nkey space\nkey spcae\nwait").unwrap_err();
        let lines: Vec<usize> = problems.iter().map(|it| it.place.as_ref().unwrap().line).collect();
        assert_eq!(lines, [1, 3, 4]);
        assert!(parse(&"wait 1s\n".repeat(LINES_MAX + 5)).unwrap_err().len() == 1);
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_too_strange(text in "(wait|key|type|until|shot|size|[ \\n\"\\\\#xsä0-9.])*") {
            let _ = parse(&text);
        }
    }
}
