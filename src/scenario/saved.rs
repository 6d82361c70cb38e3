//! A saved session: a scenario, what was done to its run, and where a person left it.
//!
//! ```ron
//! Session(
//!     name: "papers/adaptive-torus-8x8",
//!     scenario: Scenario(...),                     // as in a scenario's own file
//!     overrides: [("traffic.arrivals.rate", "0.02")], // set on the command line
//!     seed: 7,
//!     warm_up: Automatic,                          // or Cycles(10000)
//!     journal: [Rate(cycle: 4000, rate: 0.0123)],  // what was done, in order
//!     bookmarks: [1200],
//!     cycle: 12345,                                // where it was left
//!     live: 20000,                                 // the newest cycle reached
//!     fingerprint: "0123456789abcdef",             // of the state at `cycle`
//! )
//! ```
//!
//! Only `scenario` must be there. Scenario and journal decide the run, bit for bit.

use std::fmt::Write;
use std::sync::Arc;

use super::names::shown;
use super::node::{Node, list, named, split, tuple};
use super::reader::{Fields, Reader};
use super::{Override, Problem, RATE_MIN, Scenario, description, schema, syntax};
use crate::stats::WarmUp;
use crate::text;
use crate::units::{Cycle, Rate};

/// The name of the value in the text.
const NAME: &str = "Session";

/// The newest cycle that a session may have come to, 2⁴⁰: opening it simulates all of them again, which
/// at a million cycles per second takes twelve days.
pub const CYCLES_MAX: u64 = 1 << 40;

const FIELDS: [&str; 10] = [
    "name",
    "scenario",
    "overrides",
    "seed",
    "warm_up",
    "journal",
    "bookmarks",
    "cycle",
    "live",
    "fingerprint",
];

/// What can be done to a run from outside.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Change {
    /// The generation rate is set.
    Rate(Rate),
}

/// Something done to a run from outside, and when. The state at a cycle is that after all that was
/// done at it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Intervention {
    /// The cycle from which it works.
    pub cycle: Cycle,
    /// What was done.
    pub change: Change,
}

/// A run that can be made again, and where in it somebody was.
#[derive(Clone, Debug)]
pub struct Saved {
    /// What runs.
    pub scenario: Arc<Scenario>,
    /// The seed of the run (not always the scenario's).
    pub seed: u64,
    /// How the warm-up is left out.
    pub warm_up: WarmUp,
    /// What was done to the run, in order.
    pub journal: Vec<Intervention>,
    /// Cycles that a person marked, in order.
    pub bookmarks: Vec<Cycle>,
    /// The cycle at which it was left.
    pub cycle: Cycle,
    /// The newest cycle that had been reached.
    pub live: Cycle,
    /// The hash of the state at `cycle`, if it was written.
    pub fingerprint: Option<u64>,
}

impl Saved {
    /// The text of a session file.
    pub fn text(&self) -> String {
        let quoted = |text: &str| ron::to_string(text).unwrap_or_default();
        let scenario = &self.scenario;
        let body = scenario.text.strip_prefix('\u{feff}').unwrap_or(&scenario.text);
        let body = syntax::value(body).unwrap_or(body);
        let mut out = String::from(
            "// A session of flitscope: `flitscope FILE` opens it where it was left,\n\
             // `flitscope replay FILE` makes the run again without the screen.\n",
        );
        let _ = writeln!(out, "{NAME}(\n    name: {},\n    scenario:", quoted(&scenario.name));
        for line in scenario.description.lines() {
            let _ = writeln!(out, "// {line}");
        }
        // A line of its own for the comma: the text may end with a comment.
        let _ = writeln!(out, "{}\n    ,", body.trim_end());
        if !scenario.overrides.is_empty() {
            let _ = writeln!(out, "    overrides: [");
            for given in &scenario.overrides {
                let _ =
                    writeln!(out, "        ({}, {}),", quoted(&given.path), quoted(&given.value));
            }
            let _ = writeln!(out, "    ],");
        }
        let _ = writeln!(out, "    seed: {},", self.seed);
        let _ = match self.warm_up {
            WarmUp::Automatic => writeln!(out, "    warm_up: Automatic,"),
            WarmUp::Cycles(cycles) => writeln!(out, "    warm_up: Cycles({cycles}),"),
        };
        let _ = writeln!(out, "    journal: [");
        for Intervention { cycle, change } in &self.journal {
            let Change::Rate(Rate(rate)) = change;
            let _ = writeln!(out, "        Rate(cycle: {cycle}, rate: {rate:?}),");
        }
        let marks: Vec<String> = self.bookmarks.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "    ],\n    bookmarks: [{}],", marks.join(", "));
        let _ = writeln!(out, "    cycle: {},\n    live: {},", self.cycle, self.live);
        if let Some(fingerprint) = self.fingerprint {
            let _ = writeln!(out, "    fingerprint: \"{fingerprint:016x}\",");
        }
        out.push_str(")\n");
        out
    }
}

/// Whether a text is meant for a session, right or wrong.
pub fn is_session(text: &str) -> bool {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value = syntax::value(body).unwrap_or_else(|_| skip_comments(body));
    value.strip_prefix(NAME).is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// What stands behind the leading comment lines of a text that is not RON.
fn skip_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with("//") || rest.starts_with("#!") {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
    }
    rest
}

/// Reads and checks a session. `name` is what problems call the text; all are returned at once.
pub fn parse(name: &str, text: &str) -> Result<Saved, Vec<Problem>> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader::new(name, body, &[]);
    let Some(document) = reader.document() else { return Err(reader.finish()) };
    let fields = reader.group("session", "a session", document, NAME, &FIELDS);
    let scenario = reader.required(&fields, "scenario", "Scenario(...)");
    let facts = Facts::read(&mut reader, &fields);
    let (mut problems, overrides) = (reader.finish(), facts.overrides.clone());

    let mut reader = Reader::new(name, body, &overrides);
    let draft =
        reader.document().and_then(scenario_of).and_then(|node| schema::read(&mut reader, node));
    let system = draft.map(|draft| (draft.title, draft.parts.build()));
    if let Some((_, system)) = &system {
        let most = system.rate_max().0;
        for done in &facts.journal {
            if !(RATE_MIN..=most).contains(&done.rate) {
                let what = format!("the rate must be {RATE_MIN} to {most}, not {}", done.rate);
                let help = "no source can emit more, or less is as good as nothing";
                reader.problem(done.at, what, Some(help.into()));
            }
        }
    }
    problems.extend(reader.finish());
    let (Some((title, system)), Some(field)) = (system, scenario) else { return Err(problems) };
    if !problems.is_empty() {
        return Err(problems);
    }
    let called = facts.name.unwrap_or_else(|| name.to_string());
    // The comments between the field's name and the value describe the scenario.
    let between = |text: &str| text.as_ptr().addr() - body.as_ptr().addr();
    let comments = &body[between(field.key.text) + field.key.text.len()..between(field.value.text)];
    let description = description(comments.split_once(':').map_or("", |(_, rest)| rest));
    let mut text: String = description.lines().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "// {line}");
        text
    });
    text.push_str(field.value.text.trim_end());
    text.push('\n');
    let scenario = Scenario {
        name: text::line(&called),
        file: None,
        title: text::line(title.as_ref().unwrap_or(&called)),
        description,
        text,
        overrides,
        system,
        seed: facts.seed,
    };
    Ok(Saved {
        scenario: Arc::new(scenario),
        seed: facts.seed,
        warm_up: facts.warm_up,
        journal: facts.journal.iter().map(Done::intervention).collect(),
        bookmarks: facts.bookmarks.into_iter().map(Cycle).collect(),
        cycle: Cycle(facts.cycle),
        live: Cycle(facts.live),
        fingerprint: facts.fingerprint,
    })
}

/// The value of the field `scenario` of a document that has passed.
fn scenario_of(document: Node<'_>) -> Option<Node<'_>> {
    let (_, contents) = split(document)?;
    Some(named(contents)?.into_iter().find(|field| field.name == "scenario")?.value)
}

/// An entry of the journal and where its rate stands.
struct Done<'a> {
    cycle: u64,
    rate: f64,
    at: Node<'a>,
}

impl Done<'_> {
    fn intervention(&self) -> Intervention {
        Intervention { cycle: Cycle(self.cycle), change: Change::Rate(Rate(self.rate)) }
    }
}

/// All of a session but its scenario.
struct Facts<'a> {
    name: Option<String>,
    overrides: Vec<Override>,
    seed: u64,
    warm_up: WarmUp,
    journal: Vec<Done<'a>>,
    bookmarks: Vec<u64>,
    cycle: u64,
    live: u64,
    fingerprint: Option<u64>,
}

impl<'a> Facts<'a> {
    fn read(reader: &mut Reader<'a>, fields: &Fields<'a>) -> Self {
        let mut cycles = |name: &str| {
            let field = fields.get(name)?;
            reader.integer(field.value, &format!("`{name}`"), 0..=CYCLES_MAX)
        };
        let cycle = cycles("cycle").unwrap_or(0);
        let live = cycles("live").unwrap_or(cycle);
        if let Some(field) = fields.get("cycle")
            && cycle > live
        {
            let what = format!("`cycle` {cycle} lies after the newest cycle, `live` {live}");
            reader.problem(field.value, what, Some(format!("write {live} or less")));
        }
        let seed = fields
            .get("seed")
            .map_or(Some(1), |field| reader.integer(field.value, "the seed", 0..=u64::MAX));
        let name = fields.get("name");
        Self {
            name: name.and_then(|field| reader.line_of_text(field.value, "the name")),
            overrides: overrides(reader, fields),
            seed: seed.unwrap_or(1),
            warm_up: warm_up(reader, fields).unwrap_or_default(),
            journal: journal(reader, fields, live),
            bookmarks: bookmarks(reader, fields, live),
            cycle,
            live,
            fingerprint: fingerprint(reader, fields),
        }
    }
}

fn warm_up<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>) -> Option<WarmUp> {
    let choice =
        reader.choice("warm_up", fields.get("warm_up")?.value, &["Automatic", "Cycles"])?;
    if choice.is == "Automatic" {
        reader.no_contents(choice);
        return Some(WarmUp::Automatic);
    }
    let cycles = reader.single(choice, "Cycles(10000)")?;
    reader.integer(cycles, "the warm-up", 0..=u64::MAX / 2).map(WarmUp::Cycles)
}

/// The parts of a field that is a list; none where it is missing.
fn parts<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>, name: &str) -> Vec<Node<'a>> {
    let Some(field) = fields.get(name) else { return Vec::new() };
    list(field.value).unwrap_or_else(|| {
        let what = format!("`{name}` must be a list, not {}", super::leaf::kind(field.value));
        reader.problem(field.value, what, Some("write it between `[` and `]`".into()));
        Vec::new()
    })
}

fn journal<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>, live: u64) -> Vec<Done<'a>> {
    let mut done: Vec<Done<'a>> = Vec::new();
    for node in parts(reader, fields, "journal") {
        let Some(choice) = reader.choice("journal", node, &["Rate"]) else { continue };
        let fields = reader.choice_fields("journal.Rate", choice, &["cycle", "rate"]);
        let cycle = reader.required(&fields, "cycle", "4000");
        let rate = reader.required(&fields, "rate", "0.01");
        let (Some(cycle), Some(rate)) = (cycle, rate) else { continue };
        let (at, place) = (rate.value, cycle.value);
        let cycle = reader.integer(cycle.value, "the cycle", 0..=live);
        let rate = reader.positive(rate.value, "the rate", "0.01");
        let (Some(cycle), Some(rate)) = (cycle, rate) else { continue };
        let before = done.last().map_or(0, |last| last.cycle);
        if cycle < before {
            let what = format!("cycle {cycle} comes after cycle {before}: the journal is in order");
            reader.problem(place, what, Some("put it where it belongs".into()));
        }
        done.push(Done { cycle, rate, at });
    }
    done
}

fn bookmarks<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>, live: u64) -> Vec<u64> {
    let nodes = parts(reader, fields, "bookmarks");
    let mut cycles: Vec<u64> =
        nodes.into_iter().filter_map(|node| reader.integer(node, "a bookmark", 0..=live)).collect();
    cycles.sort_unstable();
    cycles.dedup();
    cycles
}

fn overrides<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>) -> Vec<Override> {
    let mut found = Vec::new();
    for node in parts(reader, fields, "overrides") {
        let pair = tuple(node).unwrap_or_default();
        let texts: Option<Vec<String>> =
            pair.iter().map(|part| ron::from_str(part.text).ok()).collect();
        let Some(Ok([path, value])) = texts.map(<[String; 2]>::try_from) else {
            let what = format!("an override is two texts, not {}", shown(node.text));
            let help = "write `(\"traffic.arrivals.rate\", \"0.02\")`";
            reader.problem(node, what, Some(help.into()));
            continue;
        };
        let label = format!("override {path}={value}");
        found.push(Override { path, value, label });
    }
    found
}

fn fingerprint<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>) -> Option<u64> {
    let field = fields.get("fingerprint")?;
    let text = reader.line_of_text(field.value, "the fingerprint")?;
    let number = u64::from_str_radix(&text, 16).ok().filter(|_| text.len() == 16);
    if number.is_none() {
        let what = format!("the fingerprint must be 16 hexadecimal digits, not {}", shown(&text));
        reader.problem(field.value, what, Some("leave it out, and nothing is compared".into()));
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::builtin;

    fn scenario(overrides: &[Override]) -> Arc<Scenario> {
        let text = builtin::find("papers/adaptive-torus-8x8").unwrap().text;
        Arc::new(crate::scenario::parse("papers/adaptive-torus-8x8", text, overrides).unwrap())
    }

    fn saved(overrides: &[Override]) -> Saved {
        let rate =
            |cycle, rate| Intervention { cycle: Cycle(cycle), change: Change::Rate(Rate(rate)) };
        Saved {
            scenario: scenario(overrides),
            seed: 77,
            warm_up: WarmUp::Cycles(500),
            journal: vec![rate(0, 0.012_345_678_901_234_5), rate(900, 1.0 / 96.0), rate(900, 3e-7)],
            bookmarks: vec![Cycle(5), Cycle(1_000)],
            cycle: Cycle(1_234),
            live: Cycle(20_000),
            fingerprint: Some(0x00ab_cdef_0123_4567),
        }
    }

    #[test]
    fn what_is_written_is_read_again_and_written_the_same() {
        let rate = Override {
            path: "traffic.arrivals.rate".into(),
            value: "0.004".into(),
            label: "--rate 0.004".into(),
        };
        for overrides in [vec![], vec![rate]] {
            let saved = saved(&overrides);
            let text = saved.text();
            assert!(is_session(&text));
            let read = parse("a.ron", &text).unwrap();
            assert_eq!(read.journal, saved.journal);
            assert_eq!(read.bookmarks, saved.bookmarks);
            assert_eq!((read.cycle, read.live), (saved.cycle, saved.live));
            assert_eq!((read.seed, read.warm_up), (saved.seed, saved.warm_up));
            assert_eq!(read.fingerprint, saved.fingerprint);
            assert_eq!(read.scenario.name, saved.scenario.name);
            assert_eq!(read.scenario.title, saved.scenario.title);
            assert_eq!(read.scenario.description, saved.scenario.description);
            assert_eq!(read.scenario.system.traffic.rate, saved.scenario.system.traffic.rate);
            assert_eq!(read.text(), text);
            // The scenario in it can be taken out and read alone.
            let alone = crate::scenario::parse("b.ron", &read.scenario.text, &overrides).unwrap();
            assert_eq!(alone.description, saved.scenario.description);
        }
    }

    #[test]
    fn mistakes_are_told_with_their_places_all_at_once() {
        let text = "Session(\n  scenario: Scenario(\n    netwrk: 1,\n  ),\n  seed: -1,\n  \
                    journal: [\n    Rate(cycle: 50, rate: 0),\n    Rte(cycle: 7, rate: 0.1),\n  ],\n  \
                    bookmarks: [900],\n  cycle: 200,\n  live: 100,\n  fingerprint: \"xyz\",\n  \
                    overrides: [7],\n  warm_up: Sometimes,\n)\n";
        assert!(is_session(text));
        let problems = parse("s.ron", text).unwrap_err();
        let lines: Vec<usize> =
            problems.iter().map(|problem| problem.place.as_ref().unwrap().line).collect();
        for line in [3, 5, 7, 8, 10, 11, 13, 14, 15] {
            assert!(lines.contains(&line), "line {line}: {lines:?}");
        }
        let all = crate::scenario::render(&problems);
        for words in ["netwrk", "above 0", "did you mean `Rate`?", "lies after", "16 hexadecimal"] {
            assert!(all.contains(words), "{words}: {all}");
        }
    }

    #[test]
    fn rates_that_no_source_can_emit_and_disorder_are_found() {
        let mut saved = saved(&[]);
        saved.journal.push(Intervention { cycle: Cycle(20), change: Change::Rate(Rate(0.5)) });
        let problems = parse("s.ron", &saved.text()).unwrap_err();
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].what.contains("in order") && problems[1].what.contains("not 0.5"));
    }

    #[test]
    fn circuits_may_be_asked_for_at_any_rate() {
        let mut saved = saved(&[]);
        let name = "papers/circuit-hold-8-slow";
        let text = builtin::find(name).unwrap().text;
        saved.scenario = Arc::new(crate::scenario::parse(name, text, &[]).unwrap());
        saved.journal = vec![Intervention { cycle: Cycle(9), change: Change::Rate(Rate(0.3)) }];
        assert_eq!(parse("s.ron", &saved.text()).unwrap().journal, saved.journal);
    }

    #[test]
    fn a_session_is_told_from_a_scenario_even_where_it_is_broken() {
        assert!(is_session("// x\n\nSession(cycle: ["));
        assert!(!is_session("Scenario(title: \"Session(\")"));
        assert!(!is_session("Sessions()"));
        let problems = parse("s.ron", "Session(cycle: [").unwrap_err();
        assert!(problems[0].place.is_some());
        let problem = &crate::scenario::parse("s.ron", "Session()", &[]).unwrap_err()[0];
        assert!(problem.what.contains("saved session"), "{problem}");
    }
}
