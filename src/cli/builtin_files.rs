//! `scenarios`, `guide` and `completions`: print or list the files built into the program.

use std::path::Path;

use clap::Args;
use clap::builder::PossibleValue;
use clap_complete::Shell;
use serde::Serialize;

use super::options::{Words, given};
use super::{Failure, definition, output};
use crate::experiment::report::{Format, Row};
use crate::files;
use crate::guide::{TOPICS, Topic};
use crate::scenario::{self, Problem, builtin};

/// The arguments of `scenarios`.
#[derive(Args, Debug)]
pub(super) struct Scenarios {
    /// The scenario to print: a built-in one, or that of a network file [default: all are listed]
    name: Option<String>,
    /// The notation of the scenario printed, or of the list
    #[arg(long, value_parser = given(NOTATIONS), value_name = "FORMAT",
        conflicts_with_all = ["schema", "fields"])]
    format: Option<Notation>,
    /// Print a JSON schema of scenarios
    #[arg(long, conflicts_with = "name")]
    schema: bool,
    /// Print a table of all fields and values, in Markdown
    #[arg(long, conflicts_with_all = ["name", "schema"])]
    fields: bool,
    /// Print no remarks on a network file
    #[arg(long, short)]
    quiet: bool,
}

/// A notation of scenarios.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notation {
    Ron,
    Json,
}

pub(super) const NOTATIONS: Words<Notation> = &[
    ("ron", "As in the files that come with the program [default]", Notation::Ron),
    ("json", "JSON of the schema; a list as an object per line", Notation::Json),
];

impl Notation {
    /// A scenario in RON, in this notation.
    pub(super) fn of(self, text: String) -> String {
        match self {
            Self::Ron => text,
            Self::Json => scenario::json(&text).unwrap_or_default(),
        }
    }
}

/// A scenario of the list.
#[derive(Serialize)]
struct ScenarioRow {
    name: &'static str,
    /// The comment at the head of its file.
    description: String,
}

impl Row for ScenarioRow {
    const COLUMNS: &'static [&'static str] = &["name", "description"];
}

impl Scenarios {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.name {
            None if self.schema => output::print(&format!("{:#}\n", scenario::json_schema())),
            None if self.fields => output::print(&scenario::table()),
            None if self.format == Some(Notation::Json) => {
                output::print_rows(Format::Json, &rows(), String::new)
            }
            None => output::print(&scenarios()),
            Some(name) => {
                let text = match builtin::find(name) {
                    Some(builtin) => builtin.text.to_owned(),
                    None => self.of_network(name)?,
                };
                output::print(&self.format.unwrap_or(Notation::Ron).of(text))
            }
        }
    }

    /// The scenario of a network file.
    fn of_network(&self, name: &str) -> Result<String, Failure> {
        if !(Path::new(name).is_file() && files::is_network(name)) {
            let what = format!("there is no built-in scenario `{}`", name.escape_debug());
            let near = builtin::suggest(name);
            return Err(Failure::unknown(&what, near, "`flitscope scenarios` lists them"));
        }
        let refused = |found: &[Problem]| Failure::Usage(scenario::render(found));
        let draft = files::network(name).map_err(|found| refused(&found))?;
        for note in draft.notes.iter().filter(|_| !self.quiet) {
            output::remark(&format!("{name}: {note}"));
        }
        files::read(name).map(|(_, text)| text).map_err(|problem| refused(&[problem]))
    }
}

fn rows() -> Vec<ScenarioRow> {
    let row = |builtin: &builtin::Builtin| ScenarioRow {
        name: builtin.name,
        description: scenario::description(builtin.text),
    };
    builtin::ALL.iter().map(row).collect()
}

fn scenarios() -> String {
    let width = builtin::ALL.iter().map(|builtin| builtin.name.len()).max().unwrap_or(0);
    let line = |row: ScenarioRow| {
        let first = row.description.lines().next().unwrap_or_default();
        format!("{:<width$}  {first}\n", row.name)
    };
    rows().into_iter().map(line).collect()
}

/// The arguments of `guide`.
#[derive(Args, Debug)]
pub(super) struct Guide {
    /// The topic to print [default: the topics are listed]
    #[arg(value_parser = TOPICS.iter().map(value).collect::<Vec<_>>())]
    topic: Option<String>,
}

/// A topic as a value of clap, for help and completions.
fn value(topic: &Topic) -> PossibleValue {
    PossibleValue::new(topic.name).help(topic.title())
}

impl Guide {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let wanted = self.topic.as_deref();
        let list = || TOPICS.iter().map(|topic| format!("{:<10} {}\n", topic.name, topic.title()));
        match TOPICS.iter().find(|topic| Some(topic.name) == wanted) {
            Some(topic) => output::print(topic.text),
            None => output::print(&list().collect::<String>()),
        }
    }
}

/// The arguments of `completions`.
#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut definition(), "flitscope", &mut script);
        output::print_bytes(&script)
    }
}
