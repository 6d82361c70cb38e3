//! Who waits for what as edges over a dim lattice: from each head that stands along the link that
//! it wants; and the cycle of virtual channels that the proof predicts, as long as none has come.

use ratatui::style::Style;

use super::frame::Frame;
use super::lattice::arriving;
use crate::ids::{ChannelId, VcId};
use crate::routing::dependency::Verdict;
use crate::tui::app::Shown;
use crate::tui::pen::Pen;

pub(super) fn draw(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    for &vc in predicted(app).unwrap_or_default() {
        if let Some(channel) = channel_of(app, vc) {
            edge(app, frame, pen, channel, app.glyphs.body, app.theme.alarm());
        }
    }
    let snapshot = &app.update.snapshot;
    // The deadlock's members come last, so that they lie on top.
    for doomed in [false, true] {
        let style = if doomed { app.theme.alarm() } else { app.theme.warning() };
        for wait in &snapshot.waits {
            let dead = snapshot.deadlock.as_ref().is_some_and(|d| d.holds(wait.worm));
            if dead != doomed {
                continue;
            }
            let Some(channel) = channel_of(app, wait.wants) else { continue };
            if let Some((x, y)) = edge(app, frame, pen, channel, app.glyphs.tail, style) {
                pen.put(x, y, app.glyphs.blocked, style);
            }
        }
    }
}

/// The cycle that the proof found, as long as no deadlock has stopped the run.
pub(super) fn predicted<'a>(app: &'a Shown<'_>) -> Option<&'a [VcId]> {
    let proof = app.update.proof.as_deref()?;
    match &proof.verdict {
        Verdict::Cyclic { cycle } if app.update.snapshot.deadlock.is_none() => Some(cycle),
        _ => None,
    }
}

/// The channel of a VC, unless another VC is looked at.
fn channel_of(app: &Shown<'_>, vc: VcId) -> Option<ChannelId> {
    let all = app.update.scenario.system.switching.virtual_channels().max(1);
    app.vc.is_none_or(|only| only == vc.0 % all).then_some(ChannelId(vc.0 / all))
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
