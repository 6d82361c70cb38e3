//! Mistakes of the JSON syntax, with their places and corrections.

use serde_json::Value;

use crate::scenario::found::Found;
use crate::scenario::syntax::habits;

/// Checks the JSON syntax of a text.
pub(super) fn check(text: &str) -> Result<(), Found> {
    let Err(error) = serde_json::from_str::<Value>(text) else { return Ok(()) };
    let start = offset(text, error.line(), error.column());
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let start = if error.is_eof() { last(text) } else { start };
    let letter = text[start..].chars().next();
    let length = letter.map_or(0, char::len_utf8);
    let (what, help) = if let Some((what, help)) = habits::number(&text[..start], &text[start..]) {
        (what, Some(help))
    } else {
        let (what, help) = described(message, start, text, letter);
        (what, help.map(str::to_owned))
    };
    Err(Found { source: 0, start, length, what, help })
}

fn described(
    message: &str,
    at: usize,
    text: &str,
    letter: Option<char>,
) -> (String, Option<&'static str>) {
    let found = letter.map_or(String::new(), |letter| format!("`{letter}`"));
    let is_comment = letter == Some('/') || (letter == Some('#'));
    match message {
        _ if is_comment && !message.starts_with("EOF") => (
            "JSON has no comments".to_owned(),
            Some("remove it; `$comment` is a text that describes the whole"),
        ),
        "trailing comma" => {
            ("there is a comma before a closing bracket".to_owned(), Some("remove the comma"))
        }
        "trailing characters" => (
            format!("the value is already complete before this {found}"),
            Some("remove what follows the last closing bracket"),
        ),
        "key must be a string" => (
            format!("expected a name in quotes, found {found}"),
            Some("write names between two `\"`"),
        ),
        "expected `:`" => (
            format!("expected a colon between a name and its value, found {found}"),
            Some("put a `:` after the name"),
        ),
        "expected `,` or `}`" | "expected `,` or `]`" => (
            format!("expected a comma or a closing bracket before this {found}"),
            Some("put a comma between two values"),
        ),
        "expected value" if letter == Some('\'') => {
            ("texts are enclosed in `\"`".to_owned(), Some("write `\"` for `'`"))
        }
        "expected value"
            if ["NaN", "Infinity", "inf"].iter().any(|it| text[at..].starts_with(it)) =>
        {
            ("JSON has finite numbers only".to_owned(), Some("write a number, such as 0.01"))
        }
        "expected value" | "expected ident" => {
            let help =
                letter.is_some_and(char::is_alphabetic).then_some("write words between two `\"`");
            (format!("expected a value, found {found}"), help)
        }
        "invalid number" => {
            let help = "write digits before and after the point, and no leading 0 or `+`";
            ("this is not a number".to_owned(), Some(help))
        }
        "number out of range" => ("this number is too large".to_owned(), None),
        "recursion limit exceeded" => (
            "brackets are nested more than about 120 deep; a scenario needs 6".to_owned(),
            Some("remove the superfluous brackets"),
        ),
        "EOF while parsing a string" => {
            ("a text is never closed".to_owned(), Some("close it with `\"`"))
        }
        "EOF while parsing an object" => {
            ("the text ends while a `{` is still open".to_owned(), Some("close it with `}`"))
        }
        "EOF while parsing a list" => {
            ("the text ends while a `[` is still open".to_owned(), Some("close it with `]`"))
        }
        _ if message.starts_with("EOF") => ("the text ends too early".to_owned(), None),
        _ if message.starts_with("control character") => {
            ("a text must be on one line, without tabs".to_owned(), None)
        }
        other => (format!("this is not JSON: {other}"), None),
    }
}

/// The byte offset of a line and a column in bytes, both from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = lines.map(str::len).sum();
    let at = (start + column.saturating_sub(1)).min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default()
}

fn last(text: &str) -> usize {
    text.trim_end().char_indices().next_back().map_or(0, |(at, _)| at)
}
