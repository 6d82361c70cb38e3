//! What a head may take under any machine, what it takes of it, and its taking it.

use super::super::state::{Hold, NONE, SINK};
use super::super::{Candidate, WormholeEngine};
use super::berths::Berth;
use crate::ids::{ChannelId, NodeId, RouterId};
use crate::random::mix;
use crate::switching::{Ejection, Forwarding, Injection, Release, Selection, Terminals};

/// Salt of the random selection.
const SELECTION: u64 = 0x5e1e_c710;

/// What a head takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Choice {
    /// Nothing: all is taken.
    Wait,
    /// A VC of a channel.
    Vc(usize, u32),
    /// Its own ejection.
    Eject,
}

impl WormholeEngine {
    /// Fills `out` with the VCs that a waiting head may take. Answers whether it is at its
    /// destination and ejected without asking for any.
    pub(in super::super) fn wanted(&self, worm: u32, out: &mut Vec<Candidate>) -> bool {
        let row = &self.state.worms[worm as usize];
        let at = RouterId(row.at);
        let arrived = at == row.header.destination;
        if self.switching.terminals == Terminals::Direct || (row.head != NONE && !arrived) {
            self.relation.candidates(at, &row.header, out);
            return false;
        }
        out.clear();
        let channel = if row.head == NONE {
            self.network.injection_of(NodeId(row.source))
        } else if self.switching.ejection == Ejection::Shared {
            self.network.ejection_of(NodeId(row.destination))
        } else {
            return true;
        };
        debug_assert!(channel.is_some(), "the network has channels for its terminals");
        out.extend(channel.map(|channel| Candidate {
            channel,
            vcs: self.state.vcs_of(channel.index(), self.general.links),
        }));
        false
    }

    /// Whether all messages of a source ask for the same, one after the other.
    pub(in super::super) fn one_class(&self) -> bool {
        self.switching.terminals == Terminals::Channels
            || self.switching.injection == Injection::OneMessage
    }

    /// What a waiting head takes of what is free.
    pub(in super::super) fn choose(&mut self, worm: u32) -> Choice {
        let row = self.state.worms[worm as usize];
        let at_source = row.head == NONE;
        if at_source
            && self.switching.injection == Injection::OneMessage
            && self.state.emitting[row.source as usize] > 0
        {
            return Choice::Wait;
        }
        let mut candidates = std::mem::take(&mut self.candidates);
        if self.wanted(worm, &mut candidates) {
            self.candidates = candidates;
            return Choice::Eject;
        }
        for candidate in &mut candidates {
            candidate.vcs &= self.state.channels[candidate.channel.index()].free;
            candidate.vcs = self.with_room(worm, *candidate);
        }
        let count: u32 = candidates.iter().map(|candidate| candidate.vcs.count_ones()).sum();
        let mut skip = match self.switching.selection {
            Selection::Preference => 0,
            Selection::Random => {
                let name = mix(mix(row.header.dice ^ SELECTION, self.now), u64::from(row.at));
                ((u128::from(name) * u128::from(count)) >> 64) as u32
            }
        };
        let mut choice = Choice::Wait;
        for &Candidate { channel, mut vcs } in &candidates {
            let here = vcs.count_ones();
            if skip >= here {
                skip -= here;
                continue;
            }
            for _ in 0..skip {
                vcs &= vcs - 1;
            }
            choice = Choice::Vc(channel.index(), vcs.trailing_zeros());
            break;
        }
        self.candidates = candidates;
        choice
    }

    /// The VCs of a candidate whose buffers have the room that the forwarding asks for.
    pub(in super::super) fn with_room(&self, worm: u32, candidate: Candidate) -> u32 {
        let Candidate { channel, mut vcs } = candidate;
        if !self.wants_room() || self.consumes(worm, channel.index()) {
            return vcs;
        }
        let length = self.state.worms[worm as usize].length;
        let mut rest = vcs;
        while rest != 0 {
            let v = rest.trailing_zeros();
            rest &= rest - 1;
            let slot = (channel.index() << self.state.shift) + v as usize;
            if self.state.buffers[slot].occupied + length > self.state.buffer_flits {
                vcs &= !(1 << v);
            }
        }
        vcs
    }

    /// Whether a VC that is free may still lack the room that a head asks for.
    pub(in super::super) fn wants_room(&self) -> bool {
        self.switching.forwarding != Forwarding::Wormhole && self.switching.release == Release::Sent
    }

    /// Whether the far end of a channel consumes the flits of a worm as they come. It then takes no
    /// slot there, and does not queue behind an older worm that still has flits in the VC's buffer.
    pub(in super::super) fn consumes(&self, worm: u32, channel: usize) -> bool {
        let row = &self.state.worms[worm as usize];
        if channel < self.general.links {
            let direct = self.switching.terminals == Terminals::Direct;
            return direct && self.state.channels[channel].to == row.header.destination.0;
        }
        self.network.ejection_of(NodeId(row.destination)) == Some(ChannelId::new(channel))
    }

    /// Gives VC `v` of `channel` to a worm whose head stands in front of it.
    pub(in super::super) fn grant_generally(&mut self, worm: u32, channel: usize, v: u32) {
        let bit = 1u32 << v;
        let vc = ((channel << self.state.shift) + v as usize) as u32;
        let next = if self.consumes(worm, channel) { SINK } else { NONE };
        if self.state.holds[vc as usize].worm != NONE {
            self.state.shelve(vc);
        }
        let claims = self.switching.injection == Injection::OneFlitPerCycle
            && self.switching.terminals == Terminals::Direct;
        let state = &mut self.state;
        let row = &state.worms[worm as usize];
        let (head, source, length) = (row.head, row.source, row.length);
        let prev = if head == NONE {
            state.emitting[source as usize] += 1;
            state.new_row(Hold { worm, here: length, ..Hold::FREE }, Berth::at(NONE))
        } else {
            head
        };
        state.holds[prev as usize].next = vc;
        state.holds[vc as usize] = Hold { prev, next, worm, left: length, ..Hold::FREE };
        let row = &mut state.worms[worm as usize];
        row.head = vc;
        row.hops += 1;
        row.at = state.channels[channel].to;
        let channel_row = &mut state.channels[channel];
        debug_assert!(channel_row.free & bit != 0);
        channel_row.free &= !bit;
        channel_row.flit |= bit;
        if next == SINK {
            channel_row.space |= bit;
            self.general.turns[channel].stuck &= !bit;
        }
        if head == NONE && claims {
            channel_row.source |= bit;
        }
        if channel_row.space & bit != 0 {
            state.activate(channel);
        }
        if next == NONE && self.switching.release == Release::Sent {
            // If there is no room, it waits for some from now on.
            self.state.worms[worm as usize].stands_since = self.now;
            self.state.buffers[vc as usize].granted = self.now;
            self.state.queue_up(vc);
        }
        self.unstick(prev);
    }

    /// A worm at its destination is ejected from now on, without a channel's VC.
    pub(in super::super) fn grant_ejection(&mut self, worm: u32) {
        let state = &mut self.state;
        let row = &state.worms[worm as usize];
        let (head, length) = (row.head, row.length);
        let hold = Hold { prev: head, next: SINK, worm, left: length, ..Hold::FREE };
        let ejection = state.new_row(hold, Berth { listed: true, ..Berth::at(Berth::EJECTION) });
        state.holds[head as usize].next = ejection;
        let row = &mut state.worms[worm as usize];
        row.head = ejection;
        row.hops += 1;
        self.general.ejecting.push(ejection);
        self.unstick(head);
    }
}
