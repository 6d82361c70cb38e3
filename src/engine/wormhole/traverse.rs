//! Traversal: every channel with a movable flit picks a VC, then all picked flits move.

use super::WormholeEngine;
use super::state::{Claim, Hold, NONE, SINK};
use crate::engine::Delivery;
use crate::ids::NodeId;
use crate::random::mix;
use crate::units::Cycle;

impl WormholeEngine {
    /// Moves one flit over every channel that can move one.
    pub(super) fn traverse(&mut self) {
        self.pick();
        let picks = std::mem::take(&mut self.picks);
        for &vc in &picks {
            self.move_flit(vc);
        }
        self.counters.flit_hops += picks.len() as u64;
        self.picks = picks;
    }

    /// Evaluates: one VC per channel, round robin over those with a flit upstream and space, by the
    /// state in which the cycle began. Channels without any leave the work list.
    fn pick(&mut self) {
        self.picks.clear();
        let mut active = std::mem::take(&mut self.state.active);
        let virtual_channels = self.state.virtual_channels;
        active.retain(|&channel| {
            let row = &mut self.state.channels[channel as usize];
            let movable = row.flit & row.space;
            if movable == 0 {
                row.listed = false;
                return false;
            }
            let from_pointer = movable & (u32::MAX << row.pointer);
            let v = if from_pointer == 0 { movable } else { from_pointer }.trailing_zeros();
            row.pointer = if v + 1 == virtual_channels { 0 } else { v as u8 + 1 };
            let vc = (channel << self.state.shift) + v;
            if row.source >> v & 1 == 0 {
                self.picks.push(vc);
            } else {
                self.claim(vc);
            }
            true
        });
        self.state.active = active;
    }

    /// A channel has picked a flit that stands at its source. Of several such channels the one with
    /// the oldest message sends; the others send nothing in this cycle.
    fn claim(&mut self, vc: u32) {
        let worm = self.worm_of(vc);
        let node = self.state.worms[worm as usize].source as usize;
        let claim = self.state.claims[node];
        if claim.cycle != self.now {
            self.state.claims[node] = Claim { cycle: self.now, pick: self.picks.len() as u32 };
            self.picks.push(vc);
            return;
        }
        let rival = self.worm_of(self.picks[claim.pick as usize]);
        if self.state.worms[worm as usize].age() < self.state.worms[rival as usize].age() {
            self.picks[claim.pick as usize] = vc;
        }
    }

    fn worm_of(&self, vc: u32) -> u32 {
        self.state.holds[self.state.entering[vc as usize] as usize].worm
    }

    /// Commits: the next flit of the worm that holds `vc` crosses its channel.
    #[inline]
    fn move_flit(&mut self, vc: u32) {
        let state = &mut self.state;
        let (channel, v) = state.split(vc);
        let entering = state.entering[vc as usize];
        let Hold { prev, next, here, left, .. } = state.holds[entering as usize];

        // Out of the buffer behind, or the source.
        let behind = &mut state.holds[prev as usize];
        debug_assert!(behind.here > 0 && left > 0);
        let behind_was = behind.here;
        let behind_vc = behind.vc;
        behind.here = behind_was - 1;
        let row = &mut state.channels[channel];
        row.crossed += 1;
        if behind_was == 1 {
            row.flit &= !(1 << v);
        }
        if behind_vc == NONE {
            self.counters.flits_injected += 1;
        } else if behind_was == state.buffer_flits {
            let (upstream, v) = state.split(behind_vc);
            let row = &mut state.channels[upstream];
            row.space |= 1 << v;
            if row.flit >> v & 1 == 1 {
                state.activate(upstream);
            }
        }

        // Into the buffer in front, or the sink.
        state.holds[entering as usize].left = left - 1;
        if next == SINK {
            self.counters.flits_consumed += 1;
            if left == behind_was && behind_vc == NONE {
                self.note_entry(entering);
            }
        } else {
            state.holds[entering as usize].here = here + 1;
            if here + 1 == state.buffer_flits {
                state.channels[channel].space &= !(1 << v);
            }
            if here == 0 {
                if next == NONE {
                    self.head_arrives(entering, behind_vc == NONE);
                } else {
                    let (onward, v) = state.split(state.holds[next as usize].vc);
                    let row = &mut state.channels[onward];
                    row.flit |= 1 << v;
                    if row.space >> v & 1 == 1 {
                        state.activate(onward);
                    }
                }
            }
        }
        if left == 1 {
            self.tail_crosses(entering, prev, next == SINK);
        }
    }

    /// The head has left its source for good.
    fn note_entry(&mut self, hold: u32) {
        let worm = &mut self.state.worms[self.state.holds[hold as usize].worm as usize];
        if worm.entered == u64::MAX {
            worm.entered = self.now;
        }
    }

    /// A head has come into its newest buffer: it asks from the next cycle on.
    fn head_arrives(&mut self, hold: u32, from_source: bool) {
        if from_source {
            self.note_entry(hold);
        }
        let worm = self.state.holds[hold as usize].worm;
        self.state.worms[worm as usize].asks_since = self.now + 1;
        self.ask(worm);
    }

    /// The tail has crossed into `hold`: what was behind is free, and at the sink all is done.
    fn tail_crosses(&mut self, hold: u32, behind: u32, at_sink: bool) {
        self.state.holds[hold as usize].prev = NONE;
        self.release(behind);
        if at_sink {
            let worm = self.state.holds[hold as usize].worm;
            self.release(hold);
            self.deliver(worm);
        }
    }

    /// Gives back a hold, and the VC it held, which can be granted from the next cycle on.
    fn release(&mut self, hold: u32) {
        let state = &mut self.state;
        let vc = state.holds[hold as usize].vc;
        state.holds_spare.push(hold);
        if vc == NONE {
            // The source is empty: the channel that it fed is now fed by nobody.
            let next = state.holds[hold as usize].next;
            let (channel, v) = state.split(state.holds[next as usize].vc);
            state.channels[channel].source &= !(1 << v);
            return;
        }
        let (channel, v) = state.split(vc);
        let row = &mut state.channels[channel];
        row.free |= 1 << v;
        state.entering[vc as usize] = NONE;
        let router = row.from;
        if state.waiting[router as usize] != NONE {
            state.look_at(router);
        }
    }

    /// The tail was consumed.
    fn deliver(&mut self, worm: u32) {
        let row = &mut self.state.worms[worm as usize];
        row.live = false;
        let delivery = Delivery {
            source: NodeId(row.source),
            destination: NodeId(row.destination),
            serial: row.serial,
            length: row.length,
            hops: row.hops,
            born: Cycle(row.born),
            entered: Cycle(row.entered),
            done: Cycle(self.now + 1),
        };
        let name = mix(u64::from(row.source) << 32 | u64::from(row.length), row.serial);
        let hash = mix(mix(name, row.born), self.now);
        self.state.worms_spare.push(worm);
        self.delivered_hash = self.delivered_hash.wrapping_add(hash);
        self.counters.delivered += 1;
        self.counters.flits_delivered += u64::from(delivery.length);
        self.counters.latency_sum += delivery.latency();
        self.present -= 1;
        self.deliveries.push(delivery);
    }
}
