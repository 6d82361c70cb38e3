//! Allocates VCs to waiting heads.
//!
//! The oldest message, or the first to arrive, is served first, at every router with a new head or
//! a freed VC.

use std::cmp::Ordering;

use super::engine::WormholeEngine;
use super::grant::Choice;
use super::records::{LISTED, NONE, Place};
use super::rules::Rules;
use crate::ids::{ChannelId, NodeId};
use crate::random::mix;
use crate::routing::Header;
use crate::switching::{Allocation, Terminals};
use crate::traffic::sources::Message;

impl WormholeEngine {
    /// Adds the request of a head that has reached its router, or of a message at its source, to
    /// the next allocation. Under first asked first served, `cycle` determines its rank.
    #[inline]
    pub(super) fn request(&mut self, worm: u32, cycle: u64) {
        self.rank_request(worm, cycle);
        self.mark_head(worm);
    }

    /// Adds a request to the next allocation.
    #[inline]
    pub(super) fn mark_head(&mut self, worm: u32) {
        let router = self.state.worm(worm).at;
        let heads = &mut self.state.heads[router as usize];
        let mark = heads.requests;
        if mark == NONE && heads.waiting == NONE {
            heads.requests = worm;
            self.state.requested.push(router);
        } else {
            self.list_with_others(worm, router, mark);
        }
    }

    #[inline(never)]
    fn list_with_others(&mut self, worm: u32, router: u32, mark: u32) {
        self.list_head(router, mark);
        self.state.mark_router(router);
        self.join(worm);
    }

    /// Adds the only requesting head of a router, if any, to the list of the router.
    fn list_head(&mut self, router: u32, mark: u32) {
        if mark < LISTED {
            self.state.heads[router as usize].requests = LISTED;
            self.join(mark);
        }
    }

    /// Adds all requesting heads to the lists of their routers.
    pub(super) fn list_heads(&mut self) {
        for at in 0..self.state.requested.len() {
            let router = self.state.requested[at];
            self.list_head(router, self.state.heads[router as usize].requests);
        }
    }

    /// Adds a head to the waiting heads of its router.
    pub(super) fn join(&mut self, worm: u32) {
        let router = self.state.worm(worm).at;
        if self.state.worm(worm).head != NONE {
            self.state.blocked += 1;
        } else if self.chain_behind_class(worm, router) {
            return;
        }
        self.wait_at(worm, router);
    }

    /// Removes a head from the list of its router.
    pub(super) fn unlist(&mut self, worm: u32, router: u32) {
        let before = self.state.waiting_at(router as usize).take_while(|&at| at != worm).last();
        self.unlist_behind(before.unwrap_or(NONE), worm, router);
    }

    /// Removes a head from the list of its router, after the known predecessor `before`.
    fn unlist_behind(&mut self, before: u32, worm: u32, router: u32) {
        let row = &mut self.state.worms[worm as usize];
        row.waits = false;
        let next = std::mem::replace(&mut row.waits_next, NONE);
        self.link(before, next, router);
    }

    /// Makes `next` the successor of `before` in the list of a router.
    fn link(&mut self, before: u32, next: u32, router: u32) {
        if before == NONE {
            self.state.heads[router as usize].waiting = next;
        } else {
            self.state.worms[before as usize].waits_next = next;
        }
    }

    /// Ranks a head that arrives at a router in cycle `cycle`, if heads are served by arrival.
    #[inline]
    pub(super) fn rank_arrival(&mut self, worm: u32, cycle: u64) {
        if self.switching.allocation == Allocation::FirstComeFirstServed {
            let row = &mut self.state.worms[worm as usize];
            row.rank = cycle;
            row.tie = mix(mix(row.header.route_bits, cycle), u64::from(row.at));
        }
    }

    /// Ranks a head that requests from cycle `cycle`, under first asked first served.
    #[inline]
    pub(super) fn rank_request(&mut self, worm: u32, cycle: u64) {
        if self.switching.allocation == Allocation::FirstAskedFirstServed {
            self.rank_by_request(worm, cycle);
        }
    }

    #[inline(never)]
    fn rank_by_request(&mut self, worm: u32, cycle: u64) {
        let row = self.state.worm(worm);
        let port = match self.state.place(row.head) {
            Place::Vc(slot) => {
                let (channel, v) = self.state.split(slot);
                self.ports.of_channel(channel) << 8 | v
            }
            Place::Source | Place::Ejection => self.ports.of_node(row.source),
        };
        let tie = self.ports.order(mix(self.common.key, cycle), row.at, port);
        let row = &mut self.state.worms[worm as usize];
        (row.rank, row.tie) = (cycle, tie);
    }

    /// Inserts a head into the list of its router, by priority.
    pub(super) fn wait_at(&mut self, worm: u32, router: u32) {
        let age = self.state.worm(worm).priority();
        let mut before = NONE;
        let mut after = self.state.heads[router as usize].waiting;
        while after != NONE && self.state.worm(after).priority() < age {
            before = after;
            after = self.state.worm(after).waits_next;
        }
        let row = &mut self.state.worms[worm as usize];
        row.waits = true;
        row.looked = false;
        row.waits_next = after;
        self.link(before, worm, router);
    }

    /// Serves the heads at all marked routers.
    pub(super) fn allocate<M: Rules>(&mut self) {
        // Serving marks no router: marks are set only by moves and arrivals.
        for at in 0..self.state.requested.len() {
            let router = self.state.requested[at];
            match std::mem::replace(&mut self.state.heads[router as usize].requests, NONE) {
                LISTED => self.serve_router::<M>(router),
                worm => self.serve_head::<M>(worm, router),
            }
        }
        self.state.requested.clear();
    }

    /// Serves the only head at a router.
    #[inline]
    fn serve_head<M: Rules>(&mut self, worm: u32, router: u32) {
        if M::TABLES || !self.prefers {
            return self.serve_chooser::<M>(worm, router);
        }
        let (channel, free) = self.first_free(worm);
        if free == 0 {
            self.block_run::<M>(worm);
            self.join(worm);
            return;
        }
        let v = free.trailing_zeros();
        if self.continue_run(worm, channel, v) {
            self.count_grant::<M>(worm, channel, v);
            return;
        }
        if self.state.worm(worm).head == NONE {
            self.leave_queue(worm, router);
        }
        self.take::<M>(worm, Choice::Vc(channel, v));
        self.serve_others::<M>(router);
    }

    /// Serves the only head at a router if the choice involves more than the first free VC.
    fn serve_chooser<M: Rules>(&mut self, worm: u32, router: u32) {
        let choice = self.choose::<M>(worm);
        if choice == Choice::Wait {
            self.block_run::<M>(worm);
            self.join(worm);
            return;
        }
        if self.state.worm(worm).head == NONE {
            self.leave_queue(worm, router);
        }
        self.take::<M>(worm, choice);
        self.serve_others::<M>(router);
    }

    /// Serves messages that waited at their source, behind the only head of a router.
    #[inline]
    fn serve_others<M: Rules>(&mut self, router: u32) {
        if self.state.heads[router as usize].waiting != NONE {
            self.serve_router::<M>(router);
        }
    }

    /// Allocates the chosen VC or ejection to a head.
    #[inline]
    fn take<M: Rules>(&mut self, worm: u32, choice: Choice) {
        if M::TABLES {
            self.endpoints.occupy_room(&self.state, worm);
        }
        match choice {
            Choice::Vc(channel, v) => {
                self.count_grant::<M>(worm, channel, v);
                self.count_hop(worm, channel);
                let at_source = self.state.worm(worm).head == NONE;
                if !(at_source && self.start_run::<M>(worm, channel, v)) {
                    self.grant::<M>(worm, channel, v);
                }
            }
            Choice::Eject | Choice::Wait => self.grant_ejection::<M>(worm),
        }
    }

    /// Serves the heads waiting at a router, in order.
    fn serve_router<M: Rules>(&mut self, router: u32) {
        let mut before = NONE;
        let heads = &mut self.state.heads[router as usize];
        let freed = std::mem::take(&mut heads.freed);
        let mut at = heads.waiting;
        while at != NONE {
            let row = self.state.worm(at);
            let waits_on = row.looked && row.class as u32 & freed == 0;
            debug_assert!(
                !waits_on || self.choose::<M>(at) == Choice::Wait,
                "a head that can be served is skipped"
            );
            let choice = if waits_on { Choice::Wait } else { self.choose::<M>(at) };
            if choice == Choice::Wait {
                if !waits_on {
                    self.block_run::<M>(at);
                    if !self.state.worm(at).looked && self.waits_for_channels::<M>(at) {
                        self.note_looked::<M>(at);
                    }
                }
                before = at;
            } else {
                self.unlist_behind(before, at, router);
                if self.state.worm(at).head == NONE {
                    self.leave_queue(at, router);
                } else {
                    self.state.blocked -= 1;
                    self.note_wait(at, choice);
                }
                self.take::<M>(at, choice);
            }
            // Heads added in the meantime follow those already served.
            at = match before {
                NONE => self.state.heads[router as usize].waiting,
                before => self.state.worm(before).waits_next,
            };
        }
    }

    /// Updates the count carried by a head, if any, before a hop over a link.
    #[inline]
    fn count_hop(&mut self, worm: u32, channel: usize) {
        if self.common.relation.counts() && channel < self.state.links {
            let relation = &self.common.relation;
            let (stop, header) = (self.state.stop(worm, relation), self.state.worm(worm).header);
            let count = relation.count_after(stop, &header, ChannelId::new(channel));
            self.state.worms[worm as usize].count = count;
        }
    }

    /// Counts the grant of a VC.
    #[inline]
    fn count_grant<M: Rules>(&mut self, worm: u32, channel: usize, v: u32) {
        self.counts.grant(self.state.slot(channel, v), self.state.worm(worm).length);
        if M::TABLES && !self.state.paces.is_empty() {
            self.count_own_pace(worm, channel);
        }
    }

    /// Adds the extra cycles of a granted link with its own pace to those of the worm.
    #[cold]
    fn count_own_pace(&mut self, worm: u32, channel: usize) {
        let state = &mut self.state;
        let (usual, own, slots) = (state.pace, state.paces[channel], state.buffer_flits);
        let ends = state.channels[channel].to;
        let row = &mut state.worms[worm as usize];
        let is_last = match channel.cmp(&state.links) {
            Ordering::Less => {
                row.own_pace.add_delay(own.extra(usual, row.length, self.switching.forwarding));
                ends == row.header.destination.0 && self.switching.terminals == Terminals::Direct
            }
            Ordering::Equal | Ordering::Greater => row.head != NONE,
        };
        let (behind, slots) = (row.length - 1, (!is_last).then_some(slots));
        row.own_pace.add_sending(own.each, own.delay + own.credit, behind, slots);
    }

    /// Records the wait of a head at the time of the grant.
    fn note_wait(&mut self, worm: u32, choice: Choice) {
        let row = &mut self.state.worms[worm as usize];
        let waited = (self.now - row.requests_since) as u32;
        if let Choice::Vc(channel, v) = choice {
            self.counts.wait((channel << self.state.shift) as u32 + v, u64::from(waited));
        }
        if waited > row.longest_wait {
            row.longest_wait = waited;
            row.longest_wait_for = match choice {
                Choice::Vc(channel, _) => channel as u32,
                Choice::Eject | Choice::Wait => NONE,
            };
        }
    }

    /// Removes a message from the queue of its source; adds the next message of its class, and the
    /// next message that was only counted. Both are younger, so the same round serves both later.
    fn leave_queue(&mut self, worm: u32, router: u32) {
        let row = &mut self.state.worms[worm as usize];
        if self.common.letters.are_wanted() && row.letter == NONE {
            self.state.came.push(worm);
        }
        let (source, class) = (NodeId(row.source), row.header.message_class);
        let heir = self.leave_class(worm);
        if heir != NONE {
            self.wait_at(heir, router);
        }
        if let Some(came) = self.next_from(source, class, self.now + 1) {
            self.state.worms[came as usize].requests_since = self.now;
            self.join(came);
        }
    }

    /// Removes a message of a class from the queue of its source, and hands out the next message that was
    /// only counted and has a route. Messages without a route are lost by cycle `lost`.
    pub(super) fn next_from(&mut self, source: NodeId, class: u8, lost: u64) -> Option<u32> {
        loop {
            let message = self.common.sources.leave(source, class)?;
            if let Some(worm) = self.hand_out(&message, lost) {
                return Some(worm);
            }
        }
    }

    /// Adds a message to the queue of its source.
    pub(super) fn enter_queue(&mut self, message: &Message) {
        if let Some(worm) = self.hand_out(message, self.now) {
            self.mark_head(worm);
        } else {
            let behind = self.common.sources.leave(message.source, message.class);
            debug_assert!(behind.is_none(), "only a full queue has messages behind");
        }
    }

    /// Creates the row of a message handed out by its source, ranked for service; a message without a
    /// route is lost by cycle `lost`.
    fn hand_out(&mut self, message: &Message, lost: u64) -> Option<u32> {
        let &Message { source, destination, route_bits, born, class, .. } = message;
        let header = self.common.relation.header(source, destination, route_bits);
        let header = Header { message_class: class, ..header };
        if self.common.is_cut_off(header.source, &header) {
            self.common.lose(*message, 0, lost);
            return None;
        }
        let worm = self.state.new_worm(message, header);
        if self.switching.allocation != Allocation::OldestFirst {
            self.rank_arrival(worm, born);
            self.rank_request(worm, born);
        }
        Some(worm)
    }
}
