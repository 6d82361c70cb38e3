//! Rows of routes from router to router. Where links lie side by side, a row without their numbers
//! stands for several routes.

use std::collections::BTreeMap;

use super::cells::Cell;
use super::mistake::Span;
use super::resolver::Resolver;
use super::values::VCS;
use crate::ids::{ChannelId, RouterId};
use crate::routing::rows::GivenRoute;

/// The most routes of a pair of routers that the rows may stand for because of links side by side.
const WAYS_MAX: u64 = 1024;

/// A row: the links of each hop, any of which may be used, and the class of VCs.
pub(super) struct Course {
    source: RouterId,
    destination: RouterId,
    hops: Vec<(Vec<ChannelId>, u8)>,
    at: Span,
}

impl Course {
    /// The number of routes, saturated.
    fn ways(&self) -> u64 {
        self.hops.iter().fold(1, |ways, (links, _)| ways.saturating_mul(links.len() as u64))
    }

    /// One of the routes, by its number.
    fn route(&self, mut number: u64) -> GivenRoute {
        let hop = |(links, class): &(Vec<ChannelId>, u8)| {
            let count = links.len() as u64;
            let link = links[(number % count) as usize];
            number /= count;
            (link, *class)
        };
        let hops = self.hops.iter().map(hop).collect();
        GivenRoute { source: self.source, destination: self.destination, hops }
    }
}

impl Resolver<'_, '_, '_> {
    /// Reads the values of a row: source, destination, route and VCs.
    pub fn course(&mut self, values: [Option<Cell<'_>>; 6]) -> Option<Course> {
        let [source, to, route, vcs, ..] = values;
        let (source, to) = (source?, to?);
        let (from, destination) = (self.router(&source)?, self.router(&to)?);
        let route = route?;
        let parts = parts(&route.value);
        let mut routers = Vec::with_capacity(parts.len());
        let mut hops = Vec::with_capacity(parts.len());
        for part in parts {
            let Some(&at) = routers.last() else {
                routers.push(self.named(part, &route.at)?);
                continue;
            };
            let links = self.links_to(at, part, &route.at);
            let next = self.network.channel(*links.first()?).to;
            if routers.contains(&next) {
                let name = self.network.router_name(next);
                let what = format!("this route visits {name} twice");
                self.report.add(&route.at, what, "leave out the loop");
                return None;
            }
            routers.push(next);
            hops.push((links, 0));
        }
        if (routers.first(), routers.last()) != (Some(&from), Some(&destination))
            || from == destination
        {
            let what = "this route does not lead from its source to its destination";
            self.report.add(&route.at, what, "write all routers, such as `leaf0>spine0>leaf1`");
            return None;
        }
        if let Some(vcs) = vcs {
            let parts = self::parts(&vcs.value);
            if parts.len() != hops.len() {
                let what = format!("{} VCs are given for {} links", parts.len(), hops.len());
                self.report.add(&vcs.at, what, "write one for each link");
                return None;
            }
            for (part, (_, class)) in parts.iter().zip(&mut hops) {
                *class = self.report.whole("a VC", part, &vcs.at, VCS)? as u8;
            }
        }
        Some(Course { source: from, destination, hops, at: route.at })
    }

    /// The routes of all rows. Every row of a pair of routers has the same number of routes, so that
    /// all are drawn with equal probability.
    pub fn routes_of(&mut self, rows: &[Course]) -> Vec<GivenRoute> {
        let mut ways: BTreeMap<(RouterId, RouterId), u64> = BTreeMap::new();
        for row in rows {
            let (all, own) = (ways.entry((row.source, row.destination)).or_insert(1), row.ways());
            *all = (*all / common_divisor(*all, own)).saturating_mul(own);
            if *all > WAYS_MAX {
                let what = "the links side by side make too many routes of this pair of routers";
                self.report.add(&row.at, what, "name the links, such as `leaf0>spine0/2>leaf1`");
                return Vec::new();
            }
        }
        let each = |row: &Course| {
            let (all, own) = (ways[&(row.source, row.destination)], row.ways());
            (0..all).map(|number| row.route(number % own)).collect::<Vec<_>>()
        };
        rows.iter().flat_map(each).collect()
    }
}

/// The greatest common divisor of two numbers above 0.
fn common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { common_divisor(other, one % other) }
}

/// The routers of a route, separated by `>` or by spaces.
fn parts(route: &str) -> Vec<&str> {
    if route.contains('>') {
        route.split('>').map(str::trim).collect()
    } else {
        route.split_whitespace().collect()
    }
}
