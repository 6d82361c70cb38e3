//! Formulas and texts of a study's file: `latency / mesh.latency - 1`, `{k}x{k} at {rate:.3}`.

use std::ops::Deref;

use serde::Deserialize;

/// A formula or a text, and how it is written, by which its place in the file is found.
#[derive(Clone, PartialEq, Default, Deserialize, Debug)]
#[serde(try_from = "String", bound = "T: for<'a> TryFrom<&'a str, Error = String>")]
pub struct Written<T> {
    pub text: String,
    what: T,
}

impl<T: for<'a> TryFrom<&'a str, Error = String>> TryFrom<String> for Written<T> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Ok(Self { what: T::try_from(&text)?, text })
    }
}

impl<T> Deref for Written<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.what
    }
}

/// Something to be worked out for a case of a study: a number, a text or a truth (1 or 0).
#[derive(Clone, PartialEq, Debug)]
pub enum Formula {
    Number(f64),
    /// A text in quotes, with formulas in braces.
    Text(Text),
    /// A figure of the case.
    Name(String),
    /// A figure of a partner or of a model: `mesh.latency`, `basic.limit`.
    Of(String, Box<Self>),
    Call(String, Vec<Self>),
    /// One of `- !` before a formula.
    Prefix(char, Box<Self>),
    /// One of [`OPERATORS`] between two.
    Infix(Operator, Box<Self>, Box<Self>),
}

pub type Operator = &'static str;

/// A text with formulas in braces, each with a format: `{share:+.1%} %`.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Text(pub Vec<Part>);

#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    Plain(String),
    /// What comes out of a formula.
    Shown(Formula, Format),
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Format {
    /// With its sign, `+`.
    signed: bool,
    /// Decimals, `.2`; without, as many as there are.
    decimals: Option<usize>,
    /// Times 100, `%`.
    percent: bool,
}

impl Format {
    pub fn number(self, number: f64) -> String {
        let number = if self.percent { 100.0 * number } else { number };
        match (self.signed, self.decimals) {
            (false, None) => format!("{number}"),
            (true, None) => format!("{number:+}"),
            (false, Some(decimals)) => format!("{number:.decimals$}"),
            (true, Some(decimals)) => format!("{number:+.decimals$}"),
        }
    }
}

/// Operators between two formulas, with how strongly they bind.
const OPERATORS: [(Operator, u8); 13] = [
    ("|", 1),
    ("&", 2),
    ("==", 3),
    ("!=", 3),
    ("<=", 3),
    (">=", 3),
    ("<", 3),
    (">", 3),
    ("+", 4),
    ("-", 4),
    ("*", 5),
    ("/", 5),
    ("^", 7),
];
/// The most operands of a formula, and so the deepest that it can be nested.
const OPERANDS_MAX: u32 = 200;
/// How strongly `-` and `!` before a formula bind.
const PREFIX: u8 = 6;

impl Formula {
    /// A name with arguments, or with none.
    pub fn as_call(&self) -> Option<(&str, &[Self])> {
        match self {
            Self::Name(name) => Some((name, &[])),
            Self::Call(name, with) => Some((name, with)),
            Self::Number(_) | Self::Text(_) | Self::Of(..) | Self::Prefix(..) | Self::Infix(..) => {
                None
            }
        }
    }
}

impl TryFrom<&str> for Formula {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        let mut reader = Reader { rest: text, left: OPERANDS_MAX };
        let formula = reader.formula(0)?;
        if reader.rest.trim().is_empty() { Ok(formula) } else { Err(reader.unexpected()) }
    }
}

impl TryFrom<&str> for Text {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        Self::read(text, OPERANDS_MAX).map(|(text, _)| text)
    }
}

impl Text {
    /// A text with at most `left` operands, and how many of these it leaves.
    fn read(text: &str, mut left: u32) -> Result<(Self, u32), String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let mut depth = 0_i32;
            let close = rest.find(|c| {
                depth += i32::from(c == '{') - i32::from(c == '}');
                c == '}' && depth == 0
            });
            let close = close.ok_or_else(|| format!("a brace is not closed in `{text}`"))?;
            parts.push(Part::Plain(rest[..open].to_owned()));
            let mut reader = Reader { rest: &rest[open + 1..close], left };
            let formula = reader.formula(0)?;
            left = reader.left;
            parts.push(Part::Shown(formula, reader.format()?));
            rest = &rest[close + 1..];
        }
        parts.push(Part::Plain(rest.to_owned()));
        Ok((Self(parts), left))
    }
}

/// Reads a formula from its beginning on.
struct Reader<'a> {
    rest: &'a str,
    /// Operands that may still come.
    left: u32,
}

impl<'a> Reader<'a> {
    fn unexpected(&self) -> String {
        format!("a formula does not go on with `{}`", self.rest)
    }

    /// Takes `symbol`, if it comes next.
    fn takes(&mut self, symbol: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(symbol);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes `symbol`, which must come next.
    fn needs(&mut self, symbol: &str) -> Result<(), String> {
        if self.takes(symbol) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Takes what comes next as far as characters are `of` a kind.
    fn word(&mut self, of: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest.trim_start();
        let (word, rest) = rest.split_at(rest.find(|c| !of(c)).unwrap_or(rest.len()));
        self.rest = rest;
        word
    }

    /// A formula of operators that bind at least so strongly.
    fn formula(&mut self, least: u8) -> Result<Formula, String> {
        let mut left = self.operand()?;
        while let Some((operator, strength)) = OPERATORS
            .into_iter()
            .find(|&(operator, strength)| strength >= least && self.takes(operator))
        {
            let right = self.formula(strength + 1)?;
            left = Formula::Infix(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Formula, String> {
        let few = || format!("a formula has at most {OPERANDS_MAX} operands");
        self.left = self.left.checked_sub(1).ok_or_else(few)?;
        for sign in ['-', '!'] {
            if self.takes(sign.encode_utf8(&mut [0; 4])) {
                return Ok(Formula::Prefix(sign, Box::new(self.formula(PREFIX)?)));
            }
        }
        if self.takes("(") {
            let inner = self.formula(0)?;
            return self.needs(")").map(|()| inner);
        }
        if self.takes("'") {
            let (text, rest) = quoted(self.rest).ok_or("a quote is not closed")?;
            self.rest = rest;
            let (text, left) = Text::read(text, self.left)?;
            self.left = left;
            return Ok(Formula::Text(text));
        }
        let number = self.word(|c| c.is_ascii_digit() || c == '.');
        if !number.is_empty() {
            let read = number.parse().map_err(|_| format!("`{number}` is no number"));
            return read.map(Formula::Number);
        }
        let name = self.word(|c| c.is_alphanumeric() || c == '_');
        if name.is_empty() {
            return Err(self.unexpected());
        }
        let name = name.to_owned();
        if self.takes(".") {
            return Ok(Formula::Of(name, Box::new(self.operand()?)));
        }
        if !self.takes("(") {
            return Ok(Formula::Name(name));
        }
        let mut arguments = vec![self.formula(0)?];
        while self.takes(",") {
            arguments.push(self.formula(0)?);
        }
        self.needs(")").map(|()| Formula::Call(name, arguments))
    }

    /// A format behind a colon, to the end.
    fn format(&mut self) -> Result<Format, String> {
        let mut format = Format::default();
        if self.takes(":") {
            format.signed = self.takes("+");
            if self.takes(".") {
                format.decimals = self.word(|c| c.is_ascii_digit()).parse().ok();
            }
            format.percent = self.takes("%");
        }
        if self.rest.is_empty() { Ok(format) } else { Err(self.unexpected()) }
    }
}

/// What stands before the quote that closes a text, and what behind it. Within braces quotes are
/// those of formulas.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_i32;
    let end = text.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == '\'' && depth == 0
    })?;
    Some((&text[..end], &text[end + 1..]))
}

#[cfg(test)]
mod tests;
