//! The links that were busiest over the time of the present load: which share of it each was, and
//! the messages that hold its virtual channels now, from where to where.

use ratatui::text::{Line, Span};

use super::list::{Item, meter};
use crate::ids::ChannelId;
use crate::topology::Role;
use crate::tui::app::App;
use crate::tui::names::{capital, channel_name};

/// How many are listed.
const MOST: usize = 10;

pub(super) fn title(app: &App) -> String {
    format!("hottest links{}{MOST} of {}", app.glyphs.dot, app.network().links())
}

pub(super) fn lines(app: &App, _: usize) -> Vec<Item> {
    let (theme, usage) = (app.theme, &app.update.usage);
    let all = app.network().channels().iter().zip(&usage.shares).enumerate();
    let links = all.filter(|(_, (channel, share))| channel.role == Role::Link && **share > 0.0);
    let mut links: Vec<(ChannelId, f32)> =
        links.map(|(at, (_, &share))| (ChannelId::new(at), share)).collect();
    if links.is_empty() {
        return vec![Item::new("no link has been used yet", theme.dim())];
    }
    // The sort is stable: of links as busy as each other the first comes first.
    links.sort_by(|one, other| other.1.total_cmp(&one.1));
    let lines = links.iter().take(MOST).map(|&(link, share)| {
        let name = format!("{:<13} ", channel_name(app, link));
        let mut line = vec![Span::styled(name, theme.text())];
        line.extend(meter(app, 8, f64::from(share), theme.measured()));
        line.push(Span::styled(format!(" {:>5.1} %", f64::from(share) * 100.0), theme.strong()));
        line.extend(senders(app, link));
        Line::from(line).into()
    });
    let over = format!("share of {}, and who holds each now", app.times().with_unit(usage.cycles));
    lines.chain([Item::new(over, theme.dim())]).collect()
}

/// The messages that hold virtual channels of a link: letter, source and destination.
fn senders(app: &App, link: ChannelId) -> Vec<Span<'static>> {
    let (snapshot, network) = (app.snapshot(), app.network());
    let held = (0..snapshot.virtual_channels).filter_map(|vc| snapshot.holder(link, vc));
    let held = held.map(|worm| {
        let [from, to] = [worm.source, worm.destination].map(|node| network.node_name(node));
        let text = format!("  {} {from}{}{to}", capital(worm.letter), app.glyphs.to);
        Span::styled(text, app.theme.hue(worm.letter.index()))
    });
    let mut held: Vec<Span<'static>> = held.collect();
    if held.is_empty() {
        held.push(Span::styled("  free", app.theme.dim()));
    }
    held
}
