//! State of the chooser: filter, matching entries, preview of the chosen entry.

pub mod settings;

use std::sync::Arc;

use super::action::Answer;
use super::library::{Entry, Kind, Library, OpenedScenario};
use super::line::EditLine;
use super::palette::has_in_order;
use crate::scenario::{Problem, Scenario, contrast};
use crate::words::Misfit;

#[derive(Clone, Debug)]
pub struct Chooser {
    pub filter: EditLine,
    /// All entries: settings, the library, and files with the typed path or prefix.
    pub entries: Vec<Entry>,
    /// Number of entries before any typing.
    listed: usize,
    pub matches: Vec<usize>,
    /// The chosen line of [`Self::matches`].
    pub chosen: usize,
    /// Text and verdict of the chosen entry or typed setting.
    pub preview: Option<OpenedScenario>,
    /// True for the preview of a typed setting.
    own: bool,
    /// The scenario to compare with the chosen one; `None` in a chooser for opening.
    pub beside: Option<Arc<Scenario>>,
}

impl Chooser {
    /// Opens a library with `current` chosen, if listed. A chooser for comparison first lists
    /// settings such as `routing=DimensionOrder()`, to compare `current` with a variant of itself.
    pub fn new(library: &dyn Library, current: &Arc<Scenario>, to_compare: bool) -> Self {
        let mut entries = if to_compare { settings::of(current) } else { Vec::new() };
        let settings = entries.len();
        entries.extend(library.list());
        let here = entries.iter().position(|entry| entry.name == current.name);
        let chosen = if settings > 0 { 0 } else { here.unwrap_or(0) };
        let (listed, matches) = (entries.len(), (0..entries.len()).collect());
        let (filter, preview, own) = (EditLine::default(), None, false);
        let beside = to_compare.then(|| Arc::clone(current));
        let mut chooser = Self { filter, entries, listed, matches, chosen, preview, own, beside };
        chooser.read(library);
        chooser
    }

    /// The field and value of a setting typed in place of a filter.
    pub fn setting(&self) -> Option<(&str, &str)> {
        self.beside.as_ref()?;
        self.filter.split_once('=')
    }

    /// True if the preview is of the typed setting: either valid, or without a similar entry.
    pub fn is_of_what_was_typed(&self) -> bool {
        let right = self.preview.as_ref().is_some_and(|(_, verdict)| verdict.is_ok());
        let chosen = self.entry().is_some_and(|entry| entry.name == self.filter.trim());
        self.setting().is_some() && !chosen && (self.matches.is_empty() || right && self.own)
    }

    pub fn entry(&self) -> Option<&Entry> {
        self.matches.get(self.chosen).map(|&at| &self.entries[at])
    }

    /// The chosen scenario, if valid.
    pub fn scenario(&self) -> Option<Arc<Scenario>> {
        self.preview.as_ref().and_then(|(_, verdict)| verdict.as_ref().ok()).map(Arc::clone)
    }

    /// Moves the selection or edits the filter.
    pub fn answer(&mut self, answer: Answer, library: &dyn Library) {
        let before = self.entry().cloned();
        let completed = answer == Answer::Complete && self.complete(library);
        if let Answer::Edit(edit) = answer {
            if !self.filter.edit(edit) {
                return;
            }
        } else if !completed {
            let down = matches!(answer, Answer::Down | Answer::Complete);
            let step = isize::from(down) - isize::from(answer == Answer::Up);
            let last = self.matches.len().saturating_sub(1);
            self.chosen = self.chosen.saturating_add_signed(step).min(last);
            if self.entry() != before.as_ref() {
                self.read(library);
            }
            return;
        }
        self.entries.truncate(self.listed);
        let typed = self.filter.trim();
        let known = self.entries.len();
        let below = if typed.contains('/') { library.below(typed) } else { Vec::new() }.into_iter();
        let new = below.filter(|one| self.entries[..known].iter().all(|it| it.name != one.name));
        let new: Vec<Entry> = new.collect();
        self.entries.extend(new);
        let named = |entry: &Entry| entry.name.trim_end_matches('/') == typed.trim_end_matches('/');
        if !self.entries.iter().any(named) && library.is_file(typed) {
            self.entries.push(Entry::file(typed));
        }
        self.matches = (0..self.entries.len())
            .filter(|&at| has_in_order(&self.entries[at].name, self.filter.trim()))
            .collect();
        // Order of matches: exact names, names containing the filter, other names with the filter's
        // letters in order.
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

    /// Extends the filter to the common prefix of all matches; returns true if the filter grew.
    fn complete(&mut self, library: &dyn Library) -> bool {
        let typed = self.filter.trim();
        let setting = self.setting().and(self.entry()).filter(|it| it.kind == Kind::Setting);
        let longer = if let Some(setting) = setting {
            setting.name.clone()
        } else {
            // The name of a listed entry is no path.
            let path = typed.contains('/') || self.matches.is_empty();
            let below = if path { library.below(typed) } else { Vec::new() };
            let names = below.iter().map(|entry| entry.name.as_str());
            names
                .map(str::to_owned)
                .reduce(|one, other| in_common(&one, &other))
                .unwrap_or_default()
        };
        let more = longer.len() > typed.len();
        if more {
            self.filter = longer.into();
        }
        more
    }

    /// Reads and checks the chosen entry or typed setting.
    pub fn read(&mut self, library: &dyn Library) {
        let with = |text: &str| {
            let (path, value) = text.split_once('=')?;
            Some(with_setting(self.beside.as_ref()?, path, value))
        };
        let chosen = self.entry();
        // A typed setting takes precedence if valid or without a similar entry.
        let set = with(&self.filter).filter(|(_, set)| set.is_ok() || chosen.is_none());
        let own = set.is_some();
        let preview = set.or_else(|| match chosen? {
            Entry { kind: Kind::Setting, name, .. } => with(name),
            entry => Some(library.open(entry)),
        });
        (self.own, self.preview) = (own, preview);
        if let (Some(own), Some((_, verdict))) = (&self.beside, &mut self.preview)
            && let Ok(chosen) = verdict
            && let Err(Misfit { what, help, .. }) = contrast::beside(own, chosen)
        {
            let source = chosen.name.clone();
            *verdict = Err(vec![Problem { source, place: None, what, help: Some(help) }]);
        }
    }
}

fn in_common(one: &str, other: &str) -> String {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}

/// A scenario with one changed field, and the verdict on the result.
pub fn with_setting(scenario: &Scenario, path: &str, value: &str) -> OpenedScenario {
    let text = format!("{} with {}={}", scenario.name, path.trim(), value.trim());
    (text, scenario.with_field(path, value).map(Arc::new))
}
