//! Keeps messages that demand a reply in the network until their nodes have room for the reply.
//!
//! The room is occupied from the start of the ejection until the tail of the reply has left its source.

use super::engine::WormholeEngine;
use super::records::{NONE, SINK, Worm, list};
use crate::ids::NodeId;

impl WormholeEngine {
    /// True if a head waits at its destination for room for the reply.
    #[inline]
    pub(super) fn lacks_room(&self, worm: u32) -> bool {
        self.endpoints.are_limited() && {
            let row = self.state.worm(worm);
            self.is_at_its_end(worm)
                && self.endpoints.is_full(row.header.message_class, row.destination)
        }
    }

    /// True if the head of a worm has arrived at the router of its destination.
    fn is_at_its_end(&self, worm: u32) -> bool {
        let row = self.state.worm(worm);
        row.head != NONE && row.at == row.header.destination.0
    }

    /// Occupies room for the reply to a message that is about to be ejected.
    #[inline]
    pub(super) fn occupy_room(&mut self, worm: u32) {
        if self.endpoints.are_limited() && self.is_at_its_end(worm) {
            let row = self.state.worm(worm);
            self.endpoints.occupy(row.header.message_class, row.destination);
        }
    }

    /// Vacates the room of a reply with its tail out of the source.
    pub(super) fn vacate_room(&mut self, worm: u32) {
        let row = self.state.worm(worm);
        let Some(class) = self.endpoints.answered_by(row) else { return };
        let node = row.source;
        let at = self.endpoints.at(class, node);
        self.endpoints.used[at] -= 1;
        let router = self.common.network.router_of(NodeId(node)).0;
        self.state.mark_if_waiting(router);
    }

    /// Occupies the room of a reply that has returned to its source.
    pub(super) fn occupy_room_again(&mut self, worm: u32) {
        let row = self.state.worm(worm);
        if let Some(class) = self.endpoints.answered_by(row) {
            self.endpoints.occupy(class, row.source);
        }
    }

    /// True if a worm occupies room at its source.
    pub(super) fn occupies_room(&self, worm: u32) -> bool {
        let row = self.state.worm(worm);
        self.endpoints.answered_by(row).is_some() && self.has_its_tail_at_source(row)
    }

    fn has_its_tail_at_source(&self, row: &Worm) -> bool {
        row.head == NONE
            || self.state.holds_of(row).last().is_some_and(|it| self.state.is_source(it))
    }

    /// The messages whose grant precedes the vacation of room for which a head waits: the first in the
    /// sequence of each reply that waits at its source and occupies room.
    pub(super) fn first_to_leave(&self, worm: u32) -> impl Iterator<Item = u32> {
        let waiting = |&reply: &u32| self.state.worm(reply).head == NONE;
        self.replies_with_room(worm).filter(waiting).map(|reply| self.first_in_sequence(reply))
    }

    /// The message that leaves before all others of the same source and class.
    pub(super) fn first_in_sequence(&self, worm: u32) -> u32 {
        list(worm, |at| self.state.worm(at).class_before).last().unwrap_or(worm)
    }

    /// The replies that occupy room for which a head waits, waiting at their source or leaving.
    pub(super) fn replies_with_room(&self, worm: u32) -> impl Iterator<Item = u32> {
        let row = self.state.worm(worm);
        let (class, node) = (row.header.message_class, row.destination);
        let reply = self.endpoints.replies[usize::from(class)];
        let is_meant = move |&(other, it): &(u32, &Worm)| {
            let class = Some(it.header.message_class);
            it.source == node && class == reply && self.occupies_room(other)
        };
        self.state.live().filter(is_meant).map(|(other, _)| other)
    }

    /// Checks that the room in use is that of requests under ejection, of replies in preparation and
    /// of replies that have not left their source.
    pub(super) fn check_rooms(&self) -> Result<(), String> {
        if !self.endpoints.are_limited() {
            return Ok(());
        }
        let mut rooms = vec![0; self.endpoints.used.len()];
        for (worm, row) in self.state.live() {
            let class = row.header.message_class;
            if self.endpoints.limits[usize::from(class)].is_some() && self.is_ejected(row) {
                rooms[self.endpoints.at(class, row.destination)] += 1;
            }
            if let Some(class) = self.endpoints.answered_by(row)
                && self.occupies_room(worm)
            {
                rooms[self.endpoints.at(class, row.source)] += 1;
            }
        }
        for behind in self.common.sources.behind() {
            if let Some(class) = self.endpoints.answers[usize::from(behind.class)] {
                rooms[self.endpoints.at(class, behind.source.0)] += 1;
            }
        }
        for (class, reply) in (0..).zip(&self.endpoints.replies) {
            let Some(reply) = reply.filter(|_| self.endpoints.limits[usize::from(class)].is_some())
            else {
                continue;
            };
            for node in (0..self.endpoints.nodes).map(NodeId::new) {
                let prepared = self.common.sources.prepared(node, reply) as u32;
                rooms[self.endpoints.at(class, node.0)] += prepared;
            }
        }
        if rooms.iter().eq(self.endpoints.used.iter()) {
            return Ok(());
        }
        Err(format!("room for replies: {:?} in use, not {rooms:?}", &*self.endpoints.used))
    }

    /// True if a worm is under ejection: its head has passed the router of its destination.
    fn is_ejected(&self, row: &Worm) -> bool {
        row.head != NONE && self.state.hold(row.head).next == SINK
    }
}
