//! Rows of a run's messages, in order of arrival.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::outcome::conclude;
use super::report::{Time, row};
use super::{Plan, Progress, Results, lockstep};
use crate::engine::Delivery;
use crate::scenario::Scenario;
use crate::system::System;

row! {
    /// A message that has arrived. Times are in cycles, those of circuits in units of time.
    MessageRow from (system: &System, delivery: &Delivery) {
        let time = |cycles| Some(Time::new(cycles, system.time_unit()));
        let network = delivery.network_latency();
        let transfer = delivery.transfer(&system.switching).min(network);
        let worm = system.wormhole().is_some();
        let name = |node| system.network.node_name(node);
    } {
        /// Where it started.
        source: String = name(delivery.source),
        /// Which message of its source it was, from 0.
        serial: u64 = delivery.serial,
        /// Where it went.
        destination: String = name(delivery.destination),
        /// Flits; over a circuit go 10,000 of them in a unit of time.
        length: u32 = delivery.length,
        /// Channels crossed.
        hops: u32 = delivery.hops,
        /// When it was generated.
        born: Option<Time> = time(delivery.born.0),
        /// When its head first moved; of a circuit, when its data started.
        started: Option<Time> = time(delivery.entered.0),
        /// When its tail was consumed.
        delivered: Option<Time> = time(delivery.done.0),
        /// How long it waited at its source: from `born` to `started`.
        source_wait: Option<Time> = time(delivery.entered - delivery.born),
        /// How long others held it up in the network; of a circuit, from the end of the data until the
        /// last link was given back.
        blocking: Option<Time> = time(network - transfer),
        /// How long the rest took: what it takes without any other message.
        transfer: Option<Time> = time(transfer),
        /// The longest that its head waited at a router; of a circuit nothing.
        longest_wait: Option<Time> = worm.then(|| time(u64::from(delivery.longest_wait))).flatten(),
        /// The channel that it then took.
        waited_for: Option<String> = delivery.waited_for().map(|it| system.network.channel_name(it)),
        /// Times it was aborted on its way.
        aborts: u32 = delivery.aborts,
    }
}

/// Makes one run of a scenario and passes every delivered message, warm-up included, to `tell` in
/// order; see [`super::run_all`] for the rest.
pub fn run_telling(
    scenario: &Arc<Scenario>,
    plan: &Plan,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
    tell: &mut dyn FnMut(&Delivery),
) -> Results {
    let what = (scenario, None, 0..1);
    lockstep::make_telling(what, plan, stop, progress, Some(tell), |runs, ended, begun| {
        conclude(&mut runs.all_mut()[0], ended, begun)
    })
}
