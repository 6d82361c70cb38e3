//! Which of its candidates a head takes, and how long it waits where all are taken.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | `P_k` | `Offer::blocked` | probability with which a head finds no VC of candidate k free | – |
//! | `T_k` | `W_k/P_k`, `W_k` being `Offer::wait` | how long it then waits for one | cycles |
//! | `p_k` | `Taken::part` | probability that candidate k is taken | – |
//! | `o_k` | `Taken::free` | the same given that a VC of it is free | – |
//! | `q_k` | `Taken::queued` | the same given that none is | – |
//!
//! A head takes the first of its candidates that has a free VC: candidate k with `(1 − P_k)` times the
//! `P` of all before it. Where none has, it waits for the first to be free: `1/Σ 1/T` on average, and it
//! is candidate k in proportion to `1/T_k`. Candidates are blocked together more often than by chance: that all are
//! has its probability to the power of `fitted::MET`, as that one is has in its output.
//!
//! At its source a message may find messages before it, of its own way, in all VCs, and takes another channel.
//! Behind a source [`Choices::met`] has both waits: `Wait::mean`, for messages from elsewhere, and `Wait::whole`.

use super::fitted;
use super::output::Wait;
use super::routes::adaptive::{Taken, Ways};
use super::servers::Step;

/// What heads find at a server, on average over its streams.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Offer {
    /// The probability that no VC is free.
    pub blocked: f64,
    /// How long they wait, in cycles.
    pub wait: f64,
}

/// The probabilities with which the candidates of every choice are taken.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Choices {
    pub parts: Vec<Vec<Taken>>,
    /// The servers of every choice.
    servers: Vec<Vec<u32>>,
}

impl Choices {
    /// To every candidate as much as it has VCs.
    pub fn even(ways: &Ways) -> Self {
        let vcs = |&(server, _): &(u32, u32)| f64::from(ways.resource(server).vcs());
        let parts = ways.choices.iter().map(|choice| {
            let all: f64 = choice.iter().map(vcs).sum();
            let taken = |part: f64| Taken { part, free: part, queued: part };
            choice.iter().map(|it| taken(vcs(it) / all)).collect()
        });
        let servers = ways.choices.iter().map(|it| it.iter().map(|it| it.0).collect());
        Self { parts: parts.collect(), servers: servers.collect() }
    }

    pub fn exist(&self) -> bool {
        self.servers.iter().any(|it| it.len() > 1)
    }

    /// True if a server is the only candidate.
    pub fn is_only(&self, choice: u32, server: u32) -> bool {
        self.servers[choice as usize] == [server]
    }

    /// The server that is preferred.
    pub fn first(&self, choice: u32) -> u32 {
        self.servers[choice as usize][0]
    }

    /// Adds one of other choices, whose servers have other numbers here; returns its own.
    pub fn add(&mut self, others: &Self, choice: u32, number: impl Fn(u32) -> u32) -> u32 {
        let choice = choice as usize;
        self.parts.push(others.parts[choice].clone());
        self.servers.push(others.servers[choice].iter().map(|&it| number(it)).collect());
        self.parts.len() as u32 - 1
    }

    /// By what heads find at each server.
    pub fn by(ways: &Ways, offers: &[Offer]) -> Self {
        let mut all = Self::even(ways);
        for (parts, servers) in all.parts.iter_mut().zip(&all.servers) {
            let (mut none, mut soon) = (1.0, 0.0);
            // Who has one candidate waits for it.
            if servers.len() == 1 {
                continue;
            }
            for (taken, &server) in parts.iter_mut().zip(servers) {
                let Offer { blocked, wait } = offers[server as usize];
                soon += if wait > 0.0 { blocked / wait } else { 0.0 };
                taken.free = none;
                taken.part = none * (1.0 - blocked);
                none *= blocked;
            }
            for (taken, &server) in parts.iter_mut().zip(servers) {
                let Offer { blocked, wait } = offers[server as usize];
                taken.queued = if wait > 0.0 && soon > 0.0 { none / wait / soon } else { 0.0 };
                taken.part += taken.queued * blocked;
            }
        }
        all
    }

    /// Replaces the waits of steps for one output each by those of messages that choose between them.
    /// `steps` is storage.
    pub fn met(
        &self,
        next: &[Step],
        choices: &[(u32, f64)],
        met: &mut [Wait],
        steps: &mut Vec<usize>,
    ) {
        let alone = met.to_vec();
        // By server the step that goes there; what others have left does not count.
        let servers = next.iter().map(|step| step.to as usize + 1).max().unwrap_or(0);
        steps.resize(steps.len().max(servers), 0);
        for (at, step) in next.iter().enumerate() {
            steps[step.to as usize] = at;
        }
        let place = |to: u32| {
            let at = *steps.get(to as usize)?;
            next.get(at).filter(|step| step.to == to).map(|_| at)
        };
        for &(choice, _) in choices {
            for to in &self.servers[choice as usize] {
                if let Some(at) = place(*to) {
                    met[at] = Wait::default();
                }
            }
        }
        for &(choice, share) in choices {
            let (servers, parts) = (&self.servers[choice as usize], &self.parts[choice as usize]);
            // The probability that none is free by chance, and the mean wait of all for the first that will be.
            let first = |of: fn(&Wait) -> (f64, f64)| {
                let waits = servers.iter().filter_map(|to| place(*to).map(|at| of(&alone[at])));
                let (none, soon) = waits.fold((1.0, 0.0), |(none, soon), (held, wait)| {
                    (none * held, soon + if wait > 0.0 { held / wait } else { 0.0 })
                });
                (none, if soon > 0.0 { none / soon } else { 0.0 })
            };
            let (by_chance, mean) = first(|it| (it.blocked, it.mean));
            let (_, whole) = first(|it| (it.held, it.whole));
            let blocked = by_chance.clamp(0.0, 1.0).powf(fitted::MET);
            let mean = if by_chance > 0.0 { mean * blocked / by_chance } else { 0.0 };
            for (to, taken) in servers.iter().zip(parts) {
                let Some(at) = place(*to) else { continue };
                let weight = share * taken.part / next[at].share;
                if weight.is_nan() {
                    continue;
                }
                let wait = if servers.len() == 1 {
                    alone[at]
                } else {
                    // Of those that find none free exponential.
                    let square = if blocked > 0.0 { 2.0 * mean * mean / blocked } else { 0.0 };
                    Wait { mean, square, blocked, whole: mean.max(whole), ..Wait::default() }
                };
                met[at].mean += weight * wait.mean;
                met[at].square += weight * wait.square;
                met[at].blocked += weight * wait.blocked;
                met[at].whole += weight * wait.whole;
            }
        }
    }
}
