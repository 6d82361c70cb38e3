//! Comparison of two scenarios: comparability, equality of messages, differing fields.

use super::node::{Node, named, split};
use super::{Override, Scenario, schema};
use crate::ids::NodeId;
use crate::routing::Routing;
use crate::routing::rows::Rows;
use crate::system::System;
use crate::topology::Network;
use crate::traffic::Lengths;
use crate::traffic::lengths::Times;
use crate::units::{CYCLES_PER_TIME, Rate};
use crate::words::{Misfit, written};

/// Help message about comparisons of networks.
const OTHER_NETWORKS: &str = "runs are compared link by link; for other networks, `flitscope sweep SCENARIO \
                              --auto --vary 'network=[File(\"a.csv\"), File(\"b.csv\")]'` compares the \
                              latencies at all loads";

/// A field with different values in two scenarios.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The field in the notation of `--set`: `routing`, `switching.buffer_flits`.
    pub field: String,
    /// The values in the two scenarios, as briefly as possible.
    pub values: [String; 2],
}

/// Returns `other` with rate and seed of `first`, to be run together with the same messages.
///
/// # Errors
///
/// The networks differ in a link, the units of time differ, or `other` cannot send at the rate of
/// `first`.
pub fn beside(first: &Scenario, other: &Scenario) -> Result<Scenario, Misfit> {
    let (one, two) = (&first.system, &other.system);
    if !same_links(&one.network, &two.network) {
        let names = [&one.network, &two.network].map(|network| network.name());
        let what = match names {
            [one, two] if one != two => format!("{one} is not the same network as {two}"),
            [one, _] => format!("the two networks, both {one}, differ in their links"),
        };
        return Misfit::because(what, OTHER_NETWORKS);
    }
    let of_worms = are_worms_of(one, two);
    if one.time_unit() != two.time_unit() && !of_worms {
        let units = [one, two].map(|system| system.time_unit().name);
        let what = format!("the units of time differ: {} and {}", units[0], units[1]);
        return Misfit::because(
            what,
            "compare two wormhole networks, or circuits with the same unit of time",
        );
    }
    let rate = if of_worms { per_cycle(one) } else { one.traffic.rate };
    let most = two.rate_max();
    if rate > most {
        let what = format!("{} sends at most {} messages per node", other.name, most.0);
        return Misfit::because(
            what,
            format!("both run at the rate of {}, {}", first.name, one.traffic.rate.0),
        );
    }
    let mut beside = other.clone();
    beside.system.traffic.rate = rate;
    beside.seed = first.seed;
    Ok(beside)
}

/// The fields, besides `set`, by which messages over circuits become worms of as many cycles, if `set` has
/// another switching: lengths and rate.
pub fn as_worms(first: &Scenario, set: &[Override]) -> Vec<Override> {
    let system = &first.system;
    let becomes_worms =
        set.iter().any(|it| it.path == "switching" && !it.value.contains("Circuit"));
    if system.circuit().is_none() || !becomes_worms {
        return Vec::new();
    }
    let flits = |time: f64| (time * CYCLES_PER_TIME as f64).round().max(1.0) as u32;
    let lengths = match system.traffic.lengths.times() {
        Times::Fixed(time) => Lengths::Fixed(flits(time)),
        Times::Exponential { mean } => Lengths::Exponential { mean: mean * CYCLES_PER_TIME as f64 },
        Times::Uniform { min, max } => Lengths::Uniform { min: flits(min), max: flits(max) },
    };
    let rate = per_cycle(system).0.to_string();
    let fields = [("traffic.lengths", written(&lengths)), ("traffic.arrivals.rate", rate)];
    let given = |path: &str| set.iter().any(|it| path.starts_with(&it.path));
    let fields = fields.into_iter().filter(|(path, _)| !given(path));
    let field = |(path, value): (&str, String)| {
        let label = format!("--against-set {path}={value}");
        Override { path: path.to_owned(), value, label }
    };
    fields.map(field).collect()
}

/// The rate of circuits in messages per node and cycle.
fn per_cycle(circuits: &System) -> Rate {
    Rate(circuits.traffic.rate.0 / CYCLES_PER_TIME as f64)
}

/// True if the worms of `two` take as many cycles over a channel as the messages over the circuits of `one`.
fn are_worms_of(one: &System, two: &System) -> bool {
    let cycles = one.length_mean() * CYCLES_PER_TIME as f64;
    let is_near = (two.traffic.lengths.mean() / cycles - 1.0).abs() < 0.01;
    one.circuit().is_some() && two.wormhole().is_some() && is_near
}

/// True if terminals, routers and links are equal.
fn same_links(one: &Network, two: &Network) -> bool {
    let terminals = |network: &Network| {
        (0..network.nodes()).map(|node| network.router_of(NodeId::new(node))).collect()
    };
    let (a, b): (Vec<_>, Vec<_>) = (terminals(one), terminals(two));
    one.routers() == two.routers()
        && a == b
        && one.channels()[..one.links()] == two.channels()[..two.links()]
}

/// True if equal rates and seeds give the same messages: equal destinations, lengths and times.
pub fn same_messages(one: &Scenario, two: &Scenario) -> bool {
    let (one, two) = (&one.system.traffic, &two.system.traffic);
    one.script == two.script
        && one.process == two.process
        && one.destinations == two.destinations
        && one.senders == two.senders
        && one.to_itself == two.to_itself
        && one.lengths == two.lengths
        && one.classes == two.classes
        && one.closed_loop == two.closed_loop
}

/// The fields that differ between two scenarios, the network first and the others in the order of
/// the text. Rate and seed are excluded: [`beside`] equalizes both.
pub fn differences(one: &Scenario, two: &Scenario) -> Vec<Difference> {
    let mut found = Vec::new();
    let values = [one, two].map(|scenario| scenario.system.network.name());
    if values[0] != values[1] {
        found.push(Difference { field: "network".into(), values });
    }
    let [ones, twos] = [one, two].map(|scenario| schema::written(&scenario.system));
    let tables = different_tables(&one.system, &two.system);
    for ((field, one), (_, two)) in ones.iter().zip(&twos) {
        match &tables {
            Some(tables) if *field == "routing" => found.extend(tables.clone()),
            Some(_) | None => differ(field, Node::alone(one), Node::alone(two), &mut found),
        }
    }
    found
}

/// The difference of two routing tables, if any, by the number of rows that differ; `None` unless both
/// systems have tables of one kind.
fn different_tables(one: &System, two: &System) -> Option<Vec<Difference>> {
    let (Routing::Table { routes: one }, Routing::Table { routes: two }) =
        (one.relation.routing(), two.relation.routing())
    else {
        return None;
    };
    let counts = one.differences(two)?;
    let value = |(count, rows): (usize, &Rows)| format!("{count} of {rows}");
    let [first, second] = counts;
    let values = [(first, one), (second, two)].map(value);
    let field = "routing.routes".to_owned();
    Some(if counts == [0, 0] { Vec::new() } else { vec![Difference { field, values }] })
}

/// Names for two compared scenarios, from their differences: names of variants stand alone; other
/// values follow the name of their field. Empty without differences.
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

/// Adds the differences of two values: field by field for equal variants, else whole.
fn differ(field: &str, one: Node<'_>, two: Node<'_>, found: &mut Vec<Difference>) {
    if one.text == two.text {
        return;
    }
    let mut whole = |one: Node<'_>, two: Node<'_>| {
        let values = [one, two].map(|node| node.text.to_owned());
        found.push(Difference { field: field.to_owned(), values });
    };
    let (Some((name, ones)), Some((other, twos))) = (split(one), split(two)) else {
        return whole(one, two);
    };
    if name.text != other.text {
        return whole(name, other);
    }
    let (Some(ones), Some(twos)) = (named(ones), named(twos)) else { return whole(one, two) };
    for (one, two) in ones.iter().zip(&twos) {
        // `switching: Wormhole(buffer_flits: 2)` is set by `switching.buffer_flits`.
        differ(&format!("{field}.{}", one.name), one.value, two.value, found);
    }
}

#[cfg(test)]
mod tests;
