//! Next hops by router and destination.

use super::rows::{From, NextHop};
use crate::ids::{ChannelId, RouterId};
use crate::text::count;
use crate::topology::Network;
use crate::words::Misfit;

/// Next hops by router and destination.
#[derive(Clone, Debug)]
pub(super) struct Lookup {
    routers: usize,
    classes: usize,
    reads_arrival: bool,
    /// The entries for messages at `r` to `d` are those from `starts[d × routers + r]` to
    /// `starts[… + 1]`.
    starts: Vec<u32>,
    entries: Vec<Entry>,
}

/// A next hop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub channel: ChannelId,
    pub class: u8,
    from_class: Option<u8>,
    from: From,
}

/// The link and the class of a head's arrival; `None` at the source.
type Came = Option<(ChannelId, u8)>;

impl Entry {
    /// True if the row applies to a head with this arrival.
    pub fn applies(&self, came: Came) -> bool {
        let by_link = match self.from {
            From::Anywhere => true,
            From::Source => came.is_none(),
            From::Link(link) => came.is_some_and(|(channel, _)| channel == link),
        };
        by_link && self.from_class.is_none_or(|from| came.is_some_and(|(_, class)| class == from))
    }

    /// True if the entry is that of a row, for the destination of the row.
    fn is_of(&self, row: &NextHop) -> bool {
        let class = row.class.unwrap_or_default();
        (self.channel, self.class, self.from, self.from_class)
            == (row.next, class, row.from, row.from_class)
    }
}

impl Lookup {
    /// Sorts the rows of a table for a network.
    pub fn new(network: &Network, hops: &[NextHop], classes: u32) -> Self {
        let routers = network.routers();
        let row = |hop: &NextHop| hop.destination.index() * routers + hop.at.index();
        let mut starts = vec![0u32; routers * routers + 1];
        for hop in hops {
            starts[row(hop) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let blank =
            Entry { channel: ChannelId(0), class: 0, from_class: None, from: From::Anywhere };
        let mut entries = vec![blank; hops.len()];
        for hop in hops {
            let place = &mut next[row(hop)];
            let NextHop { next: channel, class, from, from_class, .. } = *hop;
            let class = class.unwrap_or_default();
            entries[*place as usize] = Entry { channel, class, from_class, from };
            *place += 1;
        }
        let reads_arrival =
            hops.iter().any(|hop| hop.from != From::Anywhere || hop.from_class.is_some());
        Self { routers, classes: classes as usize, reads_arrival, starts, entries }
    }

    /// True if some row applies to certain arrivals only.
    #[inline]
    pub fn reads_arrival(&self) -> bool {
        self.reads_arrival
    }

    /// The entries for a head at a router.
    #[inline]
    pub fn at(&self, at: RouterId, destination: RouterId) -> &[Entry] {
        let row = destination.index() * self.routers + at.index();
        &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Checks that the rows of the table, `hops`, lead every message between routers with hosts to its
    /// destination.
    pub fn leads_everywhere(&self, network: &Network, hops: &[NextHop]) -> Result<(), Misfit> {
        let ends: Vec<RouterId> = network.host_routers().collect();
        let states = if self.reads_arrival { network.links() * self.classes } else { 0 };
        let mut search = Search {
            lookup: self,
            network,
            seen: vec![false; self.routers + states],
            found: Vec::new(),
            edges: Vec::new(),
        };
        let (mut first, mut missing) = (None, 0);
        for &to in &ends {
            match search.towards(to, &ends) {
                Ok(()) => {}
                Err(lost) => {
                    missing += 1;
                    first.get_or_insert((lost, to));
                }
            }
        }
        let Some((Lost { source, at, circle }, to)) = first else { return Ok(()) };
        let others = match missing {
            1 => String::new(),
            _ => format!(" ({} are affected)", count(missing, "destination", "destinations")),
        };
        let name = |at: RouterId| network.router_name(at);
        let pair = format!("messages from {} to {}", name(source), name(to));
        if circle.is_empty() {
            let what = format!("the table has no row for {pair} at {}{others}", name(at));
            return Misfit::because(what, "add a row, or remove the rows that lead there");
        }
        let mut routers = name(at);
        let mut lines = Vec::new();
        for entry in &circle {
            let here = |hop: &&NextHop| hop.destination == to && entry.is_of(hop);
            lines.extend(hops.iter().find(here).map(|hop| hop.line.to_string()));
            routers = routers + " > " + &name(network.channel(entry.channel).to);
        }
        let lines = lines.join(", ");
        let what =
            format!("the table leads {pair} in a circle, {routers}, by lines {lines}{others}");
        Misfit::because(what, "correct the next hop of one of these rows")
    }

    /// The state of a head at a router: the router alone unless rows read the arrival.
    fn state(&self, at: RouterId, came: Came) -> usize {
        match came.filter(|_| self.reads_arrival) {
            None => at.index(),
            Some((link, class)) => self.routers + link.index() * self.classes + usize::from(class),
        }
    }
}

/// A search for the states of messages to a destination.
struct Search<'t> {
    lookup: &'t Lookup,
    network: &'t Network,
    seen: Vec<bool>,
    /// States with the index of the state before.
    found: Vec<(RouterId, Came, u32)>,
    /// Hops as (state after, state before).
    edges: Vec<(u32, u32)>,
}

/// Messages that never reach their destination.
struct Lost {
    source: RouterId,
    /// The router where they have no row, or the beginning of their circle.
    at: RouterId,
    circle: Vec<Entry>,
}

impl Search<'_> {
    /// Searches the states from all sources.
    fn towards(&mut self, to: RouterId, sources: &[RouterId]) -> Result<(), Lost> {
        self.seen.fill(false);
        self.found.clear();
        self.edges.clear();
        for &source in sources.iter().filter(|source| **source != to) {
            self.enter(source, None, None);
        }
        let mut next = 0;
        let mut ends = Vec::new();
        while let Some(&(at, came, _)) = self.found.get(next) {
            let before = next;
            next += 1;
            let here = self.lookup.state(at, came);
            if at == to {
                ends.push(here as u32);
                continue;
            }
            let mut offered = 0;
            for entry in self.lookup.at(at, to).iter().filter(|entry| entry.applies(came)) {
                offered += 1;
                let came = Some((entry.channel, entry.class));
                let there = self.network.channel(entry.channel).to;
                self.enter(there, came, Some(before));
                self.edges.push((self.lookup.state(there, came) as u32, here as u32));
            }
            if offered == 0 {
                return Err(Lost { source: self.source(before), at, circle: Vec::new() });
            }
        }
        self.edges.sort_unstable();
        self.seen.fill(false);
        for &end in &ends {
            self.seen[end as usize] = true;
        }
        while let Some(after) = ends.pop() {
            let first = self.edges.partition_point(|edge| edge.0 < after);
            for &(_, before) in self.edges[first..].iter().take_while(|edge| edge.0 == after) {
                if !std::mem::replace(&mut self.seen[before as usize], true) {
                    ends.push(before);
                }
            }
        }
        let lost = |&(at, came, _): &(RouterId, Came, u32)| !self.seen[self.lookup.state(at, came)];
        let Some(lost) = self.found.iter().position(lost) else { return Ok(()) };
        Err(self.circle_from(lost, to))
    }

    /// The circle entered by messages of a state from which no way leads to the destination.
    fn circle_from(&self, lost: usize, to: RouterId) -> Lost {
        let (mut at, mut came, _) = self.found[lost];
        let mut states = Vec::new();
        let mut hops: Vec<Entry> = Vec::new();
        loop {
            let state = self.lookup.state(at, came);
            if let Some(first) = states.iter().position(|&known| known == state) {
                let circle = hops.split_off(first);
                return Lost { source: self.source(lost), at, circle };
            }
            states.push(state);
            let mut entries = self.lookup.at(at, to).iter();
            let entry = entries.find(|entry| entry.applies(came)).expect("every state has a row");
            hops.push(*entry);
            came = Some((entry.channel, entry.class));
            at = self.network.channel(entry.channel).to;
        }
    }

    /// The source of messages of a state.
    fn source(&self, mut state: usize) -> RouterId {
        loop {
            let (at, _, before) = self.found[state];
            if before as usize == state {
                return at;
            }
            state = before as usize;
        }
    }

    /// Adds a state, after the state `before`; a source has itself before it.
    fn enter(&mut self, at: RouterId, came: Came, before: Option<usize>) {
        let state = self.lookup.state(at, came);
        if !std::mem::replace(&mut self.seen[state], true) {
            let before = before.unwrap_or(self.found.len()) as u32;
            self.found.push((at, came, before));
        }
    }
}
