//! Draws the engine's state as a [`Snapshot`]: plain data for eyes.

use super::engine::WormholeEngine;
use super::records::{NONE, Place, SINK, Worm};
use crate::engine::view::{HeadState, Snapshot, VcView, WormView};
use crate::ids::{ChannelId, Letter, NodeId, RouterId, WormId};
use crate::units::Cycle;

impl WormholeEngine {
    /// Draws the present state into recycled storage.
    pub fn observe(&self, snapshot: &mut Snapshot) {
        let state = &self.state;
        snapshot.cycle = Cycle(self.now);
        snapshot.virtual_channels = state.virtual_channels;
        snapshot.buffer_flits = state.buffer_flits;
        snapshot.counters = self.counters();
        snapshot.deadlock.clone_from(&self.deadlock);
        snapshot.circuits.clear();
        snapshot.controllers.clear();
        snapshot.crossed.clear();
        snapshot
            .crossed
            .extend((0..state.channels.len()).map(|channel| state.crossed(channel, self.now)));
        snapshot.queues.clear();
        snapshot
            .queues
            .extend((0..self.network.nodes()).map(|node| self.sources.queue(NodeId::new(node))));
        snapshot.vcs.clear();
        snapshot
            .vcs
            .resize(state.channels.len() * state.virtual_channels as usize, VcView::default());
        self.draw_worms(snapshot);
        snapshot.waits.clear();
        let waits = &mut snapshot.waits;
        self.for_each_wait(|wait| waits.push(wait));
        waits.sort_by_key(|wait| state.worms[wait.worm.index()].age());
    }

    fn draw_worms(&self, snapshot: &mut Snapshot) {
        let state = &self.state;
        snapshot.worms.clear();
        snapshot.path.clear();
        snapshot.path_flits.clear();
        let mut worms: Vec<_> = state.live().filter(|(_, worm)| worm.head != NONE).collect();
        worms.sort_unstable_by_key(|(_, worm)| worm.age());
        for (row, worm) in worms {
            let first = snapshot.path.len();
            let holder = snapshot.worms.len() as u32 + 1;
            let (mut at_source, mut inside) = (0, 0);
            for at in state.holds_of(worm) {
                let hold = &state.holds[at as usize];
                let slot = match state.place(at) {
                    Place::Vc(slot) => slot,
                    Place::Source => {
                        at_source = state.flits(at, self.now).0;
                        break;
                    }
                    // A flit on its way to a node's sink is shown on the node's ejection channel.
                    Place::Ejection => {
                        if let Some(channel) = self.ejection_in_flight(at) {
                            let vc = self.public_vc(channel, 0);
                            snapshot.path.push(vc);
                            snapshot.path_flits.push(hold.flying);
                            snapshot.vcs[vc.index()].flits += hold.flying;
                            snapshot.vcs[vc.index()].in_flight += hold.flying;
                            inside += hold.flying;
                        }
                        continue;
                    }
                };
                let (channel, v) = state.split(slot);
                let vc = self.public_vc(ChannelId::new(channel), v);
                let here = state.flits(at, self.now).0 + hold.flying;
                snapshot.path.push(vc);
                snapshot.path_flits.push(here);
                let view = &mut snapshot.vcs[vc.index()];
                if at == slot && state.channels[channel].free >> v & 1 == 0 {
                    view.holder = holder;
                }
                view.flits += here;
                view.in_flight += hold.flying;
                inside += here;
            }
            snapshot.path[first..].reverse();
            snapshot.path_flits[first..].reverse();
            snapshot.worms.push(WormView {
                id: WormId(row),
                letter: Letter(worm.letter),
                serial: worm.serial,
                source: NodeId(worm.source),
                destination: NodeId(worm.destination),
                born: Cycle(worm.born),
                length: worm.length,
                at_source,
                consumed: worm.length - at_source - inside,
                head: self.head_state(worm),
                head_at: self.head_router(worm),
                path_first: first as u32,
                path_len: (snapshot.path.len() - first) as u32,
            });
        }
    }

    pub(super) fn head_state(&self, worm: &Worm) -> HeadState {
        let head = &self.state.holds[worm.head as usize];
        if head.next == SINK {
            HeadState::Arriving
        } else if worm.is_blocked(self.now) {
            HeadState::Blocked(Cycle(worm.asks_since))
        } else {
            HeadState::Moving
        }
    }

    /// The ejection channel over which flits are on their way to an ejecting hold.
    fn ejection_in_flight(&self, row: u32) -> Option<ChannelId> {
        let hold = &self.state.holds[row as usize];
        let node = NodeId(self.state.worms[hold.worm as usize].destination);
        self.network.ejection_of(node).filter(|_| hold.flying > 0)
    }

    /// The router at which the head's flit stands: behind the newest VC until it has crossed.
    pub(super) fn head_router(&self, worm: &Worm) -> RouterId {
        match self.state.place(worm.head) {
            Place::Vc(slot) if self.head_crosses(worm) => {
                let (channel, _) = self.state.split(slot);
                RouterId(self.state.channels[channel].from)
            }
            Place::Vc(_) | Place::Source | Place::Ejection => RouterId(worm.at),
        }
    }

    /// Whether the head's flit has not come to where its newest hold is.
    pub(super) fn head_crosses(&self, worm: &Worm) -> bool {
        let flying = self.state.holds[worm.head as usize].flying;
        self.state.flits(worm.head, self.now).1 + flying == worm.length
    }
}
