//! Figures of a router's links.
//!
//! Measured use is compared with the model or another run, link by link. The link chosen in the
//! table of links has all its figures.

use ratatui::text::{Line, Span};

use crate::ids::{ChannelId, RouterId};
use crate::live::{LinkFigures, LinkUse, Measured, Update, forecast};
use crate::tui::grid::comparison::{against, silence};
use crate::tui::grid::difference::sign;
use crate::tui::names::channel_name;
use crate::tui::panes::links::{figure, figure_text};
use crate::tui::panes::list::Item;
use crate::tui::rows::Order;
use crate::tui::scene::Scene;

/// Adds the figures of `channel`.
pub(super) fn chosen(app: &Scene<'_>, channel: ChannelId, lines: &mut Vec<Item>) {
    let theme = app.theme;
    let figures = LinkFigures::of(&app.update, channel);
    let name = format!("{:<14}", format!("link {}", channel_name(app, channel)));
    let heading = Line::from_iter([
        Span::styled(name, theme.strong()),
        Span::styled(format!("{:>9}", "sim."), theme.measured()),
        Span::styled(format!("{:>9}", "model"), theme.theory()),
    ]);
    lines.push(heading.into());
    let rows = Order::ALL.iter().filter_map(|&order| figure(app, order));
    lines.extend(rows.map(|row| {
        let [measured, predicted] = figure_text(app, &row, &figures);
        Item::new(format!("{:<14}{measured:>9}{predicted:>9}", row.name), theme.text())
    }));
    lines.extend(forecast(&app.update, channel).map(|forecast| {
        let parts = format!(
            "rank {}, {} inputs: contention {:.1}, in buffer {:.1}",
            forecast.rank, forecast.inputs, forecast.contention_mean, forecast.buffering_mean,
        );
        Item::new(parts, theme.dim())
    }));
}

/// Adds a table of the links out of and into `router`.
pub(super) fn add(app: &Scene<'_>, router: RouterId, lines: &mut Vec<Item>) {
    let (update, theme) = (&app.update, app.theme);
    if app.differences.end().is_none() {
        lines.push(Item::new(silence(app), theme.warning()));
    }
    let network = &update.scenario.system.network;
    let row = |name: &str, [measured, model, difference]: [&str; 3]| {
        format!("{name:<7}{measured:>8}{model:>7}{difference:>8}")
    };
    let both = app.both().filter(|_| app.contrasts);
    let one = app.theory().and_then(|theory| theory.utilisation.as_deref());
    let model = if matches!(one, Some(LinkUse::Mean(_))) { "mean" } else { "model" };
    let heading = if both.is_some() { ["A", "B", "B - A"] } else { ["measured", model, "diff."] };
    lines.push(Item::new(row("", heading), theme.dim()));
    // Inputs are sorted in the order of the outputs.
    let mut inputs = network.inputs(router).to_vec();
    if network.switches().is_none() {
        inputs.sort_by_key(|&link| network.direction(link).map(|(d, sign)| (d, sign as u8)));
    }
    let outputs = network.outputs(router).iter().map(|&channel| ("out", channel));
    for (way, channel) in outputs.chain(inputs.into_iter().map(|channel| ("in", channel))) {
        let used = |update: &Update| Measured::flow(update, channel).measured.unwrap_or(0.0);
        let predicted = || {
            let Measured { measured, predicted } = Measured::flow(update, channel);
            predicted.filter(|_| measured.is_some())
        };
        let (first, second) = match &both {
            Some([first, second]) => (used(&first.update), Some(used(&second.update))),
            None => (used(update), predicted()),
        };
        let off = second.map(|other| if both.is_some() { other - first } else { first - other });
        let dash = app.glyphs.dash.to_owned();
        let [second, difference] = [
            second.map_or(dash.clone(), |second| format!("{second:.4}")),
            off.map_or(dash, |off| format!("{off:+.4}")),
        ];
        let name = format!("{way} {}", app.network().heading(channel, router));
        let figures = row(&name, [&format!("{first:.4}"), &second, &difference]);
        let step = app.differences.channel(channel);
        let sign = sign(&app.glyphs, step).filter(|_| off.is_some());
        let sign = sign.map_or(String::new(), |sign| format!(" {sign}"));
        let sign = Span::styled(sign, theme.difference(step));
        lines.push(Line::from_iter([Span::styled(figures, theme.text()), sign]).into());
    }
    if let Some(against) = against(app).filter(|_| both.is_none()) {
        lines.push(Item::new(against, theme.dim()));
    }
    let over = format!("measured over {}", app.times().with_unit(update.usage.cycles));
    lines.push(Item::new(over, theme.dim()));
}
