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

    /// What is wrong there, and what helps, if not nothing.
    pub fn wrong<T>(
        &self,
        span: Span,
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> Read<T> {
        let help = Some(help.into()).filter(|help| !help.is_empty());
        let (source, place) = (self.source.to_owned(), Some(self.place(span)));
        Err(Problem { source, place, what: what.into(), help })
    }

    /// That the word there is no command or state, which `names` are.
    pub fn unknown<T>(&self, span: Span, kind: &str, names: &[&'static str]) -> Read<T> {
        let word = self.text(span);
        let help = match nearest(word, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("{kind}s are {}", names.join(", ")),
        };
        self.wrong(span, format!("there is no {kind} `{word}`"), help)
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
        self.word().map_or_else(|| self.missing(wanted), Ok)
    }

    fn missing<T>(&self, wanted: &str) -> Read<T> {
        let end = self.line[..self.at].trim_end().len();
        self.wrong((end, end), format!("here should be {wanted}"), "")
    }

    /// Nothing but a comment may be left.
    pub fn end(&mut self) -> Read<()> {
        let Some(span) = self.word() else { return Ok(()) };
        let what = format!("`{}` is too much here", self.text(span));
        self.wrong(span, what, "a line has one command; comments begin with #")
    }

    pub fn time(&mut self, wanted: &str) -> Read<u64> {
        let span = self.value(wanted)?;
        let word = self.text(span);
        time(word).map_or_else(
            || {
                let what = format!("`{word}` is no time of up to an hour");
                self.wrong(span, what, "write 2s, 0.5s or 300ms")
            },
            Ok,
        )
    }

    pub fn key<K>(&mut self, known: &impl Fn(&str) -> Result<K, String>) -> Read<Command<K>> {
        let Some(span) = self.raw() else { return self.missing("a key, as in `key space`") };
        let name = self.text(span);
        let key = match known(name) {
            Ok(key) => key,
            Err(help) => return self.wrong(span, format!("there is no key `{name}`"), help),
        };
        let (mut times, mut every) = (1, EVERY);
        if let Some(span) = self.word_if(|word| word.starts_with('x')) {
            times = match self.text(span)[1..].parse() {
                Ok(count) if (1..=TIMES_MAX).contains(&count) => count,
                _ => {
                    let what = format!("a key is pressed x1 to x{TIMES_MAX} times");
                    return self.wrong(span, what, "");
                }
            };
        }
        if self.word_if(|word| word == "every").is_some() {
            every = self.time("a time, as in 0.5s")?;
        }
        Ok(Command::Key { key, times, every })
    }

    pub fn quoted(&mut self) -> Read<String> {
        self.skip();
        let start = self.at;
        let mut letters = self.line[start..].char_indices();
        if letters.next().is_none_or(|(_, letter)| letter != '"') {
            return self.missing("a text in double quotes");
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
                        let (span, help) =
                            ((first, first + length), "a text knows \\n, \\\" and \\\\");
                        return self.wrong(span, "this stands for nothing", help);
                    }
                },
                letter => text.push(letter),
            }
        }
        let span = (start, self.line.trim_end().len());
        self.wrong(span, "this text does not end", "close it with a double quote")
    }

    pub fn until(&mut self) -> Read<Until> {
        let span = self.value("`cycle` or `state`")?;
        match self.text(span) {
            "cycle" => {
                let span = self.value("a cycle, as in 4000")?;
                match self.text(span).replace(['_', ','], "").parse() {
                    Ok(cycle) => Ok(Until::Cycle(cycle)),
                    Err(_) => self.wrong(span, "a cycle is a whole number", ""),
                }
            }
            "state" => {
                let names = STATES.map(|(name, _)| name);
                let span = self.value(&format!("one of {}", names.join(", ")))?;
                match STATES.iter().find(|(name, _)| *name == self.text(span)) {
                    Some(&(_, until)) => Ok(until),
                    None => self.unknown(span, "state", &names),
                }
            }
            other => {
                let help = "write `until cycle 4000` or `until state paused`";
                self.wrong(span, format!("`{other}` cannot be waited for"), help)
            }
        }
    }

    pub fn shot(&mut self) -> Read<String> {
        let span = self.value("a file, as in ring.svg")?;
        let name = self.text(span);
        if !Fence::admits(name) {
            let what = format!("`{name}` lies outside the folder of the film");
            return self.wrong(span, what, OUTSIDE);
        }
        if PICTURES.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending)) {
            return Ok(name.to_owned());
        }
        let help = format!("it ends in {}", PICTURES.join(", "));
        self.wrong(span, format!("`{name}` is no name of a picture"), help)
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
