//! What can be asked about single messages that set up circuits.

use super::engine::CircuitEngine;
use super::state::{Call, NONE, Stage};
use crate::engine::deadlock::Wait;
use crate::engine::messages::{Doing, MessageView};
use crate::ids::{ChannelId, MessageId, RouterId, VcId, WormId};
use crate::traffic::sources::Sources;
use crate::units::Cycle;

impl CircuitEngine {
    /// The message in a row, if there is one.
    fn live(&self, row: u32) -> Option<&Call> {
        self.calls.get(row as usize).filter(|call| call.stage != Stage::Free)
    }

    fn view_of(&self, row: u32, call: &Call) -> MessageView {
        let circuit = self.view(row, call, 0, 0);
        MessageView {
            name: call.name(),
            worm: WormId(row),
            destination: circuit.destination,
            born: circuit.born,
            length: call.length,
            at_source: call.length - circuit.consumed,
            doing: Doing::Circuit(circuit.state, circuit.since),
            at: RouterId(if call.stands() { call.destination } else { call.at }),
            hops: if call.stands() { call.hops } else { call.held },
            asked: Cycle(0),
            crossing: call.stage == Stage::Asking && self.leads_on(call),
            aborts: call.tries,
            queued: false,
        }
    }

    /// Whether a message's newest link leads to a router that its request has not reached.
    fn leads_on(&self, call: &Call) -> bool {
        let link = self.lanes.get(call.last as usize);
        link.is_some_and(|link| self.network.channel(ChannelId(link.channel)).to.0 != call.at)
    }
}

#[expect(missing_docs, reason = "documented at `Engine`, which calls them")]
impl CircuitEngine {
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    pub fn find(&self, name: MessageId, hint: Option<WormId>) -> Option<MessageView> {
        let is = |row: &u32| self.live(*row).is_some_and(|call| call.name() == name);
        let hinted = hint.map(|hint| hint.0).filter(is);
        let row = hinted.or_else(|| (0..self.calls.len() as u32).find(is))?;
        Some(self.view_of(row, &self.calls[row as usize]))
    }

    pub fn name_of(&self, worm: WormId) -> Option<MessageId> {
        self.live(worm.0).map(Call::name)
    }

    pub fn path_of(&self, worm: WormId, out: &mut Vec<VcId>) {
        out.clear();
        let Some(call) = self.live(worm.0) else { return };
        out.extend(self.path(call));
    }

    pub fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>) {
        out.clear();
        if self.live(worm.0).is_some_and(|call| call.stage == Stage::Waiting) {
            out.push(self.wait_of(worm.0));
        }
    }

    pub fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>) {
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
                    out.push(call.name());
                }
            }
        }
    }

    pub fn messages(&self, out: &mut Vec<MessageView>) {
        out.clear();
        let live = (0..).zip(&self.calls).filter(|(_, call)| call.stage != Stage::Free);
        out.extend(live.map(|(row, call)| self.view_of(row, call)));
    }
}
