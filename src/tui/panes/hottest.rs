//! The links that were busiest over the time of the present load: which share of it each was, and
//! the messages that hold its virtual channels now, from where to where.

use ratatui::text::{Line, Span};

use super::list::{Item, meter};
use crate::ids::ChannelId;
use crate::live::Measured;
use crate::tui::app::App;
use crate::tui::names::{capital, channel_name};

/// How many are listed.
const MOST: usize = 10;

pub(super) fn title(app: &App) -> String {
    format!("hottest links{}{MOST} of {}", app.glyphs.dot, app.network().links())
}

pub(super) fn lines(app: &App, _: usize) -> Vec<Item> {
    let theme = app.theme;
    let all = (0..app.network().links()).map(ChannelId::new);
    let used = all.filter_map(|link| Some((link, Measured::flow(&app.update, link).measured?)));
    let mut links: Vec<(ChannelId, f64)> = used.filter(|&(_, share)| share > 0.0).collect();
    if links.is_empty() {
        return vec![Item::new("no link has been used yet", theme.dim())];
    }
    // The sort is stable: of links as busy as each other the first comes first.
    links.sort_by(|one, other| other.1.total_cmp(&one.1));
    let lines = links.iter().take(MOST).map(|&(link, share)| {
        let name = format!("{:<13} ", channel_name(app, link));
        let mut line = vec![Span::styled(name, theme.text())];
        line.extend(meter(app, 8, share, theme.measured()));
        line.push(Span::styled(format!(" {:>5.1} %", share * 100.0), theme.strong()));
        line.extend(senders(app, link));
        Line::from(line).into()
    });
    let over = format!(
        "share of {}, and who holds each now",
        app.times().with_unit(app.update.usage.cycles)
    );
    lines.chain([Item::new(over, theme.dim())]).collect()
}

/// The messages that hold virtual channels of a link: letter, source and destination.
fn senders(app: &App, link: ChannelId) -> Vec<Span<'static>> {
    let (snapshot, network) = (app.snapshot(), app.network());
    let held = snapshot.vcs_of(link).iter().filter_map(|vc| snapshot.owner(vc));
    let held = held.map(|(_, worm)| {
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
