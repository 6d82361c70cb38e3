//! What the equations of circuit switching are about: network, times, reading, and what a solution
//! holds.

use strum::VariantArray;

use super::data::DataTime;
use crate::model::fixed_point::NoSolution;
use crate::model::queue::mean_wait;
use crate::switching::circuit::Conflict;

/// The controller's service times and the acknowledgement, in mean transmission times.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Times {
    /// `D_verify`: a look whether a link is free.
    pub verify: f64,
    /// `D_link_conn`: the connection of a link.
    pub connect: f64,
    /// `D_rel`: the release of a link.
    pub release: f64,
    /// `D_ack`: the acknowledgement over the whole path, a pure delay.
    pub acknowledge: f64,
}

/// The networks for which 001's equations are worked out, with uniform destinations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A hypercube. One circuit holds a link in both directions, unless links are full duplex.
    Cube {
        /// d, at least 1.
        dimensions: u32,
        /// Whether a link is one for each direction.
        full_duplex: bool,
    },
    /// A square torus of one-way rings.
    OneWayTorus {
        /// m, at least 3.
        radix: u32,
    },
}

impl Shape {
    /// M, the mean number of links of a route.
    pub fn mean_links(self) -> f64 {
        match self {
            Self::Cube { dimensions, .. } => {
                let nodes = f64::from(dimensions).exp2();
                f64::from(dimensions) * nodes / 2.0 / (nodes - 1.0)
            }
            Self::OneWayTorus { radix } => {
                let m = f64::from(radix);
                m * m / (m + 1.0)
            }
        }
    }

    /// Links per node: c, the messages generated per link, is the rate over this.
    pub fn links_per_node(self) -> f64 {
        let links = f64::from(self.dimensions());
        if self.full_duplex() { links } else { links / 2.0 }
    }

    pub(super) fn dimensions(self) -> u32 {
        match self {
            Self::Cube { dimensions, .. } => dimensions,
            Self::OneWayTorus { .. } => 2,
        }
    }

    /// Whether a circuit holds a link in its own direction only.
    pub(super) fn full_duplex(self) -> bool {
        !matches!(self, Self::Cube { full_duplex: false, .. })
    }

    /// A(h): the probability that a route of a d-cube has h links, for h from 1 to d.
    pub(super) fn cube_routes(self) -> Vec<f64> {
        let d = self.dimensions();
        let others = f64::from(d).exp2() - 1.0;
        (1..=d).map(|links| binomial(d, links) / others).collect()
    }
}

pub(super) fn binomial(n: u32, k: u32) -> f64 {
    (0..k).fold(1.0, |product, i| product * f64::from(n - i) / f64::from(i + 1))
}

/// How the equations of circuit switching are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Reading {
    /// With corrections for what a message cannot meet, and for what it meets again. Within a few
    /// per cent of simulation up to nine tenths of saturation.
    #[default]
    Refined,
    /// The paper's equations, corrected. Under drop, the chance to meet the same circuit again,
    /// (13), counts for the requests that come back only.
    Text,
    /// The same with (13) added to every request, as (10) is typeset (drop only). Wrong by orders of
    /// magnitude where back-offs are short: it is conditional on having been sent away.
    TextPrinted,
    /// The same without (13) (drop only).
    TextFirst,
}

impl Reading {
    /// Those that differ under `conflict`, the default first.
    pub const fn all(conflict: Conflict) -> &'static [Self] {
        match conflict {
            Conflict::Drop { .. } => Self::VARIANTS,
            Conflict::Hold | Conflict::Adaptive { .. } => &[Self::Refined, Self::Text],
        }
    }
}

/// The equations for one system in one reading.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Equations {
    /// The network.
    pub shape: Shape,
    /// What happens where a link is busy.
    pub conflict: Conflict,
    /// Service times.
    pub times: Times,
    /// The law of the data time.
    pub data: DataTime,
    /// Which of 001's equations.
    pub reading: Reading,
}

impl Equations {
    pub(super) fn mean_links(&self) -> f64 {
        self.shape.mean_links()
    }

    /// c, messages generated per link and unit of time.
    pub(super) fn per_link(&self, rate: f64) -> f64 {
        rate / self.shape.links_per_node()
    }

    /// A rate at which data alone keep the links busy all the time.
    pub(super) fn overflow(&self) -> f64 {
        self.shape.links_per_node() / (self.mean_links() * self.data.mean())
    }

    /// The latency of a message whose complete path has `links` links and which controllers serve
    /// `visits` times; `more` has the parts that differ between strategies.
    pub(super) fn solution(
        &self,
        links: f64,
        visits: f64,
        more: Parts,
        controller: Controller,
    ) -> Solution {
        let Times { verify, connect, release, acknowledge } = self.times;
        let parts = Parts {
            controller_waiting: visits * controller.wait,
            set_up: links * (verify + connect),
            acknowledgement: acknowledge,
            data: self.data.mean(),
            release: links * release,
            ..more
        };
        let after = parts.data + links * (controller.wait + release);
        Solution {
            parts,
            set_up_time: parts.latency() - after,
            controller_wait: controller.wait,
            controller_load: controller.load,
            ..Solution::default()
        }
    }
}

/// The parts of a mean latency, in mean transmission times; over all attempts of a message.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Parts {
    /// In queues of links (hold only).
    pub link_waiting: f64,
    /// In queues of controllers.
    pub controller_waiting: f64,
    /// Backing off (drop and adaptive only).
    pub back_off: f64,
    /// Served by controllers for looks and connections that an abort undid, and for giving back
    /// their links.
    pub undone: f64,
    /// Served by controllers for the one path that is completed.
    pub set_up: f64,
    /// The acknowledgement.
    pub acknowledgement: f64,
    /// Data.
    pub data: f64,
    /// Served by controllers to release the path.
    pub release: f64,
}

impl Parts {
    /// Generation to the release of the last link.
    pub fn latency(&self) -> f64 {
        self.link_waiting
            + self.controller_waiting
            + self.back_off
            + self.undone
            + self.set_up
            + self.acknowledgement
            + self.data
            + self.release
    }
}

/// A solution.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Solution {
    /// The parts of the latency.
    pub parts: Parts,
    /// `T_path_set_up`: generation to the arrival of the acknowledgement, in mean transmission
    /// times.
    pub set_up_time: f64,
    /// Attempts that ended in an abort, per message.
    pub aborts: f64,
    /// The share of the looks at a link that find it busy.
    pub conflict: f64,
    /// The share of the time for which links are held, by dimension.
    pub utilisation: Vec<f64>,
    /// W: the mean wait at a controller, in mean transmission times.
    pub controller_wait: f64,
    /// ρ: the share of the time for which a controller is busy.
    pub controller_load: f64,
    /// Rounds of the fixed point.
    pub iterations: u32,
}

/// The routing controller as an M/G/1 queue (001, appendix A). Looks at links, connections and
/// releases each take a constant time, so that the first two moments of the mixture are sums.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Controller {
    pub wait: f64,
    pub load: f64,
}

impl Controller {
    /// The queue into which `first` and `second` flow per unit of time: the arrival rate times the
    /// first and second moment of the service time.
    pub fn fed_with(first: f64, second: f64) -> Result<Self, NoSolution> {
        let wait = mean_wait(first, second).ok_or(NoSolution::Saturated)?;
        Ok(Self { wait, load: first })
    }

    /// (A.1) to (A.3): hold, where a share `conflict` of the requests waits for its link. `requests`
    /// is λM; as many releases arrive, and the release of a link that is waited for connects it.
    pub fn of_hold(times: &Times, requests: f64, conflict: f64) -> Result<Self, NoSolution> {
        let services = [
            (times.verify + times.connect, 1.0 - conflict),
            (times.verify, conflict),
            (times.release, 1.0 - conflict),
            (times.release + times.connect, conflict),
        ];
        let moment = |power| {
            services.iter().map(|(time, share)| requests * share * time.powi(power)).sum::<f64>()
        };
        Self::fed_with(moment(1), moment(2))
    }
}

#[cfg(test)]
mod tests;
