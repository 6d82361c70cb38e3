//! Verdicts on the run: steady, saturated, or carried.

use super::tally::Tally;
use super::{Phase, Statistics, Steadiness};

/// A latency that indicates saturation nearby, in multiples of the latency without other messages.
const LONG: f64 = 2.0;
/// Messages with such a latency before the load counts as carried, times the square of the resolution.
const MESSAGES_LONG: f64 = 20.0;

impl Statistics {
    /// Accepted load of a saturated run while its queues grow, in flits per node and cycle.
    pub(super) fn congested(&self, steadiness: Steadiness) -> Option<f64> {
        let messages = self.backlog.recent_deliveries().filter(|_| steadiness.is_saturated())?;
        Some(messages * self.offered.length_mean / self.offered.nodes as f64)
    }

    /// Steadiness of the run, judged at cycle `now`.
    pub fn steadiness(&self, now: u64) -> Steadiness {
        self.steadiness_of(&self.tally, now.min(self.born_until))
    }

    pub(super) fn steadiness_of(&self, tally: &Tally, now: u64) -> Steadiness {
        let found = matches!(self.phase, Phase::Measuring { stationary: true, .. });
        let gaps = self.offered.gap_variation;
        if self.backlog.saturated(gaps)
            || self.resolution.is_some_and(|it| self.backlog.exceeds(it, gaps))
        {
            Steadiness::Saturated
        } else if found && tally.is_long_enough(now) {
            Steadiness::Steady
        } else {
            Steadiness::TooShort
        }
    }

    /// Searches for overloads of this share of the load: growth that would not be enough for the usual
    /// verdict counts as saturation.
    pub fn search(&mut self, resolution: f64) {
        self.resolution = Some(resolution);
    }

    /// True if the load is known to be carried at cycle `now`, in a run that searches for overloads. Some
    /// networks are steady near saturation until a fluctuation congests them: a run with a long latency
    /// needs more messages.
    pub fn carries(&self, now: u64) -> bool {
        let Some(resolution) = self.resolution else { return false };
        match self.steadiness(now) {
            Steadiness::Steady => {
                let is_far = self.tally.slowness().is_some_and(|slowness| slowness < LONG);
                is_far || self.tally.messages() as f64 >= MESSAGES_LONG / (resolution * resolution)
            }
            Steadiness::TooShort => self.backlog.carries(resolution, self.offered.gap_variation),
            Steadiness::Saturated | Steadiness::Deadlocked | Steadiness::Finite => false,
        }
    }
}
