//! Reads all fields of a scenario and combines their values.

use super::node::Node;
use super::plan::Plan;
use super::reader::Reader;
use super::rule::Rule;
use super::{circuit, failures, machine, message_classes, network, pipeline, rule, traffic};
use crate::ids::ChannelId;
use crate::routing::Routing;
use crate::switching::Switching;
use crate::system::System;
use crate::system::failures::Failures;
use crate::traffic::Traffic;
use crate::words::Need::{Default, Example, Open};
use crate::words::{self, Field, Kind, Words, words};

/// The values of a text without problems.
pub(super) struct Draft<'a> {
    pub title: Option<String>,
    pub seed: u64,
    network: Plan<'a>,
    switching: Switching,
    rule: Rule<'a>,
    traffic: Traffic,
    failed: Vec<ChannelId>,
    failures: Failures,
    /// True if no field of the text determines when a VC is free again.
    pub default_release: bool,
}

impl Draft<'_> {
    /// Builds the system; nothing large is allocated before.
    pub fn build(self) -> System {
        let Rule { placement, half_way, .. } = self.rule;
        System::of(self.network.network, placement, self.switching, self.traffic)
            .with_half_way(half_way)
            .with_failed(self.failed)
            .with_failures(self.failures)
    }
}

pub const FIELDS: &[Field] = words!(@fields
    /// The title shown to users; by default, the name of the scenario.
    title = Open, Kind::Text("the title");
    /// The network: routers and links.
    network = Example("Torus(radix: [8, 8])"), network::KIND;
    /// The switching technique and its parameters.
    switching = Default("Wormhole()"), machine::KIND;
    /// The routing algorithm.
    routing = Example("DimensionOrder()"), Routing::KIND;
    /// The generated messages.
    traffic = Example("(arrivals: Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(12))"),
        Kind::Fields(&[traffic::FIELDS]);
    /// Failures of links and routers during the run, given or random.
    failures = Open, failures::KIND;
    /// The consequences of failures, also of those made on the screen.
    on_failure = Open, failures::ON_FAILURE;
    /// The seed of all random choices in a run; a random network has its own seed.
    seed = Default("1"), Kind::Whole { called: "the seed", limits: (0, u64::MAX) };
);

/// The kind of a scenario document.
pub(crate) const KIND: Kind = Kind::Fields(&[FIELDS]);

pub(super) fn read<'a>(reader: &mut Reader<'a>, document: Node<'a>) -> Option<Draft<'a>> {
    let apart = ["network", "switching", "routing", "traffic", "failures", "on_failure"];
    let given = reader.record("", "a scenario", document, "Scenario", FIELDS, &apart);
    let fields = &given.fields;
    let network = fields.get("network");
    let network = network.and_then(|field| network::read(reader, field.value));
    let switching = match fields.get("switching") {
        Some(field) => field.value,
        None => reader.default_value(given.fields.owner, "Wormhole()"),
    };
    let switching = machine::switching(reader, switching);
    let rule =
        fields.get("routing").and_then(|field| rule::read(reader, field.value, network.as_ref()));
    let circuits = switching.as_ref().is_some_and(|draft| draft.circuits);
    let fitted: Option<(Switching, Rule<'a>, Vec<ChannelId>)> =
        switching.as_ref().and_then(|draft| {
            let network = network.as_ref();
            if !circuits {
                let machine =
                    machine::fit(reader, draft, rule.as_ref().map(|rule| &rule.placement), network);
                return Some((machine?.into(), rule?, Vec::new()));
            }
            let machine = *draft.machine.as_ref()?.circuit()?;
            let fields = &draft.given.fields;
            let (machine, rule, failed) = circuit::fit(reader, machine, fields, rule, network)?;
            Some((machine.into(), rule, failed))
        });
    let given_failures = [fields.get("failures"), fields.get("on_failure")];
    let owner = given.fields.owner;
    let failures = failures::read(reader, owner, given_failures, network.as_ref());
    let traffic = fields
        .get("traffic")
        .and_then(|field| traffic::read(reader, field.value, network.as_ref(), circuits));
    if let Some(draft) = &switching
        && let Some(Switching::Wormhole(machine)) = &draft.machine
    {
        pipeline::serves(reader, &draft.given.fields, machine, traffic.as_ref());
    }
    if let (Some(draft), Some(traffic)) = (&switching, &traffic)
        && let Some(Switching::Wormhole(machine)) = &draft.machine
    {
        message_classes::fit(reader, &draft.given.fields, machine, traffic);
        machine::messages_fit(reader, machine, draft.given.fields.get("forwarding"), traffic);
    }
    let decides = |draft: &machine::Draft<'a>| {
        ["release", "preset", "pipeline"].iter().any(|name| draft.given.fields.get(name).is_some())
    };
    let default_release = switching.as_ref().is_some_and(|draft| !decides(draft));
    let (switching, rule, failed) = fitted?;
    Some(Draft {
        title: given.given("title"),
        seed: given.get("seed")?,
        network: network?,
        switching,
        rule,
        traffic: traffic?,
        failed,
        failures: failures?,
        default_release,
    })
}

/// The failed links of a system, by their routers.
fn failed(system: &System) -> String {
    let ends = system.failed().iter().map(|&link| system.network.channel(link));
    let ends: Vec<(u32, u32)> = ends.map(|link| (link.from.0, link.to.0)).collect();
    words::written(&ends)
}

/// The fields of a scenario for the given system, except for network, rate and seed.
pub(super) fn written(system: &System) -> [(&'static str, String); 12] {
    let System { switching, relation, traffic, .. } = system;
    let lengths = &traffic.lengths;
    let circuits = system.circuit().is_some();
    [
        ("switching", words::written(switching)),
        (
            "switching.failed",
            if system.failed().is_empty() { "none".to_owned() } else { failed(system) },
        ),
        ("routing", words::written(&relation.routing())),
        ("routing.half_way", words::written(&relation.half_way())),
        ("traffic.arrivals", traffic.arrivals()),
        ("traffic.destinations", words::written(&traffic.destinations)),
        (
            "traffic.senders",
            traffic.senders.as_ref().map_or_else(|| "all".to_owned(), words::written),
        ),
        ("traffic.to_itself", traffic.to_itself.to_string()),
        (
            "traffic.lengths",
            if circuits { words::written(&lengths.times()) } else { words::written(lengths) },
        ),
        (
            "traffic.message_classes",
            if traffic.classes.is_empty() {
                "none".to_owned()
            } else {
                words::written(&traffic.classes)
            },
        ),
        ("failures", failures::written(&system.plan().failures)),
        ("on_failure", failures::written_consequences(system.plan().consequences())),
    ]
}
