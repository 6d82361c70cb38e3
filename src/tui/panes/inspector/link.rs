//! The link chosen in the table of links, figure by figure.

use ratatui::text::{Line, Span};

use crate::ids::ChannelId;
use crate::live::{LinkFigures, forecast};
use crate::tui::app::Shown;
use crate::tui::names::channel_name;
use crate::tui::panes::links::{figure_text, figures_of};
use crate::tui::panes::list::Item;

/// Adds the figures of `channel`.
pub(super) fn add(app: &Shown<'_>, channel: ChannelId, lines: &mut Vec<Item>) {
    let theme = app.theme;
    let figures = LinkFigures::of(&app.update, channel);
    let name = format!("{:<14}", format!("link {}", channel_name(app, channel)));
    let heading = Line::from_iter([
        Span::styled(name, theme.strong()),
        Span::styled(format!("{:>9}", "sim."), theme.measured()),
        Span::styled(format!("{:>9}", "model"), theme.theory()),
    ]);
    lines.push(heading.into());
    for (name, order, pair) in figures_of(app, &figures) {
        let [measured, predicted] =
            [pair.measured, pair.predicted].map(|it| figure_text(app.screen, order, it));
        let line = format!("{name:<14}{measured:>9}{predicted:>9}");
        lines.push(Item::new(line, theme.text()));
    }
    if let Some(forecast) = forecast(&app.update, channel) {
        let parts = format!(
            "rank {}, {} inputs: contention {:.1}, in buffer {:.1}",
            forecast.rank, forecast.inputs, forecast.contention_mean, forecast.buffering_mean,
        );
        lines.push(Item::new(parts, theme.dim()));
    }
}
