//! The field `routing`: the rule, whether it is defined on the network, and how it decides between
//! ways equally long.

use super::network::Plan;
use super::node::Node;
use super::reader::{Choice, Fields, Reader};
use crate::ids::RouterId;
use crate::routing::source_routes::ROUTERS_MAX;
use crate::routing::{CLASSES_MAX, Classes, Escape, HalfWay, NorthLastClasses, Paths, Routing};
use crate::topology::cube::Family;

const ONE_WAY: Family = Family::Torus { unidirectional: true };

const RULES: [&str; 10] = [
    "DimensionOrder",
    "MinimalAdaptive",
    "PositiveHop",
    "NegativeHop",
    "NorthLast",
    "WestFirst",
    "NegativeFirst",
    "OddEven",
    "UpDown",
    "ShortestPath",
];

const CLASSES: [(&str, Classes); 5] = [
    ("Destination", Classes::Destination),
    ("Dateline", Classes::Dateline),
    ("Static", Classes::Static),
    ("Random", Classes::Random),
    ("None", Classes::None),
];

const ESCAPES: [(&str, Escape); 3] =
    [("Destination", Escape::Destination), ("Dateline", Escape::Dateline), ("None", Escape::None)];

const NORTH_LAST: [(&str, NorthLastClasses); 9] = [
    ("TwoNetwork", NorthLastClasses::TwoNetwork),
    ("TwoNetworkDateline", NorthLastClasses::TwoNetworkDateline),
    ("SeparateDateline", NorthLastClasses::SeparateDateline),
    ("SeparateDestination", NorthLastClasses::SeparateDestination),
    ("SeparateStatic", NorthLastClasses::SeparateStatic),
    ("NoSeamAhead", NorthLastClasses::NoSeamAhead),
    ("AfterFirstSeam", NorthLastClasses::AfterFirstSeam),
    ("AnySeam", NorthLastClasses::AnySeam),
    ("SeamsCrossed", NorthLastClasses::SeamsCrossed),
];

const PATHS: [(&str, Paths); 3] =
    [("Split", Paths::Split), ("Host", Paths::Host), ("First", Paths::First)];

const WAYS: [(&str, HalfWay); 3] =
    [("Random", HalfWay::Random), ("Positive", HalfWay::Positive), ("Adaptive", HalfWay::Adaptive)];

/// The field `routing` as read.
#[derive(Clone, Copy)]
pub(super) struct Rule<'a> {
    pub routing: Routing,
    pub half_way: HalfWay,
    /// Where classes or an escape are given.
    pub classes: Option<Node<'a>>,
}

pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Rule<'a>> {
    let choice = reader.choice("routing", node, &RULES)?;
    let allowed: &[&str] = match choice.is {
        "DimensionOrder" | "NorthLast" => &["classes", "half_way"],
        "MinimalAdaptive" => &["escape", "half_way"],
        "PositiveHop" | "NegativeHop" => &["half_way"],
        "UpDown" => &["root", "paths"],
        "ShortestPath" => &["paths"],
        _ => &[],
    };
    let fields = if allowed.is_empty() {
        reader.no_contents(choice);
        None
    } else {
        Some(reader.choice_fields("routing", choice, allowed))
    };
    let (routing, half_way) = match &fields {
        Some(fields) => {
            let routing = rule(reader, choice, fields, network);
            let half_way = one_of(reader, fields, "half_way", &WAYS);
            (routing?, half_way?)
        }
        None => (plain(choice.is), HalfWay::Random),
    };
    if let (HalfWay::Adaptive, Some(field), false) = (
        half_way,
        fields.as_ref().and_then(|fields| fields.get("half_way")),
        routing.may_choose_ways(),
    ) {
        let what = format!(
            "`Adaptive` offers both ways round to a head, and this routing ({}) settles the way \
             before the first hop",
            routing.name()
        );
        reader.problem(field.value, what, Some("write `Random` or `Positive`".into()));
        return None;
    }
    defined(reader, choice, routing, network?)?;
    let given = |name| fields.as_ref().and_then(|fields| fields.get(name));
    let classes = given("classes").or(given("escape")).map(|field| field.value);
    Some(Rule { routing, half_way, classes })
}

/// The rules without fields of their own.
fn plain(name: &str) -> Routing {
    match name {
        "PositiveHop" => Routing::PositiveHop,
        "NegativeHop" => Routing::NegativeHop,
        "WestFirst" => Routing::WestFirst,
        "NegativeFirst" => Routing::NegativeFirst,
        _ => Routing::OddEven,
    }
}

fn rule<'a>(
    reader: &mut Reader<'a>,
    choice: Choice<'a>,
    fields: &Fields<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Routing> {
    match choice.is {
        "MinimalAdaptive" => {
            let escape = one_of(reader, fields, "escape", &ESCAPES)?;
            Some(Routing::MinimalAdaptive { escape })
        }
        "NorthLast" => {
            let classes = one_of(reader, fields, "classes", &NORTH_LAST)?;
            Some(Routing::NorthLast { classes })
        }
        "UpDown" => {
            let root = match fields.get("root") {
                Some(field) => {
                    let last = network.map_or(u32::MAX, |n| (n.routers() - 1) as u32);
                    reader.small(field.value, "the root, the number of a switch,", 0..=last)
                }
                None => Some(0),
            };
            let paths = one_of(reader, fields, "paths", &PATHS);
            Some(Routing::UpDown { root: RouterId(root?), paths: paths? })
        }
        "ShortestPath" => {
            Some(Routing::ShortestPath { paths: one_of(reader, fields, "paths", &PATHS)? })
        }
        "DimensionOrder" => {
            let classes = one_of(reader, fields, "classes", &CLASSES)?;
            let one_way =
                network.is_some_and(|n| n.grid().is_some_and(|(family, _)| family == ONE_WAY));
            if let (Classes::Static, true, Some(field)) = (classes, one_way, fields.get("classes"))
            {
                let what = "`Static` classes can deadlock on a one-way torus: paths that wrap \
                            around are longer than half the ring, so those of one class alone \
                            close a cycle";
                let help = "write `Destination` or `Dateline`, or make the links `Bidirectional`";
                reader.problem(field.value, what, Some(help.into()));
                return None;
            }
            Some(Routing::DimensionOrder { classes })
        }
        name => Some(plain(name)),
    }
}

/// The value of a field with these choices, the first by default.
fn one_of<'a, T: Copy>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    name: &str,
    choices: &[(&'static str, T)],
) -> Option<T> {
    let Some(field) = fields.get(name) else { return Some(choices[0].1) };
    let names: Vec<&'static str> = choices.iter().map(|(name, _)| *name).collect();
    let word = reader.word(&format!("routing.{name}"), field.value, &names)?;
    choices.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// Notes where a rule is not defined on the network, or needs more classes than there may be VCs.
fn defined<'a>(
    reader: &mut Reader<'a>,
    choice: Choice<'a>,
    routing: Routing,
    network: &Plan<'a>,
) -> Option<()> {
    let Some((family, radix)) = network.grid() else {
        if !routing.follows_routes() {
            let what = format!(
                "this routing ({}) goes by coordinates, and these switches have none",
                routing.name()
            );
            let help = "write `UpDown()`, or make the network a `SwitchGrid`";
            reader.problem(choice.name, what, Some(help.into()));
            return None;
        }
        return listed(reader, choice, routing, network);
    };
    if let Err(why) = routing.defined_on(family, radix) {
        let instead = match (routing, family) {
            (_, ONE_WAY) if routing.follows_routes() => {
                "make the links `Bidirectional`, or write `DimensionOrder`"
            }
            (Routing::NegativeHop, _) => "make every radix even, or write `PositiveHop`",
            (Routing::NorthLast { .. }, Family::Torus { unidirectional: true }) => {
                "make the links `Bidirectional`, or write `DimensionOrder`"
            }
            (_, Family::Torus { unidirectional: false }) if radix.len() == 2 => {
                "write `NorthLast`, or make the network a `Mesh`"
            }
            (Routing::NegativeFirst, _) => "write `MinimalAdaptive`, or make the network a `Mesh`",
            (_, Family::Torus { .. }) => "write `DimensionOrder` or `MinimalAdaptive`",
            _ => "write `NegativeFirst` or `MinimalAdaptive`",
        };
        reader.problem(choice.name, why, Some(instead.into()));
        return None;
    }
    let need = routing.virtual_channels_needed(family, radix);
    if need.needed > CLASSES_MAX as u32 {
        let what = format!(
            "this routing ({}) needs {} virtual channels on this {}, and a channel has at most \
             {CLASSES_MAX}: {}",
            routing.name(),
            need.needed,
            network.name(),
            need.why
        );
        let help = "make the network smaller, or write `MinimalAdaptive`";
        reader.problem(choice.name, what, Some(help.into()));
        return None;
    }
    listed(reader, choice, routing, network)
}

/// Notes where the ways of source routing are too many to be listed.
fn listed<'a>(
    reader: &mut Reader<'a>,
    choice: Choice<'a>,
    routing: Routing,
    network: &Plan<'a>,
) -> Option<()> {
    if !routing.follows_routes() {
        return Some(());
    }
    let (what, help) = if network.routers() > ROUTERS_MAX as u64 {
        let what = format!(
            "{} lists its ways, for {ROUTERS_MAX} routers at most, and this {} has {}",
            routing.name(),
            network.name(),
            network.routers()
        );
        (what, "make the network smaller")
    } else {
        let Err(what) = routing.routes_fit(&network.build()) else { return Some(()) };
        let first = matches!(
            routing,
            Routing::UpDown { paths: Paths::First, .. }
                | Routing::ShortestPath { paths: Paths::First }
        );
        let smaller = "make the network smaller";
        (what, if first { smaller } else { "write `paths: First`, or make the network smaller" })
    };
    reader.problem(choice.name, what, Some(help.into()));
    None
}
