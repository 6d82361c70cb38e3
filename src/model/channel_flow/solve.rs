//! Solves the model: the latency of every source.

use std::sync::{Arc, PoisonError, RwLock};

use super::arrivals::Arrivals;
use super::inputs::Inputs;
use super::machine::Machine;
use super::output::Wait;
use super::routes::{Flows, Link};
use super::servers::{Resource, Source, Step};
use super::state::{Crossing, State};
use super::sweep::Sweep;
use super::{ChannelFlow, Terminals};
use crate::ids::ChannelId;
use crate::model::fixed_point::NoSolution;
use crate::model::queue::Moments;
use crate::model::spread::{Part, Spread};
use crate::model::{Prediction, Prepared, Unsolved, cancellation, prediction, sharing, terms};
use crate::system::System;
use crate::units::Rate;

/// Mean number of delays per message, in units of m²/v for delays with total mean m and variance v:
/// the number of independent exponential times.
const OFTEN: f64 = 2.0;

/// Wait at the source, blocking, transfer and sharing of a latency, in cycles.
type Parts = [f64; 4];

/// The latency of one source's messages: by parts, and the excess over the minimum.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Latency {
    parts: Parts,
    least: f64,
    /// The excess over the minimum of undelayed and of delayed messages: their shares and moments.
    beyond: [(f64, Moments); 2],
}

/// The equations for one system.
#[derive(Clone, Debug)]
pub struct Sources {
    model: ChannelFlow,
    machine: Machine,
    arrivals: Arrivals,
    flows: Flows,
    inputs: Inputs,
    /// The largest λ/`λ_node` of any resource with a capacity of one flit per cycle.
    busiest: f64,
    /// The most recent rate, by its bits, and its solution: several results are usually computed at
    /// one rate.
    last: Arc<RwLock<Option<LastSolution>>>,
}

/// The latencies of all sources at one rate.
type Solution = Arc<Vec<Option<Latency>>>;

/// A rate by its bits, and its solution.
type LastSolution = (u64, Solution);

impl Sources {
    /// Sets up the equations of a model for a system.
    pub(super) fn of(model: ChannelFlow, system: &System) -> Result<Self, Unsolved> {
        let machine = Machine::of(system, model.constants);
        let arrivals = Arrivals::new(system.traffic.process);
        let mut flows = Flows::of(system)?;
        let inputs = Inputs::of(&mut flows, model.constants.alongside);
        let Flows { servers, sources, links } = &flows;
        let waiting = servers.iter().filter(|server| model.waits_at(server.resource));
        let shares = waiting.map(|it| it.share).chain(sources.iter().map(|source| source.share));
        let busiest = shares.chain(links.iter().map(|link| link.share)).fold(0.0, f64::max);
        Ok(Self { model, machine, arrivals, flows, inputs, busiest, last: Arc::default() })
    }

    fn prediction(&self, [source, blocking, transfer, shared]: Parts, hops: f64) -> Prediction {
        let mut terms = terms(source, blocking, transfer);
        let shares = self.machine.vcs > 1.0 || self.machine.shared_exit;
        terms.extend(shares.then(|| sharing(shared)));
        prediction(terms, hops, 1)
    }

    /// The latency of one source's messages, by parts; `None` if its queue overflows.
    fn source(&self, sweep: &Sweep<'_>, source: &Source, state: &mut State) -> Option<Latency> {
        let Machine { passing, end, slower, .. } = self.machine;
        let mut parts = Parts::default();
        let (mut service, mut short) = (Moments::NONE, 0.0);
        let (mut time, mut ways, mut further) = (Moments::NONE, Moments::NONE, 0.0);
        // The messages over a channel, regardless of VCs.
        let on = |channel: ChannelId| {
            let over = |it: &&Step| {
                let resource = sweep.flows.servers[it.to as usize].resource;
                matches!(resource, Resource::Link(over, _) if over == channel)
            };
            source.next.iter().filter(over).map(|it| it.share).sum::<f64>()
        };
        let sent = sweep.rate * source.share;
        let queued = self.arrivals.spread(1.0, sent, self.machine.flits());
        for step in source.next.iter().filter(|step| step.share > 0.0) {
            let (part, ahead) = (step.share / source.share, state.ahead[step.to as usize]);
            let Crossing { wait, sharing, .. } = state.crossings[step.place as usize];
            ways.mix(part, ahead.ways);
            further += part * ahead.time.mean;
            parts[1] += part * ahead.waiting;
            parts[3] += part * (sharing * (1.0 - ahead.caught) + ahead.sharing);
            if self.model.terminals != Terminals::Direct {
                service.mix(part, self.injection(step, state));
                parts[1] += part * wait.mean;
                let here = wait.moments().and_then(self.machine.shared(sharing));
                time.mix(part, here.and_then(ahead.time));
            } else if let Resource::Link(channel, vcs) =
                sweep.flows.servers[step.to as usize].resource
            {
                let vcs = f64::from(vcs.count_ones());
                let [queue, shared] = self.leave(sweep, (source, step), vcs, state, &queued)?;
                parts[0] += part * (queue.mean + wait.mean);
                parts[3] += part * shared.mean;
                short += sweep.flows.links[channel.index()].short * step.share / on(channel);
                let here = wait.moments().and_then(self.machine.shared(sharing));
                let here = here.and_then(queue).and_then(shared);
                time.mix(part, here.and_then(ahead.time));
            }
        }
        if self.model.terminals != Terminals::Direct {
            parts[0] = self.arrivals.wait(1.0, sent, service, 1.0)?;
            time = time.and_then(self.arrivals.spread(1.0, sent, service)(parts[0]));
        }
        parts[2] = passing + source.hops.mean - 1.0 + end - short / source.share * slower;
        let least = self.machine.least + end;
        // Steps do not record the distance travelled, so they overestimate the variance of route
        // lengths.
        let each = if ways.mean > 0.0 { further / ways.mean } else { 1.0 };
        let known = ways.variance() - source.hops.variance();
        let variance = (time.variance() - each * each * known).max(0.0);
        let time = Moments::with_variance(time.mean, variance);
        let ways = Moments::with_variance(ways.mean, source.hops.variance());
        Some(Latency { parts, least, beyond: self.beyond(parts, least, time, ways) })
    }

    /// Computes [`Latency::beyond`] for these parts; waits, sharing and routes together take
    /// `time`.
    fn beyond(
        &self,
        parts: Parts,
        least: f64,
        time: Moments,
        ways: Moments,
    ) -> [(f64, Moments); 2] {
        let waits = parts[0] + parts[1] + parts[3];
        let variance = (time.variance() - ways.variance()).max(0.0);
        let all = Moments::with_variance(waits, variance);
        let delayed = if variance > 0.0 {
            // The moments limit the certainty of a delay.
            let part = -(-OFTEN * waits * waits / variance).exp_m1();
            part.max(waits * waits / all.square)
        } else {
            1.0
        };
        let free = Moments::with_variance((parts[2] - least).max(0.0), ways.variance());
        let of = |wait, sharing| {
            free.and_then(Moments::with_variance(0.0, self.machine.stretched(sharing)))
                .and_then(wait)
        };
        let wait = Moments { mean: all.mean / delayed, square: all.square / delayed };
        [(1.0 - delayed, of(Moments::NONE, 0.0)), (delayed, of(wait, parts[3] / delayed))]
    }

    /// The hold of the single VC of an injection channel.
    fn injection(&self, step: &Step, state: &mut State) -> Moments {
        let reach = self.machine.reach;
        let Crossing { wait, sharing, .. } = state.crossings[step.place as usize];
        state.scratch.clear();
        state.scratch.push(Wait { shared: sharing, ..wait });
        state.scratch.extend(&state.horizon[step.to as usize * reach..][..reach - 1]);
        let (delay, _) = self.machine.delay(&state.scratch);
        let felt = self.machine.constants.felt * delay.mean;
        let base = self.machine.passing + self.model.hold_offset + felt + delay.shared;
        Moments::with_variance(base, self.machine.stretched(delay.shared) + delay.square)
    }

    /// Without injection channels: the queueing time of messages on this step at their source, and
    /// the extra time because the source's output is shared. The queue for the output has the
    /// distribution `queued`.
    fn leave(
        &self,
        sweep: &Sweep<'_>,
        (source, step): (&Source, &Step),
        vcs: f64,
        state: &State,
        queued: &impl Fn(f64) -> Moments,
    ) -> Option<[Moments; 2]> {
        let &Step { to, share, place } = step;
        let (part, to) = (share / source.share, to as usize);
        let flits = self.machine.flits();
        let own = |service, vcs| self.arrivals.wait(part, sweep.rate * share, service, vcs);
        // The wait for the source's other flits, part of the hold, is already in the common queue.
        let Crossing { wait, injection: [others, alike], .. } = state.crossings[place as usize];
        let held = (others + alike) * share / sweep.flows.servers[to].share;
        // The source's own messages have no lag yet, unlike others on the channel.
        let held = held + state.lags[to];
        let hold = wait.moments().and_then(state.holds[to]);
        let hold = Moments::with_variance((hold.mean - held).max(flits.mean), hold.variance());
        let beyond = own(hold, vcs)? - own(flits, vcs)?;
        let queue = self.arrivals.wait(1.0, sweep.rate * source.share, flits, 1.0)?;
        // Messages to the same channel share the source up to its number of VCs.
        let random = Moments::with_variance(flits.mean, flits.mean * flits.mean);
        let present = own(random, 1.0)?;
        let present = present / (present + flits.mean);
        let alike = part * (1.0 - present.powf(vcs - 1.0));
        let shared = 2.0 / (1.0 + flits.variation()) * queue;
        // All messages wait here for a VC, not only one per VC; at least one of them waits for the
        // flits.
        let least = (wait.whole - wait.mean - part * (1.0 - alike) * queue).max(0.0);
        let beyond = if vcs > 1.0 { beyond.max(least) } else { beyond.max(0.0) };
        let mut all = queued((1.0 - alike) * queue + beyond);
        if beyond > 0.0 && sweep.rate * share * hold.mean < vcs {
            let for_vcs = self.arrivals.spread(part, sweep.rate * share / vcs, hold)(all.mean);
            let wider = beyond / (queue + beyond);
            all.square += wider * (for_vcs.square - all.square);
        }
        Some([all, queued(alike * shared)])
    }

    fn solve_sources(&self, rate: f64) -> Option<Solution> {
        let Self { model, ref machine, ref flows, ref inputs, ref arrivals, .. } = *self;
        let sweep = Sweep { model, machine, flows, inputs, arrivals, rate };
        let mut state = sweep.solve()?;
        let of = |source: &Source| match source.share {
            ..=0.0 => Some(None),
            _ => self.source(&sweep, source, &mut state).map(Some),
        };
        flows.sources.iter().map(of).collect::<Option<Vec<_>>>().map(Arc::new)
    }

    /// The latencies of all sources.
    fn sources(&self, rate: f64) -> Result<Solution, NoSolution> {
        let known = self.last.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, solution)) = known.filter(|it| it.0 == rate.to_bits()) {
            return Ok(solution);
        }
        let Some(solution) = self.solve_sources(rate) else {
            let given_up = cancellation::is_cancelled();
            return Err(if given_up { NoSolution::GivenUp } else { NoSolution::Saturated });
        };
        let mut last = self.last.write().unwrap_or_else(PoisonError::into_inner);
        *last = Some((rate.to_bits(), Arc::clone(&solution)));
        Ok(solution)
    }

    /// The prediction for each source at `rate`, by node id; `None` for a node that sends nothing.
    pub fn by_source(&self, rate: Rate) -> Result<Vec<Option<Prediction>>, Unsolved> {
        let solution = self.sources(rate.0).map_err(|why| why.at(rate))?;
        let of = |(source, found): (&Source, &Option<Latency>)| {
            Some(self.prediction(found.as_ref()?.parts, source.hops.mean))
        };
        Ok(self.flows.sources.iter().zip(&*solution).map(of).collect())
    }
}

impl Prepared for Sources {
    /// The mean prediction over all sources, weighted by their messages.
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let solution = self.sources(rate)?;
        let sources = &self.flows.sources;
        let sent: f64 = sources.iter().map(|source| source.share).sum();
        let (mut mean, mut hops, mut all) = (Parts::default(), 0.0, Vec::new());
        for (source, found) in sources.iter().zip(&*solution) {
            let Some(Latency { parts, least, beyond }) = *found else { continue };
            let share = source.share / sent;
            hops += share * source.hops.mean;
            mean.iter_mut().zip(parts).for_each(|(mean, part)| *mean += share * part);
            let parts = beyond.map(|(part, beyond)| Part { share: share * part, least, beyond });
            all.extend(parts.into_iter().filter(|part| part.share > 0.0));
        }
        Ok(Prediction { spread: Some(Spread::of(all)), ..self.prediction(mean, hops) })
    }

    fn overflow(&self) -> f64 {
        1.0 / (self.busiest * self.machine.length)
    }

    fn rate_tolerance(&self) -> f64 {
        1e-4
    }

    fn utilisation(&self, Rate(rate): Rate) -> Option<Vec<f64>> {
        let used = |link: &Link| rate * link.share * self.machine.length;
        (rate < self.overflow()).then(|| self.flows.links.iter().map(used).collect())
    }
}

#[cfg(test)]
mod tests;
