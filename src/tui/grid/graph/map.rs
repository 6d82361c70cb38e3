//! Positions of switches in a pane, for the whole graph or a zoomed part.

use std::collections::{BTreeMap, BTreeSet};

use crate::ids::RouterId;
use crate::topology::Network;
use crate::topology::switches::{Place, Switches};

/// Characters of the pane needed per switch.
const ROOM: i64 = 14;
/// The most switches to draw at zoom level 1; with more, lines cover each other at any size of the
/// pane.
const SWITCHES_DRAWN: usize = 256;

/// The longest name of a switch at the end of a stub.
const CAPTION: usize = 8;

/// Characters for the titles of levels, in full and in short.
const TITLES: [i32; 2] = [8, 3];
/// Characters per switch of a row that titles leave.
const ROOM_IN_ROWS: i32 = 3;

/// A graph scaled to the zoom level, and the part shown in a pane.
pub struct Map {
    places: Vec<(i32, i32)>,
    /// Characters for the label of each switch.
    rooms: Vec<i32>,
    hosts_below: bool,
    levels_in_rows: Option<bool>,
    corner: (i32, i32),
    pane: (i32, i32),
    full: (i32, i32),
}

/// Characters of the pane around the switches.
#[derive(Clone, Copy)]
struct Margins {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl Margins {
    /// Room for a bracket on the left and a number on the right; for stubs with names; for hosts below
    /// the lowest row; and for the titles of levels.
    fn new(
        network: &Network,
        switches: &Switches,
        wide: i32,
        (hosts_below, levels_in_rows): (bool, Option<bool>),
    ) -> Self {
        let links = &network.channels()[..network.links()];
        let around = || links.iter().filter_map(|link| switches.around(link.from, link.to));
        let routers = (0..network.routers()).map(RouterId::new);
        let longest = routers.map(|router| caption(network, router).chars().count()).max();
        let longest = longest.unwrap_or(0) as i32;
        // Half the width of a block of hosts.
        let below = if hosts_below { network.terminals_at_most().min(8) as i32 / 2 } else { 0 };
        // Room for names at the right edge, if it is small.
        let names = switches.names().routers.iter().map(|name| name.chars().count() as i32 + 2);
        let right = names.max().filter(|&name| 5 * name <= wide).unwrap_or(below + 2);
        let (across, along) = (around().any(|it| it.0 != 0), around().any(|it| it.1 != 0));
        let (left, right) =
            if across { (5 + longest, 7 + 2 * longest) } else { (2 + below, right.max(6)) };
        // As much as leaves room for the longest row.
        let row = longest_row(network, switches);
        let mut titles = TITLES.into_iter().filter(|_| levels_in_rows == Some(true));
        let title = titles.find(|room| wide - left - right - room >= ROOM_IN_ROWS * row);
        Self {
            left: left + title.unwrap_or(0),
            right,
            top: if along {
                3
            } else if levels_in_rows == Some(false) {
                2
            } else {
                0
            },
            bottom: if along {
                4
            } else if hosts_below {
                3
            } else {
                1
            },
        }
    }
}

/// The name of a switch at the far end of a stub; its number if it has no name or a long one.
pub(super) fn caption(network: &Network, router: RouterId) -> String {
    let given = network.switches().and_then(|it| it.names().routers.get(router.index()));
    let short = given.map(|name| plain(name)).filter(|name| name.chars().count() <= CAPTION);
    short.unwrap_or_else(|| router.0.to_string())
}

/// A name without the parentheses and blanks of a tuple: `0,1` for `(0, 1)`, as NetworkX names the nodes
/// of grids.
fn plain(name: &str) -> String {
    let inside = name.strip_prefix('(').and_then(|name| name.strip_suffix(')'));
    let inside = inside.filter(|inside| inside.contains(',') && !inside.contains(['(', ')']));
    inside.map_or_else(|| name.to_owned(), |inside| inside.replace([' ', '\'', '"'], ""))
}

/// The name of a switch if it fits, else its number, else nothing.
fn fitting(network: &Network, router: RouterId, room: i32) -> String {
    let given = network.switches().and_then(|it| it.names().routers.get(router.index()));
    let texts = given.map(|name| plain(name)).into_iter().chain([router.0.to_string()]);
    let fits = |text: &String| text.chars().count() as i32 <= room;
    texts.into_iter().find(fits).unwrap_or_default()
}

impl Map {
    /// The most detailed zoom level: the graph is eight times as large as the pane.
    pub const ZOOM_MAX: u8 = 4;

    /// Places a network's switches at a zoom level (1: the whole graph fits) in a pane of the given
    /// size, with `origin` as the upper left character. Returns `None` for a pane too small for the
    /// switches, or a network without positions.
    pub fn new(
        network: &Network,
        (width, height): (u16, u16),
        zoom: u8,
        origin: (u32, u32),
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
        let places: Vec<Place> = (0..routers).map(|at| switches.place(RouterId::new(at))).collect();
        let hosts_below = has_hosts_below(network, &places);
        let levels_in_rows = levels_in_rows(network, &places);
        let margins = Margins::new(network, switches, full.0, (hosts_below, levels_in_rows));
        let (rows, places) =
            (places.iter().map(|at| at.y).collect::<Vec<_>>(), scaled(&places, full, margins));
        let rooms = rooms(&rows, &places, full.0);
        let corner = (0, 0);
        let mut map = Self { places, rooms, hosts_below, levels_in_rows, corner, pane, full };
        let corner = map.clamped(i64::from(origin.0), i64::from(origin.1));
        map.corner = (corner.0 as i32, corner.1 as i32);
        Some(map)
    }

    /// The name of a switch if there is room beside it, else its number, else nothing.
    pub fn label(&self, network: &Network, router: RouterId) -> String {
        fitting(network, router, self.rooms[router.index()])
    }

    /// The label of a switch that may cover others up to the edge of the pane.
    pub fn label_above(&self, network: &Network, router: RouterId) -> String {
        fitting(network, router, self.pane.0 - self.at(router).0 - 2)
    }

    /// True if hosts are drawn below their switches only: all are at the lowest row.
    pub fn has_hosts_below(&self) -> bool {
        self.hosts_below
    }

    /// True if every level is a row, false if every level is a column; otherwise `None`.
    pub fn levels_in_rows(&self) -> Option<bool> {
        self.levels_in_rows
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

/// True if the switches with hosts are exactly those of the lowest row.
fn has_hosts_below(network: &Network, places: &[Place]) -> bool {
    let lowest = places.iter().map(|at| at.y).min();
    let is_below = |at: usize| Some(places[at].y) == lowest;
    (0..places.len()).all(|at| is_below(at) == (network.terminals_at(RouterId::new(at)) > 0))
        && !(0..places.len()).all(is_below)
}

/// True if the switches of every level are in a row of their own, false if they are in a column;
/// `None` for other drawings and without levels.
fn levels_in_rows(network: &Network, places: &[Place]) -> Option<bool> {
    let level = |at: usize| network.level_of(RouterId::new(at));
    level(0)?;
    let is_one_each = |along: fn(&Place) -> i32| {
        let mut found: BTreeMap<i32, Option<u32>> = BTreeMap::new();
        let fits = |(at, place)| *found.entry(along(place)).or_insert(level(at)) == level(at);
        let one_level_each = places.iter().enumerate().all(fits);
        let levels: BTreeSet<Option<u32>> = found.values().copied().collect();
        one_level_each && levels.len() == found.len()
    };
    if is_one_each(|at| at.y) {
        return Some(true);
    }
    is_one_each(|at| at.x).then_some(false)
}

/// The number of switches in the longest row.
fn longest_row(network: &Network, switches: &Switches) -> i32 {
    let mut rows: BTreeMap<i32, i32> = BTreeMap::new();
    for at in 0..network.routers() {
        *rows.entry(switches.place(RouterId::new(at)).y).or_default() += 1;
    }
    rows.into_values().max().unwrap_or(0)
}

/// Places in characters. Switches of different rows that would cover each other move apart.
fn scaled(places: &[Place], full: (i32, i32), margins: Margins) -> Vec<(i32, i32)> {
    let room = |size: i32, before: i32, after: i32| i64::from((size - before - after).max(1));
    let (wide, high) =
        (room(full.0, margins.left, margins.right), room(full.1, margins.top, margins.bottom));
    let fit = |values: Vec<i32>, room: i64| -> Vec<i32> {
        let least = values.iter().copied().min().map_or(0, i64::from);
        let span = values.iter().copied().max().map_or(0, i64::from) - least;
        let scaled = |&value: &i32| match span {
            0 => room / 2,
            _ => ((i64::from(value) - least) * room + span / 2) / span,
        };
        values.iter().map(|value| scaled(value) as i32).collect()
    };
    let across = fit(places.iter().map(|at| at.x).collect(), wide);
    let along = fit(places.iter().map(|at| at.y).collect(), high);
    // The column and place of each switch, by row of the screen.
    let mut taken: BTreeMap<i32, Vec<(i32, Place)>> = BTreeMap::new();
    let mut found = Vec::with_capacity(places.len());
    for ((x, y), &place) in across.into_iter().zip(along).zip(places) {
        let wanted = (margins.left + x, margins.top + high as i32 - y);
        let is_clear = |&(x, y): &(i32, i32)| {
            taken.get(&y).is_none_or(|row| {
                row.iter().all(|&(other_x, other)| {
                    let apart = if other.y == place.y { 2 } else { 5 };
                    (other_x - x).abs() >= apart
                })
            })
        };
        let (x, y) = nearby(wanted, full).find(is_clear).unwrap_or(wanted);
        taken.entry(y).or_default().push((x, place));
        found.push((x, y));
    }
    found
}

/// The characters to the right of each switch up to the next one or the edge: in a row of many switches,
/// the same for all.
fn rooms(rows: &[i32], places: &[(i32, i32)], width: i32) -> Vec<i32> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&at| (places[at].1, places[at].0));
    let mut rooms = vec![0; places.len()];
    for (nth, &at) in order.iter().enumerate() {
        let (x, y) = places[at];
        let next = order.get(nth + 1).map(|&next| places[next]).filter(|next| next.1 == y);
        rooms[at] = next.map_or(width - 1, |next| next.0) - x - 1;
    }
    let mut least: BTreeMap<i32, (usize, i32)> = BTreeMap::new();
    for (&row, &room) in rows.iter().zip(&rooms) {
        let (count, least) = least.entry(row).or_insert((0, i32::MAX));
        (*count, *least) = (*count + 1, room.min(*least));
    }
    for (row, room) in rows.iter().zip(&mut rooms) {
        *room = least.get(row).filter(|it| it.0 > 4).map_or(*room, |it| it.1);
    }
    rooms
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
