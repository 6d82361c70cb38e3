//! Families of cubes, their dimensions and names.

use std::num::NonZeroU16;

/// The family of a cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Wrap-around channels, in every dimension unless [`Dimension::wraps`] excludes it.
    Torus {
        /// Channels lead the positive way only.
        unidirectional: bool,
    },
    /// No wrap-around channels.
    Mesh,
    /// Radix 2 in every dimension, one channel per neighbour and direction.
    Hypercube,
}

/// A dimension of a cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// The number of routers along the dimension; there are no links along a single router.
    pub radix: u32,
    /// True if the dimension of a torus closes into rings. A ring of two routers has two channels
    /// each way.
    pub wraps: bool,
    /// The delay of its links in cycles, in place of the machine's.
    pub delay: Option<NonZeroU16>,
}

impl Dimension {
    /// A dimension with the links of its family.
    pub fn new(radix: u32) -> Self {
        Self { radix, wraps: true, delay: None }
    }
}

impl Family {
    /// True if a dimension closes into rings.
    pub fn closes(self, dimension: &Dimension) -> bool {
        matches!(self, Self::Torus { .. }) && dimension.wraps && dimension.radix > 1
    }

    /// Directed channels between routers.
    pub fn links(self, dimensions: &[Dimension]) -> u64 {
        let routers: u64 = dimensions.iter().map(|it| u64::from(it.radix)).product();
        let along = |it: &Dimension| match self {
            Self::Torus { unidirectional: true } if self.closes(it) => routers,
            Self::Torus { unidirectional: false } if self.closes(it) => 2 * routers,
            Self::Torus { .. } | Self::Mesh | Self::Hypercube => {
                2 * (routers - routers / u64::from(it.radix))
            }
        };
        dimensions.iter().map(along).sum()
    }

    /// The cube for people: `8x8 torus`, `6-cube`, `4x4x4 mesh`; `4x4 torus with rings along x` if
    /// only some dimensions close into rings. `of` follows the family: `4x4 torus of switches`.
    pub fn name(self, dimensions: &[Dimension], of: &str) -> String {
        let radix: Vec<u32> = dimensions.iter().map(|it| it.radix).collect();
        let sizes = sizes(&radix);
        let rings: Vec<String> = (0..dimensions.len())
            .filter(|&dimension| self.closes(&dimensions[dimension]))
            .map(axis)
            .collect();
        let lines = dimensions.iter().any(|it| it.radix > 1 && !self.closes(it));
        match self {
            Self::Torus { .. } if rings.is_empty() => format!("{sizes} mesh{of}"),
            Self::Torus { unidirectional: false } if lines => {
                format!("{sizes} torus{of} with rings along {}", rings.join(" and "))
            }
            Self::Torus { unidirectional: false } => format!("{sizes} torus{of}"),
            Self::Torus { unidirectional: true } => format!("{sizes} one-way torus{of}"),
            Self::Mesh => format!("{sizes} mesh{of}"),
            Self::Hypercube => format!("{}-cube{of}", radix.len()),
        }
    }
}

/// `8x8`.
pub fn sizes<T: ToString>(radix: &[T]) -> String {
    radix.iter().map(ToString::to_string).collect::<Vec<_>>().join("x")
}

/// The name of a dimension: `x`, `y`, `z`, then `d3`.
pub fn axis(dimension: usize) -> String {
    ["x", "y", "z"].get(dimension).map_or_else(|| format!("d{dimension}"), ToString::to_string)
}
