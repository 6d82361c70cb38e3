//! Rows of a run's messages: delivered and lost messages in order of their ends, then the others.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::outcome::conclude;
use super::report::{Time, row};
use super::{Crash, Outcome, Plan, Progress, Results, lockstep};
use crate::engine::{Delivery, Loss};
use crate::scenario::Scenario;
use crate::session::fates::Fate;
use crate::session::runs::Runs;
use crate::system::System;
use crate::traffic::sources::Message;

/// A message of a run.
#[derive(Clone, Copy, Debug)]
pub enum Record<'a> {
    Delivered(&'a Delivery),
    /// A message lost because of a failure.
    Lost(&'a Loss),
    /// A message that was neither delivered nor lost by the end of the run.
    Undelivered(&'a Message),
}

row! {
    /// A message. Times are in cycles, those of circuits in units of time; values of the way are absent
    /// for a message that was not delivered.
    MessageRow from (system: &System, record: Record<'_>) {
        let time = |cycles| Some(Time::new(cycles, system.time_unit()));
        let name = |node| system.network.node_name(node);
        let worm = system.wormhole().is_some();
        let (message, delivery) = match record {
            Record::Delivered(it) => {
                let class = it.message_class;
                ((it.source, it.serial, it.destination, it.length, it.born.0, class), Some(it))
            }
            Record::Lost(Loss { message: it, .. }) | Record::Undelivered(it) => {
                ((it.source, it.serial, it.destination, it.length, it.born, it.class), None)
            }
        };
        let (source, serial, destination, length, born, class) = message;
        let lost = match record {
            Record::Delivered(_) | Record::Undelivered(_) => None,
            Record::Lost(loss) => Some(loss.done.0),
        };
        let class = system.traffic.classes.0.get(usize::from(class));
        let waits = delivery.and_then(|it| it.head_waits);
        let network = |it: &Delivery| it.network_latency();
        let transfer = |it: &Delivery| it.transfer(&system.switching).min(it.network_latency());
    } {
        /// The source.
        source: String = name(source),
        /// The number of the message at its source, from 0.
        serial: u64 = serial,
        /// The destination.
        destination: String = name(destination),
        /// Flits; a circuit carries 10,000 in a unit of time.
        length: u32 = length,
        /// Channels crossed.
        hops: Option<u32> = delivery.map(|it| it.hops),
        /// The time of generation.
        born: Option<Time> = time(born),
        /// The first move of the head; of a circuit, the start of the data.
        started: Option<Time> = delivery.and_then(|it| time(it.entered.0)),
        /// The consumption of the tail; absent for a message not delivered by the end of the run.
        delivered: Option<Time> = delivery.and_then(|it| time(it.done.0)),
        /// The loss because of a failure; absent for a message that was not lost.
        lost: Option<Time> = lost.and_then(time),
        /// The wait at the source: from `born` to `started`.
        source_wait: Option<Time> = delivery.and_then(|it| time(it.entered - it.born)),
        /// Delays by other messages in the network; of a circuit, from the end of the data until the
        /// release of the last link.
        blocking: Option<Time> = delivery.and_then(|it| time(network(it) - transfer(it))),
        /// The rest: the time needed without any other message.
        transfer: Option<Time> = delivery.and_then(|it| time(transfer(it))),
        /// The longest wait of the head at a router; absent for circuits.
        longest_wait: Option<Time> =
            delivery.filter(|_| worm).and_then(|it| time(u64::from(it.longest_wait))),
        /// The channel granted after that wait.
        waited_for: Option<String> =
            delivery.and_then(Delivery::waited_for).map(|it| system.network.channel_name(it)),
        /// The waits of the head behind other messages in buffers; absent, like the next three, without
        /// pipelined routers.
        buffer_wait: Option<u32> = waits.map(|it| it.behind),
        /// The waits of the head for output VCs.
        vc_wait: Option<u32> = waits.map(|it| it.vc),
        /// The waits of the head for crossbars.
        crossbar_wait: Option<u32> = waits.map(|it| it.crossbar),
        /// The waits of the head for credits.
        credit_wait: Option<u32> = waits.map(|it| it.credit),
        /// Aborts on the way.
        aborts: Option<u32> = delivery.map(|it| it.aborts),
        /// The message class; absent if messages have no classes.
        class: Option<String> = class.map(|it| it.name.clone()),
    }
}

/// Makes one run of a scenario and passes every message, warm-up included, to `tell`: delivered
/// and lost messages in order, then the others. See [`super::run_all`] for the rest.
pub fn run_telling(
    scenario: &Arc<Scenario>,
    plan: &Plan,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
    tell: &mut dyn FnMut(Record<'_>),
) -> Results {
    let run = (scenario, None, 0..1);
    let mut ended = |fate: Fate<'_>| match fate {
        Fate::Delivered(delivery) => tell(Record::Delivered(delivery)),
        Fate::Lost(loss) => tell(Record::Lost(loss)),
    };
    let conclude = |runs: &mut Runs, ended, begun| {
        let session = &mut runs.all_mut()[0];
        let undelivered = session.engine().undelivered();
        Ok((conclude(session, ended, begun, false)?, undelivered))
    };
    let results = lockstep::make_telling(run, plan, stop, progress, Some(&mut ended), conclude);
    let of = |result: Result<(Outcome, Vec<Message>), Crash>| {
        result.map(|(outcome, undelivered)| {
            for message in &undelivered {
                tell(Record::Undelivered(message));
            }
            outcome
        })
    };
    results.into_iter().map(of).collect()
}
