//! Tables of routes on a part of a network: the rows of remaining messages, and short ways between other hosts.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Case;
use crate::ids::{ChannelId, RouterId};
use crate::network_files::write::cables;
use crate::routing::rows::{Contents, From, GivenRoute, NextHop, Rows};
use crate::topology::Network;
use crate::topology::switches::Cable;

/// The routers at the ends of messages, of replies too.
pub(super) fn pairs(case: &Case) -> BTreeSet<[RouterId; 2]> {
    let network = &case.scenario.system.network;
    let classes = &case.scenario.system.traffic.classes;
    let with_replies = (0..classes.count() as u8).any(|class| classes.is_reply(class));
    let ends = case.letters.iter().map(|letter| letter.ends.map(|node| network.router_of(node)));
    let mut pairs: BTreeSet<[RouterId; 2]> = ends.collect();
    if with_replies {
        pairs.extend(pairs.clone().iter().map(|&[from, to]| [to, from]));
    }
    pairs.retain(|[from, to]| from != to);
    pairs
}

/// The channels between some routers that belong to cables for which `kept` is true.
pub(super) fn channels(
    network: &Network,
    routers: &[RouterId],
    kept: impl Fn(&Cable) -> bool,
) -> BTreeSet<ChannelId> {
    let mut found: BTreeMap<(u32, u32), Vec<Cable>> = BTreeMap::new();
    for cable in cables(network).into_iter().filter(kept) {
        found.entry((cable.from, cable.to)).or_default().push(cable);
        if !cable.one_way {
            found.entry((cable.to, cable.from)).or_default().push(cable);
        }
    }
    let is_inside = |&link: &ChannelId| {
        let channel = network.channel(link);
        let ends = [channel.from, channel.to];
        let cables = found.get(&(channel.from.0, channel.to.0));
        ends.iter().all(|end| routers.binary_search(end).is_ok())
            && cables.is_some_and(|all| all.iter().any(|it| it.attributes == channel.attributes))
    };
    (0..network.links()).map(ChannelId::new).filter(is_inside).collect()
}

/// The rows for pairs of routers, over these channels, and shortest ways between all other routers with hosts;
/// `None` if a pair has no route, and for tables that read the arrivals of heads.
pub(super) fn needed(
    network: &Network,
    rows: &Rows,
    (pairs, channels): (&BTreeSet<[RouterId; 2]>, &BTreeSet<ChannelId>),
) -> Option<Rows> {
    let ends: BTreeSet<RouterId> = pairs.iter().flatten().copied().collect();
    let part = Part { network, pairs, channels, ends };
    match rows.contents() {
        Contents::Hops(hops) => Some(Rows::new(Contents::Hops(part.hops(hops)?))),
        Contents::Routes(routes) => Some(Rows::new(Contents::Routes(part.routes(routes)?))),
    }
}

/// A part of a network with the pairs of routers that send messages.
struct Part<'a> {
    network: &'a Network,
    pairs: &'a BTreeSet<[RouterId; 2]>,
    channels: &'a BTreeSet<ChannelId>,
    /// The routers with hosts.
    ends: BTreeSet<RouterId>,
}

impl Part<'_> {
    fn hops(&self, hops: &[NextHop]) -> Option<Vec<NextHop>> {
        if hops.iter().any(|hop| hop.from != From::Anywhere || hop.from_class.is_some()) {
            return None;
        }
        let class = hops.iter().any(|hop| hop.class.is_some()).then_some(0);
        let mut known: BTreeMap<[RouterId; 2], Vec<NextHop>> = BTreeMap::new();
        for hop in hops.iter().filter(|hop| self.channels.contains(&hop.next)) {
            known.entry([hop.at, hop.destination]).or_default().push(*hop);
        }
        let mut found = Vec::new();
        for &destination in &self.ends {
            let sources = self.pairs.iter().filter(|pair| pair[1] == destination);
            let mut open: Vec<RouterId> = sources.map(|pair| pair[0]).collect();
            let mut used = BTreeSet::from([destination]);
            while let Some(at) = open.pop() {
                if used.insert(at) {
                    let rows = known.get(&[at, destination])?;
                    open.extend(rows.iter().map(|row| self.network.channel(row.next).to));
                    found.extend(rows);
                }
            }
            let next = self.ways_to(&used);
            for &source in &self.ends {
                let mut at = source;
                while used.insert(at) {
                    let next = *next.get(&at)?;
                    let (from, from_class, line) = (From::Anywhere, None, 0);
                    found.push(NextHop { at, destination, next, class, from, from_class, line });
                    at = self.network.channel(next).to;
                }
            }
        }
        found.sort_by_key(|hop| (hop.at, hop.destination));
        Some(found)
    }

    fn routes(&self, routes: &[GivenRoute]) -> Option<Vec<GivenRoute>> {
        let mut found = Vec::new();
        for &destination in &self.ends {
            let next = self.ways_to(&BTreeSet::from([destination]));
            for &source in self.ends.iter().filter(|&&source| source != destination) {
                if self.pairs.contains(&[source, destination]) {
                    let of_pair = |route: &&GivenRoute| {
                        let hops = &mut route.hops.iter();
                        [route.source, route.destination] == [source, destination]
                            && hops.all(|(hop, _)| self.channels.contains(hop))
                    };
                    let before = found.len();
                    found.extend(routes.iter().filter(of_pair).cloned());
                    if found.len() == before {
                        return None;
                    }
                    continue;
                }
                let (mut at, mut hops) = (source, Vec::new());
                while at != destination {
                    let link = *next.get(&at)?;
                    hops.push((link, 0));
                    at = self.network.channel(link).to;
                }
                found.push(GivenRoute { source, destination, hops });
            }
        }
        Some(found)
    }

    /// The first channel of a shortest way from every router to one of `targets`.
    fn ways_to(&self, targets: &BTreeSet<RouterId>) -> BTreeMap<RouterId, ChannelId> {
        let mut next = BTreeMap::new();
        let mut open: VecDeque<RouterId> = targets.iter().copied().collect();
        while let Some(to) = open.pop_front() {
            for &link in self.network.inputs(to).iter().filter(|it| self.channels.contains(it)) {
                let from = self.network.channel(link).from;
                if !targets.contains(&from) && !next.contains_key(&from) {
                    next.insert(from, link);
                    open.push_back(from);
                }
            }
        }
        next
    }
}
