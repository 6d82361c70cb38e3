//! Where heads choose: flows, choices and waits that fit together.

use super::super::choice::{Choices, Offer};
use super::super::images::{self, Folded};
use super::super::inputs::Inputs;
use super::super::routes::adaptive::Ways;
use super::super::state::State;
use super::super::sweep::Sweep;
use super::Sources;
use crate::model::fixed_point::NoSolution;

/// Rounds in which choices and flows are renewed, and the change of a probability at which they end.
const ROUNDS: u32 = 24;
const TOLERANCE: f64 = 0.01;

/// Sweeps in each, and at the end, in which holds are renewed, and the relative change of one at which they end.
const SWEEPS: u32 = 10;
const SWEEPS_MAX: u32 = 200;
const SWEEP_TOLERANCE: f64 = 1e-3;

/// The part of a rate at which rounds begin where even choices overrun queues, and by how much it rises in each.
const FIRST: f64 = 0.6;
const RISE: f64 = 0.1;

pub(super) struct Chosen {
    /// Flows, streams and choices: of each set of images one.
    pub left: Folded,
    pub state: State,
}

impl Sources {
    /// Choices by what is free, flows by choices, holds and waits by flows, over and over.
    pub(super) fn choose(&self, ways: &Ways, rate: f64) -> Result<Chosen, NoSolution> {
        let (mut choices, mut offers) = (Choices::even(ways), Offers::default());
        let mut part = 1.0f64;
        let mut found: Option<Chosen> = None;
        for round in 0..ROUNDS {
            let left = self.left(ways, &choices);
            let sweep = self.sweep(part * rate, &left.flows, &left.inputs, Some(&left.choices));
            let mut state = sweep.start().ok_or(NoSolution::Saturated)?;
            // Holds of queues that are overrun are no start for what they settle to.
            let before = found.as_ref().map(|it| &it.state).filter(|it| !it.overrun);
            let before = before.filter(|it| {
                it.holds.len() == state.holds.len() && it.crossings.len() == state.crossings.len()
            });
            // Bursts and lags fit holds, which the first round finds.
            let holds_known = before.is_some();
            if let Some(before) = before {
                state.begin_as(before);
                sweep.bursts(&mut state);
            }
            let residual = settle(&sweep, &mut state, SWEEPS).ok_or(NoSolution::Saturated)?;
            let change = offers.renew(offered(&left, &state));
            choices = Choices::by(ways, &offers.all);
            let settled = state.overrun || holds_known && residual < SWEEP_TOLERANCE;
            let done = settled && part >= 1.0 && change < TOLERANCE;
            part = if round == 0 && state.overrun { FIRST } else { (part + RISE).min(1.0) };
            found = Some(Chosen { left, state });
            if done {
                break;
            }
        }
        let found = found.filter(|it| !it.state.overrun);
        let Chosen { left, mut state } = found.ok_or(NoSolution::Saturated)?;
        let sweep = self.sweep(rate, &left.flows, &left.inputs, Some(&left.choices));
        let residual = settle(&sweep, &mut state, SWEEPS_MAX).ok_or(NoSolution::Saturated)?;
        if residual >= SWEEP_TOLERANCE {
            return Err(NoSolution::NotSettled { iterations: SWEEPS_MAX, residual });
        }
        Ok(Chosen { left, state })
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

/// Renews all holds until they settle, in `sweeps` sweeps at most; returns by how much they changed last, or `None`
/// where an output overflows.
fn settle(sweep: &Sweep<'_>, state: &mut State, sweeps: u32) -> Option<f64> {
    let mut residual = f64::INFINITY;
    for _ in 0..sweeps {
        sweep.alone(state);
        let slowed = sweep.slowed(state);
        residual = sweep.all(state)?.max(slowed);
        if residual < SWEEP_TOLERANCE {
            break;
        }
    }
    Some(residual)
}

/// What heads find at each server.
fn offered(folded: &Folded, state: &State) -> Vec<Offer> {
    let offer = |&server: &u32| {
        let server = server as usize;
        let (mut all, mut sum) = (0.0, 0.0);
        for place in folded.inputs.places(server) {
            let share = folded.inputs.all[place].share;
            all += share;
            sum += share * state.crossings[place].wait.whole;
        }
        let wait = if all > 0.0 { sum / all } else { 0.0 };
        Offer { blocked: state.blocked[server], wait }
    };
    folded.servers.iter().map(offer).collect()
}

/// What heads find at all servers, as far as is known.
#[derive(Default)]
struct Offers {
    all: Vec<Offer>,
    strides: Vec<Stride>,
}

impl Offers {
    /// Goes towards what follows from them; the largest change of a probability that all of the way would be.
    fn renew(&mut self, new: Vec<Offer>) -> f64 {
        if self.all.is_empty() {
            self.strides = vec![Stride::default(); new.len()];
            self.all = new;
            return f64::INFINITY;
        }
        let mut change = 0.0f64;
        for ((offer, new), stride) in self.all.iter_mut().zip(new).zip(&mut self.strides) {
            let way = new.blocked - offer.blocked;
            change = change.max(way.abs());
            let part = stride.part(offer.blocked, way);
            offer.blocked += part * way;
            offer.wait += part * (new.wait - offer.wait);
        }
        change
    }
}

/// The part of the way that a probability goes: to where a secant through the last two has none left, within bounds.
#[derive(Clone, Copy)]
struct Stride {
    part: f64,
    /// The probability before, and the way that was left.
    before: Option<(f64, f64)>,
}

impl Default for Stride {
    fn default() -> Self {
        Self { part: 0.5, before: None }
    }
}

impl Stride {
    const LEAST: f64 = 0.1;
    const MOST: f64 = 0.8;

    fn part(&mut self, at: f64, way: f64) -> f64 {
        if let Some((before, left)) = self.before.replace((at, way)) {
            let secant = (at - before) / (left - way);
            if secant > 0.0 && secant.is_finite() {
                self.part = secant.clamp(Self::LEAST, Self::MOST);
            }
        }
        self.part
    }
}
