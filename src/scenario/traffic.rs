//! The field `traffic`: arrivals, destinations, lengths, and whether a source can emit them.

use std::collections::HashMap;

use super::circuit;
use super::leaf::kind;
use super::network::{Form, Plan, count};
use super::node::{Field, Node, list, tuple};
use super::reader::{Choice, Fields, Reader};
use crate::ids::NodeId;
use crate::switching::circuit::RATE_MAX;
use crate::topology::cube::{DIMENSIONS_MAX, RADIX_MAX};
use crate::traffic::arrivals::RATE_MIN;
use crate::traffic::destinations::sphere_radius_max;
use crate::traffic::lengths::LENGTH_MAX;
use crate::traffic::{Destinations, Lengths, Permutation, Process, Traffic};
use crate::units::{FLITS_PER_TIME, Load, Rate};

/// How often messages are asked for, and where that stands.
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
    let allowed = ["arrivals", "destinations", "lengths"];
    let fields = reader.group("traffic", "`traffic`", node, "Traffic", &allowed);
    let arrivals = reader.required(&fields, "arrivals", "Poisson(rate: 0.01)");
    let arrivals = arrivals.and_then(|field| self::arrivals(reader, field.value, circuits));
    let destinations = reader.required(&fields, "destinations", "Uniform");
    let destinations =
        destinations.and_then(|field| self::destinations(reader, field.value, network));
    let lengths = reader.required(&fields, "lengths", "Fixed(12)");
    let lengths = lengths.and_then(|field| {
        if circuits {
            circuit::times(reader, field.value)
        } else {
            self::lengths(reader, field.value)
        }
    });
    let (process, pace) = arrivals?;
    let senders = match (&destinations, network) {
        (Some(destinations), Some(network)) => destinations.senders(&network.numbering()),
        _ => 1,
    };
    let nodes = network.filter(|_| destinations.is_some()).map_or(1, |n| n.nodes() as usize);
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
    let choice = reader.choice(path, node, &["Poisson", "Geometric"])?;
    let process = if choice.is == "Poisson" { Process::Poisson } else { Process::Geometric };
    if circuits && process == Process::Geometric {
        let what = "geometric gaps are counted in cycles, and circuits know none";
        reader.problem(choice.name, what, Some("write `Poisson`".into()));
    }
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

/// The rate that a pace means, if `senders` of `nodes` nodes can emit it. A rate is that of each
/// node that sends, a load is over all nodes.
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
                "a rate of {rate} messages of {mean} flits is a load of {} flits/node/cycle, and a \
                 source can emit at most 1",
                rounded(load)
            )
        }
        Pace::Load(_, load) if load > load_max && senders < nodes => format!(
            "a load of {load} flits/node/cycle is more than the sources can emit: {senders} of {nodes} \
             nodes send, so that it is at most {load_max} over all nodes"
        ),
        Pace::Load(_, load) if load > load_max => {
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
        Pace::Load(..) if senders < nodes => format!("write {} or less", below(load_max)),
        Pace::Load(..) => "write 1.0 or less".into(),
    };
    reader.problem(field.value, what, Some(help));
    None
}

/// As [`rate`] for circuits: nodes may have any number of them, so that only the rate is limited.
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
    let help = if rate.0 < RATE_MIN { "ask for more messages" } else { "ask for fewer messages" };
    reader.problem(field.value, what, Some(help.into()));
    None
}

fn destinations<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Destinations> {
    let path = "traffic.destinations";
    let mut names = vec!["Uniform", "Hotspot"];
    names.extend(Permutation::ALL.map(Permutation::word));
    names.extend(["Sphere", "Decreasing"]);
    let choice = reader.choice(path, node, &names)?;
    let (at, destinations) = match choice.is {
        "Hotspot" => return hotspot(reader, choice, network),
        "Sphere" => {
            let fields = reader.choice_fields(path, choice, &["radius", "percent"]);
            let radius = reader.required(&fields, "radius", "2");
            let hops = radius.and_then(|field| {
                reader.small(
                    field.value,
                    "the radius in hops",
                    1..=RADIX_MAX * DIMENSIONS_MAX as u32,
                )
            });
            let percent = percent(reader, &fields, "80")?;
            let (radius, hops) = (radius?, hops?);
            let too_far = |n: &Plan<'a>| match &n.form {
                Form::Cube { family, radix } => hops > sphere_radius_max(*family, radix),
                Form::Switches(_) => true,
            };
            let too_far = percent < 100.0 && network.is_some_and(too_far);
            let at = if too_far { radius.value } else { choice.name };
            (at, Destinations::Sphere { radius: hops, percent })
        }
        "Decreasing" => {
            let fields = reader.choice_fields(path, choice, &["ratio"]);
            let field = reader.required(&fields, "ratio", "0.5")?;
            let ratio = reader.positive(field.value, "the ratio", "0.5")?;
            if ratio >= 1.0 {
                let what = format!(
                    "the ratio must be below 1, not {ratio}: it is by how much the \
                                    probability falls from one distance to the next"
                );
                let help = "write a number below 1, such as 0.5";
                reader.problem(field.value, what, Some(help.into()));
                return None;
            }
            (choice.name, Destinations::Decreasing { ratio })
        }
        word => {
            reader.no_contents(choice);
            let named = |permutation: &Permutation| permutation.word() == word;
            let permutation = Permutation::ALL.into_iter().find(named);
            let destinations = permutation.map(Destinations::Permutation);
            (choice.name, destinations.unwrap_or(Destinations::Uniform))
        }
    };
    let checked = network.map(|network| match &network.form {
        Form::Cube { family, radix } => destinations.check(*family, radix),
        Form::Switches(network) => destinations.check_on(network),
    });
    if let Some(Err(undefined)) = checked {
        reader.problem(at, undefined.what, Some(undefined.help));
        return None;
    }
    Some(destinations)
}

fn hotspot<'a>(
    reader: &mut Reader<'a>,
    choice: Choice<'a>,
    network: Option<&Plan<'a>>,
) -> Option<Destinations> {
    let fields = reader.choice_fields("traffic.destinations", choice, &["nodes", "percent"]);
    let nodes = hot_nodes(reader, &fields, network);
    let percent = percent(reader, &fields, "4")?;
    Some(Destinations::Hotspot { nodes: nodes?, percent })
}

/// The field `percent`: above 0, at most 100.
fn percent<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>, example: &str) -> Option<f64> {
    let percent = reader.required(fields, "percent", example)?;
    let number = reader.positive(percent.value, "the percentage", example)?;
    if number > 100.0 {
        let what = format!("the percentage must be at most 100, not {number}");
        reader.problem(percent.value, what, Some("write 100 or less".into()));
        return None;
    }
    Some(number)
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
        let last = network.map_or(u32::MAX, |network| (network.nodes() - 1) as u32);
        let name = match network {
            Some(network) if matches!(network.form, Form::Switches(_)) => {
                format!("the number of a host ({})", network.name())
            }
            Some(network) => format!("the number of a node of this {}", network.name()),
            None => "the number of a node".into(),
        };
        return reader.small(node, &name, 0..=last).map(NodeId);
    }
    let coordinates = tuple(node).unwrap_or_default();
    let network = network?;
    let Form::Cube { radix, .. } = &network.form else {
        let what = "hosts of switches have no coordinates";
        reader.problem(node, what, Some("write the host's number, such as `5`".into()));
        return None;
    };
    if coordinates.len() != radix.len() {
        let what = format!(
            "a node of this {} has {}, not {}",
            network.name(),
            count(radix.len(), "coordinate", "coordinates"),
            coordinates.len()
        );
        let middle: Vec<String> = radix.iter().map(|k| (k / 2).to_string()).collect();
        let help = format!("write one number per dimension, such as `({})`", middle.join(", "));
        reader.problem(node, what, Some(help));
        return None;
    }
    let mut number = Some(0);
    let mut stride = 1;
    for (dimension, (part, &k)) in coordinates.into_iter().zip(radix).enumerate() {
        let name = format!("coordinate {} of a node of this {}", dimension + 1, network.name());
        let coordinate = reader.small(part, &name, 0..=k - 1);
        number = number.zip(coordinate).map(|(number, x)| number + x * stride);
        stride *= k;
    }
    number.map(NodeId)
}

fn lengths<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Lengths> {
    let path = "traffic.lengths";
    let choice = reader.choice(path, node, &["Fixed", "Geometric", "Exponential", "Uniform"])?;
    if choice.is == "Fixed" {
        let flits = reader.single(choice, "Fixed(12)")?;
        return reader.small(flits, "a length in flits", 1..=LENGTH_MAX).map(Lengths::Fixed);
    }
    if choice.is == "Uniform" {
        let fields = reader.choice_fields(path, choice, &["min", "max"]);
        let low = reader.required(&fields, "min", "4");
        let min =
            low.and_then(|f| reader.small(f.value, "the shortest length in flits", 1..=LENGTH_MAX));
        let high = reader.required(&fields, "max", "20");
        let max =
            high.and_then(|f| reader.small(f.value, "the longest length in flits", 1..=LENGTH_MAX));
        let (min, max) = (min?, max?);
        if min > max {
            let what = format!("the longest length, {max}, is below the shortest, {min}");
            reader.problem(high?.value, what, Some(format!("write {min} or more")));
            return None;
        }
        return Some(Lengths::Uniform { min, max });
    }
    let fields = reader.choice_fields(path, choice, &["mean"]);
    let field = reader.required(&fields, "mean", "12")?;
    let mean = reader.number(field.value, "the mean length", "12")?;
    if (1.0..=f64::from(LENGTH_MAX)).contains(&mean) {
        return Some(match choice.is {
            "Geometric" => Lengths::Geometric(mean),
            _ => Lengths::Exponential(mean),
        });
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
