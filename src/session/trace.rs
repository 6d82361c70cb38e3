//! The history of one message: where it waited, for how long and for whom, router by router.
//!
//! It is made by simulating the run again, from before the message was generated, on a copy that
//! nobody else sees. After every cycle one question is asked; nothing is kept for it in an engine.

use super::Intervention;
use super::tape::{Keep, Tape};
use crate::engine::messages::{Doing, MessageView, Whereabouts};
use crate::engine::{CircuitState, Delivery, Wait};
use crate::ids::{ChannelId, MessageId, NodeId, RouterId, VcId, WormId};
use crate::topology::{Channel, Role};
use crate::units::Cycle;

/// Who was in the way, and in how many cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hindrance {
    /// The message that held what was wanted, or stood in front.
    pub by: MessageId,
    /// The cycles at whose end it did.
    pub cycles: u64,
}

/// A router at which the message's head was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hop {
    /// The router; the first is that of its source.
    pub at: RouterId,
    /// The cycle from which on the head was there; at its source, that of its generation.
    pub arrived: Cycle,
    /// The cycle in which it was granted the way on.
    pub granted: Option<Cycle>,
    /// What it was granted; `None` for an ejection without a channel.
    pub vc: Option<VcId>,
    /// Who was in the way, in order of first meeting. Several may be at once.
    pub waits: Vec<Hindrance>,
    /// The cycle in which it gave up here and went back to its source.
    pub gave_up: Option<Cycle>,
}

impl Hop {
    /// The cycles for which it has waited here, up to cycle `now`.
    pub fn waited(&self, now: Cycle) -> u64 {
        self.granted.or(self.gave_up).unwrap_or(now).0.saturating_sub(self.arrived.0)
    }
}

/// What is known of a message once it is generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Birth {
    /// The cycle.
    pub cycle: Cycle,
    /// Where it goes and how many flits it has; unknown while it is [`Whereabouts::Behind`].
    pub letter: Option<(NodeId, u32)>,
}

/// The history of a message up to some cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub name: MessageId,
    /// Up to the beginning of this cycle.
    pub until: Cycle,
    pub state: Whereabouts,
    pub born: Option<Birth>,
    /// Cycles behind others of its source.
    pub queued: u64,
    /// The cycle in which its first flit left its source; of a circuit, its data.
    pub entered: Option<Cycle>,
    /// The routers that it came to.
    pub hops: Vec<Hop>,
    /// Its delivery; `None` also where it was discarded.
    pub delivery: Option<Delivery>,
}

impl Trace {
    /// True if nothing will be added to it.
    pub fn is_complete(&self) -> bool {
        self.state == Whereabouts::Gone
    }
}

/// Makes a [`Trace`].
#[derive(Debug)]
pub struct Tracer {
    /// The history as far as it is known.
    pub trace: Trace,
    tape: Tape,
    /// What was done to the run, as known at first.
    journal: Vec<Intervention>,
    from: u64,
    row: Option<WormId>,
    /// Grants seen of the present attempt.
    grants: u32,
    /// Attempts given up.
    aborts: u32,
    /// True if the last hop goes on.
    open: bool,
    /// Scratch.
    path: Vec<VcId>,
    waits: Vec<Wait>,
}

impl Tracer {
    /// Begins the history of `name` in the run on `tape`, or in the second one.
    pub fn new(tape: &Tape, name: MessageId, second: bool) -> Self {
        let session = tape.before_birth_of(name, second);
        let from = session.now().0;
        let keep = Keep { bytes: 0, ..Keep::default() };
        Self {
            trace: Trace {
                name,
                until: Cycle(0),
                state: Whereabouts::Unborn,
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

    /// True if this is still the history of a run that stands at `now` and to which was done what
    /// `journal` says.
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

    /// True if all is known up to cycle `now`, or for good.
    pub fn is_done(&self, now: Cycle) -> bool {
        self.trace.is_complete() || self.tape.now() >= now || self.tape.is_over()
    }

    /// The share of the way to cycle `now` that is behind, from 0 to 1.
    pub fn share(&self, now: Cycle) -> f32 {
        if self.is_done(now) {
            return 1.0;
        }
        let all = now.0.saturating_sub(self.from).max(1);
        self.tape.now().0.saturating_sub(self.from) as f32 / all as f32
    }

    /// Goes on by at most `cycles` towards cycle `now`.
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
        let state = session.engine().whereabouts(name, self.row);
        (self.trace.until, self.trace.state) = (now, state);
        if state == Whereabouts::Unborn {
            return;
        }
        if self.trace.born.is_none() {
            self.trace.born = Some(Birth { cycle: Cycle(now.0 - 1), letter: None });
            let at = session.scenario().system.network.router_of(name.source);
            self.arrive(at, Cycle(now.0 - 1));
        }
        match state {
            Whereabouts::Present(view) => self.follow(&view),
            Whereabouts::Gone => self.end(),
            Whereabouts::Behind | Whereabouts::Unborn => self.trace.queued += 1,
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
        // A worm that was aborted has no grants any more.
        let circuit = matches!(view.doing, Doing::Circuit(..));
        if view.aborts > self.aborts || view.hops < self.grants && !circuit {
            self.aborts = view.aborts;
            self.grants = 0;
            (self.open, self.trace.entered) = (false, None);
            if let Some(hop) = self.trace.hops.last_mut() {
                hop.gave_up = Some(last);
            }
        }
        let ends = matches!(
            view.doing,
            Doing::Circuit(
                CircuitState::Aborting | CircuitState::BackingOff | CircuitState::Releasing,
                _
            )
        );
        if ends {
            return;
        }
        let asked = if circuit { last } else { view.asked };
        self.take_grants(view.hops, last, asked);
        // Where flits take longer than a cycle, they come in at the beginning of one.
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
        self.note_waits(view.worm);
    }

    fn channel(&self, vc: VcId) -> Channel {
        let system = &self.tape.session().scenario().system;
        let vcs = system.switching.virtual_channels();
        system.network.channel(ChannelId(vc.0 / vcs))
    }

    /// True if a hop is the last, from which flits leave the network.
    fn is_ejected(&self, hop: &Hop) -> bool {
        let ejects = |vc| self.channel(vc).role == Role::Ejection;
        hop.granted.is_some() && hop.gave_up.is_none() && hop.vc.is_none_or(ejects)
    }

    fn arrive(&mut self, at: RouterId, arrived: Cycle) {
        let (granted, vc, gave_up) = (None, None, None);
        self.trace.hops.push(Hop { at, arrived, granted, vc, waits: Vec::new(), gave_up });
        self.open = true;
    }

    /// The way on was granted, of circuits perhaps several times in a cycle.
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
                // It came and went on in one cycle.
                let arrived = if nth == 0 { asked } else { cycle };
                let before = self.trace.hops.last().filter(|hop| hop.gave_up.is_none());
                let before = before.and_then(|hop| hop.vc);
                let at = before.map_or(self.channel(vc).from, |vc| self.channel(vc).to);
                self.arrive(at, arrived);
            }
            if let Some(hop) = self.trace.hops.last_mut() {
                hop.granted = Some(cycle);
                // Where it is ejected without a channel, its newest one is no news.
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

    /// It was delivered in the cycle just simulated, or discarded.
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
