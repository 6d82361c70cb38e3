//! Parses a line of a script word by word, with located errors.

use super::{
    CONTROL, Command, EVERY, FPS_MAX, NAMED, OUTSIDE, PICTURES, SIDES, STATES, TIME_MAX, TIMES_MAX,
    Until, size,
};
use crate::files::Fence;
use crate::scenario::{Place, Problem, nearest};

pub(super) type Read<T> = Result<T, Problem>;

pub(super) struct Reader<'a> {
    /// Name of the script in problems.
    pub source: &'a str,
    /// The line's number, from 1.
    pub number: usize,
    pub line: &'a str,
    /// The unparsed rest of the line.
    pub rest: &'a str,
}

impl<'a> Reader<'a> {
    /// Position of a part of the line.
    pub fn place(&self, part: &str) -> Place {
        let start = part.as_ptr() as usize - self.line.as_ptr() as usize;
        Place {
            line: self.number,
            column: self.line[..start].chars().count() + 1,
            length: part.chars().count().max(1),
            text: self.line.to_owned(),
        }
    }

    /// Error about a part of the line; an empty `help` is omitted.
    pub fn wrong<T>(
        &self,
        part: &str,
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> Read<T> {
        let help = Some(help.into()).filter(|help| !help.is_empty());
        let (source, place) = (self.source.to_owned(), Some(self.place(part)));
        Err(Problem { source, place, what: what.into(), help })
    }

    /// Error for an unknown command or state, with the nearest of `names`.
    pub fn unknown<T>(&self, word: &str, kind: &str, names: &[&'static str]) -> Read<T> {
        let help = match nearest(word, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("{kind}s are {}", names.join(", ")),
        };
        self.wrong(word, format!("there is no {kind} `{word}`"), help)
    }

    /// The next word, up to a space, unless a comment follows.
    pub fn word(&mut self) -> Option<&'a str> {
        let comment = self.rest.trim_start().starts_with('#');
        if comment { None } else { self.raw() }
    }

    /// The next word, even if it starts with `#`.
    fn raw(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let (word, rest) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        self.rest = rest;
        Some(word).filter(|word| !word.is_empty())
    }

    fn word_if(&mut self, wanted: impl Fn(&str) -> bool) -> Option<&'a str> {
        let before = self.rest;
        let found = self.word().filter(|word| wanted(word));
        if found.is_none() {
            self.rest = before;
        }
        found
    }

    pub fn value(&mut self, wanted: &str) -> Read<&'a str> {
        self.word().map_or_else(|| self.missing(wanted), Ok)
    }

    fn missing<T>(&self, wanted: &str) -> Read<T> {
        let read = self.line[..self.line.len() - self.rest.len()].trim_end();
        self.wrong(&read[read.len()..], format!("expected {wanted}"), "")
    }

    /// Checks that only a comment is left.
    pub fn end(&mut self) -> Read<()> {
        let Some(word) = self.word() else { return Ok(()) };
        let what = format!("unexpected `{word}`");
        self.wrong(word, what, "a line has one command; comments begin with #")
    }

    pub fn time(&mut self, wanted: &str) -> Read<u64> {
        let word = self.value(wanted)?;
        let what = || format!("`{word}` is not a time of at most an hour");
        time(word).map_or_else(|| self.wrong(word, what(), "write 2s, 0.5s or 300ms"), Ok)
    }

    pub fn key<K>(&mut self, known: &impl Fn(&str) -> Result<K, String>) -> Read<Command<K>> {
        let Some(name) = self.raw() else { return self.missing("a key, as in `key space`") };
        let key = match known(name) {
            Ok(key) => key,
            Err(help) => return self.wrong(name, format!("there is no key `{name}`"), help),
        };
        let (mut times, mut every) = (1, EVERY);
        if let Some(word) = self.word_if(|word| word.starts_with('x')) {
            times = match word[1..].parse() {
                Ok(count) if (1..=TIMES_MAX).contains(&count) => count,
                _ => {
                    let what = format!("a key can be pressed x1 to x{TIMES_MAX} times");
                    return self.wrong(word, what, "");
                }
            };
        }
        if self.word_if(|word| word == "every").is_some() {
            every = self.time("a time, as in 0.5s")?;
        }
        Ok(Command::Key { key, times, every })
    }

    /// Columns and rows.
    pub fn size(&mut self) -> Read<(u16, u16)> {
        let given = self.value("columns and rows, as in 120x40")?;
        let what = "a size is columns and rows from 1 to 1000 each";
        size(given).map_or_else(|| self.wrong(given, what, "write 120x40"), Ok)
    }

    /// Frames per second.
    pub fn fps(&mut self) -> Read<u16> {
        let called = format!("frames per second, from 1 to {FPS_MAX}");
        let word = self.value(&called)?;
        let fps = word.parse().ok().filter(|fps| (1..=FPS_MAX).contains(fps));
        fps.map_or_else(|| self.wrong(word, format!("this must be {called}"), "write 15"), Ok)
    }

    /// A column and a row of the screen.
    pub fn spot(&mut self) -> Read<(u16, u16)> {
        Ok((self.side("a column")?, self.side("a row")?))
    }

    fn side(&mut self, called: &str) -> Read<u16> {
        let most = *SIDES.end() - 1;
        let word = self.value(&format!("{called}, from 0 to {most}"))?;
        let side = word.parse().ok().filter(|&side| side <= most);
        side.map_or_else(|| self.wrong(word, format!("{called} is from 0 to {most}"), ""), Ok)
    }

    /// True if `x2` follows, for a double click.
    pub fn twice(&mut self) -> Read<bool> {
        match self.word_if(|word| word.starts_with('x')) {
            None => Ok(false),
            Some("x2") => Ok(true),
            Some(word) => self.wrong(word, "a click is single or double", "write x2, or nothing"),
        }
    }

    /// `up` or `down`.
    pub fn up(&mut self) -> Read<bool> {
        match self.value("`up` or `down`")? {
            "up" => Ok(true),
            "down" => Ok(false),
            word => self.wrong(word, "a wheel turns up or down", "write `wheel up 40 12`"),
        }
    }

    pub fn quoted(&mut self) -> Read<String> {
        let quoted = self.rest.trim_start();
        let Some(inside) = quoted.strip_prefix('"') else {
            return self.missing("a text in double quotes");
        };
        let mut text = String::new();
        let mut letters = inside.chars();
        while let Some(letter) = letters.next() {
            let after = letters.as_str();
            match letter {
                '"' => {
                    self.rest = after;
                    return Ok(text);
                }
                '\\' => match letters.next() {
                    Some('n') => text.push('\n'),
                    Some(same @ ('"' | '\\')) => text.push(same),
                    _ => {
                        let escape = inside.len() - after.len() - 1;
                        let part = &inside[escape..inside.len() - letters.as_str().len()];
                        let help = "the escapes of a text are \\n, \\\" and \\\\";
                        return self.wrong(part, "this is not a valid escape", help);
                    }
                },
                letter => text.push(letter),
            }
        }
        self.wrong(quoted.trim_end(), "this text is not closed", "close it with a double quote")
    }

    pub fn until(&mut self) -> Read<Until> {
        match self.value("`cycle` or `state`")? {
            "cycle" => {
                let word = self.value("a cycle, as in 4000")?;
                let cycle = word.replace(['_', ','], "").parse();
                cycle.map_or_else(
                    |_| self.wrong(word, "a cycle is a whole number", ""),
                    |cycle| Ok(Until::Cycle(cycle)),
                )
            }
            "state" => {
                let names = STATES.map(|(name, _)| name);
                let word = self.value(&format!("one of {}", names.join(", ")))?;
                let found = STATES.iter().find(|(name, _)| *name == word);
                found.map_or_else(|| self.unknown(word, "state", &names), |found| Ok(found.1))
            }
            other => {
                let help = "write `until cycle 4000` or `until state paused`";
                self.wrong(other, format!("`{other}` cannot be waited for"), help)
            }
        }
    }

    pub fn shot(&mut self) -> Read<String> {
        let name = self.value("a file, as in ring.svg")?;
        if !Fence::admits(name) {
            let what = format!("`{name}` lies outside the folder of the film");
            return self.wrong(name, what, OUTSIDE);
        }
        if !Fence::can_show(name) {
            return self.wrong(name, format!("`{name}`{CONTROL}"), NAMED);
        }
        if PICTURES.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending)) {
            return Ok(name.to_owned());
        }
        let help = format!("the name must end in {}", PICTURES.join(", "));
        self.wrong(name, format!("`{name}` is not a picture file"), help)
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
