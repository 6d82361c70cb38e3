//! Limited room for replies at the nodes.
//!
//! A node ejects a message that demands a reply only if it has room for the reply. The room is
//! occupied from the start of the ejection until the tail of the reply has left its source.

use educe::Educe;
use get_size2::GetSize;

use super::records::{NONE, SINK, Worm, list};
use super::state::State;
use super::table::Table;
use crate::ids::NodeId;
use crate::traffic::classes::MessageClasses;
use crate::traffic::sources::Sources;

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

    /// True if a head waits at its destination for room for the reply.
    #[inline]
    pub fn lacks_room(&self, state: &State, worm: u32) -> bool {
        self.are_limited() && {
            let row = state.worm(worm);
            Self::is_at_its_end(state, worm)
                && self.is_full(row.header.message_class, row.destination)
        }
    }

    /// True if the head of a worm has arrived at the router of its destination.
    fn is_at_its_end(state: &State, worm: u32) -> bool {
        let row = state.worm(worm);
        row.head != NONE && row.at == row.header.destination.0
    }

    /// Occupies room for the reply to a message that is about to be ejected.
    #[inline]
    pub fn occupy_room(&mut self, state: &State, worm: u32) {
        if self.are_limited() && Self::is_at_its_end(state, worm) {
            let row = state.worm(worm);
            self.occupy(row.header.message_class, row.destination);
        }
    }

    /// Vacates the room of a reply with its tail out of the source; returns the node.
    pub fn vacate_room(&mut self, state: &State, worm: u32) -> Option<NodeId> {
        let row = state.worm(worm);
        let class = self.answered_by(row)?;
        let at = self.at(class, row.source);
        self.used[at] -= 1;
        Some(NodeId(row.source))
    }

    /// Vacates all room of a message that is lost.
    pub fn forget(&mut self, state: &State, worm: u32) {
        if !self.are_limited() {
            return;
        }
        let row = state.worm(worm);
        let class = row.header.message_class;
        if self.limits[usize::from(class)].is_some() && Self::is_ejected(state, row) {
            let at = self.at(class, row.destination);
            self.used[at] -= 1;
        }
        if self.occupies_room(state, worm) {
            self.vacate_room(state, worm);
        }
    }

    /// Occupies the room of a reply that has returned to its source.
    pub fn occupy_room_again(&mut self, state: &State, worm: u32) {
        let row = state.worm(worm);
        if let Some(class) = self.answered_by(row) {
            self.occupy(class, row.source);
        }
    }

    /// True if a worm occupies room at its source.
    pub fn occupies_room(&self, state: &State, worm: u32) -> bool {
        let row = state.worm(worm);
        self.answered_by(row).is_some() && Self::has_its_tail_at_source(state, row)
    }

    fn has_its_tail_at_source(state: &State, row: &Worm) -> bool {
        row.head == NONE || state.holds_of(row).last().is_some_and(|it| state.is_source(it))
    }

    /// The message whose grant precedes the vacation of room for which a head waits: the first in the
    /// sequence of the replies that wait at their source and occupy room, if any do.
    pub fn first_to_leave(&self, state: &State, worm: u32) -> Option<u32> {
        let mut replies = self.replies_with_room(state, worm);
        let waiting = replies.find(|&reply| state.worm(reply).head == NONE)?;
        Some(Self::first_in_sequence(state, waiting))
    }

    /// The room in use for which a head waits.
    pub fn room_in_use(&self, state: &State, worm: u32) -> u32 {
        let row = state.worm(worm);
        self.used[self.at(row.header.message_class, row.destination)]
    }

    /// The message that leaves before all others of the same source and class.
    fn first_in_sequence(state: &State, worm: u32) -> u32 {
        list(worm, |at| state.worm(at).class_before).last().unwrap_or(worm)
    }

    /// The replies that occupy room for which a head waits, waiting at their source or leaving.
    pub fn replies_with_room<'a>(
        &'a self,
        state: &'a State,
        worm: u32,
    ) -> impl Iterator<Item = u32> + use<'a> {
        let row = state.worm(worm);
        let (class, node) = (row.header.message_class, row.destination);
        let reply = self.replies[usize::from(class)];
        let is_meant = move |&(other, it): &(u32, &Worm)| {
            let class = Some(it.header.message_class);
            it.source == node && class == reply && self.occupies_room(state, other)
        };
        state.live().filter(is_meant).map(|(other, _)| other)
    }

    /// Checks that the room in use is that of requests under ejection, of replies in preparation and
    /// of replies that have not left their source.
    pub fn check_rooms(&self, state: &State, sources: &Sources) -> Result<(), String> {
        if !self.are_limited() {
            return Ok(());
        }
        let mut rooms = vec![0; self.used.len()];
        for (worm, row) in state.live() {
            let class = row.header.message_class;
            if self.limits[usize::from(class)].is_some() && Self::is_ejected(state, row) {
                rooms[self.at(class, row.destination)] += 1;
            }
            if let Some(class) = self.answered_by(row)
                && self.occupies_room(state, worm)
            {
                rooms[self.at(class, row.source)] += 1;
            }
        }
        for behind in sources.behind() {
            if let Some(class) = self.answers[usize::from(behind.class)] {
                rooms[self.at(class, behind.source.0)] += 1;
            }
        }
        for (class, reply) in (0..).zip(&self.replies) {
            let Some(reply) = reply.filter(|_| self.limits[usize::from(class)].is_some()) else {
                continue;
            };
            for node in (0..self.nodes).map(NodeId::new) {
                let prepared = sources.prepared(node, reply) as u32;
                rooms[self.at(class, node.0)] += prepared;
            }
        }
        if rooms.iter().eq(self.used.iter()) {
            return Ok(());
        }
        Err(format!("room for replies: {:?} in use, not {rooms:?}", &*self.used))
    }

    /// True if a worm is under ejection: its head has passed the router of its destination.
    fn is_ejected(state: &State, row: &Worm) -> bool {
        row.head != NONE && state.hold(row.head).next == SINK
    }
}
