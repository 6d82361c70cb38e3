//! What can be asked about single worms.

use super::WormholeEngine;
use super::general::Place;
use super::state::{NONE, Worm};
use crate::engine::messages::{Doing, MessageView, Messages, Whereabouts, locate};
use crate::engine::{HeadState, Wait};
use crate::ids::{ChannelId, MessageId, NodeId, RouterId, VcId, WormId};
use crate::switching::Release;
use crate::units::Cycle;

impl WormholeEngine {
    /// The live worm in a row, if there is one.
    fn live(&self, row: u32) -> Option<&Worm> {
        self.state.worms.get(row as usize).filter(|worm| worm.live)
    }

    fn row_of(&self, name: MessageId, hint: Option<WormId>) -> Option<u32> {
        let is = |worm: &Worm| worm.serial == name.serial && worm.source == name.source.0;
        hint.map(|hint| hint.0).filter(|&row| self.live(row).is_some_and(is)).or_else(|| {
            let found = self.state.worms.iter().position(|worm| worm.live && is(worm));
            found.map(|row| row as u32)
        })
    }

    fn view(&self, row: u32, worm: &Worm) -> MessageView {
        let in_network = worm.head != NONE;
        MessageView {
            name: MessageId { source: NodeId(worm.source), serial: worm.serial },
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
        let mut at = worm.head;
        while at != NONE {
            if self.state.place(at) == Place::Source {
                return self.state.flits(at, self.now).0;
            }
            at = self.state.holds[at as usize].prev;
        }
        0
    }
}

impl Messages for WormholeEngine {
    fn whereabouts(&self, message: MessageId, hint: Option<WormId>) -> Whereabouts {
        let node = message.source;
        if node.index() >= self.network.nodes() {
            return Whereabouts::Unborn;
        }
        let counts = (self.sources.handed_out(node), self.sources.generated_at(node));
        locate(message.serial, counts, || {
            let row = self.row_of(message, hint)?;
            Some(self.view(row, &self.state.worms[row as usize]))
        })
    }

    fn name_of(&self, worm: WormId) -> Option<MessageId> {
        let worm = self.live(worm.0)?;
        Some(MessageId { source: NodeId(worm.source), serial: worm.serial })
    }

    fn path_of(&self, worm: WormId, out: &mut Vec<VcId>) {
        out.clear();
        let Some(worm) = self.live(worm.0) else { return };
        let mut at = worm.head;
        while at != NONE {
            if let Place::Vc(slot) = self.state.place(at) {
                let (channel, v) = self.state.split(slot);
                out.push(self.public_vc(ChannelId::new(channel), v));
            }
            at = self.state.holds[at as usize].prev;
        }
        out.reverse();
    }

    fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>) {
        out.clear();
        let Some(row) = self.live(worm.0) else { return };
        if row.waits && row.asks_since < self.now {
            let mut candidates = Vec::new();
            self.for_each_wait_of(worm.0, &mut candidates, &mut |wait| out.push(wait));
        } else if self.switching.release == Release::Sent {
            out.extend(self.wait_in_a_buffer(worm.0));
        }
    }

    fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>) {
        out.clear();
        for worm in self.state.worms.iter().filter(|worm| worm.live && worm.head != NONE) {
            if self.head_router(worm) == router {
                out.push(MessageId { source: NodeId(worm.source), serial: worm.serial });
            }
        }
    }

    fn messages(&self, out: &mut Vec<MessageView>) {
        out.clear();
        let live = (0..).zip(&self.state.worms).filter(|(_, worm)| worm.live);
        out.extend(live.map(|(row, worm)| self.view(row, worm)));
    }

    fn generated_at(&self, node: NodeId) -> u64 {
        self.sources.generated_at(node)
    }
}
