//! Room for replies at the nodes: limits, and room in use.

use educe::Educe;
use get_size2::GetSize;

use super::records::Worm;
use super::table::Table;
use crate::traffic::classes::MessageClasses;

/// The room for replies at all nodes.
#[derive(Default, Debug, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Endpoints {
    /// The room at each node for replies to a class, if limited.
    pub limits: Vec<Option<u32>>,
    /// The class that a class answers, if the room for the answer is limited.
    pub answers: Vec<Option<u8>>,
    /// The class of the replies to a class.
    pub replies: Vec<Option<u8>>,
    pub nodes: usize,
    /// The room in use, by class of request and node; empty without limits.
    pub used: Table<u32>,
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

    pub fn at(&self, class: u8, node: u32) -> usize {
        usize::from(class) * self.nodes + node as usize
    }

    /// True if a node has no room for a reply to a class.
    pub fn is_full(&self, class: u8, node: u32) -> bool {
        let limit = self.limits[usize::from(class)];
        limit.is_some_and(|limit| self.used[self.at(class, node)] >= limit)
    }

    /// Occupies room for a reply to a class.
    pub fn occupy(&mut self, class: u8, node: u32) {
        if self.limits[usize::from(class)].is_some() {
            let at = self.at(class, node);
            self.used[at] += 1;
        }
    }

    /// The class answered by a message that occupies room at its source until the tail has left.
    pub fn answered_by(&self, worm: &Worm) -> Option<u8> {
        *self.answers.get(usize::from(worm.header.message_class))?
    }
}
