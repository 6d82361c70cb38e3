//! Draws a large graph as a heat map of its adjacency matrix.
//!
//! Rows are sources of links, columns are destinations. A table lists the hottest links.

use std::cmp::Reverse;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::ids::ChannelId;
use crate::topology::Channel;
use crate::tui::grid::link_value::LinkValue;
use crate::tui::grid::marks;
use crate::tui::grid::pixels::{paint, summed};
use crate::tui::names::channel_name;
use crate::tui::pen::{Pen, fitting};
use crate::tui::scene::Scene;

/// Characters of the table without the names of links.
const TABLE: u16 = 15;
/// The narrowest and the widest column of names.
const NAMES: (usize, usize) = (13, 28);
/// The least width of a pane with the table, whose share is at most half of the pane.
const WITH_TABLE: u16 = 64;

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let (width, height) = (pen.width(), pen.height());
    let hottest = hottest(app, usize::from(height).saturating_sub(1));
    let names = hottest.iter().map(|&link| channel_name(app, link));
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
    let ways = "from (down) to (across)".to_owned();
    let pixel = format!("{ways}, a pixel is {block}{times}{block} switches, {name}");
    let whole = if block > 1 { pixel } else { ways.clone() };
    let text = fitting([whole, ways, "from, to".to_owned()], room.into());
    let area = Rect { width: room, height, ..Rect::default() };
    pen.within(area).cut(0, 0, &text, app.glyphs.ellipsis, app.theme.dim());
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
        table(app, pen, &hottest, (i32::from(room) + 1, i32::from(names)));
    }
}

/// A pixel for each block of links, `size` per row; `None` for blocks without links.
fn pixels(app: &Scene<'_>, block: usize, size: usize) -> Vec<Option<LinkValue>> {
    let network = app.network();
    let block_of =
        |channel: &Channel| channel.from.index() / block * size + channel.to.index() / block;
    let channels = &network.channels()[..network.links()];
    // The links of block `b` are those from `starts[b]` to `starts[b + 1]`.
    let mut starts = vec![0usize; size * size + 1];
    for channel in channels {
        starts[block_of(channel) + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut next = starts.clone();
    let mut links = vec![ChannelId(0); channels.len()];
    for (at, channel) in channels.iter().enumerate() {
        let place = &mut next[block_of(channel)];
        links[*place] = ChannelId::new(at);
        *place += 1;
    }
    // Idle links show in the colour of level 1 when a character has two pixels.
    let least = u8::from(app.half_rows());
    let pixel = |ends: &[usize]| {
        let links = &links[ends[0]..ends[1]];
        let levels = links.iter().map(|link| app.heat.channel(link.index()));
        let steps = links.iter().map(|&link| app.differences.channel(link));
        summed(app, levels, steps).map(|pixel| match pixel {
            LinkValue::Level(level) => LinkValue::Level(level.max(least)),
            LinkValue::Step(_) | LinkValue::Class(_) => pixel,
        })
    };
    starts.windows(2).map(pixel).collect()
}

/// The hottest links, in descending order.
fn hottest(app: &Scene<'_>, most: usize) -> Vec<ChannelId> {
    let mut links: Vec<usize> = (0..app.network().links()).collect();
    let key = |&link: &usize| (Reverse(app.heat.channel(link)), link);
    if most < links.len() {
        links.select_nth_unstable_by_key(most, key);
        links.truncate(most);
    }
    links.sort_unstable_by_key(key);
    links.into_iter().map(ChannelId::new).collect()
}

/// Draws the table of the hottest links: name, level in the present view, and share of cycles used.
fn table(app: &Scene<'_>, pen: &mut Pen<'_>, links: &[ChannelId], (x, names): (i32, i32)) {
    pen.text(x, 0, "hottest links", app.theme.dim());
    pen.text(x + names + 4, 0, "used", app.theme.dim());
    for (y, &link) in (1..).zip(links) {
        let level = app.heat.channel(link.index());
        let name: String = channel_name(app, link).chars().take(names as usize).collect();
        pen.text(x, y, &name, app.theme.text());
        let bar = app.glyphs.shade_of(level);
        pen.put(x + names + 1, y, bar, Style::new().fg(app.theme.heat(level)));
        let used = app.update.usage.recent.get(link.index()).copied().unwrap_or_default();
        pen.text(x + names + 4, y, &format!("{used:.2}"), app.theme.text());
    }
}
