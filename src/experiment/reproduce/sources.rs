//! Finds the scenarios and tables of a study.
//!
//! Sources are nearby files, the copies of a results folder, and files built into the program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::files;
use crate::scenario::{self, Override, Problem, Scenario, builtin};

/// The subfolder of a results folder for copies of scenario and table files.
pub const COPIES: &str = "scenario";

/// A scenario or a table.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    pub text: Arc<str>,
    /// The original file; `None` if built in.
    pub file: Option<PathBuf>,
}

/// The sources of a study, each read once.
#[derive(Debug, Default)]
pub struct Sources {
    folder: PathBuf,
    known: Mutex<BTreeMap<String, Source>>,
}

impl Sources {
    /// Sources of a study located in `folder`.
    pub fn of(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), known: Mutex::default() }
    }

    /// Finds a scenario: a file by its path relative to the study, or any name known to
    /// [`files::read`].
    pub fn scenario(&self, name: &str) -> Result<Source, Problem> {
        self.find(name, || {
            let beside = self.beside(name).map(|path| path.to_string_lossy().into_owned());
            let (source, text) = files::read(beside.as_deref().unwrap_or(name))?;
            let file = Path::new(&source).is_file().then(|| PathBuf::from(&source));
            let text = complete(&source, text).into();
            Ok(Source { name: source, text, file })
        })
    }

    /// Finds a table, likewise.
    pub fn table(&self, name: &str) -> Result<Source, Problem> {
        self.find(name, || {
            let Some(path) = self.beside(name) else {
                let text = builtin::file(&format!("studies/{name}"));
                let what = format!("there is no table `{name}`");
                let help = "name a CSV file by its path from the study's own".to_owned();
                let missing =
                    || Problem { source: name.into(), place: None, what, help: Some(help) };
                let text = text.ok_or_else(missing)?.into();
                return Ok(Source { name: name.to_owned(), text, file: None });
            };
            let text = files::read_file(&path)?.into();
            Ok(Source { name: path.display().to_string(), text, file: Some(path) })
        })
    }

    /// Parses a scenario with overrides.
    pub fn parse(&self, name: &str, overrides: &[Override]) -> Result<Scenario, Vec<Problem>> {
        let source = self.scenario(name).map_err(|problem| vec![problem])?;
        let short = source.file.as_deref().and_then(Path::file_name);
        let short = short.map_or(source.name.as_str().into(), |name| name.to_string_lossy());
        let name = crate::text::line(&short);
        let load = files::network_reader(&source.name);
        let scenario = scenario::parse_with(&source.name, &source.text, overrides, &load)?;
        Ok(Scenario { name, ..scenario })
    }

    /// The files read so far.
    pub fn files(&self) -> Vec<Source> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.values().filter(|source| source.file.is_some()).cloned().collect()
    }

    fn beside(&self, name: &str) -> Option<PathBuf> {
        let copy = Path::new(name).file_name().map(|name| self.folder.join(COPIES).join(name));
        [Some(self.folder.join(name)), copy].into_iter().flatten().find(|path| path.is_file())
    }

    fn find(
        &self,
        name: &str,
        read: impl FnOnce() -> Result<Source, Problem>,
    ) -> Result<Source, Problem> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(source) = known.get(name) {
            return Ok(source.clone());
        }
        let source = read()?;
        known.insert(name.to_owned(), source.clone());
        Ok(source)
    }
}

/// The text of a scenario with the contents of the files that it names, so that a copy needs no other
/// file. A text with mistakes stays as it is.
fn complete(source: &str, text: String) -> String {
    if !text.contains("File(") {
        return text;
    }
    let read = scenario::parse_with(source, &text, &[], &files::network_reader(source));
    read.map_or(text, |scenario| scenario.text)
}
