//! Locates and explains errors of RON syntax.

pub(super) mod habits;

use ron::error::{Error, Position, SpannedError};
use serde::de::IgnoredAny;

/// A mistake of syntax: bytes `start..end` of the text, the mistake and its correction.
pub(super) struct Mistake {
    pub start: usize,
    pub end: usize,
    pub what: String,
    pub help: Option<String>,
}

/// Checks that a text is a single RON value and returns the value without leading comments and
/// `#![enable(…)]` attributes.
pub(super) fn value(text: &str) -> Result<&str, Mistake> {
    // `from_str` limits its recursion, so nesting cannot exhaust the stack here; text parsed later
    // is always part of text that has passed this check.
    ron::from_str::<IgnoredAny>(text).map_err(|error| mistake(text, &error))?;
    let deserializer = ron::Deserializer::from_str(text).map_err(|error| mistake(text, &error))?;
    Ok(deserializer.remainder())
}

fn mistake(text: &str, error: &SpannedError) -> Mistake {
    let start = offset(text, error.span.start);
    let end = offset(text, error.span.end);
    // RON spans wrong tokens. If something is missing, the end of the span is the position of the
    // search.
    let token = matches!(
        error.code,
        Error::InvalidEscape(_)
            | Error::IntegerOutOfBounds
            | Error::InvalidIntegerDigit { .. }
            | Error::NoSuchExtension(_)
            | Error::FloatUnderscore
            | Error::SuggestRawIdentifier(_)
    );
    let ended = end >= text.trim_end().len();
    let start = match (token && start < end, ended) {
        (true, _) => start,
        (false, false) => end,
        (false, true) => last_character(text),
    };
    let end = end.max(start + character_at(text, start));
    let (what, help) = describe(&error.code, text, start, ended);
    Mistake { start, end, what, help }
}

fn describe(error: &Error, text: &str, at: usize, ended: bool) -> (String, Option<String>) {
    if text.trim().is_empty() {
        let help = "describe a network, routing and traffic; the built-in scenarios are examples";
        return ("the text is empty".into(), Some(help.into()));
    }
    if ron::Deserializer::from_str(text).is_ok_and(|ron| ron.remainder().is_empty()) {
        let help = "describe a network, routing and traffic";
        return ("the text has only comments".into(), Some(help.into()));
    }
    let found = text[at..].chars().next().map_or(String::new(), |c| format!("{c:?}"));
    let found = found.replace('\'', "`");
    if let Some(known) = habits::of(text, at) {
        return known;
    }
    #[expect(clippy::wildcard_enum_match_arm, reason = "RON has some forty kinds of errors")]
    match error {
        Error::ExceededRecursionLimit => (
            "brackets are nested more than about 60 deep; a scenario needs 5".into(),
            Some("remove the superfluous brackets".into()),
        ),
        Error::TrailingCharacters => (
            format!("the value is already complete before this {found}"),
            Some("remove what follows the last closing bracket".into()),
        ),
        Error::UnclosedBlockComment => {
            ("a `/*` comment is never closed".into(), Some("close it with `*/`".into()))
        }
        Error::ExpectedStringEnd => {
            ("a text is never closed".into(), Some("close it with `\"`".into()))
        }
        _ if ended => match open_bracket(text) {
            Some((line, open, close)) => (
                format!("the text ends while the `{open}` of line {line} is still open"),
                Some(format!("close it with `{close}`")),
            ),
            None => ("the text ends too early".into(), None),
        },
        Error::ExpectedComma | Error::ExpectedArrayEnd | Error::ExpectedStructLikeEnd => (
            format!("expected a comma or a closing bracket before this {found}"),
            Some("put a comma between two values".into()),
        ),
        Error::ExpectedMapColon => (
            format!("expected a colon between a field and its value, found {found}"),
            Some("put a `:` after the field's name".into()),
        ),
        Error::ExpectedIdentifier => (format!("expected a field's name, found {found}"), None),
        Error::ExpectedFloat | Error::ExpectedInteger | Error::InvalidIntegerDigit { .. } => {
            ("this is not a number".into(), None)
        }
        Error::UnexpectedChar(_) => (format!("expected a value, found {found}"), None),
        other => {
            let message = other.to_string();
            let mut letters = message.chars();
            let first: String = letters.next().into_iter().flat_map(char::to_lowercase).collect();
            (format!("this is not RON: {first}{}", letters.as_str()), None)
        }
    }
}

/// Line, opening and closing character of the innermost unclosed bracket.
fn open_bracket(text: &str) -> Option<(usize, char, char)> {
    let mut open = Vec::new();
    let mut line = 1;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\n' => line += 1,
            '/' if letters.peek() == Some(&'/') => {
                while letters.peek().is_some_and(|&c| c != '\n') {
                    letters.next();
                }
            }
            '"' => {
                while let Some(inside) = letters.next() {
                    match inside {
                        '\\' => drop(letters.next()),
                        '\n' => line += 1,
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '(' => open.push((line, '(', ')')),
            '[' => open.push((line, '[', ']')),
            '{' => open.push((line, '{', '}')),
            ')' | ']' | '}' => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}

/// The byte offset of a line and column in RON's numbering.
fn offset(text: &str, position: Position) -> usize {
    let mut start = 0;
    for _ in 1..position.line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    let column = position.col.saturating_sub(1);
    text[start..].char_indices().nth(column).map_or(text.len(), |(at, _)| start + at)
}

fn last_character(text: &str) -> usize {
    text.trim_end().char_indices().next_back().map_or(0, |(at, _)| at)
}

/// The length in bytes of the character that starts at a byte.
fn character_at(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(0, char::len_utf8)
}
