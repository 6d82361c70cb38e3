//! Initial state of the sweeps.
//!
//! Initially there are no waits; the competition at sources depends only on the rate.

use super::Terminals;
use super::inputs::Input;
use super::output::power;
use super::servers::Resource;
use super::state::{Crossing, State};
use super::sweep::{Sweep, is_given_up};
use crate::model::budget;

impl Sweep<'_> {
    /// The state without waits; `None` if a source overflows or the computation is cancelled.
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
                // A message with a VC still gets turns while its source sends an older message
                // elsewhere.
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

    /// The time for which a message occupies a VC of its first channel before its flits leave the
    /// source. A source sends one flit per cycle, of the oldest message first: the message waits
    /// behind messages to other channels and, if several VCs admit more than one message of its
    /// stream, behind those.
    ///
    /// The number of messages at the source, if any, is geometric, and so is the number of the
    /// stream's messages: behind each follows another with probability r = aW/(L + aW), with a the
    /// stream's share of the messages and W their mean wait. The first n messages occupy one of n
    /// VCs each, for (W + L)(1 − rⁿ) per message in total.
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
