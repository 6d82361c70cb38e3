//! Session files: a scenario, the interventions in its run, and the current position.
//!
//! ```ron
//! Session(
//!     name: "papers/adaptive-torus-8x8",
//!     scenario: Scenario(...),                     // as in a scenario file
//!     overrides: [("traffic.arrivals.rate", "0.02")], // set on the command line
//!     seed: 7,
//!     warm_up: Automatic,                          // or Cycles(10000)
//!     journal: [                                   // the changes, in order
//!         Rate(cycle: 4000, rate: 0.0123),
//!         LinkDown(cycle: 6000, link: 12),         // or LinkUp
//!     ],
//!     bookmarks: [1200],
//!     cycle: 12345,                                // the saved position
//!     live: 20000,                                 // the newest cycle reached
//!     fingerprint: "0123456789abcdef",             // of the state at `cycle`
//! )
//! ```
//!
//! Only `scenario` is required. Scenario and journal determine the run, bit for bit. Times are in
//! cycles, for circuits in ticks; then a comment in the file gives the number of ticks per unit of
//! time.

mod journal;

use std::fmt::Write;
use std::sync::Arc;

use super::Intervention;
use crate::scenario::checked::Checked;
use crate::scenario::names::shown;
use crate::scenario::node::Node;
use crate::scenario::reader::Reader;
use crate::scenario::{self, Document, Load, Override, Problem, SESSION, Scenario, description};
use crate::stats::WarmUp;
use crate::text;
use crate::units::{Cycle, TimeUnit};
use crate::words::Need::{Default, Example, Open};
use crate::words::{Field, Kind, Structure, Words, words, written};
use journal::Done;

/// Latest cycle permitted in a session file, 2⁴⁰. Opening a file simulates all of its cycles, which
/// at a million cycles per second would take twelve days.
pub const CYCLES_MAX: u64 = 1 << 40;

const fn cycle(called: &'static str) -> Kind {
    Kind::Whole { called, limits: (0, CYCLES_MAX) }
}

const OVERRIDES: Kind = Kind::list(
    "a list of pairs of texts",
    &Kind::Own("an override", Structure::Tuple(&[Kind::Text("a text")], (2, 2))),
);

const FIELDS: &[Field] = words!(@fields
    /// The name of the scenario.
    name = Open, Kind::Text("the name");
    /// The scenario, as in a scenario file.
    scenario = Example("Scenario(...)"), Kind::Own("a scenario", Structure::Either(&[scenario::KIND]));
    /// Fields set on the command line, each with its value.
    overrides = Default("[]"), OVERRIDES;
    /// The seed of the run.
    seed = Default("1"), Kind::Whole { called: "the seed", limits: (0, u64::MAX) };
    /// The method of excluding the warm-up.
    warm_up = Default("Automatic"), WarmUp::KIND;
    /// The changes of the run, in order.
    journal = Default("[]"), Kind::list("a list of changes", &Done::KIND);
    /// Cycles bookmarked by the user.
    bookmarks = Default("[]"), Kind::list("a list of cycles", &cycle("a bookmark"));
    /// The cycle at which the session was saved.
    cycle = Default("0"), cycle("`cycle`");
    /// The newest cycle reached; defaults to `cycle`.
    live = Open, cycle("`live`");
    /// The hash of the state at `cycle`, 16 hexadecimal digits.
    fingerprint = Open, Kind::Text("the fingerprint");
);

/// A reproducible run with the current position and bookmarks.
#[derive(Clone, Debug)]
pub struct Saved {
    pub scenario: Arc<Scenario>,
    /// The seed of the run (not always the scenario's).
    pub seed: u64,
    /// The treatment of the warm-up.
    pub warm_up: WarmUp,
    /// The interventions, in order.
    pub journal: Vec<Intervention>,
    /// The bookmarks, in order.
    pub bookmarks: Vec<Cycle>,
    /// The current cycle when saved.
    pub cycle: Cycle,
    /// The latest cycle reached.
    pub live: Cycle,
    /// The hash of the state at `cycle`, if recorded.
    pub fingerprint: Option<u64>,
}

impl Saved {
    /// The beginning of a scenario's run, without interventions.
    pub fn beginning(scenario: Arc<Scenario>) -> Self {
        Self {
            seed: scenario.seed,
            scenario,
            warm_up: WarmUp::Automatic,
            journal: Vec::new(),
            bookmarks: Vec::new(),
            cycle: Cycle(0),
            live: Cycle(0),
            fingerprint: None,
        }
    }

    /// Formats the session file in JSON, with the description of the scenario as `$comment`.
    pub fn json(&self) -> Option<String> {
        scenario::json(&(commented(&self.scenario.description) + &scenario::body(&self.text())))
    }

    /// Formats the session file in RON.
    pub fn text(&self) -> String {
        let scenario = &self.scenario;
        let TimeUnit { cycles: ticks, name: unit, .. } = scenario.system.time_unit();
        let times = if ticks == 1 {
            String::new()
        } else {
            format!(
                "// Times of this session are in ticks: {ticks} of them for each of the {unit}.\n"
            )
        };
        let mut out = format!(
            "// A session of flitscope: `flitscope FILE` opens it at the saved cycle,\n\
             // `flitscope replay FILE` repeats the run without the screen.\n\
             {times}{SESSION}(\n    name: {},\n    scenario:\n{}",
            written(&scenario.name),
            commented(&scenario.description)
        );
        // Puts the comma on its own line, because the text may end with a comment.
        let _ = writeln!(out, "{}\n    ,", scenario::body(&scenario.text).trim_end());
        let mut field = |name: &str, text: &str| {
            let _ = writeln!(out, "    {name}: {text},");
        };
        let lines = |entries: Vec<String>| {
            let entries = entries.iter().map(|entry| format!("        {entry},\n"));
            format!("[\n{}    ]", entries.collect::<String>())
        };
        if !scenario.overrides.is_empty() {
            let set = scenario.overrides.iter().map(|set| written(&(&set.path, &set.value)));
            field("overrides", &lines(set.collect()));
        }
        field("seed", &written(&self.seed));
        field("warm_up", &written(&self.warm_up));
        let done = self.journal.iter().map(|done| journal::line(done, &scenario.system));
        field("journal", &format!("[\n{}    ]", done.collect::<String>()));
        field("bookmarks", &written(&self.bookmarks.iter().map(|at| at.0).collect::<Vec<_>>()));
        field("cycle", &written(&self.cycle.0));
        field("live", &written(&self.live.0));
        if let Some(fingerprint) = self.fingerprint {
            field("fingerprint", &format!("\"{fingerprint:016x}\""));
        }
        out + ")\n"
    }
}

/// A description as lines of comments.
fn commented(description: &str) -> String {
    description.lines().flat_map(|line| ["// ", line, "\n"]).collect()
}

/// Parses and validates a session file. `name` identifies the text in problems; all problems are
/// returned at once.
pub fn parse(name: &str, text: &str) -> Result<Saved, Vec<Problem>> {
    parse_with(name, text, &scenario::no_files)
}

/// Parses a session file as [`parse`] does, which may name a file of messages.
///
/// # Errors
/// All problems.
pub fn parse_with(name: &str, text: &str, load: Load<'_>) -> Result<Saved, Vec<Problem>> {
    let read = Document::read(name, text, &Kind::Fields(&[FIELDS]))?;
    let mut reader = Reader::of(name, &read, &[]);
    let Some(document) = reader.document() else { return Err(reader.finish()) };
    let given = reader.record("session", "a session", document, SESSION, FIELDS, &[]);
    let overrides = overrides(&mut reader, &given);
    let called = text::line(&given.given::<String>("name").unwrap_or_else(|| name.to_string()));
    let scenario = scenario_of(&mut reader, &given, (&called, &overrides), load);
    let cycle = given.get("cycle").unwrap_or(0);
    let live = given.given("live").unwrap_or(cycle);
    if let Some(field) = given.fields.get("cycle")
        && cycle > live
    {
        let what = format!("`cycle` {cycle} is after the newest cycle, `live` {live}");
        reader.problem(field.value, what, Some(format!("write {live} or less")));
    }
    let changes = entries(&mut reader, &given, "journal");
    let journal = journal::read(&mut reader, changes, live, scenario.as_ref().ok());
    let mut bookmarks: Vec<u64> = entries(&mut reader, &given, "bookmarks")
        .into_iter()
        .filter_map(|node| reader.integer(node, "a bookmark", 0..=live))
        .collect();
    bookmarks.sort_unstable();
    bookmarks.dedup();
    let fingerprint = fingerprint(&mut reader, &given);
    let mut problems = reader.finish();
    let scenario = scenario.map_err(|within| problems.extend(within));
    let (Ok(scenario), true) = (scenario, problems.is_empty()) else { return Err(problems) };
    let seed = given.get("seed").unwrap_or(1);
    let description = match &read.comment {
        Some(comment) => text::lines(comment),
        None => scenario.description,
    };
    Ok(Saved {
        scenario: Arc::new(Scenario { description, seed, ..scenario }),
        seed,
        warm_up: given.get("warm_up").unwrap_or_default(),
        journal,
        bookmarks: bookmarks.into_iter().map(Cycle).collect(),
        cycle: Cycle(cycle),
        live: Cycle(live),
        fingerprint,
    })
}

/// Parses the scenario in a session file; problems refer to positions in the session file.
fn scenario_of(
    reader: &mut Reader<'_>,
    given: &Checked<'_>,
    (called, overrides): (&str, &[Override]),
    load: Load<'_>,
) -> Result<Scenario, Vec<Problem>> {
    let Some(field) = given.fields.get("scenario") else { return Err(Vec::new()) };
    // Comments between the field's name and its value describe the scenario.
    let comments = reader.between(field.key, field.value);
    let comments = comments.split_once(':').map_or("", |(_, rest)| rest);
    let mut text = commented(&description(comments));
    let before = text.lines().count();
    let _ = writeln!(text, "{}{}", field.value.text, field.behind.trim_end());
    scenario::parse_with(called, &text, overrides, load).map_err(|mut problems| {
        for problem in problems.iter_mut().filter(|problem| problem.source == called) {
            reader.moved(problem, field.value, before);
        }
        problems
    })
}

/// The elements of a list field; empty if the field is missing.
fn entries<'a>(reader: &mut Reader<'a>, given: &Checked<'a>, name: &str) -> Vec<Node<'a>> {
    let field = given.fields.get(name);
    let help = "write it between `[` and `]`";
    field.and_then(|field| reader.list(field.value, &format!("`{name}`"), help)).unwrap_or_default()
}

fn overrides<'a>(reader: &mut Reader<'a>, given: &Checked<'a>) -> Vec<Override> {
    let mut found = Vec::new();
    for node in entries(reader, given, "overrides") {
        let Ok((path, value)) = ron::from_str::<(String, String)>(node.text) else {
            let what = format!("an override is a pair of texts, not {}", shown(node.text));
            let help = "write `(\"traffic.arrivals.rate\", \"0.02\")`";
            reader.problem(node, what, Some(help.into()));
            continue;
        };
        let label = format!("override {path}={value}");
        found.push(Override { path, value, label });
    }
    found
}

fn fingerprint<'a>(reader: &mut Reader<'a>, given: &Checked<'a>) -> Option<u64> {
    let text: String = given.given("fingerprint")?;
    let number = u64::from_str_radix(&text, 16).ok().filter(|_| text.len() == 16);
    if let (None, Some(field)) = (number, given.fields.get("fingerprint")) {
        let what = format!("the fingerprint must be 16 hexadecimal digits, not {}", shown(&text));
        reader.problem(field.value, what, Some("remove the field to skip the comparison".into()));
    }
    number
}

#[cfg(test)]
mod tests;
