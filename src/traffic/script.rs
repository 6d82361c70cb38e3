//! Messages at given times, some of them after events of others.
//!
//! Messages that await no other come first, by birth. The others are in an order in which every
//! message comes after those that it awaits. Messages are kept in pages, which all runs share, or are
//! read in blocks.

mod blocks;
mod message;
mod summary;

use std::collections::HashMap;
use std::sync::Arc;

use super::destinations::Weights;
use crate::ids::NodeId;
pub(super) use blocks::Position;
pub use blocks::{Blocks, Unreadable};
pub use message::{Event, Follower, ScriptMessage};
use summary::Summary;
pub use summary::{Tally, Totals};

/// Messages of a page; the last page may have fewer.
const PAGE: usize = 1 << 12;

/// Messages in the order of a script.
#[derive(Debug)]
struct Page {
    messages: Vec<ScriptMessage>,
    /// The conditions about the messages of the page, in sequence.
    followers: Vec<Follower>,
}

/// Messages to be ordered, with the messages that they await.
#[derive(Debug, Default)]
pub struct Draft {
    messages: Vec<ScriptMessage>,
    /// The messages awaited, by index, with events and delays, in the sequence of `messages`.
    awaited: Vec<(usize, Event, u32)>,
}

/// Messages each of which awaits the next, the last the first, as indices in a draft.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Circle(pub Vec<usize>);

impl Draft {
    /// Adds a message: the earliest cycle of generation, the ends, and the length in flits.
    pub fn add(&mut self, born: u64, ends: [NodeId; 2], length: u32) {
        self.messages.push(ScriptMessage::alone(born, ends, length, 0));
    }

    /// Sets the class of the message added last.
    pub fn set_class(&mut self, class: u8) {
        if let Some(last) = self.messages.last_mut() {
            last.class = class;
        }
    }

    /// Lets the message added last await an event of another, by index, which may be added later,
    /// and a delay in cycles.
    pub fn await_event(&mut self, index: usize, event: Event, delay: u32) {
        if let Some(last) = self.messages.last_mut() {
            last.awaits += 1;
            self.awaited.push((index, event, delay));
        }
    }

    /// The number of messages added so far.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// True if no message was added.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Orders the messages.
    ///
    /// # Errors
    /// Messages that await each other.
    pub fn finish(mut self) -> Result<Script, Circle> {
        let mut first = vec![0; self.len() + 1];
        for (at, message) in self.messages.iter().enumerate() {
            first[at + 1] = first[at] + message.awaits as usize;
        }
        let mut followers: HashMap<usize, Vec<Follower>> = HashMap::new();
        for at in 0..self.len() {
            for &(awaited, event, delay) in &self.awaited[first[at]..first[at + 1]] {
                self.messages[awaited].followers += 1;
                let follower = Follower { message: at as u64, event, delay };
                followers.entry(awaited).or_default().push(follower);
            }
        }
        let (order, at_once) = self.order(&first, &followers)?;
        let mut rank = vec![0; self.len()];
        for (at, &message) in order.iter().enumerate() {
            rank[message] = at as u64;
        }
        let page = |part: &[usize]| {
            let mut page = Page { messages: Vec::with_capacity(part.len()), followers: Vec::new() };
            for &at in part {
                let first_follower = page.followers.len() as u32;
                page.messages.push(ScriptMessage { first_follower, ..self.messages[at] });
                let ranked = |it: &Follower| Follower { message: rank[it.message as usize], ..*it };
                page.followers.extend(followers.get(&at).into_iter().flatten().map(ranked));
            }
            Arc::new(page)
        };
        let pages: Vec<Arc<Page>> = order.chunks(PAGE).map(page).collect();
        let mut tally = Tally::default();
        for page in &pages {
            page.messages.iter().for_each(|message| tally.add(message));
            page.followers.iter().for_each(|follower| tally.add_follower(follower));
        }
        let summary = Arc::new(tally.summary(at_once as u64));
        Ok(Script { summary, pages: pages.into(), blocks: None })
    }

    /// Messages that await no other by birth, and their number, then the others.
    fn order(
        &self,
        first: &[usize],
        followers: &HashMap<usize, Vec<Follower>>,
    ) -> Result<(Vec<usize>, usize), Circle> {
        let mut missing: Vec<u32> = self.messages.iter().map(|message| message.awaits).collect();
        let mut order: Vec<usize> = (0..self.len()).filter(|&at| missing[at] == 0).collect();
        order.sort_by_key(|&at| (self.messages[at].born, self.messages[at].source, at));
        let at_once = order.len();
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            for follower in followers.get(&at).into_iter().flatten() {
                let follower = follower.message as usize;
                missing[follower] -= 1;
                if missing[follower] == 0 {
                    order.push(follower);
                }
            }
        }
        if next == self.len() { Ok((order, at_once)) } else { Err(self.circle(first, &missing)) }
    }

    /// Messages that await each other, among those with `missing` messages.
    fn circle(&self, first: &[usize], missing: &[u32]) -> Circle {
        let mut path: Vec<usize> = missing.iter().position(|&left| left > 0).into_iter().collect();
        while let Some(&at) = path.last() {
            let awaited = &self.awaited[first[at]..first[at + 1]];
            let mut awaited = awaited.iter().map(|&(it, ..)| it);
            let Some(next) = awaited.find(|&it| missing[it] > 0) else { break };
            if let Some(begin) = path.iter().position(|&it| it == next) {
                return Circle(path.split_off(begin));
            }
            path.push(next);
        }
        Circle(path)
    }
}

/// Messages at given times. Clones share the messages.
#[derive(Clone, Debug)]
pub struct Script {
    pages: Arc<[Arc<Page>]>,
    /// The messages, if they are not in `pages`.
    blocks: Option<Arc<dyn Blocks>>,
    summary: Arc<Summary>,
}

/// Equal scripts have the same messages, by their number and a checksum.
impl PartialEq for Script {
    fn eq(&self, other: &Self) -> bool {
        (self.len(), self.checksum()) == (other.len(), other.checksum())
    }
}

impl Script {
    /// Messages in blocks, with all of them counted.
    pub fn in_blocks(blocks: Arc<dyn Blocks>, tally: Tally) -> Self {
        let summary = tally.summary(u64::MAX);
        let at_once = summary.all.messages;
        let summary = Arc::new(Summary { at_once, ..summary });
        Self { pages: Arc::default(), blocks: Some(blocks), summary }
    }

    /// The first message, if messages are read in blocks.
    pub(super) fn position(&self) -> Option<Position> {
        self.blocks.as_ref().map(Position::new)
    }

    /// The number of messages.
    pub fn len(&self) -> u64 {
        self.summary.all.messages
    }

    /// True without messages.
    pub fn is_empty(&self) -> bool {
        self.summary.all.messages == 0
    }

    /// The number of flits.
    pub fn flits(&self) -> u64 {
        self.summary.all.flits
    }

    /// Numbers and lengths of the messages.
    pub fn totals(&self) -> Totals {
        self.summary.all
    }

    /// Numbers and lengths of the messages of a class.
    pub fn totals_of_class(&self, class: u8) -> Totals {
        self.summary.of_class(class)
    }

    /// The shortest and the longest length in flits.
    pub fn lengths(&self) -> [u32; 2] {
        self.summary.all.lengths
    }

    /// The number of messages that await no other: the first of the script.
    pub fn at_once(&self) -> u64 {
        self.summary.at_once
    }

    /// True if a message awaits that another leaves its source.
    pub fn awaits_departures(&self) -> bool {
        self.summary.departures
    }

    /// The flits of every pair of nodes.
    pub fn flows(&self) -> &Weights {
        &self.summary.flows
    }

    /// The minimum number of cycles for sending all messages: up to the latest earliest birth, and
    /// a cycle for each flit of a source.
    pub fn span(&self) -> u64 {
        self.summary.most.max(self.summary.latest + 1)
    }

    /// Distinguishes scripts without listing their messages.
    pub fn checksum(&self) -> u32 {
        self.summary.checksum as u32
    }

    /// A message in the order of the script, from 0; `None` if messages are read in blocks.
    pub(super) fn message(&self, index: u64) -> Option<&ScriptMessage> {
        self.pages.get(index as usize / PAGE)?.messages.get(index as usize % PAGE)
    }

    /// The conditions about a message.
    pub(super) fn followers(&self, index: u64) -> &[Follower] {
        let page = &self.pages[index as usize / PAGE];
        let message = page.messages[index as usize % PAGE];
        let first = message.first_follower as usize;
        &page.followers[first..first + message.followers as usize]
    }

    /// The last delivery, if every event of a message is `takes` cycles after its birth; `None` if
    /// messages are read in blocks.
    pub fn last_delivery(
        &self,
        mut takes: impl FnMut(&ScriptMessage, Event) -> u64,
    ) -> Option<u64> {
        if self.blocks.is_some() {
            return None;
        }
        let mut ready: HashMap<u64, u64> = HashMap::new();
        let mut last = 0;
        for index in 0..self.len() {
            let Some(message) = self.message(index) else { break };
            let born = message.born.max(ready.remove(&index).unwrap_or(0));
            last = last.max(born + takes(message, Event::Delivered));
            for &Follower { message: follower, event, delay } in self.followers(index) {
                let latest = ready.entry(follower).or_default();
                *latest = (*latest).max(born + takes(message, event) + u64::from(delay));
            }
        }
        Some(last)
    }
}

#[cfg(test)]
mod tests;
