//! Where heads choose: flows, choices and waits that fit together.

use super::super::choice::Choices;
use super::super::images::{self, Folded};
use super::super::inputs::Inputs;
use super::super::routes::adaptive::Ways;
use super::super::state::State;
use super::{Sources, settle};
use crate::model::fixed_point::NoSolution;

/// Rounds in which choices and flows are renewed, and the change of a probability at which they end.
const ROUNDS: u32 = 12;
const TOLERANCE: f64 = 0.01;

/// The part of the way to new choices that a round goes.
const STEP: f64 = 0.5;

/// The part of a rate at which choices are looked for where even ones overrun queues, and how often again.
const LOWER: f64 = 0.9;
const LOWER_MAX: u32 = 4;

/// What fits together.
pub(super) struct Chosen {
    /// Flows, streams and choices: of each set of images one.
    pub left: Folded,
    /// All choices.
    choices: Choices,
    pub state: State,
}

impl Sources {
    /// Choices by what is free, flows by choices, holds and waits by flows, over and over.
    pub(super) fn choose(&self, ways: &Ways, rate: f64) -> Result<Chosen, NoSolution> {
        self.choose_from(ways, rate, LOWER_MAX)
    }

    /// The same; where queues overflow under even choices, from those of a lower rate, which is lowered so
    /// many times at most.
    fn choose_from(&self, ways: &Ways, rate: f64, lower: u32) -> Result<Chosen, NoSolution> {
        let mut choices = Choices::even(ways);
        let mut lower = Some(lower);
        let mut settled: Option<Chosen> = None;
        for _ in 0..ROUNDS {
            let left = self.left(ways, &choices);
            let sweep = self.sweep(rate, &left.flows, &left.inputs, Some(&left.choices));
            let mut state = sweep.start().ok_or(NoSolution::Saturated)?;
            let before = settled.as_ref().filter(|it| it.state.holds.len() == state.holds.len());
            // Bursts and lags fit holds, which the first round finds.
            let holds_known = before.is_some();
            if let Some(before) = before {
                state.begin_as(&before.state);
                sweep.bursts(&mut state);
            }
            if settle(&sweep, &mut state)?.is_none() {
                let Some(last) = &settled else {
                    let lower = lower.take().filter(|&it| it > 0).ok_or(NoSolution::Saturated)?;
                    choices = self.choose_from(ways, rate * LOWER, lower - 1)?.choices;
                    continue;
                };
                // What was preferred is overrun: less of it.
                if choices.mix(&last.choices, STEP) < TOLERANCE {
                    break;
                }
                continue;
            }
            let renewed = Choices::free(ways, &left.inputs, &left.servers, &state);
            let used = choices.clone();
            let change = choices.mix(&renewed, STEP);
            settled = Some(Chosen { left, choices: used, state });
            if change < TOLERANCE && holds_known {
                break;
            }
        }
        settled.ok_or(NoSolution::Saturated)
    }

    /// What these choices lead to, of each set of images one.
    fn left(&self, ways: &Ways, choices: &Choices) -> Folded {
        let mut flows = ways.flows(&choices.parts);
        images::fold(&ways.network, &self.short, &flows, choices).unwrap_or_else(|| {
            let inputs = Inputs::of(&mut flows);
            let [stands, servers] = [flows.sources.len(), flows.servers.len()];
            let all = |number| (0..number as u32).collect();
            Folded {
                flows,
                inputs,
                choices: choices.clone(),
                stands: all(stands),
                servers: all(servers),
            }
        })
    }
}
