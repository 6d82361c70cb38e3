//! Two scenarios held against each other: whether that makes sense, whether they send the same
//! messages, and the fields in which they differ.

use super::node::{Node, named, split};
use super::{Scenario, schema};
use crate::ids::NodeId;
use crate::topology::Network;
use crate::words::Misfit;

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
pub fn beside(first: &Scenario, other: &Scenario) -> Result<Scenario, Misfit> {
    let (one, two) = (&first.system, &other.system);
    if !same_links(&one.network, &two.network) {
        let names = [&one.network, &two.network].map(|network| network.name());
        let what = match names {
            [one, two] if one != two => format!("{one} is not the same network as {two}"),
            [one, _] => format!("the two networks, each {one}, have not the same links"),
        };
        return Misfit::because(what, "runs are compared link by link: both need the same network");
    }
    if one.time_unit() != two.time_unit() {
        let units = [one, two].map(|system| system.time_unit().name);
        let what = format!("one counts in {}, the other in {}", units[0], units[1]);
        return Misfit::because(
            what,
            "compare worms with worms, circuits with circuits of one unit",
        );
    }
    let (rate, most) = (one.traffic.rate, two.rate_max());
    if rate > most {
        let what = format!("{} sends at most {} messages per node", other.name, most.0);
        return Misfit::because(
            what,
            format!("both are run at the rate of {}, {}", first.name, rate.0),
        );
    }
    let mut beside = other.clone();
    beside.system.traffic.rate = rate;
    beside.seed = first.seed;
    Ok(beside)
}

/// True if terminals, routers and the links between them are the same.
fn same_links(one: &Network, two: &Network) -> bool {
    let terminals = |network: &Network| {
        (0..network.nodes()).map(|node| network.router_of(NodeId::new(node))).collect()
    };
    let (a, b): (Vec<_>, Vec<_>) = (terminals(one), terminals(two));
    one.routers() == two.routers()
        && a == b
        && one.channels()[..one.links()] == two.channels()[..two.links()]
}

/// True if two scenarios run at the same rate with the same seed send the same messages: to the same
/// destinations, of the same lengths, at the same times.
pub fn same_messages(one: &Scenario, two: &Scenario) -> bool {
    let (one, two) = (&one.system.traffic, &two.system.traffic);
    one.process == two.process && one.destinations == two.destinations && one.lengths == two.lengths
}

/// The fields in which two scenarios differ, those of the text in the order of the text. Rate and seed
/// are left out: they are the same when the two are run [`beside`] each other.
pub fn differences(one: &Scenario, two: &Scenario) -> Vec<Difference> {
    let mut found = Vec::new();
    let values = [one, two].map(|scenario| scenario.system.network.name());
    if values[0] != values[1] {
        found.push(Difference { field: "network".into(), values });
    }
    let [ones, twos] = [one, two].map(|scenario| schema::written(&scenario.system));
    for ((field, one), (_, two)) in ones.iter().zip(&twos) {
        differ(field, Node::alone(one), Node::alone(two), &mut found);
    }
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

/// Adds where two values differ: whole, or field by field where they are of one kind.
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
