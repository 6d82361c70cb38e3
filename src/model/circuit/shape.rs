//! Shapes of networks for circuits: links per node, and links of a route.

/// The networks covered by 001's equations.
#[derive(Clone, Copy, PartialEq, Debug)]
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
    /// Any network, by figures of its routes.
    Network {
        /// M, the mean number of links of a route.
        mean_links: f64,
        /// Links per sending node, as many as if all were used alike.
        links_per_node: f64,
        /// Routing controllers per sending node, as many as if all were used alike.
        controllers_per_node: f64,
        /// Links of the longest route.
        longest: u32,
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
            Self::Network { mean_links, .. } => mean_links,
        }
    }

    /// Links per node: c, the messages generated per link, is the rate divided by this number.
    pub fn links_per_node(self) -> f64 {
        if let Self::Network { links_per_node, .. } = self {
            return links_per_node;
        }
        let links = f64::from(self.dimensions());
        if self.full_duplex() { links } else { links / 2.0 }
    }

    /// Routing controllers per node.
    pub(super) fn controllers_per_node(self) -> f64 {
        match self {
            Self::Cube { .. } | Self::OneWayTorus { .. } => 1.0,
            Self::Network { controllers_per_node, .. } => controllers_per_node,
        }
    }

    /// Dimensions of a cube or torus; links of the longest route in other networks.
    pub(super) fn dimensions(self) -> u32 {
        match self {
            Self::Cube { dimensions, .. } => dimensions,
            Self::OneWayTorus { .. } => 2,
            Self::Network { longest, .. } => longest,
        }
    }

    /// True if a circuit occupies a link in one direction only.
    pub(super) fn full_duplex(self) -> bool {
        !matches!(self, Self::Cube { full_duplex: false, .. })
    }

    /// A(h): the probability that a route of a d-cube to uniform destinations has h links, for h
    /// from 1 to d. Not needed for other networks.
    pub(in crate::model) fn uniform_routes(self) -> Vec<f64> {
        match self {
            Self::Cube { dimensions: d, .. } => {
                let others = f64::from(d).exp2() - 1.0;
                (1..=d).map(|links| binomial(d, links) / others).collect()
            }
            Self::OneWayTorus { .. } | Self::Network { .. } => Vec::new(),
        }
    }
}

pub(super) fn binomial(n: u32, k: u32) -> f64 {
    (0..k).fold(1.0, |product, i| product * f64::from(n - i) / f64::from(i + 1))
}
