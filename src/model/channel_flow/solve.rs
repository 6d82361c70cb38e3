//! The solution: all sweeps and choices together, and the latency of every source.

mod choose;
mod fixed;
mod solution;

use std::sync::{Arc, RwLock};

use self::choose::Chosen;
use self::solution::Solution;
use super::arrivals::Arrivals;
use super::choice::Choices;
use super::fitted;
use super::images;
use super::inputs::Inputs;
use super::machine::Machine;
use super::output::Wait;
use super::routes::Flows;
use super::routes::adaptive::Ways;
use super::servers::{Resource, Source, Step};
use super::state::{Crossing, State};
use super::sweep::Sweep;
use super::{ChannelFlow, Terminals};
use crate::ids::ChannelId;
use crate::model::fixed_point::NoSolution;
use crate::model::queue::Moments;
use crate::model::spread::{Part, Spread};
use crate::model::{Prediction, Prepared, Unsolved, prediction, sharing, terms};
use crate::system::System;
use crate::units::Rate;

/// How many delays a message meets on average if they have mean m and variance v together, in units of m²/v:
/// of independent exponential times.
const OFTEN: f64 = 2.0;

/// The wait at the source, blocking, transfer and sharing of a latency, in cycles.
type Parts = [f64; 4];

/// The latency of one source's messages, by parts and beyond the least there is.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Latency {
    parts: Parts,
    least: f64,
    /// Beyond the least, of the messages that nothing delays and of the others: their share and their moments.
    beyond: [(f64, Moments); 2],
}

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
    /// By channel, the messages that cross no other, where they are faster.
    short: Vec<f64>,
    /// Where images are left out, by node: the source that says what holds there.
    stands: Option<Vec<u32>>,
    /// The last rate that was solved, by its bits, with the solution: several questions are asked of one rate.
    last: Arc<RwLock<Option<LastSolution>>>,
}

/// A rate by its bits, and the solution there.
type LastSolution = (u64, Arc<Solution>);

impl Sources {
    pub(super) fn fixed(
        system: &System,
        mut flows: Flows,
        machine: Machine,
        arrivals: Arrivals,
        model: ChannelFlow,
        short: Vec<f64>,
    ) -> Self {
        let folded = images::fold(&system.network, &short, &flows, &Choices::default());
        let (inputs, stands) = match folded {
            Some(folded) => {
                flows = folded.flows;
                (folded.inputs, Some(folded.stands))
            }
            None => (Inputs::of(&mut flows), None),
        };
        let Flows { servers, sources, links } = &flows;
        let waiting = servers.iter().filter(|server| model.waits_at(server.resource));
        let shares = waiting.map(|it| it.share).chain(sources.iter().map(|source| source.share));
        let busiest = shares.chain(links.iter().map(|link| link.0)).fold(0.0, f64::max);
        let ways = Way::Fixed(Box::new(flows), inputs);
        Self { model, machine, arrivals, ways, busiest, short, stands, last: Arc::default() }
    }

    pub(super) fn chosen(
        ways: Ways,
        machine: Machine,
        arrivals: Arrivals,
        model: ChannelFlow,
        short: Vec<f64>,
    ) -> Self {
        let flows = ways.flows(&Choices::even(&ways).parts);
        let ends = flows.servers.iter().filter(|server| {
            matches!(server.resource, Resource::Ejection(_)) && model.waits_at(server.resource)
        });
        let shares = ends.map(|server| server.share);
        let busiest = shares.chain(flows.sources.iter().map(|it| it.share)).fold(0.0, f64::max);
        let ways = Way::Chosen(Box::new(ways));
        let last = Arc::default();
        Self { model, machine, arrivals, ways, busiest, short, stands: None, last }
    }

    fn prediction(&self, [source, blocking, transfer, shared]: Parts, hops: f64) -> Prediction {
        let mut terms = terms(source, blocking, transfer);
        let shares = self.machine.vcs > 1.0 || self.machine.shared_exit;
        terms.extend(shares.then(|| sharing(shared)));
        prediction(terms, hops, 1)
    }

    /// The latency of one source's messages, part by part; `None` where its queue overflows.
    fn source(&self, sweep: &Sweep<'_>, source: &Source, state: &mut State) -> Option<Latency> {
        let Machine { passing, end, slower, .. } = self.machine;
        let mut parts = Parts::default();
        let (mut service, mut short) = (Moments::NONE, 0.0);
        let (mut time, mut ways, mut further) = (Moments::NONE, Moments::NONE, 0.0);
        sweep.met(&source.next, &source.choices, state);
        let met = std::mem::take(&mut state.met);
        // What goes over a channel, whatever the VCs.
        let on = |channel: ChannelId| {
            let over = |it: &&Step| {
                let resource = sweep.flows.servers[it.to as usize].resource;
                matches!(resource, Resource::Link(over, _) if over == channel)
            };
            source.next.iter().filter(over).map(|it| it.share).sum::<f64>()
        };
        let sent = sweep.rate * source.share;
        let queued = self.arrivals.spread(1.0, sent, self.machine.flits());
        for (step, &wait) in source.next.iter().zip(&met).filter(|it| it.0.share > 0.0) {
            let (part, ahead) = (step.share / source.share, state.ahead[step.to as usize]);
            let Crossing { sharing, .. } = state.crossings[step.place as usize];
            ways.mix(part, ahead.ways);
            further += part * ahead.time.mean;
            parts[1] += part * ahead.waiting;
            parts[3] += part * (sharing * (1.0 - ahead.caught) + ahead.sharing);
            if self.model.terminals != Terminals::Direct {
                service.mix(part, self.injection(step, wait, state));
                parts[1] += part * wait.mean;
                let here = wait.moments().and_then(self.machine.shared(sharing));
                time.mix(part, here.and_then(ahead.time));
            } else if let Resource::Link(channel, vcs) =
                sweep.flows.servers[step.to as usize].resource
            {
                let vcs = f64::from(vcs.count_ones());
                let [queue, shared] =
                    self.leave(sweep, (source, step), vcs, wait, state, &queued)?;
                parts[0] += part * (queue.mean + wait.mean);
                parts[3] += part * shared.mean;
                short += sweep.short_share(channel) * step.share / on(channel);
                let here = wait.moments().and_then(self.machine.shared(sharing));
                let here = here.and_then(queue).and_then(shared);
                time.mix(part, here.and_then(ahead.time));
            }
        }
        state.met = met;
        if self.model.terminals != Terminals::Direct {
            parts[0] = self.arrivals.wait(1.0, sent, service, 1.0)?;
            time = time.and_then(self.arrivals.spread(1.0, sent, service)(parts[0]));
        }
        parts[2] = passing + source.hops.mean - 1.0 + end - short / source.share * slower;
        let least = self.machine.least + end;
        // Steps do not know how far a message has come: by them alone, ways differ more than they do.
        let each = if ways.mean > 0.0 { further / ways.mean } else { 1.0 };
        let known = ways.variance() - source.hops.variance();
        let variance = (time.variance() - each * each * known).max(0.0);
        let time = Moments::with_variance(time.mean, variance);
        let ways = Moments::with_variance(ways.mean, source.hops.variance());
        Some(Latency { parts, least, beyond: self.beyond(parts, least, time, ways) })
    }

    /// What [`Latency::beyond`] is for these parts, where waits, sharing and ways together take this `time`.
    fn beyond(
        &self,
        parts: Parts,
        least: f64,
        time: Moments,
        ways: Moments,
    ) -> [(f64, Moments); 2] {
        let waits = parts[0] + parts[1] + parts[3];
        // Waits at the source are independent of each other.
        let alone = if waits > 0.0 { parts[0] / waits } else { 0.0 };
        let waiting = (waits / (waits + parts[2])).max(0.0);
        let together = 1.0 + fitted::TOGETHER * waiting * (1.0 - alone * alone);
        let variance = (time.variance() - ways.variance()).max(0.0) * together;
        let all = Moments::with_variance(waits, variance);
        let delayed = if variance > 0.0 {
            // No more certain than the moments allow.
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

    /// How long a message holds the one VC of an injection channel.
    fn injection(&self, step: &Step, wait: Wait, state: &mut State) -> Moments {
        let reach = self.machine.reach;
        let Crossing { sharing, .. } = state.crossings[step.place as usize];
        state.scratch.clear();
        state.scratch.push(Wait { shared: sharing, ..wait });
        state.scratch.extend(&state.horizon[step.to as usize * reach..][..reach - 1]);
        let (delay, _) = self.machine.delay(&state.scratch);
        let felt = if self.machine.vcs > 1.0 { fitted::FELT } else { fitted::FELT_ALONE };
        let base = self.machine.passing + self.model.hold_offset + felt * delay.mean + delay.shared;
        let variance = self.machine.stretched(delay.shared) + delay.square;
        let apart = fitted::UNEVEN * self.machine.shared(delay.shared).variance();
        Moments::with_variance(base, variance + apart)
    }

    /// Without injection channels, how long messages that go this step queue at their source, and how much
    /// longer they take because they share what it emits; its queue for what it emits is spread as `queued`.
    fn leave(
        &self,
        sweep: &Sweep<'_>,
        (source, step): (&Source, &Step),
        vcs: f64,
        wait: Wait,
        state: &State,
        queued: &impl Fn(f64) -> Moments,
    ) -> Option<[Moments; 2]> {
        let &Step { to, share, place } = step;
        let (part, to) = (share / source.share, to as usize);
        let flits = self.machine.flits();
        let own = |service, vcs| self.arrivals.wait(part, sweep.rate * share, service, vcs);
        // The wait for the source's other flits, which the hold has, is in the queue for all; by how much it is
        // longer in the hold (`fitted::BEHIND`) is not, and stays.
        let [others, alike] = state.crossings[place as usize].injection;
        let held = (others + alike) * share / sweep.flows.servers[to].share;
        // The source's own messages do not lag behind yet, as others on the channel do.
        let held = held + fitted::LAG * state.lags[to];
        let hold = wait.moments().and_then(state.holds[to]);
        let hold = Moments::with_variance((hold.mean - held).max(flits.mean), hold.variance());
        // Of those that could go elsewhere none queues for this one.
        let only = match sweep.choices {
            Some(all) => {
                let only = source.choices.iter().filter(|it| all.is_only(it.0, to as u32));
                (only.map(|it| it.1).sum::<f64>() / share).clamp(0.0, 1.0)
            }
            None => 1.0,
        };
        let beyond = if only > 0.0 { own(hold, vcs)? - own(flits, vcs)? } else { 0.0 };
        let queue = self.arrivals.wait(1.0, sweep.rate * source.share, flits, 1.0)?;
        // Those to one channel share it as far as it has VCs.
        let random = Moments::with_variance(flits.mean, flits.mean * flits.mean);
        let present = own(random, 1.0)?;
        let present = present / (present + flits.mean);
        let alike = part * (1.0 - present.powf(fitted::ALIKE * (vcs - 1.0)));
        let shared = 2.0 / (1.0 + flits.variation()) * queue;
        // All wait here for a VC, not only as many as there are VCs; one of them at least waits for the flits.
        let least = (wait.whole - wait.mean - part * (1.0 - alike) * queue).max(0.0);
        let beyond = if vcs > 1.0 { beyond.max(least) } else { beyond.max(0.0) };
        let beyond = only * beyond + (1.0 - only) * least;
        let mut all = queued((1.0 - alike) * queue + beyond);
        if only * beyond > 0.0 && sweep.rate * share * hold.mean < vcs {
            let for_vcs = self.arrivals.spread(part, sweep.rate * share / vcs, hold)(all.mean);
            let wider = only * fitted::HOLDS_SPREAD * beyond / (queue + beyond);
            all.square += wider * (for_vcs.square - all.square);
        }
        Some([all, queued(alike * shared)])
    }

    fn find_sources(&self, rate: f64) -> Result<Solution, NoSolution> {
        let (latencies, chosen) = match &self.ways {
            Way::Fixed(flows, inputs) => {
                let sweep = self.sweep(rate, flows, inputs, None);
                let mut state = fixed::follow(&sweep).ok_or(NoSolution::Saturated)?;
                (self.each(&sweep, &mut state), None)
            }
            Way::Chosen(ways) => {
                let Chosen { left, mut state } = self.choose(ways, rate)?;
                let sweep = self.sweep(rate, &left.flows, &left.inputs, Some(&left.choices));
                let all = self.each(&sweep, &mut state);
                (all, Some((left.flows, left.stands)))
            }
        };
        Ok(Solution { latencies: latencies.ok_or(NoSolution::Saturated)?, chosen })
    }

    fn each(&self, sweep: &Sweep<'_>, state: &mut State) -> Option<Vec<Option<Latency>>> {
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
        let chosen = choices.is_some_and(Choices::exist);
        let short = &self.short;
        Sweep { model, machine, flows, inputs, arrivals, choices, chosen, rate, short }
    }

    /// The prediction for each source at `rate`, by node id; `None` for a node that sends nothing.
    pub fn by_source(&self, rate: Rate) -> Result<Vec<Option<Prediction>>, Unsolved> {
        let solution = self.sources(rate.0).map_err(|why| why.at(rate))?;
        let of = |(source, found): (&Source, Option<Latency>)| {
            Some(self.prediction(found?.parts, source.hops.mean))
        };
        let found: Vec<_> = self.solved(&solution).map(of).collect();
        let chosen = solution.chosen.as_ref().map(|it| &it.1);
        Ok(match chosen.or(self.stands.as_ref()) {
            Some(stands) => stands.iter().map(|&it| found[it as usize].clone()).collect(),
            None => found,
        })
    }
}

impl Prepared for Sources {
    /// Every source weighted with the messages it sends.
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let solution = self.sources(rate)?;
        let sent: f64 = self.solved(&solution).map(|it| it.0.share).sum();
        let (mut mean, mut hops, mut all) = (Parts::default(), 0.0, Vec::new());
        for (source, found) in self.solved(&solution) {
            let Some(Latency { parts, least, beyond }) = found else { continue };
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
        match self.ways {
            Way::Fixed(..) => 1e-4,
            Way::Chosen(_) => 4e-3,
        }
    }

    fn utilisation(&self, Rate(rate): Rate) -> Option<Vec<f64>> {
        let of = |flows: &Flows| {
            flows.links.iter().map(|(share, _)| rate * share * self.machine.length).collect()
        };
        match &self.ways {
            Way::Fixed(flows, _) => (rate < self.overflow()).then(|| of(flows)),
            Way::Chosen(_) => self.flows(&*self.sources(rate).ok()?).map(of),
        }
    }
}

#[cfg(test)]
mod tests;
