//! Replays a saved session: its journal from cycle 0 to the saved cycle.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::lockstep::Slices;
use super::outcome::{conclude, guarded};
use super::{Crash, End, Ended, Outcome, Progress};
use crate::session::Session;
use crate::session::runs::Runs;
use crate::session::saved::Saved;

/// Repeats the run of a session up to the saved cycle. Later journal entries are ignored.
pub fn replay(
    saved: &Saved,
    stop: &AtomicBool,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Outcome, Crash> {
    let begun = Instant::now();
    let scenario = &saved.scenario;
    guarded(scenario, saved.seed, 0, |reached| {
        let session = Session::new(Arc::clone(scenario), saved.seed, 0, saved.warm_up);
        let mut runs = [Runs::from(session)];
        let mut slices = Slices::new(begun);
        let end = End::Cycles(saved.cycle.0);
        let due = saved.journal.iter().take_while(|done| done.cycle <= saved.cycle);
        let goals = due.map(|done| (done.cycle.0, Some(done.change)));
        let mut ended = Ended::Reached;
        for (goal, change) in goals.chain([(saved.cycle.0, None)]) {
            if !slices.advance(&mut runs, goal, stop, &end, progress) {
                ended = Ended::Stopped;
                break;
            }
            *reached = runs[0].now().0;
            if *reached < goal {
                break;
            }
            if let Some(change) = change {
                runs[0].apply(change);
            }
        }
        if runs[0].are_over() {
            ended =
                if runs[0].first().is_complete() { Ended::Delivered } else { Ended::Deadlocked };
        }
        conclude(&mut runs[0].all_mut()[0], ended, begun, false)
    })
}
