//! Zoom level 0: a pixel per node or per block of nodes, two pixels to a character where colours
//! allow.

use ratatui::style::{Color, Style};

use super::frame::Frame;
use crate::tui::app::App;
use crate::tui::pen::Pen;

pub(super) fn draw(app: &App, frame: &Frame, pen: &mut Pen<'_>) {
    if app.half_rows() { halves(app, frame, pen) } else { shades(app, frame, pen) }
}

/// The hottest level of a block of nodes; `None` outside the network.
fn level(app: &App, frame: &Frame, across: i32, along: i32) -> Option<u8> {
    if across < 0 || along < 0 || across >= frame.cols as i32 || along >= frame.rows as i32 {
        return None;
    }
    let (col, row) = (across as u32 * frame.block, along as u32 * frame.block);
    let mut hottest = None;
    for row in row..(row + frame.block).min(app.plane.rows) {
        for col in col..(col + frame.block).min(app.plane.cols) {
            if let Some(router) = app.plane.router(col, row) {
                hottest = hottest.max(Some(app.heat.router(router.index())));
            }
        }
    }
    hottest
}

fn halves(app: &App, frame: &Frame, pen: &mut Pen<'_>) {
    let Some((left, bottom)) = frame.at(0, 0) else { return };
    // The lower left pixel is `pitch_y` half rows high and begins at `bottom`.
    let pixel = |x: i32, y: i32| {
        let across = (x - left).div_euclid(frame.pitch_x);
        let along = (bottom + frame.pitch_y - 1 - y).div_euclid(frame.pitch_y);
        level(app, frame, across, along)
    };
    let idle = app.theme.dim();
    for y in 0..i32::from(pen.height()) {
        for x in 0..i32::from(pen.width()) {
            let (upper, lower) = (pixel(x, 2 * y), pixel(x, 2 * y + 1));
            let (upper, lower) = match (upper, lower) {
                (None, None) => continue,
                (Some(0) | None, Some(0) | None) => {
                    pen.put(x, y, app.glyphs.node[0], idle);
                    continue;
                }
                (upper, lower) => (upper.unwrap_or(0), lower.unwrap_or(0)),
            };
            let (over, under) = (app.theme.heat(upper), app.theme.heat(lower));
            if over == under {
                pen.put(x, y, '█', Style::new().fg(over).bg(Color::Reset));
            } else if over == Color::Reset {
                pen.put(x, y, '▄', Style::new().fg(under).bg(Color::Reset));
            } else {
                pen.put(x, y, '▀', Style::new().fg(over).bg(under));
            }
        }
    }
}

fn shades(app: &App, frame: &Frame, pen: &mut Pen<'_>) {
    let Some((left, bottom)) = frame.at(0, 0) else { return };
    for y in 0..i32::from(pen.height()) {
        for x in 0..i32::from(pen.width()) {
            let across = (x - left).div_euclid(frame.pitch_x);
            let along = (bottom + frame.pitch_y - 1 - y).div_euclid(frame.pitch_y);
            let Some(level) = level(app, frame, across, along) else { continue };
            let style = Style::new().fg(app.theme.heat(level));
            match level {
                0 => pen.put(x, y, app.glyphs.node[0], app.theme.dim()),
                level => pen.put(x, y, app.glyphs.shade_of(level), style),
            }
        }
    }
}
