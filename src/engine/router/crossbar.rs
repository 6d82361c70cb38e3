//! Allocates the crossbar: at most one flit leaves an input and one enters an output.

use super::arbiter::{Matching, Request, after, keep_one};
use super::engine::RouterEngine;
use super::records::NONE;
use super::rules::{Other, Rules};
use crate::switching::Allocator;

/// The allocator for flits with a VC, by the index of its pointers.
const OTHERS: usize = 0;
/// The allocator for speculative heads.
const HEADS: usize = 1;

impl RouterEngine {
    /// Moves a flit of every input that wins the crossbar.
    pub(super) fn cross<M: Rules>(&mut self) {
        self.request_outputs::<M>();
        let speculates = !M::SIMPLE && !self.state.work.heads.is_empty();
        if speculates {
            self.request_for_heads();
        }
        let lane_of = self.state.lane_of::<M>();
        let mut requests = std::mem::take(&mut self.state.work.outputs);
        for iteration in 0..self.iterations::<M>() {
            let is_open = |it: &Request| self.state.is_open(*it, self.internal);
            let rank = |it: &Request| self.state.rank_at_output::<M>(*it, lane_of(it.row), OTHERS);
            if iteration > 0 && !requests.retain_open(is_open, rank) {
                break;
            }
            for of_lane in requests.by_requester(&lane_of) {
                if let Some(accepted) = self.accepted::<M>(&requests, of_lane, OTHERS) {
                    if iteration == 0 {
                        self.state.advance_output_pointers::<M>(accepted, OTHERS);
                    }
                    self.move_flit::<M>(accepted.row, self.stages.switch);
                }
            }
        }
        if self.is::<M>(Allocator::Wavefront) {
            for request in requests.sorted_by(|it| self.state.wave_of_output(*it, self.internal)) {
                if self.state.is_open(*request, self.internal) {
                    self.move_flit::<M>(request.row, self.stages.switch);
                }
            }
        }
        requests.clear();
        self.state.work.outputs = requests;
        if speculates {
            self.cross_with_heads::<M>();
        }
    }

    /// Moves the heads that win the crossbar together with a VC, where no other flit crosses.
    fn cross_with_heads<M: Rules>(&mut self) {
        let lane_of = self.state.lane_of::<M>();
        let mut requests = std::mem::take(&mut self.state.work.guesses);
        for of_lane in requests.by_requester(&lane_of) {
            let Some(accepted) = self.accepted::<M>(&requests, of_lane, HEADS) else {
                continue;
            };
            self.state.advance_output_pointers::<M>(accepted, HEADS);
            if self.state.has_vc(accepted, self.internal) {
                self.move_flit::<M>(accepted.row, self.stages.allocation());
            }
        }
        requests.clear();
        self.state.work.guesses = requests;
    }

    /// Adds the requests of inputs for outputs, one for each pair.
    fn request_outputs<M: Rules>(&mut self) {
        let is_separable = self.is::<M>(Allocator::Separable);
        let state = &mut self.state;
        let mut of_lane = std::mem::take(&mut *state.work.of_one);
        let mut at = 0;
        while at < state.bidding.len() {
            let channel = state.bidding[at] as usize;
            let bids = state.ports[channel].bids;
            if bids == 0 {
                state.ports[channel].listed = false;
                state.bidding.swap_remove(at);
                continue;
            }
            at += 1;
            if bids.is_power_of_two() {
                let row = state.slot(channel, bids.trailing_zeros());
                if let Some(resource) = state.output_for::<M>(row, self.internal) {
                    let lane = state.lane_of::<M>()(row);
                    let request = Request { row, resource };
                    let rank = state.rank_at_output::<M>(request, lane, OTHERS);
                    state.work.outputs.request(request, rank);
                }
                continue;
            }
            let speedup = if M::SIMPLE { 1 } else { state.speedup };
            for nth in 0..speedup {
                let lane = channel as u32 * speedup + nth;
                let own = if M::SIMPLE { u32::MAX } else { state.vcs_of_lane[nth as usize] };
                let mut bids = bids & own;
                while bids != 0 {
                    let row = state.slot(channel, bids.trailing_zeros());
                    bids &= bids - 1;
                    let Some(resource) = state.output_for::<M>(row, self.internal) else {
                        continue;
                    };
                    let rank = |row: u32| state.rank_in_lane::<M>(row, lane);
                    match of_lane.iter_mut().find(|other| other.resource == resource) {
                        Some(other) if rank(row) < rank(other.row) => other.row = row,
                        Some(_) => {}
                        None => of_lane.push(Request { row, resource }),
                    }
                }
                if is_separable {
                    keep_one(&mut of_lane, |it| state.rank_at_input::<M>(*it, lane, OTHERS));
                }
                for request in of_lane.drain(..) {
                    let rank = state.rank_at_output::<M>(request, lane, OTHERS);
                    state.work.outputs.request(request, rank);
                }
            }
        }
        *state.work.of_one = of_lane;
    }

    /// The request accepted by an input, if any.
    #[inline]
    fn accepted<M: Rules>(
        &self,
        requests: &Matching,
        of_lane: &[Request],
        allocator: usize,
    ) -> Option<Request> {
        let lane = self.state.lane_of::<M>()(of_lane[0].row);
        requests.accepted(of_lane, |it| self.state.rank_at_input::<M>(*it, lane, allocator))
    }

    /// Adds the speculative requests of inputs for outputs, one for each pair.
    fn request_for_heads(&mut self) {
        let state = &mut self.state;
        let lane_of = state.lane_of::<Other>();
        let mut heads = std::mem::take(&mut *state.work.heads);
        heads.sort_unstable_by_key(|it| {
            let lane = lane_of(it.row);
            (lane, it.resource, state.rank_in_lane::<Other>(it.row, lane))
        });
        heads.dedup_by_key(|it| (lane_of(it.row), it.resource));
        for request in heads.drain(..) {
            let rank = state.rank_at_output::<Other>(request, lane_of(request.row), HEADS);
            state.work.guesses.request(request, rank);
        }
        *state.work.heads = heads;
    }

    /// Moves the first flit of a buffer over the crossbar, after the cycles of its allocation.
    #[inline]
    fn move_flit<M: Rules>(&mut self, slot: u32, allocation: u32) {
        let state = &mut self.state;
        let (channel, v) = state.split(slot);
        let buffer = &mut state.buffers[slot as usize];
        let (front, ready, out) = (buffer.front, buffer.ready, buffer.out);
        let is_head = std::mem::take(&mut buffer.has_head);
        let hold = &mut state.holds[front as usize];
        hold.inside -= 1;
        let (inside, down, worm) = (hold.inside, hold.down, hold.worm);
        let output = (out >> state.shift) as usize;
        let port = &mut state.ports[output];
        let crossed = self.internal + u64::from(allocation + self.stages.traverse);
        let departs = if !M::SIMPLE && self.stages.meet_at_channels() {
            let departs = crossed.div_ceil(state.steps).max(port.departs);
            port.departs = departs + u64::from(port.cycles_per_flit);
            departs
        } else {
            crossed
        };
        port.served = worm;
        let is_brief = M::SIMPLE || self.stages.has_output_buffers();
        let busy = if is_brief { 1 } else { port.cycles_per_flit };
        let lands = departs + u64::from(port.delay);
        let sent = state.send(down, self.now, lands);
        if let Some(used) = self.uses.get_mut(out as usize) {
            used.flits += 1;
        }
        let lane = state.lane_of::<M>()(slot) as usize;
        let lane = &mut state.lanes[lane];
        lane.vc = if M::SIMPLE { after(v, state.vcs) } else { (v + state.speedup) % state.vcs };
        (lane.next, lane.served) = (self.internal + 1, worm);
        if is_head {
            let ready = state.cycle::<M>(ready);
            let worm = &mut state.worms[worm as usize];
            let waited = self.now.saturating_sub(ready) as u32;
            worm.note_wait(waited, output as u32);
            worm.waited_with_vc += waited;
            worm.crosses = self.internal + u64::from(allocation);
        }
        let exit = if M::SIMPLE { output } else { state.exit(output as u32, slot) as usize };
        state.exits[exit].next = self.internal + u64::from(busy);
        if output < state.links {
            self.common.counters.flit_hops += 1;
        }
        let without_credit = state.buffers[out as usize].credits == 0;
        if sent.left == 0 {
            state.ports[channel].bids &= !(1 << v);
            let next = state.leave(slot);
            if next != NONE && state.holds[next as usize].inside > 0 {
                let front = self.internal + 1;
                let worm = state.holds[next as usize].worm as usize;
                let waited = state.cycle::<M>(front) - state.cycle::<M>(state.worms[worm].stopped);
                state.worms[worm].waited_behind += waited as u32;
                state.start(slot, front + u64::from(self.stages.route));
            }
        } else if inside == 0 || without_credit {
            state.ports[channel].bids &= !(1 << v);
        }
        self.return_credit(slot, sent.left == 0);
    }
}
