//! The pane of the busiest links at the present load.
//!
//! Links are listed with shares of use, and with the sources and destinations of messages holding
//! their virtual channels.

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::list::{Item, meter};
use crate::engine::WormView;
use crate::ids::ChannelId;
use crate::tui::grid::{HOTTEST, hottest};
use crate::tui::names::{capital, channel_name};
use crate::tui::pen::wrap;
use crate::tui::scene::Scene;

pub(super) fn title(app: &Scene<'_>) -> String {
    format!("hottest links{}{HOTTEST} of {}", app.glyphs.dot, app.network().links())
}

pub(super) fn lines(app: &Scene<'_>, width: usize) -> Vec<Item> {
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
        let mut line = Line::from(line);
        let room = width.saturating_sub(line.width());
        line.extend(senders(app, link, room));
        line.into()
    });
    let over = format!(
        "share of {}, and who holds each now",
        app.times().with_unit(app.update.usage.cycles)
    );
    let over = wrap(&over, width).into_iter().map(|line| Item::new(line, theme.dim()));
    lines.chain(over).collect()
}

/// The messages that hold virtual channels of a link: letter, source and destination, or letters alone
/// if the others do not fit into `room` characters.
fn senders(app: &Scene<'_>, link: ChannelId, room: usize) -> Vec<Span<'static>> {
    let (snapshot, network) = (app.snapshot(), app.network());
    let held = snapshot.vcs_of(link).iter().filter_map(|vc| snapshot.owner(vc));
    let held: Vec<&WormView> = held.map(|(_, worm)| worm).collect();
    if held.is_empty() {
        return vec![Span::styled("  free", app.theme.dim())];
    }
    let hue = |worm: &WormView| app.theme.hue(worm.letter.index());
    let whole = held.iter().map(|worm| {
        let [from, to] = [worm.source, worm.destination].map(|node| network.short_node_name(node));
        let text = format!("  {} {from}{}{to}", capital(worm.letter), app.glyphs.to);
        Span::styled(text, hue(worm))
    });
    let letters =
        held.iter().map(|worm| Span::styled(format!(" {}", capital(worm.letter)), hue(worm)));
    let whole: Vec<Span<'static>> = whole.collect();
    let fits = whole.iter().map(Span::width).sum::<usize>() <= room;
    if fits { whole } else { letters.collect() }
}
