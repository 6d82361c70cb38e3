//! Hashes the state that can influence future events of circuits.
//!
//! Every field is named: a new field is either hashed or omitted on purpose.

use super::engine::CircuitEngine;
use super::events::Event;
use super::state::{Call, Controller, Fate, Lane, NONE, Queue};
use crate::engine::simulator::Simulator;
use crate::engine::totals::Counters;
use crate::engine::view::CircuitState;
use crate::random::mix;

impl CircuitEngine {
    /// Implements [`Simulator::fingerprint`].
    pub(super) fn hash(&self) -> u64 {
        #[rustfmt::skip]
        let Self {
            now, common, lanes, controllers, calls, calendar,
            // Fixed by the scenario, or derived from other fields.
            machine: _, straight: _, terminals: _, lanes_between_routers: _, acknowledge: _, ways: _, spare: _, counted: _, present_ticks: _,
            latency_ticks: _, lost_ticks: _, broken: _,
        } = self;
        let counters = self.counters();
        let events = calendar.events(controllers, calls);
        let calendar = calendar.fingerprint(events, |event| match event {
            Event::Served(served) => (served.service as u64, u64::from(served.router)),
            Event::Again(_, call) => (3, self.name(call)),
            Event::Sent(_, call) => (4, self.name(call)),
        });
        let Counters { aborts, deadlocks, events, message_cycles, .. } = counters;
        let words = [aborts, deadlocks, events, message_cycles, calendar];
        let mut hash = words.into_iter().fold(common.fingerprint(*now), mix);
        for lane in lanes.iter().filter(|lane| lane.owner != NONE || lane.busy > 0) {
            #[rustfmt::skip]
            let &Lane {
                owner, channel, before, after, ref waiting, since, busy,
                // Given by the channel and by the closed links.
                to: _, vacant: _,
            } = lane;
            let ends = [u64::from(channel), u64::from(before), u64::from(after)];
            hash = ends.into_iter().fold(mix(hash, self.name(owner)), mix);
            hash = [since, busy, self.hash_of(waiting)].into_iter().fold(hash, mix);
        }
        // Other fields are hashed with the calendar.
        for &Controller { serving, looked, ref queue, tick: _, order: _, after: _, service: _ } in
            controllers
        {
            hash = mix(mix(hash, self.name(serving)), u64::from(looked));
            hash = mix(hash, self.hash_of(queue));
        }
        // Summed, because the row of a message is arbitrary.
        let live = calls.iter().filter(|call| call.live);
        mix(hash, live.fold(0u64, |sum, call| sum.wrapping_add(call.fingerprint())))
    }

    fn hash_of(&self, queue: &Queue) -> u64 {
        let &Queue { head: _, tail: _, length } = queue;
        let members = queue.members(&self.calls);
        members.fold(u64::from(length), |hash, call| mix(hash, self.name(call)))
    }

    /// The name of a message, independent of its row.
    fn name(&self, row: u32) -> u64 {
        self.calls.get(row as usize).map_or(0, |call| mix(u64::from(call.source) + 1, call.serial))
    }
}

impl Call {
    fn fingerprint(&self) -> u64 {
        #[rustfmt::skip]
        let Self {
            state, fate, source, destination, length, serial, born, since, started, link_ticks, at, first,
            last, held, count, wants, wants_as, hops, tries, routed_from, due,
            // Given by source and destination.
            begins, ends: _, target: _,
            // Functions of the name and the routes, hashed with the queue, or for display only.
            live: _, route_bits: _, next: _, letter: _,
        } = *self;
        let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let words = [
            pair(source, destination),
            pair(length, at),
            serial,
            born,
            since,
            started,
            link_ticks,
            pair(first, last),
            pair(wants, wants_as),
            pair(held, tries),
            u64::from(hops),
        ];
        let hash = words.into_iter().fold(state as u64 + 1, mix);
        let hash = if count == 0 { hash } else { mix(hash, u64::from(count)) };
        let hash = if fate == Fate::Delivery { hash } else { mix(hash, fate as u64) };
        let hash = if routed_from == begins { hash } else { mix(hash, u64::from(routed_from)) };
        // Other dates are hashed with the calendar.
        if state == CircuitState::Stopped { mix(hash, due.0) } else { hash }
    }
}
