//! The rings of a torus: closed walks over channels of one direction.

use super::Network;
use crate::ids::ChannelId;

impl Network {
    /// The ring of each link, named by its first channel; `None` for links of lines, and in networks
    /// without rings.
    pub fn rings(&self) -> Vec<Option<ChannelId>> {
        let mut rings = vec![None; self.links()];
        for first in (0..self.links()).map(ChannelId::new) {
            if rings[first.index()].is_none()
                && let Some(ring) = self.ring_from(first)
            {
                for link in ring {
                    rings[link.index()] = Some(first);
                }
            }
        }
        rings
    }

    /// The links of a ring, from its first.
    fn ring_from(&self, first: ChannelId) -> Option<Vec<ChannelId>> {
        let direction = self.direction(first)?;
        let mut ring = vec![first];
        loop {
            let mut next = self.outputs(self.channel(*ring.last()?).to).iter();
            match next.find(|&&link| self.direction(link) == Some(direction)) {
                Some(&link) if link == first => return Some(ring),
                Some(&link) if ring.len() < self.routers() => ring.push(link),
                Some(_) | None => return None,
            }
        }
    }
}
