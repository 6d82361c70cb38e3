//! Draws hosts around their switches.
//!
//! Each host is at the end of a stroke, if the lines between switches leave room.

use std::collections::{BTreeMap, BTreeSet};

use ratatui::style::Style;

use super::{Canvas, Map};
use crate::engine::HeadState;
use crate::ids::{NodeId, RouterId};
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

/// The drawn hosts with the positions of their switches and their seats.
pub(super) struct Hosts(BTreeMap<NodeId, ((i32, i32), Seat)>);

impl Hosts {
    /// Finds free seats on the canvas, for all hosts of a switch or for none.
    pub(super) fn new(app: &Scene<'_>, map: &Map, canvas: &Canvas) -> Self {
        let network = app.network();
        let shown: Vec<RouterId> =
            (0..network.routers()).map(RouterId::new).filter(|&it| map.shows(it)).collect();
        // The characters of switches, with room for their numbers and counts.
        let names = shown.iter().flat_map(|&router| {
            let (x, y) = map.at(router);
            (x - 1..=x + 4).map(move |x| (x, y))
        });
        let mut taken: BTreeSet<(i32, i32)> = names.collect();
        let mut hosts = BTreeMap::new();
        for &router in &shown {
            let (x, y) = map.at(router);
            let is_free = |&&((right, down), _, way): &&Seat| {
                let near = [right - 1, right, right + 1].map(|right| (right, down));
                near.iter().chain(way).all(|&(right, down)| {
                    let (x, y) = (x + right, y + down);
                    canvas.is_free(x, y) && !taken.contains(&(x, y))
                })
            };
            let here = network.hosts_at(router);
            let seats: Vec<Seat> = SEATS.iter().filter(is_free).take(here.len()).copied().collect();
            if seats.len() < here.len() {
                continue;
            }
            for (&host, seat) in here.iter().zip(seats) {
                let cells = [seat.0].into_iter().chain(seat.2.iter().copied());
                taken.extend(cells.map(|(right, down)| (x + right, y + down)));
                hosts.insert(host, ((x, y), seat));
            }
        }
        Self(hosts)
    }

    /// True if the hosts of a switch are drawn.
    pub(super) fn has_those_of(&self, app: &Scene<'_>, router: RouterId) -> bool {
        app.network().hosts_at(router).iter().all(|host| self.0.contains_key(host))
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
        for (host, &((x, y), ((right, down), stroke, way))) in &self.0 {
            let style = worms.get(host).copied().unwrap_or(app.theme.frame());
            let cells = way.iter().map(|&(right, down)| (x + right, y + down));
            pen.each(cells, app.glyphs.spoke[stroke], style);
            let waits = app.snapshot().queues.get(host.index()).is_some_and(|&queued| queued > 0);
            let style = if waits { app.theme.strong() } else { app.theme.dim() };
            pen.put(x + right, y + down, app.glyphs.host[usize::from(waits)], style);
        }
    }
}
