//! Zoom level 0: a pixel per node or per block of nodes, two pixels to a character where colours
//! allow; and how the nodes of a block are summed up.

use ratatui::style::{Color, Style};

use super::frame::Frame;
use crate::tui::app::Shown;
use crate::tui::pen::Pen;

pub(super) fn draw(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    if app.half_rows() { halves(app, frame, pen) } else { shades(app, frame, pen) }
}

/// How a block of several nodes or links is made one pixel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aggregate {
    /// By the hottest of them.
    #[default]
    Hottest,
    /// By their mean.
    Mean,
}

impl Aggregate {
    /// The other one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Hottest => Self::Mean,
            Self::Mean => Self::Hottest,
        }
    }

    /// What the legend calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hottest => "the hottest",
            Self::Mean => "their mean",
        }
    }

    /// One level for those of a block; `None` for none. Whatever is not idle shows.
    pub fn level(self, levels: impl Iterator<Item = u8>) -> Option<u8> {
        let (mut count, mut sum, mut top) = (0u32, 0u32, 0u8);
        for level in levels {
            count += 1;
            sum += u32::from(level);
            top = top.max(level);
        }
        let mean = (sum + count / 2).checked_div(count)?;
        Some(match self {
            Self::Hottest => top,
            Self::Mean => (mean as u8).max(u8::from(sum > 0)),
        })
    }

    /// One step, with a sign, for those of a block.
    pub fn step(self, steps: impl Iterator<Item = i8>) -> Option<i8> {
        match self {
            Self::Hottest => steps.max_by_key(|step| step.abs()),
            Self::Mean => {
                let (count, sum) = steps.fold((0, 0), |(n, sum), it| (n + 1, sum + i32::from(it)));
                let mean = f64::from(sum) / f64::from(count);
                (count > 0).then(|| mean.round() as i8)
            }
        }
    }
}

/// The routers that a pixel stands for.
pub(super) fn routers(
    app: &Shown<'_>,
    frame: &Frame,
    (across, along): (u32, u32),
) -> impl Iterator<Item = usize> {
    let places = frame.block_at(across, along);
    places.filter_map(|(col, row)| Some(app.plane.router(col, row)?.index()))
}

/// The level of the pixel at a place of the pane, in rows of pixels; `None` outside the network.
fn level(app: &Shown<'_>, frame: &Frame, x: i32, y: i32) -> Option<u8> {
    let levels = routers(app, frame, frame.pixel_at(x, y)?);
    app.aggregate.level(levels.map(|router| app.heat.router(router)))
}

fn halves(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    let pixel = |x: i32, y: i32| level(app, frame, x, y);
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

fn shades(app: &Shown<'_>, frame: &Frame, pen: &mut Pen<'_>) {
    for y in 0..i32::from(pen.height()) {
        for x in 0..i32::from(pen.width()) {
            let Some(level) = level(app, frame, x, y) else { continue };
            let style = Style::new().fg(app.theme.heat(level));
            match level {
                0 => pen.put(x, y, app.glyphs.node[0], app.theme.dim()),
                level => pen.put(x, y, app.glyphs.shade_of(level), style),
            }
        }
    }
}
