//! Places on the screen of switches without given ones: by their labels, by the levels or communities
//! of their links, otherwise by springs.
//!
//! Equal on every machine: integers, and operations on `f64` that are exact or rounded alike everywhere.

mod communities;
mod lattice;
mod ring;
mod rows;
mod springs;

use super::Place;
use crate::ids::RouterId;
use crate::topology::Network;
use crate::topology::labels::Labels;

/// The unit of the distance between two neighbours.
const UNIT: i32 = 1000;

/// The meaning of labels in a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The first label is a level: each is a row, the lowest at the bottom.
    Rows,
    /// The first label is a stage: each is a column, and links back to the first leave the drawing.
    Columns,
    /// The first label is a group: each is a circle on a ring of groups.
    Groups,
    /// All routers are on one circle.
    Circle,
    /// Labels are coordinates.
    Lattice,
}

/// The places of all switches, and the links to be drawn as lines.
pub(super) struct Layout {
    pub(super) places: Vec<Place>,
    /// The level of every switch, if places follow levels; otherwise empty.
    pub(super) levels: Vec<u32>,
    /// The longest line along each axis; a longer link from rim to rim is drawn as two stubs.
    pub(super) reach: Place,
}

/// A reach without limits.
const EVERYWHERE: Place = Place { x: i32::MAX, y: i32::MAX };

impl Layout {
    fn lines(places: Vec<Place>) -> Self {
        Self { places, levels: Vec::new(), reach: EVERYWHERE }
    }

    /// The layout of given places: a lattice if most of the links follow its lines.
    pub(super) fn given(network: &Network, places: Vec<Place>) -> Self {
        let reach = lattice::reach(network, &places).unwrap_or(EVERYWHERE);
        Self { places, levels: Vec::new(), reach }
    }

    /// The layout of a network whose labels have a meaning.
    pub(super) fn labelled(network: &Network, labels: &Labels, form: Form) -> Self {
        let first = |router| u32::from(labels.of(RouterId::new(router))[0]);
        let firsts: Vec<u32> = (0..network.routers()).map(first).collect();
        let neighbours = neighbours(network);
        match form {
            Form::Rows => {
                Self { levels: firsts.clone(), ..Self::lines(rows::places(&rows::listed(&firsts))) }
            }
            Form::Columns => {
                let (places, reach) = rows::columns(&rows::listed(&firsts));
                Self { places, levels: firsts, reach }
            }
            Form::Groups => Self::lines(ring::places(&neighbours, &firsts)),
            Form::Circle => Self::lines(ring::circle(firsts.len())),
            Form::Lattice => {
                let places = lattice::places(labels, firsts.len());
                match lattice::reach(network, &places) {
                    Some(reach) => Self { reach, ..Self::lines(places) },
                    None => Self::lines(lattice::bowed(labels, places)),
                }
            }
        }
    }

    /// The layout of a network by the level of every router.
    pub(super) fn levelled(network: &Network, levels: Vec<u32>) -> Self {
        let places = rows::places(&rows::ordered(&neighbours(network), &levels));
        Self { levels, ..Self::lines(places) }
    }

    /// The layout of a network by its links alone.
    pub(super) fn of(network: &Network) -> Self {
        let neighbours = neighbours(network);
        let levels = rows::levels(network, &neighbours);
        let places = if let Some(levels) = &levels {
            rows::places(&rows::ordered(&neighbours, levels))
        } else if let Some(groups) = communities::groups(&neighbours) {
            ring::places(&neighbours, &groups)
        } else {
            springs::places(network)
        };
        Self { levels: levels.unwrap_or_default(), ..Self::given(network, places) }
    }
}

/// The routers joined to each router by a link in either direction, ascending.
fn neighbours(network: &Network) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); network.routers()];
    for link in &network.channels()[..network.links()] {
        lists[link.from.index()].push(link.to.index());
        lists[link.to.index()].push(link.from.index());
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    lists
}

#[cfg(test)]
mod tests;
