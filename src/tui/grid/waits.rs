//! Who waits for what as edges over a dim lattice: from each head that stands along the link that
//! it wants; and the cycle of virtual channels that the proof predicts, as long as none has come.

use ratatui::style::Style;

use super::frame::Frame;
use super::lattice::arriving;
use crate::ids::{ChannelId, VcId};
use crate::routing::dependency::Verdict;
use crate::tui::app::Shown;
use crate::tui::pen::Pen;

/// Why a link is marked, what lies on top last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Why {
    /// It is in the cycle that is predicted.
    Predicted,
    /// A head waits for it.
    Wanted,
    /// One waits for it that can never move again.
    Dead,
}

impl Why {
    pub(super) fn style(self, app: &Shown<'_>) -> Style {
        match self {
            Self::Wanted => app.theme.warning(),
            Self::Predicted | Self::Dead => app.theme.alarm(),
        }
    }
}

/// The links that are marked, unless other VCs are looked at.
pub(super) fn wants(app: &Shown<'_>) -> Vec<(ChannelId, Why)> {
    let all = app.system().switching.virtual_channels().max(1);
    let cycle = predicted(app).unwrap_or_default().iter().map(|&vc| (vc, Why::Predicted));
    let waits = app
        .snapshot()
        .waits
        .iter()
        .map(|wait| (wait.wants, if app.is_dead(wait.worm) { Why::Dead } else { Why::Wanted }));
    let shown = |&(vc, _): &(VcId, Why)| app.vc.is_none_or(|only| only == vc.0 % all);
    let all = cycle.chain(waits).filter(shown).map(|(vc, why)| (ChannelId(vc.0 / all), why));
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|&(_, why)| why);
    all
}

pub(super) fn draw(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    for (channel, why) in wants(app) {
        let predicted = why == Why::Predicted;
        let line = if predicted { app.glyphs.body } else { app.glyphs.tail };
        let style = why.style(app);
        let start = edge(app, frame, pen, channel, line, style);
        if let Some((x, y)) = start.filter(|_| !predicted) {
            pen.put(x, y, app.glyphs.blocked, style);
        }
    }
}

/// The cycle that the proof found, as long as no deadlock has stopped the run.
pub(super) fn predicted<'a>(app: &'a Shown<'_>) -> Option<&'a [VcId]> {
    let proof = app.update.proof.as_deref()?;
    match &proof.verdict {
        Verdict::Cyclic { cycle } if app.snapshot().deadlock.is_none() => Some(cycle),
        Verdict::Cyclic { .. }
        | Verdict::Free { .. }
        | Verdict::Stranded { .. }
        | Verdict::TooLarge { .. } => None,
    }
}

/// Draws a channel as a line with an arrow at its end; returns the node's character at its start.
fn edge(
    app: &Shown<'_>,
    frame: &Frame,
    pen: &mut Pen<'_>,
    channel: ChannelId,
    line: [char; 2],
    style: Style,
) -> Option<(i32, i32)> {
    let (col, row, side) = app.plane.seat_of(channel)?;
    let from = frame.at(col, row);
    let joined = from.is_some() && frame.joined(col, row, side);
    let mut cells: Vec<(i32, i32)> = Vec::new();
    if let Some(at) = from {
        let length = if joined { frame.gap(side) } else { frame.stub(side) };
        cells.extend(frame.lane(at, side, length));
    }
    if !joined
        && let Some((to_col, to_row)) = app.plane.step(col, row, side)
        && let Some(to) = frame.at(to_col, to_row)
    {
        cells.extend(arriving(frame, to, side.opposite()));
    }
    let last = cells.len().saturating_sub(1);
    for (nth, (x, y)) in cells.into_iter().enumerate() {
        let arrow = app.glyphs.arrow[side as usize];
        let glyph = if nth == last { arrow } else { line[usize::from(!side.is_across())] };
        pen.put(x, y, glyph, style);
    }
    let (across, along) = side.step();
    let (x, y) = frame.lane(from?, side, 1).next()?;
    Some((x - across, y + along))
}
