//! The scenario chooser's state: a filter, what matches it, and what checking the chosen one gave.

use std::sync::Arc;

use super::action::Answer;
use super::library::{Entry, Library, Opened};
use super::palette::has_in_order;
use crate::scenario::{Override, Problem, Scenario, contrast};
use crate::words::Misfit;

#[derive(Clone, Debug)]
pub struct Chooser {
    /// What was typed.
    pub filter: String,
    /// All there is, and last the file whose path was typed.
    pub entries: Vec<Entry>,
    /// How many of them there were before anything was typed.
    listed: usize,
    /// The entries that match, by index.
    pub matches: Vec<usize>,
    /// The chosen line of [`Self::matches`].
    pub chosen: usize,
    /// Text and verdict of the chosen entry, or of what was set.
    pub preview: Option<Opened>,
    /// What the chosen scenario is to be compared with; `None` where it is to be opened.
    pub beside: Option<Arc<Scenario>>,
}

impl Chooser {
    /// Opens on a library, the `current` scenario chosen if it is there: for another one to open, or
    /// to compare it with, or with settings as in `routing=DimensionOrder()` in place of a filter,
    /// itself.
    pub fn new(library: &dyn Library, current: &Arc<Scenario>, to_compare: bool) -> Self {
        let entries = library.list();
        let chosen = entries.iter().position(|entry| entry.name == current.name).unwrap_or(0);
        let (listed, matches) = (entries.len(), (0..entries.len()).collect());
        let (filter, preview) = (String::new(), None);
        let beside = to_compare.then(|| Arc::clone(current));
        let mut chooser = Self { filter, entries, listed, matches, chosen, preview, beside };
        chooser.read(library);
        chooser
    }

    /// The field and the value that were typed in place of a filter.
    pub fn setting(&self) -> Option<(&str, &str)> {
        self.beside.as_ref()?;
        let (path, value) = self.filter.split_once('=')?;
        Some((path, value))
    }

    pub fn entry(&self) -> Option<&Entry> {
        self.matches.get(self.chosen).map(|&at| &self.entries[at])
    }

    /// The chosen scenario, if it can be run.
    pub fn scenario(&self) -> Option<Arc<Scenario>> {
        self.preview.as_ref().and_then(|(_, verdict)| verdict.as_ref().ok()).map(Arc::clone)
    }

    /// Moves up or down, or edits the filter.
    pub fn answer(&mut self, answer: Answer, library: &dyn Library) {
        let before = self.entry().cloned();
        if !answer.edits(&mut self.filter) {
            let step = isize::from(answer == Answer::Down) - isize::from(answer == Answer::Up);
            let last = self.matches.len().saturating_sub(1);
            self.chosen = self.chosen.saturating_add_signed(step).min(last);
            if self.entry() != before.as_ref() {
                self.read(library);
            }
            return;
        }
        self.entries.truncate(self.listed);
        let typed = self.filter.trim();
        if !self.entries.iter().any(|entry| entry.name == typed) && library.is_file(typed) {
            self.entries.push(Entry { name: typed.to_owned(), file: true });
        }
        self.matches = (0..self.entries.len())
            .filter(|&at| has_in_order(&self.entries[at].name, self.filter.trim()))
            .collect();
        // What is named in full comes before names that hold the filter as it stands, and those before
        // names that only have its letters.
        let filter = self.filter.trim().to_lowercase();
        let entries = &self.entries;
        self.matches.sort_by_key(|&at| {
            let name = entries[at].name.to_lowercase();
            (name != filter, !name.contains(&filter))
        });
        self.chosen = 0;
        if self.entry() != before.as_ref() || self.filter.contains('=') {
            self.read(library);
        }
    }

    /// Reads and checks the chosen entry anew, or what was set.
    pub fn read(&mut self, library: &dyn Library) {
        let set = self.setting().zip(self.beside.as_ref());
        let set = set.map(|((path, value), scenario)| with_setting(scenario, path, value));
        self.preview = set.or_else(|| self.entry().map(|entry| library.open(entry)));
        if let (Some(own), Some((_, verdict))) = (&self.beside, &mut self.preview)
            && let Ok(chosen) = verdict
            && let Err(Misfit { what, help, .. }) = contrast::beside(own, chosen)
        {
            let source = chosen.name.clone();
            *verdict = Err(vec![Problem { source, place: None, what, help: Some(help) }]);
        }
    }
}

/// A scenario with one field set, and what checking that gave.
pub fn with_setting(scenario: &Scenario, path: &str, value: &str) -> Opened {
    let (path, value) = (path.trim().to_owned(), value.trim().to_owned());
    let label = format!("{path}={value}");
    let text = format!("{} with {label}", scenario.name);
    (text, scenario.with([Override { path, value, label }]).map(Arc::new))
}
