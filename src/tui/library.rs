//! Where the chooser finds scenarios: the built-in ones and folders of files.

use std::path::PathBuf;
use std::sync::Arc;

use crate::files;
use crate::scenario::{self, Problem, Scenario, builtin};

/// A scenario that could be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its built-in name or its path.
    pub name: String,
    /// Whether it is a file.
    pub file: bool,
}

/// A scenario's text and what checking it gave.
pub type Opened = (String, Result<Arc<Scenario>, Vec<Problem>>);

/// Something that lists scenarios and opens them.
pub trait Library: std::fmt::Debug + Send {
    /// What there is, in the order to show.
    fn list(&self) -> Vec<Entry>;
    /// The text of an entry and what checking it gave.
    fn open(&self, entry: &Entry) -> Opened;
    /// Whether a scenario of this name stands in a file.
    fn is_file(&self, name: &str) -> bool {
        self.list().iter().any(|entry| entry.file && entry.name == name)
    }
}

/// The built-in scenarios and the `*.ron` files of some folders, saved sessions left out.
#[derive(Clone, Default, Debug)]
pub struct Shelf {
    /// The folders, read anew each time the chooser opens.
    pub folders: Vec<PathBuf>,
}

impl Library for Shelf {
    fn list(&self) -> Vec<Entry> {
        let mut files: Vec<Entry> = self
            .folders
            .iter()
            .filter_map(|folder| std::fs::read_dir(folder).ok())
            .flatten()
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "ron"))
            .map(|path| path.strip_prefix(".").unwrap_or(&path).display().to_string())
            .filter(|name| !name.ends_with(".session.ron"))
            .map(|name| Entry { name, file: true })
            .collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        let builtin = builtin::ALL.iter().map(|it| Entry { name: it.name.to_owned(), file: false });
        files.into_iter().chain(builtin).collect()
    }

    fn open(&self, entry: &Entry) -> Opened {
        let text = if entry.file {
            match files::read(&entry.name) {
                Ok((_, text)) => text,
                Err(problem) => return (String::new(), Err(vec![problem])),
            }
        } else {
            builtin::find(&entry.name).map(|it| it.text.to_owned()).unwrap_or_default()
        };
        let file = entry.file.then(|| entry.name.clone());
        let checked = scenario::parse(&entry.name, &text, &[]);
        (text, checked.map(|read| Arc::new(Scenario { file, ..read })))
    }

    fn is_file(&self, name: &str) -> bool {
        std::path::Path::new(name).is_file()
    }
}
