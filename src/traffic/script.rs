//! Messages at given times, some of them after the delivery of others.
//!
//! The messages are ordered: every message follows those it awaits, and messages that await no
//! other are ordered by birth. They are kept in pages, which all runs share.

use std::sync::Arc;

use super::destinations::{Form, Weight, Weights};
use crate::ids::NodeId;
use crate::random::mix;

/// Messages of a page; the last page may have fewer.
const PAGE: usize = 1 << 12;

/// A message of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScriptMessage {
    /// The earliest cycle of generation.
    pub born: u64,
    pub source: NodeId,
    pub destination: NodeId,
    /// Length in flits.
    pub length: u32,
    /// Cycles from the last delivery awaited to the generation.
    pub delay: u32,
    /// The number of messages awaited.
    pub awaits: u32,
    /// The number of messages that await this message.
    pub followers: u32,
}

/// Messages in the order of a script.
#[derive(Debug)]
struct Page {
    messages: Vec<ScriptMessage>,
    /// The messages awaited by those of the page, in sequence.
    awaited: Vec<u64>,
}

/// Messages to be ordered, with the messages that they await.
#[derive(Debug, Default)]
pub struct Draft {
    messages: Vec<ScriptMessage>,
    /// The messages awaited, by index, in the sequence of `messages`.
    awaited: Vec<usize>,
}

/// Messages each of which awaits the next, the last the first, as indices in a draft.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Circle(pub Vec<usize>);

impl Draft {
    /// Adds a message: the earliest cycle of generation, the ends, the length in flits, and the
    /// cycles after the delivery of the last message awaited.
    pub fn add(&mut self, born: u64, ends: [NodeId; 2], length: u32, delay: u32) {
        let [source, destination] = ends;
        let (awaits, followers) = (0, 0);
        self.messages.push(ScriptMessage {
            born,
            source,
            destination,
            length,
            delay,
            awaits,
            followers,
        });
    }

    /// Lets the message added last await another, by index, which may be added later.
    pub fn await_message(&mut self, index: usize) {
        if let Some(last) = self.messages.last_mut() {
            last.awaits += 1;
            self.awaited.push(index);
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
        let mut first = Vec::with_capacity(self.len() + 1);
        let mut next = 0;
        for message in &self.messages {
            first.push(next);
            next += message.awaits as usize;
        }
        first.push(next);
        for &awaited in &self.awaited {
            self.messages[awaited].followers += 1;
        }
        let order = self.order(&first)?;
        let mut rank = vec![0; self.len()];
        for (at, &message) in order.iter().enumerate() {
            rank[message] = at as u64;
        }
        let page = |part: &[usize]| {
            let awaited = part.iter().flat_map(|&at| &self.awaited[first[at]..first[at + 1]]);
            Arc::new(Page {
                messages: part.iter().map(|&at| self.messages[at]).collect(),
                awaited: awaited.map(|&at| rank[at]).collect(),
            })
        };
        let pages: Vec<Arc<Page>> = order.chunks(PAGE).map(page).collect();
        Ok(Script { summary: Arc::new(Summary::of(&pages)), pages: pages.into() })
    }

    /// Messages that await no other by birth, each followed by the messages that wait for it last.
    fn order(&self, first: &[usize]) -> Result<Vec<usize>, Circle> {
        let mut free: Vec<usize> =
            (0..self.len()).filter(|&at| self.messages[at].awaits == 0).collect();
        free.sort_by_key(|&at| (self.messages[at].born, self.messages[at].source, at));
        let mut followers = vec![Vec::new(); if self.awaited.is_empty() { 0 } else { self.len() }];
        for at in 0..self.len() {
            self.awaited[first[at]..first[at + 1]].iter().for_each(|&it| followers[it].push(at));
        }
        let mut missing: Vec<u32> = self.messages.iter().map(|message| message.awaits).collect();
        let mut order = Vec::with_capacity(self.len());
        for begin in free {
            let mut next = order.len();
            order.push(begin);
            while let Some(&at) = order.get(next).filter(|_| !followers.is_empty()) {
                next += 1;
                for &follower in &followers[at] {
                    missing[follower] -= 1;
                    if missing[follower] == 0 {
                        order.push(follower);
                    }
                }
            }
        }
        if order.len() == self.len() { Ok(order) } else { Err(self.circle(first, &missing)) }
    }

    /// Messages that await each other, among those with `missing` messages.
    fn circle(&self, first: &[usize], missing: &[u32]) -> Circle {
        let mut path: Vec<usize> = missing.iter().position(|&left| left > 0).into_iter().collect();
        while let Some(&at) = path.last() {
            let awaited = &self.awaited[first[at]..first[at + 1]];
            let Some(&next) = awaited.iter().find(|&&it| missing[it] > 0) else { break };
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
    summary: Arc<Summary>,
}

/// Equal scripts have the same messages, by their number and a checksum.
impl PartialEq for Script {
    fn eq(&self, other: &Self) -> bool {
        (self.len(), self.checksum()) == (other.len(), other.checksum())
    }
}

/// Figures of all messages.
#[derive(Debug)]
struct Summary {
    messages: u64,
    flits: u64,
    lengths: [u32; 2],
    latest: u64,
    /// The flits of the node that sends most.
    most: u64,
    awaits: bool,
    checksum: u64,
    flows: Weights,
}

impl Summary {
    fn of(pages: &[Arc<Page>]) -> Self {
        let mut flows = std::collections::BTreeMap::new();
        let mut sent = std::collections::BTreeMap::new();
        let mut summary = Self {
            messages: 0,
            flits: 0,
            lengths: [u32::MAX, 0],
            latest: 0,
            most: 0,
            awaits: false,
            checksum: 0,
            flows: Weights::new(Form::Script, Vec::new()),
        };
        for page in pages {
            for it in &page.messages {
                let [shortest, longest] = summary.lengths;
                summary.messages += 1;
                summary.flits += u64::from(it.length);
                summary.lengths = [shortest.min(it.length), longest.max(it.length)];
                summary.latest = summary.latest.max(it.born);
                summary.awaits |= it.awaits > 0;
                let ends = u64::from(it.source.0) << 32 | u64::from(it.destination.0);
                let times = u64::from(it.length) << 32 | u64::from(it.delay);
                summary.checksum = [ends, times, it.born].into_iter().fold(summary.checksum, mix);
                *flows.entry((it.source, it.destination)).or_insert(0u64) += u64::from(it.length);
                *sent.entry(it.source).or_insert(0u64) += u64::from(it.length);
            }
            summary.checksum = page.awaited.iter().copied().fold(summary.checksum, mix);
        }
        summary.most = sent.into_values().max().unwrap_or_default();
        let weight =
            |((source, destination), flits)| Weight { source, destination, weight: flits as f64 };
        summary.flows = Weights::new(Form::Script, flows.into_iter().map(weight).collect());
        summary
    }
}

impl Script {
    /// The number of messages.
    pub fn len(&self) -> u64 {
        self.summary.messages
    }

    /// True without messages.
    pub fn is_empty(&self) -> bool {
        self.summary.messages == 0
    }

    /// The number of flits.
    pub fn flits(&self) -> u64 {
        self.summary.flits
    }

    /// The mean length in flits.
    pub fn length_mean(&self) -> f64 {
        self.flits() as f64 / self.len().max(1) as f64
    }

    /// The shortest and the longest length in flits.
    pub fn lengths(&self) -> [u32; 2] {
        self.summary.lengths
    }

    /// True if some messages await others.
    pub fn awaits(&self) -> bool {
        self.summary.awaits
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

    /// A message in the order of the script, from 0.
    pub(super) fn message(&self, index: u64) -> Option<&ScriptMessage> {
        self.pages.get(index as usize / PAGE)?.messages.get(index as usize % PAGE)
    }

    /// The messages awaited by a message, of which the first is number `first` on its page.
    pub(super) fn awaited(&self, index: u64, first: usize) -> &[u64] {
        let page = &self.pages[index as usize / PAGE];
        let count = page.messages[index as usize % PAGE].awaits as usize;
        &page.awaited[first..first + count]
    }

    /// The last delivery, if every message arrives `takes` cycles after its birth.
    pub fn last_delivery(&self, mut takes: impl FnMut(&ScriptMessage) -> u64) -> u64 {
        let mut arrivals: Vec<u64> = Vec::new();
        let mut last = 0;
        for page in &*self.pages {
            let mut awaited = page.awaited.iter();
            for message in &page.messages {
                let latest = awaited.by_ref().take(message.awaits as usize);
                let latest = latest.map(|&other| arrivals[other as usize]).max();
                let ready = latest.map_or(0, |latest| latest + u64::from(message.delay));
                let arrival = message.born.max(ready) + takes(message);
                last = last.max(arrival);
                if self.awaits() {
                    arrivals.push(arrival);
                }
            }
        }
        last
    }

    /// True if a message is the first of its page.
    pub(super) fn begins_page(index: u64) -> bool {
        (index as usize).is_multiple_of(PAGE)
    }
}

#[cfg(test)]
mod tests;
