//! What can be asked about single messages that set up circuits.

use super::CircuitEngine;
use super::state::{Call, NONE, Stage};
use crate::engine::Wait;
use crate::engine::messages::{Doing, MessageView, Messages, Whereabouts, locate};
use crate::ids::{ChannelId, MessageId, NodeId, RouterId, VcId, WormId};
use crate::units::Cycle;

impl CircuitEngine {
    /// The message in a row, if there is one.
    fn live(&self, row: u32) -> Option<&Call> {
        self.calls.get(row as usize).filter(|call| call.stage != Stage::Free)
    }

    fn row_of(&self, name: MessageId, hint: Option<WormId>) -> Option<u32> {
        let is = |row: u32| self.live(row).is_some_and(|call| name_of(call) == name);
        let hinted = hint.map(|hint| hint.0).filter(|&row| is(row));
        hinted.or_else(|| (0..self.calls.len() as u32).find(|&row| is(row)))
    }

    fn view_of(&self, row: u32, call: &Call) -> MessageView {
        let circuit = self.view(row, call, 0, 0);
        let stands = matches!(call.stage, Stage::Sending | Stage::Releasing);
        MessageView {
            name: name_of(call),
            worm: WormId(row),
            destination: circuit.destination,
            born: circuit.born,
            length: call.length,
            at_source: call.length - circuit.consumed,
            doing: Doing::Circuit(circuit.state, circuit.since),
            at: RouterId(if stands { call.destination } else { call.at }),
            hops: if stands { call.hops } else { call.held },
            asked: Cycle(0),
            crossing: call.stage == Stage::Asking && self.leads_on(call),
            aborts: call.tries,
            queued: false,
        }
    }
}

impl CircuitEngine {
    /// Whether a message's newest link leads to a router that its request has not reached.
    fn leads_on(&self, call: &Call) -> bool {
        let link = self.lanes.get(call.last as usize);
        link.is_some_and(|link| self.network.channel(ChannelId(link.channel)).to.0 != call.at)
    }
}

fn name_of(call: &Call) -> MessageId {
    MessageId { source: NodeId(call.source), serial: call.serial }
}

impl Messages for CircuitEngine {
    fn whereabouts(&self, message: MessageId, hint: Option<WormId>) -> Whereabouts {
        let node = message.source;
        if node.index() >= self.network.nodes() {
            return Whereabouts::Unborn;
        }
        let counts = (self.sources.handed_out(node), self.sources.generated_at(node));
        locate(message.serial, counts, || {
            let row = self.row_of(message, hint)?;
            Some(self.view_of(row, &self.calls[row as usize]))
        })
    }

    fn name_of(&self, worm: WormId) -> Option<MessageId> {
        self.live(worm.0).map(name_of)
    }

    fn path_of(&self, worm: WormId, out: &mut Vec<VcId>) {
        out.clear();
        let Some(call) = self.live(worm.0) else { return };
        let mut lane = call.first;
        while lane != NONE {
            let at = self.lanes[lane as usize];
            out.push(self.public(lane, at.channel));
            lane = at.after;
        }
    }

    fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>) {
        out.clear();
        if self.live(worm.0).is_some_and(|call| call.stage == Stage::Waiting) {
            out.push(self.wait_of(worm.0));
        }
    }

    fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>) {
        out.clear();
        let lanes = self.machine.lanes();
        for &channel in self.network.inputs(router) {
            for lane in 0..lanes {
                let row = self.lanes[(self.links.of[channel.index()] * lanes + lane) as usize];
                if row.channel == channel.0
                    && let Some(call) = self.live(row.owner)
                    // A link just taken leads to a router that the request has not reached.
                    && (row.after != NONE || call.stage != Stage::Asking || !self.leads_on(call))
                {
                    out.push(name_of(call));
                }
            }
        }
    }

    fn messages(&self, out: &mut Vec<MessageView>) {
        out.clear();
        let live = (0..).zip(&self.calls).filter(|(_, call)| call.stage != Stage::Free);
        out.extend(live.map(|(row, call)| self.view_of(row, call)));
    }

    fn generated_at(&self, node: NodeId) -> u64 {
        self.sources.generated_at(node)
    }
}
