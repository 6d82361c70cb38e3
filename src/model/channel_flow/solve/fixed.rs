//! Under fixed routes: holds and waits, and the ages of messages that fit them.

use super::super::inputs::Inputs;
use super::super::routes::Flows;
use super::super::state::State;
use super::super::sweep::Sweep;
use super::Sources;
use super::climb::{lower, steps};

impl Sources {
    /// What is known of outputs and streams; `None` where a queue overflows, or nobody wants it any longer.
    pub(super) fn follow(&self, flows: &Flows, inputs: &Inputs, rate: f64) -> Option<State> {
        let at = |rate| self.sweep(rate, flows, inputs, None);
        let sweep = at(rate);
        if !self.machine.oldest_first {
            return in_order(&sweep);
        }
        let mut state = in_order(&sweep).or_else(|| self.climb(at, rate))?;
        self.ages(&sweep, &mut state);
        sweep.all(&mut state)?;
        Some(state)
    }

    /// Where queues overflow in order of arrival but perhaps not where the oldest go first: ages at a lower
    /// rate, from which those at the whole rate follow step by step.
    fn climb<'a>(&self, at: impl Fn(f64) -> Sweep<'a>, rate: f64) -> Option<State> {
        let (part, mut state) =
            lower().find_map(|part| Some((part, in_order(&at(rate * part))?)))?;
        for part in steps(part) {
            let sweep = at(rate * part);
            self.ages(&sweep, &mut state);
            renew(&sweep, &mut state)?;
        }
        Some(state)
    }
}

/// With messages served in the order in which they come.
fn in_order(sweep: &Sweep<'_>) -> Option<State> {
    let mut state = sweep.empty();
    sweep.bursts(&mut state);
    renew(sweep, &mut state)?;
    Some(state)
}

/// Renews all outputs, and again where flits come late.
fn renew(sweep: &Sweep<'_>, state: &mut State) -> Option<()> {
    sweep.all(state)?;
    let late = sweep.standing(state)?;
    if late.max(sweep.slowed(state)) > 0.0 {
        sweep.all(state)?;
    }
    Some(())
}
