//! Draws a large graph as a heat map of its adjacency matrix.
//!
//! Rows are sources of links, columns are destinations. A table lists the hottest links.

use ratatui::style::Style;

use crate::ids::ChannelId;
use crate::tui::grid::link_value::LinkValue;
use crate::tui::grid::marks;
use crate::tui::grid::pixels::{paint, summed};
use crate::tui::names::channel_name;
use crate::tui::pen::Pen;
use crate::tui::scene::Scene;

/// Characters of the table without the names of links.
const TABLE: u16 = 15;
/// The narrowest and the widest column of names.
const NAMES: (usize, usize) = (13, 28);
/// The least width of a pane with the table, whose share is at most half of the pane.
const WITH_TABLE: u16 = 64;

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let (width, height) = (pen.width(), pen.height());
    let names = hottest(app).take(usize::from(height)).map(|link| channel_name(app, link));
    let names = names.map(|name| name.chars().count()).max().unwrap_or(0).clamp(NAMES.0, NAMES.1);
    let names = (names as u16).min(width / 2 - TABLE.min(width / 2));
    let room = if width >= WITH_TABLE { width - TABLE - names } else { width };
    if room < 4 || height < 3 {
        return;
    }
    // The first line names rows and columns.
    let half = app.half_rows();
    let rows = if half { 2 * (height - 1) } else { height - 1 };
    let routers = app.network().routers();
    // Switches per pixel in each direction.
    let block = routers.div_ceil(usize::from(room.min(rows)).max(1)).max(1);
    let (times, name) = (app.glyphs.times, app.map.aggregate.name());
    let pixel = format!(", a pixel is {block}{times}{block} switches, {name}");
    let text = format!("from (down) to (across){}", if block > 1 { &pixel } else { "" });
    pen.cut(0, 0, &text, app.glyphs.ellipsis, app.theme.dim());
    let size = routers.div_ceil(block);
    let pixels = pixels(app, block, size);
    let pixel = |x: i32, y: i32| {
        let (col, row) = (x as usize, y as usize);
        if col < size && row < size { pixels[row * size + col] } else { None }
    };
    // The row and column of the switch under the cursor are drawn as lines on empty characters.
    let cursor = app.cursor_router().map(|router| router.index() / block);
    let cross = |pen: &mut Pen<'_>, x: i32, y: i32| {
        let (col, row) = (x as usize, y as usize - 1);
        if cursor.is_some_and(|cursor| row == if half { cursor / 2 } else { cursor }) {
            pen.put(x, y, app.glyphs.across[1], app.theme.dim());
        } else if cursor == Some(col) {
            pen.put(x, y, app.glyphs.along[1], app.theme.dim());
        }
    };
    let rows = if half { size.div_ceil(2) } else { size };
    paint(app, pen, (size as i32, rows as i32), 1, pixel, cross);
    let ranks = marks::ranked(app, |link| {
        let link = app.network().channel(link);
        let (col, row) = ((link.to.index() / block) as i32, (link.from.index() / block) as i32);
        Some((col, 1 + if half { row / 2 } else { row }))
    });
    crate::tui::grid::put(pen, ranks);
    if room < width {
        table(app, pen, i32::from(room) + 1, i32::from(names));
    }
}

/// A pixel for each block of links, `size` per row; `None` for blocks without links.
fn pixels(app: &Scene<'_>, block: usize, size: usize) -> Vec<Option<LinkValue>> {
    let network = app.network();
    let mut blocks: Vec<Vec<ChannelId>> = vec![Vec::new(); size * size];
    for (at, channel) in network.channels()[..network.links()].iter().enumerate() {
        let (row, col) = (channel.from.index() / block, channel.to.index() / block);
        blocks[row * size + col].push(ChannelId::new(at));
    }
    // Idle links show in the colour of level 1 when a character has two pixels.
    let least = u8::from(app.half_rows());
    let pixel = |links: Vec<ChannelId>| {
        let levels = links.iter().map(|link| app.heat.channel(link.index()));
        let steps = links.iter().map(|&link| app.differences.channel(link));
        summed(app, levels, steps).map(|pixel| match pixel {
            LinkValue::Level(level) => LinkValue::Level(level.max(least)),
            LinkValue::Step(_) | LinkValue::Class(_) => pixel,
        })
    };
    blocks.into_iter().map(pixel).collect()
}

/// All links, the hottest first.
fn hottest(app: &Scene<'_>) -> impl Iterator<Item = ChannelId> + use<> {
    let mut links: Vec<usize> = (0..app.network().links()).collect();
    links.sort_by_key(|&link| (std::cmp::Reverse(app.heat.channel(link)), link));
    links.into_iter().map(ChannelId::new)
}

/// Draws the table of the hottest links: name, level in the present view, and share of cycles used.
fn table(app: &Scene<'_>, pen: &mut Pen<'_>, x: i32, names: i32) {
    pen.text(x, 0, "hottest links", app.theme.dim());
    pen.text(x + names + 4, 0, "used", app.theme.dim());
    for (y, link) in hottest(app).enumerate().take(usize::from(pen.height()) - 1) {
        let level = app.heat.channel(link.index());
        let y = y as i32 + 1;
        let name: String = channel_name(app, link).chars().take(names as usize).collect();
        pen.text(x, y, &name, app.theme.text());
        let bar = app.glyphs.shade_of(level);
        pen.put(x + names + 1, y, bar, Style::new().fg(app.theme.heat(level)));
        let used = app.update.utilisation.get(link.index()).copied().unwrap_or_default();
        pen.text(x + names + 4, y, &format!("{used:.2}"), app.theme.text());
    }
}
