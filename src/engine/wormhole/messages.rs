//! What can be asked about single worms.

use super::engine::WormholeEngine;
use super::records::{NONE, Place, Worm};
use crate::engine::deadlock::Wait;
use crate::engine::messages::{Doing, MessageView};
use crate::engine::view::HeadState;
use crate::ids::{ChannelId, MessageId, NodeId, RouterId, VcId, WormId};
use crate::switching::Release;
use crate::traffic::sources::Sources;
use crate::units::Cycle;

impl WormholeEngine {
    /// The live worm in a row, if there is one.
    fn live_in(&self, row: u32) -> Option<&Worm> {
        self.state.worms.get(row as usize).filter(|worm| worm.live)
    }

    fn view(&self, row: u32, worm: &Worm) -> MessageView {
        let in_network = worm.head != NONE;
        MessageView {
            name: worm.name(),
            worm: WormId(row),
            destination: NodeId(worm.destination),
            born: Cycle(worm.born),
            length: worm.length,
            at_source: if in_network { self.at_source(worm) } else { worm.length },
            doing: Doing::Worm(if in_network {
                self.head_state(worm)
            } else {
                HeadState::AtSource
            }),
            at: if in_network { self.head_router(worm) } else { RouterId(worm.at) },
            hops: worm.hops,
            asked: Cycle(worm.asks_since),
            crossing: in_network
                && self.state.place(worm.head) != Place::Ejection
                && self.head_crosses(worm),
            aborts: 0,
            queued: !in_network && !worm.waits,
        }
    }

    /// Flits of a worm in the network that have not left its source.
    fn at_source(&self, worm: &Worm) -> u32 {
        let source = self.state.holds_of(worm).find(|&at| self.state.place(at) == Place::Source);
        source.map_or(0, |at| self.state.flits(at, self.now).0)
    }
}

#[expect(missing_docs, reason = "documented at `Engine`, which calls them")]
impl WormholeEngine {
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    pub fn find(&self, name: MessageId, hint: Option<WormId>) -> Option<MessageView> {
        let is = |worm: &Worm| worm.name() == name;
        let hinted = hint.map(|hint| hint.0).filter(|&row| self.live_in(row).is_some_and(is));
        let row = hinted.or_else(|| Some(self.state.live().find(|(_, worm)| is(worm))?.0))?;
        Some(self.view(row, &self.state.worms[row as usize]))
    }

    pub fn name_of(&self, worm: WormId) -> Option<MessageId> {
        self.live_in(worm.0).map(Worm::name)
    }

    pub fn path_of(&self, worm: WormId, out: &mut Vec<VcId>) {
        out.clear();
        let Some(worm) = self.live_in(worm.0) else { return };
        for at in self.state.holds_of(worm) {
            if let Place::Vc(slot) = self.state.place(at) {
                let (channel, v) = self.state.split(slot);
                out.push(self.public_vc(ChannelId::new(channel), v));
            }
        }
        out.reverse();
    }

    pub fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>) {
        out.clear();
        let Some(row) = self.live_in(worm.0) else { return };
        if row.waits && row.asks_since < self.now {
            let mut candidates = Vec::new();
            self.for_each_wait_of(worm.0, &mut candidates, &mut |wait| out.push(wait));
        } else if self.switching.release == Release::Sent {
            out.extend(self.wait_in_a_buffer(worm.0));
        }
    }

    pub fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>) {
        out.clear();
        let heads = self.state.live().map(|(_, worm)| worm).filter(|worm| worm.head != NONE);
        out.extend(heads.filter(|worm| self.head_router(worm) == router).map(Worm::name));
    }

    pub fn messages(&self, out: &mut Vec<MessageView>) {
        out.clear();
        out.extend(self.state.live().map(|(row, worm)| self.view(row, worm)));
    }
}
