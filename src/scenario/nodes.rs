//! Nodes by number, coordinates or name, and lists of nodes.

use std::collections::HashMap;

use super::node::{Node, tuple};
use super::plan::Plan;
use super::reader::Reader;
use crate::ids::{NodeId, RouterId};
use crate::text::count;
use crate::topology::Network;
use crate::topology::cube::{Cube, DIMENSIONS_MAX, RADIX_MAX, ROUTERS_MAX};
use crate::words::{Kind, Structure};

pub(super) const NODES: Kind =
    Kind::Own("a list of nodes", Structure::List(&NODE, (1, ROUTERS_MAX)));
pub(super) const NODE: Kind = Kind::Own(
    "a node",
    Structure::Either(&[
        Kind::whole("the number of a node", 0, ROUTERS_MAX as u32 - 1),
        Kind::Own(
            "the coordinates of a node",
            Structure::Tuple(&[COORDINATE], (1, DIMENSIONS_MAX + 1)),
        ),
        Kind::Text("the name of a node"),
    ]),
);
const COORDINATE: Kind = Kind::whole("a coordinate", 0, RADIX_MAX - 1);

/// Reads different nodes; `called` is the list in messages, `empty` the mistake and the correction of an
/// empty list.
pub(super) fn nodes<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    called: &str,
    empty: (&str, &str),
    network: Option<&Plan<'a>>,
) -> Option<Vec<NodeId>> {
    let help = format!("write `[{}]`", super::names::shown(node.text));
    let parts = reader.list(node, called, &help)?;
    if parts.is_empty() {
        return reader.refuse(node, empty.0, empty.1);
    }
    let mut seen = HashMap::new();
    reader.each(&parts, |reader, part| {
        let id = self::node(reader, part, network)?;
        let Some(first) = seen.insert(id, part.text) else { return Some(id) };
        let what = format!("this node is named twice, first as `{first}`");
        reader.refuse(part, what, "remove one of the two")
    })
}

/// Reads a node.
pub(super) fn node<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: Option<&Plan<'a>>,
) -> Option<NodeId> {
    if node.text.starts_with('"') {
        return named(reader, node, network?);
    }
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

/// Reads the name of a node.
fn named<'a>(reader: &mut Reader<'a>, node: Node<'a>, network: &Network) -> Option<NodeId> {
    let name = reader.line_of_text(node, "the name of a node")?;
    if let Ok(found) = network.node_named(&name) {
        return Some(found);
    }
    let what = format!("there is no node {}", node.text);
    let names: Vec<String> =
        (0..network.nodes()).map(|at| network.node_name(NodeId::new(at))).collect();
    let near = super::names::nearest(&name, names.iter().map(String::as_str));
    let help = near.map_or_else(
        || "write the number or the name of a node".to_owned(),
        |near| format!("did you mean {near:?}?"),
    );
    reader.refuse(node, what, help)
}
