//! Limited room for replies at the nodes.
//!
//! A node ejects a message that demands a reply only if it has room for the reply. The room is
//! occupied from the start of the ejection until the tail of the reply has left its source.

use educe::Educe;
use get_size2::GetSize;

use super::engine::WormholeEngine;
use super::records::{NONE, SINK, Worm};
use super::table::Table;
use crate::engine::deadlock::{Wait, WaitKind};
use crate::ids::{ChannelId, NodeId, RouterId, WormId};
use crate::routing::Candidate;
use crate::traffic::classes::MessageClasses;

/// The room for replies at all nodes.
#[derive(Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Endpoints {
    /// The room at each node for replies to a class, if limited.
    limits: Vec<Option<u32>>,
    /// The class that a class answers, if the room for the answer is limited.
    answers: Vec<Option<u8>>,
    /// The class of the replies to a class.
    replies: Vec<Option<u8>>,
    nodes: usize,
    /// The room in use, by class of request and node; empty without limits.
    used: Table<u32>,
}

impl Endpoints {
    /// Creates empty nodes.
    pub fn new(classes: &MessageClasses, nodes: usize) -> Self {
        if !classes.have_limited_room() {
            return Self::default();
        }
        let all = || 0..classes.count() as u8;
        let limits: Vec<Option<u32>> = all().map(|class| classes.room_after(class)).collect();
        let reply = |class| classes.reply_to(class).map(|(reply, _)| reply);
        let answered = |reply_class: u8| all().find(|&class| reply(class) == Some(reply_class));
        let limited = |class: &u8| limits[usize::from(*class)].is_some();
        Self {
            answers: all().map(|class| answered(class).filter(limited)).collect(),
            replies: all().map(reply).collect(),
            nodes,
            used: Table::of(0, nodes * classes.count()),
            limits,
        }
    }

    /// True if some room is limited.
    #[inline]
    pub fn are_limited(&self) -> bool {
        !self.used.is_empty()
    }

    fn at(&self, class: u8, node: u32) -> usize {
        usize::from(class) * self.nodes + node as usize
    }

    /// True if a node has no room for a reply to a class.
    fn is_full(&self, class: u8, node: u32) -> bool {
        let limit = self.limits[usize::from(class)];
        limit.is_some_and(|limit| self.used[self.at(class, node)] >= limit)
    }

    /// Occupies room for a reply to a class.
    fn occupy(&mut self, class: u8, node: u32) {
        if self.limits[usize::from(class)].is_some() {
            let at = self.at(class, node);
            self.used[at] += 1;
        }
    }

    /// The class answered by a message that occupies room at its source until the tail has left.
    fn answered_by(&self, worm: &Worm) -> Option<u8> {
        *self.answers.get(usize::from(worm.header.message_class))?
    }
}

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

    /// The replies that wait at their source and occupy room for which a head waits.
    pub(super) fn replies_to_leave(&self, worm: u32) -> impl Iterator<Item = u32> {
        self.replies_with_room(worm).filter(|&reply| self.state.worm(reply).head == NONE)
    }

    /// The replies that occupy room for which a head waits, waiting at their source or leaving.
    fn replies_with_room(&self, worm: u32) -> impl Iterator<Item = u32> {
        let row = self.state.worm(worm);
        let (class, node) = (row.header.message_class, row.destination);
        let reply = self.endpoints.replies[usize::from(class)];
        let is_meant = move |&(other, it): &(u32, &Worm)| {
            let class = Some(it.header.message_class);
            it.source == node && class == reply && self.occupies_room(other)
        };
        self.state.live().filter(is_meant).map(|(other, _)| other)
    }

    /// The messages that prevent the vacation of the room for which a head waits: a reply with flits at
    /// its source, or the holder of a VC requested by a reply at its source. Replies in preparation
    /// and requests under ejection are not prevented.
    pub(super) fn waits_for_room(&self, worm: u32, candidates: &mut Vec<Candidate>) -> Vec<Wait> {
        let row = self.state.worm(worm);
        let (class, node) = (row.header.message_class, row.destination);
        let ejection = self.common.network.ejection_of(NodeId(node));
        let ejection = self.state.slot(ejection.map_or(0, ChannelId::index), 0);
        let wait = |slot: u32, holder: Option<u32>| Wait {
            kind: WaitKind::Reply,
            worm: WormId(worm),
            at: RouterId(row.at),
            wants: self.public_vc(slot),
            holder: holder.map(WormId),
        };
        let mut waits = Vec::new();
        let mut others = self.endpoints.used[self.endpoints.at(class, node)];
        for reply in self.replies_with_room(worm) {
            others -= 1;
            if self.state.worm(reply).head != NONE {
                waits.push(wait(ejection, Some(reply)));
                continue;
            }
            waits.extend(self.wanted_slots(reply, candidates).map(|slot| {
                let held = self.state.is_held(slot);
                wait(slot, held.then(|| self.state.hold(slot).worm))
            }));
        }
        waits.extend((0..others).map(|_| wait(ejection, None)));
        waits.dedup();
        waits
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
