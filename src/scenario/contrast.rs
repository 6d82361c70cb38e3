//! Two scenarios held against each other: whether that makes sense, whether they send the same
//! messages, and the fields in which they differ.

use super::Scenario;
use crate::ids::NodeId;
use crate::switching::Switching;
use crate::system::System;
use crate::topology::Network;

/// Why two scenarios cannot be held against each other, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}; {help}")]
pub struct Refused {
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub help: String,
}

/// A field in which two scenarios differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The field as `--set` knows it: `routing`, `switching.buffer_flits`.
    pub field: String,
    /// What each of them says, as briefly as tells them apart.
    pub values: [String; 2],
}

/// `other` as it is run beside `first`: with its rate and its seed, so that both send the same
/// messages. Refused where the networks are not the same, link by link, where times are counted in
/// other units, or where `other` cannot send so much.
pub fn beside(first: &Scenario, other: &Scenario) -> Result<Scenario, Refused> {
    let refused = |what: String, help: &str| Err(Refused { what, help: help.to_owned() });
    let (one, two) = (&first.system, &other.system);
    if !same_links(&one.network, &two.network) {
        let names = [&one.network, &two.network].map(|network| network.name());
        let what = match names {
            [one, two] if one != two => format!("{one} is not the same network as {two}"),
            [one, _] => format!("the two networks, each {one}, have not the same links"),
        };
        return refused(what, "runs are compared link by link: both need the same network");
    }
    if one.time_unit() != two.time_unit() {
        let units = [one, two].map(|system| system.time_unit().name);
        let what = format!("one counts in {}, the other in {}", units[0], units[1]);
        return refused(what, "compare worms with worms, circuits with circuits of one unit");
    }
    let (rate, most) = (one.traffic.rate, two.rate_max());
    if rate > most {
        let what = format!("{} sends at most {} messages per node", other.name, most.0);
        return refused(what, &format!("both are run at the rate of {}, {}", first.name, rate.0));
    }
    let mut beside = other.clone();
    beside.system.traffic.rate = rate;
    beside.seed = first.seed;
    Ok(beside)
}

/// Whether terminals, routers and the links between them are the same.
fn same_links(one: &Network, two: &Network) -> bool {
    let terminals = |network: &Network| {
        (0..network.nodes()).map(|node| network.router_of(NodeId::new(node))).collect()
    };
    let (a, b): (Vec<_>, Vec<_>) = (terminals(one), terminals(two));
    one.routers() == two.routers()
        && a == b
        && one.channels()[..one.links()] == two.channels()[..two.links()]
}

/// Whether two scenarios run at the same rate with the same seed send the same messages: to the same
/// destinations, of the same lengths, at the same times.
pub fn same_messages(one: &Scenario, two: &Scenario) -> bool {
    let (one, two) = (&one.system.traffic, &two.system.traffic);
    one.process == two.process && one.destinations == two.destinations && one.lengths == two.lengths
}

/// The fields in which two scenarios differ, those of the text in the order of the text. Rate and seed
/// are left out: they are the same when the two are run [`beside`] each other.
pub fn differences(one: &Scenario, two: &Scenario) -> Vec<Difference> {
    let mut found = Vec::new();
    let (one, two) = (&one.system, &two.system);
    let mut compare = |field: &str, one: String, two: String| {
        differ(field, &one, &two, &mut found);
    };
    compare("network", one.network.name(), two.network.name());
    let machine = |switching: &Switching| match switching {
        Switching::Wormhole(machine) => text(machine),
        Switching::Circuit(machine) => text(machine),
    };
    compare("switching", machine(&one.switching), machine(&two.switching));
    compare("routing", text(&one.relation.routing()), text(&two.relation.routing()));
    let half_way = |system: &System| text(&system.relation.half_way());
    compare("routing.half_way", half_way(one), half_way(two));
    compare("traffic.arrivals", text(&one.traffic.process), text(&two.traffic.process));
    let destinations = |system: &System| text(&system.traffic.destinations);
    compare("traffic.destinations", destinations(one), destinations(two));
    compare("traffic.lengths", text(&one.traffic.lengths), text(&two.traffic.lengths));
    found
}

/// What the two of a comparison are called by what differs: values that are names stand for
/// themselves, numbers go with their field. Empty where nothing differs.
pub fn names(differences: &[Difference]) -> [String; 2] {
    [0, 1].map(|which| {
        let parts = differences.iter().map(|difference| {
            let value = &difference.values[which];
            let field = difference.field.rsplit('.').next().unwrap_or_default();
            let plain = value.starts_with(|letter: char| letter.is_ascii_uppercase());
            let told = plain && !matches!(value.as_str(), "None" | "Random");
            if told { value.clone() } else { format!("{field} {value}") }
        });
        parts.collect::<Vec<_>>().join(", ")
    })
}

/// A value as a scenario would write it, more or less.
fn text(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}").replace(" { ", "(").replace(" }", ")");
    // Numbers in a shell of their own: NodeId(3).
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("Id(") {
        let name = before.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        out.push_str(name);
        let (number, behind) = after.split_once(')').unwrap_or((after, ""));
        out.push_str(number);
        rest = behind;
    }
    out + rest
}

/// A value taken apart: its name, and what stands in the parentheses behind it.
fn split(text: &str) -> (&str, Vec<&str>) {
    let Some((name, inside)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
        return (text, Vec::new());
    };
    let (mut depth, mut from, mut parts) = (0usize, 0, Vec::new());
    for (at, letter) in inside.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(inside[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inside[from..].trim());
    (name, parts)
}

/// Adds where two values differ: whole, or field by field where they are of one kind.
fn differ(field: &str, one: &str, two: &str, found: &mut Vec<Difference>) {
    if one == two {
        return;
    }
    let ((name, ones), (other, twos)) = (split(one), split(two));
    let mut whole = |one: &str, two: &str| {
        let values = [one.to_owned(), two.to_owned()];
        found.push(Difference { field: field.to_owned(), values });
    };
    if name != other {
        return whole(name, other);
    }
    let named = |part: &str| part.split_once(": ").map(|(name, _)| name.to_owned());
    let alike = ones.len() == twos.len()
        && ones.iter().zip(&twos).all(|(a, b)| named(a).is_some() && named(a) == named(b));
    if !alike {
        return whole(one, two);
    }
    for (one, two) in ones.iter().zip(&twos) {
        let (name, one) = one.split_once(": ").unwrap_or_default();
        let two = two.split_once(": ").unwrap_or_default().1;
        // `switching: Wormhole(buffer_flits: 2)` is set by `switching.buffer_flits`.
        differ(&format!("{field}.{name}"), one, two, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Override, builtin, parse};

    fn set(name: &str, settings: &[(&str, &str)]) -> Scenario {
        let overrides: Vec<Override> = settings
            .iter()
            .map(|&(path, value)| Override {
                path: path.into(),
                value: value.into(),
                label: format!("--set {path}={value}"),
            })
            .collect();
        parse(name, builtin::find(name).unwrap().text, &overrides).unwrap()
    }

    fn told(one: &Scenario, two: &Scenario) -> Vec<(String, String, String)> {
        let tell = |it: Difference| {
            let [one, two] = it.values;
            (it.field, one, two)
        };
        differences(one, two).into_iter().map(tell).collect()
    }

    const TORUS: &str = "papers/adaptive-torus-8x8";

    #[test]
    fn what_differs_is_told_by_field_and_briefly() {
        let base = set(TORUS, &[]);
        assert!(
            told(&base, &set(TORUS, &[("seed", "7"), ("traffic.arrivals.rate", "0.001")]))
                .is_empty()
        );
        let owned = |it: [(&str, &str, &str); 1]| {
            it.map(|(a, b, c)| (a.into(), b.into(), c.into())).to_vec()
        };
        assert_eq!(
            told(&base, &set(TORUS, &[("routing", "DimensionOrder()")])),
            owned([("routing", "MinimalAdaptive", "DimensionOrder")])
        );
        assert_eq!(
            told(&base, &set(TORUS, &[("routing.escape", "Dateline")])),
            owned([("routing.escape", "Destination", "Dateline")])
        );
        let deep = set(TORUS, &[("switching.buffer_flits", "9")]);
        assert_eq!(told(&base, &deep), owned([("switching.buffer_flits", "2", "9")]));
        assert_eq!(names(&differences(&base, &deep)), ["buffer_flits 2", "buffer_flits 9"]);
        let hot = set(TORUS, &[("traffic.destinations", "Hotspot(nodes: [(3, 3)], percent: 5)")]);
        assert_eq!(told(&base, &hot), owned([("traffic.destinations", "Uniform", "Hotspot")]));
        let hotter =
            set(TORUS, &[("traffic.destinations", "Hotspot(nodes: [(4, 3)], percent: 5)")]);
        assert_eq!(told(&hot, &hotter), owned([("traffic.destinations.nodes", "[27]", "[28]")]));
        let hold = set("papers/circuit-hold-8", &[]);
        let drop = set("papers/circuit-hold-8", &[("switching.conflict", "Drop(back_off: 1.5)")]);
        assert_eq!(told(&hold, &drop), owned([("switching.conflict", "Hold", "Drop")]));
        assert_eq!(names(&differences(&hold, &drop)), ["Hold", "Drop"]);
    }

    #[test]
    fn the_same_network_is_asked_for_and_the_same_messages_are_sent() {
        let base = set(TORUS, &[]);
        let other = set(TORUS, &[("seed", "9"), ("traffic.arrivals.rate", "0.001")]);
        let run = beside(&base, &other).unwrap();
        assert_eq!((run.seed, run.system.traffic.rate), (base.seed, base.system.traffic.rate));
        assert!(same_messages(&base, &run));
        assert!(!same_messages(&base, &set(TORUS, &[("traffic.lengths", "Fixed(3)")])));
        for (network, routing) in [
            ("Mesh(radix: [8, 8])", "DimensionOrder()"),
            ("Torus(radix: [4, 4])", "DimensionOrder()"),
        ] {
            let other = set(TORUS, &[("network", network), ("routing", routing)]);
            let refused = beside(&base, &other).unwrap_err().to_string();
            assert!(refused.contains("not the same network as"), "{refused}");
        }
        // Channels of the terminals do not matter.
        let machine = "Wormhole(preset: MeshTorus1997, virtual_channels: 4)";
        let channels = set(TORUS, &[("switching", machine), ("routing", "DimensionOrder()")]);
        beside(&base, &channels).unwrap();
        let fast = set(TORUS, &[("traffic.arrivals.rate", "0.08")]);
        let long =
            set(TORUS, &[("traffic.lengths", "Fixed(1000)"), ("traffic.arrivals.rate", "0.0001")]);
        let refused = beside(&fast, &long).unwrap_err().to_string();
        assert!(refused.contains("at most 0.001"), "{refused}");
    }
}
