//! A line of a script, word by word, with what is wrong where.

use super::{Command, EVERY, OUTSIDE, PICTURES, STATES, TIME_MAX, TIMES_MAX, Until};
use crate::files::Fence;
use crate::scenario::{Place, Problem, nearest};

/// First byte and the one behind the last.
pub(super) type Span = (usize, usize);
pub(super) type Read<T> = Result<T, Problem>;

/// A line that is being read.
pub(super) struct Reader<'a> {
    /// What problems call the script.
    pub source: &'a str,
    /// The line's number, from 1.
    pub number: usize,
    pub line: &'a str,
    /// What is before this byte has been read.
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub fn text(&self, span: Span) -> &'a str {
        &self.line[span.0..span.1]
    }

    pub fn place(&self, span: Span) -> Place {
        let letters = |text: &str| text.chars().count();
        Place {
            line: self.number,
            column: letters(&self.line[..span.0]) + 1,
            length: letters(self.text(span)).max(1),
            text: self.line.to_owned(),
        }
    }

    pub fn problem(&self, span: Span, what: String, help: Option<String>) -> Problem {
        let place = Some(self.place(span));
        Problem { source: self.source.to_owned(), place, what, help }
    }

    /// That the word there is no command or state, which `names` are.
    pub fn unknown(&self, span: Span, kind: &str, names: &[&'static str]) -> Problem {
        let word = self.text(span);
        let help = match nearest(word, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("{kind}s are {}", names.join(", ")),
        };
        self.problem(span, format!("there is no {kind} `{word}`"), Some(help))
    }

    fn skip(&mut self) {
        let rest = &self.line[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// The next characters up to a space; a comment is none.
    pub fn word(&mut self) -> Option<Span> {
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

    /// The next word, if it is such a one.
    fn word_if(&mut self, wanted: impl Fn(&str) -> bool) -> Option<Span> {
        let before = self.at;
        let found = self.word().filter(|&span| wanted(self.text(span)));
        if found.is_none() {
            self.at = before;
        }
        found
    }

    pub fn value(&mut self, wanted: &str) -> Read<Span> {
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
    pub fn end(&mut self) -> Read<()> {
        match self.word() {
            None => Ok(()),
            Some(span) => {
                let what = format!("`{}` is too much here", self.text(span));
                let help = "a line has one command; comments begin with #".to_owned();
                Err(self.problem(span, what, Some(help)))
            }
        }
    }

    pub fn time(&self, span: Span) -> Read<u64> {
        time(self.text(span)).ok_or_else(|| {
            let what = format!("`{}` is no time of up to an hour", self.text(span));
            self.problem(span, what, Some("write 2s, 0.5s or 300ms".to_owned()))
        })
    }

    pub fn key<K>(&mut self, known: &impl Fn(&str) -> Result<K, String>) -> Read<Command<K>> {
        let span = self.raw().ok_or_else(|| self.missing("a key, as in `key space`"))?;
        let name = self.text(span);
        let key = known(name)
            .map_err(|help| self.problem(span, format!("there is no key `{name}`"), Some(help)))?;
        let (mut times, mut every) = (1, EVERY);
        if let Some(span) = self.word_if(|word| word.starts_with('x')) {
            let count = self.text(span)[1..].parse().ok();
            times = count.filter(|count| (1..=TIMES_MAX).contains(count)).ok_or_else(|| {
                let what = format!("a key is pressed x1 to x{TIMES_MAX} times");
                self.problem(span, what, None)
            })?;
        }
        if self.word_if(|word| word == "every").is_some() {
            let span = self.value("a time, as in 0.5s")?;
            every = self.time(span)?;
        }
        Ok(Command::Key { key, times, every })
    }

    pub fn quoted(&mut self) -> Read<String> {
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

    pub fn until(&mut self) -> Read<Until> {
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
                    _ => Err(self.unknown(span, "state", &STATES)),
                }
            }
            other => {
                let what = format!("`{other}` cannot be waited for");
                let help = "write `until cycle 4000` or `until state paused`".to_owned();
                Err(self.problem(span, what, Some(help)))
            }
        }
    }

    pub fn shot(&mut self) -> Read<String> {
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
