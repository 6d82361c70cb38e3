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
        // Tails go first: what they let go may end a clash before it begins.
        self.counters.flit_hops += self.runs.channels;
        self.counters.flits_injected += self.runs.sources;
        self.counters.flits_consumed += self.runs.sinks;
        self.run_tails();
        let picked = self.pick();
        for at in 0..picked {
            self.move_flit(self.picks[at]);
        }
        self.counters.flit_hops += picked as u64;
        self.run_heads();
    }

    /// Evaluates: one VC per channel, round robin over those with a flit upstream and space, by the
    /// state in which the cycle began. Channels without any leave the work list. Answers how many
    /// of the picks are of this cycle.
    fn pick(&mut self) -> usize {
        if self.picks.len() < self.state.active.len() {
            self.picks.resize(self.state.active.len(), 0);
        }
        let virtual_channels = self.state.virtual_channels;
        let shift = self.state.shift;
        let (mut kept, mut picked) = (0, 0);
        for at in 0..self.state.active.len() {
            let channel = self.state.active[at];
            let row = &mut self.state.channels[channel as usize];
            let movable = row.flit & row.space;
            if movable == 0 {
                row.listed = false;
                continue;
            }
            let from_pointer = movable & (u32::MAX << row.pointer);
            let v = if from_pointer == 0 { movable } else { from_pointer }.trailing_zeros();
            row.pointer = if v + 1 == virtual_channels { 0 } else { v as u8 + 1 };
            let fed_by_source = row.source >> v & 1 == 1;
            let vc = (channel << shift) + v;
            self.state.active[kept] = channel;
            kept += 1;
            if !fed_by_source || self.claim(vc, picked) {
                self.picks[picked] = vc;
                picked += 1;
            }
        }
        self.state.active.truncate(kept);
        picked
    }

    /// A channel has picked a flit that stands at its source. Of several such channels the one with
    /// the oldest message sends; the others send nothing in this cycle.
    /// Answers whether `vc` is to be picked in place `at`; an older message takes over the pick of
    /// a younger one.
    fn claim(&mut self, vc: u32, at: usize) -> bool {
        let worm = &self.state.worms[self.state.holds[vc as usize].worm as usize];
        let claim = &mut self.state.claims[worm.source as usize];
        if claim.cycle != self.now {
            *claim = Claim { cycle: self.now, pick: at as u32 };
            return true;
        }
        let rival = self.state.holds[self.picks[claim.pick as usize] as usize].worm;
        if worm.age() < self.state.worms[rival as usize].age() {
            self.picks[claim.pick as usize] = vc;
        }
        false
    }

    /// Commits: the next flit of the worm that holds `vc` crosses its channel.
    #[inline]
    fn move_flit(&mut self, vc: u32) {
        let state = &mut self.state;
        let (channel, v) = state.split(vc);
        let hold = &mut state.holds[vc as usize];
        let Hold { prev, next, here, left, .. } = *hold;
        hold.left = left - 1;
        let to_sink = next == SINK;
        if !to_sink {
            hold.here = here + 1;
        }

        // Out of the buffer behind, or the source.
        let behind = &mut state.holds[prev as usize];
        debug_assert!(behind.here > 0 && left > 0);
        let behind_was = behind.here;
        behind.here = behind_was - 1;
        let row = &mut state.channels[channel];
        row.crossed += 1;
        if behind_was == 1 {
            row.flit &= !(1 << v);
        }
        // Into the buffer in front, or the sink.
        if !to_sink && here + 1 == state.buffer_flits {
            row.space &= !(1 << v);
        }
        let from_source = prev >= state.slots;
        if from_source {
            self.counters.flits_injected += 1;
        } else if behind_was == state.buffer_flits {
            let (upstream, v) = state.split(prev);
            let row = &mut state.channels[upstream];
            row.space |= 1 << v;
            if row.flit >> v & 1 == 1 {
                state.activate(upstream);
            }
        }
        if to_sink {
            self.counters.flits_consumed += 1;
            if from_source {
                self.note_entry(vc);
            }
        } else if here == 0 {
            if next == NONE {
                self.head_arrives(vc, from_source);
            } else {
                let (onward, v) = state.split(next);
                let row = &mut state.channels[onward];
                row.flit |= 1 << v;
                if row.run != 0 {
                    let vc = (onward << state.shift) as u32 + row.run.trailing_zeros();
                    self.runs.clashes.push(state.holds[vc as usize].worm);
                }
                if row.space >> v & 1 == 1 {
                    state.activate(onward);
                }
            }
        }
        if left == 1 {
            self.tail_crosses(vc, prev, to_sink);
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
    #[inline(never)]
    fn head_arrives(&mut self, hold: u32, from_source: bool) {
        if from_source {
            self.note_entry(hold);
        }
        let worm = self.state.holds[hold as usize].worm;
        self.state.worms[worm as usize].asks_since = self.now + 1;
        self.arrives(worm, self.now);
        self.requests(worm, self.now + 1);
        self.ask(worm);
    }

    /// The tail has crossed into `hold`: what was behind is free, and at the sink all is done.
    #[inline(never)]
    pub(super) fn tail_crosses(&mut self, hold: u32, behind: u32, at_sink: bool) {
        self.state.holds[hold as usize].prev = NONE;
        self.release(behind);
        if at_sink {
            let worm = self.state.holds[hold as usize].worm;
            self.release(hold);
            self.deliver(worm, self.now + 1);
        }
    }

    /// Gives back a hold, and the VC it held, which can be granted from the next cycle on.
    fn release(&mut self, hold: u32) {
        let state = &mut self.state;
        let is_source = state.is_source(hold);
        // An empty source feeds nobody: it is its channel's VC that changes.
        let (channel, v) =
            state.split(if is_source { state.holds[hold as usize].next } else { hold });
        if is_source {
            let node = state.worms[state.holds[hold as usize].worm as usize].source as usize;
            state.emitting[node] -= 1;
            state.emitter[node] = NONE;
        }
        state.free_hold(hold);
        let row = &mut state.channels[channel];
        if is_source {
            row.source &= !(1 << v);
            return;
        }
        row.free |= 1 << v;
        let router = row.from;
        if state.waiting[router as usize] != NONE {
            state.look_at(router);
        }
    }

    /// The tail was consumed: by cycle `come` it is gone.
    pub(super) fn deliver(&mut self, worm: u32, come: u64) {
        let done = come + self.delivery_takes;
        self.counters.message_cycles += self.delivery_takes;
        if self.state.letters.are_wanted() {
            self.state.take_letter(worm, self.now);
        }
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
            done: Cycle(done),
            aborts: 0,
            held: 0,
        };
        let name = mix(u64::from(row.source) << 32 | u64::from(row.length), row.serial);
        let hash = mix(mix(name, row.born), done - 1);
        self.state.worms_spare.push(worm);
        self.delivered_hash = self.delivered_hash.wrapping_add(hash);
        self.counters.delivered += 1;
        self.counters.flits_delivered += u64::from(delivery.length);
        self.counters.latency_sum += delivery.latency();
        self.present -= 1;
        self.deliveries.push(delivery);
    }
}
