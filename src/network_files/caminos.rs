//! Configurations of CAMINOS as scenarios.
//!
//! ```text
//! Configuration {
//!     topology: Mesh { sides: [8, 8], servers_per_router: 1 },
//!     traffic: HomogeneousTraffic { pattern: Uniform, servers: 64, load: 0.2, message_size: 4 },
//!     maximum_packet_size: 4,
//!     router: Basic { virtual_channels: 2, buffer_size: 8, bubble: false },
//!     routing: DOR { order: [0, 1] },
//! }
//! ```
//!
//! The router is [`Preset::Caminos`](crate::switching::Preset::Caminos). Every field is converted,
//! approximated with a note, without effect on the network, or refused.

mod fields;
mod tree;

use std::fmt::Write;

use self::fields::Converter;
use self::tree::{Node, Value, read};
pub use super::conversion::Configuration;
use super::mistake::{Mistake, Report, quoted};

/// Converts a configuration.
///
/// # Errors
///
/// All mistakes, in the order of the text.
pub fn read_configuration(text: &str) -> Result<Configuration, Vec<Mistake>> {
    let mut report = Report::new(text);
    let tree = read(&mut report);
    let mut converter = Converter { report, notes: Vec::new() };
    let scenario = tree.and_then(|tree| converter.scenario(&tree));
    match scenario.filter(|_| converter.report.is_clean()) {
        Some(scenario) => Ok(Configuration { scenario, notes: converter.notes }),
        None => Err(converter.report.finish()),
    }
}

/// Fields of a configuration that do not affect the network.
const MEASUREMENT: [&str; 8] = [
    "warmup",
    "measured",
    "legend_name",
    "launch_configurations",
    "statistics_temporal_step",
    "statistics_server_percentiles",
    "statistics_packet_percentiles",
    "statistics_packet_definitions",
];

impl<'t> Converter<'t> {
    fn scenario(&mut self, tree: &Node<'t>) -> Option<String> {
        let mut all = self.object(tree, &["Configuration"])?;
        let network = self.needed(&mut all, "topology").and_then(|node| self.network(node));
        let traffic = self.needed(&mut all, "traffic");
        let traffic = traffic.and_then(|node| self.traffic(node, network.as_ref()));
        if let (Some(node), Some(traffic)) = (all.take("maximum_packet_size"), &traffic) {
            let most = self.whole(node, [1, 1_000_000]);
            if most.is_some_and(|most| most < traffic.length) {
                let what = "longer messages are divided into packets, which is not converted";
                self.report.add(&node.at, what, format!("write {} or more", traffic.length));
            }
        }
        let length = traffic.as_ref().map(|it| it.length);
        let router = self.needed(&mut all, "router").and_then(|node| self.router(node, length));
        let routing = self.needed(&mut all, "routing");
        let routing = routing.and_then(|node| self.routing(node, network.as_ref()));
        let delay = all.take("link_classes").map_or(Some(1), |node| self.link_delay(node));
        let seed = all.take("random_seed").map_or(Some(1), |node| self.whole(node, [0, u32::MAX]));
        self.only(&mut all, "general_frequency_divisor", "1");
        let ignored: Vec<&str> =
            MEASUREMENT.into_iter().filter(|it| all.take(it).is_some()).collect();
        if !ignored.is_empty() {
            self.notes.push(format!("without effect on the network: {}", ignored.join(", ")));
        }
        self.end(all);
        let (network, routing, traffic) = (network?, routing?, traffic?);
        let (mut router, delay, seed) = (router?, delay?, seed?);
        if delay > 1 {
            let _ = write!(router, ", channel_delay: {delay}");
        }
        Some(format!(
            "Scenario(\n    network: {},\n    routing: {routing},\n    \
             switching: Wormhole(preset: Caminos, {router}),\n    traffic: (\n        arrivals: \
             Geometric(rate: {}),\n        destinations: {},\n        lengths: Fixed({}),\n    ),\n    \
             seed: {seed},\n)\n",
            network.text,
            traffic.load / f64::from(traffic.length),
            traffic.destinations,
            traffic.length,
        ))
    }

    fn network(&mut self, node: &Node<'t>) -> Option<Grid> {
        let mut given = self.object(node, &["Mesh", "Torus", "Hamming"])?;
        let sides = self.needed(&mut given, "sides");
        let sides = sides.and_then(|node| self.wholes(node, [2, 1024]));
        let hosts = self.needed(&mut given, "servers_per_router");
        let hosts = hosts.and_then(|node| self.whole(node, [1, 1024]));
        let is_full = given.name == "Hamming";
        let name = if is_full { "HyperX" } else { given.name };
        self.end(given);
        let (sides, hosts) = (sides?, hosts?);
        let more = if hosts > 1 || is_full { format!(", hosts: {hosts}") } else { String::new() };
        let nodes = sides.iter().map(|&side| u64::from(side)).product::<u64>() * u64::from(hosts);
        Some(Grid { text: format!("{name}(radix: {sides:?}{more})"), sides, hosts, nodes, is_full })
    }

    fn traffic(&mut self, node: &Node<'t>, network: Option<&Grid>) -> Option<Traffic> {
        let mut given = self.object(node, &["HomogeneousTraffic"])?;
        let pattern = self.needed(&mut given, "pattern");
        let destinations = pattern.and_then(|node| self.destinations(node, network));
        let load = self.needed(&mut given, "load");
        let load = load.and_then(|node| self.number(node, [1e-9, 1.0]));
        let length = self.needed(&mut given, "message_size");
        let length = length.and_then(|node| self.whole(node, [1, 1_000_000]));
        let senders = given.take("servers").or_else(|| given.take("tasks"));
        if let (Some(node), Some(network)) = (senders, network) {
            let count = self.whole(node, [1, u32::MAX]);
            if count.is_some_and(|count| u64::from(count) != network.nodes) {
                let what = format!("the network has {} servers", network.nodes);
                self.report.add(&node.at, what, format!("write {}", network.nodes));
            }
        }
        self.end(given);
        Some(Traffic { load: load?, destinations: destinations?, length: length? })
    }

    /// The destinations of a pattern: uniform, or a transformation of coordinates.
    fn destinations(&mut self, node: &Node<'t>, network: Option<&Grid>) -> Option<&'static str> {
        let mut given = self.object(node, &["Uniform", "CartesianTransform"])?;
        if given.name == "Uniform" {
            self.end(given);
            return Some("Uniform");
        }
        let sides = self.needed(&mut given, "sides");
        let sides = sides.and_then(|node| self.wholes(node, [1, 1024]));
        let shift = given.take("shift").map(|node| self.wholes(node, [0, 1024]));
        let permute = given.take("permute").map(|node| self.wholes(node, [0, 12]));
        let complement = given.take("complement").map(|node| {
            let values = self.list(node)?;
            values.iter().map(|value| self.truth(value)).collect::<Option<Vec<bool>>>()
        });
        let at = given.at.clone();
        self.end(given);
        let (sides, network) = (sides?, network?);
        let fits = sides == network.sides && network.hosts == 1;
        let all = |shift: &[u32], step: fn(u32) -> u32| {
            shift.iter().zip(&sides).all(|(shift, side)| *shift == step(*side))
        };
        let found = match (shift, permute, complement) {
            (Some(shift), None, None) => match shift? {
                shift if all(&shift, |_| 1) => Some("Neighbour"),
                shift if all(&shift, |side| side.div_ceil(2) - 1) => Some("Tornado"),
                _ => None,
            },
            (None, Some(permute), None) => (permute? == [1, 0]).then_some("Transpose"),
            (None, None, Some(flips)) => flips?.iter().all(|flip| *flip).then_some("BitComplement"),
            _ => None,
        };
        let Some(found) = found.filter(|_| fits) else {
            let what = "this transformation is not converted";
            let help = "shift all coordinates by 1 or by half a side less one, exchange two, or \
                        complement all, of the routers of the network";
            return self.refuse(&at, what, help);
        };
        self.notes.push("packets of a node to itself are left out".to_owned());
        Some(found)
    }

    /// The fields of the machine, for messages of a length.
    fn router(&mut self, node: &Node<'t>, length: Option<u32>) -> Option<String> {
        let mut given = self.object(node, &["Basic"])?;
        let vcs = self.needed(&mut given, "virtual_channels");
        let vcs = vcs.and_then(|node| self.whole(node, [1, 32]));
        let buffer = self.needed(&mut given, "buffer_size");
        let buffer = buffer.and_then(|node| self.whole(node, [1, 65_535]));
        let behind = given.take("output_buffer_size");
        let behind = behind.map_or(Some(0), |node| self.whole(node, [0, 65_535]));
        let bubble = given.take("bubble").map_or(Some(false), |node| self.truth(node));
        for (name, usual) in [
            ("delay", "0"),
            ("intransit_priority", "false"),
            ("allow_request_busy_port", "true"),
            ("output_prioritize_lowest_label", "true"),
            ("transmission_port_independent_selection", "false"),
            ("crossbar_frequency_divisor", "1"),
        ] {
            self.only(&mut given, name, usual);
        }
        if let Some(node) = given.take("virtual_channel_policies") {
            let policies = self.list(node)?;
            let is = |node: &Node<'_>, name| matches!(node.value, Value::Word(it) | Value::Object(it, _) if it == name);
            if !policies.iter().any(|it| is(it, "EnforceFlowControl")) {
                let what = "buffers without flow control are not converted";
                self.report.add(&node.at, what, "add `EnforceFlowControl`");
            }
            let others = policies.iter().filter(|it| !is(it, "EnforceFlowControl"));
            let given: Vec<&str> = others.map(|it| &self.report.text[it.at.clone()]).collect();
            if !given.is_empty() {
                let given = given.join(", ");
                self.notes.push(format!("{} is approximated by round robin", quoted(&given)));
            }
        }
        let is_whole = given.take("flit_size").map_or(Some(false), |node| self.flit(node, length));
        self.end(given);
        let (vcs, buffer, behind) = (vcs?, buffer?, behind?);
        if behind > 0 {
            self.notes.push(
                "`output_buffer_size` is approximated: input and output buffers are one buffer; \
                 measured: up to 4 % of the latency at 70 % of saturation, 8 % at 90 %"
                    .to_owned(),
            );
        }
        let forwarding = match (bubble?, is_whole?) {
            (true, _) => ", forwarding: Bubble",
            (false, true) => ", forwarding: CutThrough",
            (false, false) => "",
        };
        Some(format!("virtual_channels: {vcs}, buffer_flits: {}{forwarding}", buffer + behind))
    }

    /// True if messages of a length are a flit of CAMINOS, which starts only with credits for all its
    /// phits.
    fn flit(&mut self, node: &Node<'t>, length: Option<u32>) -> Option<bool> {
        let phits = self.whole(node, [1, 65_535])?;
        if phits == 1 {
            return Some(false);
        }
        let length = length?;
        if phits < length {
            let what = format!("flits of {phits} phits in messages of {length} are not converted");
            self.report.add(&node.at, what, format!("write 1, or {length}"));
            return None;
        }
        Some(true)
    }

    fn routing(&mut self, node: &Node<'t>, network: Option<&Grid>) -> Option<String> {
        let mut given = self.object(node, &["DOR", "Shortest"])?;
        if given.name == "Shortest" {
            let at = given.at.clone();
            self.end(given);
            return match network {
                Some(network) if network.is_full => Some("Minimal()".to_owned()),
                Some(_) => {
                    let what = "shortest routes in rings and meshes are not converted";
                    self.refuse(&at, what, "write `DOR { order: [0, 1] }`")
                }
                None => None,
            };
        }
        let order = given.take("order").map(|node| self.wholes(node, [0, 11]));
        self.end(given);
        network?;
        let order = order.map_or(Some(Vec::new()), |order| order)?;
        let ascending = order.iter().zip(0..).all(|(given, at)| *given == at);
        let order = if ascending { String::new() } else { format!(", order: {order:?}") };
        Some(format!("DimensionOrder(classes: None{order})"))
    }

    /// The delay of the links between routers: all but the last class, that of servers.
    fn link_delay(&mut self, node: &Node<'t>) -> Option<u32> {
        let mut delays = Vec::new();
        for class in self.list(node)? {
            let mut given = self.object(class, &["LinkClass"])?;
            let delay = self.needed(&mut given, "delay");
            delays.push(delay.and_then(|node| self.whole(node, [1, 64])));
            self.only(&mut given, "frequency_divisor", "1");
            self.end(given);
        }
        let delays: Vec<u32> = delays.into_iter().collect::<Option<_>>()?;
        let Some((&servers, links)) = delays.split_last() else { return Some(1) };
        let delay = links.first().copied().unwrap_or(1);
        if servers != 1 || links.iter().any(|&other| other != delay) {
            let what = "links of servers with a delay, and different delays, are not converted";
            return self.refuse(
                &node.at,
                what,
                "write one delay for all, and 1 for the last class",
            );
        }
        Some(delay)
    }
}

/// A network of routers on a lattice.
struct Grid {
    text: String,
    sides: Vec<u32>,
    /// Hosts of every router.
    hosts: u32,
    nodes: u64,
    /// True if routers are fully joined along every dimension.
    is_full: bool,
}

/// Random messages.
struct Traffic {
    load: f64,
    destinations: &'static str,
    length: u32,
}

#[cfg(test)]
mod tests;
