//! Converts scenarios and deliveries to the input of statistics.

use std::num::NonZeroU64;

use crate::engine::Delivery;
use crate::scenario::Scenario;
use crate::stats::{Observation, Offered};
use crate::system::System;
use crate::units::Rate;

/// The offered traffic of a scenario at a rate, for its statistics.
pub(super) fn offered(scenario: &Scenario, rate: Rate) -> Offered {
    let (network, traffic) = (&scenario.system.network, &scenario.system.traffic);
    Offered {
        nodes: network.nodes(),
        links: scenario.system.links().count,
        // The sum over all nodes, like the accepted load, per cycle.
        rate: rate.0 * traffic.messages_per_arrival() * scenario.system.sending_share()
            / scenario.system.time_unit().cycles as f64,
        length_mean: traffic.flits_per_arrival() / traffic.messages_per_arrival(),
        gap_variation: scenario.system.traffic.process.variation(),
        memory: scenario.system.traffic.process.memory(rate)
            * scenario.system.time_unit().cycles as f64,
        circuits: scenario.system.circuit().is_some(),
        classes: traffic.classes.0.len(),
        controls: None,
    }
}

/// The figures of a delivery that enter the statistics, with its waits in virtual queues, if known.
pub(super) fn observation(
    delivery: &Delivery,
    system: &System,
    virtual_waits: Option<[u32; 4]>,
) -> Observation {
    let (machine, classes) = (&system.switching, &system.traffic.classes);
    Observation {
        born: delivery.born.0,
        done: delivery.done.0,
        network_latency: delivery.network_latency(),
        transfer: delivery.transfer(machine),
        hops: delivery.hops,
        length: delivery.length,
        // Circuits occupy links for longer than the transfer of their data.
        channel_time: if machine.circuit().is_some() {
            delivery.held
        } else {
            u64::from(delivery.length) * u64::from(delivery.hops - system.terminal_hops())
        },
        aborts: delivery.aborts,
        head_waits: delivery.head_waits.map(|it| [it.behind, it.vc, it.crossbar, it.credit]),
        message_class: delivery.message_class,
        round_trip: if classes.is_empty() || !classes.ends_round_trip(delivery.message_class) {
            None
        } else {
            NonZeroU64::new(delivery.round_trip())
        },
        virtual_waits,
    }
}
