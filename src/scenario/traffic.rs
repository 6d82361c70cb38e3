//! The field `traffic`: arrivals, destinations, lengths, and whether a source can emit them.

use std::collections::HashMap;

use super::leaf::kind;
use super::network::{Plan, count};
use super::node::{Field, Node, list, tuple};
use super::reader::{Fields, Reader};
use crate::ids::NodeId;
use crate::traffic::arrivals::RATE_MIN;
use crate::traffic::lengths::LENGTH_MAX;
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::{Load, Rate};

/// How often messages are asked for, and where that stands.
enum Pace<'a> {
    Rate(Field<'a>, f64),
    Load(Field<'a>, f64),
}

pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Traffic> {
    let allowed = ["arrivals", "destinations", "lengths"];
    let fields = reader.group("traffic", "`traffic`", node, "Traffic", &allowed);
    let arrivals = reader.required(&fields, "arrivals", "Poisson(rate: 0.01)");
    let arrivals = arrivals.and_then(|field| self::arrivals(reader, field.value));
    let destinations = reader.required(&fields, "destinations", "Uniform");
    let destinations =
        destinations.and_then(|field| self::destinations(reader, field.value, network));
    let lengths = reader.required(&fields, "lengths", "Fixed(12)");
    let lengths = lengths.and_then(|field| self::lengths(reader, field.value));
    let (process, pace) = arrivals?;
    let rate = rate(reader, &pace, lengths?)?;
    Some(Traffic { process, rate, destinations: destinations?, lengths: lengths? })
}

fn arrivals<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<(Process, Pace<'a>)> {
    let path = "traffic.arrivals";
    let choice = reader.choice(path, node, &["Poisson", "Geometric"])?;
    let process = if choice.is == "Poisson" { Process::Poisson } else { Process::Geometric };
    let fields = reader.choice_fields(path, choice, &["rate", "load"]);
    let pace = match (fields.get("rate"), fields.get("load")) {
        (Some(rate), Some(load)) if rate.overridden == load.overridden => {
            let what = "`rate` and `load` are both given, and either follows from the other";
            reader.problem(load.key, what, Some("remove one of the two".into()));
            return None;
        }
        // What is set from outside replaces what the text says, in whichever unit.
        (Some(rate), load) if load.is_none() || rate.overridden => {
            Pace::Rate(rate, reader.positive(rate.value, "the rate", "0.01")?)
        }
        (_, Some(load)) => Pace::Load(load, reader.positive(load.value, "the load", "0.12")?),
        _ => {
            let example = "`rate: 0.01` (messages/node/cycle) or `load: 0.12` (flits/node/cycle)";
            reader.missing(&fields, "`rate` or `load`", example);
            return None;
        }
    };
    Some((process, pace))
}

/// The rate that a pace means, if a source can emit it.
fn rate<'a>(reader: &mut Reader<'a>, pace: &Pace<'a>, lengths: Lengths) -> Option<Rate> {
    let mean = lengths.mean();
    let (field, rate) = match *pace {
        Pace::Rate(field, rate) => (field, Rate(rate)),
        Pace::Load(field, load) => (field, Load(load).to_rate(mean)),
    };
    let what = match *pace {
        Pace::Rate(_, rate) if Rate(rate).to_load(mean).0 > 1.0 => {
            let load = Rate(rate).to_load(mean).0;
            format!(
                "a rate of {rate} messages of {mean} flits is a load of {} flits/node/cycle, and a \
                 source can emit at most 1",
                rounded(load)
            )
        }
        Pace::Load(_, load) if load > 1.0 => {
            format!("a load of {load} flits/node/cycle is more than a source can emit, which is 1")
        }
        _ if rate.0 < RATE_MIN => {
            format!(
                "a rate of {} messages/node/cycle is below the lowest, {RATE_MIN:e}",
                rounded(rate.0)
            )
        }
        _ => return Some(rate),
    };
    let help = match pace {
        _ if rate.0 < RATE_MIN => "ask for more messages".into(),
        Pace::Rate(..) => format!("write {} or less", below(1.0 / mean)),
        Pace::Load(..) => "write 1.0 or less".into(),
    };
    reader.problem(field.value, what, Some(help));
    None
}

fn destinations<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Destinations> {
    let path = "traffic.destinations";
    let choice = reader.choice(path, node, &["Uniform", "Hotspot"])?;
    if choice.is == "Uniform" {
        reader.no_contents(choice);
        return Some(Destinations::Uniform);
    }
    let fields = reader.choice_fields(path, choice, &["nodes", "percent"]);
    let nodes = hot_nodes(reader, &fields, network);
    let percent = reader.required(&fields, "percent", "4")?;
    let number = reader.positive(percent.value, "the percentage", "4")?;
    if number > 100.0 {
        let what = format!("the percentage must be at most 100, not {number}");
        reader.problem(percent.value, what, Some("write 100 or less".into()));
        return None;
    }
    Some(Destinations::Hotspot { nodes: nodes?, percent: number })
}

fn hot_nodes<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Vec<NodeId>> {
    let node = reader.required(fields, "nodes", "[(3, 3)]")?.value;
    let Some(parts) = list(node) else {
        let what = format!("the hot nodes must be a list in square brackets, not {}", kind(node));
        reader.problem(node, what, Some(format!("write `[{}]`", super::names::shown(node.text))));
        return None;
    };
    if parts.is_empty() {
        let help = "name a node, such as `(3, 3)`, or write `destinations: Uniform`";
        reader.problem(node, "a hotspot needs at least one node", Some(help.into()));
        return None;
    }
    let mut nodes = Vec::with_capacity(parts.len());
    let mut seen = HashMap::new();
    let mut complete = true;
    for part in parts {
        let Some(id) = hot_node(reader, part, network) else {
            complete = false;
            continue;
        };
        match seen.insert(id, part.text) {
            None => nodes.push(id),
            Some(first) => {
                let what = format!("this node is named twice, first as `{first}`");
                reader.problem(part, what, Some("remove one of the two".into()));
                complete = false;
            }
        }
    }
    complete.then_some(nodes)
}

fn hot_node<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<NodeId> {
    if !node.text.starts_with('(') {
        let last = network.map_or(u32::MAX, |network| (network.routers() - 1) as u32);
        let name = match network {
            Some(network) => format!("the number of a node of this {}", network.name()),
            None => "the number of a node".into(),
        };
        return reader.small(node, &name, 0..=last).map(NodeId);
    }
    let coordinates = tuple(node).unwrap_or_default();
    let network = network?;
    if coordinates.len() != network.radix.len() {
        let what = format!(
            "a node of this {} has {}, not {}",
            network.name(),
            count(network.radix.len(), "coordinate", "coordinates"),
            coordinates.len()
        );
        let middle: Vec<String> = network.radix.iter().map(|k| (k / 2).to_string()).collect();
        let help = format!("write one number per dimension, such as `({})`", middle.join(", "));
        reader.problem(node, what, Some(help));
        return None;
    }
    let mut number = Some(0);
    let mut stride = 1;
    for (dimension, (part, &k)) in coordinates.into_iter().zip(&network.radix).enumerate() {
        let name = format!("coordinate {} of a node of this {}", dimension + 1, network.name());
        let coordinate = reader.small(part, &name, 0..=k - 1);
        number = number.zip(coordinate).map(|(number, x)| number + x * stride);
        stride *= k;
    }
    number.map(NodeId)
}

fn lengths<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Lengths> {
    let path = "traffic.lengths";
    let choice = reader.choice(path, node, &["Fixed", "Geometric"])?;
    if choice.is == "Fixed" {
        let flits = reader.single(choice, "Fixed(12)")?;
        return reader.small(flits, "a length in flits", 1..=LENGTH_MAX).map(Lengths::Fixed);
    }
    let fields = reader.choice_fields(path, choice, &["mean"]);
    let field = reader.required(&fields, "mean", "12")?;
    let mean = reader.number(field.value, "the mean length", "12")?;
    if (1.0..=f64::from(LENGTH_MAX)).contains(&mean) {
        return Some(Lengths::Geometric(mean));
    }
    let what = format!("the mean length must be 1 to {LENGTH_MAX} flits, not {mean}");
    let help =
        if mean < 1.0 { "write 1 or more".into() } else { format!("write {LENGTH_MAX} or less") };
    reader.problem(field.value, what, Some(help));
    None
}

/// Four significant digits, for messages.
fn rounded(number: f64) -> String {
    if (1e-3..1e6).contains(&number) {
        let digits = (3 - number.log10().floor() as i32).max(0) as usize;
        let text = format!("{number:.digits$}");
        let text = if text.contains('.') { text.trim_end_matches('0') } else { &text };
        return text.trim_end_matches('.').to_string();
    }
    format!("{number:.3e}").replace(".000e", "e")
}

/// The number cut to five significant digits, so that it stays within a limit.
fn below(limit: f64) -> String {
    let scale = 10f64.powi(4 - limit.log10().floor() as i32);
    format!("{}", (limit * scale).floor() / scale)
}
