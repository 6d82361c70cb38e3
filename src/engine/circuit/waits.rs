//! Follows the waits between messages, and detects deadlocks.
//!
//! Every message waits for a single link, and every link has a single holder, so waits form chains.
//! A cycle can only close when a wait begins: a released link passes to a message that no longer
//! waits. A message that waits for a closed link without a holder is not deadlocked, because the
//! link may be opened; neither are the messages behind it.

use super::engine::CircuitEngine;
use super::failures;
use super::observe::shown;
use crate::engine::deadlock::{Wait, WaitKind};
use crate::engine::simulator::Simulator;
use crate::engine::view::CircuitState;
use crate::ids::{RouterId, VcId, WormId};

impl CircuitEngine {
    /// The holder of the lane requested by a message.
    fn holder(&self, call: u32) -> Option<u32> {
        let wants = self.calls[call as usize].wants;
        let lane = self.lanes.get(wants as usize)?;
        lane.is_held().then_some(lane.owner)
    }

    /// The messages for which `call` waits, directly and through others, nearest first; ends with
    /// `call` itself if the waits form a cycle.
    fn chain(&self, call: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = Some(call);
        std::iter::from_fn(move || {
            let holder = self.holder(at?)?;
            let waits = self.calls[holder as usize].state == CircuitState::Waiting;
            at = (waits && holder != call).then_some(holder);
            Some(holder)
        })
    }

    /// True if a wait that is about to begin closes a cycle of waits.
    pub(super) fn closes_a_ring(&self, call: u32) -> bool {
        self.chain(call).last() == Some(call)
    }

    /// Stops the run at a cycle of waits that has just closed.
    pub(super) fn stop(&mut self, now: u64) {
        self.now = shown(now);
        self.calendar.stop_at(0);
        self.common.deadlock = self.find_deadlock();
        debug_assert!(self.common.deadlock.is_some(), "the wait closed a cycle of waits");
    }

    /// The wait of a message in the queue of a link.
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

    /// The wait of a stopped message for a closed link of its own circuit.
    pub(super) fn wait_of_stopped(&self, call: u32) -> Wait {
        let message = &self.calls[call as usize];
        let lane = failures::closed_lane(self, message);
        let link = self.lanes[lane as usize].channel;
        Wait {
            kind: WaitKind::Vc,
            worm: WormId(call),
            at: RouterId(self.ways[link as usize].from),
            wants: self.public(lane, link),
            holder: None,
        }
    }

    /// The public VC of a lane used as a given channel.
    pub(super) fn public(&self, lane: u32, channel: u32) -> VcId {
        let lanes = self.machine.lanes();
        VcId(channel * lanes + lane % lanes)
    }
}
