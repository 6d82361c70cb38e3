//! The laws that must hold at every instant, checked against the whole state.

use super::CircuitEngine;
use super::calendar::Event;
use super::state::{NONE, Stage};
use crate::ids::{ChannelId, NodeId};

/// Where a message was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In a controller's queue or its service.
    Controller,
    /// In a link's queue.
    Link,
    /// In the calendar alone.
    Delay,
}

impl CircuitEngine {
    /// The first law that is broken.
    pub(super) fn check_laws(&self) -> Result<(), String> {
        let mut places = vec![None; self.calls.len()];
        let mut put = |call: u32, place: Place| match places.get_mut(call as usize) {
            Some(at @ None) => {
                *at = Some(place);
                Ok(())
            }
            Some(Some(other)) => Err(format!("message {call} is in {other:?} and in {place:?}")),
            None => Err(format!("there is no message {call}, but it is in {place:?}")),
        };
        let mut services = vec![0u32; self.controllers.len()];
        let now = self.now.0 * super::TICKS_PER_CYCLE;
        for (event, tick, whom) in self.calendar.events() {
            if self.deadlock.is_none() && tick < now {
                return Err(format!("an event ({event:?}) of tick {tick} was passed over"));
            }
            match event {
                Event::Again | Event::Sent => put(whom, Place::Delay)?,
                _ => services[whom as usize] += 1,
            }
        }
        for (router, controller) in self.controllers.iter().enumerate() {
            let busy = controller.serving != NONE;
            if services[router] != u32::from(busy) {
                return Err(format!("controller {router} has {} services", services[router]));
            }
            if busy {
                put(controller.serving, Place::Controller)?;
            } else if controller.queue.length > 0 {
                return Err(format!("controller {router} rests although jobs wait"));
            }
            let mut length = 0;
            for call in controller.queue.members(&self.calls) {
                put(call, Place::Controller)?;
                length += 1;
            }
            if length != controller.queue.length {
                return Err(format!("controller {router}: its queue is not as long as counted"));
            }
        }
        for (lane, row) in self.lanes.iter().enumerate() {
            if row.owner == NONE && row.waiting.length > 0 {
                return Err(format!("messages wait for lane {lane}, which is free"));
            }
            for call in row.waiting.members(&self.calls) {
                put(call, Place::Link)?;
                if self.calls[call as usize].wants != lane as u32 {
                    return Err(format!("message {call} waits for a lane that it does not want"));
                }
            }
        }
        self.check_calls(&places)?;
        self.check_counts()
    }

    /// Every message stands where its stage says, and holds a way without gaps from its source on.
    fn check_calls(&self, places: &[Option<Place>]) -> Result<(), String> {
        let mut held = 0;
        for (row, call) in self.calls.iter().enumerate() {
            let expected = match call.stage {
                Stage::Free => None,
                Stage::Asking | Stage::Releasing | Stage::Aborting => Some(Place::Controller),
                Stage::Waiting => Some(Place::Link),
                Stage::Sending | Stage::BackingOff => Some(Place::Delay),
            };
            if places[row] != expected {
                return Err(format!("message {row} ({:?}) is in {:?}", call.stage, places[row]));
            }
            let (mut lane, mut before, mut count, mut at) = (call.first, NONE, 0, NONE);
            while lane != NONE {
                let link = &self.lanes[lane as usize];
                if link.owner != row as u32 || link.before != before || count > call.held {
                    return Err(format!(
                        "lane {lane} is not message {row}'s, whose chain it is in"
                    ));
                }
                let channel = self.network.channel(ChannelId(link.channel));
                if at != NONE && at != channel.from.0 {
                    return Err(format!("the circuit of message {row} has a gap at lane {lane}"));
                }
                if at == NONE && call.stage != Stage::Releasing && channel.from.0 != call.source {
                    return Err(format!("the circuit of message {row} leaves its source out"));
                }
                at = channel.to.0;
                count += 1;
                before = lane;
                lane = link.after;
            }
            if before != call.last || count != call.held {
                return Err(format!("message {row} holds {count} lanes, not {}", call.held));
            }
            if matches!(call.stage, Stage::Sending | Stage::Releasing) && at != call.destination {
                return Err(format!("the circuit of message {row} does not reach its destination"));
            }
            held += count;
        }
        let owned = self.lanes.iter().filter(|lane| lane.owner != NONE).count();
        if owned != held as usize {
            return Err(format!("{owned} lanes have holders, and circuits have {held}"));
        }
        Ok(())
    }

    /// No message is lost.
    fn check_counts(&self) -> Result<(), String> {
        let live = self.calls.iter().filter(|call| call.stage != Stage::Free).count() as u64;
        let nodes = (0..self.network.nodes()).map(NodeId::new);
        let behind: u64 = nodes
            .map(|node| self.sources.queue(node) - u64::from(self.sources.waiting(node)))
            .sum();
        let generated = self.sources.generated();
        if generated != self.counters.delivered + live + behind || self.present != live + behind {
            return Err(format!(
                "{generated} messages generated, {} delivered, {live} under way and {behind} behind",
                self.counters.delivered
            ));
        }
        Ok(())
    }
}
