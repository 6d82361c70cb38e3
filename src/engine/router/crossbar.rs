//! Allocates the crossbar: at most one flit leaves an input port and one enters an output port.

use super::arbiter::{Best, after, distance};
use super::engine::RouterEngine;
use super::records::NONE;

impl RouterEngine {
    /// Moves a flit of every VC that wins the crossbar.
    pub(super) fn cross(&mut self) {
        self.request_outputs();
        let requests = std::mem::take(&mut *self.state.work.requests);
        let input_of = |slot: u32| slot >> self.state.shift;
        let mut winners = std::mem::take(&mut *self.state.work.winners);
        for of_input in requests.chunk_by(|a, b| input_of(a.0) == input_of(b.0)) {
            let state = &self.state;
            let input = &state.ports[input_of(of_input[0].0) as usize];
            let mut best = Best::NONE;
            for &(slot, output) in of_input {
                if state.work.best_channels[output as usize].row == slot {
                    let port = &state.ports[output as usize];
                    best.offer(distance(port.output, input.accepts, port.outputs), slot);
                }
            }
            if best.row != NONE {
                winners.push(best.row);
            }
        }
        let work = &mut self.state.work;
        for &(_, output) in &requests {
            work.best_channels[output as usize] = Best::NONE;
        }
        let storage = &mut *work.requests;
        *storage = requests;
        storage.clear();
        for slot in winners.drain(..) {
            self.move_flit(slot);
        }
        *self.state.work.winners = winners;
    }

    /// Collects the requests of inputs for outputs, one for each pair; the best request is kept at
    /// every output.
    fn request_outputs(&mut self) {
        let state = &mut self.state;
        let mut at = 0;
        while at < state.bidding.len() {
            let channel = state.bidding[at] as usize;
            let input = state.ports[channel];
            if input.bids == 0 {
                state.ports[channel].listed = false;
                state.bidding.swap_remove(at);
                continue;
            }
            at += 1;
            let first = state.work.requests.len();
            let mut bids = input.bids;
            while bids != 0 {
                let v = bids.trailing_zeros();
                bids &= bids - 1;
                let slot = state.slot(channel, v);
                let buffer = state.buffers[slot as usize];
                let down = state.holds[buffer.front as usize].down;
                let output = state.holds[down as usize].slot >> state.shift;
                if buffer.ready > self.now || state.ports[output as usize].next > self.now {
                    continue;
                }
                let rank = |slot: u32| distance(state.split(slot).1, input.vc, state.vcs);
                let earlier =
                    state.work.requests[first..].iter().position(|request| request.1 == output);
                match earlier {
                    Some(other) => {
                        let other = first + other;
                        if rank(slot) < rank(state.work.requests[other].0) {
                            state.work.requests[other].0 = slot;
                        }
                    }
                    None => state.work.requests.push((slot, output)),
                }
            }
            for request in first..state.work.requests.len() {
                let (slot, output) = state.work.requests[request];
                let rank = distance(input.input, state.ports[output as usize].grants, input.inputs);
                state.work.best_channels[output as usize].offer(rank, slot);
            }
        }
    }

    /// Moves the first flit of a buffer over the crossbar.
    fn move_flit(&mut self, slot: u32) {
        let state = &mut self.state;
        let (channel, v) = state.split(slot);
        let front = state.buffers[slot as usize].front;
        let hold = &mut state.holds[front as usize];
        hold.inside -= 1;
        let (inside, down) = (hold.inside, hold.down);
        let output = (state.holds[down as usize].slot >> state.shift) as usize;
        let (from, to) = (state.ports[channel], state.ports[output]);
        let stages = self.stages.switch + self.stages.traverse + to.delay;
        let sent = state.send(down, self.now + u64::from(stages));
        if let Some(used) = self.uses.get_mut(sent.slot as usize) {
            used.flits += 1;
        }
        state.ports[channel].vc = after(v, state.vcs);
        state.ports[channel].accepts = after(to.output, to.outputs);
        let port = &mut state.ports[output];
        port.grants = after(from.input, from.inputs);
        port.next = self.now + u64::from(to.cycles_per_flit);
        if output < state.links {
            self.common.counters.flit_hops += 1;
        }
        let without_credit = state.buffers[sent.slot as usize].credits == 0;
        if sent.left == 0 {
            state.ports[channel].bids &= !(1 << v);
            let next = state.leave(slot);
            if next != NONE && state.holds[next as usize].inside > 0 {
                let ready = self.now + 1 + u64::from(self.stages.route);
                state.start(slot, ready);
            }
        } else if inside == 0 || without_credit {
            state.ports[channel].bids &= !(1 << v);
        }
        self.return_credit(slot);
    }
}
