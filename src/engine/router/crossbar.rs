//! Allocates the crossbar: at most one flit leaves an input port and one enters an output port.

use super::arbiter::{Request, after, distance};
use super::engine::RouterEngine;
use super::records::NONE;

impl RouterEngine {
    /// Moves a flit of every VC that wins the crossbar.
    pub(super) fn cross(&mut self) {
        self.request_outputs();
        let mut requests = std::mem::take(&mut self.state.work.outputs);
        let shift = self.state.shift;
        for of_input in requests.by_requester(|slot| slot >> shift) {
            let ports = &self.state.ports;
            let accepts = ports[(of_input[0].row >> shift) as usize].accepts;
            let rank = |output| {
                let output = &ports[output as usize];
                distance(output.output, accepts, output.outputs)
            };
            if let Some(Request { row, .. }) = requests.accepted(of_input, rank) {
                self.move_flit(row);
            }
        }
        requests.clear();
        self.state.work.outputs = requests;
    }

    /// Adds the requests of inputs for outputs, one for each pair.
    fn request_outputs(&mut self) {
        let state = &mut self.state;
        let mut of_input = std::mem::take(&mut *state.work.of_input);
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
            let mut bids = input.bids;
            while bids != 0 {
                let v = bids.trailing_zeros();
                bids &= bids - 1;
                let row = state.slot(channel, v);
                let buffer = &state.buffers[row as usize];
                let down = state.holds[buffer.front as usize].down;
                let resource = state.holds[down as usize].slot >> state.shift;
                if buffer.ready > self.now || state.ports[resource as usize].next > self.now {
                    continue;
                }
                let rank = |row: u32| distance(state.split(row).1, input.vc, state.vcs);
                match of_input.iter_mut().find(|other| other.resource == resource) {
                    Some(other) if rank(row) < rank(other.row) => other.row = row,
                    Some(_) => {}
                    None => of_input.push(Request { row, resource }),
                }
            }
            for request in of_input.drain(..) {
                let output = &state.ports[request.resource as usize];
                let rank = distance(input.input, output.grants, input.inputs);
                state.work.outputs.request(request, rank);
            }
        }
        *state.work.of_input = of_input;
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
        let sent = state.send(down, self.now, self.now + u64::from(stages));
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
