//! Shapes of networks for circuits: links per node, and links of a route.

/// The networks covered by 001's equations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A hypercube. A circuit occupies a link in both directions, unless links are full duplex.
    Cube {
        /// d, at least 1.
        dimensions: u32,
        /// True if each direction is a separate link.
        full_duplex: bool,
    },
    /// A square torus of one-way rings.
    OneWayTorus {
        /// m, at least 3.
        radix: u32,
    },
}

impl Shape {
    /// M, the mean number of links of a route to uniform destinations.
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

    /// Links per node: c, the messages generated per link, is the rate divided by this number.
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

    /// True if a circuit occupies a link in one direction only.
    pub(super) fn full_duplex(self) -> bool {
        !matches!(self, Self::Cube { full_duplex: false, .. })
    }

    /// A(h): the probability that a route of a d-cube to uniform destinations has h links, for h
    /// from 1 to d. Not needed for tori.
    pub(in crate::model) fn uniform_routes(self) -> Vec<f64> {
        match self {
            Self::Cube { dimensions: d, .. } => {
                let others = f64::from(d).exp2() - 1.0;
                (1..=d).map(|links| binomial(d, links) / others).collect()
            }
            Self::OneWayTorus { .. } => Vec::new(),
        }
    }
}

pub(super) fn binomial(n: u32, k: u32) -> f64 {
    (0..k).fold(1.0, |product, i| product * f64::from(n - i) / f64::from(i + 1))
}
