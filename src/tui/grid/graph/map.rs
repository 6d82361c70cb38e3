//! Positions of switches in a pane, for the whole graph or a zoomed part.

use crate::ids::RouterId;
use crate::topology::Network;
use crate::tui::grid::frame::BOXES;

/// Characters of the pane needed per switch.
const ROOM: i64 = 14;
/// The most switches to draw at zoom level 1; with more, lines cover each other at any size of the
/// pane.
const SWITCHES_DRAWN: usize = 100;

/// A graph scaled to the zoom level, and the part shown in a pane.
pub struct Map {
    places: Vec<(i32, i32)>,
    corner: (i32, i32),
    pane: (i32, i32),
    full: (i32, i32),
}

impl Map {
    /// The most detailed zoom level: the graph is eight times as large as the pane.
    pub const ZOOM_MAX: u8 = BOXES;

    /// Places a network's switches at a zoom level (1: the whole graph fits) in a pane of the given
    /// size, with `corner` as the upper left character. Returns `None` for a pane too small for the
    /// switches, or a network without positions.
    pub fn new(
        network: &Network,
        (width, height): (u16, u16),
        zoom: u8,
        corner: (u32, u32),
    ) -> Option<Self> {
        let switches = network.switches()?;
        let routers = network.routers();
        let times = zoom.clamp(1, Self::ZOOM_MAX) - 1;
        let pane = (i32::from(width), i32::from(height));
        let full = (pane.0 << times, pane.1 << times);
        let crowded = routers as i64 * ROOM > i64::from(full.0) * i64::from(full.1);
        if crowded || routers > SWITCHES_DRAWN << (2 * times) || width < 12 || height < 4 {
            return None;
        }
        // Room for a bracket on the left, a number on the right.
        let (wide, high) = (i64::from(full.0) - 8, i64::from(full.1) - 1);
        let fit = |values: &[i32], room: i64| -> Vec<i64> {
            let least = values.iter().copied().min().map_or(0, i64::from);
            let span = values.iter().copied().max().map_or(0, i64::from) - least;
            let scaled = |&value: &i32| match span {
                0 => room / 2,
                _ => ((i64::from(value) - least) * room + span / 2) / span,
            };
            values.iter().map(scaled).collect()
        };
        let (across, along): (Vec<i32>, Vec<i32>) =
            (0..routers).map(|at| switches.place(RouterId::new(at))).map(|at| (at.x, at.y)).unzip();
        let (across, along) = (fit(&across, wide), fit(&along, high));
        let mut taken: Vec<(i32, i32)> = Vec::with_capacity(routers);
        for (x, y) in across.into_iter().zip(along) {
            let wanted = (2 + x as i32, (high - y) as i32);
            let free = nearby(wanted, full).find(|&(x, y)| {
                taken.iter().all(|&(other_x, other_y)| other_y != y || (other_x - x).abs() > 4)
            });
            taken.push(free.unwrap_or(wanted));
        }
        let mut map = Self { places: taken, corner: (0, 0), pane, full };
        let corner = map.clamped(i64::from(corner.0), i64::from(corner.1));
        map.corner = (corner.0 as i32, corner.1 as i32);
        Some(map)
    }

    /// The valid corner nearest to (x, y).
    fn clamped(&self, x: i64, y: i64) -> (u32, u32) {
        let most = (i64::from(self.full.0 - self.pane.0), i64::from(self.full.1 - self.pane.1));
        (x.clamp(0, most.0) as u32, y.clamp(0, most.1) as u32)
    }

    /// The position of a switch in the pane.
    pub fn at(&self, router: RouterId) -> (i32, i32) {
        let (x, y) = self.places[router.index()];
        (x - self.corner.0, y - self.corner.1)
    }

    /// True if a switch and its number are in sight.
    pub fn shows(&self, router: RouterId) -> bool {
        let (x, y) = self.at(router);
        x >= 1 && y >= 0 && x < self.pane.0 - 4 && y < self.pane.1
    }

    /// The switch nearest to a character of the pane.
    pub fn nearest(&self, x: i32, y: i32) -> Option<RouterId> {
        self.routers().min_by_key(|&router| self.far((x, y), router))
    }

    /// The switch itself if in sight, else the nearest switch in sight.
    pub fn nearest_in_sight(&self, router: RouterId) -> Option<RouterId> {
        let shown = self.routers().filter(|&other| self.shows(other));
        shown.min_by_key(|&other| self.far(self.at(router), other))
    }

    fn routers(&self) -> impl Iterator<Item = RouterId> + use<> {
        (0..self.places.len()).map(RouterId::new)
    }

    /// The squared distance of a switch from a character; rows count twice.
    fn far(&self, (x, y): (i32, i32), router: RouterId) -> i64 {
        let (at_x, at_y) = self.at(router);
        let (across, along) = (i64::from(at_x - x), 2 * i64::from(at_y - y));
        across * across + along * along
    }

    /// The present corner if a switch is in sight, else the corner with the switch in the middle.
    pub fn follow(&self, router: RouterId) -> (u32, u32) {
        if self.shows(router) {
            return (self.corner.0 as u32, self.corner.1 as u32);
        }
        self.placing(router, (self.pane.0 / 2, self.pane.1 / 2))
    }

    /// The corner that puts a switch at a character of the pane, as near as the edges allow.
    pub fn placing(&self, router: RouterId, (x, y): (i32, i32)) -> (u32, u32) {
        let at = self.places[router.index()];
        self.clamped(i64::from(at.0) - i64::from(x), i64::from(at.1) - i64::from(y))
    }

    /// The corner after moving the picture from `corner` by some characters to the right and down.
    pub fn panned(&self, corner: (u32, u32), (right, down): (i32, i32)) -> (u32, u32) {
        self.clamped(i64::from(corner.0) - i64::from(right), i64::from(corner.1) - i64::from(down))
    }
}

/// Characters within the given size, in order of distance from (x, y).
fn nearby(
    (x, y): (i32, i32),
    (width, height): (i32, i32),
) -> impl Iterator<Item = (i32, i32)> + use<> {
    let ring = move |far: i32| {
        (-far..=far).flat_map(move |down| {
            let across = 3 * (far - down.abs());
            let twice = if across == 0 { 1 } else { 2 };
            [(x + across, y + down), (x - across, y + down)].into_iter().take(twice)
        })
    };
    (0..8).flat_map(ring).filter(move |&(x, y)| x >= 1 && y >= 0 && x < width - 5 && y < height)
}

#[cfg(test)]
mod tests;
