//! Checks the invariants of the whole state of circuits.

use super::engine::CircuitEngine;
use super::events::Event;
use super::failures;
use super::state::{CLOSED, Controller, Fate, NONE, list};
use crate::engine::simulator::Simulator;
use crate::engine::tables::{counted, law};
use crate::engine::view::CircuitState;
use crate::ids::{ChannelId, NodeId};

/// The location of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// The queue or service of a controller.
    Controller,
    /// The queue of a link.
    Link,
    /// The calendar only.
    Delay,
}

impl CircuitEngine {
    /// Checks all invariants and returns the first violation.
    pub(super) fn check_circuits(&self) -> Result<(), String> {
        let mut places = vec![None; self.calls.len()];
        let mut put = |call: u32, place: Place| match places.get_mut(call as usize) {
            Some(at @ None) => {
                *at = Some(place);
                Ok(())
            }
            Some(Some(other)) => Err(format!("message {call} is in {other:?} and in {place:?}")),
            None => Err(format!("message {call} does not exist, but is in {place:?}")),
        };
        let mut services = vec![0u32; self.controllers.len()];
        let now = self.clock();
        let events = self.calendar.events(&self.controllers, &self.calls);
        for ((tick, _), event) in events {
            let due = self.common.deadlock.is_some() || tick >= now;
            law!(due, "{event:?} is overdue");
            match event {
                Event::Again(_, call) | Event::Sent(_, call) => put(call, Place::Delay)?,
                Event::Served(served) => services[served.router as usize] += 1,
            }
        }
        for (controller, services) in self.controllers.iter().zip(services) {
            let &Controller { serving, ref queue, .. } = controller;
            let busy = serving != NONE;
            counted("services of a controller", services, u32::from(busy))?;
            law!(busy || queue.length == 0, "an idle controller has waiting jobs");
            let (mut served, mut length) = (busy.then_some(serving).into_iter(), 0);
            served.try_for_each(|call| put(call, Place::Controller))?;
            for call in queue.members(&self.calls) {
                put(call, Place::Controller)?;
                length += 1;
            }
            counted("jobs in a controller's queue", length, queue.length)?;
        }
        for (lane, row) in (0..).zip(&self.lanes) {
            let taken = row.owner != NONE || row.waiting.length == 0;
            law!(taken, "messages wait for lane {lane}, which is free");
            let shut = self.is_closed(lane);
            let vacant = if shut { CLOSED } else { NONE };
            let known = row.vacant == vacant && (row.is_held() || row.owner == vacant);
            law!(known, "lane {lane} is open and closed at once");
            for call in row.waiting.members(&self.calls) {
                put(call, Place::Link)?;
                let wants = self.calls[call as usize].wants == lane;
                law!(wants, "message {call} waits for a lane that it has not requested");
            }
        }
        self.check_calls(&places)?;
        self.check_counts()
    }

    /// Checks that every message is in the place given by its state, and holds a contiguous path
    /// from its source.
    fn check_calls(&self, places: &[Option<Place>]) -> Result<(), String> {
        let (mut held, mut broken) = (0, 0);
        for (row, call) in self.calls.iter().enumerate() {
            let place = match call.state {
                CircuitState::SettingUp | CircuitState::Releasing | CircuitState::Aborting => {
                    Some(Place::Controller)
                }
                CircuitState::Waiting => Some(Place::Link),
                CircuitState::Transmitting | CircuitState::BackingOff => Some(Place::Delay),
                CircuitState::Stopped => None,
            };
            let expected = place.filter(|_| call.live);
            let (state, found) = (call.state, places[row]);
            law!(found == expected, "message {row} ({state:?}) is in {found:?}");
            if !call.live {
                continue;
            }
            let (mut before, mut count, mut at) = (NONE, 0, NONE);
            for lane in list(call.first, |lane| self.lanes[lane as usize].after) {
                let link = &self.lanes[lane as usize];
                let own = link.owner == row as u32 && link.before == before && count <= call.held;
                law!(own, "lane {lane}, in the chain of message {row}, has another owner or link");
                let channel = self.common.network.channel(ChannelId(link.channel));
                let joins = at == NONE || at == channel.from.0;
                law!(joins, "the circuit of message {row} has a gap at lane {lane}");
                let begins =
                    at != NONE || state == CircuitState::Releasing || channel.from.0 == call.begins;
                law!(begins, "the circuit of message {row} does not begin at its source");
                at = channel.to.0;
                count += 1;
                before = lane;
            }
            law!(before == call.last, "the chain of message {row} does not end in its last lane");
            counted("lanes of a message", count, call.held)?;
            let network = &self.common.network;
            let router = |node: u32| {
                ((node as usize) < network.nodes()).then(|| network.router_of(NodeId(node)).0)
            };
            let routers = [call.source, call.destination].map(router);
            let known = routers == [Some(call.begins), Some(call.ends)];
            law!(known, "message {row} is between other routers");
            let to = self.lanes.get(call.last as usize).map(|last| last.to);
            let arrives = !call.is_blocked() || to == Some(call.target);
            law!(arrives, "the circuit of message {row} does not reach its destination");
            let is_broken = call.state == CircuitState::SettingUp && call.fate != Fate::Delivery;
            broken += u32::from(is_broken);
            let stops = call.state == CircuitState::Stopped;
            let lasts = !stops || failures::closed_lane(self, call) != NONE;
            law!(lasts, "message {row} is stopped, and no link of its circuit is closed");
            held += count;
        }
        let owned = self.lanes.iter().filter(|lane| lane.is_held()).count();
        counted("lanes with holders", owned, held as usize)?;
        counted("broken attempts", self.broken, broken)
    }

    /// Checks that no message is lost, and Little's law as an identity: the ticks counted with
    /// messages present equal the sum of all sojourn times.
    fn check_counts(&self) -> Result<(), String> {
        let clock = self.clock().max(self.counted);
        let nodes = (0..self.common.network.nodes()).map(NodeId::new);
        let behind = nodes.flat_map(|node| self.common.sources.births_behind(node));
        let births = self.live().map(|(_, call)| call.born).chain(behind);
        let (mut present, mut sojourn) = (0u64, self.latency_ticks + self.lost_ticks);
        for born in births {
            present += 1;
            sojourn += u128::from(clock - born);
        }
        counted("messages under way and behind", present, self.common.present)?;
        let told = self.common.counters.delivered + self.common.counters.lost + present;
        counted("messages delivered, lost or present", told, self.common.sources.generated())?;
        let ticks = self.present_ticks + self.present_since(clock);
        counted("ticks of messages (Little's law)", sojourn, ticks)
    }
}

#[cfg(test)]
mod tests;
