//! An axis of a view, eastward or northward: the nodes in sight and their positions.

/// The nodes of a plane along one direction, and their characters in a pane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axis {
    /// Nodes of the plane.
    pub all: u32,
    /// True if the nodes form a ring.
    pub wraps: bool,
    /// Nodes per pixel at zoom level 0.
    pub block: u32,
    /// Nodes or pixels in sight.
    pub shown: u32,
    /// The first node in sight.
    pub from: u32,
    /// Characters per node; pixels for the northward axis at zoom level 0.
    pub pitch: i32,
    /// Characters of the node itself.
    pub size: i32,
    /// Characters of links that lead out of sight.
    pub stub: i32,
    /// The first character of the first node.
    start: i32,
    /// The pitch, negative if nodes and characters are counted in opposite directions.
    stride: i32,
}

impl Axis {
    /// Fits as many of `all` nodes as possible into `length` characters after `before`, with the given
    /// pitch, size and stub, from `corner` on. A ring wholly in sight starts at `turn`. With `up`, nodes run
    /// from the last character to the first.
    pub(super) fn new(
        (all, wraps): (u32, bool),
        (before, length): (i32, i32),
        [pitch, size, stub]: [i32; 3],
        block: u32,
        (corner, turn): (u32, u32),
        up: bool,
    ) -> Self {
        let room = (length - size - 2 * stub).max(0) / pitch + 1;
        let shown = (room as u32).min(all.div_ceil(block)).max(1);
        let last = (shown as i32 - 1) * pitch;
        let margin = before + (length - last - size) / 2;
        let (start, stride) = if up { (margin + last, -pitch) } else { (margin, pitch) };
        let from = match (shown * block >= all, wraps) {
            (true, true) => turn % all,
            (true, false) => 0,
            (false, true) => corner % all,
            (false, false) => corner.min(all - shown),
        };
        Self { all, wraps, block, shown, from, pitch, size, stub, start, stride }
    }

    /// The number of nodes in sight, with a last partial block counted as whole.
    fn sight(&self) -> u32 {
        self.shown * self.block
    }

    /// True if all nodes are in sight.
    pub fn whole(&self) -> bool {
        self.sight() >= self.all
    }

    /// The number of nodes from the first in sight to `node`, modulo `all`.
    fn ahead(&self, node: u32) -> u32 {
        (node + self.all - self.from) % self.all
    }

    /// The seat of a node: its position in nodes or pixels from the first in sight.
    pub fn seat(&self, node: u32) -> u32 {
        self.ahead(node) / self.block
    }

    /// The first node of a seat.
    pub fn node(&self, seat: u32) -> u32 {
        (self.from + seat * self.block) % self.all
    }

    /// The nodes of a seat.
    pub fn nodes(self, seat: u32) -> impl Iterator<Item = u32> + Clone {
        let part = seat * self.block..((seat + 1) * self.block).min(self.all);
        part.map(move |ahead| (self.from + ahead) % self.all)
    }

    /// The first character of a seat.
    pub fn character(&self, seat: u32) -> i32 {
        self.start + seat as i32 * self.stride
    }

    /// The first character of a node; `None` if out of sight.
    pub fn at(&self, node: u32) -> Option<i32> {
        let seat = self.seat(node);
        (seat < self.shown).then(|| self.character(seat))
    }

    /// The seat at a character, in sight or not. Each seat is extended by the `margin` characters
    /// before.
    fn seat_near(&self, character: i32, margin: i32) -> i32 {
        let before = character - self.start;
        let offset = if self.stride > 0 { before } else { self.size - 1 - before };
        (offset + margin).div_euclid(self.pitch)
    }

    /// The seat at a character; `None` if out of sight.
    pub fn seat_at(&self, character: i32) -> Option<u32> {
        u32::try_from(self.seat_near(character, 0)).ok().filter(|&seat| seat < self.shown)
    }

    /// The seat nearest to a character.
    pub fn nearest(&self, character: i32) -> u32 {
        let margin = (self.pitch - self.size + 1) / 2;
        self.seat_near(character, margin).clamp(0, self.shown as i32 - 1) as u32
    }

    /// True if a node and its successor (`after`) or predecessor are in sight next to each other.
    pub fn joined(&self, node: u32, after: bool) -> bool {
        let seat = self.ahead(node);
        seat < self.shown && if after { seat + 1 < self.shown } else { seat > 0 }
    }

    /// The number of seats before the seam between the last node and the first; `None` if the seam
    /// is not inside the view.
    pub fn seam(&self) -> Option<u32> {
        let before = (self.all - self.from) / self.block;
        (self.from > 0 && before > 0 && before < self.shown).then_some(before)
    }

    /// The first node in sight after the least movement that brings `node` into sight; `kept` if
    /// all nodes are in sight.
    pub(super) fn follow(&self, kept: u32, node: u32) -> u32 {
        if self.whole() {
            return kept.min(self.all - 1);
        }
        // Moves by the distance from the nearest node in sight to `node`.
        let near = self.nearest_in_sight(node);
        (self.from + self.ahead(node) - self.ahead(near)) % self.all
    }

    /// The nearest valid first node; `node` may be outside the plane.
    pub(super) fn clamped(&self, node: i64) -> u32 {
        if self.wraps {
            node.rem_euclid(i64::from(self.all)) as u32
        } else {
            node.clamp(0, i64::from(self.all.saturating_sub(self.sight()))) as u32
        }
    }

    /// The node in sight nearest to `node`.
    pub(super) fn nearest_in_sight(&self, node: u32) -> u32 {
        let (all, ahead, sight) = (self.all, self.ahead(node), self.sight());
        if ahead < sight {
            node
        } else if self.wraps && all - ahead < ahead - (sight - 1) || !self.wraps && node < self.from
        {
            self.from
        } else {
            (self.from + sight - 1) % all
        }
    }
}
