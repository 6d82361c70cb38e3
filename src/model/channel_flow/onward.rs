//! What messages take along from their sources, server by server: bursts, and flits that lag behind.

use super::Terminals;
use super::servers::{Server, Source, Step};
use super::state::{Crossing, State};
use super::sweep::Sweep;

/// Passes over all servers at most, and the change at which they end.
const PASSES: usize = 100;
const TOLERANCE: f64 = 0.01;

/// The change of a lag at which passes end, in cycles.
const LAG_TOLERANCE: f64 = 0.01;

/// Renews what was known; by how much it changes.
fn renew(known: &mut f64, new: f64) -> f64 {
    (new - std::mem::replace(known, new)).abs()
}

impl Sweep<'_> {
    /// What is left of bursts behind something that is busy for a part of the time.
    fn smoothed(&self, busy: f64) -> f64 {
        (1.0 - self.machine.constants.smoothing * busy * busy).max(0.0)
    }

    /// The mean over the messages of a server, by the place of the stream that they come in.
    fn mean(&self, output: usize, of: impl Fn(usize) -> f64) -> f64 {
        let weighted = |place: usize| self.inputs.all[place].share * of(place);
        self.inputs.places(output).map(weighted).sum::<f64>() / self.flows.servers[output].share
    }

    /// All servers from the sources on, with their numbers.
    pub fn onward(&self) -> impl Iterator<Item = (usize, &Server)> {
        self.flows.servers.iter().enumerate().rev().filter(|(_, server)| server.share > 0.0)
    }

    /// Bursts along the routes, as in queueing networks (Whitt 1983): of a stream taken at random from one
    /// with an excess of e² the excess is e² times its share; several together have the mean of theirs; a
    /// server or source that is busy for a part ρ of the time leaves 1 − `smoothing` ρ² of it.
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
        // One pass where servers are in the order of routes.
        for _ in 0..PASSES {
            if self.split(state) < TOLERANCE {
                break;
            }
        }
        for output in 0..self.flows.servers.len() {
            self.others(output, state);
        }
    }

    /// Writes by stream of an output the excess of all others.
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

    /// The part of the time for which a source is busy.
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

    /// Every server's excess passed on; the largest change of one.
    fn split(&self, state: &mut State) -> f64 {
        let mut change = 0.0f64;
        for (output, server) in self.onward() {
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

    /// How far the last flits lag behind their heads because channels before are shared. Returns the largest
    /// change, in messages.
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

    /// How much longer messages take because they share a channel: less, the more they lag, since others' flits
    /// fit in between theirs.
    fn shared(&self, crossing: &Crossing) -> f64 {
        let lags = crossing.lag / self.machine.length;
        crossing.alone * (-self.machine.constants.between * lags).exp()
    }

    /// Every server's lag passed on; the largest change of one.
    fn lag(&self, state: &mut State) -> f64 {
        let mut change = 0.0f64;
        for (output, server) in self.onward() {
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
