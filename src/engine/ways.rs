//! Chooses between direct routes and detours by the queues at the source.
//!
//! A message chooses once, when its first VC in the network is requested. The queue of a route
//! consists of the flits sent over the VCs of its first hop whose credits have not returned. Queues
//! of whole channels, with the flits of both kinds of routes, would hide the congestion of direct
//! routes (J. Kim, W. J. Dally, S. Scott and D. Abts 2008, *Technology-driven, highly-scalable
//! dragonfly topology*).

use get_size2::GetSize;

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
    fn includes(self, candidate: Candidate, direct: u32) -> bool {
        match self {
            Self::Open => true,
            Self::Direct => candidate.vcs & direct != 0,
            Self::Detour => candidate.vcs & direct == 0,
        }
    }

    /// The choice by the queues of the candidates, in flits. `None` without candidates of both ways.
    pub fn chosen(
        (Threshold(threshold), direct): (Threshold, u32),
        candidates: &[Candidate],
        queue: impl Fn(&Candidate) -> u32,
    ) -> Option<Self> {
        let shortest = |way: Self| {
            let ways = candidates.iter().filter(|it| way.includes(**it, direct));
            ways.map(&queue).min()
        };
        let (short, long) = (shortest(Self::Direct)?, shortest(Self::Detour)?);
        Some(if short <= 2 * long + threshold { Self::Direct } else { Self::Detour })
    }

    /// Keeps the candidates of the way chosen by a message, if there are candidates of both.
    pub fn keep(self, direct: u32, candidates: &mut Vec<Candidate>) {
        let has = |way: Self| candidates.iter().any(|it| way.includes(*it, direct));
        if has(Self::Direct) && has(Self::Detour) {
            candidates.retain(|it| self.includes(*it, direct));
        }
    }
}
