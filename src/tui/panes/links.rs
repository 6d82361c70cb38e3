//! The table of links: use, holding, waits and full buffers, simulated and predicted.

use ratatui::style::Style;

use crate::live::{LinkFigures, LinkUse, Measured};
use crate::tui::names::channel_name;
use crate::tui::panes::table::{self, Column};
use crate::tui::pen::{Pen, fitting, grouped, plural};
use crate::tui::rows::Order;
use crate::tui::run_view::RunView;
use crate::tui::scene::Scene;
use crate::tui::view::Pane;

/// The columns in order of importance.
const COLUMNS: [Order; 6] =
    [Order::Wait, Order::Use, Order::Full, Order::Held, Order::Heads, Order::Difference];
/// The column of link names, without a gap before the figures.
const NAME: Column = Column { width: 13, room: Some(13) };

pub(super) fn title(app: &Scene<'_>) -> String {
    let dot = app.glyphs.dot;
    let channels = app.network().channels().len();
    let of = app.called().map_or(String::new(), |called| format!(" of {called}"));
    format!("links{of}{dot}{}{dot}by {}", grouped(channels as u64), app.links.order.name())
}

/// A figure of links, simulated and predicted.
pub(super) struct Figure {
    heading: &'static str,
    /// The name in a row of its own.
    pub name: &'static str,
    of: fn(&LinkFigures) -> Measured,
    decimals: usize,
}

/// The figure of an order; `None` for difference and name.
pub(super) fn figure(app: &RunView, order: Order) -> Option<Figure> {
    let words = app.words();
    let (heading, name, of, decimals): (_, _, fn(&LinkFigures) -> Measured, _) = match order {
        Order::Use => (words.flow_heading, words.flow_row, |it| it.flow, 3),
        Order::Held => ("held, share", "share held", |it| it.held, 3),
        Order::Heads => ("heads wait", "heads waiting", |it| it.heads, 2),
        Order::Wait => (words.wait, "mean wait", |it| it.wait, 1),
        Order::Full => ("full, share", "share full", |it| it.full, 3),
        Order::Difference | Order::Name => return None,
    };
    Some(Figure { heading, name, of, decimals })
}

/// The orders with room for a column, the present order preferred, and all columns.
fn columns(app: &Scene<'_>, width: u16) -> (Vec<Order>, Vec<Column>) {
    let places = |order| match figure(app, order) {
        Some(_) => vec![Column::figure(7); 2],
        None => vec![Column::figure(8)],
    };
    let mut orders = COLUMNS.to_vec();
    orders.sort_by_key(|&order| order != app.links.order);
    let mut room = i32::from(width) - NAME.width - 2;
    orders.retain(|&order| {
        let wide = places(order).iter().map(|column| column.width).sum::<i32>();
        let fits = wide <= room;
        room -= if fits { wide } else { 0 };
        fits
    });
    orders.sort_by_key(|&order| Order::ALL.iter().position(|&other| other == order));
    let figures = orders.iter().flat_map(|&order| places(order));
    let places = std::iter::once(NAME).chain(figures).collect();
    (orders, places)
}

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let theme = app.theme;
    let (orders, places) = columns(app, pen.width());
    let style = |order| if order == app.links.order { theme.focus() } else { theme.dim() };
    let mut headings = [vec![("link", style(Order::Name))], vec![("", theme.dim())]];
    let less_model = format!("{}model", app.glyphs.below[0]);
    for &order in &orders {
        if let Some(figure) = figure(app, order) {
            headings[0].extend([("", theme.dim()), (figure.heading, style(order))]);
            headings[1].extend([("sim.", theme.measured()), ("model", theme.theory())]);
        } else {
            headings[0].push(("sim.", style(order)));
            headings[1].push((&less_model, theme.dim()));
        }
    }
    for (y, heading) in (0..).zip(headings) {
        table::cells(app, pen, (2, y), &places, heading);
    }
    let rows = app.link_rows();
    let chosen = app.chosen_row(&rows);
    table::rows(app, pen, Pane::Links, (chosen, rows.len()), |pen, y, at, style| {
        let (channel, figures) = &rows[at];
        let mut texts = vec![channel_name(app, *channel)];
        for &order in &orders {
            match figure(app, order) {
                Some(figure) => texts.extend(figure_text(app, &figure, figures)),
                None => texts.push(difference(app, figures)),
            }
        }
        table::cells(app, pen, (2, y), &places, texts.into_iter().map(|text| (text, style)));
    });
    let width = pen.width();
    table::foot(app, pen, [(measured(app, width), theme.dim()), predicted(app, width)]);
}

/// The headings and the chosen row, with all columns; `None` without links.
pub fn chosen_cells(app: &Scene<'_>) -> Option<[Vec<String>; 2]> {
    let rows = app.link_rows();
    let (channel, figures) = rows.get(app.chosen_row(&rows))?;
    let (mut headings, mut cells) = (vec!["link".to_owned()], vec![channel_name(app, *channel)]);
    for order in COLUMNS {
        if let Some(figure) = figure(app, order) {
            headings.extend(["simulated", "model"].map(|by| format!("{}, {by}", figure.heading)));
            cells.extend(figure_text(app, &figure, figures));
        } else {
            headings.push("simulated - model".to_owned());
            cells.push(difference(app, figures));
        }
    }
    Some([headings, cells])
}

/// The difference between simulation and model: of the wait in cycles, else of the use.
fn difference(app: &Scene<'_>, figures: &LinkFigures) -> String {
    match (figures.difference(), figures.wait.predicted) {
        (None, _) => app.glyphs.dash.to_owned(),
        (Some(off), Some(_)) => format!("{off:+.1}"),
        (Some(off), None) => format!("{off:+.4}"),
    }
}

/// A figure of a link as text, simulated and predicted, each in at most six characters up to a
/// million.
pub(super) fn figure_text(app: &Scene<'_>, of: &Figure, figures: &LinkFigures) -> [String; 2] {
    let pair = (of.of)(figures);
    [pair.measured, pair.predicted].map(|figure| {
        let Some(figure) = figure else { return app.glyphs.dash.to_owned() };
        let decimals = match of.decimals {
            2 if figure < 99.995 => 2,
            1 | 2 if figure < 9_999.95 => 1,
            1 | 2 => 0,
            decimals => decimals,
        };
        format!("{figure:.decimals$}")
    })
}

/// Describes the time and the samples of the measurement, as fully as the width allows.
fn measured(app: &Scene<'_>, width: u16) -> String {
    let (usage, summary) = (&app.update.usage, app.summary());
    let since = if summary.measured_from.is_some() { "since warm-up" } else { "warming up" };
    let choice = if usage.census.choice {
        "; heads with a choice wait for each of theirs: no mean wait"
    } else {
        ""
    };
    // Samples of later cycles are kept after the run is rewound.
    let until = usage.census.until;
    let ahead = if until > app.update.snapshot.cycle.0 {
        format!(" up to {}", app.times().exact(until))
    } else {
        String::new()
    };
    let samples = plural(usage.census.samples, "sample");
    let over = format!("sim. {since}: use over {}", app.times().with_unit(usage.cycles));
    let rest = format!("{over}, the rest by {samples}{ahead}");
    let whole = format!("{rest}, one every {}{choice}", app.times().exact(usage.census.period));
    fitting([whole, rest, over, since.to_owned()], width.into())
}

/// Describes the columns predicted by the model, as fully as the width allows.
fn predicted(app: &Scene<'_>, width: u16) -> (String, Style) {
    let Some(theory) = app.theory() else {
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
    let said = format!("model: {says}{outside}");
    let named = format!("{said}; {}", theory.name);
    let brief = says.split([':', ',']).next().unwrap_or_default();
    let brief = brief.split(" (").next().unwrap_or_default();
    let brief = format!("model: {brief}{outside}");
    let least = outside.trim_start_matches("; ");
    let least = if least.is_empty() { "model" } else { least }.to_owned();
    let texts = [format!("{named}, {}", theory.reading), named, said, brief, least];
    (fitting(texts, width.into()), style)
}
