//! Chooses between direct routes and detours by the queues at the source.
//!
//! A message chooses once, when its first VC in the network is requested. The queue of a route
//! consists of the flits sent over the VCs of its first hop whose credits have not returned. Queues
//! of whole channels, with the flits of both kinds of routes, would hide the congestion of direct
//! routes (J. Kim, W. J. Dally, S. Scott and D. Abts 2008, *Technology-driven, highly-scalable
//! dragonfly topology*).

use get_size2::GetSize;

use super::engine::WormholeEngine;
use super::records::bits;
use crate::ids::ChannelId;
use crate::routing::{Candidate, Threshold};

/// The choice of a message between a direct route and a detour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, GetSize)]
pub(super) enum Way {
    /// Not made.
    Open,
    Direct,
    Detour,
}

impl Way {
    /// True if a candidate belongs to the way; `direct` contains the VCs of direct routes.
    fn includes(self, candidate: &Candidate, direct: u32) -> bool {
        match self {
            Self::Open => true,
            Self::Direct => candidate.vcs & direct != 0,
            Self::Detour => candidate.vcs & direct == 0,
        }
    }
}

impl WormholeEngine {
    /// Chooses for a message with candidates of both ways, and keeps those of the choice.
    pub(super) fn choose_way(&mut self, worm: u32, candidates: &mut Vec<Candidate>) {
        let Some((Threshold(threshold), direct)) = self.detours else { return };
        let queue = |way: Way| {
            let ways = candidates.iter().filter(|it| way.includes(it, direct));
            ways.map(|it| self.flits_ahead(it.channel, it.vcs)).min()
        };
        let (Some(short), Some(long)) = (queue(Way::Direct), queue(Way::Detour)) else { return };
        let is_direct = short <= 2 * long + threshold;
        let row = &mut self.state.worms[worm as usize];
        // Beyond the source, the VCs of a detour's second part are those of direct routes.
        debug_assert!(row.at == row.header.source.0 && row.way == Way::Open);
        row.way = if is_direct { Way::Direct } else { Way::Detour };
        self.keep_way(worm, candidates);
    }

    /// Keeps the candidates of the way chosen by a message at its source.
    pub(super) fn keep_way(&self, worm: u32, candidates: &mut Vec<Candidate>) {
        let Some((_, direct)) = self.detours else { return };
        let row = self.state.worm(worm);
        let has = |way: Way| candidates.iter().any(|it| way.includes(it, direct));
        if has(Way::Direct) && has(Way::Detour) {
            candidates.retain(|it| row.way.includes(it, direct));
        }
    }

    /// Flits sent over some VCs of a channel without returned credits.
    pub(super) fn flits_ahead(&self, channel: ChannelId, vcs: u32) -> u32 {
        let slots = bits(vcs).map(|v| self.state.slot(channel.index(), v) as usize);
        slots.map(|slot| self.state.buffers[slot].occupied).sum()
    }
}
