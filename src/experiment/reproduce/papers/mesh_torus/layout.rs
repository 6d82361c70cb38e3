//! Costs of a k × k mesh and a k × k one-way torus in a plane, in tracks of one channel.
//!
//! The paper prints no formulas. Routers of both networks are squares with two tracks on a side, for the
//! two channels of the mesh. The torus is folded: its rings visit every other router on the way out, and
//! the others on the way back.

/// Costs of a network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Layout {
    /// Channels between the left and the right half: 2k for both networks.
    pub bisection: f64,
    /// Tracks from router to router: two, and one for the channel that passes a router of the torus.
    pub pitch: f64,
    /// Routers on a side.
    pub side: f64,
    /// The longest wire, in routers from its start to its end.
    pub reach: f64,
    /// Links longer than one router in any layout: those beyond the 2k(k − 1) pairs of neighbours that k²
    /// routers have at most, fewer by one for each row and each column.
    pub long_links: f64,
}

impl Layout {
    /// A mesh of k × k routers.
    pub fn mesh(k: f64) -> Self {
        Self { bisection: 2.0 * k, pitch: 2.0, side: k, reach: 1.0, long_links: 0.0 }
    }

    /// A one-way torus of k × k routers, k ≥ 3, with 2k² links.
    pub fn torus(k: f64) -> Self {
        let long_links = 2.0 * k * k - 2.0 * k * (k - 1.0);
        Self { pitch: 3.0, reach: 2.0, long_links, ..Self::mesh(k) }
    }

    /// The area, in square tracks.
    pub fn area(self) -> f64 {
        (self.pitch * self.side).powi(2)
    }

    /// The longest wire, in tracks.
    pub fn wire(self) -> f64 {
        self.reach * self.pitch
    }
}

#[cfg(test)]
mod tests;
