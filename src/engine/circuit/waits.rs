//! Who waits for whom. Every message waits for one link and every link has one holder, so the waits
//! form chains, and a ring can only close when a wait begins: a link that changes hands goes to
//! somebody who no longer waits. A message that waits for a closed link that nobody holds waits for
//! nobody: the link may be opened, so neither it nor those that wait for it are in a deadlock.

use super::engine::CircuitEngine;
use super::observe::shown;
use crate::engine::common::Simulator;
use crate::engine::deadlock::{Wait, WaitKind};
use crate::engine::view::CircuitState;
use crate::ids::{RouterId, VcId, WormId};

impl CircuitEngine {
    /// The holder of the lane that a message wants.
    fn holder(&self, call: u32) -> Option<u32> {
        let wants = self.calls[call as usize].wants;
        let lane = self.lanes.get(wants as usize)?;
        lane.is_held().then_some(lane.owner)
    }

    /// Whom `call` waits for, directly and through others, nearest first; ends with `call` itself
    /// where the waits form a ring.
    fn chain(&self, call: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = Some(call);
        std::iter::from_fn(move || {
            let holder = self.holder(at?)?;
            let waits = self.calls[holder as usize].state == CircuitState::Waiting;
            at = (waits && holder != call).then_some(holder);
            Some(holder)
        })
    }

    /// True if the wait that `call` is about to begin closes a ring.
    pub(super) fn closes_a_ring(&self, call: u32) -> bool {
        self.chain(call).last() == Some(call)
    }

    /// The run stops at the ring that has just closed.
    pub(super) fn stop(&mut self, now: u64) {
        self.now = shown(now);
        self.calendar.stop_at(0);
        self.common.deadlock = self.find_deadlock();
        debug_assert!(self.common.deadlock.is_some(), "a wait has closed a ring");
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
