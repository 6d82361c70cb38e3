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

    /// A sentence for every name; `known` are the names that would not be ignored.
    pub fn notes(&self, known: &[&str]) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for ((of, name), number) in self.0.iter().take(NAMES_MAX) {
            let near = nearest(name, known.iter().copied());
            let near = near.filter(|near| !near.eq_ignore_ascii_case(name) && name.len() > 3);
            let near = near.map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
            notes.push(match *of {
                "" => format!("{} is ignored{near}", quoted(name)),
                of => {
                    let of = count(*number, of.trim_end_matches('s'), of);
                    format!("{} of {of} is ignored{near}", quoted(name))
                }
            });
        }
        let more = self.0.len().saturating_sub(NAMES_MAX);
        if more > 0 {
            notes.push(format!("{more} more names are ignored"));
        }
        notes
    }
}
