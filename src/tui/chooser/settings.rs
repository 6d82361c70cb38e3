//! What may be set in a scenario to compare it with itself: routing rules and fields of the machine that
//! its network and traffic admit.

use super::with_setting;
use crate::routing::Routing;
use crate::scenario::{Scenario, contrast};
use crate::switching::Switching;
use crate::tui::library::{Entry, Kind};
use crate::words::{Contents, Field, Kind as Value, Words};

/// Networks up to this many routers are tried with each setting before it is listed.
const TRIED: usize = 4096;

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
    let makes_sense = |name: &str| {
        let Some((path, value)) = name.split_once('=') else { return false };
        let other = with_setting(scenario, path, value).1;
        // What changes nothing is the same run.
        other.is_ok_and(|other| {
            contrast::beside(scenario, &other).is_ok()
                && (other.system.relation.routing() != scenario.system.relation.routing()
                    || other.system.switching != scenario.system.switching)
        })
    };
    let kept = all.into_iter().filter(|(name, _)| !small || makes_sense(name));
    let entry = |(name, help): (String, &str)| {
        let title = help.split(['.', ';']).next().unwrap_or_default().trim().to_owned();
        Entry { name, kind: Kind::Setting, title }
    };
    kept.map(entry).collect()
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
