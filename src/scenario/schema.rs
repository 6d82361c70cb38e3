//! The whole scenario: its fields, each read by its part, put together where all are right.

use super::network::Plan;
use super::node::Node;
use super::policies::messages_fit;
use super::reader::Reader;
use super::rule::Rule;
use super::{circuit, machine, network, rule, traffic};
use crate::switching::Switching;
use crate::system::System;
use crate::traffic::Traffic;

/// What a text without problems says.
pub(super) struct Draft<'a> {
    pub title: Option<String>,
    pub seed: u64,
    pub parts: Parts<'a>,
}

/// The checked parts of a system; nothing large is allocated before they are built.
pub(super) struct Parts<'a> {
    network: Plan<'a>,
    switching: Switching,
    rule: Rule<'a>,
    traffic: Traffic,
}

impl Parts<'_> {
    pub fn build(self) -> System {
        let Rule { routing, half_way, .. } = self.rule;
        System::new(self.network.build(), routing, self.switching, self.traffic)
            .with_half_way(half_way)
    }
}

pub(super) fn read<'a>(reader: &mut Reader<'a>, document: Node<'a>) -> Option<Draft<'a>> {
    let allowed = ["title", "network", "switching", "routing", "traffic", "seed"];
    let fields = reader.group("", "a scenario", document, "Scenario", &allowed);
    let title = fields.get("title").map(|field| reader.line_of_text(field.value, "the title"));
    let network = reader.required(&fields, "network", "Torus(radix: [8, 8])");
    let network = network.and_then(|field| network::read(reader, field.value));
    let switching = match fields.get("switching") {
        Some(field) => field.value,
        None => reader.default_value("Wormhole()"),
    };
    let switching = machine::switching(reader, switching);
    let rule = reader.required(&fields, "routing", "DimensionOrder()");
    let rule = rule.and_then(|field| rule::read(reader, field.value, network.as_ref()));
    let circuits = matches!(switching, Some(machine::Draft::Circuit(_)));
    let fitted: Option<(Switching, Rule<'a>)> = match &switching {
        Some(machine::Draft::Wormhole(worms)) => {
            let routing = rule.map(|rule| rule.routing);
            let machine = machine::fit(reader, worms, routing, network.as_ref());
            machine.zip(rule).map(|(machine, rule)| (machine.into(), rule))
        }
        Some(machine::Draft::Circuit(Some(draft))) => {
            let fitted = circuit::fit(reader, draft, rule, network.as_ref());
            fitted.map(|(machine, rule)| (machine.into(), rule))
        }
        _ => None,
    };
    let traffic = reader.required(
        &fields,
        "traffic",
        "(arrivals: Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(12))",
    );
    let traffic =
        traffic.and_then(|field| traffic::read(reader, field.value, network.as_ref(), circuits));
    if let (Some(machine::Draft::Wormhole(worms)), Some(traffic)) = (switching, &traffic)
        && let Some(policies) = worms.policies
    {
        messages_fit(reader, &policies, traffic);
    }
    let seed = match fields.get("seed") {
        Some(field) => reader.integer(field.value, "the seed", 0..=u64::MAX),
        None => Some(1),
    };
    let (switching, rule) = fitted?;
    let parts = Parts { network: network?, switching, rule, traffic: traffic? };
    Some(Draft { title: title.flatten(), seed: seed?, parts })
}
