//! Scenarios: RON or JSON texts, checked completely; all mistakes are reported with their
//! positions.
//!
//! The [guide](crate::guide::scenarios) describes the text; the [`table`] of fields and values is
//! generated from the descriptors. Nothing else is accepted: an unknown field is a problem, not a
//! comment.
//!
//! One pass reads the text and continues after mistakes. Values are slices of the text, and all
//! problems are reported together, each with its position.

pub mod builtin;
pub(crate) mod checked;
mod choices;
mod circuit;
pub mod contrast;
mod destinations;
mod document;
mod failures;
mod found;
mod grid;
mod hints;
mod insertions;
mod json;
mod json_schema;
mod json_value;
mod lazy_capacity;
mod leaf;
mod lengths;
mod lists;
mod machine;
mod manual;
mod message_classes;
mod named_file;
pub(crate) mod names;
mod network;
mod network_file;
pub(crate) mod node;
mod nodes;
mod order;
mod origin;
mod paths;
mod pipeline;
mod places;
mod plan;
mod print;
pub(crate) mod reader;
mod remarks;
mod render;
mod route_table;
mod rule;
mod schema;
mod script;
mod settled;
mod streamed;
mod switches;
mod synonyms;
mod syntax;
mod traffic;
mod unused;
mod weight_table;

use std::sync::Arc;

use crate::capacity::{Capacity, Completion};
use crate::network_files::StreamedDraft;
use crate::random::mix;
use crate::routing::{Placement, Routing};
use crate::switching::{Switching, Wormhole};
use crate::system::System;
use crate::text;
use crate::topology::Network;

pub use crate::traffic::arrivals::RATE_MIN;
pub use choices::{Choice, choices, values_of};
pub(crate) use document::Document;
pub(crate) use failures::written_consequences as consequences_text;
pub use json_schema::json_schema;
pub use json_value::{ron_value, ron_values};
pub use lazy_capacity::LazyCapacity;
pub use machine::{BUFFER_FLITS_DEFAULT, MEMORY_MAX};
pub use manual::{table, table_of};
pub use named_file::Files;
pub(crate) use named_file::no_files;
pub(crate) use names::nearest;
pub(crate) use network_file::{problem as problem_of_file, text as switches_text};
pub use print::json;
pub use render::render;
pub use schema::FIELDS;
pub(crate) use schema::KIND;

/// The maximal number of problems reported at once; another problem counts the rest.
pub const PROBLEMS_MAX: usize = 50;

/// A checked scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The name shown to users: a built-in name or the path of the file.
    pub name: String,
    /// The file, as named by the user who opened it.
    pub file: Option<String>,
    pub title: String,
    /// Remarks on the files that the scenario names.
    pub notes: Vec<String>,
    /// The leading comment lines; the first line states the point of the scenario.
    pub description: String,
    /// The text without the overrides: as read, but with contents in place of the files that it names.
    pub text: String,
    /// Fields set from outside the text.
    pub overrides: Vec<Override>,
    pub system: System,
    /// The messages, if they are read from a file in blocks.
    pub stream: Option<StreamedDraft>,
    /// The seed of all random choices.
    pub seed: u64,
    /// True if no given field determines when a VC is free again.
    pub default_release: bool,
    /// The capacity of the system.
    pub capacity: LazyCapacity,
}

impl Scenario {
    /// The maximal load that the network carries, regardless of the rate; `None` if the network is
    /// too large to compute the capacity.
    pub fn capacity(&self) -> Option<&Capacity> {
        self.capacity.of(&self.system)
    }

    /// The least time in which all messages of a script can be delivered; `None` for random messages.
    pub fn completion(&self) -> Option<Completion> {
        Completion::of(&self.system, self.capacity())
    }

    /// The scenario with another network and routing, and at least the VCs that the routing needs;
    /// its text stays the same.
    #[must_use]
    pub fn on_network(self, network: Arc<Network>, placement: Placement) -> Self {
        let failures = self.system.plan().failures.clone();
        let System { traffic, switching, .. } = self.system;
        let switching = match switching {
            Switching::Wormhole(machine) => {
                let virtual_channels = machine.virtual_channels.max(placement.needs.needed);
                Switching::Wormhole(Wormhole { virtual_channels, ..machine })
            }
            Switching::Circuit(machine) => Switching::Circuit(machine),
        };
        let system = System::of(network, placement, switching, traffic).with_failures(failures);
        Self { system, capacity: LazyCapacity::default(), ..self }
    }

    /// Returns the scenario with more fields set. If a field is set twice, the later value counts.
    pub fn with(&self, set: impl IntoIterator<Item = Override>) -> Result<Self, Vec<Problem>> {
        self.with_files(set, &no_files)
    }

    /// True if text, overrides and seed of both scenarios are equal.
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.text, &self.overrides, self.seed) == (&other.text, &other.overrides, other.seed)
    }

    /// The overrides to be listed in a title. Excludes the title itself, and seed and offered load,
    /// which vary from run to run.
    pub fn set_fields(&self) -> impl Iterator<Item = &Override> {
        let told = ["title", "seed", "traffic.arrivals.rate", "traffic.arrivals.load"];
        self.overrides.iter().filter(move |one| !told.contains(&one.path.as_str()))
    }

    /// The title followed by the overrides: `E-cube in a ring, routing set to Valiant()`.
    pub fn full_title(&self) -> String {
        let set = self.set_fields().map(|one| format!(", {} set to {}", one.path, self.shown(one)));
        std::iter::once(self.title.clone()).chain(set).collect()
    }

    /// The value of an override in a title: of a routing table its size, and the beginning of any other
    /// long value.
    fn shown(&self, set: &Override) -> String {
        if let Routing::Table { routes } = self.system.relation.routing()
            && set.path == "routing"
        {
            return format!("a table of {routes}");
        }
        text::shown(&set.value)
    }

    /// A hash of the text and the overrides, except for the seed. Equal texts have the same hash on
    /// every computer.
    pub fn hash(&self) -> u64 {
        let set = self.overrides.iter().filter(|one| one.path != "seed");
        std::iter::once(&self.text)
            .chain(set.flat_map(|one| [&one.path, &one.value]))
            .flat_map(|text| text.bytes().map(u64::from).chain([1 << 8]))
            .fold(0, mix)
    }
}

/// A field set from outside the text, with the same checks as fields of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Override {
    /// The field: `traffic.arrivals.rate`. Fields of a variant follow the field with the variant:
    /// `network.radix`, `routing.escape`.
    pub path: String,
    /// The value in RON: `0.02`, `Mesh(radix: [4, 4])`.
    pub value: String,
    /// The override as the user wrote it: `--rate 0.02`, `--set network.radix=[4,4]`.
    pub label: String,
}

impl Override {
    /// Appends `set` to `given`; later overrides replace earlier ones of the same field.
    pub fn joined(given: &[Self], set: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut joined = given.to_vec();
        for one in set {
            joined.retain(|known| known.path != one.path);
            joined.push(one);
        }
        joined
    }
}

/// A mistake in a scenario, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file, built-in scenario or option with the mistake: `ring.ron`,
    /// `--set routing.escape=Nine`.
    pub source: String,
    /// Line and column, from 1; `None` if the problem concerns the whole source.
    pub place: Option<Place>,
    /// The mistake, in numbers.
    pub what: String,
    /// The smallest correcting edit.
    pub help: Option<String>,
}

/// A final problem with the number of omitted problems; `None` for a count of 0.
pub(crate) fn more(source: &str, count: usize) -> Option<Problem> {
    (count > 0).then(|| Problem {
        source: source.to_owned(),
        place: None,
        what: format!("there are {count} more problems"),
        help: Some("fix these first".into()),
    })
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1; the end of a line is one column beyond the last character.
    pub column: usize,
    /// The number of characters to underline, at least 1.
    pub length: usize,
    /// The text of the line; for an override, the override as written.
    pub text: String,
}

/// Reads and checks a scenario; `name` is the name of the text in problems.
///
/// # Errors
///
/// All problems, in the order of the text, followed by problems of the overrides. Text that is not
/// valid RON has only syntax problems.
pub fn parse(name: &str, text: &str, overrides: &[Override]) -> Result<Scenario, Vec<Problem>> {
    parse_with(name, text, overrides, &no_files)
}

/// Supplies the files that a scenario names.
pub type Load<'l> = &'l dyn Files;

/// Reads and checks a scenario, as [`parse`] does, and the files that it names. The text of the result
/// contains their networks and names no files.
///
/// # Errors
///
/// As [`parse`], followed by the problems of the files.
pub fn parse_with(
    name: &str,
    text: &str,
    overrides: &[Override],
    load: Load<'_>,
) -> Result<Scenario, Vec<Problem>> {
    parse_keeping(name, text, overrides, load, None)
}

/// Reads a scenario as [`parse_with`] does; `kept` is the table of an earlier reading, if it was read in
/// blocks.
fn parse_keeping(
    name: &str,
    text: &str,
    overrides: &[Override],
    load: Load<'_>,
    kept: Option<StreamedDraft>,
) -> Result<Scenario, Vec<Problem>> {
    let other = if is_session(text) {
        let help = format!("`flitscope replay {name}` runs it, `flitscope {name}` opens it");
        Some(("this is a saved session, not a scenario", help))
    } else if is_study(text) {
        Some(("this is a study, not a scenario", format!("`flitscope sweep {name}` runs it")))
    } else {
        None
    };
    if let Some((what, help)) = other {
        let (source, what) = (name.into(), what.into());
        return Err(vec![Problem { source, place: None, what, help: Some(help) }]);
    }
    let document = Document::read(name, text, &KIND)?;
    let mut reader = reader::Reader::of(name, &document, overrides);
    (reader.load, reader.kept) = (Some(load), kept);
    let draft = reader.document().and_then(|document| schema::read(&mut reader, document));
    let (text, overrides) = reader.given.inserted(text, &document, overrides);
    let notes = std::mem::take(&mut reader.given.notes);
    let stream = reader.given.stream.take();
    let problems = reader.finish();
    match draft {
        Some(draft) if problems.is_empty() => Ok(Scenario {
            name: text::line(name),
            file: None,
            notes,
            title: text::line(draft.title.as_deref().unwrap_or(name)),
            description: match &document.comment {
                Some(comment) => text::lines(comment),
                None => description(document.ron()),
            },
            text,
            overrides,
            seed: draft.seed,
            default_release: draft.default_release,
            system: draft.build(),
            stream,
            capacity: LazyCapacity::default(),
        }),
        _ => Err(problems),
    }
}

/// The paths of all fields that can be set in a scenario, in the form of [`Override::path`].
pub fn fields(scenario: &Scenario) -> Vec<String> {
    let read = Document::read(&scenario.name, &scenario.text, &KIND);
    let Ok(document) = read else { return Vec::new() };
    let mut reader = reader::Reader::of(&scenario.name, &document, &scenario.overrides);
    reader.kept.clone_from(&scenario.stream);
    if let Some(document) = reader.document() {
        let _ = schema::read(&mut reader, document);
    }
    reader.known
}

/// The name of the value in the text of a saved session.
pub(crate) const SESSION: &str = "Session";

/// True if a text is meant as a session, with or without mistakes.
pub fn is_session(text: &str) -> bool {
    is_called(text, SESSION, '{')
}

/// The name of the value in the text of a study.
pub(crate) const STUDY: &str = "Study";

/// True if a text is meant as a study, with or without mistakes.
pub(crate) fn is_study(text: &str) -> bool {
    is_called(text, STUDY, '"')
}

/// Tests for a document of the given name. RON begins with the name. JSON has the name as a member,
/// or a member `scenario` with a value that begins with `first`.
fn is_called(text: &str, name: &str, first: char) -> bool {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    if json::is_json(body) {
        let mut members = json::members(body);
        return members.any(|member| member.0 == name || member == ("scenario", first));
    }
    let value = syntax::value(body).unwrap_or_else(|_| skip_comments(body));
    value.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Skips the leading comment and attribute lines of text that is not RON.
fn skip_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with("//") || rest.starts_with("#!") {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
    }
    rest
}

/// The RON text of a scenario without its leading comments and attributes.
pub(crate) fn body(text: &str) -> String {
    Document::read("", text, &KIND).map_or_else(|_| text.to_owned(), Document::into_value)
}

/// The text of the leading `//` comment lines.
pub fn description(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty() || line.starts_with("#!["))
        .map_while(|line| line.strip_prefix("//"))
        .map(|line| line.trim_start_matches(['/', '!']).trim())
        .collect();
    text::lines(&lines.join("\n"))
}
