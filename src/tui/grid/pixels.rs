//! Draws pixels: one per node or block of nodes, two per character if the colours allow.

use ratatui::style::{Color, Style};

use super::difference::sign;
use super::frame::Frame;
use super::link_value::LinkValue;
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;
use crate::tui::view::View;

/// Aggregates levels or, in the view of differences, steps into a pixel; `None` without values.
pub(in crate::tui) fn summed(
    app: &Scene<'_>,
    levels: impl Iterator<Item = u8> + Clone,
    steps: impl Iterator<Item = i8>,
) -> Option<LinkValue> {
    if app.map.view == View::Difference {
        return app.map.aggregate.of(steps.map(i32::from)).map(|step| LinkValue::Step(step as i8));
    }
    // A pixel with any load has at least level 1.
    let least = u8::from(levels.clone().any(|level| level > 0));
    app.map
        .aggregate
        .of(levels.map(i32::from))
        .map(|level| LinkValue::Level(least.max(level as u8)))
}

/// Draws a plane at zoom level 0.
pub(super) fn draw(app: &Scene<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let size = (i32::from(pen.width()), i32::from(pen.height()));
    let pixel = |x, y| {
        let places = frame.block_at(x, y)?;
        let routers = places.filter_map(|(col, row)| Some(app.plane.router(col, row)?.index()));
        let levels = routers.clone().map(|router| app.heat.router(router));
        summed(app, levels, routers.map(|router| app.differences.router(router)))
    };
    paint(app, pen, size, 0, pixel, |_, _, _| {});
}

/// Paints the given columns and rows of characters from row `top` on; `beside` draws characters
/// without a pixel.
pub(super) fn paint(
    app: &Scene<'_>,
    pen: &mut Pen<'_>,
    (columns, rows): (i32, i32),
    top: i32,
    pixel: impl Fn(i32, i32) -> Option<LinkValue>,
    beside: impl Fn(&mut Pen<'_>, i32, i32),
) {
    let half = app.half_rows();
    for (x, row) in (0..rows).flat_map(|row| (0..columns).map(move |x| (x, row))) {
        let [upper, lower] =
            if half { [pixel(x, 2 * row), pixel(x, 2 * row + 1)] } else { [pixel(x, row), None] };
        let y = top + row;
        match (upper, lower) {
            (None, None) => beside(pen, x, y),
            (Some(LinkValue::Step(step)), _) | (_, Some(LinkValue::Step(step))) => {
                let glyph = sign(&app.glyphs, step).unwrap_or(app.glyphs.node[0]);
                pen.put(x, y, glyph, app.theme.difference(step));
            }
            (Some(LinkValue::Level(0)) | None, Some(LinkValue::Level(0)) | None) => {
                pen.put(x, y, app.glyphs.node[0], app.theme.dim());
            }
            (Some(LinkValue::Level(level)), _) if !half => {
                let style = Style::new().fg(app.theme.heat(level));
                pen.put(x, y, app.glyphs.shade_of(level), style);
            }
            (upper, lower) => {
                let [over, under] = [upper, lower].map(|pixel| match pixel {
                    Some(LinkValue::Level(level)) => app.theme.heat(level),
                    Some(LinkValue::Step(_) | LinkValue::Class(_)) | None => Color::Reset,
                });
                let (glyph, ink, ground) = if over == under {
                    ('█', over, Color::Reset)
                } else if over == Color::Reset {
                    ('▄', under, Color::Reset)
                } else {
                    ('▀', over, under)
                };
                pen.put(x, y, glyph, Style::new().fg(ink).bg(ground));
            }
        }
    }
}
