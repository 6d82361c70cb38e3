//! What the equations of circuit switching are about: network, times, and what a solution holds.

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
        match self {
            Self::Cube { dimensions, full_duplex: false } => f64::from(dimensions) / 2.0,
            Self::Cube { dimensions, full_duplex: true } => f64::from(dimensions),
            Self::OneWayTorus { .. } => 2.0,
        }
    }

    /// A(h): the probability that a route of a d-cube has h links, for h from 1 to d.
    pub(super) fn cube_routes(dimensions: u32) -> Vec<f64> {
        let others = f64::from(dimensions).exp2() - 1.0;
        (1..=dimensions).map(|links| binomial(dimensions, links) / others).collect()
    }
}

/// n over k.
pub(super) fn binomial(n: u32, k: u32) -> f64 {
    (0..k).fold(1.0, |product, i| product * f64::from(n - i) / f64::from(i + 1))
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
#[derive(Clone, PartialEq, Debug)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_of_a_cube_sum_to_one_and_to_the_mean() {
        for dimensions in 1..=12 {
            let ways = Shape::cube_routes(dimensions);
            let mean: f64 = ways.iter().enumerate().map(|(i, share)| (i + 1) as f64 * share).sum();
            let shape = Shape::Cube { dimensions, full_duplex: false };
            assert!((ways.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!((mean - shape.mean_links()).abs() < 1e-12, "{dimensions}");
        }
    }

    #[test]
    fn mean_ways_of_a_one_way_torus_are_counted() {
        for radix in 3..=16 {
            let total: u32 = (0..radix).flat_map(|x| (0..radix).map(move |y| x + y)).sum();
            let mean = f64::from(total) / f64::from(radix * radix - 1);
            assert!((Shape::OneWayTorus { radix }.mean_links() - mean).abs() < 1e-12);
        }
    }
}
