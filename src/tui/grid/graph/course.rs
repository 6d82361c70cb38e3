//! The course of a link on the screen: a line or, around the edge of a lattice, a stub at each end.

use super::canvas::Line;
use super::map::{Map, caption};
use crate::ids::{ChannelId, RouterId};
use crate::topology::{Network, Role};

/// Columns of a stub beside its switch, and rows of one above or below it.
const STUB: (i32, i32) = (4, 2);

/// The course of a link.
pub(super) struct Course {
    leaves: Line,
    /// The stub at the far end; `None` for a line.
    enters: Option<Line>,
}

impl Course {
    /// The course of a link; `None` for channels of hosts.
    pub(super) fn of(network: &Network, map: &Map, channel: ChannelId) -> Option<Self> {
        let row = network.channel(channel);
        let (from, to) = (map.at(row.from), map.at(row.to));
        if row.role != Role::Link {
            return None;
        }
        let Some((right, up)) = network.switches()?.around(row.from, row.to) else {
            return Some(Self { leaves: Line::new(from, to), enters: None });
        };
        let leaves = Line::new(from, end(network, map, row.from, (right, up)));
        let enters = Line::new(end(network, map, row.to, (-right, -up)), to);
        Some(Self { leaves, enters: Some(enters) })
    }

    /// Its lines, from start to end.
    pub(super) fn lines(&self) -> impl DoubleEndedIterator<Item = Line> + use<> {
        [Some(self.leaves), self.enters].into_iter().flatten()
    }

    /// The line on which it leaves its first switch.
    pub(super) fn start(&self) -> Line {
        self.leaves
    }
}

/// The end of a stub that leaves a switch in a direction, to the right and up.
fn end(network: &Network, map: &Map, router: RouterId, (right, up): (i32, i32)) -> (i32, i32) {
    let (x, y) = map.at(router);
    // To the right, the label is in between.
    let label = if right > 0 { map.label(network, router).chars().count() as i32 } else { 0 };
    (x + right * (STUB.0 + label), y - up * STUB.1)
}

/// Names of the switches at the far ends of stubs, with the places of their first characters.
pub(super) fn captions(network: &Network, map: &Map) -> Vec<((i32, i32), String)> {
    let Some(switches) = network.switches() else { return Vec::new() };
    let links = network.channels()[..network.links()].iter();
    let both = links.flat_map(|link| {
        let around = switches.around(link.from, link.to);
        let ends = around.map(|(right, up)| {
            [(link.from, link.to, (right, up)), (link.to, link.from, (-right, -up))]
        });
        ends.into_iter().flatten()
    });
    let caption = |(at, other, (right, up))| {
        let name = caption(network, other);
        let (x, y) = end(network, map, at, (right, up));
        let x = match right {
            0 => x,
            1 => x + 1,
            _ => x - name.chars().count() as i32,
        };
        ((x, y - up), name)
    };
    both.map(caption).collect()
}
