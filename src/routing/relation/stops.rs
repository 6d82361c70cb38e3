//! The stops of heads, as distinguished by a relation.

use super::Relation;
use crate::ids::ChannelId;
use crate::routing::head::{Arrival, Candidate, Header, Stop};

impl Relation {
    /// True if the candidates depend on the VC by which a head arrived.
    #[inline]
    pub fn reads_arrival(&self) -> bool {
        self.reads_arrival
    }

    /// True if heads carry a count of hops that the rule limits.
    #[inline]
    pub fn counts(&self) -> bool {
        self.count_max > 0
    }

    /// The count of a head after a hop over a link offered at a stop.
    pub fn count_after(&self, stop: Stop, header: &Header, link: ChannelId) -> u8 {
        if self.counts() { self.rule.count_after(&self.on, stop, header, link) } else { 0 }
    }

    /// The stop of a head that arrives with this count over VC `vc` of a link. Rules read the class of
    /// the arrival only, so all VCs of a class lead to the stop of the lowest.
    #[inline]
    pub fn stop_with(&self, count: u8, link: ChannelId, vc: u32) -> Stop {
        let at = self.on.network.channel(link).to;
        let came = || Arrival::by(link, self.alike(vc).trailing_zeros());
        Stop { at, came: self.reads_arrival.then(came), count }
    }

    /// The stop after a hop over VC `vc` of a link offered at a stop.
    pub fn stop_after(&self, stop: Stop, header: &Header, link: ChannelId, vc: u32) -> Stop {
        self.stop_with(self.count_after(stop, header, link), link, vc)
    }

    /// The VCs of the class of a VC; the VC alone if it belongs to no class.
    #[inline]
    fn alike(&self, vc: u32) -> u32 {
        let classes = &self.on.class_vcs[..self.classes];
        classes.iter().copied().find(|vcs| vcs >> vc & 1 == 1).unwrap_or(1 << vc)
    }

    /// The stops at the end of a candidate at a stop, each with the VCs to this stop: a single stop for
    /// all VCs unless the rule depends on the arrival.
    pub fn stops_after(
        &self,
        stop: Stop,
        header: &Header,
        Candidate { channel, vcs }: Candidate,
    ) -> impl Iterator<Item = (u32, Stop)> + Clone + use<'_> {
        let mut left = vcs;
        let count = self.count_after(stop, header, channel);
        std::iter::from_fn(move || {
            let vc = (left != 0).then(|| left.trailing_zeros())?;
            let together = if self.reads_arrival { left & self.alike(vc) } else { left };
            left &= !together;
            Some((together, self.stop_with(count, channel, vc)))
        })
    }

    /// The number of stops.
    pub fn stops(&self) -> usize {
        let network = &self.on.network;
        let arrivals = if self.reads_arrival { network.links() } else { 0 };
        network.routers() + arrivals * self.virtual_channels as usize * self.counts_possible()
    }

    /// The number of different counts that heads carry.
    fn counts_possible(&self) -> usize {
        usize::from(self.count_max) + 1
    }

    /// The number of a stop, below [`Self::stops`].
    pub fn stop_number(&self, stop: Stop) -> usize {
        let arrived = |came: Arrival| {
            let vc = came.channel().index() * self.virtual_channels as usize + came.vc() as usize;
            self.on.network.routers() + vc * self.counts_possible() + usize::from(stop.count)
        };
        stop.came.map_or(stop.at.index(), arrived)
    }
}
