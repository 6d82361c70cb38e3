//! The pane of the busiest links at the present load.
//!
//! Links are listed with shares of use, and with the sources and destinations of messages holding
//! their virtual channels.

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::list::{Item, meter};
use crate::ids::ChannelId;
use crate::tui::grid::{HOTTEST, hottest};
use crate::tui::names::{capital, channel_name};
use crate::tui::scene::Scene;

pub(super) fn title(app: &Scene<'_>) -> String {
    format!("hottest links{}{HOTTEST} of {}", app.glyphs.dot, app.network().links())
}

pub(super) fn lines(app: &Scene<'_>, _: usize) -> Vec<Item> {
    let theme = app.theme;
    let links = hottest(app, HOTTEST);
    if links.is_empty() {
        return vec![Item::new("no link has been used yet", theme.dim())];
    }
    let lines = "1234567890".chars().zip(links).map(|(rank, (link, share))| {
        let name = format!(" {:<13} ", channel_name(app, link));
        // The network shows the same number.
        let mark = theme.warning().add_modifier(Modifier::REVERSED);
        let mut line = vec![Span::styled(rank.to_string(), mark), Span::styled(name, theme.text())];
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
fn senders(app: &Scene<'_>, link: ChannelId) -> Vec<Span<'static>> {
    let (snapshot, network) = (app.snapshot(), app.network());
    let held = snapshot.vcs_of(link).iter().filter_map(|vc| snapshot.owner(vc));
    let held = held.map(|(_, worm)| {
        let [from, to] = [worm.source, worm.destination].map(|node| network.short_node_name(node));
        let text = format!("  {} {from}{}{to}", capital(worm.letter), app.glyphs.to);
        Span::styled(text, app.theme.hue(worm.letter.index()))
    });
    let mut held: Vec<Span<'static>> = held.collect();
    if held.is_empty() {
        held.push(Span::styled("  free", app.theme.dim()));
    }
    held
}
