//! The router under the cursor: the link chosen in the table of links; in the view of differences how
//! busy its links are and should be; the buffers of every channel into it, whose flits are in them,
//! and what its heads wait for.

use ratatui::style::Style;

use crate::engine::HeadState;
use crate::ids::{ChannelId, RouterId};
use crate::topology::cube::Cube;
use crate::tui::app::{App, RunView, Shown};
use crate::tui::header::plural;
use crate::tui::pen::{Pen, grouped};
use crate::tui::view::{Pane, View};

mod circuits;
mod cube;
mod link;
mod uses;

/// The deepest buffer drawn slot by slot.
const SLOTS_MAX: u32 = 4;

/// The title.
pub(super) fn title<'a>(app: impl Into<Shown<'a>>) -> String {
    let app = &app.into();
    match app.cursor_router() {
        Some(router) => {
            let network = &app.update.scenario.system.network;
            format!("router {}", network.router_name(router))
        }
        None => "router".to_owned(),
    }
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let Some(router) = app.cursor_router() else { return };
    let lines = lines(&app.shown(), router, usize::from(pen.width()));
    let from = super::scrolled(app, Pane::Inspector, lines.len(), pen.height());
    let rows = usize::from(pen.height());
    for (row, line) in lines.iter().skip(from).take(rows).enumerate() {
        if row + 1 == rows && from + rows < lines.len() {
            let more = lines.len() - from - rows + 1;
            let text = format!("{} {more} lines more", app.glyphs.more[1]);
            pen.text(0, row as i32, &text, app.theme.dim());
            return;
        }
        let mut x = 0;
        for (text, style) in line {
            x = pen.cut(x, row as i32, text, app.glyphs.ellipsis, *style);
        }
    }
}

/// A line of text in several styles.
pub(in crate::tui) type Line = Vec<(String, Style)>;

/// What there is to say of a router, line by line.
pub(in crate::tui) fn lines(app: &Shown<'_>, router: RouterId, width: usize) -> Vec<Line> {
    let snapshot = &app.update.snapshot;
    let network = &app.update.scenario.system.network;
    let theme = app.theme;
    let mut lines: Vec<Line> = Vec::new();
    if let Some(channel) = app.screen.chosen_link() {
        link::add(app, channel, &mut lines);
    }
    if app.view == View::Difference {
        uses::add(app, router, &mut lines);
    }
    let waiting = app.heat.queued(router.index());
    lines.push(vec![(
        format!("source queue: {}", plural(waiting, "message")),
        if waiting > 0 { theme.strong() } else { theme.dim() },
    )]);
    if app.has_circuits() {
        circuits::add(app, router, &mut lines);
        cube::add(app, router, width, &mut lines);
        return lines;
    }
    let count = snapshot.virtual_channels as usize;
    let depth = snapshot.buffer_flits;
    let cell =
        if depth <= SLOTS_MAX { depth as usize + 3 } else { 2 * depth.to_string().len() + 4 };
    let per_line = (width.saturating_sub(5) / cell).max(1);
    for channel in into_router(app, router) {
        for (nth, vcs) in (0..count).collect::<Vec<_>>().chunks(per_line).enumerate() {
            let name = if nth == 0 { from_name(app, channel) } else { String::new() };
            let mut line: Line = vec![(format!("{name:<5}"), theme.dim())];
            for &vc in vcs {
                buffer(app, channel, vc, cell, &mut line);
            }
            lines.push(line);
        }
    }
    for worm in snapshot.worms.iter().filter(|worm| worm.head_at == router) {
        let name = app.full_name(worm.name());
        let style = theme.hue(worm.letter.index());
        let goal = network.node_name(worm.destination);
        let way = format!("{name}{}{goal}", app.glyphs.to);
        match worm.head {
            HeadState::Blocked(since) => {
                let cycles = grouped(snapshot.cycle.0.saturating_sub(since.0));
                lines.push(vec![(format!("{way} waits {cycles} for"), style)]);
                for wait in snapshot.waits.iter().filter(|wait| wait.worm == worm.id) {
                    let (channel, vc) = snapshot.split(wait.wants);
                    let holder = snapshot.holder(channel, vc);
                    let holder = holder.map(|holder| app.call_worm(holder));
                    let held = holder
                        .map_or("free, next cycle".to_owned(), |who| format!("held by {who}"));
                    let name = crate::tui::names::channel_name(app, channel);
                    let text = format!("  {name} VC {vc}, {held}");
                    lines.push(vec![(text, theme.text())]);
                }
            }
            HeadState::Arriving => {
                let text = format!("{way} drains, {} of {}", worm.consumed, worm.length);
                lines.push(vec![(text, style)]);
            }
            _ => lines.push(vec![(format!("{way} goes on"), style)]),
        }
    }
    cube::add(app, router, width, &mut lines);
    lines
}

/// The channels whose buffers are at a router: hosts have theirs at their switch.
pub(in crate::tui) fn into_router(
    app: &RunView,
    router: RouterId,
) -> impl Iterator<Item = ChannelId> + '_ {
    let network = &app.update.scenario.system.network;
    let hosts = network.switches().map_or(&[] as &[_], |switches| switches.hosts_at(router));
    let injection = hosts.iter().filter_map(|&host| network.injection_of(host));
    network.inputs(router).iter().copied().chain(injection)
}

/// Which way the flits of a channel into a router travel.
pub(in crate::tui) fn from_name(app: &Shown<'_>, channel: ChannelId) -> String {
    let network = &app.update.scenario.system.network;
    if let Some(host) = network.terminal_of(channel) {
        return network.node_name(host);
    }
    match network.cube() {
        Some(cube) => {
            let (dimension, sign) = cube.direction(channel);
            Cube::direction_name(dimension, sign)
        }
        None => network.router_name(network.channel(channel).from),
    }
}

/// `■■□□ A `: one buffer and whose it is.
fn buffer(app: &Shown<'_>, channel: ChannelId, vc: usize, width: usize, line: &mut Line) {
    let snapshot = &app.update.snapshot;
    let count = snapshot.virtual_channels as usize;
    let Some(view) = snapshot.vcs.get(channel.index() * count + vc) else { return };
    let [full, free] = app.glyphs.slot;
    let depth = snapshot.buffer_flits;
    let mut text = if depth <= SLOTS_MAX {
        let filled = view.flits.min(depth);
        (0..depth).map(|slot| if slot < filled { full } else { free }).collect::<String>()
    } else {
        format!("{}/{depth}", view.flits)
    };
    let holder = (view.holder as usize).checked_sub(1);
    let letter = holder.and_then(|at| Some(snapshot.worms.get(at)?.letter));
    text += &letter.map_or_else(String::new, crate::tui::names::capital);
    let style = letter.map_or(app.theme.dim(), |letter| app.theme.hue(letter.index()));
    line.push((format!("{text:<width$}"), style));
}
