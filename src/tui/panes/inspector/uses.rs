//! How busy a router's links are and what the model says, or how busy they are in another run, link by
//! link.

use ratatui::text::{Line, Span};

use crate::ids::{ChannelId, RouterId};
use crate::live::{LinkUse, Update};
use crate::tui::app::Shown;
use crate::tui::grid::difference::{Compared, sign};
use crate::tui::grid::{against, silence};
use crate::tui::names::from_name;
use crate::tui::panes::list::Item;

/// Adds a table of the links out of and into `router`.
pub(super) fn add(app: &Shown<'_>, router: RouterId, lines: &mut Vec<Item>) {
    let (update, theme) = (&app.update, app.theme);
    if app.differences.end().is_none() {
        lines.push(Item::new(silence(app), theme.warning()));
    }
    let network = &update.scenario.system.network;
    let row = |name: &str, figures: [&str; 3]| {
        let [measured, model, difference] = figures;
        format!("{name:<7}{measured:>8}{model:>7}{difference:>8}")
    };
    let both = app.screen.both().filter(|_| app.contrasts());
    let one = app.theory().and_then(|theory| theory.utilisation.as_deref());
    let model = if matches!(one, Some(LinkUse::Mean(_))) { "mean" } else { "model" };
    let heading = match both {
        Some(_) => row("", ["A", "B", "B - A"]),
        None => row("", ["measured", model, "diff."]),
    };
    lines.push(Item::new(heading, theme.dim()));
    let mut add = |way: &str, channel: ChannelId| {
        let name = format!("{way} {}", from_name(app, channel));
        let used = |update: &Update| {
            f64::from(update.usage.shares.get(channel.index()).copied().unwrap_or(0.0))
        };
        let (first, second, difference) = match (&both, Compared::of(update, channel)) {
            (Some([first, second]), _) => {
                let (first, second) = (used(&first.update), used(&second.update));
                (first, second, second - first)
            }
            (None, Some(compared)) => {
                (compared.measured, compared.predicted, compared.difference())
            }
            (None, None) => {
                let (measured, dash) = (format!("{:.4}", used(update)), app.glyphs.dash);
                lines.push(Item::new(row(&name, [&measured, dash, dash]), theme.text()));
                return;
            }
        };
        let step = app.differences.channel(channel);
        let (first, second) = (format!("{first:.4}"), format!("{second:.4}"));
        let difference = format!("{difference:+.4}");
        let sign = sign(&app.glyphs, step).map_or(String::new(), |sign| format!(" {sign}"));
        let figures = Span::styled(row(&name, [&first, &second, &difference]), theme.text());
        let sign = Span::styled(sign, theme.difference(step));
        lines.push(Line::from_iter([figures, sign]).into());
    };
    for &channel in network.outputs(router) {
        add("out", channel);
    }
    // In the order of the outputs.
    let mut inputs = network.inputs(router).to_vec();
    inputs.sort_by_key(|&channel| {
        network.cube().map(|cube| cube.direction(channel)).map(|(d, sign)| (d, sign as u8))
    });
    for channel in inputs {
        add("in", channel);
    }
    if let Some(against) = against(app).filter(|_| both.is_none()) {
        lines.push(Item::new(against, theme.dim()));
    }
    let over = format!("measured over {}", app.times().with_unit(update.usage.cycles));
    lines.push(Item::new(over, theme.dim()));
}
