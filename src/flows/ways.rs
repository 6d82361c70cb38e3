//! Ways: the routers and links available to messages for one destination.
//!
//! The routers are sorted topologically along the links, so flows are accumulated in a single
//! forward pass, and distances in a single backward pass.

use super::demand::Demand;
use super::{Sums, TooLarge, VISITS_MAX, groups_by_offset};
use crate::ids::{ChannelId, RouterId};
use crate::routing::source_routes::Choice;
use crate::routing::{Candidate, Header, Stop};
use crate::system::System;

/// Marks a link to the destination.
pub const TO_DESTINATION: u32 = u32::MAX;

/// Messages with the same ways: one destination, and one outcome of the relevant random bits.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// The destination router.
    pub to: RouterId,
    /// The source router, if routes depend on the source.
    pub from: Option<RouterId>,
    /// The random bits of the messages.
    pub route_bits: u64,
    /// The source routers, with their shares.
    pub starts: Vec<(RouterId, f64)>,
}

/// A link available to messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WayLink {
    /// The router at the start of the link.
    pub from: RouterId,
    pub channel: ChannelId,
    /// The allowed VCs.
    pub vcs: u32,
    /// The visit at the end of the link, or [`TO_DESTINATION`].
    pub end: u32,
    /// The number of links among which messages of this visit are divided evenly.
    parts: u32,
}

/// The ways of several groups, in sequence.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ways {
    /// The messages starting at each visit.
    starting: Vec<f64>,
    /// The first link of each visit, and the number of all links at the end.
    first: Vec<u32>,
    links: Vec<WayLink>,
    /// All visits, sorted topologically within each group.
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

    /// The links available to messages at a visit.
    pub fn links(&self, visit: u32) -> &[WayLink] {
        let visit = visit as usize;
        let end = self.first.get(visit + 1).map_or(self.links.len(), |&end| end as usize);
        &self.links[self.first[visit] as usize..end]
    }

    /// The visits in topological order.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The messages starting at a visit.
    pub fn starting(&self, visit: u32) -> f64 {
        self.starting[visit as usize]
    }

    /// True if messages have a choice of channels at some visit.
    pub fn has_choices(&self) -> bool {
        self.links.len() > self.visits()
    }

    /// Passes every link to `each` with its messages, and true for last hops. Each choice is
    /// divided evenly.
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
    /// The visit of each stop in the present group, by number, or `u32::MAX`.
    place: Vec<u32>,
    stops: Vec<Stop>,
    /// The number of the group's links into each visit from unsorted visits.
    before: Vec<u32>,
    candidates: Vec<Candidate>,
    visits: usize,
}

impl<'a> Explorer<'a> {
    /// Creates an explorer for the ways of a system.
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

    /// Resets the count of visits.
    pub fn begin(&mut self) {
        self.visits = 0;
    }

    /// Adds the ways of a group; fails beyond [`VISITS_MAX`] visits in total.
    ///
    /// # Panics
    /// If messages can return to a stop, which no routing algorithm permits.
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
        assert_eq!(found, self.stops.len(), "messages never return to a stop");
        self.forget();
        Ok(())
    }

    fn forget(&mut self) {
        for stop in self.stops.drain(..) {
            self.place[self.system.relation.stop_number(stop)] = u32::MAX;
        }
        self.before.clear();
    }

    /// The visit of a stop in this group, created if necessary.
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

    /// Lists the links offered to a group's messages at a stop: each channel once, or once for each
    /// class of VCs if the continuation depends on the class. Channels share messages evenly, and
    /// so do the continuations of a channel.
    fn offer(&mut self, stop: Stop, group: &Group, ways: &mut Ways) {
        let (at, relation) = (stop.at, &self.system.relation);
        let header = Header::new(group.from.unwrap_or(at), group.to, group.route_bits);
        let mut candidates = std::mem::take(&mut self.candidates);
        if relation.goes_straight() {
            let hop = relation.straight(at, &header);
            candidates.clear();
            candidates.push(Candidate { channel: hop.channel, vcs: hop.vcs });
        } else {
            relation.candidates(stop, &header, &mut candidates);
        }
        // Merge the candidates of each channel.
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
            let stops = relation.stops_after(stop, &header, candidate);
            let parts = channels * stops.clone().count();
            for (vcs, to) in stops {
                let end = if to.at == group.to { TO_DESTINATION } else { self.visit(to, ways) };
                let channel = candidate.channel;
                ways.links.push(WayLink { from: at, channel, vcs, end, parts: parts as u32 });
            }
        }
        self.candidates = candidates;
    }

    /// Sorts the visits from `first` on topologically, and returns the number of sorted visits.
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

/// Source routers with their shares.
type Starts = Vec<(RouterId, f64)>;

/// Passes the groups of a demand to `each`. If routes depend on the source but the channels offered
/// do not, messages from all sources form one group unless routes are fixed.
pub fn for_each_group(
    system: &System,
    demand: &Demand,
    mut each: impl FnMut(Group) -> Result<(), TooLarge>,
) -> Result<(), TooLarge> {
    let (network, relation) = (&system.network, &system.relation);
    let by_pair = relation.reads_source() && !groups_by_offset(relation);
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
        let sent = |router: RouterId| demand.sent_at(network, router);
        for to in (0..routers).map(RouterId::new).filter(|&to| hosts(to) > 0.0) {
            let others = (0..routers).map(RouterId::new).filter(|&from| from != to);
            let mut starts: Vec<(RouterId, f64)> =
                others.map(|from| (from, share * sent(from) * hosts(to))).collect();
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

/// Adds the flows of messages on tabulated routes; the work is proportional to the table.
fn add_routes(system: &System, demand: &Demand, sums: &mut Sums) {
    let Some(routes) = system.relation.routes() else { return };
    let network = &system.network;
    let mut follow = |from: RouterId, to: RouterId, route: u32, share: f64| {
        let route = routes.route(from, to, route);
        for (index, hop) in route.iter().enumerate() {
            let vcs = system.relation.class_vcs(hop.class);
            sums.add(hop.channel, vcs, share, index + 1 == route.len());
        }
    };
    let even = demand.even_each(network.nodes());
    let pairs =
        network.host_routers().flat_map(|to| network.host_routers().map(move |from| (from, to)));
    let mut between = Vec::new();
    for (from, to) in pairs.filter(|(from, to)| demand.even > 0.0 && from != to) {
        let count = routes.count(from, to) as usize;
        let (sent, destinations) = (demand.sent_at(network, from), network.terminals_at(to));
        let each = sent * destinations as f64 / count as f64;
        between.clear();
        between.resize(count, each);
        if routes.choice() != Choice::Drawn && destinations % count > 0 {
            // Consecutive seats use consecutive routes.
            between.fill(sent * (destinations / count) as f64);
            for (seat, &source) in network.hosts_at(from).iter().enumerate() {
                let rate = demand.rates.at(source);
                let first = if routes.choice() == Choice::Hosts { seat } else { 0 };
                (0..destinations % count).for_each(|more| between[(first + more) % count] += rate);
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
            let seats = [*source, destination].map(|node| network.seat(node));
            match routes.settled([from, to], seats) {
                Some(route) => follow(from, to, route, share),
                None => (0..count).for_each(|at| follow(from, to, at, share / f64::from(count))),
            }
        }
    }
}
