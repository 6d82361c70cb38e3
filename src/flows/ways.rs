//! Ways: the routers and links that messages to one destination may come through.
//!
//! The routers are put into an order in which every link leads onward, so that one pass adds up flows,
//! and one pass back finds distances.

use super::demand::Demand;
use super::{Sums, TooLarge, VISITS_MAX};
use crate::ids::{ChannelId, RouterId};
use crate::routing::{Candidate, Header, Stop};
use crate::system::System;

/// The end of a link that leads to the destination.
pub const TO_DESTINATION: u32 = u32::MAX;

/// Messages that share their ways: one destination, and one outcome of the random bits that count.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// The router that they go to.
    pub to: RouterId,
    /// The router where they start, where routes depend on that.
    pub from: Option<RouterId>,
    /// Their random bits.
    pub route_bits: u64,
    /// The routers where they start, with their share.
    pub starts: Vec<(RouterId, f64)>,
}

/// One link that messages may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WayLink {
    /// The router that it leaves.
    pub from: RouterId,
    pub channel: ChannelId,
    /// The VCs that may be taken.
    pub vcs: u32,
    /// The visit at its end, or [`TO_DESTINATION`].
    pub end: u32,
    /// The links among which its visit's messages are divided evenly.
    parts: u32,
}

/// The ways of some groups, one group behind the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ways {
    /// Messages that start at each visit.
    starting: Vec<f64>,
    /// First link of each visit, and the number of all links at the end.
    first: Vec<u32>,
    links: Vec<WayLink>,
    /// All visits, those of a group in an order in which every link leads onward.
    order: Vec<u32>,
}

impl Ways {
    pub fn clear(&mut self) {
        let Self { starting, first, links, order } = self;
        starting.clear();
        first.clear();
        links.clear();
        order.clear();
    }

    /// The number of visits.
    pub fn visits(&self) -> usize {
        self.starting.len()
    }

    /// The links that messages may take from a visit.
    pub fn links(&self, visit: u32) -> &[WayLink] {
        let visit = visit as usize;
        let end = self.first.get(visit + 1).map_or(self.links.len(), |&end| end as usize);
        &self.links[self.first[visit] as usize..end]
    }

    /// The visits, every one before those that its links lead to.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The messages that start at a visit.
    pub fn starting(&self, visit: u32) -> f64 {
        self.starting[visit as usize]
    }

    /// True if messages have a choice of channels at some visit.
    pub fn has_choices(&self) -> bool {
        self.links.len() > self.visits()
    }

    /// Hands every link with the messages over it to `each`, and whether it is their last, where each
    /// choice is made evenly.
    pub fn spread(&self, mut each: impl FnMut(&WayLink, f64, bool)) {
        let mut messages = self.starting.clone();
        for &visit in &self.order {
            let links = self.links(visit);
            for link in links {
                let share = messages[visit as usize] / f64::from(link.parts);
                each(link, share, link.end == TO_DESTINATION);
                if link.end != TO_DESTINATION {
                    messages[link.end as usize] += share;
                }
            }
        }
    }
}

/// Explores the ways of groups on a network.
#[derive(Debug)]
pub struct Explorer<'a> {
    system: &'a System,
    /// Visit of each stop, by its number, in the present group, or `u32::MAX`.
    place: Vec<u32>,
    stops: Vec<Stop>,
    /// Links of the group from which a visit is yet to be ordered, by visit.
    before: Vec<u32>,
    candidates: Vec<Candidate>,
    visits: usize,
}

impl<'a> Explorer<'a> {
    /// An explorer of the ways of a system.
    pub fn new(system: &'a System) -> Self {
        Self {
            system,
            place: vec![u32::MAX; system.relation.stops()],
            stops: Vec::new(),
            before: Vec::new(),
            candidates: Vec::new(),
            visits: 0,
        }
    }

    /// Counts visits from 0 again.
    pub fn begin(&mut self) {
        self.visits = 0;
    }

    /// Adds the ways of a group; refused beyond [`VISITS_MAX`] visits in all.
    ///
    /// # Panics
    /// If messages can come back to a stop, which no rule allows.
    pub fn explore(&mut self, group: &Group, ways: &mut Ways) -> Result<(), TooLarge> {
        let first_visit = ways.visits();
        for &(router, share) in &group.starts {
            if router != group.to {
                let visit = self.visit(Stop::start(router), ways);
                ways.starting[visit as usize] += share;
            }
        }
        let mut next = 0;
        while let Some(&at) = self.stops.get(next) {
            next += 1;
            self.visits += 1;
            if self.visits > VISITS_MAX {
                self.forget();
                return Err(TooLarge);
            }
            ways.first.push(ways.links.len() as u32);
            self.offer(at, group, ways);
        }
        let found = self.put_in_order(first_visit, ways);
        assert_eq!(found, self.stops.len(), "messages never come back to a stop");
        self.forget();
        Ok(())
    }

    fn forget(&mut self) {
        for stop in self.stops.drain(..) {
            self.place[self.system.relation.stop_number(stop)] = u32::MAX;
        }
        self.before.clear();
    }

    /// The visit of a stop in this group.
    fn visit(&mut self, stop: Stop, ways: &mut Ways) -> u32 {
        let place = &mut self.place[self.system.relation.stop_number(stop)];
        if *place == u32::MAX {
            *place = ways.starting.len() as u32;
            ways.starting.push(0.0);
            self.stops.push(stop);
            self.before.push(0);
        }
        *place
    }

    /// Lists the links that messages of a group are offered at a stop, each channel once; or once for
    /// each VC, where what follows depends on that.
    fn offer(&mut self, stop: Stop, group: &Group, ways: &mut Ways) {
        let (at, relation) = (stop.at, &self.system.relation);
        let header = Header {
            source: group.from.unwrap_or(at),
            destination: group.to,
            route_bits: group.route_bits,
        };
        let mut candidates = std::mem::take(&mut self.candidates);
        if relation.goes_straight() {
            let hop = relation.straight(at, &header);
            candidates.clear();
            candidates.push(Candidate { channel: hop.channel, vcs: hop.vcs });
        } else {
            relation.candidates(stop, &header, &mut candidates);
        }
        // Each channel once.
        let mut channels = 0;
        for next in 0..candidates.len() {
            let Candidate { channel, vcs } = candidates[next];
            let known = candidates[..channels].iter_mut().find(|it| it.channel == channel);
            if let Some(known) = known {
                known.vcs |= vcs;
            } else {
                candidates[channels] = candidates[next];
                channels += 1;
            }
        }
        for &candidate in &candidates[..channels] {
            let stops = relation.stops_after(candidate);
            let parts = channels * stops.clone().count();
            for (vcs, to) in stops {
                let end = if to.at == group.to { TO_DESTINATION } else { self.visit(to, ways) };
                let channel = candidate.channel;
                ways.links.push(WayLink { from: at, channel, vcs, end, parts: parts as u32 });
            }
        }
        self.candidates = candidates;
    }

    /// Orders the visits from `first` on, and answers how many of them there are.
    fn put_in_order(&mut self, first: usize, ways: &mut Ways) -> usize {
        let begin = ways.order.len();
        let links = ways.first.get(first).map_or(ways.links.len(), |&link| link as usize);
        for link in &ways.links[links..] {
            if link.end != TO_DESTINATION {
                self.before[link.end as usize - first] += 1;
            }
        }
        let open = (0..self.stops.len()).filter(|&visit| self.before[visit] == 0);
        ways.order.extend(open.map(|visit| (first + visit) as u32));
        let mut at = begin;
        while let Some(&visit) = ways.order.get(at) {
            at += 1;
            let range = {
                let from = ways.first[visit as usize] as usize;
                let end = ways
                    .first
                    .get(visit as usize + 1)
                    .map_or(ways.links.len(), |&end| end as usize);
                from..end
            };
            for link in range {
                let end = ways.links[link].end;
                if end != TO_DESTINATION {
                    let before = &mut self.before[end as usize - first];
                    *before -= 1;
                    if *before == 0 {
                        ways.order.push(end);
                    }
                }
            }
        }
        ways.order.len() - begin
    }
}

/// Adds the flows of a demand destination by destination.
pub(super) fn add(system: &System, demand: &Demand, sums: &mut Sums) -> Result<(), TooLarge> {
    if system.relation.routes().is_some() {
        add_routes(system, demand, sums);
        return Ok(());
    }
    let mut explorer = Explorer::new(system);
    let mut ways = Ways::default();
    for_each_group(system, demand, |group| {
        ways.clear();
        explorer.explore(&group, &mut ways)?;
        sums.chosen |= ways.has_choices();
        ways.spread(|link, share, last| sums.add(link.channel, link.vcs, share, last));
        Ok(())
    })
}

/// Routers where messages start, with their share.
type Starts = Vec<(RouterId, f64)>;

/// Hands the groups of a demand to `each`. Where routes depend on where messages started, but the
/// channels offered do not, messages from all sources make one group unless routes are fixed.
pub fn for_each_group(
    system: &System,
    demand: &Demand,
    mut each: impl FnMut(Group) -> Result<(), TooLarge>,
) -> Result<(), TooLarge> {
    let (network, relation) = (&system.network, &system.relation);
    let offset_only = relation.goes_by_offset() && !relation.goes_straight();
    let by_pair = relation.reads_source() && !offset_only;
    let routers = network.routers();
    if demand.even > 0.0 && routers * routers > VISITS_MAX {
        return Err(TooLarge);
    }
    let mut hand_out = |to: RouterId, starts: Vec<(RouterId, f64)>| {
        let all: Vec<(Option<RouterId>, Starts)> = if by_pair {
            starts.into_iter().map(|start| (Some(start.0), vec![start])).collect()
        } else {
            vec![(None, starts)]
        };
        for (from, starts) in all {
            let outcomes: Vec<u64> = relation.outcomes(from, to).collect();
            let weight = 1.0 / outcomes.len() as f64;
            for route_bits in outcomes {
                let starts = starts.iter().map(|&(at, share)| (at, share * weight)).collect();
                each(Group { to, from, route_bits, starts })?;
            }
        }
        Ok(())
    };
    let uneven = demand.between_routers(system);
    let mut uneven = uneven.chunk_by(|one, other| one.0 == other.0).peekable();
    if demand.even > 0.0 {
        let share = demand.even_each(network.nodes());
        let hosts = |router: RouterId| network.terminals_at(router) as f64;
        for to in (0..routers).map(RouterId::new).filter(|&to| hosts(to) > 0.0) {
            let others = (0..routers).map(RouterId::new).filter(|&from| from != to);
            let mut starts: Vec<(RouterId, f64)> =
                others.map(|from| (from, share * hosts(from) * hosts(to))).collect();
            if let Some(more) = uneven.next_if(|chunk| chunk[0].0 == to) {
                starts.extend(more.iter().map(|&(_, from, share)| (from, share)));
            }
            starts.retain(|&(_, share)| share > 0.0);
            hand_out(to, merged(starts))?;
        }
    }
    for chunk in uneven {
        let starts = chunk.iter().map(|&(_, from, share)| (from, share)).collect();
        hand_out(chunk[0].0, merged(starts))?;
    }
    Ok(())
}

fn merged(mut starts: Vec<(RouterId, f64)>) -> Vec<(RouterId, f64)> {
    starts.sort_by_key(|&(from, _)| from);
    starts.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 += later.1;
        }
        same
    });
    starts
}

/// Adds the flows of messages that follow routes from a table, which is as long as the work is.
fn add_routes(system: &System, demand: &Demand, sums: &mut Sums) {
    let (network, relation) = (&system.network, &system.relation);
    let Some(routes) = relation.routes() else { return };
    let flows = &mut sums.class(relation.route_vcs()).channels;
    let mut follow = |from: RouterId, to: RouterId, route: u32, share: f64| {
        if let Some((end, before)) = routes.route(from, to, route).split_last() {
            flows[end.channel.index()].last += share;
            for hop in before {
                flows[hop.channel.index()].through += share;
            }
        }
    };
    let even = demand.even_each(network.nodes());
    let all = || (0..network.routers()).map(RouterId::new);
    let pairs = all().flat_map(|to| all().map(move |from| (from, to)));
    let mut between = Vec::new();
    for (from, to) in pairs.filter(|(from, to)| demand.even > 0.0 && from != to) {
        let count = routes.count(from, to) as usize;
        let (sources, destinations) = (network.terminals_at(from), network.terminals_at(to));
        let each = (sources * destinations) as f64 / count as f64;
        between.clear();
        between.resize(count, each);
        if routes.settled_by_hosts() && destinations % count > 0 {
            // Seats that follow each other name one route after the other.
            between.fill((sources * (destinations / count)) as f64);
            for seat in 0..sources {
                (0..destinations % count).for_each(|more| between[(seat + more) % count] += 1.0);
            }
        }
        for (route, &pairs) in (0..).zip(&between).filter(|it| *it.1 > 0.0) {
            follow(from, to, route, even * pairs);
        }
    }
    for (source, shares) in &demand.uneven {
        for &(destination, share) in shares {
            let (from, to) = (network.router_of(*source), network.router_of(destination));
            if from == to {
                continue;
            }
            let count = routes.count(from, to);
            if routes.settled_by_hosts() {
                let seats = network.seat(*source) + network.seat(destination);
                follow(from, to, seats % count, share);
            } else {
                (0..count).for_each(|route| follow(from, to, route, share / f64::from(count)));
            }
        }
    }
}
