//! Mistakes that follow the habits of other notations, with the corresponding RON.

use super::open_bracket;
use crate::scenario::synonyms;

/// Message and help for the mistake at a byte of the text, if a habit explains the mistake.
pub(super) fn of(text: &str, at: usize) -> Option<(String, Option<String>)> {
    let (before, rest) = text.split_at(at);
    let found = rest.chars().next()?;
    let previous = before.chars().next_back().unwrap_or(' ');
    let (what, help) = match found {
        '#' => ("RON has no `#` comments".to_owned(), "begin comments with `//`".to_owned()),
        '=' => (
            "a field and its value are separated by a colon, not by `=`".to_owned(),
            "write `:` for `=`".to_owned(),
        ),
        ';' => ("values are separated by commas".to_owned(), "write `,` for `;`".to_owned()),
        '%' => ("numbers have no `%`".to_owned(), share(before)),
        '{' if is_word(previous) => (
            "fields are enclosed in parentheses, not in braces".to_owned(),
            "write `(` and `)` for `{` and `}`".to_owned(),
        ),
        ')' | ']' | '}' => bracket(before, found)?,
        _ if found == '\'' || before.trim_end_matches(is_word).ends_with('\'') => (
            "RON has no texts in single quotes".to_owned(),
            "write names without quotes, and texts between two `\"`".to_owned(),
        ),
        _ if is_fraction(before, rest) => {
            ("RON has no fractions".to_owned(), "write a decimal number, such as 0.01".to_owned())
        }
        _ => return number(before, rest).or_else(|| word(before, rest)).map(with_help),
    };
    Some((what, Some(help)))
}

fn with_help((what, help): (String, String)) -> (String, Option<String>) {
    (what, Some(help))
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn ending(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    &text[text.trim_end_matches(belongs).len()..]
}

fn beginning(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    &text[..text.len() - text.trim_start_matches(belongs).len()]
}

/// True for a position inside a fraction: `1/100`.
fn is_fraction(before: &str, rest: &str) -> bool {
    let belongs = |letter: char| letter.is_ascii_digit() || letter == '/';
    let (before, behind) = (ending(before, belongs), beginning(rest, belongs));
    let whole = format!("{before}{behind}");
    whole.split_once('/').is_some_and(|(above, below)| {
        let is_number = |text: &str| text.parse::<u64>().is_ok();
        is_number(above) && is_number(below)
    })
}

/// Help for a percentage: `write 0.3`.
fn share(before: &str) -> String {
    let digits = ending(before.trim_end(), |letter| letter.is_ascii_digit() || letter == '.');
    match digits.parse::<f64>() {
        Ok(number) => {
            let share = (number * 1e7).round() / 1e9;
            format!("write {share:?}, or {digits} if a percentage is expected")
        }
        Err(_) => "write a share as a number, such as 0.3".to_owned(),
    }
}

/// A closing bracket that does not match the open bracket.
fn bracket(before: &str, found: char) -> Option<(String, String)> {
    let (line, open, close) = open_bracket(before).filter(|(_, _, close)| *close != found)?;
    let what = format!("this `{found}` does not close the `{open}` of line {line}");
    let help = match (open, found) {
        ('{', ')') => "write `(` and `)` around fields".to_owned(),
        _ => format!("write `{close}` here, or another bracket there"),
    };
    Some((what, help))
}

/// Digits in other notations: `1,5`, `1 000`, `8x8`.
pub(in crate::scenario) fn number(before: &str, rest: &str) -> Option<(String, String)> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let (behind, found) = (beginning(rest, is_digit), rest.chars().next()?);
    let digits = |text: &str| {
        let digits = ending(text, is_digit);
        let word = ending(text, |letter| is_word(letter) || letter == '.');
        (!digits.is_empty() && digits == word).then(|| digits.to_owned())
    };
    if !behind.is_empty() {
        if let Some(whole) = before.strip_suffix(',').and_then(digits) {
            let what = format!("a comma separates values, so `{whole},{behind}` is two values");
            return Some((what, format!("write {whole}.{behind}")));
        }
        let thousands = before.strip_suffix([' ', '\'']).and_then(digits);
        if let (Some(whole), 3) = (thousands, behind.len()) {
            let what = "the digits of a number are written without spaces".to_owned();
            return Some((what, format!("write {whole}{behind}")));
        }
    }
    let whole = digits(before)?;
    if !found.is_ascii_alphabetic() {
        return None;
    }
    let word = format!("{whole}{}", beginning(rest, is_word));
    let sizes: Vec<&str> = word.split(['x', 'X']).collect();
    let are_sizes = sizes.len() > 1 && sizes.iter().all(|it| it.parse::<u64>().is_ok());
    let help = if are_sizes {
        format!("write `[{}]`", sizes.join(", "))
    } else {
        "write a number without a unit, or a name that begins with a letter".to_owned()
    };
    Some((format!("`{word}` is neither a number nor a name"), help))
}

/// A name with a dash: `e-cube`.
fn word(before: &str, rest: &str) -> Option<(String, String)> {
    let first = ending(before, is_word);
    let second =
        rest.strip_prefix('-').map(|rest| beginning(rest, |it| is_word(it) || it == '-'))?;
    if !first.starts_with(|it: char| it.is_ascii_alphabetic()) || second.is_empty() {
        return None;
    }
    let word = format!("{first}-{second}");
    let help = match synonyms::value(&word) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("names are letters, digits and `_`, such as `{}`", word.replace('-', "_")),
    };
    Some((format!("`{word}` is not a name"), help))
}
