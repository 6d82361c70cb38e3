//! The cycle of waiting worms in a deadlock, marked in snapshots from before the deadlock.

use crate::engine::{Snapshot, Wait, WormView};
use crate::ids::{MessageId, VcId, WormId};
use crate::session::Session;
use crate::units::Cycle;

/// A ring of waits that closes after the displayed cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ring {
    /// The first cycle with all waits of the ring.
    pub closes: Cycle,
    /// The waits, each for the holder next in the ring.
    pub waits: Vec<RingWait>,
}

/// A wait in a ring that will close.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RingWait {
    /// The waiting message.
    pub message: MessageId,
    /// The requested VC.
    pub wants: VcId,
    /// The message that holds the requested VC.
    pub holder: Option<MessageId>,
    /// True if the message already waits at the displayed cycle.
    pub begun: bool,
}

impl Ring {
    /// The first ring of the run's deadlock; `look` is scratch.
    pub(super) fn of(session: &Session, look: &mut Snapshot) -> Option<Self> {
        let set = session.deadlock()?.sets.first()?;
        session.observe(look);
        let wait = |wait: &Wait| {
            let message = name(look, wait.worm)?;
            let holder = wait.holder.and_then(|holder| name(look, holder));
            Some(RingWait { message, wants: wait.wants, holder, begun: true })
        };
        Some(Self { closes: set.closed, waits: set.circle.iter().filter_map(wait).collect() })
    }

    /// The ring at the cycle of a snapshot; `None` once all waits have begun.
    pub(super) fn seen(&self, picture: &Snapshot) -> Option<Self> {
        if picture.cycle >= self.closes {
            return None;
        }
        let begun = |it: &RingWait| {
            let waits = picture.waits.iter().filter(|wait| wait.wants == it.wants);
            let mut names = waits.map(|wait| (name(picture, wait.worm), wait.holder));
            names.any(|(message, holder)| {
                message == Some(it.message)
                    && holder.and_then(|holder| name(picture, holder)) == it.holder
            })
        };
        let waits = self.waits.iter().map(|it| RingWait { begun: begun(it), ..*it });
        Some(Self { closes: self.closes, waits: waits.collect() })
    }
}

/// The message of a worm.
fn name(picture: &Snapshot, worm: WormId) -> Option<MessageId> {
    picture.worms.iter().find(|it| it.id == worm).map(WormView::name)
}
