//! Draws hosts around their switches.
//!
//! Each host is at the end of a stroke, if the lines between switches leave room.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::style::Style;

use super::{Canvas, Map};
use crate::engine::HeadState;
use crate::ids::{NodeId, RouterId};
use crate::topology::Network;
use crate::tui::grid::worms::inks;
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;
use crate::tui::view::View;

/// A position for a host in characters to the right of the switch and below, the index of the
/// connecting stroke, and the characters of the stroke. The right side is taken by the switch's
/// number.
type Seat = ((i32, i32), usize, &'static [(i32, i32)]);
const SEATS: [Seat; 7] = [
    ((-2, -2), 2, &[(-1, -1)]),
    ((2, 2), 2, &[(1, 1)]),
    ((-2, 2), 3, &[(-1, 1)]),
    ((2, -2), 3, &[(1, -1)]),
    ((0, -2), 1, &[(0, -1)]),
    ((0, 2), 1, &[(0, 1)]),
    ((-4, 0), 0, &[(-3, 0), (-2, 0)]),
];

/// Arrangements of the hosts of all switches.
#[derive(Clone, Copy)]
enum Arrangement {
    /// Hosts at the ends of strokes on all sides, or below only.
    Spokes { below: bool },
    /// Close below the switch, in a number of rows.
    Rows(usize),
}

impl Arrangement {
    /// The seats for a number of hosts, of which as many as there are hosts must be free.
    fn seats(self, hosts: usize) -> Vec<Seat> {
        match self {
            Self::Spokes { below } => {
                SEATS.iter().filter(|seat| !below || seat.0.1 > 0).copied().collect()
            }
            Self::Rows(rows) => {
                let across = hosts.div_ceil(rows).max(1);
                let left = (across as i32 - 1) / 2;
                let seat = |at: usize| ((at % across) as i32 - left, 1 + (at / across) as i32);
                (0..hosts).map(|at| (seat(at), 1, &[][..])).collect()
            }
        }
    }
}

/// The position of a host's switch, and its seat.
type Seated = BTreeMap<NodeId, ((i32, i32), Seat)>;

/// The drawn hosts.
pub(super) struct Hosts {
    seats: Seated,
    /// Switches have different numbers of hosts.
    counted: bool,
}

impl Hosts {
    /// Finds free seats on the canvas, for all hosts of a switch or for none.
    pub(super) fn new(app: &Scene<'_>, map: &Map, canvas: &Canvas) -> Self {
        let network = app.network();
        let shown: Vec<RouterId> =
            network.host_routers().filter(|&router| map.shows(router)).collect();
        let arrangements: &[Arrangement] = if map.has_hosts_below() {
            &[Arrangement::Spokes { below: true }, Arrangement::Rows(1), Arrangement::Rows(2)]
        } else {
            &[Arrangement::Spokes { below: false }]
        };
        let hosts = shown.iter().map(|&router| network.terminals_at(router)).sum();
        let mut seats = Seated::new();
        for &arrangement in arrangements {
            let found = seated(network, map, canvas, &shown, arrangement);
            if found.len() > seats.len() {
                seats = found;
            }
            if seats.len() == hosts {
                break;
            }
        }
        let counts: BTreeSet<usize> =
            network.host_routers().map(|router| network.terminals_at(router)).collect();
        // Hosts of few switches would seem to be all.
        if counts.len() == 1 && 2 * seats.len() < hosts {
            seats.clear();
        }
        Self { seats, counted: counts.len() > 1 }
    }

    /// True if the number of hosts of a switch is shown in their place.
    pub(super) fn are_counted(&self, app: &Scene<'_>, router: RouterId) -> bool {
        let mut hosts = app.network().hosts_at(router).iter();
        self.counted && !hosts.all(|host| self.seats.contains_key(host))
    }

    /// The characters of hosts and strokes.
    pub(super) fn cells(&self) -> impl Iterator<Item = (i32, i32)> {
        self.seats.values().flat_map(|&((x, y), (seat, _, way))| {
            let cells = std::iter::once(seat).chain(way.iter().copied());
            cells.map(move |(right, down)| (x + right, y + down))
        })
    }

    /// Draws the hosts and their strokes, in the colours of worms that enter or leave the network.
    pub(super) fn draw(&self, app: &Scene<'_>, pen: &mut Pen<'_>) {
        let mut worms: BTreeMap<NodeId, Style> = BTreeMap::new();
        for ink in inks(app).filter(|_| app.map.view == View::Worms) {
            let worm = ink.worm;
            if worm.at_source > 0 && worm.head != HeadState::AtSource {
                worms.insert(worm.source, ink.line);
            }
            if worm.head == HeadState::Arriving {
                worms.insert(worm.destination, ink.line);
            }
        }
        for (host, &((x, y), ((right, down), stroke, way))) in &self.seats {
            let style = worms.get(host).copied().unwrap_or(app.theme.frame());
            let cells = way.iter().map(|&(right, down)| (x + right, y + down));
            pen.each(cells, app.glyphs.spoke[stroke], style);
            let waits = app.snapshot().queues.get(host.index()).is_some_and(|&queued| queued > 0);
            let style = if waits { app.theme.strong() } else { app.theme.dim() };
            let style = worms.get(host).copied().filter(|_| way.is_empty()).unwrap_or(style);
            pen.put(x + right, y + down, app.glyphs.host[usize::from(waits)], style);
        }
    }
}

/// The seats of an arrangement, for all hosts of a switch or for none.
fn seated(
    network: &Network,
    map: &Map,
    canvas: &Canvas,
    shown: &[RouterId],
    arrangement: Arrangement,
) -> Seated {
    // The characters of switches, with room for their names and counts.
    let routers = (0..network.routers()).map(RouterId::new).filter(|&router| map.shows(router));
    let names = routers.flat_map(|router| {
        let (x, y) = map.at(router);
        let label = map.label(network, router).chars().count() as i32;
        (x - 1..=x + label.max(2) + 2).map(move |x| (x, y))
    });
    let mut taken: BTreeSet<(i32, i32)> = names.collect();
    let mut hosts = Seated::new();
    for &router in shown {
        let (x, y) = map.at(router);
        let is_free = |&((right, down), _, way): &Seat| {
            let near = [right - 1, right, right + 1].map(|right| (right, down));
            near.iter().chain(way).all(|&(right, down)| {
                let (x, y) = (x + right, y + down);
                canvas.is_free(x, y) && !taken.contains(&(x, y))
            })
        };
        let here = network.hosts_at(router);
        let free = arrangement.seats(here.len()).into_iter().filter(is_free);
        let seats: Vec<Seat> = free.take(here.len()).collect();
        if seats.len() < here.len() {
            continue;
        }
        for (&host, seat) in here.iter().zip(seats) {
            let cells = [seat.0].into_iter().chain(seat.2.iter().copied());
            taken.extend(cells.map(|(right, down)| (x + right, y + down)));
            hosts.insert(host, ((x, y), seat));
        }
    }
    hosts
}
