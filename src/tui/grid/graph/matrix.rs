//! A graph too large to draw: its adjacency as a heat map, a row for each switch that a link leaves
//! and a column for each that it enters, and a table of its hottest links.

use ratatui::style::Style;

use crate::ids::{ChannelId, RouterId};
use crate::tui::app::Shown;
use crate::tui::grid::pixels::{Pixel, paint, summed};
use crate::tui::names::channel_name;
use crate::tui::pen::Pen;

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
    let matrix = Matrix::new(app, block);
    let size = matrix.size as i32;
    let rows = if app.half_rows() { (size + 1) / 2 } else { size };
    let pixel = |x: i32, y: i32| matrix.at(x as usize, y as usize);
    paint(app, pen, (size, rows), 1, pixel, |pen, x, y| matrix.cross(app, pen, x, y));
    if room < width {
        table(app, pen, i32::from(room) + 1);
    }
}

/// Switches to a pixel, each way, for a matrix in so many columns and rows of pixels.
fn block_in(app: &Shown<'_>, (width, height): (u16, u16)) -> usize {
    let routers = app.network().routers();
    routers.div_ceil(usize::from(width.min(height)).max(1)).max(1)
}

/// A pixel for each block of links.
struct Matrix {
    size: usize,
    pixels: Vec<Option<Pixel>>,
    /// The block of the switch under the cursor.
    cursor: Option<usize>,
}

impl Matrix {
    fn new(app: &Shown<'_>, block: usize) -> Self {
        let network = app.network();
        let size = network.routers().div_ceil(block);
        let mut blocks: Vec<Vec<ChannelId>> = vec![Vec::new(); size * size];
        for (at, channel) in network.channels()[..network.links()].iter().enumerate() {
            let (row, col) = (channel.from.index() / block, channel.to.index() / block);
            blocks[row * size + col].push(ChannelId::new(at));
        }
        // Where two pixels make a character, an idle link shows by its colour.
        let least = u8::from(app.half_rows());
        let pixel = |links: Vec<ChannelId>| {
            let levels = links.iter().map(|link| app.heat.channel(link.index()));
            let steps = links.iter().map(|&link| app.differences.channel(link));
            summed(app, levels, steps).map(|pixel| match pixel {
                Pixel::Level(level) => Pixel::Level(level.max(least)),
                Pixel::Step(_) => pixel,
            })
        };
        let pixels = blocks.into_iter().map(pixel).collect();
        let cursor = app.cursor_router().map(|router: RouterId| router.index() / block);
        Self { size, pixels, cursor }
    }

    /// A pixel; `None` outside and where there is no link.
    fn at(&self, col: usize, row: usize) -> Option<Pixel> {
        if col < self.size && row < self.size { self.pixels[row * self.size + col] } else { None }
    }

    /// The row and column of the switch under the cursor, where nothing else is.
    fn cross(&self, app: &Shown<'_>, pen: &mut Pen<'_>, x: i32, y: i32) {
        let (col, row) = (x as usize, y as usize - 1);
        let rows = if app.half_rows() { 2 * row..2 * row + 2 } else { row..row + 1 };
        if self.cursor.is_some_and(|cursor| rows.contains(&cursor)) {
            pen.put(x, y, app.glyphs.across[1], app.theme.dim());
        } else if self.cursor == Some(col) {
            pen.put(x, y, app.glyphs.along[1], app.theme.dim());
        }
    }
}

/// The hottest links, with a bar for the level of the view and the share of cycles used.
fn table(app: &Shown<'_>, pen: &mut Pen<'_>, x: i32) {
    let network = app.network();
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
