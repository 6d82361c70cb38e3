//! What may be set in a scenario to compare it with itself: routing rules and fields of the machine that
//! its network and traffic admit.

use super::with_setting;
use crate::routing::Routing;
use crate::routing::dependency::Verdict;
use crate::scenario::{Scenario, contrast};
use crate::switching::Switching;
use crate::tui::library::{Entry, Kind};
use crate::words::{Contents, Field, Kind as Value, Words};

/// Networks up to this many routers are tried with each setting before it is listed.
const TRIED: usize = 4096;
/// Up to this many virtual channels proofs that there is no deadlock are tried as well.
const PROVEN: usize = 4096;

/// The settings that make another system to compare with, ready to be chosen.
pub(super) fn of(scenario: &Scenario) -> Vec<Entry> {
    let mut all: Vec<(String, &'static str)> = Vec::new();
    for rule in Routing::VALUES {
        let texts = match rule.contents {
            Contents::Nothing => vec![format!("{}()", rule.name)],
            Contents::Fields(groups) => with_words(rule.name, groups),
            Contents::One(example, _) => vec![example.to_owned()],
        };
        all.extend(texts.into_iter().map(|text| (format!("routing={text}"), rule.help)));
    }
    if let Switching::Wormhole(machine) = &scenario.system.switching {
        let (channels, flits) = (machine.virtual_channels, machine.buffer_flits);
        let others = |now: u32| [now / 2, now * 2].into_iter().filter(|&other| other > 0);
        let channels = others(channels).map(|it| ("virtual_channels", it, "Virtual channels."));
        let flits = others(flits).map(|it| ("buffer_flits", it, "Flits in a buffer."));
        all.extend(
            channels
                .chain(flits)
                .map(|(field, value, help)| (format!("switching.{field}={value}"), help)),
        );
    }
    let small = scenario.system.network.routers() <= TRIED;
    let made = |name: &str| {
        let (path, value) = name.split_once('=')?;
        let other = with_setting(scenario, path, value).1.ok()?;
        // What changes nothing is the same run.
        let makes_sense = contrast::beside(scenario, &other).is_ok()
            && (other.system.relation.routing() != scenario.system.relation.routing()
                || other.system.switching != scenario.system.switching);
        makes_sense.then_some(other)
    };
    let entry = |(name, help): (String, &str)| {
        let title = help.split(['.', ';']).next().unwrap_or_default().trim().to_owned();
        let other = if small { Some(made(&name)?) } else { None };
        let doomed = other.is_some_and(|other| may_deadlock(&other));
        let title = if doomed { format!("may deadlock. {title}") } else { title };
        Some((doomed, Entry { name, kind: Kind::Setting, title }))
    };
    let mut entries: Vec<(bool, Entry)> = all.into_iter().filter_map(entry).collect();
    // What is proven free of deadlock comes first.
    entries.sort_by_key(|&(doomed, _)| doomed);
    entries.into_iter().map(|(_, entry)| entry).collect()
}

/// Whether the proof that there is no deadlock fails.
fn may_deadlock(scenario: &Scenario) -> bool {
    let system = &scenario.system;
    let channels = system.network.links() * system.switching.virtual_channels().max(1) as usize;
    channels <= PROVEN
        && matches!(system.proof().verdict, Verdict::Cyclic { .. } | Verdict::Stranded { .. })
}

/// A rule with each value of its first field that has a few.
fn with_words(rule: &str, groups: &[&[Field]]) -> Vec<String> {
    let choice = groups.iter().copied().flatten().find_map(|field| match field.kind {
        Value::Choice(values) => Some((field.name, values)),
        Value::Whole { .. }
        | Value::Number { .. }
        | Value::Text(_)
        | Value::Fields(_)
        | Value::Own(_) => None,
    });
    let Some((field, values)) = choice else { return vec![format!("{rule}()")] };
    if field == "half_way" {
        return vec![format!("{rule}()")];
    }
    let plain =
        values.iter().copied().flatten().filter(|it| matches!(it.contents, Contents::Nothing));
    plain.map(|value| format!("{rule}({field}: {})", value.name)).collect()
}
