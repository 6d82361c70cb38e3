//! What is constant about a set of routes: links in the order of computation, their flows, who
//! competes for them, and the suffixes that begin with each.
//!
//! | symbol | here | meaning | unit | equation |
//! |---|---|---|---|---|
//! | λ/γ | `Station::flow` | worms over the link per worm of a host | – | 002, 5.1 |
//! | κ | `Station::inputs` | links that directly precede it: input ports that compete for it | – | 002, 5.1 |
//! | 1 − Σ r² | `Station::others` | probability that two of its worms come through different ports | – | – |

use std::collections::BTreeMap;

use super::routes::Routes;
use crate::ids::ChannelId;
use crate::model::order::downstream_first;
use crate::topology::Role;

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Station {
    pub link: ChannelId,
    pub role: Role,
    /// 1 for ejection links, else 1 more than the highest of what can follow.
    pub rank: u32,
    pub flow: f64,
    /// κ; 0 for injection links.
    pub inputs: usize,
    /// Of two worms of this link, the probability that different links led them here.
    pub others: f64,
    /// The suffixes that begin with it.
    pub suffixes: Vec<usize>,
}

/// A link and all that come after it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Suffix {
    pub station: u32,
    /// The suffix from the next link on, earlier in the list; `None` from an ejection link.
    pub next: Option<u32>,
    /// The part of the link's worms that take it.
    pub share: f64,
}

/// Stations in order, with their suffixes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Stations {
    /// What can follow a station comes before it.
    pub in_order: Vec<Station>,
    pub suffixes: Vec<Suffix>,
    /// Links of the longest route.
    pub longest: usize,
}

impl Stations {
    /// Puts the links of `routes` in order; if some wait for each other in a cycle, one of them.
    pub fn new(routes: &Routes) -> Result<Self, ChannelId> {
        let flows = routes.flows();
        let used: Vec<bool> = flows.iter().map(|&flow| flow > 0.0).collect();
        let tree = &routes.suffixes;
        // Worms that come to a link over another, by link and then by the link before.
        let mut meetings: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for suffix in tree {
            if let Some(next) = suffix.next {
                let link = tree[next as usize].link;
                *meetings.entry((link.0, suffix.link.0)).or_default() += suffix.share;
            }
        }
        let follows = || meetings.keys().map(|&(link, before)| (before, link));
        let order = downstream_first(&used, follows).map_err(ChannelId)?;
        let mut of_link = vec![0; flows.len()];
        let mut stations: Vec<Station> = Vec::with_capacity(order.numbers.len());
        for (station, &link) in order.numbers.iter().enumerate() {
            of_link[link as usize] = station as u32;
            let flow = flows[link as usize];
            let before = || meetings.range((link, 0)..=(link, u32::MAX)).map(|(_, share)| share);
            let same: f64 = before().map(|share| (share / flow) * (share / flow)).sum();
            stations.push(Station {
                link: ChannelId(link),
                role: routes.links[link as usize].role,
                rank: order.ranks[link as usize],
                flow,
                inputs: before().count(),
                others: (1.0 - same).max(0.0),
                suffixes: Vec::new(),
            });
        }
        let mut suffixes: Vec<Suffix> = Vec::with_capacity(tree.len());
        let mut lengths: Vec<usize> = Vec::with_capacity(tree.len());
        for (number, suffix) in tree.iter().enumerate() {
            let station = of_link[suffix.link.index()];
            lengths.push(1 + suffix.next.map_or(0, |next| lengths[next as usize]));
            let share = suffix.share / flows[suffix.link.index()];
            suffixes.push(Suffix { station, next: suffix.next, share });
            stations[station as usize].suffixes.push(number);
        }
        let longest = lengths.iter().copied().max().unwrap_or(0);
        Ok(Self { in_order: stations, suffixes, longest })
    }
}
