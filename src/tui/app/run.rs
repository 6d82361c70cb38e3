//! Actions that speak to the run: pace, steps, load, seeds.

use super::{App, Effect, Question};
use crate::live::{Command, RunState, Speed};
use crate::random::mix;
use crate::tui::action::{Run, Time};
use crate::units::Rate;

/// The paces that `[` and `]` go through, in cycles per second; beyond the last comes "max".
const PACES: [f64; 12] = [0.25, 1.0, 4.0, 16.0, 64.0, 256.0, 1e3, 4e3, 16e3, 64e3, 256e3, 1e6];
/// The averaging windows that `w` goes through, in cycles.
const WINDOWS: [u64; 4] = [64, 256, 1024, 4096];

impl App {
    /// Actions that speak to the run.
    pub(super) fn run_action(&mut self, action: Run) -> Vec<Effect> {
        let command = match action {
            Run::ToggleRun => match self.update.state {
                RunState::Running => Command::Pause,
                RunState::Paused | RunState::Limit => Command::Run,
                RunState::Seeking => Command::Cancel,
                RunState::Deadlocked => {
                    let back = self.keys.way_to(Time::StepBack);
                    let again = self.keys.way_to(Run::Restart);
                    self.say(&format!(
                        "deadlocked: nothing moves any more ({back} goes back, {again} restarts)"
                    ));
                    return Vec::new();
                }
            },
            Run::Step if self.has_circuits() => Command::StepEvent,
            Run::Step => Command::Step(1),
            Run::StepMany => return self.ask(Question::Cycles),
            Run::Break => return self.ask(Question::Break),
            Run::Slower | Run::Faster => {
                let paces = paces(self.times().unit.cycles);
                self.pace = next_pace(self.pace, action == Run::Faster, &paces);
                self.say(&format!("pace {}", self.times().pace(self.pace)));
                Command::Speed(self.pace)
            }
            Run::LoadDown | Run::LoadUp => {
                let factor = if action == Run::LoadUp { 1.1 } else { 1.0 / 1.1 };
                let most = self.system().rate_max().0;
                return self.set_rate(Rate((self.rate.0 * factor).clamp(most * 1e-6, most)));
            }
            Run::Restart => {
                self.say(&format!("restarted with seed {}", self.update.seed));
                Command::Restart
            }
            Run::NewSeed => {
                let seed = mix(self.update.seed, 1) % 1_000_000;
                self.say(&format!("restarted with seed {seed}"));
                Command::Reseed(seed)
            }
        };
        vec![Effect::Send(command)]
    }

    /// The next of the averaging windows.
    pub(super) fn next_window(&mut self) -> Vec<Effect> {
        let at = WINDOWS.iter().position(|&window| window == self.update.window);
        self.set_window(WINDOWS[at.map_or(0, |at| at + 1) % WINDOWS.len()])
    }

    /// Averages the utilisation over a number of cycles.
    pub(super) fn set_window(&mut self, cycles: u64) -> Vec<Effect> {
        self.say(&format!("utilisation averaged over {}", self.times().with_unit(cycles)));
        vec![Effect::Send(Command::Window(cycles))]
    }
}

/// The paces in cycles per second, with circuits quarters and fourfolds of their unit of time.
fn paces(unit: u64) -> [f64; PACES.len()] {
    if unit == 1 {
        return PACES;
    }
    std::array::from_fn(|at| unit as f64 * 4f64.powi(at as i32 - 6))
}

fn next_pace(pace: Speed, faster: bool, paces: &[f64; PACES.len()]) -> Speed {
    match (pace, faster) {
        (Speed::Max, true) => Speed::Max,
        (Speed::Max, false) => Speed::PerSecond(paces[paces.len() - 1]),
        (Speed::PerSecond(now), true) => paces
            .iter()
            .find(|&&pace| pace > now * 1.01)
            .map_or(Speed::Max, |&p| Speed::PerSecond(p)),
        (Speed::PerSecond(now), false) => {
            let slower = paces.iter().rev().find(|&&pace| pace < now * 0.99);
            Speed::PerSecond(*slower.unwrap_or(&paces[0]))
        }
    }
}
