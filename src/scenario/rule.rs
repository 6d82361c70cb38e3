//! The field `routing`: the rule, whether it is defined on the network, and how it decides between
//! ways equally long.

use super::network::Plan;
use super::node::Node;
use super::reader::{Choice, Fields, Reader};
use crate::routing::{CLASSES_MAX, Classes, Escape, HalfWay, NorthLastClasses, Routing};
use crate::topology::cube::Family;

const RULES: [&str; 8] = [
    "DimensionOrder",
    "MinimalAdaptive",
    "PositiveHop",
    "NegativeHop",
    "NorthLast",
    "WestFirst",
    "NegativeFirst",
    "OddEven",
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
        "DimensionOrder" => {
            let classes = one_of(reader, fields, "classes", &CLASSES)?;
            let one_way =
                network.is_some_and(|n| n.family == Family::Torus { unidirectional: true });
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
    if let Err(why) = routing.defined_on(network.family, &network.radix) {
        let instead = match (routing, network.family) {
            (Routing::NegativeHop, _) => "make every radix even, or write `PositiveHop`",
            (Routing::NorthLast { .. }, Family::Torus { unidirectional: true }) => {
                "make the links `Bidirectional`, or write `DimensionOrder`"
            }
            (_, Family::Torus { unidirectional: false }) if network.radix.len() == 2 => {
                "write `NorthLast`, or make the network a `Mesh`"
            }
            (Routing::NegativeFirst, _) => "write `MinimalAdaptive`, or make the network a `Mesh`",
            (_, Family::Torus { .. }) => "write `DimensionOrder` or `MinimalAdaptive`",
            _ => "write `NegativeFirst` or `MinimalAdaptive`",
        };
        reader.problem(choice.name, why, Some(instead.into()));
        return None;
    }
    let need = routing.virtual_channels_needed(network.family, &network.radix);
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
    Some(())
}
