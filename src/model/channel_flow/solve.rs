//! The solution: all sweeps and choices together, and the latency of every source.

use std::borrow::Cow;

use super::arrivals::Arrivals;
use super::choice::Choices;
use super::inputs::Inputs;
use super::machine::Machine;
use super::routes::Flows;
use super::routes::adaptive::Ways;
use super::servers::{Resource, Source, Step};
use super::state::{Crossing, State};
use super::sweep::Sweep;
use super::{ChannelFlow, Terminals};
use crate::model::fixed_point::NoSolution;
use crate::model::queue::Moments;
use crate::model::{Prediction, Prepared, Unsolved, prediction, sharing, terms};
use crate::units::Rate;

/// Rounds in which choices and flows are renewed, and the change of a probability at which they end.
const CHOICES: u32 = 12;
const CHOICE_TOLERANCE: f64 = 0.01;

/// Rounds in which holds are renewed where they depend on each other in circles, and the relative
/// change at which they end.
const SWEEPS: u32 = 200;
const SWEEP_TOLERANCE: f64 = 1e-3;

/// The wait at the source, blocking, transfer and sharing of a latency, in cycles.
type Parts = [f64; 4];

/// Flows, choices and waits that fit together.
type Chosen = (Flows, Inputs, Choices, State);

/// How messages find their way.
#[derive(Clone, Debug)]
enum Way {
    Fixed(Box<Flows>, Inputs),
    Chosen(Box<Ways>),
}

/// The equations for one system.
#[derive(Clone, Debug)]
pub struct Sources {
    model: ChannelFlow,
    machine: Machine,
    arrivals: Arrivals,
    ways: Way,
    /// The largest λ/`λ_node` of anything that carries one flit per cycle and that no choice relieves.
    busiest: f64,
}

impl Sources {
    pub(super) fn fixed(
        mut flows: Flows,
        machine: Machine,
        arrivals: Arrivals,
        model: ChannelFlow,
    ) -> Self {
        let inputs = Inputs::of(&mut flows);
        let Flows { servers, sources, links } = &flows;
        let waiting = servers.iter().filter(|server| model.waits_at(server.resource));
        let shares = waiting.map(|server| server.share);
        let shares = shares.chain(sources.iter().map(|source| source.share));
        let busiest = shares.chain(links.iter().map(|link| link.0)).fold(0.0, f64::max);
        Self { model, machine, arrivals, ways: Way::Fixed(Box::new(flows), inputs), busiest }
    }

    pub(super) fn chosen(
        ways: Ways,
        machine: Machine,
        arrivals: Arrivals,
        model: ChannelFlow,
    ) -> Self {
        let flows = ways.flows(&Choices::even(&ways).parts);
        let ends = flows.servers.iter().filter(|server| {
            matches!(server.resource, Resource::Ejection(_)) && model.waits_at(server.resource)
        });
        let shares = ends.map(|server| server.share);
        let busiest = shares.chain(flows.sources.iter().map(|it| it.share)).fold(0.0, f64::max);
        Self { model, machine, arrivals, ways: Way::Chosen(Box::new(ways)), busiest }
    }

    fn prediction(&self, [source, blocking, transfer, shared]: Parts, hops: f64) -> Prediction {
        let mut terms = terms(source, blocking, transfer);
        let shares = self.machine.vcs > 1.0 || self.machine.shared_exit;
        terms.extend(shares.then(|| sharing(shared)));
        prediction(terms, hops, 1)
    }

    /// The latency of one source's messages, part by part; `None` where its queue overflows.
    fn source(&self, sweep: &Sweep<'_>, source: &Source, state: &mut State) -> Option<Parts> {
        let rate = sweep.rate;
        let mut parts = Parts::default();
        let transfer = self.machine.passing + source.hops - 1.0 + self.machine.end;
        let all = rate * source.share;
        let flits = self.machine.flits();
        let injected = self.arrivals.wait(1.0, all, flits, 1.0)?;
        // The same where all of a source's messages share what it emits.
        let random = Moments::with_variance(flits.mean, flits.mean * flits.mean);
        let shared = self.arrivals.wait(1.0, all, random, 1.0)?;
        let mut service = Moments::NONE;
        sweep.met(&source.next, &source.choices, state);
        for (&Step { to, share, place }, wait) in source.next.iter().zip(&state.met) {
            let (part, to) = (share / source.share, to as usize);
            let (hold, ahead) = (state.holds[to], state.ahead[to]);
            let Crossing { sharing, .. } = state.crossings[place as usize];
            parts[3] += part * (sharing + ahead.sharing);
            let first = Moments { mean: wait.mean, square: wait.square };
            let here = first.and_then(hold);
            if self.model.terminals == Terminals::Direct {
                let server = &sweep.flows.servers[to];
                let Resource::Link(_, vcs) = server.resource else { continue };
                let vcs = f64::from(vcs.count_ones());
                let own = |service| self.arrivals.wait(part, rate * share, service, vcs);
                // What the hold has of the wait for the source's other flits is in `injected`.
                let input = &sweep.inputs.all[place as usize];
                let held = sweep.injection(input, vcs)? * share / server.share;
                let variance = here.variation() * here.mean * here.mean;
                let here = Moments::with_variance((here.mean - held).max(flits.mean), variance);
                let beyond = own(here)? - own(flits)?;
                // Those to one channel share it flit by flit as far as it has VCs.
                let alike = part * (1.0 - (rate * share * flits.mean).powf(vcs - 1.0));
                let injected = injected + alike * (shared - injected);
                parts[0] += part * (injected + beyond.max(0.0) + wait.mean);
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

    /// The latency parts of all sources, and how messages flow.
    fn sources(&self, rate: f64) -> Result<(Vec<Option<Parts>>, Cow<'_, Flows>), NoSolution> {
        let (flows, all) = match &self.ways {
            Way::Fixed(flows, inputs) => {
                let sweep = self.sweep(rate, flows, inputs, None);
                let mut state = sweep.empty();
                sweep.all(&mut state).ok_or(NoSolution::Saturated)?;
                (Cow::Borrowed(&**flows), self.each(&sweep, &mut state))
            }
            Way::Chosen(ways) => {
                let (flows, inputs, choices, mut state) = self.choose(ways, rate)?;
                let sweep = self.sweep(rate, &flows, &inputs, Some(&choices));
                let all = self.each(&sweep, &mut state);
                (Cow::Owned(flows), all)
            }
        };
        Ok((all.ok_or(NoSolution::Saturated)?, flows))
    }

    fn each(&self, sweep: &Sweep<'_>, state: &mut State) -> Option<Vec<Option<Parts>>> {
        let of = |source: &Source| match source.share {
            ..=0.0 => Some(None),
            _ => self.source(sweep, source, state).map(Some),
        };
        sweep.flows.sources.iter().map(of).collect()
    }

    fn sweep<'a>(
        &'a self,
        rate: f64,
        flows: &'a Flows,
        inputs: &'a Inputs,
        choices: Option<&'a Choices>,
    ) -> Sweep<'a> {
        let Self { model, ref machine, ref arrivals, .. } = *self;
        Sweep { model, machine, flows, inputs, arrivals, choices, rate }
    }

    /// Flows, choices and waits that fit together: choices by what is free, flows by choices, holds and
    /// waits by flows, over and over.
    fn choose(&self, ways: &Ways, rate: f64) -> Result<Chosen, NoSolution> {
        let mut choices = Choices::even(ways);
        let mut settled: Option<Chosen> = None;
        for _ in 0..CHOICES {
            let mut flows = ways.flows(&choices.parts);
            let inputs = Inputs::of(&mut flows);
            let sweep = self.sweep(rate, &flows, &inputs, Some(&choices));
            let mut state = sweep.empty();
            if let Some((.., before)) = &settled {
                state.begin_as(before);
            }
            if settle(&sweep, &mut state)?.is_none() {
                // What was preferred is overrun: less of it.
                let Some((.., last, _)) = &settled else { return Err(NoSolution::Saturated) };
                choices.mix(last, 0.5);
                continue;
            }
            let renewed = Choices::free(ways, &flows, &inputs, &state);
            let used = choices.clone();
            let change = choices.mix(&renewed, 0.5);
            settled = Some((flows, inputs, used, state));
            if change < CHOICE_TOLERANCE {
                break;
            }
        }
        settled.ok_or(NoSolution::Saturated)
    }

    /// The prediction for each source at `rate`, by node id; `None` for a node that sends nothing.
    pub fn by_source(&self, rate: Rate) -> Result<Vec<Option<Prediction>>, Unsolved> {
        let (parts, flows) = self.sources(rate.0).map_err(|why| why.at(rate))?;
        let of =
            |(source, parts): (&Source, Option<Parts>)| Some(self.prediction(parts?, source.hops));
        Ok(flows.sources.iter().zip(parts).map(of).collect())
    }
}

/// Renews all holds until they stay; `Some(None)` where an output overflows.
fn settle(sweep: &Sweep<'_>, state: &mut State) -> Result<Option<()>, NoSolution> {
    let mut residual = f64::INFINITY;
    for _ in 0..SWEEPS {
        let Some(change) = sweep.all(state) else { return Ok(None) };
        residual = change;
        if residual < SWEEP_TOLERANCE {
            return Ok(Some(()));
        }
    }
    Err(NoSolution::NotSettled { iterations: SWEEPS, residual })
}

impl Prepared for Sources {
    /// Every source weighted with the messages it sends.
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let (sources, flows) = self.sources(rate)?;
        let sent: f64 = flows.sources.iter().map(|source| source.share).sum();
        let (mut mean, mut hops) = (Parts::default(), 0.0);
        for (source, parts) in flows.sources.iter().zip(sources) {
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
        match self.ways {
            Way::Fixed(..) => 1e-5,
            Way::Chosen(_) => 4e-3,
        }
    }

    fn utilisation(&self, Rate(rate): Rate) -> Option<Vec<f64>> {
        let length = self.machine.length;
        let (_, flows) = self.sources(rate).ok()?;
        Some(flows.links.iter().map(|(share, _)| rate * share * length).collect())
    }
}
