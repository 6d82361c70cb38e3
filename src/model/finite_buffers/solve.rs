//! Solves the model by the procedure of 002, section 6.
//!
//! Services, waits and holding times are computed link by link, from the ejection links back to the
//! hosts.
//!
//! | Symbol | Code | Meaning | Unit | Equation |
//! |---|---|---|---|---|
//! | S | `LinkFigures::service` | time at the head of the link's buffer: contention for and hold of the next | cycles | (17), (18) |
//! | W | `LinkFigures::wait` | from the head of the preceding buffer to the head of this link's | cycles | (9) |
//! | H | `LinkFigures::contention` | part of W: contention for the link | cycles | (15) |
//! | Q | `LinkFigures::buffering` | part of W: time behind others in its buffer | cycles | 5.2 |
//! | Prob{full} | `LinkFigures::full` | probability that the buffer has no room for another worm | – | (16) |
//! | B | `held` | time for which a worm holds the link | cycles | (5), (7) |
//! | X, Y | within [`Buffers::hold`] | forwarding delay until the downstream buffers contain the worm; size + X | cycles | (4), (7) |
//! | Ψ(k) | differences of `beyond` | probability that a worm extends over k further links | – | (2), (3) |
//! | ϑ(j) | `fitting` | probability that j whole worms fit into a buffer | – | (8) |
//!
//! Sums of independent times add means and variances, mixtures average raw moments. The delay Z of
//! (4) is omitted, as in the paper. "Full" counts a queue with room for κ + j as full from j on, by
//! the sum in (16), not from j + 1 on, by the preceding sentence: a buffer too small for one worm
//! is then always full. A worm on an ejection link waits only for the link: its service is its
//! size, its buffering 0.

use super::routes::{Routes, Station, Suffix};
use super::sizes;
use crate::ids::ChannelId;
use crate::model::path::PathForecast;
use crate::model::queue::finite::{Queue, Service};
use crate::model::queue::{self, Moments};
use crate::model::{
    ChannelForecast, NoSolution, Part, Prediction, Prepared, Term, Unsolved, budget, cancellation,
    prediction,
};
use crate::switching::{LatencyTo, Wormhole};
use crate::system::System;
use crate::topology::Role;
use crate::units::Rate;

/// Probabilities below this limit are neglected.
const NOTHING: f64 = 1e-16;
/// Steps of work charged for a station's queue.
const STEPS_PER_QUEUE: usize = 8;

/// Reading of the equations of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Reading {
    /// Sections 3 to 6 of the paper: pessimistic in all comparisons with simulation.
    #[default]
    Basic,
    /// Section 7 of the paper: buffers are larger by half a mean worm, and a queue with room for
    /// many worms contains shorter ones. More accurate for buffers of up to about two mean worms,
    /// no better beyond.
    Modified,
    /// Not in the paper: worms through the same input port are sequential on the preceding link, so
    /// they never contend for the next. Waits between switches are thinned accordingly. Within 2 to
    /// 3 % of the simulated throughput on the 3x3 torus, 4 to 7 % above on the 4x4 mesh: no longer
    /// a lower bound.
    SelfExclusion,
    /// Like `SelfExclusion`, on ejection links too: more accurate on the torus, 12 to 19 % above
    /// simulation on the mesh.
    #[strum(serialize = "self-exclusion everywhere")]
    SelfExclusionEverywhere,
    /// Section 4 of the paper, for links without buffers, whose flits stop in flight: a worm holds a
    /// link until its tail has left, and as long as it waits further on. Eq. (1).
    Bufferless,
}

/// The equations for one system.
#[derive(Clone, Debug)]
pub(super) struct Buffers {
    reading: Reading,
    size: Moments,
    /// The buffer size Δ, in flits.
    buffer: f64,
    /// 1 − F(kΔ) by k: probability that a worm is longer than k buffers.
    beyond: Vec<f64>,
    /// ϑ, ascending.
    fitting: Vec<(usize, f64)>,
    routes: Routes,
    /// Cycles between the end of a delay and the end of the cycle of the tail's arrival: 0 in the
    /// paper.
    early: f64,
}

/// Figures of one link.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct LinkFigures {
    service: Moments,
    wait: Moments,
    contention: Moments,
    buffering: Moments,
    full: f64,
    /// The mean of B over the worms of the link.
    held: f64,
}

/// Figures of all links, and the resulting mean delays of a worm, in cycles.
#[derive(Clone, PartialEq, Debug)]
struct Solution {
    /// Indexed by link.
    figures: Vec<LinkFigures>,
    /// v: wait at the source.
    source: f64,
    /// The parts of Σ W.
    contention: f64,
    buffering: f64,
}

impl Buffers {
    pub fn new(system: &System, machine: &Wormhole, reading: Reading) -> Result<Self, Unsolved> {
        let lengths = system.traffic.lengths;
        let routes = Routes::of(system, machine.channel_delay)?;
        let size = sizes::moments(lengths);
        let buffer = f64::from(machine.buffer_flits);
        // Section 7 enlarges the buffer by half a worm here, and only here.
        let extra = if reading == Reading::Modified { size.mean / 2.0 } else { 0.0 };
        let fitting = sizes::fitting(lengths, buffer + extra).ok_or_else(|| {
            Unsolved::NotCovered(format!(
                "the model follows at most {} worms in a buffer; {buffer} flits can hold more",
                sizes::WORMS_MAX
            ))
        })?;
        let all = 0..=routes.longest + 1;
        let beyond = all.map(|k| 1.0 - sizes::shorter(lengths, k as f64 * buffer)).collect();
        let early = if machine.latency_to == LatencyTo::EndOfCycle { 0.0 } else { 1.0 };
        Ok(Self { reading, size, buffer, beyond, fitting, routes, early })
    }

    /// The procedure at γ = `rate` worms per cycle and host; `None` if some link is overloaded.
    fn solution(&self, rate: f64) -> Option<Solution> {
        let mut queue = Queue::default();
        let mut figures = vec![LinkFigures::default(); self.routes.links];
        let mut held = vec![Moments::NONE; self.routes.suffixes.len()];
        let (mut source, mut contention, mut buffering) = (0.0, 0.0, 0.0);
        for station in &self.routes.stations {
            let (link, flow) = (station.link.index(), rate * station.flow);
            budget::charge(STEPS_PER_QUEUE * (station.suffixes.len() + self.fitting.len()));
            let mut at = LinkFigures {
                service: self.service(station, &figures, &held),
                ..LinkFigures::default()
            };
            if flow * at.service.mean >= 1.0 {
                return None;
            }
            if station.role == Role::Injection {
                // (19): the host's queue and the buffer at the end of its link are one queue.
                source += station.flow * queue::wait_of(flow, at.service);
                figures[link] = at;
                continue;
            }
            if flow > 0.0 {
                self.waits(&mut queue, station, flow, &mut at);
            }
            contention += station.flow * (at.wait.mean - at.buffering.mean);
            buffering += station.flow * at.buffering.mean;
            figures[link] = at;
            for &number in &station.suffixes {
                let suffix = &self.routes.suffixes[number as usize];
                let hold = if self.reading == Reading::Bufferless {
                    self.head(suffix, &figures, &held)
                } else {
                    self.hold(suffix, &figures)
                };
                held[number as usize] = hold;
                figures[link].held += suffix.share / station.flow * hold.mean;
            }
        }
        let each = 1.0 / self.routes.sent;
        Some(Solution {
            figures,
            source: source * each,
            contention: contention * each,
            buffering: buffering * each,
        })
    }

    /// S of a link, from the suffixes starting with the link. Eqs. (17) and (18).
    fn service(&self, station: &Station, figures: &[LinkFigures], held: &[Moments]) -> Moments {
        let mut service = Moments::NONE;
        for &number in &station.suffixes {
            let suffix = &self.routes.suffixes[number as usize];
            service.mix(suffix.share / station.flow, self.head(suffix, figures, held));
        }
        service
    }

    /// H + B of the link after a link, for the worms of one suffix: (17), and without buffers, where H
    /// is W, B of the link itself by (1).
    fn head(&self, suffix: &Suffix, figures: &[LinkFigures], held: &[Moments]) -> Moments {
        let Some(next) = suffix.next else { return self.size };
        let link = self.routes.suffixes[next as usize].link.index();
        figures[link].contention.and_then(held[next as usize])
    }

    /// W, Prob{full}, H and Q of a link, from S. Eqs. (9), (15) and (16).
    fn waits(&self, queue: &mut Queue, station: &Station, flow: f64, at: &mut LinkFigures) {
        let thinned = match (self.reading, station.role) {
            (Reading::SelfExclusion, Role::Link) | (Reading::SelfExclusionEverywhere, _) => {
                station.others
            }
            _ => 1.0,
        };
        if station.role == Role::Ejection || self.reading == Reading::Bufferless {
            let service = Service::new(at.service);
            let wait = queue.solve(flow, &service, station.inputs, 0.0).wait.thinned(thinned);
            (at.wait, at.contention) = (wait, wait);
            return;
        }
        let plain = Service::new(at.service);
        let mut least = 0.0;
        // The largest first: each is a lower bound for the next.
        for &(worms, probability) in self.fitting.iter().rev() {
            let room = station.inputs + worms;
            let solution = if self.reading == Reading::Modified {
                // Section 7: a queue with room for many worms contains shorter ones.
                let flits = self.buffer + station.inputs as f64 * self.size.mean;
                let shorter = flits / (room as f64 * self.size.mean);
                let service = Service::new(at.service.stretched(shorter));
                queue.solve(flow, &service, room, 0.0)
            } else {
                queue.solve(flow, &plain, room, least)
            };
            least = solution.offered;
            at.wait.mix(probability, solution.wait);
            at.full += probability * queue.at_least(worms, &solution);
        }
        let mut passing = Moments::NONE;
        passing.mix(at.full, at.service);
        passing.mix(1.0 - at.full, self.size);
        let contention = queue.solve(flow, &Service::new(passing), station.inputs, 0.0).wait;
        at.wait = at.wait.thinned(thinned);
        at.contention = contention.thinned(thinned);
        at.buffering = at.wait.without(at.contention);
    }

    /// B of a link for the worms of one suffix. Eqs. (4), (5) and (7).
    fn hold(&self, suffix: &Suffix, figures: &[LinkFigures]) -> Moments {
        let mut before = figures[suffix.link.index()].buffering;
        let mut stretch = Moments::NONE;
        let mut ahead = suffix.next;
        let mut links = 1;
        while let Some(next) = ahead {
            let next = self.routes.suffixes[next as usize];
            let there = &figures[next.link.index()];
            let longer = self.beyond[links];
            if longer < NOTHING {
                break;
            }
            ahead = next.next;
            let reaches = if ahead.is_some() { longer - self.beyond[links + 1] } else { longer };
            stretch.mix(reaches, before.and_then(there.contention));
            before = before.and_then(there.wait);
            links += 1;
        }
        let whole = self.size.and_then(stretch);
        let part = self.size.mean / (self.size.mean + 2.0 * stretch.mean);
        let mut hold = Moments::NONE;
        hold.mix(part, whole);
        hold.mix(1.0 - part, if self.size.mean > stretch.mean { self.size } else { stretch });
        hold
    }
}

impl Prepared for Buffers {
    fn solve(&self, rate: f64) -> Result<Prediction, NoSolution> {
        let Routes { delay, ref stations, sent, .. } = self.routes;
        if cancellation::is_cancelled() {
            return Err(NoSolution::GivenUp);
        }
        let solution = self.solution(rate).ok_or(NoSolution::Saturated)?;
        let term = |name, part, cycles| Term { name, part, cycles };
        let terms = vec![
            term("source waiting", Part::SourceWait, solution.source),
            term("contention for links", Part::Blocking, solution.contention),
            term("behind others in buffers", Part::Blocking, solution.buffering),
            term("transfer", Part::Transfer, self.size.mean - self.early),
            term("propagation", Part::Transfer, delay),
        ];
        let links = stations.iter().filter(|station| station.role == Role::Link);
        let hops = links.map(|station| station.flow).sum::<f64>() / sent;
        Ok(prediction(terms, hops, 1))
    }

    fn overflow(&self) -> f64 {
        let busiest = self.routes.stations.iter().map(|s| s.flow).fold(0.0, f64::max);
        1.0 / (busiest * self.size.mean)
    }

    fn rate_tolerance(&self) -> f64 {
        1e-9
    }

    fn utilisation(&self, Rate(rate): Rate) -> Option<Vec<f64>> {
        let mut flits = vec![0.0; self.routes.links];
        for station in &self.routes.stations {
            flits[station.link.index()] = rate * station.flow * self.size.mean;
        }
        Some(flits)
    }

    fn channels(&self, Rate(rate): Rate) -> Option<Vec<ChannelForecast>> {
        let solution = self.solution(rate)?;
        let stations = self.routes.stations.iter();
        let mut channels: Vec<ChannelForecast> = stations
            .map(|station| {
                let (figures, flow) =
                    (&solution.figures[station.link.index()], rate * station.flow);
                let buffered = station.role == Role::Link && self.reading != Reading::Bufferless;
                let source = queue::wait_of(flow, figures.service);
                let first = station.role == Role::Injection;
                ChannelForecast {
                    channel: station.link,
                    rank: station.rank,
                    inputs: station.inputs as u32,
                    flow,
                    service: figures.service,
                    wait_mean: if first { source } else { figures.wait.mean },
                    contention_mean: if first { source } else { figures.contention.mean },
                    buffering_mean: figures.buffering.mean,
                    full: buffered.then_some(figures.full),
                    held_mean: (!first).then_some(figures.held),
                }
            })
            .collect();
        channels.sort_by_key(|channel| channel.channel);
        Some(channels)
    }

    /// `T_p` of every path: the wait at the source, W of all further links, the worm's size and η of all
    /// links. Eq. (19).
    fn paths(&self, Rate(rate): Rate) -> Option<Vec<PathForecast>> {
        let solution = self.solution(rate)?;
        let mut paths = Vec::new();
        let stations = self.routes.stations.iter();
        for station in stations.filter(|station| station.role == Role::Injection) {
            let service = solution.figures[station.link.index()].service;
            let source = queue::wait_of(rate * station.flow, service);
            for &number in &station.suffixes {
                let first = &self.routes.suffixes[number as usize];
                let after = |suffix: &&Suffix| Some(&self.routes.suffixes[suffix.next? as usize]);
                let links = std::iter::successors(Some(first), after).map(|suffix| suffix.link);
                let channels: Vec<ChannelId> = links.collect();
                let waits =
                    channels[1..].iter().map(|link| solution.figures[link.index()].wait.mean);
                let propagation = channels.iter().map(|link| self.routes.delays[link.index()]);
                let alone = self.size.mean - self.early + propagation.sum::<f64>();
                paths.push(PathForecast {
                    latency_mean: source + waits.sum::<f64>() + alone,
                    share: first.share / self.routes.sent,
                    channels,
                });
            }
        }
        Some(paths)
    }
}
