//! Releases links: forwards after the data, or backwards after a failed attempt, which is repeated or lost.

use super::engine::{CircuitEngine, cycle_of};
use super::events::Service;
use super::state::{Fate, NONE};
use crate::engine::view::CircuitState;
use crate::ids::{Letter, NodeId, RouterId};
use crate::traffic::sources::Message;

impl CircuitEngine {
    /// Adds a release request to the queue of the router at the start of a lane.
    #[inline]
    pub(super) fn ask_release(&mut self, now: u64, router: u32, call: u32) {
        self.calls[call as usize].at = router;
        self.join(now, router, call, Service::Release);
    }

    /// Fails an attempt: its links are released before the back-off.
    pub(super) fn abort(&mut self, now: u64, call: u32) {
        self.common.counters.aborts += 1;
        self.calls[call as usize].tries += 1;
        self.release_backwards(now, call);
    }

    /// Releases the links of a failed attempt, the last link first.
    pub(super) fn release_backwards(&mut self, now: u64, call: u32) {
        let message = &mut self.calls[call as usize];
        message.wants = NONE;
        message.wants_as = NONE;
        message.since = now;
        if message.last == NONE {
            message.state = CircuitState::BackingOff;
            self.calendar.back_off(&mut self.calls, now, call);
        } else {
            message.state = CircuitState::Aborting;
            let last = message.last;
            let from = self.ways[self.lanes[last as usize].channel as usize].from;
            self.ask_release(now, from, call);
        }
    }

    /// Completes the release of a lane by a controller.
    #[inline]
    pub(super) fn released(&mut self, now: u64, router: u32, call: u32) {
        let message = &mut self.calls[call as usize];
        let backwards = message.state == CircuitState::Aborting;
        let lane = if backwards { message.last } else { message.first };
        let row = &mut self.lanes[lane as usize];
        let held = now - row.since;
        if lane < self.lanes_between_routers {
            message.link_ticks += held;
        }
        message.held -= 1;
        row.busy += held;
        let (next, mut from) = if backwards { (row.before, NONE) } else { (row.after, row.to) };
        (row.owner, row.channel, row.before, row.after) = (row.vacant, NONE, NONE, NONE);
        let is_wanted = row.waiting.head != NONE && row.vacant == NONE;
        if let Some(row) = self.lanes.get_mut(next as usize) {
            if backwards {
                message.last = next;
                row.after = NONE;
                from = self.ways[row.channel as usize].from;
            } else {
                message.first = next;
                row.before = NONE;
            }
            message.at = from;
        } else {
            (message.first, message.last) = (NONE, NONE);
        }
        if is_wanted {
            self.inherit(now, router, lane);
        } else {
            self.serve(now, router);
        }
        if next != NONE {
            self.join(now, from, call, Service::Release);
        } else if backwards {
            let message = &mut self.calls[call as usize];
            if message.fate > Fate::Retry {
                self.lose(now, call);
                return;
            }
            message.state = CircuitState::BackingOff;
            message.since = now;
            self.calendar.back_off(&mut self.calls, now, call);
        } else {
            self.deliver(now, call);
        }
    }

    /// Allocates a lane to the first waiting message immediately; the same controller connects the
    /// lane.
    #[inline(never)]
    fn inherit(&mut self, now: u64, router: u32, lane: u32) {
        let Some(heir) = self.lanes[lane as usize].waiting.pop(&mut self.calls) else { return };
        let message = &mut self.calls[heir as usize];
        message.state = CircuitState::SettingUp;
        message.since = now;
        message.wants = NONE;
        let channel = std::mem::replace(&mut message.wants_as, NONE);
        let to = self.ways[channel as usize].to;
        self.take(now, lane, (channel, to), heir);
        self.controllers[router as usize].serving = heir;
        self.calendar.serve(&mut self.controllers, now, Service::Connect, router);
    }

    /// Ends the attempt of a broken message whose controller has completed a job; false if the message is
    /// whole.
    pub(super) fn ends(&mut self, now: u64, router: u32, call: u32) -> bool {
        let message = &self.calls[call as usize];
        let is_broken = message.state == CircuitState::SettingUp && message.fate != Fate::Delivery;
        if is_broken {
            self.broken -= 1;
            self.give_up(now, call);
            self.serve(now, router);
        }
        is_broken
    }

    /// Releases the links of a message, or loses a message without links.
    pub(super) fn give_up(&mut self, now: u64, call: u32) {
        let message = &self.calls[call as usize];
        if message.last == NONE && message.fate > Fate::Retry {
            self.lose(now, call);
        } else {
            self.release_backwards(now, call);
        }
    }

    /// Routes a message from its source after a back-off; false if the message is lost.
    #[inline]
    pub(super) fn tries_again(&mut self, now: u64, call: u32) -> bool {
        let message = &self.calls[call as usize];
        if message.fate == Fate::Delivery && message.routed_from == message.begins {
            return true;
        }
        let is_lost = message.fate > Fate::Retry || !self.is_led_on(call);
        if is_lost {
            self.calls[call as usize].fate = Fate::Loss;
            self.lose(now, call);
        } else {
            self.calls[call as usize].fate = Fate::Delivery;
        }
        !is_lost
    }

    /// Loses a message without links; the next of its source follows.
    fn lose(&mut self, now: u64, row: u32) {
        if let Some(next) = self.discard(now, row) {
            self.begin(now, next);
        }
    }

    /// Loses a message without links; returns the next of its source.
    pub(super) fn discard(&mut self, now: u64, row: u32) -> Option<Message> {
        self.count(now);
        let call = &mut self.calls[row as usize];
        call.live = false;
        let (name, born, letter) = (call.name(), call.born, call.letter);
        let (destination, length) = (NodeId(call.destination), call.length);
        let was_sent = call.fate == Fate::LossOfData;
        self.spare.push(row);
        if letter != NONE {
            self.common.letters.give_back(now, name, Letter(letter));
        }
        self.lost_ticks += u128::from(now - born);
        let message = Message::without_route(name, destination, length, cycle_of(born).0, 0);
        self.common.lose(message, 0, cycle_of(now).0);
        if was_sent { None } else { self.common.sources.leave(name.source, 0) }
    }

    /// Routes a message from the end of its last link, or from its source; false for lack of a route.
    pub(super) fn is_led_on(&mut self, call: u32) -> bool {
        let message = &self.calls[call as usize];
        let at = match message.state {
            CircuitState::Transmitting | CircuitState::Stopped | CircuitState::Releasing => {
                return true;
            }
            CircuitState::Aborting | CircuitState::BackingOff => message.begins,
            CircuitState::SettingUp | CircuitState::Waiting => {
                match self.lanes.get(message.last as usize) {
                    Some(last) if last.to == message.target => return true,
                    Some(last) => last.to,
                    None => message.begins,
                }
            }
        };
        let (at, destination) = (RouterId(at), NodeId(message.destination));
        let header = self.common.relation.onward(at, destination, &message.header());
        let message = &mut self.calls[call as usize];
        (message.routed_from, message.route_bits, message.count) = (at.0, header.route_bits, 0);
        self.common.relation.leads_on(at, &header)
    }
}
