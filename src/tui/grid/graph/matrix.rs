//! A graph too large to draw: its adjacency as a heat map, a row for each switch that a link leaves
//! and a column for each that it enters, and a table of its hottest links.

use ratatui::style::{Color, Style};

use crate::ids::{ChannelId, RouterId};
use crate::tui::app::Shown;
use crate::tui::grid::difference::sign;
use crate::tui::names::channel_name;
use crate::tui::pen::Pen;
use crate::tui::view::View;

/// Columns of the table of links.
const TABLE: u16 = 28;
/// The narrowest pane that has room for the table.
const WITH_TABLE: u16 = 64;

pub(super) fn draw(app: &Shown<'_>, pen: &mut Pen<'_>) {
    let (width, height) = (pen.width(), pen.height());
    let room = if width >= WITH_TABLE { width - TABLE } else { width };
    if room < 4 || height < 3 {
        return;
    }
    // The first line says which is which.
    let rows = height - 1;
    let size = (room, if app.half_rows() { 2 * rows } else { rows });
    let block = block_in(app, size);
    let text = match block {
        1 => String::new(),
        block => {
            let name = app.aggregate.name();
            format!(", a pixel is {block}{}{block} switches, {name}", app.glyphs.times)
        }
    };
    let text = format!("from (down) to (across){text}");
    pen.cut(0, 0, &text, app.glyphs.ellipsis, app.theme.dim());
    if app.view == View::Difference {
        let step = |link| app.differences.channel(ChannelId::new(link));
        let one = |steps: Vec<i8>| app.aggregate.step(steps.into_iter());
        signs(app, &Matrix::new(app, block, step, one), pen);
    } else {
        let level = |link| app.heat.channel(link);
        let one = |levels: Vec<u8>| app.aggregate.level(levels.into_iter());
        let map = Matrix::new(app, block, level, one);
        if app.half_rows() {
            halves(app, &map, pen);
        } else {
            shades(app, &map, pen);
        }
    }
    if room < width {
        table(app, pen, i32::from(room) + 1);
    }
}

/// Switches to a pixel, each way, for a matrix in so many columns and rows of pixels.
fn block_in(app: &Shown<'_>, (width, height): (u16, u16)) -> usize {
    let routers = app.update.scenario.system.network.routers();
    routers.div_ceil(usize::from(width.min(height)).max(1)).max(1)
}

/// One value for each block of links.
struct Matrix<T> {
    size: usize,
    values: Vec<Option<T>>,
    /// The block of the switch under the cursor.
    cursor: Option<usize>,
}

impl<T: Copy> Matrix<T> {
    /// Takes the value of each link, and makes one of those of a block.
    fn new(
        app: &Shown<'_>,
        block: usize,
        value: impl Fn(usize) -> T,
        one: impl Fn(Vec<T>) -> Option<T>,
    ) -> Self {
        let network = &app.update.scenario.system.network;
        let size = network.routers().div_ceil(block);
        let mut blocks: Vec<Vec<T>> = vec![Vec::new(); size * size];
        for (at, channel) in network.channels()[..network.links()].iter().enumerate() {
            let (row, col) = (channel.from.index() / block, channel.to.index() / block);
            blocks[row * size + col].push(value(at));
        }
        let values = blocks.into_iter().map(one).collect();
        let cursor = app.cursor_router().map(|router: RouterId| router.index() / block);
        Self { size, values, cursor }
    }

    /// The value of a pixel; `None` outside and where there is no link.
    fn at(&self, col: usize, row: usize) -> Option<T> {
        if col >= self.size || row >= self.size {
            return None;
        }
        self.values[row * self.size + col]
    }
}

/// Two pixels to a character.
fn halves(app: &Shown<'_>, map: &Matrix<u8>, pen: &mut Pen<'_>) {
    for y in 0..map.size.div_ceil(2) {
        for x in 0..map.size {
            let (upper, lower) = (map.at(x, 2 * y), map.at(x, 2 * y + 1));
            let colour = |level: Option<u8>| match level {
                None => Color::Reset,
                Some(level) => app.theme.heat(level.max(1)),
            };
            let (over, under) = (colour(upper), colour(lower));
            let at = (x as i32, y as i32 + 1);
            match (upper, lower) {
                (None, None) => cross(app, map, pen, at, (x, 2 * y)),
                (_, None) => pen.put(at.0, at.1, '▀', Style::new().fg(over).bg(Color::Reset)),
                (None, _) => pen.put(at.0, at.1, '▄', Style::new().fg(under).bg(Color::Reset)),
                _ => pen.put(at.0, at.1, '▀', Style::new().fg(over).bg(under)),
            }
        }
    }
}

fn shades(app: &Shown<'_>, map: &Matrix<u8>, pen: &mut Pen<'_>) {
    for y in 0..map.size {
        for x in 0..map.size {
            let at = (x as i32, y as i32 + 1);
            match map.at(x, y) {
                None => cross(app, map, pen, at, (x, y)),
                Some(0) => pen.put(at.0, at.1, app.glyphs.node[0], app.theme.dim()),
                Some(level) => {
                    let style = Style::new().fg(app.theme.heat(level));
                    pen.put(at.0, at.1, app.glyphs.shade_of(level), style);
                }
            }
        }
    }
}

/// More or less than predicted.
fn signs(app: &Shown<'_>, map: &Matrix<i8>, pen: &mut Pen<'_>) {
    for y in 0..map.size {
        for x in 0..map.size {
            let at = (x as i32, y as i32 + 1);
            match map.at(x, y) {
                None => cross(app, map, pen, at, (x, y)),
                Some(step) => {
                    let glyph = sign(&app.glyphs, step).unwrap_or(app.glyphs.node[0]);
                    pen.put(at.0, at.1, glyph, app.theme.difference(step));
                }
            }
        }
    }
}

/// The row and column of the switch under the cursor, where nothing else is.
fn cross<T: Copy>(
    app: &Shown<'_>,
    map: &Matrix<T>,
    pen: &mut Pen<'_>,
    at: (i32, i32),
    (col, row): (usize, usize),
) {
    let rows = if app.half_rows() { row..row + 2 } else { row..row + 1 };
    let in_row = map.cursor.is_some_and(|cursor| rows.contains(&cursor));
    if in_row {
        pen.put(at.0, at.1, app.glyphs.across[1], app.theme.dim());
    } else if map.cursor == Some(col) {
        pen.put(at.0, at.1, app.glyphs.along[1], app.theme.dim());
    }
}

/// The hottest links, with a bar for the level of the view and the share of cycles used.
fn table(app: &Shown<'_>, pen: &mut Pen<'_>, x: i32) {
    let network = &app.update.scenario.system.network;
    pen.text(x, 0, "hottest links    used", app.theme.dim());
    let mut links: Vec<usize> = (0..network.links()).collect();
    links.sort_by_key(|&link| (std::cmp::Reverse(app.heat.channel(link)), link));
    for (y, link) in links.into_iter().enumerate().take(usize::from(pen.height()) - 1) {
        let level = app.heat.channel(link);
        let y = y as i32 + 1;
        let name = channel_name(app, ChannelId::new(link));
        pen.text(x, y, &name, app.theme.text());
        let bar = app.glyphs.shade_of(level);
        pen.put(x + 14, y, bar, Style::new().fg(app.theme.heat(level)));
        let used = app.update.utilisation.get(link).copied().unwrap_or_default();
        pen.text(x + 17, y, &format!("{used:.2}"), app.theme.text());
    }
}
