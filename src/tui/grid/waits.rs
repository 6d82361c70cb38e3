//! Draws waits over a dim lattice: an edge from each blocked head along the link it waits for.
//!
//! A ring that will close is drawn before the deadlock, with the waits still missing; without such
//! a ring, the proof's example of a ring is drawn.

use ratatui::style::Style;

use super::frame::Frame;
use crate::engine::{Wait, WaitKind};
use crate::ids::{ChannelId, VcId};
use crate::live::{Ring, RingWait};
use crate::routing::dependency::Verdict;
use crate::topology::Role;
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;

/// Reasons for marking a link, in drawing order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum MarkReason {
    /// Part of a ring that could close.
    Example,
    /// A head waits for the link.
    Wanted,
    /// A missing wait of a ring that will close.
    Gap,
    /// A wait of a ring that will close.
    Ring,
    /// A deadlocked head waits for the link.
    Dead,
}

impl MarkReason {
    pub(super) fn style(self, app: &Scene<'_>) -> Style {
        match self {
            Self::Wanted | Self::Gap => app.theme.warning(),
            Self::Example | Self::Ring | Self::Dead => app.theme.alarm(),
        }
    }

    /// True if a head waits at the start of the link.
    pub(super) fn waits(self) -> bool {
        match self {
            Self::Wanted | Self::Ring | Self::Dead => true,
            Self::Example | Self::Gap => false,
        }
    }

    /// The characters of the link, across and along.
    pub(super) fn line(self, app: &Scene<'_>) -> [char; 2] {
        match self {
            Self::Example => app.glyphs.body,
            Self::Gap => app.glyphs.gap,
            Self::Wanted | Self::Ring | Self::Dead => app.glyphs.tail,
        }
    }
}

/// The marked links in drawing order, limited to the selected VC and message class.
pub(super) fn wants(app: &Scene<'_>) -> Vec<(ChannelId, MarkReason)> {
    let all = app.system().switching.virtual_channels().max(1);
    let why = |wait: &RingWait| if wait.begun { MarkReason::Ring } else { MarkReason::Gap };
    let ring = ring(app).map_or(&[][..], |ring| &ring.waits);
    let ring = ring.iter().map(|wait| (wait.wants, why(wait)));
    let cycle =
        example(app).unwrap_or_default().iter().map(|&vc| (vc, MarkReason::Example)).chain(ring);
    let of_class = |wait: &&Wait| {
        let worm = || app.snapshot().worms.iter().find(|worm| worm.id == wait.worm);
        app.filter().message_class.is_none() || worm().is_some_and(|worm| app.shows(worm))
    };
    let waits = app.snapshot().waits.iter().filter(of_class).map(|wait| {
        (wait.wants, if app.is_dead(wait.worm) { MarkReason::Dead } else { MarkReason::Wanted })
    });
    let shown = |&(vc, _): &(VcId, MarkReason)| app.selects(vc.0 % all);
    let all = cycle.chain(waits).filter(shown).map(|(vc, why)| (ChannelId(vc.0 / all), why));
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|&(_, why)| why);
    all
}

pub(super) fn draw(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    for (channel, why) in wants(app) {
        let Some(seat) = app.plane.seat_of(channel) else {
            mark_router(app, frame, pen, (channel, why));
            continue;
        };
        let (col, row, side) = seat;
        let (line, style) = (why.line(app)[usize::from(!side.is_across())], why.style(app));
        let cells = frame.leaving(seat).chain(frame.arriving(app.plane, seat));
        let cells: Vec<(i32, i32)> = cells.collect();
        pen.each(cells.iter().copied(), line, style);
        if let Some(&(x, y)) = cells.last() {
            pen.put(x, y, app.glyphs.arrow[side as usize], style);
        }
        if let Some(at) = frame.at(col, row).filter(|_| why.waits()) {
            // Marks the router of the waiting head.
            pen.each(frame.lane(at, side, (-1, 0)), app.glyphs.blocked, style);
        }
    }
}

/// Marks the router of a channel of a terminal, for which a head waits or the room of a node.
fn mark_router(
    app: &Scene<'_>,
    frame: &Frame,
    pen: &mut Pen<'_>,
    (channel, why): (ChannelId, MarkReason),
) {
    let ends = app.network().channel(channel);
    if ends.role == Role::Link {
        return;
    }
    let (_, col, row) = app.plane.place(ends.from);
    let is_in_sight = app.plane.router(col, row) == Some(ends.from);
    if let Some(at) = frame.at(col, row).filter(|_| is_in_sight) {
        let (x, y) = frame.middle(at);
        pen.put(x, y, app.glyphs.blocked, why.style(app));
    }
}

/// True if a head waits at its destination for room for the reply.
pub(super) fn any_for_room(app: &Scene<'_>) -> bool {
    app.snapshot().waits.iter().any(|wait| wait.kind == WaitKind::Reply)
}

/// The ring that will close; `None` after the deadlock.
pub(super) fn ring<'a>(app: &'a Scene<'_>) -> Option<&'a Ring> {
    app.update.ring.as_ref().filter(|_| app.deadlock().is_none())
}

/// The proof's example of a ring that could close, until the run has a ring of its own.
pub(super) fn example<'a>(app: &'a Scene<'_>) -> Option<&'a [VcId]> {
    let Verdict::Cyclic { cycle } = &app.update.proof.as_deref()?.verdict else { return None };
    let own = app.deadlock().is_some() || app.update.ring.is_some();
    (!own && !app.conceals).then_some(cycle.as_slice())
}
