//! Whether a run and what is kept of it hold together, and whether it is the run that it should be.

use super::Staged;
use crate::session::Session;

impl Staged {
    /// What is wrong with the engines or the tape.
    pub fn audit(&self) -> Result<(), String> {
        let tape = &self.stage.tape;
        let (now, live) = (tape.now().0, tape.live().0);
        for session in tape.runs().all() {
            session.audit().map_err(|violation| violation.to_string())?;
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

    /// The cycle at which the run stands.
    pub fn now(&self) -> u64 {
        self.stage.now()
    }

    /// Makes each run again from its beginning, by its scenario, its seed and its journal alone, if it
    /// has come to at most `most` cycles. The error is where that gives another state.
    pub fn retell(&self, most: u64) -> Result<(), String> {
        if self.now() > most || self.stage.tape.is_winding() {
            return Ok(());
        }
        self.stage.tape.runs().all().try_for_each(|told| {
            let mut again = Session::anew(told);
            for done in told.journal() {
                again.advance(done.cycle);
                again.set_rate(done.rate);
            }
            again.advance(told.now());
            if again.fingerprint() == told.fingerprint() {
                return Ok(());
            }
            let (now, journal) = (told.now(), told.journal());
            Err(format!("cycle {now} is not that of a straight run with {journal:?}"))
        })
    }
}
