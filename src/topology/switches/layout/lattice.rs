//! Lattices: places by coordinates, and links around their edges.

use super::UNIT;
use crate::ids::RouterId;
use crate::topology::Network;
use crate::topology::labels::Labels;
use crate::topology::switches::Place;

/// Places by coordinates. Higher dimensions repeat the plane of the first two: odd ones to the right, even
/// ones upwards.
pub(super) fn places(labels: &Labels, routers: usize) -> Vec<Place> {
    let pitches = pitches(labels);
    let place = |router| {
        let mut place = [0, 0];
        for (dimension, &at) in labels.of(RouterId::new(router)).iter().enumerate() {
            place[dimension % 2] += i32::from(at) * pitches[dimension];
        }
        Place { x: place[0], y: place[1] }
    };
    (0..routers).map(place).collect()
}

/// The distance of neighbours along each dimension.
fn pitches(labels: &Labels) -> Vec<i32> {
    let levels = labels.levels();
    let pitch = |dimension: usize| {
        let inner = levels[..dimension].iter().skip(dimension % 2).step_by(2);
        inner.fold(UNIT, |pitch, level| pitch * (level.size.cast_signed() + 1))
    };
    (0..levels.len()).map(pitch).collect()
}

/// The same places with every line of routers bent to a bow: a link within a line passes by the others.
pub(super) fn bowed(labels: &Labels, mut places: Vec<Place>) -> Vec<Place> {
    for (router, place) in places.iter_mut().enumerate() {
        let coordinates = labels.of(RouterId::new(router)).iter().zip(labels.levels());
        for (dimension, (&at, level)) in coordinates.enumerate() {
            let (at, last) = (i64::from(at), i64::from(level.size) - 1);
            // Two fifths of the unit in the middle, nothing at the ends.
            let bow = 8 * at * (last - at) * i64::from(UNIT) / (5 * (last * last).max(1));
            // Repeated planes are not in line with each other.
            let slope = if dimension < 2 { 0 } else { at * i64::from(UNIT) / 2 };
            let height = (bow + slope) as i32;
            if dimension % 2 == 0 {
                place.y += height;
            } else {
                place.x += height;
            }
        }
    }
    places
}

/// The longest line of each direction on a lattice: between the distances of neighbours and of the next
/// but one. `None` if less than three fifths of the links join neighbours along an axis.
pub(super) fn reach(network: &Network, places: &[Place]) -> Option<Place> {
    let links = &network.channels()[..network.links()];
    let steps = || {
        links.iter().map(|link| {
            let (from, to) = (places[link.from.index()], places[link.to.index()]);
            (from.x.abs_diff(to.x), from.y.abs_diff(to.y))
        })
    };
    let least = |lengths: &mut dyn Iterator<Item = u32>| lengths.filter(|&it| it > 0).min();
    let across = least(&mut steps().filter(|it| it.1 == 0).map(|it| it.0));
    let along = least(&mut steps().filter(|it| it.0 == 0).map(|it| it.1));
    let is_step = |&(x, y): &(u32, u32)| y == 0 && Some(x) == across || x == 0 && Some(y) == along;
    let joined = steps().filter(is_step).count();
    let longest = |pitch: Option<u32>| {
        pitch.map_or(i32::MAX, |pitch| i32::try_from(pitch / 2 * 3).unwrap_or(i32::MAX))
    };
    (5 * joined >= 3 * links.len()).then(|| Place { x: longest(across), y: longest(along) })
}
