//! Holds and waits from the destinations back to the sources.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | h | `State::holds` | time for which a VC is held: passing, waits further on, sharing | cycles |
//! | W | `Crossing::wait` | wait of a stream for an output | cycles |
//! | s | `Crossing::sharing` | what messages take longer because others share the channel | cycles |
//! | – | `Ahead` | waits and sharing further on, for the latency | cycles |
//! | – | `State::horizon` | waits by the number of channels further on, for the hold | cycles |

use super::arrivals::Arrivals;
use super::choice::Choices;
use super::inputs::{Input, Inputs};
use super::machine::Machine;
use super::output::{Output, Wait};
use super::routes::Flows;
use super::servers::{Resource, Step};
use super::state::{Ahead, Crossing, State};
use super::{ChannelFlow, Terminals};
use crate::model::queue::Moments;

/// By how much more than at random a message meets others with whom it shares a channel when it
/// follows one of its stream: fitted to simulations.
const FOLLOWING: f64 = 1.5;

/// The part of the sharing further on for which a channel is held longer: buffers take up the rest.
/// Fitted to simulations.
const HELD: f64 = 0.5;

/// The equations of all outputs at one rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep<'a> {
    pub model: ChannelFlow,
    pub machine: &'a Machine,
    pub flows: &'a Flows,
    pub inputs: &'a Inputs,
    pub arrivals: &'a Arrivals,
    /// Where heads choose.
    pub choices: Option<&'a Choices>,
    pub rate: f64,
}

impl Sweep<'_> {
    /// How long a message has a VC of its first channel before its flits leave the source, which sends
    /// one per cycle, the oldest message's first: for messages that go elsewhere, and, as far as
    /// there are VCs for more than one of its stream, for those too.
    pub fn injection(&self, input: &Input, vcs: f64) -> Option<f64> {
        if self.model.terminals != Terminals::Direct || !input.from_source {
            return Some(0.0);
        }
        let flits = self.machine.flits();
        let all = input.rest + input.share;
        let wait = |share: f64| self.arrivals.wait(share / all, self.rate * share, flits, 1.0);
        let (rest, all) = (wait(input.rest)?, wait(all)?);
        let present = self.rate * input.share * (all + flits.mean);
        let crowded = (present / (1.0 + present)).powf(vcs - 1.0);
        Some(rest + (all - rest) * (1.0 - crowded))
    }

    /// Where nobody waits.
    pub fn empty(&self) -> State {
        State::empty(self.flows.servers.len(), self.inputs.all.len(), self.machine.reach)
    }

    /// Every output once, in order; the largest change of a hold. `None` where one overflows.
    pub fn all(&self, state: &mut State) -> Option<f64> {
        // No channel carries more than a flit per cycle, whatever its classes.
        let busiest = self.flows.links.iter().map(|link| link.0).fold(0.0, f64::max);
        if self.rate * busiest * self.machine.length >= 1.0 {
            return None;
        }
        let mut change = 0.0f64;
        for (output, server) in self.flows.servers.iter().enumerate() {
            if server.share > 0.0 && self.model.waits_at(server.resource) {
                change = change.max(self.output(output, state)?);
            } else if server.share > 0.0 && self.machine.shared_exit {
                self.exit(output, state)?;
            }
        }
        Some(change)
    }

    /// An ejection where all worms share a flit per cycle.
    fn exit(&self, output: usize, state: &mut State) -> Option<()> {
        let places = self.inputs.places(output);
        let flits = |input: &Input| self.rate * self.machine.length * input.share;
        let inputs = &self.inputs.all[places.clone()];
        if inputs.iter().map(flits).sum::<f64>() >= 1.0 {
            return None;
        }
        let all: f64 = inputs.iter().map(|input| crowd(flits(input))).sum();
        for (input, crossing) in inputs.iter().zip(&mut state.crossings[places]) {
            let met = met(all, flits(input));
            crossing.sharing = self.machine.length * self.chain(met, f64::INFINITY);
        }
        Some(())
    }

    /// Writes the waits of messages that go on by these steps.
    pub fn met(&self, next: &[Step], choices: &[(u32, f64)], state: &mut State) {
        let State { met, crossings, .. } = state;
        met.clear();
        met.extend(next.iter().map(|step| crossings[step.place as usize].wait));
        if let Some(all) = self.choices {
            all.met(next, choices, met);
        }
    }

    /// Dally's chain of VCs in use, the message's own being one of them: met + met² + … of the others.
    fn chain(&self, met: f64, vcs: f64) -> f64 {
        (met.powf(self.machine.slots) - met.powf(vcs)).max(0.0) / (1.0 - met)
    }

    /// One output, from what is known of everything ahead; by how much its hold changes, as a part of it.
    fn output(&self, output: usize, state: &mut State) -> Option<f64> {
        let Self { rate, .. } = *self;
        let Machine { length, reach, .. } = *self.machine;
        let server = &self.flows.servers[output];
        let mut ahead = Ahead::default();
        let mut horizon = std::mem::take(&mut state.scratch);
        horizon.clear();
        horizon.resize(reach, Wait::default());
        self.met(&server.next, &server.choices, state);
        for (&Step { to, share, place }, wait) in server.next.iter().zip(&state.met) {
            let (share, to) = (share / server.share, to as usize);
            let Crossing { sharing, .. } = state.crossings[place as usize];
            ahead.waiting += share * (wait.mean + state.ahead[to].waiting);
            ahead.sharing += share * (sharing + state.ahead[to].sharing);
            let ends = matches!(self.flows.servers[to].resource, Resource::Ejection(_));
            ahead.exit += share * if ends { sharing } else { state.ahead[to].exit };
            let further = std::iter::once(wait).chain(&state.horizon[to * reach..]);
            for (sum, wait) in horizon.iter_mut().zip(further) {
                sum.mean += share * wait.mean;
                sum.square += share * wait.square;
            }
        }
        state.ahead[output] = ahead;
        let (delay, lingering) = self.machine.delay(&horizon);
        state.horizon[output * reach..][..reach].copy_from_slice(&horizon);
        state.scratch = horizon;
        let vcs = match server.resource {
            Resource::Link(_, vcs) => vcs.count_ones(),
            Resource::Ejection(_) => 1,
        };
        let places = self.inputs.places(output);
        let inputs = &self.inputs.all[places.clone()];
        let crossings = &mut state.crossings[places];
        let mut own = HELD * (ahead.sharing - ahead.exit);
        let crowd: f64 = inputs.iter().map(|input| crowd(rate * length * input.share)).sum();
        for (input, crossing) in inputs.iter().zip(&mut *crossings) {
            // Its own flits come one after the other; at their source they do not.
            let flits = rate * length * input.share;
            let met = met(crowd, flits);
            let unlike = (rate * length * input.others).min(0.999);
            let chain = if server.pooled {
                self.chain(unlike, self.machine.vcs)
            } else {
                let others = self.machine.vcs - f64::from(vcs) + 1.0;
                self.chain(met, f64::from(vcs)) + self.chain(unlike, others)
            };
            crossing.sharing = length * chain;
            let injection = self.injection(input, f64::from(vcs))?;
            own += input.share / server.share * (crossing.sharing + injection);
        }
        let base = self.machine.passing + self.model.hold_offset + delay.mean + own;
        let hold = Moments::with_variance(base, self.machine.variance + delay.square);
        let before = std::mem::replace(&mut state.holds[output], hold).mean;
        let vcs = f64::from(vcs);
        state.waits.clear();
        state.waits.resize(inputs.len(), Wait::default());
        let loads = inputs.iter().map(|input| rate * input.share * hold.mean / vcs);
        Output { vcs, hold, lingering: lingering.max(0.0) }.waits(loads, &mut state.waits)?;
        for (crossing, &wait) in crossings.iter_mut().zip(&state.waits) {
            crossing.wait = wait;
        }
        Some((hold.mean - before).abs() / hold.mean)
    }
}

/// Of a stream that carries this many flits per cycle, its part of S ([`super::output`]).
fn crowd(flits: f64) -> f64 {
    flits / (1.0 + flits)
}

/// m: the others that a message meets on a channel, of a stream with a number of flits per cycle.
fn met(crowd: f64, flits: f64) -> f64 {
    let met = (1.0 - (1.0 - crowd) * (1.0 + flits)).max(0.0);
    (met * (1.0 + FOLLOWING * flits)).min(0.999)
}
