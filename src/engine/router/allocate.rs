//! Allocates output VCs to heads.

use super::arbiter::{Request, keep_one};
use super::engine::RouterEngine;
use super::records::{Stage, Way};
use super::rules::Rules;
use super::state::State;
use crate::ids::{ChannelId, NodeId};
use crate::routing::{Candidate, Threshold, bits};
use crate::switching::{Allocator, Forwarding};

impl RouterEngine {
    /// Fills `out` with the candidates of the front head of a buffer.
    pub(super) fn candidates_of(&self, slot: u32, out: &mut Vec<Candidate>) {
        let (state, relation) = (&self.state, &self.common.relation);
        let front = state.buffers[slot as usize].front;
        let worm = &state.worms[state.holds[front as usize].worm as usize];
        if worm.at == worm.header.destination.0 {
            let channel = ChannelId::new(state.ejection_of(NodeId(worm.destination)));
            let vcs = relation.vcs_of_message_class(worm.header.message_class);
            out.clear();
            out.push(Candidate { channel, vcs });
        } else {
            relation.candidates(state.stop(worm, slot, relation), &worm.header, out);
            if let Some((_, direct)) = self.detours {
                worm.way.keep(direct, out);
            }
        }
    }

    /// Chooses for a head with candidates of a direct route and of a detour, and keeps those of the
    /// choice.
    fn choose_way(&mut self, choice: (Threshold, u32), slot: u32, candidates: &mut Vec<Candidate>) {
        let state = &mut self.state;
        let queue = |it: &Candidate| -> u32 {
            let slots = bits(it.vcs).map(|v| state.slot(it.channel.index(), v) as usize);
            slots.map(|slot| state.flits - state.buffers[slot].credits).sum()
        };
        let Some(way) = Way::chosen(choice, candidates, queue) else { return };
        let front = state.buffers[slot as usize].front;
        let worm = &mut state.worms[state.holds[front as usize].worm as usize];
        if worm.way == Way::Open {
            worm.way = way;
            way.keep(choice.1, candidates);
        }
    }

    /// Adds the requests of heads for free VCs.
    fn request_vcs<M: Rules>(&mut self) {
        let mut candidates = std::mem::take(&mut *self.state.work.candidates);
        let speculates = !M::SIMPLE && self.stages.speculates();
        let is_separable = self.is::<M>(Allocator::Separable);
        let whole = self.state.forwarding != Forwarding::Wormhole;
        for at in 0..self.state.waiting.len() {
            let slot = self.state.waiting[at];
            if self.state.buffers[slot as usize].ready > self.internal {
                continue;
            }
            self.candidates_of(slot, &mut candidates);
            if let Some(choice) = self.detours {
                self.choose_way(choice, slot, &mut candidates);
            }
            let state = &mut self.state;
            for &Candidate { channel, vcs } in &candidates {
                let output = &state.ports[channel.index()];
                let mut free = if output.closed { 0 } else { output.free & vcs };
                if whole {
                    free = state.with_room(slot, channel.index(), free);
                }
                if speculates && has_credit(state, channel.index(), free) {
                    let resource = state.exit(channel.0, slot);
                    state.work.heads.push(Request { row: slot, resource });
                }
                while free != 0 {
                    let resource = state.slot(channel.index(), free.trailing_zeros());
                    free &= free - 1;
                    let request = Request { row: slot, resource };
                    if is_separable {
                        state.work.of_one.push(request);
                    } else {
                        state.request_vc::<M>(request);
                    }
                }
            }
            if is_separable {
                let mut of_head = std::mem::take(&mut *state.work.of_one);
                keep_one(&mut of_head, |it| state.rank_at_head(*it));
                of_head.drain(..).for_each(|request| state.request_vc::<M>(request));
                *state.work.of_one = of_head;
            }
        }
        *self.state.work.candidates = candidates;
    }

    /// Allocates a VC to every head that can have one.
    pub(super) fn allocate_vcs<M: Rules>(&mut self) {
        self.request_vcs::<M>();
        let mut requests = std::mem::take(&mut self.state.work.vcs);
        for iteration in 0..self.iterations::<M>() {
            let is_open = |it: &Request| self.state.can_have_vc(*it);
            let rank = |it: &Request| self.state.rank_at_vc::<M>(*it);
            if iteration > 0 && !requests.retain_open(is_open, rank) {
                break;
            }
            for of_head in requests.by_requester(|slot| slot) {
                let rank = |it: &Request| self.state.rank_at_head(*it);
                if let Some(accepted) = requests.accepted(of_head, rank) {
                    if iteration == 0 {
                        self.state.advance_vc_pointers(accepted);
                    }
                    self.grant_vc::<M>(accepted);
                }
            }
        }
        if self.is::<M>(Allocator::Wavefront) {
            for request in requests.sorted_by(|it| self.state.wave_of_vc(*it, self.internal)) {
                if self.state.can_have_vc(*request) {
                    self.grant_vc::<M>(*request);
                }
            }
        }
        requests.clear();
        let State { waiting, buffers, work, .. } = &mut self.state;
        work.vcs = requests;
        waiting.retain(|&slot| buffers[slot as usize].stage == Stage::Waiting);
    }

    /// True if the allocator is `kind`.
    pub(super) fn is<M: Rules>(&self, kind: Allocator) -> bool {
        !M::SIMPLE && self.stages.allocator == kind
    }

    /// Iterations of grants and acceptances in an internal cycle.
    pub(super) fn iterations<M: Rules>(&self) -> u32 {
        if M::SIMPLE {
            return 1;
        }
        match self.stages.allocator {
            Allocator::Islip { iterations } => iterations,
            Allocator::Separable => 1,
            Allocator::Wavefront => 0,
        }
    }

    /// Grants an output VC to the front head of a buffer.
    fn grant_vc<M: Rules>(&mut self, Request { row: slot, resource: wanted }: Request) {
        let state = &mut self.state;
        let buffer = &mut state.buffers[slot as usize];
        buffer.stage = Stage::Active;
        (buffer.has_head, buffer.out) = (true, wanted);
        buffer.ready = self.internal + u64::from(self.stages.vc);
        let front = buffer.front;
        let worm = state.holds[front as usize].worm;
        let (relation, channel) = (&self.common.relation, (wanted >> state.shift) as usize);
        if relation.counts() && channel < state.links {
            let row = &state.worms[worm as usize];
            let stop = state.stop(row, slot, relation);
            let count = relation.count_after(stop, &row.header, ChannelId::new(channel));
            state.worms[worm as usize].count = count;
        }
        let asked = state.cycle::<M>(state.worms[worm as usize].asked);
        let row = &mut state.worms[worm as usize];
        let waited = self.now - asked;
        row.note_wait(waited as u32, wanted >> state.shift);
        row.waited_for_vc += waited as u32;
        if let Some(used) = self.uses.get_mut(wanted as usize) {
            used.waited += waited;
        }
        state.grant(worm, front, wanted, self.now);
        if state.buffers[wanted as usize].credits > 0 {
            state.bid(slot);
        }
    }
}

/// True if one of some VCs of a channel has a credit.
fn has_credit(state: &State, channel: usize, vcs: u32) -> bool {
    let all = (0..state.vcs).filter(|v| vcs >> v & 1 == 1);
    all.map(|v| state.slot(channel, v)).any(|slot| state.buffers[slot as usize].credits > 0)
}
