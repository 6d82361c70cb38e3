//! Single messages: the one that is followed, all that are under way, the history of one.

use crate::engine::Delivery;
use crate::engine::messages::{MessageView, Whereabouts};
use crate::ids::{MessageId, WormId};
use crate::session::Session;
use crate::session::tape::Tape;
use crate::session::trace::{Trace, Tracer};
use crate::units::Cycle;

const LISTED_MAX: usize = 1 << 16;

/// Cycles replayed between two looks at the clock.
const PIECE: u64 = 32;

/// The message that is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Followed {
    /// Which one.
    pub name: MessageId,
    pub state: Whereabouts,
    /// Its delivery, once it was seen.
    pub delivery: Option<Delivery>,
}

/// The history of a message, and how far it has been made.
#[derive(Clone, PartialEq, Debug)]
pub struct Traced {
    /// The history so far.
    pub trace: Trace,
    /// The share of the replay that is done, from 0 to 1.
    pub share: f32,
    /// Messages that its source has generated up to the present.
    pub generated: u64,
}

/// What is told of single messages, as far as it was asked for.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Singled {
    /// The message that is followed.
    pub followed: Option<Followed>,
    /// Those that wait at their sources or are under way, oldest first.
    pub listed: Vec<MessageView>,
    /// Messages that wait or are under way and are not listed.
    pub unlisted: u64,
    /// The history of one.
    pub traced: Option<Traced>,
}

/// What is asked about single messages.
#[derive(Debug, Default)]
pub(super) struct Probe {
    followed: Option<Followed>,
    row: Option<WormId>,
    /// True if all messages are told of.
    pub listing: bool,
    traced: Option<MessageId>,
    tracer: Option<Tracer>,
}

impl Probe {
    /// Makes the history of a message.
    pub fn trace(&mut self, name: Option<MessageId>) {
        (self.traced, self.tracer) = (name, None);
    }

    /// The same questions, nothing answered yet.
    pub fn as_at_first(&self) -> Self {
        let mut other = Self { listing: self.listing, traced: self.traced, ..Self::default() };
        other.follow(self.awaited());
        other
    }

    /// Tells of this message from now on.
    pub fn follow(&mut self, name: Option<MessageId>) {
        self.row = None;
        self.followed =
            name.map(|name| Followed { name, state: Whereabouts::Unborn, delivery: None });
    }

    /// The message whose delivery is awaited.
    pub fn awaited(&self) -> Option<MessageId> {
        self.followed.map(|followed| followed.name)
    }

    /// What replays the history wanted, unless it is that of another message or of another past.
    fn fitting(&mut self, now: Cycle, tape: &Tape) -> Option<&mut Tracer> {
        let traced = self.traced;
        self.tracer
            .as_mut()
            .filter(|tracer| Some(tracer.trace.name) == traced && tracer.fits(now, tape.journal()))
    }

    /// True if a history is to be replayed further, of a run on `tape` that stands at `now`.
    pub fn is_tracing(&mut self, now: Cycle, tape: &Tape) -> bool {
        self.traced.is_some() && self.fitting(now, tape).is_none_or(|tracer| !tracer.is_done(now))
    }

    /// Replays on until it is `enough` or done; the run is the second on `tape`, or the first.
    pub fn retrace(
        &mut self,
        (now, second): (Cycle, bool),
        tape: &Tape,
        enough: &impl Fn() -> bool,
    ) {
        while let (Some(name), true) = (self.traced, self.is_tracing(now, tape)) {
            if self.fitting(now, tape).is_none() {
                self.tracer = Some(Tracer::new(tape, name, second));
            }
            self.tracer.iter_mut().for_each(|tracer| tracer.advance(now, PIECE));
            if enough() {
                return;
            }
        }
    }

    /// Answers what was asked into recycled storage.
    pub fn draw(&mut self, session: &Session, arrived: Option<Delivery>, singled: &mut Singled) {
        singled.followed = None;
        if let Some(followed) = &mut self.followed {
            let (name, now) = (followed.name, session.now());
            followed.state = session.engine().whereabouts(name, self.row);
            if let Whereabouts::Present(view) = followed.state {
                self.row = Some(view.worm);
            }
            followed.delivery = arrived.or(followed.delivery);
            // The picture may be of a cycle before.
            let gone = followed.state == Whereabouts::Gone;
            let delivery = followed.delivery.filter(|one| gone && one.done <= now);
            singled.followed = Some(Followed { delivery, ..*followed });
        }
        singled.listed.clear();
        singled.unlisted = 0;
        if self.listing {
            list(session, singled);
        }
        singled.traced = self.tracer.as_ref().map(|tracer| {
            let (trace, share) = (tracer.trace.clone(), tracer.share(session.now()));
            let generated = session.engine().sources().generated_at(trace.name.source);
            Traced { trace, share, generated }
        });
    }
}

/// Lists the messages under way by age.
fn list(session: &Session, singled: &mut Singled) {
    let messages = &mut singled.listed;
    session.engine().messages(messages);
    let age = |view: &MessageView| (view.born, view.name);
    if messages.len() > LISTED_MAX {
        messages.select_nth_unstable_by_key(LISTED_MAX, age);
        messages.truncate(LISTED_MAX);
    }
    messages.sort_unstable_by_key(age);
    let counters = session.counters();
    let present = counters.generated - counters.delivered - counters.discarded;
    singled.unlisted = present.saturating_sub(messages.len() as u64);
}
