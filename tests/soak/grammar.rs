//! Random scenarios, made of the descriptors by which scenarios are read: what a new field may be is
//! known here as soon as it is declared.

use crate::dice::Dice;
use flitscope::scenario::{self, FIELDS, Override, Scenario};
use flitscope::words::{Contents, Field, Kind, Limits, Need, Structure, Value};

/// Networks to come from and to go to.
pub const NETWORKS: [&str; 20] = [
    "Mesh(radix: [2, 2])",
    "Mesh(radix: [8, 8])",
    "Mesh(radix: [9])",
    "Mesh(radix: [3, 2, 2])",
    "Mesh(radix: [12, 9])",
    "Torus(radix: [3, 3, 3])",
    "Torus(radix: [5, 7], links: Unidirectional)",
    "Torus(radix: [2])",
    "Hypercube(dimensions: 4)",
    "Hypercube(dimensions: 1)",
    "SwitchGrid(kind: Torus, radix: [3, 3], hosts: 4)",
    "Switches(links: [(0, 1), (1, 2)], hosts: 4)",
    "Dragonfly(group: 2, hosts: 1, global: 1)",
    "FatTree(arity: 2, levels: 3)",
    "HyperX(radix: [3, 2], hosts: 1)",
    "TwistedTorus(radix: [6, 3], twist: 3, hosts: 1)",
    "LeafSpine(leaves: 3, spines: 2, hosts: 2)",
    "Butterfly(arity: 2, levels: 2)",
    "Complete(routers: 4)",
    "RandomSwitches(switches: 6, degree: 3, hosts: 2, seed: 7)",
];

/// Classes of messages, with replies and room for them.
const CLASSES: [&str; 5] = [
    r#"(name: "a", lengths: Fixed(2)), (name: "b", weight: 3)"#,
    r#"(name: "a"), (name: "b", to: "a", after: 3)"#,
    r#"(name: "a"), (name: "b", to: "a", room: 1)"#,
    r#"(name: "a"), (name: "b", to: "a", lengths: Fixed(4), room: 2), (name: "c")"#,
    r#"(name: "a", lengths: Fixed(1)), (name: "b", to: "a", room: 1), (name: "c", to: "b", room: 3)"#,
];

/// The most routers of a network that is drawn.
const ROUTERS_MAX: usize = 64;
const NODES_MAX: usize = 128;

/// The values of a field of the scenario, each with the fields that it needs alone.
pub fn values(field: &str) -> Vec<String> {
    let Some(Field { kind: Kind::Choice(groups), .. }) = field_at(field) else { return Vec::new() };
    let needed = |field: &Field| match field.need {
        Need::Example(example) => Some(format!("{}: {example}", field.name)),
        Need::Default(_) | Need::Open => None,
    };
    let value = |value: &Value| match value.contents {
        Contents::Nothing => value.name.to_owned(),
        Contents::One(example, _) => example.to_owned(),
        Contents::Fields(groups) => {
            let fields: Vec<String> = groups.iter().copied().flatten().filter_map(needed).collect();
            format!("{}({})", value.name, fields.join(", "))
        }
    };
    groups.iter().copied().flatten().map(value).collect()
}

/// A value that a field may have, if nothing else in the scenario speaks against it.
pub fn value(dice: &mut Dice, field: &Field) -> String {
    of_kind(dice, field.name, &field.kind)
}

fn of_kind(dice: &mut Dice, name: &str, kind: &Kind) -> String {
    match *kind {
        Kind::Whole { limits: (least, most), .. } => whole(dice, least, most).to_string(),
        Kind::Number { limits, example, .. } => number(dice, limits, example),
        Kind::Text(_) => "\"a text\"".to_owned(),
        Kind::Choice(groups) => {
            let group = groups[dice.index(groups.len())];
            let choice = group[dice.index(group.len())];
            match choice.contents {
                Contents::Nothing => choice.name.to_owned(),
                Contents::One(example, _) => example.to_owned(),
                Contents::Fields(groups) => format!("{}({})", choice.name, fields(dice, groups)),
            }
        }
        Kind::Fields(groups) => format!("({})", fields(dice, groups)),
        Kind::Own(_, structure) => own(dice, name, structure),
    }
}

fn fields(dice: &mut Dice, groups: &[&[Field]]) -> String {
    let mut said = String::new();
    for field in groups.iter().copied().flatten() {
        let given = match field.need {
            Need::Example(_) => true,
            Need::Default(_) => dice.one_in(2),
            Need::Open => dice.one_in(3),
        };
        if given {
            said.extend([field.name, ": ", &value(dice, field), ", "]);
        }
    }
    said
}

/// Mostly small, sometimes at a limit.
fn whole(dice: &mut Dice, least: u64, most: u64) -> u64 {
    match dice.below(12) {
        0 => most,
        1 => least,
        2 => dice.within(least, most.min(least.saturating_add(99))),
        _ => dice.within(least, most.min(least.saturating_add(7))),
    }
}

fn number(dice: &mut Dice, limits: Limits, example: &str) -> String {
    let share = dice.share();
    match (limits, dice.below(4)) {
        (_, 0) => example.to_owned(),
        (Limits::Positive(most) | Limits::Below(most), _) => {
            // Evenly on a scale of logarithms.
            format!("{:?}", most.min(100.0) * 10f64.powf(-4.0 * share))
        }
        (Limits::Within(least, most, _), _) => format!("{:?}", least + share * (most - least)),
    }
}

/// What code of its own reads, by the name of its field or by its structure.
fn own(dice: &mut Dice, name: &str, structure: Structure) -> String {
    let list = |parts: Vec<String>| format!("[{}]", parts.join(", "));
    match name {
        "radix" => {
            let dimensions = dice.within(1, 3);
            list((0..dimensions).map(|_| dice.within(2, 6).to_string()).collect())
        }
        "hosts" => dice.within(1, 4).to_string(),
        "degree" => dice.within(2, 5).to_string(),
        "links" if dice.one_in(2) => dice.within(2, 20).to_string(),
        "links" => {
            // A tree, so that they hang together.
            let switches = dice.within(2, 7);
            list((1..switches).map(|at| format!("({}, {at})", dice.below(at))).collect())
        }
        "nodes" | "senders" => dice.of(&["[0]", "[1]", "[0, 1]", "[(1, 1)]", "[3]"]).to_owned(),
        "root" => dice.below(4).to_string(),
        "message_classes" => format!("[{}]", dice.of(&CLASSES)),
        _ => match structure {
            Structure::Truth => dice.of(&["true", "false"]).to_owned(),
            Structure::Either(kinds) => {
                let kind = &kinds[dice.index(kinds.len())];
                of_kind(dice, name, kind)
            }
            Structure::List(kind, limits) => {
                list(several(dice, name, std::slice::from_ref(kind), limits))
            }
            Structure::Tuple(kinds, limits) => {
                format!("({})", several(dice, name, kinds, limits).join(", "))
            }
            Structure::Map(_)
            | Structure::Settings(_)
            | Structure::Axes(_)
            | Structure::Plain(_) => "[]".to_owned(),
        },
    }
}

/// A few values of kinds by their places.
fn several(
    dice: &mut Dice,
    name: &str,
    kinds: &[Kind],
    (least, most): (usize, usize),
) -> Vec<String> {
    let count = dice.within(least.max(1) as u64, most.min(least.max(1) + 2) as u64) as usize;
    let kind = |at: usize| kinds.get(at).or(kinds.last()).unwrap();
    (0..count).map(|at| of_kind(dice, name, kind(at))).collect()
}

/// The field that a path leads to, through whichever value has it.
pub fn field_at(path: &str) -> Option<&'static Field> {
    let mut parts = path.split('.');
    let first = parts.next()?;
    let mut at = FIELDS.iter().find(|field| field.name == first)?;
    for part in parts {
        let named = |groups: &'static [&'static [Field]]| {
            groups.iter().copied().flatten().find(|field| field.name == part)
        };
        at = match at.kind {
            Kind::Fields(groups) => named(groups),
            Kind::Choice(groups) => {
                groups.iter().copied().flatten().find_map(|value| match value.contents {
                    Contents::Fields(groups) => named(groups),
                    Contents::Nothing | Contents::One(..) => None,
                })
            }
            Kind::Whole { .. } | Kind::Number { .. } | Kind::Text(_) | Kind::Own(..) => None,
        }?;
    }
    Some(at)
}

/// A field of a scenario and a value for it.
pub fn setting(dice: &mut Dice, scenario: &Scenario) -> (String, String) {
    let known = scenario::fields(scenario);
    let path = known[dice.index(known.len())].clone();
    let value = field_at(&path).map_or_else(|| "1".to_owned(), |field| value(dice, field));
    (path, value)
}

/// Changes a scenario field by field, and counts the changes that were tried and those that fit.
/// Networks stay small.
pub fn wander(dice: &mut Dice, begin: &Scenario, steps: u64) -> (Scenario, [u64; 2]) {
    let mut scenario = begin.clone();
    let mut count = [0, 0];
    for _ in 0..steps {
        let (path, value) = setting(dice, &scenario);
        let label = format!("{path}={value}");
        count[0] += 1;
        let Ok(next) = scenario.with([Override { path, value, label }]) else { continue };
        let network = &next.system.network;
        if network.routers() <= ROUTERS_MAX && network.nodes() <= NODES_MAX {
            scenario = next;
            count[1] += 1;
        }
    }
    (scenario, count)
}
