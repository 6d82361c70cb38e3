//! The sweep: holds and waits from the destinations back to the sources.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | h | `State::holds` | time for which a VC is held: passing, waits further on, sharing | cycles |
//! | W | `Crossing::wait` | wait of a stream for an output | cycles |
//! | s | `Crossing::sharing` | what messages take longer because others share the channel | cycles |
//! | – | `Ahead` | waits and sharing further on, for the latency | cycles |
//! | – | `State::horizon` | waits by the number of channels further on, for the hold | cycles |

use super::arrivals::Arrivals;
use super::inputs::{Input, Inputs};
use super::machine::Machine;
use super::output::{Output, Wait};
use super::routes::Flows;
use super::servers::{Resource, Source, Step};
use super::{ChannelFlow, Terminals};
use crate::model::fixed_point::NoSolution;
use crate::model::queue::{Moments, mean_wait};
use crate::model::{Prediction, Prepared, Unsolved, prediction, sharing, terms};
use crate::units::Rate;

/// By how much more than at random a message meets others with whom it shares a channel when it
/// follows one of its stream: fitted to simulations.
const FOLLOWING: f64 = 1.5;

/// The part of the sharing further on for which a channel is held longer: buffers take up the rest.
/// Fitted to simulations.
const HELD: f64 = 0.5;

/// What lies behind an output.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Ahead {
    waiting: f64,
    sharing: f64,
}

/// What a stream meets at an output.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Crossing {
    wait: Wait,
    sharing: f64,
}

/// What is known so far, by output and by stream.
struct State {
    ahead: Vec<Ahead>,
    holds: Vec<Moments>,
    crossings: Vec<Crossing>,
    /// [`Machine::reach`] waits by output.
    horizon: Vec<Wait>,
    /// Of the streams of one output; storage.
    waits: Vec<Wait>,
}

/// The wait at the source, blocking, transfer and sharing of a latency, in cycles.
type Parts = [f64; 4];

/// The equations for one system.
#[derive(Clone, Debug)]
pub struct Sources {
    model: ChannelFlow,
    machine: Machine,
    arrivals: Arrivals,
    flows: Flows,
    inputs: Inputs,
    /// The largest λ/`λ_node` of anything that carries one flit per cycle.
    busiest: f64,
}

impl Sources {
    pub(super) fn new(
        mut flows: Flows,
        machine: Machine,
        arrivals: Arrivals,
        model: ChannelFlow,
    ) -> Self {
        let inputs = Inputs::of(&mut flows);
        let mut all = Self { model, machine, arrivals, flows, inputs, busiest: 0.0 };
        let Flows { servers, sources, links } = &all.flows;
        let waiting = servers.iter().filter(|server| all.waits(server.resource));
        let shares = waiting.map(|server| server.share);
        let shares = shares.chain(sources.iter().map(|source| source.share));
        all.busiest = shares.chain(links.iter().map(|link| link.0)).fold(0.0, f64::max);
        all
    }

    fn waits(&self, resource: Resource) -> bool {
        let ejection_waits = Terminals::Channels { ejection_waits: true };
        matches!(resource, Resource::Link(..)) || self.model.terminals == ejection_waits
    }

    /// Mean wait for older messages of the same source that go elsewhere: flits leave it one per cycle,
    /// the oldest message's first. The queue M/G/1 of those messages alone.
    fn injection(&self, rate: f64, input: &Input) -> Option<f64> {
        if self.model.terminals != Terminals::Direct || !input.from_source {
            return Some(0.0);
        }
        let flits = self.machine.flits();
        let rate = rate * input.rest;
        mean_wait(rate * flits.mean, rate * flits.square)
    }

    /// Every output at `rate`, what is ahead first; `None` where one overflows.
    fn sweep(&self, rate: f64) -> Option<State> {
        // No channel carries more than a flit per cycle, whatever its classes.
        if rate * self.busiest * self.machine.length >= 1.0 {
            return None;
        }
        let (outputs, streams) = (self.flows.servers.len(), self.inputs.all.len());
        let mut state = State {
            ahead: vec![Ahead::default(); outputs],
            holds: vec![Moments::NONE; outputs],
            crossings: vec![Crossing::default(); streams],
            horizon: vec![Wait::default(); outputs * self.machine.reach],
            waits: Vec::new(),
        };
        for output in 0..outputs {
            if self.waits(self.flows.servers[output].resource) {
                self.output(rate, output, &mut state)?;
            }
        }
        Some(state)
    }

    /// One output, of which everything ahead is known.
    fn output(&self, rate: f64, output: usize, state: &mut State) -> Option<()> {
        let Machine { length, reach, .. } = self.machine;
        let server = &self.flows.servers[output];
        let (before, horizon) = state.horizon.split_at_mut(output * reach);
        let mut ahead = Ahead::default();
        for &Step { to, share, place } in &server.next {
            let (share, to) = (share / server.share, to as usize);
            let Crossing { wait, sharing } = state.crossings[place as usize];
            ahead.waiting += share * (wait.mean + state.ahead[to].waiting);
            ahead.sharing += share * (sharing + state.ahead[to].sharing);
            let further = std::iter::once(&wait).chain(&before[to * reach..]);
            for (sum, wait) in horizon[..reach].iter_mut().zip(further) {
                sum.mean += share * wait.mean;
                sum.square += share * wait.square;
            }
        }
        state.ahead[output] = ahead;
        let (delay, lingering) = self.machine.delay(&horizon[..reach]);
        let vcs = match server.resource {
            Resource::Link(_, vcs) => vcs.count_ones(),
            Resource::Ejection(_) => 1,
        };
        let places = self.inputs.places(output);
        let inputs = &self.inputs.all[places.clone()];
        let crossings = &mut state.crossings[places];
        let mut own = HELD * ahead.sharing;
        let crowd: f64 = inputs.iter().map(|input| crowd(rate * length * input.share)).sum();
        for (input, crossing) in inputs.iter().zip(&mut *crossings) {
            // Its own flits come one after the other; at their source they do not.
            let flits = if input.from_source { 0.0 } else { rate * length * input.share };
            let met = (1.0 - (1.0 - crowd) * (1.0 + flits)).max(0.0);
            let met = (met * (1.0 + FOLLOWING * flits)).min(0.999);
            // Dally's chain of VCs in use: met + met² + … of the other VCs.
            let chain = (met - met.powf(f64::from(vcs))) / (1.0 - met);
            crossing.sharing = length * (chain + rate * length * input.others);
            let injection = self.injection(rate, input)?;
            own += input.share / server.share * (crossing.sharing + injection);
        }
        let base = self.machine.passing + self.model.hold_offset + delay.mean + own;
        let hold = Moments::with_variance(base, self.machine.variance + delay.square);
        state.holds[output] = hold;
        let vcs = f64::from(vcs);
        state.waits.clear();
        state.waits.resize(inputs.len(), Wait::default());
        let loads = inputs.iter().map(|input| rate * input.share * hold.mean / vcs);
        Output { vcs, hold, lingering: lingering.max(0.0) }.waits(loads, &mut state.waits)?;
        for (crossing, &wait) in crossings.iter_mut().zip(&state.waits) {
            crossing.wait = wait;
        }
        Some(())
    }

    fn prediction(&self, [source, blocking, transfer, shared]: Parts, hops: f64) -> Prediction {
        let mut terms = terms(source, blocking, transfer);
        terms.extend(self.machine.shared.then(|| sharing(shared)));
        prediction(terms, hops, 1)
    }

    /// The latency of one source's messages, part by part; `None` where its queue overflows.
    fn source(&self, rate: f64, source: &Source, state: &State) -> Option<Parts> {
        let mut parts = Parts::default();
        let transfer = self.machine.passing + source.hops - 1.0 + self.machine.end;
        let all = rate * source.share;
        // Of all its messages, and the same of Poisson arrivals: what bursts add to injection.
        let flits = self.machine.flits();
        let bursts = if self.arrivals.in_bursts() {
            let poisson = mean_wait(all * flits.mean, all * flits.square)?;
            self.arrivals.wait(1.0, all, flits, 1.0)? - poisson
        } else {
            0.0
        };
        let mut service = Moments::NONE;
        for &Step { to, share, place } in &source.next {
            let (part, to) = (share / source.share, to as usize);
            let (hold, ahead) = (state.holds[to], state.ahead[to]);
            let Crossing { wait, sharing } = state.crossings[place as usize];
            parts[3] += part * (sharing + ahead.sharing);
            let first = Moments { mean: wait.mean, square: wait.square };
            let mut here = first.and_then(hold);
            if self.model.terminals == Terminals::Direct {
                let server = &self.flows.servers[to];
                let Resource::Link(_, vcs) = server.resource else { continue };
                let vcs = f64::from(vcs.count_ones());
                let mut injection = self.injection(rate, &self.inputs.all[place as usize])?;
                // The hold of the output has its part of this.
                let held = injection * share / server.share;
                injection += bursts * if vcs > 1.0 { 1.0 } else { 1.0 - part };
                let mean = here.mean + injection - held;
                let variation = here.variation();
                here = Moments::with_variance(mean, variation * mean * mean);
                let own = self.arrivals.wait(part, rate * share, here, vcs)?;
                parts[0] += part * (own + injection + wait.mean);
                parts[1] += part * ahead.waiting;
            } else {
                service.mix(part, here);
                parts[1] += part * (wait.mean + ahead.waiting);
            }
        }
        if self.model.terminals != Terminals::Direct {
            parts[0] = self.arrivals.wait(1.0, all, service, 1.0)?;
        }
        parts[2] = transfer;
        Some(parts)
    }

    fn sources(&self, rate: f64) -> Option<Vec<Option<Parts>>> {
        let state = self.sweep(rate)?;
        let of = |source: &Source| match source.share {
            ..=0.0 => Some(None),
            _ => self.source(rate, source, &state).map(Some),
        };
        self.flows.sources.iter().map(of).collect()
    }

    /// The prediction for each source at `rate`, by node id; `None` for a node that sends nothing.
    pub fn by_source(&self, rate: Rate) -> Result<Vec<Option<Prediction>>, Unsolved> {
        let parts = self.sources(rate.0).ok_or(Unsolved::Saturated { rate })?;
        let of =
            |(source, parts): (&Source, Option<Parts>)| Some(self.prediction(parts?, source.hops));
        Ok(self.flows.sources.iter().zip(parts).map(of).collect())
    }
}

/// Of a stream that carries this many flits per cycle, its part of S ([`super::output`]).
fn crowd(flits: f64) -> f64 {
    flits / (1.0 + flits)
}

impl Prepared for Sources {
    /// Every source weighted with the messages it sends.
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let sources = self.sources(rate).ok_or(NoSolution::Saturated)?;
        let sent: f64 = self.flows.sources.iter().map(|source| source.share).sum();
        let (mut mean, mut hops) = (Parts::default(), 0.0);
        for (source, parts) in self.flows.sources.iter().zip(sources) {
            let Some(parts) = parts else { continue };
            let weight = source.share / sent;
            hops += weight * source.hops;
            mean.iter_mut().zip(parts).for_each(|(mean, part)| *mean += weight * part);
        }
        Ok(self.prediction(mean, hops))
    }

    fn overflow(&self) -> f64 {
        1.0 / (self.busiest * self.machine.length)
    }

    fn rate_tolerance(&self) -> f64 {
        1e-5
    }

    fn utilisation(&self, Rate(rate): Rate) -> Option<Vec<f64>> {
        let length = self.machine.length;
        Some(self.flows.links.iter().map(|(share, _)| rate * share * length).collect())
    }
}
