//! Audits a run, its tape and the reproducibility of its state.

use std::sync::Arc;

use super::ClockedRun;
use crate::scenario::Scenario;
use crate::session::Session;
use crate::units::{Cycle, Rate};

/// Positions of runs: scenario, cycle and rate of each.
#[derive(Clone, Default, Debug)]
pub struct Positions(Vec<(Arc<Scenario>, Cycle, Rate)>);

impl Positions {
    /// True if both are of the same runs at the same cycles and rates.
    fn is(&self, other: &Self) -> bool {
        let alike = |((one, at, rate), (other, there, given)): (&(_, _, Rate), &(_, _, Rate))| {
            Arc::ptr_eq(one, other) && at == there && rate.0.to_bits() == given.0.to_bits()
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(alike)
    }
}

impl ClockedRun {
    /// Audits the tape, and the engines if their positions have changed since the last audit: with
    /// a million messages, an audit takes long. The error describes the first inconsistency.
    pub fn audit(&self, last: &mut Positions) -> Result<(), String> {
        let tape = &self.stage.tape;
        let (now, live) = (tape.now().0, tape.live().0);
        let of = |run: &Session| (Arc::clone(run.scenario()), run.now(), run.rate());
        let positions = Positions(tape.runs().all().map(of).collect());
        let moved = !positions.is(last);
        *last = positions;
        for session in tape.runs().all() {
            if moved {
                session.audit().map_err(|violation| violation.to_string())?;
            }
            if session.now().0 > now {
                return Err(format!("a run is at {}, the tape at {now}", session.now()));
            }
        }
        let checkpoints: Vec<u64> = tape.checkpoints().collect();
        let done: Vec<u64> = tape.journal().iter().map(|done| done.cycle.0).collect();
        let ordered = checkpoints.is_sorted_by(|a, b| a < b) && done.is_sorted();
        if now > live || !ordered || checkpoints.iter().chain(&done).any(|&at| at > live) {
            return Err(format!(
                "at {now} of {live}: checkpoints {checkpoints:?}, changes at {done:?}"
            ));
        }
        Ok(())
    }

    /// The present cycle of the run.
    pub fn now(&self) -> u64 {
        self.stage.now()
    }

    /// Repeats each run from its start, from scenario, seed and journal alone, unless longer than
    /// `most` cycles. Returns an error if the state differs.
    pub fn check_replay(&self, most: u64) -> Result<(), String> {
        if self.now() > most || self.stage.tape.is_seeking() {
            return Ok(());
        }
        self.stage.tape.runs().all().try_for_each(|session| {
            let mut again = Session::anew(session);
            for done in session.journal() {
                again.advance(done.cycle);
                again.apply(done.change);
            }
            again.advance(session.now());
            if again.fingerprint() == session.fingerprint() {
                return Ok(());
            }
            let (now, journal) = (session.now(), session.journal());
            Err(format!("the state at cycle {now} differs from that of a run without rewinds, with {journal:?}"))
        })
    }
}
