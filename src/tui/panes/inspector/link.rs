//! The link chosen in the table of links, figure by figure.

use super::Line;
use crate::ids::ChannelId;
use crate::live::{LinkFigures, forecast};
use crate::tui::app::Shown;
use crate::tui::names::channel_name;
use crate::tui::panes::links::{figure_text, figures_of};

/// Adds the figures of `channel`.
pub(super) fn add(app: &Shown<'_>, channel: ChannelId, lines: &mut Vec<Line>) {
    let theme = app.theme;
    let figures = LinkFigures::of(&app.update, channel);
    let name = format!("{:<14}", format!("link {}", channel_name(app, channel)));
    lines.push(vec![
        (name, theme.strong()),
        (format!("{:>9}", "sim."), theme.measured()),
        (format!("{:>9}", "model"), theme.theory()),
    ]);
    for (name, order, pair) in figures_of(app, &figures) {
        let text = |figure: Option<f64>| {
            figure.map_or_else(|| app.glyphs.dash.to_owned(), |figure| figure_text(order, figure))
        };
        let (measured, predicted) = (text(pair.measured), text(pair.predicted));
        let line = format!("{name:<14}{measured:>9}{predicted:>9}");
        lines.push(vec![(line, theme.text())]);
    }
    if let Some(forecast) = forecast(&app.update, channel) {
        let parts = format!(
            "rank {}, {} inputs: contention {:.1}, in buffer {:.1}",
            forecast.rank, forecast.inputs, forecast.contention_mean, forecast.buffering_mean,
        );
        lines.push(vec![(parts, theme.dim())]);
    }
}
