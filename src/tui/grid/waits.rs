//! Who waits for what as edges over a dim lattice: from each head that stands along the link that
//! it wants; and the cycle of virtual channels that the proof predicts, as long as none has come.

use ratatui::style::Style;

use super::frame::Frame;
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
        let Some(seat) = app.plane.seat_of(channel) else { continue };
        let (col, row, side) = seat;
        let predicted = why == Why::Predicted;
        let line = if predicted { app.glyphs.body } else { app.glyphs.tail };
        let (line, style) = (line[usize::from(!side.is_across())], why.style(app));
        let cells = frame.leaving(seat).chain(frame.arriving(app.plane, seat));
        let cells: Vec<(i32, i32)> = cells.collect();
        pen.each(cells.iter().copied(), line, style);
        if let Some(&(x, y)) = cells.last() {
            pen.put(x, y, app.glyphs.arrow[side as usize], style);
        }
        if let Some(at) = frame.at(col, row).filter(|_| !predicted) {
            // At the node where it starts.
            pen.each(frame.lane(at, side, (-1, 0)), app.glyphs.blocked, style);
        }
    }
}

/// The cycle that the proof found, as long as no deadlock has stopped the run.
pub(super) fn predicted<'a>(app: &'a Shown<'_>) -> Option<&'a [VcId]> {
    let Verdict::Cyclic { cycle } = &app.update.proof.as_deref()?.verdict else { return None };
    app.deadlock().is_none().then_some(cycle.as_slice())
}
