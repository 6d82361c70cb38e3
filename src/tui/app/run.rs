//! Actions that speak to the run: pace, steps, load, seeds.

use super::{App, Effect};
use crate::live::{Command, RunState, Speed};
use crate::random::mix;
use crate::tui::action::Action;
use crate::units::Rate;

/// The paces that `[` and `]` go through, in cycles per second; beyond the last comes "max".
const PACES: [f64; 12] = [
    0.25,
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1_000.0,
    4_000.0,
    16_000.0,
    64_000.0,
    256_000.0,
    1_000_000.0,
];
/// The averaging windows that `w` goes through, in cycles.
const WINDOWS: [u64; 4] = [64, 256, 1024, 4096];

impl App {
    /// Actions that speak to the run; `None` for others.
    pub(super) fn run_action(&mut self, action: Action) -> Option<Vec<Effect>> {
        let tell = |command| Some(vec![Effect::Send(command)]);
        match action {
            Action::ToggleRun => match self.update.state {
                RunState::Running => tell(Command::Pause),
                RunState::Paused | RunState::Limit => tell(Command::Run),
                RunState::Seeking => tell(Command::Cancel),
                RunState::Deadlocked => {
                    let ways = [Action::StepBack, Action::Restart];
                    let [back, again] = ways.map(|action| self.keys.way_to(action));
                    self.say(&format!(
                        "deadlocked: nothing moves any more ({back} goes back, {again} restarts)"
                    ));
                    Some(Vec::new())
                }
            },
            Action::Step if self.has_circuits() => tell(Command::StepEvent),
            Action::Step => tell(Command::Step(1)),
            Action::Slower | Action::Faster => {
                let paces = paces(self.times().unit.cycles);
                self.pace = next_pace(self.pace, action == Action::Faster, &paces);
                self.say(&format!("pace {}", self.times().pace(self.pace)));
                tell(Command::Speed(self.pace))
            }
            Action::LoadDown | Action::LoadUp => {
                let factor = if action == Action::LoadUp { 1.1 } else { 1.0 / 1.1 };
                let system = &self.update.scenario.system;
                let most = system.rate_max().0;
                let rate = Rate((self.rate.0 * factor).clamp(most * 1e-6, most));
                Some(self.set_rate(rate))
            }
            Action::Restart => {
                self.say(&format!("restarted with seed {}", self.update.seed));
                tell(Command::Restart)
            }
            Action::NewSeed => {
                let seed = mix(self.update.seed, 1) % 1_000_000;
                self.say(&format!("restarted with seed {seed}"));
                tell(Command::Reseed(seed))
            }
            Action::Window => {
                let at = WINDOWS.iter().position(|&window| window == self.update.window);
                let window = WINDOWS[at.map_or(0, |at| at + 1) % WINDOWS.len()];
                let over = self.times().with_unit(window);
                self.say(&format!("utilisation averaged over {over}"));
                tell(Command::Window(window))
            }
            _ => None,
        }
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
