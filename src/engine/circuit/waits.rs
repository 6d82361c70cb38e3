//! Who waits for whom. Every message waits for one link and every link has one holder, so the waits
//! form chains, and a ring can only close when a wait begins: a link that changes hands goes to
//! somebody who no longer waits.

use super::state::{NONE, Stage};
use super::{CircuitEngine, cycle_of};
use crate::engine::{Deadlock, Wait, WaitKind};
use crate::ids::{RouterId, VcId, WormId};

impl CircuitEngine {
    /// The holder of the lane that a message wants.
    fn holder(&self, call: u32) -> Option<u32> {
        let wants = self.calls[call as usize].wants;
        let owner = self.lanes.get(wants as usize)?.owner;
        (owner != NONE).then_some(owner)
    }

    /// Whom `call` waits for, directly and through others, nearest first; ends with `call` itself
    /// where the waits form a ring.
    fn chain(&self, call: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = Some(call);
        std::iter::from_fn(move || {
            let holder = self.holder(at?)?;
            let waits = self.calls[holder as usize].stage == Stage::Waiting;
            at = (waits && holder != call).then_some(holder);
            Some(holder)
        })
    }

    /// Whether the wait that `call` is about to begin closes a ring.
    pub(super) fn closes_a_ring(&self, call: u32) -> bool {
        self.chain(call).last() == Some(call)
    }

    /// The run stops at the ring that `call` has closed.
    pub(super) fn stop(&mut self, now: u64, call: u32) {
        let mut ring = vec![call];
        ring.extend(self.chain(call).take_while(|&other| other != call));
        let cycle = ring.iter().map(|&member| self.wait_of(member)).collect();
        // Whoever waits for one of them, directly or not, stands still as well.
        let mut stuck = vec![false; self.calls.len()];
        for &member in &ring {
            stuck[member as usize] = true;
        }
        for (row, message) in self.calls.iter().enumerate() {
            if message.stage == Stage::Waiting && !stuck[row] {
                stuck[row] = self.chain(row as u32).any(|holder| ring.contains(&holder));
            }
        }
        let rows = stuck.iter().enumerate().filter(|&(_, &stuck)| stuck);
        self.now = cycle_of(now) + 1;
        self.deadlock = Some(Deadlock {
            found: self.now,
            formed: cycle_of(now),
            cycle,
            worms: rows.map(|(row, _)| WormId(row as u32)).collect(),
            knot: false,
        });
    }

    /// The wait of a message that stands in a link's queue.
    pub(super) fn wait_of(&self, call: u32) -> Wait {
        let message = &self.calls[call as usize];
        Wait {
            kind: WaitKind::Vc,
            worm: WormId(call),
            at: RouterId(message.at),
            wants: self.public(message.wants, message.wants_as),
            holder: self.holder(call).map(WormId),
        }
    }

    /// The lane of a channel as the VC that outsiders know.
    pub(super) fn public(&self, lane: u32, channel: u32) -> VcId {
        let lanes = self.machine.lanes();
        VcId(channel * lanes + lane % lanes)
    }
}
