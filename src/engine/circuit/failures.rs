//! Failures of links: lost and stopped circuits, and routes of all messages by another relation.

use super::engine::{CircuitEngine, transmission_ticks};
use super::state::{Call, Fate, NONE, list};
use crate::engine::simulator::Simulator;
use crate::engine::view::CircuitState;
use crate::ids::ChannelId;
use crate::routing::Relation;

/// Breaks the circuits across a link: messages in transmission are lost, others try again.
pub(super) fn lose_across(engine: &mut CircuitEngine, link: ChannelId) {
    for call in across(engine, link) {
        break_off(engine, call, false);
    }
}

/// Stops the transmissions across a link.
pub(super) fn stall(engine: &mut CircuitEngine, link: ChannelId) {
    let now = engine.clock();
    for call in across(engine, link) {
        if engine.calls[call as usize].state == CircuitState::Transmitting {
            suspend(engine, now, call);
        }
    }
}

/// Stops a transmission.
fn suspend(engine: &mut CircuitEngine, now: u64, call: u32) {
    engine.calendar.cancel(&engine.controllers, &mut engine.calls, call);
    let message = &mut engine.calls[call as usize];
    message.due = (message.due.0 - now, 0);
    (message.state, message.since) = (CircuitState::Stopped, now);
}

/// Continues the stopped transmissions of circuits without a closed link.
pub(super) fn resume(engine: &mut CircuitEngine) {
    let now = engine.clock();
    let stopped = engine.live().filter(|(_, call)| call.state == CircuitState::Stopped);
    let goes_on = stopped.filter(|(_, call)| closed_lane(engine, call) == NONE);
    for call in oldest_first(engine, goes_on.map(|(row, _)| row).collect()) {
        let message = &mut engine.calls[call as usize];
        let end = now + message.due.0;
        (message.state, message.since) = (CircuitState::Transmitting, now);
        engine.calendar.send(&mut engine.calls, end, call);
    }
}

/// The first closed lane of a circuit, or [`NONE`].
pub(super) fn closed_lane(engine: &CircuitEngine, message: &Call) -> u32 {
    let mut lanes = list(message.first, |lane| engine.lanes[lane as usize].after);
    lanes.find(|&lane| engine.lanes[lane as usize].vacant != NONE).unwrap_or(NONE)
}

/// The circuits across a link, oldest first.
fn across(engine: &CircuitEngine, link: ChannelId) -> Vec<u32> {
    let held = engine.lanes[engine.lanes_of(link)].iter().filter(|lane| lane.is_held());
    oldest_first(engine, held.map(|lane| lane.owner).collect())
}

/// Sorts messages by age: rows are arbitrary.
fn oldest_first(engine: &CircuitEngine, mut calls: Vec<u32>) -> Vec<u32> {
    calls.sort_unstable_by_key(|&call| engine.calls[call as usize].age());
    calls
}

/// Ends the attempt of a message, which is lost if `is_lost` is true or its data are under way; otherwise
/// it tries again. Data that have arrived are delivered.
fn break_off(engine: &mut CircuitEngine, call: u32, is_lost: bool) {
    let now = engine.clock();
    let message = &mut engine.calls[call as usize];
    let fate = if is_lost { Fate::Loss } else { Fate::Retry };
    match message.state {
        CircuitState::Releasing => {}
        CircuitState::SettingUp => {
            // Its controller cannot drop a job; the attempt ends with the job.
            if message.fate == Fate::Delivery {
                engine.broken += 1;
            }
            message.fate = message.fate.max(fate);
        }
        CircuitState::Aborting | CircuitState::BackingOff => {
            if is_lost {
                message.fate = message.fate.max(fate);
            }
        }
        CircuitState::Waiting => {
            message.fate = fate;
            let wants = message.wants as usize;
            engine.lanes[wants].waiting.remove(&mut engine.calls, call);
            engine.give_up(now, call);
        }
        CircuitState::Transmitting | CircuitState::Stopped => {
            if message.state == CircuitState::Transmitting {
                suspend(engine, now, call);
            }
            let message = &mut engine.calls[call as usize];
            message.fate = Fate::LossOfData;
            let sent = u64::from(message.sent(message.due.0));
            engine.common.counters.flits_injected += sent;
            engine.common.counters.flits_lost += sent;
            engine.give_up(now, call);
        }
    }
}

/// Routes all messages by another relation, from the routers of their requests. Messages without a route
/// are lost.
pub(super) fn route_by(engine: &mut CircuitEngine, relation: Relation) {
    let now = engine.clock();
    engine.straight = relation.goes_straight();
    engine.common.relation = relation;
    for controller in &mut engine.controllers {
        controller.looked = 0;
    }
    let empties = engine.common.schedule.plan().empties();
    for call in oldest_first(engine, engine.live().map(|(row, _)| row).collect()) {
        let message = &engine.calls[call as usize];
        let is_waiting = message.state == CircuitState::Waiting;
        let is_over = empties && message.last != NONE || !engine.is_led_on(call);
        if is_over {
            break_off(engine, call, true);
        } else if is_waiting {
            ask_again(engine, now, call);
        }
    }
}

/// Repeats the request of a message that waits for a link.
fn ask_again(engine: &mut CircuitEngine, now: u64, call: u32) {
    let message = &mut engine.calls[call as usize];
    let lane = std::mem::replace(&mut message.wants, NONE) as usize;
    message.wants_as = NONE;
    (message.state, message.since) = (CircuitState::SettingUp, now);
    let router = message.at;
    engine.lanes[lane].waiting.remove(&mut engine.calls, call);
    engine.ask(now, router, call);
}

impl Call {
    /// The flits sent, `left` ticks before the end of the transmission.
    pub(super) fn sent(&self, left: u64) -> u32 {
        let all = transmission_ticks(self.length).max(1);
        let passed = u128::from(all.saturating_sub(left));
        (passed * u128::from(self.length) / u128::from(all)) as u32
    }
}
