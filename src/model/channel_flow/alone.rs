//! How long messages share a channel with others if they come to it without a lag.

use super::fitted;
use super::output::power;
use super::servers::Resource;
use super::sharing::{MET_MOST, crowd, following};
use super::state::State;
use super::sweep::Sweep;

impl Sweep<'_> {
    /// Writes by stream how long its messages share their output.
    pub fn alone(&self, state: &mut State) {
        let length = self.machine.length;
        let State { crossings, holds, lost, .. } = state;
        for (output, server) in self.onward().filter(|it| self.model.waits_at(it.1.resource)) {
            let vcs = f64::from(server.resource.vcs());
            // The VCs of two candidates are held about alike.
            let held = self.rate * server.share * holds[output].mean / vcs;
            let nowhere = power(held.min(1.0), vcs);
            let places = self.inputs.places(output);
            let inputs = &self.inputs.all[places.clone()];
            let crossings = &mut crossings[places];
            let turns = |of: fn(f64) -> f64| crossings.iter().map(|it| of(it.turns)).sum::<f64>();
            let (all, crowd) = (turns(|it| it), turns(crowd));
            let singles = inputs.iter().zip(&*crossings).filter(|it| self.is_single(it.0));
            let one: f64 = singles.map(|it| it.1.turns).sum();
            // Turns that the source's messages of other classes lose; of all, where classes are pooled.
            let lost = match server.resource {
                Resource::Link(channel, _) if server.is_pooled() => lost[channel.index()],
                Resource::Link(channel, _) if self.flows.links[channel.index()].1 > 1 => {
                    let flits: f64 = inputs.iter().map(|it| self.rate * length * it.share).sum();
                    (lost[channel.index()] - (all - flits)).max(0.0)
                }
                Resource::Link(..) | Resource::Ejection(_) => 0.0,
            };
            for (input, crossing) in inputs.iter().zip(crossings) {
                // Its own flits come one after the other; at their source they do not.
                let own = crossing.turns;
                let alone = one - if self.is_single(input) { own } else { 0.0 };
                let rest = all - own;
                let many = if alone > 0.0 { (1.0 - alone / rest).clamp(0.0, 1.0) } else { 1.0 };
                let met = self.machine.others(crowd, own, many);
                let lost = if input.from_source { 0.0 } else { lost };
                let unlike = (self.rate * length * input.others + lost).min(MET_MOST);
                let coming = 1.0 - input.away * (1.0 - nowhere);
                let chain = if server.is_pooled() {
                    let [near, pool] = [input.near, server.pool].map(f64::from);
                    let unlike = unlike * following(own, many, near);
                    fitted::POOLED * self.machine.pooled(unlike.min(MET_MOST), [near, pool], coming)
                } else {
                    self.machine.mixed(met, coming * unlike, vcs)
                };
                // None of its class is there beside it where that has one VC.
                let beside = if vcs > 1.0 { met } else { 0.0 };
                let longer = self.machine.gaps(met) * (-fitted::FEWER * beside).exp();
                crossing.alone = length * chain * longer;
            }
        }
    }
}
