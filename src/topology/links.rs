//! Links: what joins two neighbours, one channel or both directions together.

use super::cube::Sign;
use super::{Channel, Network, Role};
use crate::ids::{ChannelId, RouterId};

/// The links to which the directed channels between routers belong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Links {
    /// The link of each channel, by channel id.
    pub of: Vec<u32>,
    pub count: usize,
}

impl Links {
    /// Joins both directions between two neighbours to one link if `shared`; else every channel is a link.
    pub fn new(network: &Network, shared: bool) -> Self {
        let mut of: Vec<u32> = Vec::with_capacity(network.links());
        let mut count = 0;
        for channel in 0..network.links() {
            let back = if shared { network.opposite(ChannelId::new(channel)) } else { None };
            let link = back.and_then(|back| of.get(back.index()).copied());
            of.push(link.unwrap_or_else(|| {
                count += 1;
                count - 1
            }));
        }
        Self { of, count: count as usize }
    }

    /// The first channel of each link.
    pub fn first_channels(&self) -> Vec<ChannelId> {
        let mut first = vec![ChannelId(u32::MAX); self.count];
        for (channel, &link) in self.of.iter().enumerate().rev() {
            first[link as usize] = ChannelId::new(channel);
        }
        first
    }
}

impl Network {
    /// The channel that leads back along the same link, where there is one. Of parallel links, the
    /// first leads back along the first.
    pub fn opposite(&self, channel: ChannelId) -> Option<ChannelId> {
        let Channel { from, to, role, .. } = self.channel(channel);
        if role != Role::Link {
            return None;
        }
        if let Some(cube) = self.grid() {
            let (dimension, sign) = cube.direction(channel);
            let back = if sign == Sign::Plus { Sign::Minus } else { Sign::Plus };
            return cube.channel_from(to, dimension, back);
        }
        let between = |from: RouterId, to: RouterId| {
            let leads = move |&&link: &&ChannelId| self.channel(link).to == to;
            self.outputs(from).iter().filter(leads)
        };
        let number = between(from, to).position(|&link| link == channel)?;
        between(to, from).nth(number).copied()
    }
}
