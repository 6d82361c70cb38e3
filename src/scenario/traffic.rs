//! The field `traffic`: arrivals, destinations, lengths, and the limits of sources.

use std::collections::HashMap;

use super::node::{Field, Node, tuple};
use super::plan::Plan;
use super::reader::{Fields, Reader};
use crate::ids::{NodeId, RouterId};
use crate::switching::circuit::RATE_MAX;
use crate::text::count;
use crate::topology::Network;
use crate::topology::cube::Cube;
use crate::topology::cube::{DIMENSIONS_MAX, RADIX_MAX, ROUTERS_MAX};
use crate::traffic::arrivals::RATE_MIN;
use crate::traffic::lengths::Times;
use crate::traffic::{Destinations, Lengths, Locality, Permutation, Process, Traffic};
use crate::units::{FLITS_PER_TIME, Load, Rate};
use crate::words::Need::Example;
use crate::words::{self, Kind, Structure, Value, Words, words};

pub(super) const FIELDS: &[words::Field] = words!(@fields
    /// The arrival process of messages.
    arrivals = Example("Poisson(rate: 0.01)"), Process::KIND;
    /// The destinations of messages.
    destinations = Example("Uniform"), Kind::Choice(DESTINATIONS);
    /// The lengths of messages: in flits, for circuits in units of time.
    lengths = Example("Fixed(12)"), Kind::Choice(&[Lengths::VALUES, Times::VALUES]);
);

const NODES: Kind = Kind::Own("a list of nodes", Structure::List(&NODE, (1, ROUTERS_MAX)));
const NODE: Kind = Kind::Own(
    "a node",
    Structure::Either(&[
        Kind::whole("the number of a node", 0, ROUTERS_MAX as u32 - 1),
        Kind::Own(
            "the coordinates of a node",
            Structure::Tuple(&COORDINATE, (1, DIMENSIONS_MAX + 1)),
        ),
    ]),
);
const COORDINATE: Kind = Kind::whole("a coordinate", 0, RADIX_MAX - 1);

const DESTINATIONS: &[&[Value]] = &[Anywhere::VALUES, Permutation::VALUES, Locality::VALUES];

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
}

/// The given rate or load, with its field.
enum Pace<'a> {
    Rate(Field<'a>, f64),
    Load(Field<'a>, f64),
}

pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
    circuits: bool,
) -> Option<Traffic> {
    let apart = ["arrivals", "destinations", "lengths"];
    let all = reader.record("traffic", "`traffic`", node, "Traffic", FIELDS, &apart);
    let given = |name| all.fields.get(name).map(|field: Field<'a>| field.value);
    let arrivals = given("arrivals").and_then(|at| arrivals(reader, at, circuits));
    let destinations = given("destinations").and_then(|at| destinations(reader, at, network));
    let lengths = given("lengths").and_then(|at| lengths(reader, at, circuits));
    let (process, pace) = arrivals?;
    let senders = match (&destinations, network) {
        (Some(destinations), Some(network)) => destinations.senders(network),
        _ => 1,
    };
    let nodes = network.filter(|_| destinations.is_some()).map_or(1, |n| n.nodes());
    let read_rate = if circuits { rate_of_circuits } else { rate };
    let rate = read_rate(reader, &pace, lengths?, senders, nodes)?;
    Some(Traffic { process, rate, destinations: destinations?, lengths: lengths? })
}

fn arrivals<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    circuits: bool,
) -> Option<(Process, Pace<'a>)> {
    let path = "traffic.arrivals";
    let (choice, contents) = reader.pick(path, node, &[Process::VALUES])?;
    let mut given = reader.contents(path, choice, contents)?;
    let pace = (given.take("rate"), given.take("load"));
    let process: Option<Process> = given.variant(choice.is);
    if circuits && process.is_some_and(Process::counts_cycles) {
        let what = "geometric gaps are counted in cycles, which circuits do not have";
        reader.problem(choice.name, what, Some("write `Poisson`".into()));
    }
    let fields = &given.fields;
    let pace = match (fields.get("rate"), fields.get("load")) {
        (Some(rate), Some(load)) if rate.overridden == load.overridden => {
            let what = "`rate` and `load` are both given, but each determines the other";
            return reader.refuse(load.key, what, "remove one of the two");
        }
        // Overrides replace the value of the text, even in the other unit.
        (Some(rate), load) if load.is_none() || rate.overridden => Pace::Rate(rate, pace.0?),
        (_, Some(load)) => Pace::Load(load, pace.1?),
        _ => {
            let example = "`rate: 0.01` (messages/node/cycle) or `load: 0.12` (flits/node/cycle)";
            reader.missing(fields, "`rate` or `load`", example);
            return None;
        }
    };
    Some((process?, pace))
}

/// The rate of each sender, if `senders` of `nodes` nodes can send as much. A rate applies to each
/// sending node, a load is averaged over all nodes.
fn rate<'a>(
    reader: &mut Reader<'a>,
    pace: &Pace<'a>,
    lengths: Lengths,
    senders: usize,
    nodes: usize,
) -> Option<Rate> {
    let mean = lengths.mean();
    let load_max = senders as f64 / nodes as f64;
    let (field, rate) = match *pace {
        Pace::Rate(field, rate) => (field, Rate(rate)),
        Pace::Load(field, load) => (field, Load(load / load_max).to_rate(mean)),
    };
    let what = match *pace {
        Pace::Rate(_, rate) if Rate(rate).to_load(mean).0 > 1.0 => {
            let load = Rate(rate).to_load(mean).0;
            format!(
                "a rate of {rate} messages of {mean} flits is a load of {} flits/node/cycle, but a \
                 source can send at most 1",
                rounded(load)
            )
        }
        Pace::Load(_, load) if load > load_max && senders < nodes => format!(
            "a load of {load} flits/node/cycle exceeds the maximum: {senders} of {nodes} nodes send \
             at most 1 each, {load_max} over all nodes"
        ),
        Pace::Load(_, load) if load > load_max => {
            format!("offered load {load} exceeds 1 flit/node/cycle, the most a source can send")
        }
        Pace::Rate(..) | Pace::Load(..) if rate.0 < RATE_MIN => {
            format!(
                "a rate of {} messages/node/cycle is below the minimum, {RATE_MIN:e}",
                rounded(rate.0)
            )
        }
        Pace::Rate(..) | Pace::Load(..) => return Some(rate),
    };
    let help = match pace {
        Pace::Rate(..) | Pace::Load(..) if rate.0 < RATE_MIN => "write a larger number".into(),
        Pace::Rate(..) => format!("write {} or less", below(1.0 / mean)),
        Pace::Load(..) if senders < nodes => format!("write {} or less", below(load_max)),
        Pace::Load(..) => "write 1.0 or less".into(),
    };
    reader.refuse(field.value, what, help)
}

/// The rate of circuits. Nodes may have any number of circuits; only the rate is limited.
fn rate_of_circuits<'a>(
    reader: &mut Reader<'a>,
    pace: &Pace<'a>,
    lengths: Lengths,
    senders: usize,
    nodes: usize,
) -> Option<Rate> {
    let mean = lengths.mean() / f64::from(FLITS_PER_TIME);
    let (field, rate) = match *pace {
        Pace::Rate(field, rate) => (field, Rate(rate)),
        Pace::Load(field, load) => {
            (field, Load(load * nodes as f64 / senders as f64).to_rate(mean))
        }
    };
    if (RATE_MIN..=RATE_MAX).contains(&rate.0) {
        return Some(rate);
    }
    let what = format!(
        "a rate must be {RATE_MIN:e} to {} messages per node and unit of time, not {}",
        RATE_MAX,
        rounded(rate.0)
    );
    let help = if rate.0 < RATE_MIN { "write a larger number" } else { "write a smaller number" };
    reader.refuse(field.value, what, help)
}

/// Reads lengths in flits, or transmission times.
fn lengths<'a>(reader: &mut Reader<'a>, node: Node<'a>, circuits: bool) -> Option<Lengths> {
    let path = "traffic.lengths";
    if circuits {
        let (times, fields) = reader.term(path, node, &[Times::VALUES])?;
        if let (Times::Uniform { min, max }, Some(fields)) = (times, fields) {
            in_order(reader, &fields, "transmission time", &min, &max)?;
        }
        return Some(times.lengths());
    }
    let (lengths, fields) = reader.term(path, node, &[Lengths::VALUES])?;
    if let (Lengths::Uniform { min, max }, Some(fields)) = (lengths, fields) {
        in_order(reader, &fields, "length", &min, &max)?;
    }
    Some(lengths)
}

/// Checks that `max` is not below `min`.
fn in_order<'a, T: PartialOrd + std::fmt::Display>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    called: &str,
    min: &T,
    max: &T,
) -> Option<()> {
    if min <= max {
        return Some(());
    }
    let what = format!("the longest {called}, {max}, is below the shortest, {min}");
    reader.refuse(fields.get("max")?.value, what, format!("write {min} or more"))
}

fn destinations<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Destinations> {
    let path = "traffic.destinations";
    let (choice, contents) = reader.pick(path, node, DESTINATIONS)?;
    let given = reader.contents(path, choice, contents);
    let destinations = match &given {
        None => words::value(choice.is).map_or(Destinations::Uniform, Destinations::Permutation),
        Some(given) if choice.is == "Hotspot" => {
            let nodes =
                given.fields.get("nodes").and_then(|field| hot_nodes(reader, field.value, network));
            return Some(Destinations::Hotspot { nodes: nodes?, percent: given.given("percent")? });
        }
        Some(given) => match given.variant(choice.is)? {
            Locality::Decreasing { ratio } if ratio >= 1.0 => {
                let what = format!(
                    "the ratio must be below 1, not {ratio}: the factor between the \
                                    probabilities of one distance and the next"
                );
                let help = "write a number below 1, such as 0.5";
                return reader.refuse(given.fields.get("ratio")?.value, what, help);
            }
            locality @ (Locality::Sphere { .. } | Locality::Decreasing { .. }) => {
                Destinations::Local(locality)
            }
        },
    };
    match network.map(|network| destinations.check(network)) {
        Some(Err(why)) => {
            reader.misfit(choice.name, given.as_ref().map(|given| &given.fields), why)
        }
        Some(Ok(())) | None => Some(destinations),
    }
}

fn hot_nodes<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Vec<NodeId>> {
    let help = format!("write `[{}]`", super::names::shown(node.text));
    let parts = reader.list(node, "the hot nodes", &help)?;
    if parts.is_empty() {
        let help = "name a node, such as `(3, 3)`, or write `destinations: Uniform`";
        return reader.refuse(node, "a hotspot needs at least one node", help);
    }
    let mut seen = HashMap::new();
    reader.each(&parts, |reader, part| {
        let id = hot_node(reader, part, network)?;
        let Some(first) = seen.insert(id, part.text) else { return Some(id) };
        let what = format!("this node is named twice, first as `{first}`");
        reader.refuse(part, what, "remove one of the two")
    })
}

fn hot_node<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<NodeId> {
    if !node.text.starts_with('(') {
        let last = network.map_or(u32::MAX, |network| (network.nodes() - 1) as u32);
        let name = match network {
            Some(network) if network.switches().is_some() => {
                format!("the number of a host ({})", network.name())
            }
            Some(network) => format!("the number of a node of this {}", network.name()),
            None => "the number of a node".into(),
        };
        return reader.small(node, &name, 0..=last).map(NodeId);
    }
    let coordinates = tuple(node).unwrap_or_default();
    let network = network?;
    let Some(radix) = network.grid().map(Cube::radix) else {
        let what = "these switches and their hosts have no coordinates";
        return reader.refuse(node, what, "write the host's number, such as `5`");
    };
    let (of, place) = match network.switches() {
        None => ("node", None),
        Some(_) => ("host", coordinates.get(radix.len()).copied()),
    };
    if coordinates.len() != radix.len() + usize::from(place.is_some()) {
        let what = format!(
            "a {of} of this {} has {}, not {}",
            network.name(),
            count(radix.len(), "coordinate", "coordinates"),
            coordinates.len()
        );
        let middle: Vec<String> = radix.iter().map(|k| (k / 2).to_string()).collect();
        let help = format!("write one number per dimension, such as `({})`", middle.join(", "));
        return reader.refuse(node, what, help);
    }
    let mut number = Some(0);
    let mut stride = 1;
    for (dimension, (&part, &k)) in coordinates.iter().zip(radix).enumerate() {
        let name = format!("coordinate {} of a {of} of this {}", dimension + 1, network.name());
        let coordinate = reader.small(part, &name, 0..=k - 1);
        number = number.zip(coordinate).map(|(number, x)| number + x * stride);
        stride *= k;
    }
    match network.switches() {
        None => number.map(NodeId),
        Some(_) => host_at(reader, node, network, (RouterId(number?), place)),
    }
}

/// The host at given coordinates: `(3, 3)` for the only host of a switch, `(3, 3, 1)` for its
/// second host.
fn host_at<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: &Network,
    (switch, place): (RouterId, Option<Node<'a>>),
) -> Option<NodeId> {
    let (hosts, name) = (network.hosts_at(switch), network.router_name(switch));
    match (hosts, place) {
        ([], _) => {
            let what = format!("{name} at these coordinates has no host");
            reader.refuse(node, what, "write the coordinates of a switch with a host")
        }
        (_, Some(place)) => {
            let last = hosts.len() as u32 - 1;
            let at = reader.small(place, &format!("the place of a host of {name}"), 0..=last)?;
            Some(hosts[at as usize])
        }
        ([only], None) => Some(*only),
        (_, None) => {
            let what = format!("{name} at these coordinates has {} hosts", hosts.len());
            let at = network.grid().map_or(&[][..], |grid| grid.coordinates(switch));
            let at = at.iter().fold(String::new(), |all, x| format!("{all}{x}, "));
            let help = format!("add the place of one of them, from 0: `({at}0)`");
            reader.refuse(node, what, help)
        }
    }
}

/// The number with four significant digits, for messages.
fn rounded(number: f64) -> String {
    if (1e-3..1e6).contains(&number) {
        let digits = (3 - number.log10().floor() as i32).max(0) as usize;
        let text = format!("{number:.digits$}");
        let text = if text.contains('.') { text.trim_end_matches('0') } else { &text };
        return text.trim_end_matches('.').to_string();
    }
    format!("{number:.3e}").replace(".000e", "e")
}

/// The number rounded down to five significant digits, to stay within a limit.
fn below(limit: f64) -> String {
    let scale = 10f64.powi(4 - limit.log10().floor() as i32);
    format!("{}", (limit * scale).floor() / scale)
}
