//! Contents of a file that are ignored, counted by name.

use std::collections::BTreeMap;

use super::mistake::{nearest, quoted};
use crate::text::count;

/// The most names that are listed.
const NAMES_MAX: usize = 20;

/// Numbers of ignored attributes, by owner and name.
#[derive(Default)]
pub(super) struct Ignored(BTreeMap<(&'static str, String), usize>);

impl Ignored {
    /// Counts an attribute; `of` is its owner in the plural, such as `links`.
    pub fn add(&mut self, of: &'static str, name: &str) {
        let short: String = name.chars().take(40).collect();
        if self.0.len() < 10 * NAMES_MAX || self.0.contains_key(&(of, short.clone())) {
            *self.0.entry((of, short)).or_default() += 1;
        }
    }

    /// Sentences about all names, one for each owner; `known` are the names that would not be ignored, and
    /// a name like one of these has a sentence of its own.
    pub fn notes(&self, known: &[&str]) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        let mut together: BTreeMap<&str, Vec<(String, usize)>> = BTreeMap::new();
        for ((of, name), number) in self.0.iter().take(NAMES_MAX) {
            let near = nearest(name, known.iter().copied());
            match near.filter(|near| !near.eq_ignore_ascii_case(name) && name.len() > 3) {
                Some(near) => {
                    let near = format!(" (did you mean `{near}`?)");
                    notes.push(sentence(of, &[(quoted(name), *number)], &near));
                }
                None => together.entry(of).or_default().push((quoted(name), *number)),
            }
        }
        notes.extend(together.iter().map(|(of, names)| sentence(of, names, "")));
        let more = self.0.len().saturating_sub(NAMES_MAX);
        if more > 0 {
            notes.push(format!("{more} more names are ignored"));
        }
        notes
    }
}

/// States that names of an owner are ignored, with their numbers.
fn sentence(of: &str, names: &[(String, usize)], near: &str) -> String {
    let same = names.iter().all(|(_, number)| *number == names[0].1);
    let list = names.iter().map(|(name, number)| match of {
        "" => name.clone(),
        _ if same => name.clone(),
        _ => format!("{name} ({number})"),
    });
    let list = joined(&list.collect::<Vec<_>>());
    let is = if names.len() == 1 { "is" } else { "are" };
    match of {
        "" => format!("{list} {is} ignored{near}"),
        of if same => {
            let of = count(names[0].1, of.trim_end_matches('s'), of);
            format!("{list} of {of} {is} ignored{near}")
        }
        of => format!("{list} of {of} {is} ignored{near}"),
    }
}

/// Words as `a`, `a and b` or `a, b and c`.
fn joined(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
