//! A saved session made again: its journal from cycle 0 to where it was left.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::lockstep::Slices;
use super::outcome::{conclude, guarded};
use super::{Crash, End, Ended, Outcome, Progress};
use crate::session::Session;
use crate::session::saved::Saved;

/// Makes the run of a session again, up to the cycle at which it was left. What lies after that in
/// its journal is not done.
pub fn replay(
    saved: &Saved,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Outcome, Crash> {
    let begun = Instant::now();
    let scenario = &saved.scenario;
    guarded(scenario, saved.seed, 0, |reached| {
        let mut session = Session::new(Arc::clone(scenario), saved.seed, 0, saved.warm_up);
        let mut slices = Slices::new(begun);
        let end = End::Cycles(saved.cycle.0);
        let due = saved.journal.iter().take_while(|done| done.cycle <= saved.cycle);
        let goals = due.map(|done| (done.cycle.0, Some(done.change)));
        let mut ended = Ended::Reached;
        for (goal, change) in goals.chain([(saved.cycle.0, None)]) {
            if !slices.advance(std::slice::from_mut(&mut session), goal, stop, &end, progress) {
                ended = Ended::Stopped;
                break;
            }
            *reached = session.now().0;
            if *reached < goal {
                break;
            }
            if let Some(change) = change {
                session.apply(change);
            }
        }
        if session.deadlock().is_some() {
            ended = Ended::Deadlocked;
        }
        conclude(&session, ended, begun)
    })
}
