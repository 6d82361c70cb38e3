//! The fields `destinations` and `senders` of traffic.

use std::collections::HashMap;

use super::node::{Node, tuple};
use super::nodes::{self, NODE, NODES};
use super::plan::Plan;
use super::reader::{Choice, Reader};
use super::weight_table::{self, TABLE};
use crate::ids::NodeId;
use crate::topology::cube::{DIMENSIONS_MAX, RADIX_MAX};
use crate::traffic::destinations::{Form, WEIGHTS_MAX, Weight, Weights};
use crate::traffic::{Destinations, Locality, Offset, Permutation};
use crate::words::Need::Example;
use crate::words::{self, Contents, Kind, Structure, Value, Words, words};

pub(super) const KIND: Kind = Kind::Choice(VALUES);
const VALUES: &[&[Value]] =
    &[Anywhere::VALUES, Permutation::VALUES, Locality::VALUES, Given::VALUES];

/// The nodes that send.
pub(super) const SENDERS: Kind = NODES;

words! {
    /// Patterns without a distance.
    enum Anywhere {
        /// Every other node with the same probability.
        Uniform,
        /// A percentage of the messages goes to the hot nodes, the others are uniform.
        Hotspot {
            /// The hot nodes, each a tuple of coordinates or a number. On a grid of switches, the
            /// coordinates of the switch are followed by the number of the host at the switch, from
            /// 0, if it has several hosts.
            nodes: () = Example("[(3, 3)]"), NODES;
            /// The percentage, above 0 and at most 100.
            percent: f64 = Example("4"), Kind::positive("the percentage", "4", 100.0);
        },
    }

    /// Patterns given by numbers.
    enum Given {
        /// The node this far ahead: numbers to add to the coordinates of every node, wrapping
        /// around in a mesh too. Missing numbers are 0.
        Offset(() = "Offset([1])", OFFSET),
        /// From each of these nodes to another, `(0, 5)`; a third number is the weight of the
        /// pair, 1 by default. Other nodes send nothing.
        Pairs(() = "Pairs([(0, 1)])", PAIRS),
        /// By weights in a file, `File("matrix.csv")`, or in the text of such a file. Rates are
        /// proportional to the sums of rows; without `rate` and `load`, weights are messages per
        /// cycle.
        Matrix(() = "Matrix(File(\"matrix.csv\"))", TABLE),
    }
}

const OFFSET: Kind =
    Kind::Own("a list of whole numbers", Structure::List(&STEP, (1, DIMENSIONS_MAX)));
const STEP: Kind =
    Kind::within("a step", "1", (-STEP_MAX as f64, STEP_MAX as f64), "values of the coordinate");
const STEP_MAX: i32 = RADIX_MAX.cast_signed();
const PAIRS: Kind = Kind::Own("a list of pairs", Structure::List(&PAIR, (1, WEIGHTS_MAX)));
const PAIR: Kind = Kind::Own("a pair of nodes", Structure::Tuple(&[NODE, NODE, WEIGHT], (2, 3)));
const WEIGHT: Kind = Kind::positive("the weight", "1", f64::INFINITY);

/// Reads a pattern, if nodes send to themselves or not.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    to_itself: bool,
    network: Option<&Plan<'a>>,
) -> Option<Destinations> {
    let path = "traffic.destinations";
    let (choice, contents) = reader.pick(path, node, VALUES)?;
    if let Contents::One(example, _) = contents {
        let value = reader.single(choice, example)?;
        let given = by_numbers(reader, choice, (value, to_itself), network)?;
        return defined(reader, choice, None, given, network);
    }
    let given = reader.contents(path, choice, contents);
    let destinations = match &given {
        None => words::value(choice.is).map_or(Destinations::Uniform, Destinations::Permutation),
        Some(given) if choice.is == "Hotspot" => {
            let empty = (
                "a hotspot needs at least one node",
                "name a node, such as `(3, 3)`, or write `destinations: Uniform`",
            );
            let nodes = given.fields.get("nodes").and_then(|field| {
                nodes::nodes(reader, field.value, "the hot nodes", empty, network)
            });
            return Some(Destinations::Hotspot { nodes: nodes?, percent: given.given("percent")? });
        }
        Some(given) => match given.variant(choice.is)? {
            locality @ (Locality::Sphere { .. } | Locality::Decreasing { .. }) => {
                Destinations::Local(locality)
            }
        },
    };
    let fields = given.as_ref().map(|given| &given.fields);
    defined(reader, choice, fields, destinations, network)
}

/// Returns a pattern defined on the network, and reports others.
fn defined<'a>(
    reader: &mut Reader<'a>,
    choice: Choice<'a>,
    fields: Option<&super::reader::Fields<'a>>,
    destinations: Destinations,
    network: Option<&Plan<'a>>,
) -> Option<Destinations> {
    match network.map(|network| destinations.check(network)) {
        Some(Err(why)) => reader.misfit(choice.name, fields, why),
        Some(Ok(())) | None => Some(destinations),
    }
}

fn by_numbers<'a>(
    reader: &mut Reader<'a>,
    choice: Choice<'a>,
    (value, to_itself): (Node<'a>, bool),
    network: Option<&Plan<'a>>,
) -> Option<Destinations> {
    match choice.is {
        "Offset" => offset(reader, value).map(Destinations::Offset),
        "Pairs" => {
            let weights = Weights::new(Form::Pairs, pairs(reader, value, to_itself, network)?);
            Some(Destinations::Weighted(weights))
        }
        _ => {
            let weights = weight_table::read(reader, value, to_itself, network)?;
            Some(Destinations::Weighted(Weights::new(Form::Matrix, weights)))
        }
    }
}

fn offset<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Offset> {
    let help = "write a number for each coordinate, such as `[1, 0]`";
    let parts = reader.list(node, "an offset", help)?;
    if parts.is_empty() {
        return reader.refuse(node, "an offset needs a number", help);
    }
    let steps = reader.each(&parts, |reader, part| match ron::from_str::<i32>(part.text) {
        Ok(step) if step.abs() <= STEP_MAX => Some(step),
        Ok(_) | Err(_) => {
            let found = super::names::kind(part);
            let what = format!(
                "a step must be a whole number from -{STEP_MAX} to {STEP_MAX}, not {found}"
            );
            reader.refuse(part, what, "write a number, such as 1 or -1")
        }
    });
    steps.map(Offset)
}

fn pairs<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    to_itself: bool,
    network: Option<&Plan<'a>>,
) -> Option<Vec<Weight>> {
    let help = "write the two nodes of each, such as `[(0, 5), (1, 3)]`";
    let parts = reader.list(node, "the pairs", help)?;
    if parts.is_empty() {
        return reader.refuse(node, "nobody sends: there is no pair", help);
    }
    let mut seen: HashMap<(NodeId, NodeId), &str> = HashMap::new();
    reader.each(&parts, |reader, part| {
        let ends = tuple(part).unwrap_or_default();
        let (&[source, destination] | &[source, destination, _]) = &ends[..] else {
            let what = format!("a pair is `(source, destination)`; this is {}", part.text);
            return reader.refuse(part, what, "write two nodes in parentheses");
        };
        let weight = match ends.get(2) {
            None => Some(1.0),
            Some(&weight) => reader.positive(weight, "the weight of a pair", "1"),
        };
        let [source, destination] =
            [source, destination].map(|end| nodes::node(reader, end, network));
        let (source, destination) = (source?, destination?);
        if source == destination && !to_itself {
            let what = "this pair is a node and itself, which needs no network";
            return reader.refuse(part, what, "remove it, or write `to_itself: true`");
        }
        if let Some(first) = seen.insert((source, destination), part.text) {
            let what = format!("this pair is given twice, first as `{first}`");
            return reader.refuse(part, what, "remove one of the two, or write a weight");
        }
        Some(Weight { source, destination, weight: weight? })
    })
}

/// Reads the nodes that send.
pub(super) fn senders<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Vec<NodeId>> {
    let empty = ("no node is named: nobody would send", "name a node, or leave the field out");
    nodes::nodes(reader, node, "the senders", empty, network)
}
