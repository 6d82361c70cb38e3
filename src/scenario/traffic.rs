//! The field `traffic`: arrivals, destinations, lengths, and the limits of sources.

use super::destinations;
use super::lengths::lengths;
use super::message_classes::From;
use super::node::{Field, Node};
use super::plan::Plan;
use super::reader::{Fields, Reader};
use super::{message_classes, script};
use crate::switching::circuit::RATE_MAX;
use crate::traffic::arrivals::RATE_MIN;
use crate::traffic::classes::{Feedback, MessageClasses};
use crate::traffic::lengths::Times;
use crate::traffic::{Destinations, Lengths, NodeRates, Process, Traffic};
use crate::units::{FLITS_PER_TIME, Load, Rate};
use crate::words::Need::{Example, Open};
use crate::words::{self, Kind, Structure, Words, words};

pub(super) const FIELDS: &[words::Field] = words!(@fields
    /// The arrival process of messages.
    arrivals = Example("Poisson(rate: 0.01)"), Kind::Choice(ARRIVALS);
    /// The destinations of messages; required unless the messages of a table are replayed.
    destinations = Open, destinations::KIND;
    /// The nodes that send, each a number, a tuple of coordinates or a name; by default, all.
    senders = Open, destinations::SENDERS;
    /// `true` if nodes also send to themselves, over their own injection and ejection channels:
    /// `Uniform` draws among all nodes, and nodes that a permutation leaves where they are send.
    to_itself = Open, Kind::Own("`true` or `false`", Structure::Truth);
    /// The lengths of messages, in flits, for circuits in units of time; required unless the messages
    /// of a table are replayed.
    lengths = Open, Kind::Choice(&[Lengths::VALUES, Times::VALUES]);
    /// The classes of messages, as requests and their replies; by default, all messages are alike.
    message_classes = Open, message_classes::KIND;
);

/// The most messages that the nodes of a closed loop keep outstanding together.
const OUTSTANDING_MAX: u64 = 1 << 21;

const ARRIVALS: &[&[words::Value]] =
    &[Process::VALUES, Feedback::VALUES, script::VALUES[0], script::VALUES[1]];

/// The given rate or load, with its field.
enum Pace<'a> {
    Rate(Field<'a>, f64),
    Load(Field<'a>, f64),
    /// The mean rate given by a matrix, at the name of the arrivals.
    Weights(Node<'a>, f64),
    /// As fast as a source can send.
    Most,
}

/// The meaning of arrivals without a rate or a load.
#[derive(Clone, Copy)]
enum Without {
    /// A mistake.
    Missing,
    /// The mean rate given by a matrix; `None` if the matrix is wrong.
    Weights(Option<f64>),
}

/// The nodes of a network, and the rates of those that send.
struct Nodes {
    all: usize,
    rates: NodeRates,
    /// The flits that the busiest node sends ([`Traffic::sent_most`]).
    most: f64,
}

impl Nodes {
    fn of(rates: NodeRates, all: usize) -> Self {
        Self { all, most: rates.most(), rates }
    }
}

pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
    circuits: bool,
) -> Option<Traffic> {
    let apart = ["arrivals", "destinations", "senders", "lengths"];
    let all = reader.record("traffic", "`traffic`", node, "Traffic", FIELDS, &apart);
    if let Some(at) = all.fields.get("arrivals")
        && script::is_meant(at.value)
    {
        let to_itself = to_itself(reader, &all.fields, circuits)?;
        return script::read(reader, &all.fields, (at, to_itself), network, circuits);
    }
    let classes = all.fields.get("message_classes").map(|field| field.value);
    reader.required(&all.fields, "destinations", "Uniform");
    if classes.is_none() {
        reader.required(&all.fields, "lengths", "Fixed(12)");
    }
    let given = |name| all.fields.get(name).map(|field: Field<'a>| field.value);
    let to_itself = to_itself(reader, &all.fields, circuits)?;
    let destinations =
        given("destinations").and_then(|at| destinations::read(reader, at, to_itself, network));
    if let (true, Some(false), Some(field)) = (
        to_itself,
        destinations.as_ref().map(Destinations::include_source),
        all.fields.get("to_itself"),
    ) {
        let what = "with these destinations no node sends to itself";
        return reader.refuse(
            field.key,
            what,
            "remove the field, or write `destinations: Uniform`",
        );
    }
    let senders = given("senders").map(|at| (at, destinations::senders(reader, at, network)));
    let matrix = given("destinations").is_some_and(|at| at.text.starts_with("Matrix"));
    let without = if matrix {
        Without::Weights(destinations.as_ref().and_then(Destinations::rate_mean))
    } else {
        Without::Missing
    };
    let arrivals = given("arrivals").and_then(|at| arrivals(reader, at, circuits, without));
    let lengths = given("lengths").map(|at| lengths(reader, at, circuits));
    if let (Some(at), true) = (classes, circuits) {
        let what = "circuits have no message classes";
        return reader.refuse(at, what, "remove the field, or write `switching: Wormhole()`");
    }
    let usual = lengths.flatten();
    let classes = classes.map(|at| message_classes::read(reader, at, usual, From::Arrivals));
    let Arrivals { process, pace, feedback } = arrivals?;
    let list = senders.as_ref().and_then(|(_, nodes)| nodes.as_deref());
    let nodes = match (&destinations, network) {
        (Some(destinations), Some(network)) => {
            Nodes::of(NodeRates::of(destinations, list, to_itself, network), network.nodes())
        }
        _ => Nodes::of(NodeRates::alike(1), 1),
    };
    if let (Some(feedback), Some(at)) = (feedback, given("arrivals")) {
        outstanding(reader, at, feedback, nodes.rates.senders() as u64)?;
    }
    if let (Some((at, Some(_))), 0) = (&senders, nodes.rates.senders()) {
        let what = "none of these nodes has a destination: nobody would send";
        return reader.refuse(*at, what, "name a node with a destination");
    }
    let classes = match classes {
        Some(classes) => classes?,
        None if feedback.is_some() => MessageClasses::single(lengths??),
        None => MessageClasses::default(),
    };
    let lengths = match lengths {
        Some(lengths) => lengths?,
        None => classes.0.first()?.lengths,
    };
    let traffic = Traffic::random(process, Rate(0.0), destinations?, lengths);
    let senders = match senders {
        None => None,
        Some((_, nodes)) => Some(nodes?),
    };
    let traffic = Traffic { classes, closed_loop: feedback, senders, to_itself, ..traffic };
    let flits = traffic.flits_per_arrival();
    let most = network.map_or(1.0, |network| traffic.sent_most(network));
    let nodes = Nodes { most, ..nodes };
    let read_rate = if circuits { rate_of_circuits } else { rate };
    let rate = read_rate(reader, &pace, flits, &nodes)?;
    Some(Traffic { rate, ..traffic })
}

/// Reads the field `to_itself`.
fn to_itself<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>, circuits: bool) -> Option<bool> {
    let Some(field) = fields.get("to_itself") else { return Some(false) };
    let found = field.value.text.parse().ok()?;
    if found && circuits {
        let what = "a circuit joins two nodes: none sends to itself";
        return reader.refuse(
            field.key,
            what,
            "remove the field, or write `switching: Wormhole()`",
        );
    }
    Some(found)
}

/// Checks the number of messages that a closed loop keeps outstanding.
fn outstanding<'a>(
    reader: &mut Reader<'a>,
    at: Node<'a>,
    Feedback::ClosedLoop { window, .. }: Feedback,
    senders: u64,
) -> Option<()> {
    let all = u64::from(window) * senders;
    if all <= OUTSTANDING_MAX {
        return Some(());
    }
    let what = format!("{all} messages would be outstanding, and {OUTSTANDING_MAX} may be");
    let most = OUTSTANDING_MAX / senders.max(1);
    reader.refuse(at, what, format!("write a window of {most} or less"))
}

/// The arrivals as read.
struct Arrivals<'a> {
    process: Process,
    pace: Pace<'a>,
    /// The closed loop, if arrivals follow from deliveries.
    feedback: Option<Feedback>,
}

fn arrivals<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    circuits: bool,
    without: Without,
) -> Option<Arrivals<'a>> {
    let path = "traffic.arrivals";
    let (choice, contents) = reader.pick(path, node, ARRIVALS)?;
    if Feedback::VALUES.iter().any(|value| value.name == choice.is) {
        let (feedback, _) = reader.chosen(path, choice, contents)?;
        if circuits {
            let what = "circuits have no closed loops";
            let help = "write `Poisson(rate: 0.01)`, or `switching: Wormhole()`";
            return reader.refuse(choice.name, what, help);
        }
        let process = Process::Poisson;
        return Some(Arrivals { process, pace: Pace::Most, feedback: Some(feedback) });
    }
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
        (None, None) if let Without::Weights(mean) = without => Pace::Weights(choice.name, mean?),
        _ => {
            let example = "`rate: 0.01` (messages/node/cycle) or `load: 0.12` (flits/node/cycle)";
            reader.missing(fields, "`rate` or `load`", example);
            return None;
        }
    };
    Some(Arrivals { process: process?, pace, feedback: None })
}

/// The mean rate of the senders, if all of them can send as much. A load is averaged over all
/// nodes.
fn rate<'a>(reader: &mut Reader<'a>, pace: &Pace<'a>, mean: f64, nodes: &Nodes) -> Option<Rate> {
    let (all, senders, most) = (nodes.all, nodes.rates.senders(), nodes.most);
    let load_max = senders as f64 / all as f64 / most;
    let (at, rate) = match *pace {
        Pace::Rate(field, rate) => (field.value, Rate(rate)),
        Pace::Load(field, load) => {
            (field.value, Load(load / (senders as f64 / all as f64)).to_rate(mean))
        }
        Pace::Weights(at, rate) => (at, Rate(rate)),
        Pace::Most => return Some(Rate(1.0 / mean / most)),
    };
    let fastest = if nodes.rates.senders_alike() {
        String::new()
    } else {
        format!(", and one node sends {} times as much as the mean node", rounded(most))
    };
    let what = match *pace {
        Pace::Rate(..) | Pace::Load(..) | Pace::Weights(..) | Pace::Most
            if rate.0 * nodes.rates.least() < RATE_MIN =>
        {
            let what = format!(
                "a rate of {} messages/node/cycle is below the minimum, {RATE_MIN:e}",
                rounded(rate.0 * nodes.rates.least())
            );
            return reader.refuse(at, what, "write a larger number");
        }
        Pace::Rate(..) | Pace::Weights(..) if Rate(rate.0 * most).to_load(mean).0 > 1.0 => {
            format!(
                "a rate of {} messages of {mean} flits is a load of {} flits/node/cycle{fastest}, but a \
                 source can send at most 1",
                rate.0,
                rounded(rate.to_load(mean).0)
            )
        }
        Pace::Load(_, load) if load > load_max && senders < all => format!(
            "a load of {load} flits/node/cycle exceeds the maximum: {senders} of {all} nodes send \
             at most 1 each{fastest}, {load_max} over all nodes"
        ),
        Pace::Load(_, load) if load > load_max => format!(
            "offered load {load} exceeds {} flit/node/cycle, the most a source can send{fastest}",
            rounded(load_max)
        ),
        Pace::Rate(..) | Pace::Load(..) | Pace::Weights(..) | Pace::Most => return Some(rate),
    };
    let help = match pace {
        Pace::Rate(..) => format!("write {} or less", below(1.0 / mean / most)),
        Pace::Weights(..) => {
            format!("write `rate: {}` or less, or smaller weights", below(1.0 / mean / most))
        }
        Pace::Load(..) if load_max < 1.0 => format!("write {} or less", below(load_max)),
        Pace::Load(..) | Pace::Most => "write 1.0 or less".into(),
    };
    reader.refuse(at, what, help)
}

/// The rate of circuits. Nodes may have any number of circuits; only the rate is limited.
fn rate_of_circuits<'a>(
    reader: &mut Reader<'a>,
    pace: &Pace<'a>,
    flits: f64,
    nodes: &Nodes,
) -> Option<Rate> {
    let mean = flits / f64::from(FLITS_PER_TIME);
    let rates = &nodes.rates;
    let (at, rate) = match *pace {
        Pace::Rate(field, rate) => (field.value, Rate(rate)),
        Pace::Load(field, load) => {
            let each = load * nodes.all as f64 / rates.senders() as f64;
            (field.value, Load(each).to_rate(mean))
        }
        Pace::Weights(at, rate) => (at, Rate(rate)),
        Pace::Most => return None,
    };
    let (least, most) = (rate.0 * rates.least(), rate.0 * rates.most());
    if least >= RATE_MIN && most <= RATE_MAX {
        return Some(rate);
    }
    let what = format!(
        "a rate must be {RATE_MIN:e} to {} messages per node and unit of time, not {}",
        RATE_MAX,
        rounded(if least < RATE_MIN { least } else { most })
    );
    let help = if least < RATE_MIN { "write a larger number" } else { "write a smaller number" };
    reader.refuse(at, what, help)
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
