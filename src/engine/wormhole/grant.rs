//! Chooses a free VC for a waiting head (`choose`), and grants the VC (`grant`).

use super::buffers::flits_ahead;
use super::engine::WormholeEngine;
use super::records::{Hold, InBuffer, NONE, SINK, Way, bits, ones};
use super::rules::Rules;
use super::state::State;
use crate::engine::common::Common;
use crate::ids::{ChannelId, NodeId, RouterId};
use crate::random::mix;
use crate::routing::{Candidate, Straight, Threshold};
use crate::switching::{Ejection, Forwarding, Injection, Release, Selection, Terminals};

/// The salt of the random selection.
const SELECTION: u64 = 0x5e1e_c710;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// All candidates are in use.
    Wait,
    /// A VC of a channel.
    Vc(usize, u32),
    Eject,
}

impl WormholeEngine {
    /// Fills `out` with the candidate VCs of a waiting head. Returns true if the head is at its
    /// destination, to be ejected without a VC.
    #[inline]
    pub(super) fn candidates_of(&self, worm: u32, out: &mut Vec<Candidate>) -> bool {
        let row = self.state.worm(worm);
        if !self.meets_terminal(worm) {
            self.common.relation.candidates(
                self.state.stop(worm, &self.common.relation),
                &row.header,
                out,
            );
            if let Some((_, direct)) = self.detours {
                self.state.worm(worm).way.keep(direct, out);
            }
            return false;
        }
        out.clear();
        let channel = if row.head == NONE {
            self.common.network.injection_of(NodeId(row.source))
        } else if self.switching.ejection == Ejection::Shared {
            self.common.network.ejection_of(NodeId(row.destination))
        } else {
            return true;
        };
        debug_assert!(channel.is_some(), "the network has channels for its terminals");
        // A single VC is shared by all message classes.
        let own = self.common.relation.vcs_of_message_class(row.header.message_class);
        out.extend(channel.map(|channel| {
            let all = self.state.vcs_of(channel.index());
            Candidate { channel, vcs: if all == 1 { all } else { all & own } }
        }));
        false
    }

    /// True if a message at its source must wait until earlier messages have left.
    pub(super) fn waits_for_its_source(&self, worm: u32) -> bool {
        let row = self.state.worm(worm);
        row.head == NONE
            && self.switching.injection == Injection::OneMessage
            && self.state.emitting[row.source as usize] > 0
    }

    /// Chooses among the free candidates of a waiting head.
    #[inline]
    pub(super) fn choose<M: Rules>(&mut self, worm: u32) -> Choice {
        if !M::TABLES && self.prefers {
            return match self.first_free(worm) {
                (_, 0) => Choice::Wait,
                (channel, free) => Choice::Vc(channel, free.trailing_zeros()),
            };
        }
        self.choose_by_rules::<M>(worm)
    }

    #[inline]
    fn choose_by_rules<M: Rules>(&mut self, worm: u32) -> Choice {
        if M::TABLES
            && (self.waits_for_its_source(worm) || self.endpoints.lacks_room(&self.state, worm))
        {
            return Choice::Wait;
        }
        if self.straight && !self.meets_terminal(worm) {
            let (channel, free) = self.first_free(worm);
            return match free {
                0 => Choice::Wait,
                _ if free.is_power_of_two() && !self.wants_room() => {
                    Choice::Vc(channel, free.trailing_zeros())
                }
                _ => {
                    let Straight { channel, vcs, .. } = self.state.worm(worm).ahead;
                    self.select(worm, &mut [Candidate { channel, vcs }])
                }
            };
        }
        let mut candidates = std::mem::take(&mut *self.common.candidates);
        let choice = if self.candidates_of(worm, &mut candidates) {
            Choice::Eject
        } else {
            if let Some(choice) = self.detours {
                self.choose_way(choice, worm, &mut candidates);
            }
            self.select(worm, &mut candidates)
        };
        *self.common.candidates = candidates;
        choice
    }

    /// Chooses for a message with candidates of a direct route and of a detour, and keeps those of the
    /// choice.
    fn choose_way(&mut self, choice: (Threshold, u32), worm: u32, candidates: &mut Vec<Candidate>) {
        let state = &mut self.state;
        let queue = |it: &Candidate| flits_ahead(state, it.channel, it.vcs);
        let Some(way) = Way::chosen(choice, candidates, queue) else { return };
        let row = &mut state.worms[worm as usize];
        // Beyond the source, the VCs of a detour's second part are those of direct routes.
        debug_assert!(row.at == row.header.source.0 && row.way == Way::Open);
        row.way = way;
        way.keep(choice.1, candidates);
    }

    /// True if a head requests an injection channel, or is at its destination.
    #[inline]
    pub(super) fn meets_terminal(&self, worm: u32) -> bool {
        let row = self.state.worm(worm);
        self.switching.terminals != Terminals::Direct
            && (row.head == NONE || row.at == row.header.destination.0)
    }

    /// The first channel, in order of preference, with free VCs for a head, and these VCs; 0 if
    /// there is no such channel.
    #[inline]
    pub(super) fn first_free(&mut self, worm: u32) -> (usize, u32) {
        if self.state.worm(worm).ahead.channel == Straight::UNKNOWN.channel {
            if !self.straight {
                return self.first_free_candidate(worm);
            }
            self.look_ahead_late(worm);
        }
        let ahead = &self.state.worm(worm).ahead;
        (ahead.channel.index(), self.state.channels[ahead.channel.index()].free & ahead.vcs)
    }

    /// Looks ahead for a head that has not arrived in a free run.
    #[inline(never)]
    fn look_ahead_late(&mut self, worm: u32) {
        self.look_ahead(worm);
    }

    /// Determines the next channel of a head, if routing has a single candidate.
    #[inline]
    fn look_ahead(&mut self, worm: u32) {
        let row = &mut self.state.worms[worm as usize];
        if row.ahead.more > 0 {
            row.ahead.more -= 1;
            let relation = &self.common.relation;
            row.ahead.channel = relation.at_port(RouterId(row.at), row.ahead.port);
        } else {
            self.turn(worm);
        }
    }

    /// Prefetches the rows needed when a head requests in the next cycle. (512x512: 16 and 9.7 ns
    /// per flit-hop.)
    #[inline]
    pub(super) fn fetch_ahead<M: Rules>(&mut self, worm: u32) {
        if !M::TABLES && self.straight {
            self.look_ahead(worm);
            let state = &self.state;
            let channel = state.worm(worm).ahead.channel.0;
            state.channels.prefetch(channel);
            state.holds.prefetch(channel << state.shift);
        }
    }

    #[inline(never)]
    fn first_free_candidate(&mut self, worm: u32) -> (usize, u32) {
        let stop = self.state.stop(worm, &self.common.relation);
        let Self { common, state: State { worms, channels, .. }, .. } = self;
        let Common { relation, candidates, .. } = common;
        let row = &worms[worm as usize];
        if relation.lists_first() {
            let first = relation.first(RouterId(row.at), &row.header);
            let free = channels[first.channel.index()].free & first.vcs;
            if free != 0 {
                return (first.channel.index(), free);
            }
        }
        relation.candidates(stop, &row.header, candidates);
        if let [Candidate { channel, vcs }] = candidates[..] {
            // A head that waits asks again.
            worms[worm as usize].ahead = Straight { channel, vcs, port: 0, more: 0 };
        }
        let free = candidates.iter().map(|&Candidate { channel, vcs }| {
            (channel.index(), channels[channel.index()].free & vcs)
        });
        free.into_iter().find(|&(_, free)| free != 0).unwrap_or((0, 0))
    }

    /// Determines the next straight part of the route of a head.
    #[inline(never)]
    fn turn(&mut self, worm: u32) {
        let row = &mut self.state.worms[worm as usize];
        row.ahead = self.common.relation.first(RouterId(row.at), &row.header);
    }

    /// Chooses among the free VCs of the candidates.
    #[inline]
    fn select(&self, worm: u32, candidates: &mut [Candidate]) -> Choice {
        match self.switching.selection {
            Selection::Preference | Selection::RoundRobin => {
                for &candidate in &*candidates {
                    let free = self.free_vcs(worm, candidate);
                    if free != 0 {
                        return Choice::Vc(candidate.channel.index(), free.trailing_zeros());
                    }
                }
            }
            Selection::LeastLoaded => {
                let free = candidates.iter().map(|it| (it.channel, self.free_vcs(worm, *it)));
                let least = free.filter(|&(_, free)| free != 0).min_by_key(|&(channel, _)| {
                    flits_ahead(&self.state, channel, self.state.vcs_of(channel.index()))
                });
                if let Some((channel, free)) = least {
                    return Choice::Vc(channel.index(), free.trailing_zeros());
                }
            }
            Selection::Random => {
                for candidate in &mut *candidates {
                    candidate.vcs = self.free_vcs(worm, *candidate);
                }
                let count: u32 = candidates.iter().map(|free| ones(free.vcs)).sum();
                if count == 0 {
                    return Choice::Wait;
                }
                let row = self.state.worm(worm);
                let name = mix(mix(row.header.route_bits ^ SELECTION, self.now), u64::from(row.at));
                let mut skip = ((u128::from(name) * u128::from(count)) >> 64) as u32;
                for &Candidate { channel, vcs } in &*candidates {
                    let here = ones(vcs);
                    if skip < here {
                        let v = bits(vcs).nth(skip as usize);
                        return v.map_or(Choice::Wait, |v| Choice::Vc(channel.index(), v));
                    }
                    skip -= here;
                }
            }
        }
        Choice::Wait
    }

    /// The free VCs of a candidate with enough room in their buffers for the forwarding rule.
    #[inline]
    pub(super) fn free_vcs(&self, worm: u32, candidate: Candidate) -> u32 {
        let channel = candidate.channel.index();
        let free = self.state.channels[channel].free & candidate.vcs;
        if !self.wants_room() || self.consumes(worm, channel) {
            return free;
        }
        let length = self.state.worm(worm).length;
        let occupied = |v| self.state.buffers[self.state.slot(channel, v) as usize].occupied;
        let lacks = |v: &u32| occupied(*v) + length > self.state.buffer_flits;
        bits(free).filter(lacks).fold(free, |vcs, v| vcs & !(1 << v))
    }

    /// True if free VCs may lack room for a head.
    pub(super) fn wants_room(&self) -> bool {
        self.switching.forwarding != Forwarding::Wormhole && self.switching.release == Release::Sent
    }

    /// True if the end of a channel consumes the flits of a worm on arrival. The worm then occupies
    /// no slot there, and does not queue behind an older worm with flits in the buffer of the VC.
    pub(super) fn consumes(&self, worm: u32, channel: usize) -> bool {
        let row = self.state.worm(worm);
        if channel < self.state.links {
            let direct = self.switching.terminals == Terminals::Direct;
            return direct && self.state.channels[channel].to == row.header.destination.0;
        }
        self.common.network.ejection_of(NodeId(row.destination)) == Some(ChannelId::new(channel))
    }

    /// The successor of the hold of a worm at its grant of a VC of `channel`.
    #[inline]
    pub(super) fn next_over<M: Rules>(&self, worm: u32, channel: usize) -> u32 {
        let arrives = if M::TABLES {
            self.consumes(worm, channel)
        } else {
            self.state.channels[channel].to == self.state.worm(worm).header.destination.0
        };
        if arrives { SINK } else { NONE }
    }

    /// Grants VC `v` of `channel` to a worm with its head in front of the channel.
    pub(super) fn grant<M: Rules>(&mut self, worm: u32, channel: usize, v: u32) {
        let bit = 1u32 << v;
        let vc = self.state.slot(channel, v);
        let row = self.state.worm(worm);
        let (head, source, length) = (row.head, row.source, row.length);
        if head == NONE {
            if !M::TABLES && self.try_delay(worm, channel, v) {
                return;
            }
            self.source_sends_another(source);
        }
        let alone = self.is_clear::<M>(channel, v);
        if !alone {
            self.dissolve_on(channel, v, worm);
        } else if self.state.worm(worm).runs() {
            return self.extend_run::<M>(worm, channel, v);
        }
        let next = self.next_over::<M>(worm, channel);
        let state = &mut self.state;
        if M::SENT && state.hold(vc).worm != NONE {
            state.shelve(vc);
        }
        let prev = if head == NONE {
            state.new_hold(Hold { worm, here: length, ..Hold::FREE }, InBuffer::of(NONE))
        } else {
            head
        };
        state.holds[prev as usize].next = vc;
        state.holds[vc as usize] = Hold { prev, next, worm, left: length, ..Hold::FREE };
        let channel_row = &mut state.channels[channel];
        let row = &mut state.worms[worm as usize];
        row.go_to(vc, channel_row.to);
        debug_assert!(channel_row.free & bit != 0);
        channel_row.free &= !bit;
        if M::SENT && next == NONE {
            // Without room, the head waits for room from now.
            state.worms[worm as usize].stopped_since = self.now;
            state.buffers[vc as usize].granted = self.now;
        }
        if M::INSTANT {
            self.unstick(prev);
        }
        if alone && self.free_runs && self.try_begin::<M>(worm) {
            return;
        }
        let state = &mut self.state;
        let channel_row = &mut state.channels[channel];
        channel_row.flit |= bit;
        if M::TABLES && next == SINK {
            state.space[channel] |= bit;
            state.decisions[channel].stuck &= !bit;
        }
        if state.space[channel] & bit != 0 {
            state.activate(channel);
        }
        if M::SENT && next == NONE {
            state.queue_up(vc);
        }
    }

    /// Starts the ejection of a worm at its destination, without a VC of a channel.
    pub(super) fn grant_ejection<M: Rules>(&mut self, worm: u32) {
        let alone = self.ejects_alone();
        if !alone {
            self.dissolve(worm);
        }
        let state = &mut self.state;
        let row = state.worm(worm);
        let (head, length) = (row.head, row.length);
        let hold = Hold { prev: head, next: SINK, worm, left: length, ..Hold::FREE };
        let place = InBuffer::of(InBuffer::EJECTION);
        let ejection = state.new_hold(hold, place);
        state.holds[head as usize].next = ejection;
        let row = &mut state.worms[worm as usize];
        row.head = ejection;
        row.hops += 1;
        self.unstick(head);
        if self.state.worm(worm).runs() {
            self.advance_head::<M>(worm, ejection);
        } else if !alone || !self.free_runs || !self.try_begin::<M>(worm) {
            self.state.places[ejection as usize].listed = true;
            self.state.ejecting.push(ejection);
        }
    }

    /// Ends the free run of a node that starts to send another message.
    fn source_sends_another(&mut self, node: u32) {
        self.state.emitting[node as usize] += 1;
        let emitter = self.state.emitter[node as usize];
        if emitter != NONE {
            self.dissolve(emitter);
            self.state.emitter[node as usize] = NONE;
        }
    }
}

#[cfg(test)]
mod tests;
