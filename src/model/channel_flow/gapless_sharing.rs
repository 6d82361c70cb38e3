//! Sharing of channels by messages whose flits arrive without gaps.

use super::servers::Resource;
use super::sharing::{MET_MOST, crowd};
use super::state::State;
use super::sweep::Sweep;

impl Sweep<'_> {
    /// Computes, for each stream, the extra time that messages take because their output is shared.
    pub fn share_without_gaps(&self, state: &mut State) {
        let length = self.machine.length;
        let State { crossings, lost, .. } = state;
        for (output, server) in self.downstream().filter(|it| self.model.waits_at(it.1.resource)) {
            let vcs = f64::from(server.resource.vcs());
            let places = self.inputs.places(output);
            let inputs = &self.inputs.all[places.clone()];
            let crossings = &mut crossings[places];
            let turns = |of: fn(f64) -> f64| crossings.iter().map(|it| of(it.turns)).sum::<f64>();
            let (all, crowd) = (turns(|it| it), turns(crowd));
            let singles = inputs.iter().zip(&*crossings).filter(|it| self.is_single(it.0));
            let one: f64 = singles.map(|it| it.1.turns).sum();
            // Turns lost by the source's messages of other classes.
            let lost = match server.resource {
                Resource::Link(channel, _) if self.flows.links[channel.index()].classes > 1 => {
                    let flits: f64 = inputs.iter().map(|it| self.rate * length * it.share).sum();
                    (lost[channel.index()] - (all - flits)).max(0.0)
                }
                Resource::Link(..) | Resource::Ejection(_) => 0.0,
            };
            for (input, crossing) in inputs.iter().zip(crossings) {
                // The stream's own flits arrive one after the other, except at their source.
                let own = crossing.turns;
                let alone = one - if self.is_single(input) { own } else { 0.0 };
                let rest = all - own;
                let many = if alone > 0.0 { (1.0 - alone / rest).clamp(0.0, 1.0) } else { 1.0 };
                let met = self.machine.others(crowd, own, many);
                let lost = if input.from_source { 0.0 } else { lost };
                let unlike = (self.rate * length * input.others + lost).min(MET_MOST);
                let chain = self.machine.mixed(met, unlike, vcs);
                // No other message of a class with one VC is present.
                let beside = if vcs > 1.0 { met } else { 0.0 };
                let fewer = (-self.machine.constants.fewer * beside).exp();
                crossing.alone = length * chain * self.machine.gaps(met) * fewer;
            }
        }
    }
}
