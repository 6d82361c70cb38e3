//! Propagates burstiness and flit lag from the sources downstream, server by server.

use super::Terminals;
use super::servers::{Server, Source, Step};
use super::state::{Crossing, State};
use super::sweep::Sweep;

/// Maximum number of passes over all servers, and the change at which passes end.
const PASSES: usize = 100;
const TOLERANCE: f64 = 0.01;

/// The change of a lag at which passes end, in cycles.
const LAG_TOLERANCE: f64 = 0.01;

/// Replaces a value and returns the absolute change.
fn renew(known: &mut f64, new: f64) -> f64 {
    (new - std::mem::replace(known, new)).abs()
}

impl Sweep<'_> {
    /// The fraction of bursts that remains behind a server busy for a fraction of the time.
    fn smoothed(&self, busy: f64) -> f64 {
        (1.0 - self.machine.constants.smoothing * busy * busy).max(0.0)
    }

    /// The mean of a function of the stream index over the messages of a server.
    fn mean(&self, output: usize, of: impl Fn(usize) -> f64) -> f64 {
        let weighted = |place: usize| self.inputs.all[place].share * of(place);
        self.inputs.places(output).map(weighted).sum::<f64>() / self.flows.servers[output].share
    }

    /// All servers in downstream order, with their indices.
    pub fn downstream(&self) -> impl Iterator<Item = (usize, &Server)> {
        self.flows.servers.iter().enumerate().rev().filter(|(_, server)| server.share > 0.0)
    }

    /// Propagates bursts along the routes, as in queueing networks (Whitt 1983): a random share of
    /// a stream with excess e² has e² times this share; several merged streams have the mean of
    /// their excesses; a server or source busy for a fraction ρ of the time leaves 1 − `smoothing`
    /// ρ² of the excess.
    pub fn bursts(&self, state: &mut State) {
        let excess = self.arrivals.excess;
        if excess <= 1e-9 {
            return;
        }
        state.excesses.resize(self.inputs.all.len(), 0.0);
        for source in &self.flows.sources {
            let left = excess * self.smoothed(self.busy(source, state));
            for step in &source.next {
                state.excesses[step.place as usize] = left * step.share / source.share;
            }
        }
        // A single pass suffices if the servers are in the order of routes.
        for _ in 0..PASSES {
            if self.split(state) < TOLERANCE {
                break;
            }
        }
        for output in 0..self.flows.servers.len() {
            self.others(output, state);
        }
    }

    /// Computes, for each stream of an output, the excess of all other streams.
    fn others(&self, output: usize, state: &mut State) {
        let places = self.inputs.places(output);
        let each = || places.clone().map(|at| (self.inputs.all[at].share, state.excesses[at]));
        let share: f64 = each().map(|it| it.0).sum();
        let sum: f64 = each().map(|(share, excess)| share * excess).sum();
        for at in places.clone() {
            let (own, excess) = (self.inputs.all[at].share, state.excesses[at]);
            let rest = share - own;
            let mean = if rest > 1e-9 * share { (sum - own * excess) / rest } else { 0.0 };
            state.crossings[at].others = mean.max(0.0);
        }
    }

    /// The fraction of time for which a source is busy.
    fn busy(&self, source: &Source, state: &State) -> f64 {
        let flits = source.share * self.machine.length;
        let held = |step: &Step| {
            let wait = state.crossings[step.place as usize].wait.mean;
            step.share * (wait + state.holds[step.to as usize].mean)
        };
        let channels = self.model.terminals != Terminals::Direct;
        let held: f64 = if channels { source.next.iter().map(held).sum() } else { 0.0 };
        self.rate * held.max(flits)
    }

    /// Propagates the excess of every server; returns the largest change.
    fn split(&self, state: &mut State) -> f64 {
        let mut change = 0.0f64;
        for (output, server) in self.downstream() {
            let vcs = f64::from(server.resource.vcs());
            let left = self.smoothed(self.rate * server.share * state.holds[output].mean / vcs);
            let mean = left * self.mean(output, |place| state.excesses[place]);
            for step in &server.next {
                let excess = mean * step.share / server.share;
                change = change.max(renew(&mut state.excesses[step.place as usize], excess));
            }
        }
        change
    }

    /// Computes the lag of the last flits behind their heads caused by shared upstream channels.
    /// Returns the largest change, in messages.
    pub fn slowed(&self, state: &mut State) -> f64 {
        if self.machine.vcs <= 1.0 {
            return 0.0;
        }
        let mut most = 0.0f64;
        for _ in 0..PASSES {
            let change = self.lag(state);
            most = most.max(change);
            if change < LAG_TOLERANCE {
                break;
            }
        }
        most / self.machine.length
    }

    /// The extra time of messages on a shared channel, which decreases with their lag, because
    /// flits of others fit between their own.
    fn shared(&self, crossing: &Crossing) -> f64 {
        let lags = crossing.lag / self.machine.length;
        crossing.alone * (-self.machine.constants.between * lags).exp()
    }

    /// Propagates the lag of every server; returns the largest change.
    fn lag(&self, state: &mut State) -> f64 {
        let mut change = 0.0f64;
        for (output, server) in self.downstream() {
            let (mut left, mut here) = (0.0, 0.0);
            for place in self.inputs.places(output) {
                let share = self.inputs.all[place].share / server.share;
                if self.flows.is_link(output) {
                    let renewed = self.shared(&state.crossings[place]);
                    change = change.max(renew(&mut state.crossings[place].sharing, renewed));
                }
                let Crossing { sharing, injection: [_, alike], lag, .. } = state.crossings[place];
                left += share * lag * (1.0 - state.crossings[place].caught());
                here += share * (sharing + alike);
            }
            let further = left + here;
            state.lags[output] = left;
            for step in &server.next {
                let known = &mut state.crossings[step.place as usize].lag;
                change = change.max(renew(known, further));
            }
        }
        change
    }
}
