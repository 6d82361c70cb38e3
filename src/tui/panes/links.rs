//! The table of links: use, hold, wait and full buffers as simulated, each beside the model's.

use ratatui::style::Style;

use crate::ids::ChannelId;
use crate::live::{LinkFigures, LinkUse, Pair};
use crate::tui::app::links::Order;
use crate::tui::app::{App, RunView};
use crate::tui::names::channel_name;
use crate::tui::panes::table::{self, ending};
use crate::tui::pen::{Pen, grouped};
use crate::tui::view::Pane;

/// Columns of a figure.
const FIGURE: i32 = 7;
/// Columns of a name.
const NAME: i32 = 13;

pub(super) fn title(app: &App) -> String {
    let dot = app.glyphs.dot;
    let channels = app.update.scenario.system.network.channels().len();
    format!("links{dot}{}{dot}by {}", grouped(channels as u64), app.links.order.name())
}

/// The columns that fit, the one that sorts among them, from left to right.
fn columns(app: &App, width: i32) -> Vec<(Order, i32)> {
    // By importance.
    let wishes =
        [Order::Wait, Order::Use, Order::Full, Order::Held, Order::Heads, Order::Difference];
    let by = app.links.order;
    let mut room = width - NAME - 2;
    let mut taken = Vec::new();
    let first = wishes.into_iter().filter(|&order| order == by);
    for order in first.chain(wishes.into_iter().filter(|&order| order != by)) {
        let wide = if order == Order::Difference { FIGURE + 1 } else { 2 * FIGURE };
        if wide <= room {
            room -= wide;
            taken.push((order, wide));
        }
    }
    let place = |order| Order::ALL.iter().position(|&other| other == order);
    taken.sort_by_key(|&(order, _)| place(order));
    taken
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let columns = columns(app, i32::from(pen.width()));
    headings(app, pen, &columns);
    let rows = app.link_rows();
    let chosen = app.chosen_row(&rows);
    table::rows(app, pen, Pane::Links, (chosen, rows.len()), |pen, y, at, style| {
        line(app, pen, y, rows[at], style, &columns);
    });
    table::foot(app, pen, &[(measured(app), app.theme.dim()), predicted(app)]);
}

fn headings(app: &App, pen: &mut Pen<'_>, columns: &[(Order, i32)]) {
    let theme = app.theme;
    let style = |order| if order == app.links.order { theme.focus() } else { theme.dim() };
    pen.text(2, 0, "link", style(Order::Name));
    let mut end = NAME + 2;
    for &(order, wide) in columns {
        end += wide;
        let name = match order {
            Order::Use if app.has_circuits() => "use, share",
            Order::Use => "flits/cycle",
            Order::Held => "held, share",
            Order::Heads => "heads wait",
            Order::Wait if app.has_circuits() => "wait, T",
            Order::Wait => "wait, cycles",
            Order::Full => "full, share",
            Order::Difference => "sim.",
            Order::Name => "",
        };
        ending(pen, end, 0, name, style(order));
        if order == Order::Difference {
            ending(pen, end, 1, &format!("{}model", app.glyphs.below[0]), theme.dim());
        } else {
            ending(pen, end - FIGURE, 1, "sim.", theme.measured());
            ending(pen, end, 1, "model", theme.theory());
        }
    }
}

fn line(
    app: &App,
    pen: &mut Pen<'_>,
    y: i32,
    (channel, figures): (ChannelId, LinkFigures),
    style: Style,
    columns: &[(Order, i32)],
) {
    let name: String = channel_name(app, channel).chars().take(NAME as usize).collect();
    pen.text(2, y, &name, style);
    let mut end = NAME + 2;
    for &(order, wide) in columns {
        end += wide;
        let pair = match order {
            Order::Use => figures.flow,
            Order::Held => figures.held,
            Order::Heads => figures.heads,
            Order::Wait => figures.wait,
            Order::Full => figures.full,
            Order::Difference | Order::Name => {
                let off = figures.difference().map(|off| (off, figures.wait.predicted.is_some()));
                let text = off.map_or_else(
                    || app.glyphs.dash.to_owned(),
                    |(off, cycles)| {
                        if cycles { format!("{off:+.1}") } else { format!("{off:+.4}") }
                    },
                );
                ending(pen, end, y, &text, style);
                continue;
            }
        };
        let text = |figure: Option<f64>| {
            figure.map_or_else(|| app.glyphs.dash.to_owned(), |figure| figure_text(order, figure))
        };
        ending(pen, end - FIGURE, y, &text(pair.measured), style);
        ending(pen, end, y, &text(pair.predicted), style);
    }
}

/// A figure in at most six characters, up to a million.
pub(super) fn figure_text(order: Order, figure: f64) -> String {
    let decimals = match (order, figure) {
        (Order::Use | Order::Held | Order::Full, _) => 3,
        (Order::Heads, _) if figure < 99.995 => 2,
        (Order::Wait | Order::Heads, _) if figure < 9_999.95 => 1,
        _ => 0,
    };
    format!("{figure:.decimals$}")
}

/// Over what was measured.
pub(super) fn measured(app: &App) -> String {
    let (usage, summary) = (&app.update.usage, &app.update.summary);
    let since = if summary.measured_from.is_some() { "since the warm-up" } else { "warming up" };
    let choice = if usage.census.choice {
        "; heads with a choice wait for each of theirs: no mean wait"
    } else {
        ""
    };
    format!(
        "sim.: use over {}, the rest {} samples, one in {}, {since}{choice}",
        span(app, usage.cycles),
        grouped(usage.census.samples),
        span(app, usage.census.period),
    )
}

/// A length of time in words.
fn span(app: &App, cycles: u64) -> String {
    if app.has_circuits() {
        format!("{} T", app.update.scenario.system.time_unit().text(cycles))
    } else {
        format!("{} cycles", grouped(cycles))
    }
}

/// What of it the model says.
pub(super) fn predicted(app: &App) -> (String, Style) {
    let Some(theory) = app.update.theory.as_deref() else {
        return ("model: none for this network".to_owned(), app.theme.warning());
    };
    let says = match (theory.utilisation.as_deref(), &theory.channels) {
        (_, Some(_)) => "all columns (full: the next worm does not fit)",
        (_, None) if theory.prediction.is_err() => "use at most: no steady state at this load",
        (Some(LinkUse::Channels(_)), None) => "use only, link by link",
        (Some(LinkUse::Mean(_)), None) => "use only, one mean for all links",
        (None, None) => "nothing of single links",
    };
    let (outside, style) = if theory.applies() {
        ("", app.theme.theory())
    } else {
        ("; outside the model", app.theme.warning())
    };
    (format!("model: {says}{outside}; {}, {}", theory.name, theory.reading), style)
}

/// One figure of the chosen link for the inspector: a name, simulated, predicted.
pub(super) fn figures_of(app: &RunView, figures: &LinkFigures) -> [(&'static str, Order, Pair); 5] {
    let usage = if app.has_circuits() { "share used" } else { "flits/cycle" };
    [
        (usage, Order::Use, figures.flow),
        ("share held", Order::Held, figures.held),
        ("heads waiting", Order::Heads, figures.heads),
        ("mean wait", Order::Wait, figures.wait),
        ("share full", Order::Full, figures.full),
    ]
}
