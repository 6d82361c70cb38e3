//! Differences of links: numbers of cables, ends at other routers, paces.

use std::collections::{BTreeMap, BTreeSet};

use super::difference::{Difference, Ends};
use super::inventory::{Bundle, Pace};
use super::routers::{Links, Presence, Routers};

/// Both networks, with the indices of the common list of routers.
pub(super) struct Both<'n> {
    pub routers: &'n Routers,
    pub planned: &'n Links,
    pub found: &'n Links,
}

/// Another number of cables between two routers.
#[derive(Clone, Copy, Debug)]
struct Entry {
    from: usize,
    to: usize,
    one_way: bool,
    planned: u32,
    found: u32,
    /// True for cables to an unplanned router, which are counted there: listed only in place of others.
    is_outside: bool,
}

impl Entry {
    /// The number of missing or excess cables.
    fn cables(&self) -> u32 {
        self.planned.abs_diff(self.found)
    }

    /// Its ends, with their roles in one-way links.
    fn ends(&self) -> [End; 2] {
        let role = |role| if self.one_way { role } else { Role::Either };
        [(role(Role::From), self.from), (role(Role::To), self.to)]
    }

    /// The end that is not `end`.
    fn other(&self, end: End) -> End {
        let [one, other] = self.ends();
        if one == end { other } else { one }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Role {
    Either,
    From,
    To,
}

/// An end of a cable: its role, and its router.
type End = (Role, usize);

/// The links between two routers that differ: the numbers of planned and found links, and links with
/// another pace.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Change {
    planned: u32,
    found: u32,
    paces: BTreeMap<(Pace, Pace), u32>,
}

impl Change {
    fn between(planned: Option<&Bundle>, found: Option<&Bundle>) -> Self {
        let [mut fewer, mut more] = [planned, found].map(|it| it.cloned().unwrap_or_default());
        let [planned, found] = [&fewer, &more].map(|bundle| bundle.values().sum());
        for (pace, number) in &mut fewer {
            let equal = more.get(pace).copied().unwrap_or_default().min(*number);
            *number -= equal;
            if let Some(number) = more.get_mut(pace) {
                *number -= equal;
            }
        }
        let mut paces = BTreeMap::new();
        for (&pace, number) in &mut fewer {
            for (&other, left) in &mut more {
                let both = (*number).min(*left);
                (*number, *left) = (*number - both, *left - both);
                if both > 0 {
                    paces.insert((pace, other), both);
                }
            }
        }
        Self { planned, found, paces }
    }
}

impl Both<'_> {
    /// The differences of links, in the order of the routers.
    pub fn differences(&self) -> Vec<Difference> {
        let keys = self.planned.keys().chain(self.found.keys());
        let pairs: BTreeSet<(usize, usize)> =
            keys.map(|&(from, to)| (from.min(to), from.max(to))).collect();
        let (mut entries, mut paces) = (Vec::new(), Vec::new());
        for (one, other) in pairs {
            let ends = [one, other].map(|at| self.routers.presence[at]);
            let is_outside = ends == [Presence::Both, Presence::Fabric];
            // Other links are counted with their routers.
            if !is_outside && ends != [Presence::Both; 2] {
                continue;
            }
            let change = |ends| Change::between(self.planned.get(&ends), self.found.get(&ends));
            let ways = [(one, other), (other, one)].map(|ends| (ends, change(ends)));
            let same = ways[0].1 == ways[1].1;
            for ((from, to), change) in ways.into_iter().take(if same { 1 } else { 2 }) {
                let Change { planned, found, paces: changed } = change;
                let one_way = !same;
                if planned != found {
                    entries.push(Entry { from, to, one_way, planned, found, is_outside });
                }
                let ends = self.ends(from, to, one_way);
                paces.extend(changed.into_iter().map(|((planned, found), cables)| {
                    Difference::LinkPace { ends: ends.clone(), cables, planned, found }
                }));
            }
        }
        let mut differences = self.rewired(&mut entries);
        let single = entries.iter().filter(|entry| !entry.is_outside).map(|entry| {
            let ends = self.ends(entry.from, entry.to, entry.one_way);
            Difference::Links { ends, planned: entry.planned, found: entry.found }
        });
        differences.extend(single);
        differences.extend(paces);
        differences
    }

    fn ends(&self, from: usize, to: usize, one_way: bool) -> Ends {
        let [from, to] = [from, to].map(|at| self.routers.names[at].clone());
        Ends { from, to, one_way }
    }

    /// Removes entries that differ by an end only, and those of crossed cables, and returns these
    /// differences. A missing and an excess entry belong together if no other entry of the opposite kind
    /// shares an end with either.
    fn rewired(&self, entries: &mut Vec<Entry>) -> Vec<Difference> {
        let (mut missing, mut excess) = (BTreeMap::new(), BTreeMap::new());
        for (at, entry) in entries.iter().enumerate() {
            let kind = if entry.found < entry.planned { &mut missing } else { &mut excess };
            for end in entry.ends() {
                kind.entry(end).or_insert_with(Vec::new).push(at);
            }
        }
        let mut used = vec![false; entries.len()];
        let mut differences = Vec::new();
        for at in 0..entries.len() {
            let entry = entries[at];
            if used[at] || entry.found > entry.planned {
                continue;
            }
            if let Some((other, end)) = single(entries, at, &excess)
                && single(entries, other, &missing) == Some((at, end))
                && entries[other].cables() == entry.cables()
            {
                (used[at], used[other]) = (true, true);
                let name = |(_, router): End| self.routers.names[router].clone();
                differences.push(Difference::Miswired {
                    router: name(end),
                    planned: name(entry.other(end)),
                    found: name(entries[other].other(end)),
                    cables: entry.cables(),
                    one_way: entry.one_way,
                });
            } else if let Some(others) = crossed(entries, at, [&missing, &excess]) {
                for one in [&[at][..], &others].concat() {
                    used[one] = true;
                }
                // The second planned pair has the other ends of the first and the second pair found.
                let [_, first, second] = others;
                let [near, far] = entry.ends();
                let [to, from] = [entries[first].other(near).1, entries[second].other(far).1];
                let ends = |(from, to)| self.ends(from, to, entry.one_way);
                differences.push(Difference::Crossed {
                    planned: [(entry.from, entry.to), (from, to)].map(ends),
                    found: [(entry.from, to), (from, entry.to)].map(ends),
                    cables: entry.cables(),
                });
            }
        }
        let mut used = used.into_iter();
        entries.retain(|_| used.next() == Some(false));
        differences
    }
}

/// Entries of a kind by their ends.
type ByEnd = BTreeMap<End, Vec<usize>>;

/// The only entry of a kind that shares an end with the entry `at`, and this end.
fn single(entries: &[Entry], at: usize, kind: &ByEnd) -> Option<(usize, End)> {
    let sharing = entries[at]
        .ends()
        .into_iter()
        .flat_map(|end| kind.get(&end).into_iter().flatten().map(move |&other| (other, end)));
    let mut sharing = sharing.take(2);
    let first = sharing.next();
    first.filter(|_| sharing.next().is_none())
}

/// The entries that are crossed with the missing entry `at`: another missing one, and two excess ones, each
/// with an end of both.
fn crossed(entries: &[Entry], at: usize, [missing, excess]: [&ByEnd; 2]) -> Option<[usize; 3]> {
    let only = |kind: &ByEnd, end: End| match kind.get(&end).map(Vec::as_slice) {
        Some(&[one]) => Some(one),
        Some(_) | None => None,
    };
    let [one, other] = entries[at].ends();
    let (first, second) = (only(excess, one)?, only(excess, other)?);
    let [far, near] = [entries[first].other(one), entries[second].other(other)];
    let ends = [one, other, far, near];
    let back = only(missing, far)?;
    let is_alone = |end: End| only(missing, end).is_some() && only(excess, end).is_some();
    let closes = back != at
        && first != second
        && entries[back].other(far) == near
        && ends.into_iter().all(is_alone)
        && [back, first, second].iter().all(|&it| entries[it].cables() == entries[at].cables());
    closes.then_some([back, first, second])
}
