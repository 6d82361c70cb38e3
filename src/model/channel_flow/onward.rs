//! What messages take along from their sources, server by server: bursts, and flits that come late.

use super::Terminals;
use super::servers::{Resource, Server, Source, Step};
use super::state::State;
use super::sweep::Sweep;

/// Passes over all servers at most, and the change at which they end.
const PASSES: usize = 100;
const TOLERANCE: f64 = 0.01;

/// The factor of the time for which a message whose head is off stands behind older ones of its source:
/// fitted to simulations.
const STANDING: f64 = 2.0;

/// How fast bursts are smoothed out by what is busy: fitted to simulations.
const SMOOTHING: f64 = 2.86;

/// What is left of bursts behind something that is busy for a part of the time.
fn smoothed(busy: f64) -> f64 {
    (1.0 - SMOOTHING * busy * busy).max(0.0)
}

/// Passes until nothing changes any more: one where servers are in the order of routes. Returns the
/// largest change.
fn passes(mut pass: impl FnMut() -> f64) -> f64 {
    let mut most = 0.0f64;
    for _ in 0..PASSES {
        let change = pass();
        most = most.max(change);
        if change < TOLERANCE {
            break;
        }
    }
    most
}

/// Renews what was known; by how much it changes.
fn renew(known: &mut f64, new: f64) -> f64 {
    (new - std::mem::replace(known, new)).abs()
}

impl Sweep<'_> {
    /// The mean over the messages of a server, by the place of the stream that they come in.
    fn mean(&self, output: usize, of: impl Fn(usize) -> f64) -> f64 {
        let weighted = |place: usize| self.inputs.all[place].share * of(place);
        self.inputs.places(output).map(weighted).sum::<f64>() / self.flows.servers[output].share
    }

    /// All servers from the sources on, with their numbers.
    fn onward(&self) -> impl Iterator<Item = (usize, &Server)> {
        self.flows.servers.iter().enumerate().rev().filter(|(_, server)| server.share > 0.0)
    }

    /// Bursts along the routes, as in queueing networks (Whitt 1983): of a stream taken at random from one
    /// with an excess of e² the excess is e² times its share; several together have the mean of theirs; a
    /// server or source that is busy for a part ρ of the time leaves 1 − `SMOOTHING` ρ² of it.
    pub fn bursts(&self, state: &mut State) {
        let excess = self.arrivals.excess;
        if excess <= 1e-9 {
            return;
        }
        state.excesses.resize(self.inputs.all.len(), 0.0);
        for source in &self.flows.sources {
            let left = excess * smoothed(self.busy(source, state));
            for step in &source.next {
                state.excesses[step.place as usize] = left * step.share / source.share;
            }
        }
        passes(|| self.split(state));
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
            let left = smoothed(self.rate * server.share * state.holds[output].mean / vcs);
            let mean = left * self.mean(output, |place| state.excesses[place]);
            for step in &server.next {
                let excess = mean * step.share / server.share;
                change = change.max(renew(&mut state.excesses[step.place as usize], excess));
            }
        }
        change
    }

    /// Without injection channels, how long messages stand on their ways because older ones of their source
    /// go first: waits further on stop those, a younger head leaves meanwhile, and then they go on. Where
    /// a message takes every other cycle only, both send. Returns the largest change; `None` where a
    /// source overflows.
    pub fn standing(&self, state: &mut State) -> Option<f64> {
        let alone = 2.0 / self.machine.pace - 1.0;
        if self.model.terminals != Terminals::Direct || alone <= 0.0 {
            return Some(0.0);
        }
        let (length, flits) = (self.machine.length, self.machine.flits());
        for source in &self.flows.sources {
            let stops = |step: &Step| step.share * state.ahead[step.to as usize].stops;
            let all: f64 = source.next.iter().map(stops).sum();
            for step in &source.next {
                let rest = source.share - step.share;
                let stops = if rest > 1e-9 * source.share {
                    (all - stops(step)).max(0.0) / rest
                } else {
                    0.0
                };
                let part = rest.max(0.0) / source.share;
                let wait = self.arrivals.wait(part, self.rate * rest.max(0.0), flits, 1.0)?;
                state.crossings[step.place as usize].late =
                    STANDING * alone * wait * stops / (length + stops);
            }
        }
        Some(passes(|| self.stand(state)))
    }

    /// Every server's messages passed on as they stand; the largest change of one.
    fn stand(&self, state: &mut State) -> f64 {
        let mut change = 0.0f64;
        for (output, server) in self.onward() {
            let late = self.mean(output, |place| state.crossings[place].late);
            for step in &server.next {
                change = change.max(renew(&mut state.crossings[step.place as usize].late, late));
            }
        }
        change
    }

    /// Where one worm at a time leaves, how much later its last flits come because they share the channel
    /// before with messages that go elsewhere: as far as the buffer has no room for it. Returns the
    /// largest change.
    pub fn slowed(&self, state: &mut State) -> f64 {
        let part = self.machine.outside();
        let waits = self.model.terminals == Terminals::Channels { ejection_waits: true };
        if !waits || self.machine.vcs <= 1.0 || part <= 0.0 {
            return 0.0;
        }
        let mut change = 0.0f64;
        for (output, server) in self.onward() {
            let sharing = self.mean(output, |place| state.crossings[place].sharing);
            for step in &server.next {
                let to = self.flows.servers[step.to as usize].resource;
                if matches!(to, Resource::Ejection(_)) {
                    let late = part * sharing * (1.0 - step.share / server.share);
                    let known = &mut state.crossings[step.place as usize].late;
                    change = change.max(renew(known, late));
                }
            }
        }
        change
    }
}
