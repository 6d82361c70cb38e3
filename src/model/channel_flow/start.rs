//! Where sweeps start: nobody waits, and what messages meet at their sources, which only the rate decides.

use super::Terminals;
use super::inputs::Input;
use super::output::power;
use super::servers::Resource;
use super::state::{Crossing, State};
use super::sweep::{Sweep, is_given_up};
use crate::model::budget;

impl Sweep<'_> {
    /// Where nobody waits; `None` where a source overflows, or nobody wants it any longer.
    pub fn start(&self) -> Option<State> {
        let links = self.flows.links.len();
        let [outputs, streams] = [self.flows.servers.len(), self.inputs.all.len()];
        let mut state = State::empty(outputs, streams, self.machine.reach, links);
        budget::charge(outputs + streams);
        for (output, server) in self.flows.servers.iter().enumerate() {
            if is_given_up(output) {
                return None;
            }
            for place in self.inputs.places(output) {
                let input = &self.inputs.all[place];
                let injection = self.injection(input, f64::from(server.resource.vcs()))?;
                // While its source sends an older one elsewhere, a message that has its VC still gets turns.
                let lost = self.rate * input.share * injection[0];
                let turns = self.rate * input.share * self.machine.length + lost;
                state.crossings[place] = Crossing { injection, turns, ..Crossing::default() };
                if let Resource::Link(channel, _) = server.resource {
                    state.lost[channel.index()] += lost;
                }
            }
        }
        Some(state)
    }

    /// How long a message has a VC of its first channel before its flits leave the source, which sends
    /// one per cycle, the oldest message's first: behind those that go elsewhere, and, as far as
    /// there are VCs for more than one of its stream, behind those.
    ///
    /// Given that there are any, the messages at the source are geometrically many, and of them those of
    /// the stream: behind one of these there is another with the probability r = aW/(L + aW), a being the
    /// stream's part of the messages and W their mean wait. Of n VCs the first n of them hold one, which
    /// takes (W + L)(1 − rⁿ) per message in all.
    fn injection(&self, input: &Input, vcs: f64) -> Option<[f64; 2]> {
        if self.model.terminals != Terminals::Direct || !input.from_source {
            return Some([0.0; 2]);
        }
        let flits = self.machine.flits();
        let (length, all) = (flits.mean, input.rest + input.share);
        let wait = self.arrivals.wait(1.0, self.rate * all, flits, 1.0)?;
        let part = input.share / all;
        let another = part * wait / (length + part * wait);
        let held = |vcs| ((wait + length) * (1.0 - power(another, vcs)) - length).max(0.0);
        let first = held(1.0);
        Some([first, held(vcs) - first])
    }
}
