//! Allocation: heads that wait for a VC are served, oldest message first (or first come first), at
//! every router where a head has arrived or a VC was freed.
//!
//! Of the messages that wait at one source and may take the same candidates only the first stands
//! in its router's list; the others are chained behind it. It is always served first, so
//! this changes nothing but the cost of a long queue.

use super::general::Choice;
use super::state::{Hold, NONE, SINK};
use super::{Candidate, WormholeEngine};
use crate::ids::{NodeId, RouterId};
use crate::random::mix;
use crate::switching::Allocation;

impl WormholeEngine {
    /// A head has come to its router (or a message to its source) and asks from the next allocation
    /// on.
    pub(super) fn ask(&mut self, worm: u32) {
        self.state.look_at(self.state.worms[worm as usize].at);
        self.join(worm);
    }

    /// A head takes its place among those that wait at its router.
    fn join(&mut self, worm: u32) {
        let router = self.state.worms[worm as usize].at;
        if self.state.worms[worm as usize].head != NONE {
            self.state.blocked += 1;
        } else if self.chain_behind_class(worm, router) {
            return;
        }
        self.wait_at(worm, router);
    }

    /// A number that is equal for messages with the same candidates, and never 0.
    fn class_of(&mut self, worm: u32) -> u64 {
        if self.one_class() {
            return 1;
        }
        let row = &self.state.worms[worm as usize];
        if row.class != 0 {
            return row.class;
        }
        let (at, header) = (RouterId(row.at), row.header);
        self.relation.candidates(at, &header, &mut self.candidates);
        let class = self.candidates.iter().fold(1, |hash, candidate| {
            mix(hash, u64::from(candidate.channel.0) << 32 | u64::from(candidate.vcs))
        });
        self.state.worms[worm as usize].class = class | 1;
        class | 1
    }

    /// Chains a message behind the oldest of its class and source, if that waits; else says no.
    fn chain_behind_class(&mut self, worm: u32, router: u32) -> bool {
        let source = self.state.worms[worm as usize].source;
        let mut at = self.state.waiting[router as usize];
        while at != NONE {
            let other = &self.state.worms[at as usize];
            let next = other.waits_next;
            let of_source = other.head == NONE && other.source == source;
            if of_source && self.class_of(at) == self.class_of(worm) {
                self.insert_in_class(at, worm);
                return true;
            }
            at = next;
        }
        false
    }

    /// Inserts `worm` into the chain of `first`, by priority.
    fn insert_in_class(&mut self, first: u32, worm: u32) {
        let worms = &mut self.state.worms;
        let age = worms[worm as usize].priority();
        let last = match worms[first as usize].class_last {
            NONE => first,
            last => last,
        };
        if age < worms[first as usize].priority() {
            // Born in the same cycle, and older by dice: it stands in the list instead of `first`.
            let router = worms[first as usize].at;
            worms[worm as usize].class_next = first;
            worms[worm as usize].class_last = last;
            worms[first as usize].class_last = NONE;
            self.unlist(first, router);
            self.wait_at(worm, router);
        } else if worms[last as usize].priority() < age {
            worms[last as usize].class_next = worm;
            worms[first as usize].class_last = worm;
        } else {
            let mut before = first;
            while worms[worms[before as usize].class_next as usize].priority() < age {
                before = worms[before as usize].class_next;
            }
            worms[worm as usize].class_next = worms[before as usize].class_next;
            worms[before as usize].class_next = worm;
        }
    }

    /// Takes a head out of its router's list.
    pub(super) fn unlist(&mut self, worm: u32, router: u32) {
        let worms = &mut self.state.worms;
        let next = worms[worm as usize].waits_next;
        worms[worm as usize].waits = false;
        worms[worm as usize].waits_next = NONE;
        let mut at = self.state.waiting[router as usize];
        if at == worm {
            self.state.waiting[router as usize] = next;
            return;
        }
        while worms[at as usize].waits_next != worm {
            at = worms[at as usize].waits_next;
        }
        worms[at as usize].waits_next = next;
    }

    /// A head has come to a router in cycle `cycle`: under first come first served, that is its place.
    pub(super) fn arrives(&mut self, worm: u32, cycle: u64) {
        if self.switching.allocation == Allocation::FirstComeFirstServed {
            let row = &mut self.state.worms[worm as usize];
            row.rank = cycle;
            row.tie = mix(mix(row.header.dice, cycle), u64::from(row.at));
        }
    }

    /// A head asks from cycle `cycle` on: under first asked first served, that is its place.
    pub(super) fn requests(&mut self, worm: u32, cycle: u64) {
        if self.switching.allocation == Allocation::FirstAskedFirstServed {
            let row = &self.state.worms[worm as usize];
            let (at, source, head) = (row.at, row.source, row.head);
            let port = if head == NONE {
                self.ports.of_node(source)
            } else {
                let (channel, v) = self.state.split(self.state.slot_of(head));
                self.ports.of_channel(channel) << 8 | v
            };
            let turn = self.ports.turn(mix(self.seed, cycle), at, port);
            let row = &mut self.state.worms[worm as usize];
            row.rank = cycle;
            row.tie = turn;
        }
    }

    /// Inserts a head into its router's list, by priority.
    fn wait_at(&mut self, worm: u32, router: u32) {
        let state = &mut self.state;
        let age = state.worms[worm as usize].priority();
        let mut before = NONE;
        let mut after = state.waiting[router as usize];
        while after != NONE && state.worms[after as usize].priority() < age {
            before = after;
            after = state.worms[after as usize].waits_next;
        }
        let row = &mut state.worms[worm as usize];
        row.waits = true;
        row.waits_next = after;
        if before == NONE {
            state.waiting[router as usize] = worm;
        } else {
            state.worms[before as usize].waits_next = worm;
        }
    }

    /// Serves the heads at all routers that were marked.
    pub(super) fn allocate(&mut self) {
        // Serving marks no router: marks come from moves and arrivals only.
        let mut asked = std::mem::take(&mut self.state.asked);
        for &router in &asked {
            self.state.asked_mark[router as usize] = false;
            self.serve(router);
        }
        debug_assert!(self.state.asked.is_empty());
        asked.clear();
        self.state.asked = asked;
    }

    /// Serves the heads that wait at one router, in their order.
    fn serve(&mut self, router: u32) {
        let mut before = NONE;
        let mut at = self.state.waiting[router as usize];
        while at != NONE {
            let free = if self.prefers {
                let header = self.header(at);
                self.relation.candidates(RouterId(router), &header, &mut self.candidates);
                let free = self.candidates.iter().find_map(|&Candidate { channel, vcs }| {
                    let free = self.state.channels[channel.index()].free & vcs;
                    (free != 0).then(|| (channel.index(), free.trailing_zeros()))
                });
                free.map_or(Choice::Wait, |(channel, v)| Choice::Vc(channel, v))
            } else {
                self.choose(at)
            };
            let next = self.state.worms[at as usize].waits_next;
            if free == Choice::Wait {
                self.dissolve(at);
                before = at;
                at = next;
                continue;
            }
            if before == NONE {
                self.state.waiting[router as usize] = next;
            } else {
                self.state.worms[before as usize].waits_next = next;
            }
            let worm = &mut self.state.worms[at as usize];
            worm.waits = false;
            worm.waits_next = NONE;
            if worm.head == NONE {
                self.leave_queue(at, router);
            } else {
                self.state.blocked -= 1;
            }
            match free {
                Choice::Vc(channel, v) if self.plain => self.grant(at, channel, v),
                Choice::Vc(channel, v) => self.grant_generally(at, channel, v),
                _ => self.grant_ejection(at),
            }
            at = match before {
                NONE => self.state.waiting[router as usize],
                before => self.state.worms[before as usize].waits_next,
            };
        }
    }

    /// A message leaves its source's queue: the next of its class and the next that was only
    /// counted come forward. Both are younger, so they are met later in the same round.
    fn leave_queue(&mut self, worm: u32, router: u32) {
        let row = &mut self.state.worms[worm as usize];
        if self.state.letters.are_wanted() && row.letter == NONE {
            self.state.came.push(worm);
        }
        let source = NodeId(row.source);
        if row.class_next != NONE {
            let heir = std::mem::replace(&mut row.class_next, NONE);
            let last = std::mem::replace(&mut row.class_last, NONE);
            self.state.worms[heir as usize].class_last = if last == heir { NONE } else { last };
            self.wait_at(heir, router);
        }
        if let Some(message) = self.sources.leave(source) {
            let header = self.relation.header(source, message.destination, message.dice);
            let came = self.state.new_worm(&message, header);
            self.state.worms[came as usize].asks_since = self.now;
            self.arrives(came, message.born);
            self.requests(came, message.born);
            self.join(came);
        }
    }

    /// Gives VC `v` of `channel` to a worm whose head stands in front of it.
    fn grant(&mut self, worm: u32, channel: usize, v: u32) {
        let bit = 1u32 << v;
        let vc = ((channel << self.state.shift) + v as usize) as u32;
        let row = &self.state.worms[worm as usize];
        let (head, source, length, to_router) =
            (row.head, row.source, row.length, row.header.destination.0);
        let from_source = head == NONE;
        if from_source {
            self.emit_beside(source);
        }
        let alone = self.state.channels[channel].flit == 0 && self.state.channels[channel].run == 0;
        if !alone {
            self.dissolve_on(channel);
            self.dissolve(worm);
        }

        let state = &mut self.state;
        let to = state.channels[channel].to;
        let next = if to == to_router { SINK } else { NONE };
        let prev = if from_source { state.new_source(worm, length) } else { head };
        state.holds[prev as usize].next = vc;
        state.holds[vc as usize] = Hold { prev, next, worm, left: length, ..Hold::FREE };
        let row = &mut state.worms[worm as usize];
        row.head = vc;
        row.hops += 1;
        row.at = to;
        let channel_row = &mut state.channels[channel];
        debug_assert!(channel_row.free & bit != 0 && channel_row.space & bit != 0);
        channel_row.free &= !bit;
        if alone && self.try_run(worm, vc) {
            return;
        }
        let state = &mut self.state;
        let channel_row = &mut state.channels[channel];
        channel_row.flit |= bit;
        if from_source {
            channel_row.source |= bit;
        }
        state.activate(channel);
    }

    /// A node emits one message more: what ran free from it no longer does.
    fn emit_beside(&mut self, node: u32) {
        self.state.emitting[node as usize] += 1;
        let emitter = std::mem::replace(&mut self.state.emitter[node as usize], NONE);
        if emitter != NONE {
            self.dissolve(emitter);
        }
    }
}
