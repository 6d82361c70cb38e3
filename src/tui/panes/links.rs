//! The table of links: use, hold, wait and full buffers as simulated, each beside the model's.

use ratatui::style::Style;

use crate::live::{LinkFigures, LinkUse, Pair};
use crate::tui::app::tables::Order;
use crate::tui::app::{App, RunView};
use crate::tui::names::channel_name;
use crate::tui::panes::table::{self, Column};
use crate::tui::pen::{Pen, grouped};
use crate::tui::view::Pane;

/// The columns of two figures by importance; the difference has one.
const COLUMNS: [Order; 6] =
    [Order::Wait, Order::Use, Order::Full, Order::Held, Order::Heads, Order::Difference];
/// A figure, and the difference.
const FIGURE: Column = Column::figure(7);
const DIFFERENCE: Column = Column::figure(8);
/// A link's name, which may touch the figures.
const NAME: Column = Column { room: 13, ..Column::text(13) };

pub(super) fn title(app: &App) -> String {
    let dot = app.glyphs.dot;
    let channels = app.network().channels().len();
    format!("links{dot}{}{dot}by {}", grouped(channels as u64), app.links.order.name())
}

/// The figures of a link, simulated and predicted, by what sorts them.
fn pair(order: Order, figures: &LinkFigures) -> Option<Pair> {
    match order {
        Order::Use => Some(figures.flow),
        Order::Held => Some(figures.held),
        Order::Heads => Some(figures.heads),
        Order::Wait => Some(figures.wait),
        Order::Full => Some(figures.full),
        Order::Difference | Order::Name => None,
    }
}

/// What the table sorts by that there is room for, the present one among them, and all columns.
fn columns(app: &App, width: u16) -> (Vec<Order>, Vec<Column>) {
    let places = |order| match order {
        Order::Difference => &[DIFFERENCE] as &[Column],
        Order::Use | Order::Held | Order::Heads | Order::Wait | Order::Full | Order::Name => {
            &[FIGURE, FIGURE]
        }
    };
    let by = app.links.order;
    let mut wishes = COLUMNS.to_vec();
    wishes.sort_by_key(|&order| order != by);
    let mut room = i32::from(width) - NAME.width - 2;
    wishes.retain(|&order| {
        let wide = places(order).iter().map(|column| column.width).sum::<i32>();
        let fits = wide <= room;
        room -= if fits { wide } else { 0 };
        fits
    });
    wishes.sort_by_key(|&order| Order::ALL.iter().position(|&other| other == order));
    let figures = wishes.iter().flat_map(|&order| places(order));
    let places = std::iter::once(&NAME).chain(figures).copied().collect();
    (wishes, places)
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let (theme, words) = (app.theme, app.words());
    let (orders, places) = columns(app, pen.width());
    let style = |order| if order == app.links.order { theme.focus() } else { theme.dim() };
    let mut headings = [vec![("link", style(Order::Name))], vec![("", theme.dim())]];
    let less_model = format!("{}model", app.glyphs.below[0]);
    for &order in &orders {
        let name = match order {
            Order::Use => words.flow_heading,
            Order::Held => "held, share",
            Order::Heads => "heads wait",
            Order::Wait => words.wait,
            Order::Full => "full, share",
            Order::Difference => "sim.",
            Order::Name => "",
        };
        if order == Order::Difference {
            headings[1].push((&less_model, theme.dim()));
        } else {
            headings[0].push(("", theme.dim()));
            headings[1].extend([("sim.", theme.measured()), ("model", theme.theory())]);
        }
        headings[0].push((name, style(order)));
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
            match pair(order, figures) {
                Some(pair) => {
                    let both = [pair.measured, pair.predicted];
                    texts.extend(both.map(|figure| figure_text(app, order, figure)));
                }
                None => texts.push(difference(app, figures)),
            }
        }
        table::cells(app, pen, (2, y), &places, texts.into_iter().map(|text| (text, style)));
    });
    table::foot(app, pen, [(measured(app), theme.dim()), predicted(app)]);
}

/// How far the simulation is off the model, in cycles of the wait or in use.
fn difference(app: &App, figures: &LinkFigures) -> String {
    match (figures.difference(), figures.wait.predicted) {
        (None, _) => app.glyphs.dash.to_owned(),
        (Some(off), Some(_)) => format!("{off:+.1}"),
        (Some(off), None) => format!("{off:+.4}"),
    }
}

/// A figure in at most six characters, up to a million.
pub(super) fn figure_text(app: &App, order: Order, figure: Option<f64>) -> String {
    let Some(figure) = figure else { return app.glyphs.dash.to_owned() };
    let decimals = match order {
        Order::Use | Order::Held | Order::Full => 3,
        Order::Heads if figure < 99.995 => 2,
        Order::Wait | Order::Heads if figure < 9_999.95 => 1,
        Order::Wait | Order::Heads | Order::Difference | Order::Name => 0,
    };
    format!("{figure:.decimals$}")
}

/// Over what was measured.
pub(super) fn measured(app: &App) -> String {
    let (usage, summary) = (&app.update.usage, app.summary());
    let since = if summary.measured_from.is_some() { "since the warm-up" } else { "warming up" };
    let choice = if usage.census.choice {
        "; heads with a choice wait for each of theirs: no mean wait"
    } else {
        ""
    };
    format!(
        "sim.: use over {}, the rest {} samples, one in {}, {since}{choice}",
        app.times().with_unit(usage.cycles),
        grouped(usage.census.samples),
        app.times().with_unit(usage.census.period),
    )
}

/// What of it the model says.
pub(super) fn predicted(app: &App) -> (String, Style) {
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
    (format!("model: {says}{outside}; {}, {}", theory.name, theory.reading), style)
}

/// The figures of the chosen link for the inspector: a name, what sorts by it, both accounts.
pub(super) fn figures_of(app: &RunView, figures: &LinkFigures) -> [(&'static str, Order, Pair); 5] {
    [
        (app.words().flow_row, Order::Use, figures.flow),
        ("share held", Order::Held, figures.held),
        ("heads waiting", Order::Heads, figures.heads),
        ("mean wait", Order::Wait, figures.wait),
        ("share full", Order::Full, figures.full),
    ]
}
