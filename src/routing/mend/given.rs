//! The given routes: a next hop for each router and destination, or a route for each pair.

use super::Unmended;
use super::acyclic::Edge;
use super::vertex;
use crate::ids::{ChannelId, RouterId};
use crate::routing::rows::{Contents, From, GivenRoute, NextHop, Rows};
use crate::routing::source_routes::{HOPS_MAX, ROUTERS_MAX};
use crate::routing::{Header, Relation, Routing, Stop};
use crate::topology::Network;

/// Routes to be repaired.
pub(super) enum Given {
    Trees(Trees),
    Routes(PairList),
}

/// A next hop for each router and destination, on any virtual channel.
#[derive(Clone, Debug)]
pub(super) struct Trees {
    pub destinations: Vec<RouterId>,
    /// The next hops of all routers, by the place of the destination.
    pub next: Vec<Vec<Option<ChannelId>>>,
}

/// A route for each pair of routers, with the class of virtual channels of each hop.
#[derive(Clone, Debug)]
pub(super) struct PairList {
    pub routes: Vec<GivenRoute>,
    /// The number of classes.
    pub classes: u32,
}

impl Given {
    pub fn of(network: &Network, relation: &Relation) -> Result<Self, Unmended> {
        if let Routing::Table { routes } = relation.routing()
            && let Some(trees) = Trees::of(network, routes)
        {
            return Ok(Self::Trees(trees));
        }
        PairList::of(network, relation).map(Self::Routes)
    }
}

impl Trees {
    /// `None` if next hops depend on anything but the destination, or are a choice.
    fn of(network: &Network, rows: &Rows) -> Option<Self> {
        let Contents::Hops(hops) = rows.contents() else { return None };
        let destinations: Vec<RouterId> = network.host_routers().collect();
        let mut next = vec![vec![None; network.routers()]; destinations.len()];
        for hop in hops {
            let plain =
                hop.class.is_none() && hop.from == From::Anywhere && hop.from_class.is_none();
            let place = destinations.binary_search(&hop.destination).ok().filter(|_| plain)?;
            let entry = &mut next[place][hop.at.index()];
            if entry.replace(hop.next).is_some() {
                return None;
            }
        }
        Some(Self { destinations, next })
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.next.iter().flatten().flatten().count()
    }

    /// The dependencies of the messages to a destination; `None` if one does not arrive.
    pub fn edges(
        network: &Network,
        destination: RouterId,
        next: &[Option<ChannelId>],
    ) -> Option<Vec<Edge>> {
        // Routers with a known way are visited once.
        let mut visited = vec![false; network.routers()];
        let mut edges = Vec::new();
        for source in network.host_routers().filter(|&source| source != destination) {
            let (mut at, mut last): (RouterId, Option<ChannelId>) = (source, None);
            let mut hops = 0;
            while at != destination {
                let link = next[at.index()]?;
                if let Some(last) = last {
                    edges.push((vertex(last, 0, 1), vertex(link, 0, 1)));
                }
                if std::mem::replace(&mut visited[at.index()], true) {
                    // The rest of the way is known; it must not lead back here.
                    let mut rest = at;
                    while rest != destination {
                        rest = network.channel(next[rest.index()]?).to;
                        hops += 1;
                        if hops > network.routers() {
                            return None;
                        }
                    }
                    break;
                }
                (at, last) = (network.channel(link).to, Some(link));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        Some(edges)
    }

    /// The table of next hops, with a class for each destination if there are several.
    pub fn rows(&self, class: impl Fn(usize) -> Option<u8>) -> Rows {
        let mut hops = Vec::new();
        for (place, (&destination, next)) in self.destinations.iter().zip(&self.next).enumerate() {
            for (at, next) in (0..).zip(next) {
                let Some(next) = *next else { continue };
                hops.push(NextHop {
                    at: RouterId(at),
                    destination,
                    next,
                    class: class(place),
                    from: From::Anywhere,
                    from_class: None,
                    line: hops.len() as u32 + 2,
                });
            }
        }
        Rows::new(Contents::Hops(hops))
    }
}

impl PairList {
    fn of(network: &Network, relation: &Relation) -> Result<Self, Unmended> {
        if network.routers() > ROUTERS_MAX {
            return Err(Unmended::TooLarge);
        }
        let mut routes = Vec::new();
        let mut hops = 0;
        for source in network.host_routers() {
            for destination in network.host_routers().filter(|&it| it != source) {
                let known = relation.routes().filter(|it| it.count(source, destination) > 0);
                let first = routes.len();
                match known {
                    Some(known) => {
                        for number in 0..known.count(source, destination) {
                            let route = known.route(source, destination, number);
                            let hops = route.iter().map(|hop| (hop.channel, hop.class)).collect();
                            routes.push(GivenRoute { source, destination, hops });
                        }
                    }
                    None => routes.push(first_route(network, relation, [source, destination])?),
                }
                hops += routes[first..].iter().map(|route| route.hops.len()).sum::<usize>();
                if hops > HOPS_MAX {
                    return Err(Unmended::TooLarge);
                }
            }
        }
        let all = routes.iter().flat_map(|route| &route.hops);
        let classes = all.map(|&(_, class)| u32::from(class) + 1).max().unwrap_or(1);
        Ok(Self { routes, classes })
    }

    /// The dependencies of a route, of some number of classes.
    pub fn edges(hops: &[(ChannelId, u8)], classes: u32) -> Vec<Edge> {
        let at = |(link, class): (ChannelId, u8)| vertex(link, class, classes);
        hops.windows(2).map(|pair| (at(pair[0]), at(pair[1]))).collect()
    }
}

/// The route of the first choices.
fn first_route(
    network: &Network,
    relation: &Relation,
    [source, destination]: [RouterId; 2],
) -> Result<GivenRoute, Unmended> {
    let stranded = Unmended::Stranded { source, destination };
    let header: Header = {
        let host = |router: RouterId| network.hosts_at(router)[0];
        relation.header(host(source), host(destination), 0)
    };
    let (mut stop, mut hops, mut candidates) = (Stop::start(source), Vec::new(), Vec::new());
    while stop.at != destination {
        relation.candidates(stop, &header, &mut candidates);
        let Some(first) = candidates.first().copied() else { return Err(stranded) };
        let vc = first.vcs.trailing_zeros();
        hops.push((first.channel, relation.class_of(vc)));
        let mut ends = relation.stops_after(stop, &header, first);
        let end = ends.find(|(vcs, _)| vcs & (1 << vc) != 0);
        let Some((_, next)) = end.filter(|_| hops.len() <= network.routers()) else {
            return Err(stranded);
        };
        stop = next;
    }
    Ok(GivenRoute { source, destination, hops })
}
