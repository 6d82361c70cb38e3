//! Waits in a film until a condition holds, and rejects conditions that can never hold.

use std::io::Write;

use super::{FilmError, Player};
use crate::live::RunState;
use crate::recording::Until;
use crate::scenario::Place;

/// Maximum wait for a condition: ten minutes, in microseconds.
const UNTIL_MAX: u64 = 600_000_000;

impl<W: Write> Player<W> {
    pub(super) fn wait_for(&mut self, until: Until, place: &Place) -> Result<(), FilmError> {
        self.look()?;
        self.refuse_out_of_reach(until, place)?;
        let from = self.now();
        loop {
            let update = &self.display.app.update;
            let cycle = update.snapshot.cycle.0;
            let so = match until {
                Until::Cycle(wanted) => cycle >= wanted,
                Until::Running => update.state == RunState::Running,
                Until::Paused => update.state == RunState::Paused,
                Until::Deadlocked => update.state == RunState::Deadlocked,
                Until::Limit => update.state == RunState::Limit,
            };
            if so {
                self.due = self.now();
                return Ok(());
            }
            let stands = update.state != RunState::Running;
            if stands || self.now() - from >= UNTIL_MAX {
                let (what, help) = if stands {
                    let what = format!("the run stands at cycle {cycle}, so this never comes");
                    (what, "let it run first: `key space`")
                } else {
                    let what = format!("this has not come in ten minutes, at cycle {cycle}");
                    (what, "a faster pace (`key ]`) gets there sooner")
                };
                return Err(self.film_error(place, what, help));
            }
            self.next_frame()?;
        }
    }

    /// Rejects a cycle out of reach at the present pace or beyond the run's limit: neither changes
    /// during the wait.
    fn refuse_out_of_reach(&self, until: Until, place: &Place) -> Result<(), FilmError> {
        let Until::Cycle(wanted) = until else { return Ok(()) };
        let update = &self.display.app.update;
        let (cycle, pace) = (update.snapshot.cycle.0, update.cycles_per_second);
        if update.state != RunState::Running || cycle >= wanted {
            return Ok(());
        }
        if let Some(limit) = self.run.limit().filter(|&limit| limit < wanted) {
            let what = format!("the run ends at cycle {limit}, so this never comes");
            return Err(self.film_error(
                place,
                what,
                "wait for an earlier cycle, or `until state limit`",
            ));
        }
        if (wanted - cycle) as f64 <= pace * UNTIL_MAX as f64 / 1e6 {
            return Ok(());
        }
        let what = format!(
            "this does not come in ten minutes, from cycle {cycle} at {pace} cycles per second"
        );
        Err(self.film_error(place, what, "a faster pace (`key ]`) gets there sooner"))
    }
}
