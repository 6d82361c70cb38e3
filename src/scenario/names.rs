//! Names in messages: paths, enumerations and suggestions.

use super::node::Node;
use super::synonyms::{self, plain};
pub(crate) use crate::text::shown;

pub(super) fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
}

/// Describes a value for messages: `the text "8"`, `a list`.
pub(super) fn kind(node: Node<'_>) -> String {
    let text = shown(node.text);
    match node.text.chars().next() {
        Some('"') => format!("the text {text}"),
        Some('[') => "a list".into(),
        Some('{') => "a map".into(),
        Some('(') => "a group in parentheses".into(),
        Some('0'..='9' | '+' | '-' | '.') => text,
        None => "nothing".into(),
        Some(_) => format!("`{text}`"),
    }
}

/// `a`, `b` and `c`, with the quotes.
pub(super) fn list_of(names: &[&str]) -> String {
    joined(names, "and")
}

/// `a`, `b` or `c`, with the quotes.
pub(crate) fn one_of(names: &[&str]) -> String {
    joined(names, "or")
}

fn joined(names: &[&str], word: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".into(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// The known path most similar to `path`.
pub(super) fn nearest_path<'n>(
    path: &str,
    known: impl Iterator<Item = &'n str>,
) -> Option<&'n str> {
    if path.len() > 128 {
        return None;
    }
    let (known, elsewhere) = (known.collect::<Vec<_>>(), last(path));
    let beside = known
        .iter()
        .filter(|known| path.strip_suffix(elsewhere) == known.strip_suffix(last(known)));
    if let Some(meant) = synonyms::meant(elsewhere, beside.clone().map(|known| last(known))) {
        return beside.copied().find(|known| last(known) == meant);
    }
    let distances = known.iter().map(|known| (strsim::damerau_levenshtein(path, known), *known));
    let (distance, best) = distances.min()?;
    (distance <= (path.len() / 5).clamp(1, 3)).then_some(best)
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Suggests the nearest of `names` for a text in quotes, or lists all.
pub(crate) fn meant(text: &str, names: &[&str]) -> String {
    match nearest(text, names.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("it may be {}", one_of(names)),
    }
}

/// The name nearest to `name`: equal except for capitals, a synonym, or similar by spelling.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > 64 {
        return None;
    }
    let (known, wanted) = (known.collect::<Vec<_>>(), plain(name));
    let same = known.iter().copied().find(|known| plain(known) == wanted);
    if let Some(meant) = same.or_else(|| synonyms::meant(name, known.iter().copied())) {
        return Some(meant);
    }
    let distance = |known: &str| {
        let known = plain(known);
        let contained = wanted.len() > 3 && (known.contains(&wanted) || wanted.contains(&known));
        let edits = strsim::damerau_levenshtein(&wanted, &known);
        (if contained { 1 } else { edits }, edits)
    };
    let ((distance, _), best) = known.into_iter().map(|known| (distance(known), known)).min()?;
    (distance <= (wanted.len() / 3).max(1)).then_some(best)
}

/// A wrong name in front of fields, with its correction. Without a `name`, fields have none.
pub(super) fn misnamed(of: &str, found: &str, name: &str, allowed: &[&str]) -> (String, String) {
    if name.is_empty() {
        let help = format!("write `(field: value)`; it may have {}", list_of(allowed));
        return (format!("{of} has fields in parentheses, not a name"), help);
    }
    let what = format!("expected `{name}(...)`, found `{}`", shown(found));
    (what, format!("write `{name}` here"))
}
