//! Nodes send the flits of their messages, one message at a time.

use super::engine::RouterEngine;
use super::records::NONE;
use crate::ids::NodeId;
use crate::routing::Header;
use crate::switching::{Allocation, RANK_MAX};
use crate::traffic::script::Event;
use crate::traffic::sources::{Generated, Message};

impl RouterEngine {
    /// Enqueues all due messages.
    pub(super) fn generate(&mut self) {
        while let Some(generated) = self.common.sources.generate(self.now) {
            match generated {
                Generated::Asks(message) => {
                    self.common.present += 1;
                    if !self.enqueue(&message, self.now) {
                        self.next_from(message.source, message.class, self.now);
                    }
                }
                Generated::Waits => self.common.present += 1,
                Generated::Discarded => {}
            }
        }
    }

    /// Adds a message to the queue of its node; false if it has no route, and is lost by cycle `lost`.
    fn enqueue(&mut self, message: &Message, lost: u64) -> bool {
        let &Message { source, destination, route_bits, class, .. } = message;
        let header = self.common.relation.header(source, destination, route_bits);
        let header = Header { message_class: class, ..header };
        if self.common.is_cut_off(header.source, &header) {
            self.common.lose(*message, 0, lost);
            return false;
        }
        let precedence = match self.machine.allocation {
            Allocation::OldestFirst => message.born,
            Allocation::Classes(ranks) => u64::from(RANK_MAX - ranks.all()[usize::from(class)]),
            Allocation::RoundRobin
            | Allocation::FirstComeFirstServed
            | Allocation::FirstAskedFirstServed => 0,
        };
        let worm = self.state.new_worm(message, header, precedence);
        let node = &mut self.state.nodes[source.index()];
        let queue = &mut node.queues[usize::from(self.precedes >> class & 1 == 0)];
        if queue.first == NONE {
            queue.first = worm;
        } else {
            self.state.worms[queue.last as usize].next = worm;
        }
        queue.last = worm;
        if !node.listed {
            node.listed = true;
            self.state.sending.push(source.0);
        }
        true
    }

    /// Sends a flit from every node with a message, a VC and a credit.
    pub(super) fn inject(&mut self) {
        let mut at = 0;
        while at < self.state.sending.len() {
            let node = self.state.sending[at];
            self.send_from(node);
            let row = &mut self.state.nodes[node as usize];
            if row.first() == NONE && row.feeds == NONE {
                row.listed = false;
                self.state.sending.swap_remove(at);
            } else {
                at += 1;
            }
        }
    }

    fn send_from(&mut self, node: u32) {
        if self.state.nodes[node as usize].feeds == NONE && !self.enter(node) {
            return;
        }
        let row = self.state.nodes[node as usize].feeds;
        let slot = self.state.holds[row as usize].slot;
        if self.state.buffers[slot as usize].credits == 0 {
            return;
        }
        let hold = self.state.send(row, self.now, self.now + u64::from(self.stages.injection));
        if let Some(used) = self.uses.get_mut(hold.slot as usize) {
            used.flits += 1;
        }
        self.common.counters.flits_injected += 1;
        if hold.left == 0 {
            self.state.nodes[node as usize].feeds = NONE;
        }
        if self.reports {
            let worm = &self.state.worms[hold.worm as usize];
            let sources = &mut self.common.sources;
            let mut report = |event| {
                sources.departed(NodeId(worm.source), worm.serial, event, self.now + 1);
            };
            if hold.left + 1 == worm.length {
                report(Event::Started);
            }
            if hold.left == 0 {
                report(Event::Sent);
            }
        }
    }

    /// Grants a VC of the injection channel to the first message of a node, round robin.
    fn enter(&mut self, node: u32) -> bool {
        let state = &mut self.state;
        let queue = state.nodes[node as usize].next_queue();
        let first = state.nodes[node as usize].queues[queue].first;
        let channel = state.links + node as usize;
        let class = state.worms[first as usize].header.message_class;
        let own = self.common.relation.vcs_of_message_class(class);
        let free = state.ports[channel].free & own;
        let last = state.nodes[node as usize].vc;
        let length = state.worms[first as usize].length;
        let has_credit = |v: &u32| {
            let slot = state.slot(channel, *v);
            free >> v & 1 == 1
                && state.buffers[slot as usize].credits > 0
                && state.has_room(NONE, slot, length)
        };
        let mut order = (last + 1..state.vcs).chain(0..=last);
        let Some(v) = order.find(has_credit) else { return false };
        let slot = state.slot(channel, v);
        let hold = state.grant(first, NONE, slot, self.now);
        let row = &mut state.worms[first as usize];
        row.entered = self.now;
        let next = std::mem::replace(&mut row.next, NONE);
        let row = &mut state.nodes[node as usize];
        (row.queues[queue].first, row.feeds, row.vc) = (next, hold, v);
        if next == NONE {
            row.queues[queue].last = NONE;
        }
        if self.common.letters.are_wanted() {
            state.came.push(first);
        }
        self.next_from(NodeId(node), class, self.now + 1);
        true
    }

    /// Removes a message of a class from the queue of its source, and enqueues the next message that was
    /// only counted and has a route. Messages without a route are lost by cycle `lost`.
    pub(super) fn next_from(&mut self, source: NodeId, class: u8, lost: u64) {
        while let Some(message) = self.common.sources.leave(source, class) {
            if self.enqueue(&message, lost) {
                break;
            }
        }
    }

    /// Assigns labels to the messages that entered in this cycle, sorted by name.
    pub(super) fn give_letters(&mut self) {
        let mut came = std::mem::take(&mut self.state.came);
        came.sort_unstable_by_key(|&worm| self.state.worms[worm as usize].name());
        for worm in came.drain(..) {
            let row = &mut self.state.worms[worm as usize];
            row.letter = self.common.letters.give(self.now, row.name()).0;
        }
        self.state.came = came;
    }
}
