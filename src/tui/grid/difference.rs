//! Differences between the measured use of each link and its prediction, or its use in another run.
//! The differences are steps on a symmetric scale, with the sign shown by a character as well as by
//! colour.

use crate::ids::ChannelId;
use crate::live::{Measured, Update};
use crate::topology::Network;
use crate::tui::glyphs::Glyphs;

/// The number of steps on each side of zero.
pub const STEPS: i8 = 5;
/// Possible values of the outermost step, in flits per cycle.
const ENDS: [f64; 7] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
/// The scale is kept while the largest difference fills at least this share.
const KEEP: f64 = 0.3;

/// The steps of every link and router.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    channels: Vec<i8>,
    routers: Vec<i8>,
    /// The value of the outermost step; 0 if nothing can be compared.
    end: f64,
}

impl Differences {
    /// Computes the differences between measured and predicted use of an update's links.
    pub fn update(&mut self, update: &Update) {
        let network = &update.scenario.system.network;
        self.take(network, |link| Measured::flow(update, link).difference());
    }

    /// Computes the differences between two runs: the use in `second` less the use in `first`.
    pub fn contrast(&mut self, first: &Update, second: &Update) {
        let network = &first.scenario.system.network;
        self.take(network, |link| {
            let [measured, from] = [second, first].map(|it| Measured::flow(it, link).measured);
            Measured { measured, predicted: from }.difference()
        });
    }

    fn take(&mut self, network: &Network, of: impl Fn(ChannelId) -> Option<f64>) {
        let of = |link: usize| of(ChannelId::new(link));
        let links = 0..network.links();
        let largest = links.clone().filter_map(of).map(f64::abs).reduce(f64::max);
        self.channels.clear();
        self.channels.resize(links.len(), 0);
        self.routers.clear();
        self.routers.resize(network.routers(), 0);
        let Some(largest) = largest else {
            self.end = 0.0;
            return;
        };
        if !(self.end >= largest && largest >= KEEP * self.end) {
            self.end = ENDS.into_iter().find(|&end| end >= largest).unwrap_or(1.0);
        }
        for (link, ends) in links.zip(network.channels()) {
            let Some(difference) = of(link) else { continue };
            let step = step(difference, self.end);
            self.channels[link] = step;
            let router = &mut self.routers[ends.to.index()];
            if step.abs() > router.abs() {
                *router = step;
            }
        }
    }

    /// The step of a link, -[`STEPS`] to [`STEPS`].
    pub fn channel(&self, channel: ChannelId) -> i8 {
        self.channels.get(channel.index()).copied().unwrap_or(0)
    }

    /// The step farthest from zero among the links into a router.
    pub fn router(&self, router: usize) -> i8 {
        self.routers.get(router).copied().unwrap_or(0)
    }

    /// The value of the outermost step in flits per cycle; `None` if nothing can be compared.
    pub fn end(&self) -> Option<f64> {
        (self.end > 0.0).then_some(self.end)
    }
}

/// The step of a difference on a scale up to `end`.
fn step(difference: f64, end: f64) -> i8 {
    (difference / end * f64::from(STEPS)).round().clamp(f64::from(-STEPS), f64::from(STEPS)) as i8
}

/// The character of a step; `None` for zero.
pub fn sign(glyphs: &Glyphs, step: i8) -> Option<char> {
    let much = usize::from(step.abs() >= 3);
    match step {
        0 => None,
        1.. => Some(glyphs.above[much]),
        _ => Some(glyphs.below[much]),
    }
}

#[cfg(test)]
mod tests;
