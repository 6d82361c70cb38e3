//! Dimension order on `HyperX` networks, whose routers are fully joined along every dimension: one hop
//! for each coordinate that differs.
//!
//! A message uses the dimensions in order and none of them twice, so no cycle of dependencies can
//! close with a single class. Of parallel links, each message uses those of a number that it draws.

use crate::ids::ChannelId;
use crate::routing::algorithm::prelude::*;
use crate::routing::order::Order;

/// The first of the random bits that select one of several parallel links.
const FIRST_BIT: u32 = 32;

/// The links along the dimensions of a network.
#[derive(Debug)]
pub(super) struct Joined {
    order: Vec<usize>,
    /// The sum of the sizes of all dimensions, and of those before each.
    row: usize,
    before: Vec<usize>,
    /// The links from router `r` to coordinate `x` in dimension `d` are those from
    /// `starts[r × row + before[d] + x]` to the next start.
    starts: Vec<u32>,
    links: Vec<ChannelId>,
    /// The number of random bits that select a link.
    bits: u32,
}

impl Joined {
    /// The links, if all routers are joined along every dimension.
    pub fn of(network: &Network, order: Order) -> Option<Self> {
        let labels = network.labels()?;
        let sizes: Vec<usize> = labels.levels().iter().map(|level| level.size as usize).collect();
        if sizes.iter().product::<usize>() != network.routers() {
            return None;
        }
        let before = |dimension: usize| sizes[..dimension].iter().sum::<usize>();
        let row = before(sizes.len());
        let mut ends: Vec<(usize, ChannelId)> = Vec::with_capacity(network.links());
        let mut missing = network.routers() * (row - sizes.len());
        for at in (0..network.routers()).map(RouterId::new) {
            for &link in network.outputs(at) {
                let (from, to) = (labels.of(at), labels.of(network.channel(link).to));
                let mut apart =
                    (0..sizes.len()).filter(|&dimension| from[dimension] != to[dimension]);
                if let (Some(dimension), None) = (apart.next(), apart.next()) {
                    let place = before(dimension) + usize::from(to[dimension]);
                    ends.push((at.index() * row + place, link));
                }
            }
        }
        ends.sort_unstable();
        let mut starts = vec![0; network.routers() * row + 1];
        for (end, _) in &ends {
            missing -= usize::from(starts[end + 1] == 0);
            starts[end + 1] += 1;
        }
        if missing > 0 {
            return None;
        }
        let bits = starts.iter().map(|&count| bits_for(count)).max().unwrap_or_default();
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let given = order.dimensions().iter().map(|&dimension| usize::from(dimension));
        let ascending = order.is_ascending().then_some(0..sizes.len()).into_iter().flatten();
        Some(Self {
            order: given.chain(ascending).collect(),
            row,
            before: (0..sizes.len()).map(before).collect(),
            starts,
            links: ends.into_iter().map(|(_, link)| link).collect(),
            bits,
        })
    }

    /// The number of dimensions.
    pub fn dimensions(&self) -> usize {
        self.before.len()
    }
}

/// The random bits for a choice among links: two more than needed if no number of bits gives all links
/// the same share.
fn bits_for(links: u32) -> u32 {
    let least = links.next_power_of_two().trailing_zeros();
    if links == 0 || links.is_power_of_two() { least } else { least + 2 }
}

impl Algorithm for Joined {
    const NAME: &'static str = "e-cube";
    const HELP: &'static str = "One hop for each coordinate that differs, in order.";
    const READS_SOURCE: bool = false;

    fn serves(&self, _: &Network) -> Result<Needs, Misfit> {
        Ok(Needs::ONE)
    }

    fn bits_read(&self, _: &Prepared, _: Option<RouterId>, _: RouterId) -> u64 {
        ((1 << self.bits) - 1) << FIRST_BIT
    }

    fn candidates(&self, step: Step<'_>) {
        let Some(labels) = step.network().labels() else { return };
        let (here, there) = (labels.of(step.at), labels.of(step.header.destination));
        let mut dimensions = self.order.iter().copied();
        let Some(dimension) = dimensions.find(|&it| here[it] != there[it]) else { return };
        let place =
            step.at.index() * self.row + self.before[dimension] + usize::from(there[dimension]);
        let links = &self.links[self.starts[place] as usize..self.starts[place + 1] as usize];
        let drawn = step.header.route_bits >> FIRST_BIT & ((1 << self.bits) - 1);
        let link = (drawn * links.len() as u64) >> self.bits;
        step.found.push(Candidate { channel: links[link as usize], vcs: step.on.class_vcs[0] });
    }
}
