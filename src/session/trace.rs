//! The history of one message: its waiting times and blockers, router by router.
//!
//! The run is simulated again on a private copy, from before the generation of the message, and the
//! engine is queried after every cycle. The engine itself records no history.

use strum::VariantArray;

use super::Intervention;
use super::tape::{Keep, Tape};
use crate::engine::messages::{Activity, MessageState, MessageView};
use crate::engine::{CircuitState, Delivery, HeadStage, Wait};
use crate::ids::{ChannelId, MessageId, NodeId, RouterId, VcId, WormId};
use crate::topology::{Channel, Role};
use crate::units::Cycle;

/// A blocking message and the number of cycles blocked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hindrance {
    /// The message that occupied the requested channel, or was ahead in the buffer.
    pub by: MessageId,
    /// The number of cycles blocked by this message at their end.
    pub cycles: u64,
}

/// A router visited by the message's head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hop {
    /// The router; for the first hop, the source's router.
    pub at: RouterId,
    /// The cycle of the head's arrival; at the source, the cycle of generation.
    pub arrived: Cycle,
    /// The cycle of the grant at this router.
    pub granted: Option<Cycle>,
    /// The granted virtual channel; `None` for an ejection without a channel.
    pub vc: Option<VcId>,
    /// The blocking messages in order of first appearance. Several may block at the same time.
    pub waits: Vec<Hindrance>,
    /// The cycles in each [`HeadStage`] of a pipelined router, in order.
    pub stage_cycles: [u64; HeadStage::VARIANTS.len()],
    /// The cycle in which the attempt was aborted here and returned to its source.
    pub gave_up: Option<Cycle>,
}

impl Hop {
    /// The cycles spent waiting at this router, up to cycle `now`.
    pub fn waited(&self, now: Cycle) -> u64 {
        self.granted.or(self.gave_up).unwrap_or(now).0.saturating_sub(self.arrived.0)
    }
}

/// Facts known of a message after its generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Birth {
    /// The cycle of generation.
    pub cycle: Cycle,
    /// Destination and length in flits; unknown while the message is [`MessageState::Behind`].
    pub letter: Option<(NodeId, u32)>,
}

/// The history of a message up to a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub name: MessageId,
    /// Covers cycles before this one.
    pub until: Cycle,
    pub state: MessageState,
    pub born: Option<Birth>,
    /// Cycles spent queued behind other messages of its source.
    pub queued: u64,
    /// The cycle in which the first flit left its source; for circuits, the first data.
    pub entered: Option<Cycle>,
    /// The routers visited.
    pub hops: Vec<Hop>,
    /// Its delivery; `None` also for a discarded message.
    pub delivery: Option<Delivery>,
}

impl Trace {
    /// True if the history is complete.
    pub fn is_complete(&self) -> bool {
        self.state == MessageState::Gone
    }
}

/// Simulates a run again to build a [`Trace`].
#[derive(Debug)]
pub struct Tracer {
    /// The history so far.
    pub trace: Trace,
    tape: Tape,
    /// The journal of the run at the start of the trace.
    journal: Vec<Intervention>,
    from: u64,
    row: Option<WormId>,
    /// Grants seen in the current attempt.
    grants: u32,
    /// Attempts aborted.
    aborts: u32,
    /// True if the last hop is not yet finished.
    open: bool,
    /// Scratch.
    path: Vec<VcId>,
    waits: Vec<Wait>,
}

impl Tracer {
    /// Starts the history of `name` in the first or the second run on `tape`.
    pub fn new(tape: &Tape, name: MessageId, second: bool) -> Self {
        let session = tape.before_birth_of(name, second);
        let from = session.now().0;
        let keep = Keep { bytes: 0, ..Keep::default() };
        Self {
            trace: Trace {
                name,
                until: Cycle(0),
                state: MessageState::Unborn,
                born: None,
                queued: 0,
                entered: None,
                hops: Vec::new(),
                delivery: None,
            },
            tape: Tape::with_journal(session, tape.journal().to_vec(), tape.live(), keep),
            journal: tape.journal().to_vec(),
            from,
            row: None,
            grants: 0,
            aborts: 0,
            open: false,
            path: Vec::new(),
            waits: Vec::new(),
        }
    }

    /// True if this trace is still a history of the run at cycle `now` with this `journal`.
    pub fn fits(&self, now: Cycle, journal: &[Intervention]) -> bool {
        if !self.trace.is_complete() {
            return self.tape.now() <= now && self.journal == journal;
        }
        let until = self.trace.until;
        let before = |journal: &[Intervention]| {
            journal.iter().filter(|done| done.cycle < until).copied().collect::<Vec<_>>()
        };
        until <= now && before(&self.journal) == before(journal)
    }

    /// True if the history is complete or known up to cycle `now`.
    pub fn is_done(&self, now: Cycle) -> bool {
        self.trace.is_complete() || self.tape.now() >= now || self.tape.is_over()
    }

    /// The share of the distance to cycle `now` covered so far, from 0 to 1.
    pub fn share(&self, now: Cycle) -> f32 {
        if self.is_done(now) {
            return 1.0;
        }
        let all = now.0.saturating_sub(self.from).max(1);
        self.tape.now().0.saturating_sub(self.from) as f32 / all as f32
    }

    /// Advances by at most `cycles` towards cycle `now`.
    pub fn advance(&mut self, now: Cycle, cycles: u64) {
        let end = self.tape.now().0.saturating_add(cycles).min(now.0);
        while self.tape.now().0 < end && !self.is_done(now) {
            self.tape.advance(self.tape.now() + 1);
            self.look();
        }
    }

    fn look(&mut self) {
        let session = self.tape.session();
        let now = session.now();
        let name = self.trace.name;
        let state = session.engine().state_of(name, self.row);
        (self.trace.until, self.trace.state) = (now, state);
        if state == MessageState::Unborn {
            return;
        }
        if self.trace.born.is_none() {
            self.trace.born = Some(Birth { cycle: Cycle(now.0 - 1), letter: None });
            let at = session.scenario().system.network.router_of(name.source);
            self.arrive(at, Cycle(now.0 - 1));
        }
        match state {
            MessageState::Present(view) => self.follow(&view),
            MessageState::Gone => self.end(),
            MessageState::Behind | MessageState::Unborn => self.trace.queued += 1,
        }
    }

    fn follow(&mut self, view: &MessageView) {
        self.row = Some(view.worm);
        if let Some(born) = &mut self.trace.born {
            born.letter = Some((view.destination, view.length));
        }
        let now = self.tape.now();
        let last = Cycle(now.0 - 1);
        self.trace.queued += u64::from(view.queued);
        // The grants of an aborted worm are void.
        let circuit = matches!(view.activity, Activity::Circuit(..));
        if view.aborts > self.aborts || view.hops < self.grants && !circuit {
            self.aborts = view.aborts;
            self.grants = 0;
            (self.open, self.trace.entered) = (false, None);
            if let Some(hop) = self.trace.hops.last_mut() {
                hop.gave_up = Some(last);
            }
        }
        let ends = matches!(
            view.activity,
            Activity::Circuit(
                CircuitState::Aborting | CircuitState::BackingOff | CircuitState::Releasing,
                _
            )
        );
        if ends {
            return;
        }
        let asked = if circuit { last } else { view.asked };
        self.take_grants(view.hops, last, asked);
        // Flits that take longer than a cycle arrive at the beginning of a cycle.
        let since = self.trace.hops.iter().rev().find_map(|hop| hop.granted);
        let arrived = match asked {
            asked if since.is_none_or(|since| since < asked) => asked.min(now),
            _ if circuit => last,
            _ => now,
        };
        let ejected = self.trace.hops.last().is_some_and(|hop| self.is_ejected(hop));
        if !self.open && !view.crossing && !ejected {
            self.arrive(view.at, arrived);
        }
        if self.trace.entered.is_none() && view.at_source < view.length {
            self.trace.entered = Some(last);
        }
        if let (Some(stage), Some(hop)) = (view.stage, self.trace.hops.last_mut()) {
            hop.stage_cycles[stage as usize] += 1;
        }
        self.note_waits(view.worm);
    }

    fn channel(&self, vc: VcId) -> Channel {
        let system = &self.tape.session().scenario().system;
        let vcs = system.switching.virtual_channels();
        system.network.channel(ChannelId(vc.0 / vcs))
    }

    /// True if flits leave the network at this hop.
    fn is_ejected(&self, hop: &Hop) -> bool {
        let ejects = |vc| self.channel(vc).role == Role::Ejection;
        hop.granted.is_some() && hop.gave_up.is_none() && hop.vc.is_none_or(ejects)
    }

    fn arrive(&mut self, at: RouterId, arrived: Cycle) {
        let (granted, vc, gave_up) = (None, None, None);
        let (waits, stage_cycles) = (Vec::new(), Default::default());
        self.trace.hops.push(Hop { at, arrived, granted, vc, waits, stage_cycles, gave_up });
        self.open = true;
    }

    /// Records new grants; circuits may receive several per cycle.
    fn take_grants(&mut self, grants: u32, cycle: Cycle, asked: Cycle) {
        if grants <= self.grants {
            return;
        }
        let Some(row) = self.row else { return };
        self.tape.session().engine().path_of(row, &mut self.path);
        let path = std::mem::take(&mut self.path);
        let new = path.len().saturating_sub((grants - self.grants) as usize);
        let attempt = self.trace.hops.iter().rev().take_while(|hop| hop.gave_up.is_none());
        let before = attempt.into_iter().find_map(|hop| hop.vc);
        for (nth, &vc) in path[new..].iter().enumerate() {
            if !self.open {
                // The head arrived and was granted in the same cycle.
                let arrived = if nth == 0 { asked } else { cycle };
                let before = self.trace.hops.last().filter(|hop| hop.gave_up.is_none());
                let before = before.and_then(|hop| hop.vc);
                let at = before.map_or(self.channel(vc).from, |vc| self.channel(vc).to);
                self.arrive(at, arrived);
            }
            if let Some(hop) = self.trace.hops.last_mut() {
                hop.granted = Some(cycle);
                // The newest channel of an ejection without a channel is the previous one.
                hop.vc = Some(vc).filter(|_| before != Some(vc));
            }
            self.open = false;
        }
        self.path = path;
        self.grants = grants;
        self.open = false;
    }

    fn note_waits(&mut self, row: WormId) {
        let messages = self.tape.session().engine();
        messages.waits_of(row, &mut self.waits);
        let Some(hop) = self.trace.hops.last_mut() else { return };
        for (nth, wait) in self.waits.iter().enumerate() {
            let again = self.waits[..nth].iter().any(|other| other.holder == wait.holder);
            let Some(by) = wait.holder.and_then(|holder| messages.name_of(holder)) else {
                continue;
            };
            match hop.waits.iter_mut().find(|known| known.by == by) {
                Some(_) if again => {}
                Some(known) => known.cycles += 1,
                None => hop.waits.push(Hindrance { by, cycles: 1 }),
            }
        }
    }

    /// Records the delivery in the cycle just simulated, or the discard.
    fn end(&mut self) {
        let session = self.tape.session();
        let name = self.trace.name;
        let delivery = session.deliveries().iter().find(|one| one.name() == name).copied();
        self.trace.delivery = delivery;
        let Some(delivery) = delivery else { return };
        self.trace.entered = Some(delivery.entered);
        let network = &session.scenario().system.network;
        let (goal, ejects) =
            (network.router_of(delivery.destination), network.has_terminal_channels());
        let now = session.now();
        let Some(hop) = self.trace.hops.last_mut() else { return };
        // A single flit crosses its last channel and is consumed in one cycle.
        let there = hop.at == goal;
        if !there || ejects {
            hop.granted = hop.granted.or(Some(Cycle(now.0 - 1)));
        }
        if !there {
            self.arrive(goal, delivery.done);
        }
        if let Some(born) = &mut self.trace.born {
            born.letter = Some((delivery.destination, delivery.length));
        }
    }
}
