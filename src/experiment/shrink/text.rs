//! Reduced cases as texts of scenarios.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use super::failures::{self, with_failures};
use super::{Case, Size};
use crate::experiment::trial::{Letter, Outcome, Trial};
use crate::scenario::{Override, Scenario, parse};
use crate::text::count;
use crate::traffic::classes::{MessageClass, MessageClasses, Origin};
use crate::words::written;

/// A field set by the reduction.
pub(super) fn set(path: &str, value: String) -> Override {
    Override { path: path.to_owned(), value, label: path.to_owned() }
}

/// A text of several lines as a value.
pub(super) fn lines(text: &str) -> String {
    match (text.contains(['"', '\\']), text.contains("\"#")) {
        (false, _) => format!("\"{text}\""),
        (true, false) => format!("r#\"{text}\"#"),
        (true, true) => written(&text),
    }
}

/// The field `traffic` with these messages of a scenario.
pub(super) fn traffic(scenario: &Scenario, letters: &[Letter]) -> String {
    let stop = AtomicBool::new(false);
    let table = Trial { scenario, stop: &stop, kind: None }.table(letters);
    let table = lines(&table);
    let traffic = &scenario.system.traffic;
    let mut out = format!("(\n        arrivals: Replay({table}),\n");
    if !traffic.classes.is_empty() {
        out += "        message_classes: [\n";
        for class in &traffic.classes.0 {
            let _ = writeln!(out, "            {},", message_class(class, &traffic.classes));
        }
        out += "        ],\n";
    }
    if traffic.to_itself {
        out += "        to_itself: true,\n";
    }
    out + "    )"
}

/// A class of messages whose arrivals are in a table.
fn message_class(class: &MessageClass, all: &MessageClasses) -> String {
    let name = written(&class.name);
    match class.origin {
        Origin::Arrivals { .. } => format!("(name: {name})"),
        Origin::Reply { to, after, room } => {
            let to = written(&all.0[usize::from(to)].name);
            let room = room.map_or_else(String::new, |room| format!(", room: {room}"));
            let lengths = written(&class.lengths);
            format!("(name: {name}, to: {to}, after: {after}, lengths: {lengths}{room})")
        }
    }
}

/// A case whose text contains its messages and all fields set from outside, and no failures.
pub(super) fn settled(case: Case) -> Case {
    let Case { scenario, letters, outcome } = case;
    let text = body(&scenario, &[], &letters);
    let scenario = match parse(&scenario.name, &format!("Scenario(\n{text})\n"), &[]) {
        Ok(settled) => with_failures(settled, failures::failures(&scenario).clone()),
        Err(_) => scenario,
    };
    Case { scenario, letters, outcome }
}

/// The fields of a scenario with these messages and failures, without the title.
fn body(scenario: &Scenario, failures: &[(&str, String)], letters: &[Letter]) -> String {
    let field = |name| Some((name, scenario.text_of(name)?));
    let fields = ["network", "switching", "routing"].into_iter().filter_map(field);
    let others = [("traffic", traffic(scenario, letters)), ("seed", scenario.seed.to_string())];
    let all = fields.chain(failures.iter().cloned()).chain(others);
    let line = |(name, text): (&str, String)| format!("    {name}: {text},\n");
    all.map(line).collect()
}

/// The scenario with other fields as part of its text; `None` if they do not fit.
pub(super) fn with(
    scenario: &Scenario,
    fields: impl IntoIterator<Item = Override>,
) -> Option<Scenario> {
    let seed = set("seed", scenario.seed.to_string());
    let fields: Vec<Override> = fields.into_iter().chain([seed]).collect();
    let replaced = |known: &Override| {
        let part_of = |field: &Override| known.path.starts_with(&format!("{}.", field.path));
        !fields.iter().any(part_of)
    };
    let overrides = scenario.overrides.iter().filter(|known| replaced(known)).cloned().collect();
    let text = Scenario { overrides, ..scenario.clone() }.text_with(fields);
    parse(&scenario.name, &text, &[]).ok()
}

/// The file of a reduced case.
pub(super) fn of(given: &Scenario, case: &Case, outcome: Outcome, sizes: [Size; 2]) -> String {
    let [before, after] = sizes;
    let worms = count(outcome.members, "message", "messages");
    let mut out = format!(
        "// {worms} that wait for each other from cycle {}: {} of {} of {}.\n",
        outcome.closed.0,
        after.messages,
        count(before.messages, "message", "messages"),
        given.name,
    );
    if before.failures > 0 {
        let failures = count(before.failures, "failure", "failures");
        let _ =
            writeln!(out, "// {} of {failures} until then led to the deadlock.", after.failures);
    }
    let _ = writeln!(
        out,
        "// `flitscope FILE` shows the run, `flitscope check FILE` the cycle of dependencies.\nScenario("
    );
    let title = format!("{}, reduced", given.title);
    let _ = writeln!(out, "    title: {},", written(&title));
    let failures = failures::fields(&case.scenario);
    out + &body(&case.scenario, failures.as_ref().map_or(&[], |it| it), &case.letters) + ")\n"
}
