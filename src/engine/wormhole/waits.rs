//! The wait-for graph: who waits for whom, and the worms that wait for ever.
//!
//! A VC is granted to one worm and its buffer holds no other, so a worm waits only with its head,
//! and only for the worms that hold the VCs it may take: it goes on as soon as *one* of them lets
//! go. The worms that can never go on are therefore found by elimination: a worm whose head is not
//! waiting can move; one that wants a VC which is free, or held by a worm that can move, can move
//! too; what remains is deadlocked. (A worm that is not waiting drains or advances by itself: its
//! flits compete for channels only, and every channel serves its VCs in turn.)

use super::WormholeEngine;
use super::state::NONE;
use crate::engine::{Deadlock, Wait};
use crate::ids::{ChannelId, RouterId, VcId, WormId};
use crate::units::Cycle;

impl WormholeEngine {
    /// Every VC wanted by a head that waits in the network, router by router, with who holds it.
    pub(super) fn for_each_wait(&self, mut each: impl FnMut(Wait)) {
        let mut candidates = Vec::with_capacity(32);
        for (router, &first) in self.state.waiting.iter().enumerate() {
            let mut worm = first;
            while worm != NONE {
                let row = &self.state.worms[worm as usize];
                if row.head != NONE && row.asks_since < self.now {
                    let at = RouterId::new(router);
                    self.relation.candidates(at, &row.header, &mut candidates);
                    for candidate in &candidates {
                        let mut vcs = candidate.vcs;
                        while vcs != 0 {
                            let v = vcs.trailing_zeros();
                            vcs &= vcs - 1;
                            each(Wait {
                                worm: WormId(worm),
                                at,
                                wants: self.public_vc(candidate.channel, v),
                                holder: self.holder(candidate.channel, v).map(WormId),
                            });
                        }
                    }
                }
                worm = row.waits_next;
            }
        }
    }

    /// The name of a VC outside the engine.
    pub(super) fn public_vc(&self, channel: ChannelId, v: u32) -> VcId {
        VcId(channel.0 * self.state.virtual_channels + v)
    }

    /// The worm that holds a VC.
    pub(super) fn holder(&self, channel: ChannelId, v: u32) -> Option<u32> {
        let state = &self.state;
        if state.channels[channel.index()].free >> v & 1 == 1 {
            return None;
        }
        Some(state.holds[(channel.index() << state.shift) + v as usize].worm)
    }

    /// Looks for worms that can never move again.
    pub(super) fn find_deadlock(&self) -> Option<Deadlock> {
        let mut waits = Vec::new();
        self.for_each_wait(|wait| waits.push(wait));
        let dead = self.never_moving(&waits);
        let first = waits.iter().find(|wait| dead[wait.worm.index()])?;

        // Each dead worm waits only for dead worms: following any one of them must close a cycle.
        let next = |worm: WormId| {
            waits.iter().find(|wait| wait.worm == worm).expect("a dead worm waits for something")
        };
        let mut path: Vec<Wait> = vec![*first];
        let cycle = loop {
            let holder = path[path.len() - 1].holder.expect("what a dead worm wants is held");
            if let Some(start) = path.iter().position(|wait| wait.worm == holder) {
                break path.split_off(start);
            }
            path.push(*next(holder));
        };
        let mut worms: Vec<WormId> =
            waits.iter().map(|wait| wait.worm).filter(|worm| dead[worm.index()]).collect();
        worms.dedup();
        worms.sort_by_key(|worm| self.state.worms[worm.index()].age());
        let formed = worms.iter().map(|worm| self.state.worms[worm.index()].asks_since).max();
        let knot =
            waits.windows(2).any(|pair| pair[0].worm == pair[1].worm && dead[pair[0].worm.index()]);
        Some(Deadlock {
            found: Cycle(self.now),
            formed: Cycle(formed.unwrap_or(self.now)),
            cycle,
            worms,
            knot,
        })
    }

    /// For each worm row, whether it waits and can never go on.
    fn never_moving(&self, waits: &[Wait]) -> Vec<bool> {
        let mut dead = vec![false; self.state.worms.len()];
        for wait in waits {
            dead[wait.worm.index()] = true;
        }
        loop {
            let mut changed = false;
            for wait in waits {
                let hope = wait.holder.is_none_or(|holder| !dead[holder.index()]);
                if hope && dead[wait.worm.index()] {
                    dead[wait.worm.index()] = false;
                    changed = true;
                }
            }
            if !changed {
                return dead;
            }
        }
    }
}
