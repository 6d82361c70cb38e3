//! Computes holds and waits from the destinations back to the sources.
//!
//! | symbol | here | meaning | unit |
//! |---|---|---|---|
//! | h | `State::holds` | time for which a VC is occupied: passage, downstream waits, sharing |
//! cycles |
//! | W | `Crossing::wait` | wait of a stream for an output | cycles |
//! | s | `Crossing::sharing` | extra time of messages because the channel is shared | cycles |
//! | t | `Crossing::lag` | lag of the last flits at the arrival of the head | cycles |
//! | – | `Ahead` | downstream waits and sharing for the latency, with their distribution | cycles |
//! | – | `State::horizon` | waits and sharing by number of channels downstream, for the hold |
//! cycles |

use super::arrivals::Arrivals;
use super::inputs::{Input, Inputs};
use super::machine::{Machine, found};
use super::output::{Output, Stream, Wait};
use super::routes::Flows;
use super::servers::{Resource, Server, Step};
use super::sharing::{MET_MOST, crowd};
use super::state::{Ahead, Crossing, State};
use super::{ChannelFlow, Terminals};
use crate::model::queue::Moments;
use crate::model::{budget, cancellation};

/// Outputs between checks for cancellation: less than a millisecond.
const OUTPUTS: usize = 1024;

/// True if the computation has been cancelled; checked only for some outputs.
pub(super) fn is_given_up(output: usize) -> bool {
    output.is_multiple_of(OUTPUTS) && cancellation::is_cancelled()
}

/// The equations of all outputs at one rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep<'a> {
    pub model: ChannelFlow,
    pub machine: &'a Machine,
    pub flows: &'a Flows,
    pub inputs: &'a Inputs,
    pub arrivals: &'a Arrivals,
    pub rate: f64,
}

impl Sweep<'_> {
    /// Computes holds, waits, bursts and lags; `None` if a queue overflows or the computation is
    /// cancelled.
    pub fn solve(&self) -> Option<State> {
        let mut state = self.start()?;
        self.share_without_gaps(&mut state);
        self.slowed(&mut state);
        self.all(&mut state)?;
        // Smoothing of bursts and recovery of lags hardly depend on the changes made below.
        self.bursts(&mut state);
        if self.slowed(&mut state) > 0.0 || !state.excesses.is_empty() {
            self.all(&mut state)?;
        }
        Some(state)
    }

    /// Visits every output once, in order. `None` if an output overflows or the computation is
    /// cancelled.
    fn all(&self, state: &mut State) -> Option<()> {
        // No channel carries more than a flit per cycle, regardless of classes.
        let busiest = self.flows.links.iter().map(|link| link.share).fold(0.0, f64::max);
        if self.rate * busiest * self.machine.length >= 1.0 {
            return None;
        }
        budget::charge(self.flows.servers.len() + self.inputs.all.len());
        for (output, server) in self.flows.servers.iter().enumerate() {
            if is_given_up(output) {
                return None;
            }
            if server.share > 0.0 && self.model.waits_at(server.resource) {
                self.output(output, state)?;
            } else if server.share > 0.0 && self.machine.shared_exit {
                self.exit(output, state)?;
            }
        }
        Some(())
    }

    /// Computes an ejection at which all worms share a flit per cycle.
    fn exit(&self, output: usize, state: &mut State) -> Option<()> {
        let places = self.inputs.places(output);
        let flits = |input: &Input| self.rate * self.machine.length * input.share;
        let inputs = &self.inputs.all[places.clone()];
        if inputs.iter().map(flits).sum::<f64>() >= 1.0 {
            return None;
        }
        let all: f64 = inputs.iter().map(|input| crowd(flits(input))).sum();
        for (input, crossing) in inputs.iter().zip(&mut state.crossings[places]) {
            let met = self.machine.others(all, flits(input), 1.0);
            crossing.sharing = self.machine.length * self.machine.chain(met, f64::INFINITY);
        }
        Some(())
    }

    /// True if at most one message of a stream is present at a time.
    pub fn is_single(&self, input: &Input) -> bool {
        input.from_source && self.model.terminals != Terminals::Direct
    }

    /// The fraction of a server's messages whose flits are buffered first: at the destination flits
    /// are consumed on arrival.
    fn buffered_share(&self, server: &Server) -> f64 {
        let goes = |step: &&Step| {
            self.model.terminals != Terminals::Direct || self.flows.is_link(step.to as usize)
        };
        server.next.iter().filter(goes).map(|step| step.share).sum::<f64>() / server.share
    }

    /// The factor by which messages wait longer than in the queues of `output`, for one of `vcs`,
    /// each occupied for the fraction `held` of the time; the fraction `flits` of a hold is used by
    /// flits if alone.
    fn longer(&self, vcs: f64, held: f64, flits: f64) -> f64 {
        let buffers = 1.0 / self.machine.buffer;
        let constants = &self.machine.constants;
        let exponent = if vcs > 1.0 {
            let [by_held, by_vcs, by_buffer, by_flits] = constants.several_vcs;
            by_held * held + by_vcs / vcs + by_buffer * buffers + by_flits * flits
        } else {
            let [always, by_buffer] = constants.one_vc;
            always + by_buffer * buffers
        };
        exponent.exp()
    }

    /// Collects the route downstream of an output. Returns the delay of the tail, and the remainder
    /// of the delay at the arrival of the next message.
    fn look_ahead(&self, output: usize, state: &mut State) -> (Wait, f64) {
        let reach = self.machine.reach;
        let server = &self.flows.servers[output];
        let mut ahead = Ahead::default();
        let mut horizon = std::mem::take(&mut state.scratch);
        horizon.clear();
        horizon.resize(reach, Wait::default());
        for &Step { to, share, place } in &server.next {
            let (share, to) = (share / server.share, to as usize);
            let crossing = &state.crossings[place as usize];
            let (wait, sharing, caught) = (crossing.wait, crossing.sharing, crossing.caught());
            let beyond = state.ahead[to].caught;
            ahead.waiting += share * (wait.mean + state.ahead[to].waiting);
            ahead.sharing += share * (sharing * (1.0 - beyond) + state.ahead[to].sharing);
            ahead.caught += share * (1.0 - (1.0 - caught) * (1.0 - beyond));
            let links = if self.flows.is_link(to) { 1.0 } else { 0.0 };
            let link = Moments::with_variance(links, 0.0);
            ahead.ways.mix(share, state.ahead[to].ways.and_then(link));
            let here = wait.moments().and_then(self.machine.shared(sharing)).and_then(link);
            ahead.time.mix(share, here.and_then(state.ahead[to].time));
            let both = Wait { shared: sharing, ..wait };
            let further = std::iter::once(&both).chain(&state.horizon[to * reach..]);
            for (sum, wait) in horizon.iter_mut().zip(further) {
                sum.mean += share * wait.mean;
                sum.square += share * wait.square;
                sum.shared += share * wait.shared;
            }
        }
        let (delay, lingering) = self.machine.delay(&horizon);
        let lingering = found(lingering, &horizon[0]);
        state.ahead[output] = ahead;
        state.horizon[output * reach..][..reach].copy_from_slice(&horizon);
        state.scratch = horizon;
        (delay, lingering)
    }

    /// The hold of a VC of a server, with the delay of the tail by downstream waits and sharing,
    /// and the sharing at this output `here`. A fraction `short` of its messages crosses no other
    /// channel.
    fn hold(&self, server: &Server, delay: Wait, here: f64, short: f64) -> Moments {
        let constants = &self.machine.constants;
        let base = self.machine.passing - short * self.machine.slower
            + self.model.hold_offset * self.buffered_share(server)
            + constants.felt * delay.mean
            + delay.shared
            + here;
        // Long messages are delayed most by downstream waits.
        let further = self.machine.length * (delay.mean + delay.shared);
        let together = constants.lengths * self.machine.spread * further;
        let sharing = here + delay.shared;
        let shared = self.machine.stretched(sharing) + self.machine.shared(sharing).variance();
        let variance = shared + delay.square + together;
        Moments::with_variance(base, variance)
    }

    /// Computes one output from the state of all downstream outputs.
    fn output(&self, output: usize, state: &mut State) -> Option<()> {
        let (rate, length) = (self.rate, self.machine.length);
        let server = &self.flows.servers[output];
        let (delay, lingering) = self.look_ahead(output, state);
        let vcs = server.resource.vcs();
        // VCs of the input channels, if different; the fraction of the output used by messages of
        // other classes.
        let (from, short, unlike) = match server.resource {
            Resource::Link(channel, _) => {
                let link = self.flows.links[channel.index()];
                (1.0, link.short / link.share, rate * length * (link.share - server.share))
            }
            Resource::Ejection(_) => (self.machine.vcs, 0.0, 0.0),
        };
        let places = self.inputs.places(output);
        let inputs = &self.inputs.all[places.clone()];
        let crossings = &mut state.crossings[places];
        let (mut own, mut sharing) = (0.0, 0.0);
        for (input, crossing) in inputs.iter().zip(&*crossings) {
            let part = input.share / server.share;
            let [others, alike] = crossing.injection;
            let used = rate * length * (input.rest + input.share);
            // Older messages of the source may be blocked.
            let others = (1.0 + used) * others;
            sharing += part * (crossing.sharing + alike);
            own += part * (crossing.sharing + others + alike);
        }
        let lag = state.lags[output];
        let hold = self.hold(server, delay, own + lag, short);
        state.holds[output] = hold;
        let vcs = f64::from(vcs);
        state.waits.clear();
        state.waits.resize(inputs.len(), Wait::default());
        let constants = &self.machine.constants;
        let bursts = (constants.bursts_vcs * (0.5 - 1.0 / vcs)).exp();
        let stream = |(input, crossing): (&Input, &Crossing)| {
            let load = rate * input.share * hold.mean / vcs;
            let queued = input.from_source && self.model.terminals == Terminals::Direct;
            let vcs = if self.is_single(input) { 1.0 } else { vcs.max(from) };
            Stream { load, vcs, queued, excess: crossing.others * bursts }
        };
        state.streams.clear();
        state.streams.extend(inputs.iter().zip(&*crossings).map(stream));
        let held = rate * server.share * hold.mean / vcs;
        let longer = self.longer(vcs, held, length / hold.mean);
        let link = length / (1.0 - unlike.min(MET_MOST));
        let output = Output { vcs, hold, lingering, link, sharing, longer, lag, constants };
        output.waits(&state.streams, &mut state.waits)?;
        for (crossing, &wait) in crossings.iter_mut().zip(&state.waits) {
            crossing.wait = wait;
        }
        Some(())
    }
}
