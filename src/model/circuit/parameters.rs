//! Parameters and solutions of the equations of circuit switching.
//!
//! Parameters are network, machine, data times and reading.

use strum::VariantArray;

use super::routes::Routes;
use super::shape::Shape;
use crate::model::fixed_point::NoSolution;
use crate::model::queue::mean_wait;
use crate::model::{Part, Term};
use crate::switching::Circuit;
use crate::switching::circuit::Conflict;

/// The distribution of the time during which a message occupies its complete path to send data, in
/// mean transmission times. An aborted message keeps its draw. A uniform distribution has min <
/// max.
pub use crate::traffic::lengths::Times as DataTime;

/// Limit on exponential times, in means: e⁻⁷ is below one in a thousand.
const EXPONENTIAL_CUT: f64 = 7.0;

impl DataTime {
    /// E\[Z\].
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Fixed(mean) | Self::Exponential { mean } => mean,
            Self::Uniform { min, max } => f64::midpoint(min, max),
        }
    }

    /// E\[Z²\].
    pub fn second_moment(&self) -> f64 {
        self.mean() * self.mean() + self.variance()
    }

    /// Var Z.
    pub fn variance(&self) -> f64 {
        match *self {
            Self::Fixed(_) => 0.0,
            Self::Uniform { min, max } => (max - min) * (max - min) / 12.0,
            Self::Exponential { mean } => mean * mean,
        }
    }

    /// P(Z ≤ `time`).
    pub fn cumulative(&self, time: f64) -> f64 {
        match *self {
            Self::Fixed(mean) => f64::from(time >= mean),
            Self::Uniform { min, max } => ((time - min) / (max - min)).clamp(0.0, 1.0),
            Self::Exponential { mean } => -(-time.max(0.0) / mean).exp_m1(),
        }
    }

    /// P(a message interrupted at random during its data is finished after `time`): the equilibrium
    /// residual, ∫₀ᵗ (1 − F(y)) dy / E\[Z\].
    pub fn residual_cumulative(&self, time: f64) -> f64 {
        let time = time.max(0.0);
        match *self {
            Self::Fixed(mean) => (time / mean).min(1.0),
            Self::Uniform { min, max } => {
                let above = (time - min).clamp(0.0, max - min);
                let before = time.min(min);
                (before + above - above * above / (2.0 * (max - min))) / self.mean()
            }
            Self::Exponential { .. } => self.cumulative(time),
        }
    }

    /// The longest time of a tabulated distribution: its maximum, or the limit on exponential
    /// times.
    pub(super) fn longest(&self) -> f64 {
        match *self {
            Self::Fixed(mean) => mean,
            Self::Uniform { max, .. } => max,
            Self::Exponential { mean } => EXPONENTIAL_CUT * mean,
        }
    }
}

/// Reading of the equations of circuit switching.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Reading {
    /// Corrected for impossible conflicts and for repeated conflicts. Within a few per cent of
    /// simulation up to nine tenths of saturation.
    #[default]
    Refined,
    /// The paper's equations, corrected. Under drop, the probability of a repeated conflict with
    /// the same circuit, (13), applies to retried requests only.
    Text,
    /// Like `Text`, with (13) added to every request, as typeset in (10) (drop only). Wrong by
    /// orders of magnitude for short back-offs: (13) is conditional on a previous conflict.
    TextPrinted,
    /// Like `Text` without (13) (drop only).
    TextFirst,
}

impl Reading {
    /// Readings that differ under `conflict`, the default first.
    pub const fn all(conflict: Conflict) -> &'static [Self] {
        match conflict {
            Conflict::Drop { .. } => Self::VARIANTS,
            Conflict::Hold | Conflict::Adaptive { .. } => &[Self::Refined, Self::Text],
        }
    }
}

/// The equations for one system in one reading.
#[derive(Clone, PartialEq, Debug)]
pub struct Equations {
    /// The network.
    pub shape: Shape,
    /// The routes of messages.
    pub routes: Routes,
    /// The strategy at busy links, and the controllers' service times.
    pub machine: Circuit,
    /// The distribution of the data time.
    pub data: DataTime,
    /// Reading of 001's equations.
    pub reading: Reading,
}

impl Equations {
    pub(super) fn mean_links(&self) -> f64 {
        self.routes.mean_links
    }

    /// c, messages generated per link and unit of time.
    pub(super) fn per_link(&self, rate: f64) -> f64 {
        rate / self.shape.links_per_node()
    }

    /// Messages generated per routing controller and unit of time.
    pub(super) fn per_controller(&self, rate: f64) -> f64 {
        rate / self.shape.controllers_per_node()
    }

    /// A rate at which data alone keep the links busy all the time.
    pub(super) fn overflow(&self) -> f64 {
        self.shape.links_per_node() / (self.mean_links() * self.data.mean())
    }

    /// The latency of a message with a complete path of `links` links and `visits` to controllers.
    /// Under hold, the message waits for links; otherwise `undone` contains the back-off, and the
    /// service of aborted checks and connections and of the releases.
    pub(super) fn solution(
        &self,
        links: f64,
        visits: f64,
        link_waiting: Option<f64>,
        undone: Option<[f64; 2]>,
        controller: Controller,
    ) -> Solution {
        let Circuit { verify, connect, release, acknowledge, .. } = self.machine;
        // The source wait, like in simulations, ends at the start of the data, and blocking starts at
        // their end.
        let set_up = Part::SourceWait;
        let terms = [
            ("waiting for links", set_up, link_waiting),
            ("waiting for controllers", set_up, Some((visits - links) * controller.wait)),
            ("back-off", set_up, undone.map(|[back_off, _]| back_off)),
            ("undone by aborts", set_up, undone.map(|[_, served]| served)),
            ("verification and connection", set_up, Some(links * (verify + connect))),
            ("acknowledgement", set_up, Some(acknowledge)),
            ("data", Part::Transfer, Some(self.data.mean())),
            ("release", Part::Blocking, Some(links * (controller.wait + release))),
        ];
        let term =
            |(name, part, time): (_, _, Option<f64>)| Some(Term { name, part, cycles: time? });
        let terms: Vec<Term> = terms.into_iter().filter_map(term).collect();
        let before = terms.iter().filter(|term| term.part == set_up);
        Solution {
            set_up_time: before.map(|term| term.cycles).sum(),
            terms,
            controller_wait: controller.wait,
            controller_load: controller.load,
            ..Solution::default()
        }
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Solution {
    /// The parts of the latency under this strategy, over all attempts, in mean transmission times.
    pub terms: Vec<Term>,
    /// `T_path_set_up`: generation to the arrival of the acknowledgement, in mean transmission
    /// times.
    pub set_up_time: f64,
    /// Aborted attempts per message.
    pub aborts: f64,
    /// Probability that a link is busy when checked.
    pub conflict: f64,
    /// Share of the time during which links are held, by dimension.
    pub utilisation: Vec<f64>,
    /// W: the mean wait at a controller, in mean transmission times.
    pub controller_wait: f64,
    /// ρ: the share of the time during which a controller is busy.
    pub controller_load: f64,
    /// Rounds of the fixed point.
    pub iterations: u32,
}

impl Solution {
    /// Mean time from generation to the release of the last link, in mean transmission times.
    pub fn latency(&self) -> f64 {
        self.terms.iter().map(|term| term.cycles).sum()
    }
}

/// The routing controller as an M/G/1 queue (001, appendix A). Checks of links, connections and
/// releases each take a constant time, so that the first two moments of the mixture are sums.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Controller {
    pub wait: f64,
    pub load: f64,
}

impl Controller {
    /// A queue with inputs of `first` and `second` per unit of time: the arrival rate times the
    /// first and second moment of the service time.
    pub fn fed_with(first: f64, second: f64) -> Result<Self, NoSolution> {
        let wait = mean_wait(first, second).ok_or(NoSolution::Saturated)?;
        Ok(Self { wait, load: first })
    }

    /// (A.1) to (A.3): hold, with a share `conflict` of the requests waiting for a link. `requests`
    /// is λM; as many releases arrive, and the release of a link with a waiting request connects
    /// the link.
    pub fn of_hold(machine: &Circuit, requests: f64, conflict: f64) -> Result<Self, NoSolution> {
        let services = [
            (machine.verify + machine.connect, 1.0 - conflict),
            (machine.verify, conflict),
            (machine.release, 1.0 - conflict),
            (machine.release + machine.connect, conflict),
        ];
        let moment = |power| {
            services.iter().map(|(time, share)| requests * share * time.powi(power)).sum::<f64>()
        };
        Self::fed_with(moment(1), moment(2))
    }
}

#[cfg(test)]
mod tests;
