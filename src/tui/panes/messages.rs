//! The table of messages under way or waiting at their sources, with their states.

use crate::engine::HeadState;
use crate::engine::messages::{Activity, MessageView};
use crate::tui::carrier::verb;
use crate::tui::names::capital;
use crate::tui::panes::table::{self, Column};
use crate::tui::pen::{Pen, fitting, grouped};
use crate::tui::rows::MessageOrder;
use crate::tui::scene::Scene;
use crate::tui::view::Pane;

pub(super) fn title(app: &Scene<'_>) -> String {
    let dot = app.glyphs.dot;
    let count = grouped(app.update.single_messages.listed.len() as u64);
    let of = app.called().map_or(String::new(), |called| format!(" of {called}"));
    format!("messages{of}{dot}{count}{dot}by {}", app.messages.order.name())
}

/// Minimum widths for the lengths of messages, and for hops and ages.
const WIDE: u16 = 72;
const MEDIUM: u16 = 56;

/// The columns that fit: order, heading and position.
fn columns(app: &Scene<'_>, width: u16) -> Vec<(MessageOrder, &'static str, Column)> {
    let words = app.words();
    let rest = Column::text(i32::from(width));
    let all = [
        (MessageOrder::Name, "message", Column::text(13)),
        (MessageOrder::Destination, "to", Column::text(11)),
        (MessageOrder::Length, words.length, Column::figure(8)),
        (MessageOrder::Hops, "hops", Column::figure(5)),
        (MessageOrder::Age, words.age, Column::figure(8)),
        (MessageOrder::State, "    does", rest),
    ];
    let has_room = |order: MessageOrder| match order {
        MessageOrder::Length => width >= WIDE,
        MessageOrder::Hops | MessageOrder::Age => width >= MEDIUM,
        MessageOrder::Name
        | MessageOrder::Destination
        | MessageOrder::State
        | MessageOrder::BlockedTime => true,
    };
    all.into_iter().filter(|&(order, ..)| has_room(order)).collect()
}

pub(super) fn draw(app: &Scene<'_>, pen: &mut Pen<'_>) {
    let (theme, by) = (app.theme, app.messages.order);
    let columns = columns(app, pen.width());
    let places: Vec<Column> = columns.iter().map(|&(.., place)| place).collect();
    let sorts =
        |order| order == by || order == MessageOrder::State && by == MessageOrder::BlockedTime;
    let heading = |&(order, heading, _): &(_, &'static str, _)| {
        (heading, if sorts(order) { theme.focus() } else { theme.dim() })
    };
    table::cells(app, pen, (4, 0), &places, columns.iter().map(heading));
    let count = app.messages.rows.len();
    if count == 0 {
        let text = "no message waits or is under way";
        pen.cut(2, table::HEAD as i32, text, app.glyphs.ellipsis, theme.dim());
    }
    let chosen = app.chosen_message_row();
    table::rows(app, pen, Pane::Messages, (chosen, count), |pen, y, at, style| {
        let Some(view) = app.message_at(at) else { return };
        if let Some(letter) = app.letter_of(view.name) {
            let hue = if at == chosen { style } else { theme.hue(letter.index()) };
            pen.ending(3, y, &capital(letter), hue);
        }
        let others =
            columns[..columns.len() - 1].iter().map(|(.., column)| column.width).sum::<i32>();
        let room = usize::try_from(i32::from(pen.width()) - 4 - others).unwrap_or(0);
        let texts = columns.iter().map(|&(order, ..)| (text(app, order, view, room), style));
        table::cells(app, pen, (4, y), &places, texts);
    });
    let more = match app.update.single_messages.unlisted {
        0 => ["all that wait at their sources or are under way", "all that wait or are under way"]
            .map(str::to_owned),
        more => {
            let wait = format!("{} more wait at their sources", grouped(more));
            [format!("{wait}, younger than these"), wait]
        }
    };
    let keys = ["h l sort, f follows, p pins, i: its history", "h l sort, f follows"];
    let keys = [format!("j k choose, {}", keys[0]), keys[0].to_owned(), keys[1].to_owned()];
    let width = usize::from(pen.width());
    let (more, keys) = (fitting(more, width), fitting(keys, width));
    table::foot(app, pen, [(more, theme.dim()), (keys, theme.dim())]);
}

/// The headings and the chosen row, with all columns; `None` without messages.
pub fn chosen_cells(app: &Scene<'_>) -> Option<[Vec<String>; 2]> {
    let view = app.message_at(app.chosen_message_row())?;
    let columns = columns(app, u16::MAX);
    let headings = columns.iter().map(|&(_, heading, _)| heading.trim().to_owned());
    let cells =
        columns.iter().map(|&(order, ..)| text(app, order, view, usize::MAX).trim().to_owned());
    Some([headings.collect(), cells.collect()])
}

/// The text of a column, and of the state as much as fits into `room`.
fn text(app: &Scene<'_>, order: MessageOrder, view: &MessageView, room: usize) -> String {
    match order {
        MessageOrder::Name => app.message_name(view.name),
        MessageOrder::Destination => app.network().short_node_name(view.destination),
        MessageOrder::Length => app.times().length(view.length),
        MessageOrder::Hops => view.hops.to_string(),
        MessageOrder::Age => app.times().exact(app.snapshot().cycle.0.saturating_sub(view.born.0)),
        MessageOrder::State | MessageOrder::BlockedTime => {
            let whole = format!("  {}", does(app, view));
            let without = |end: &str| whole.split(end).next().unwrap_or_default().to_owned();
            let parts = [without(" for "), without(" at "), without(" waits")];
            let [stands, waits, sign] = parts;
            fitting([whole, stands, waits, sign], room)
        }
    }
}

/// A symbol and the state of a message in words.
pub(super) fn does(app: &Scene<'_>, view: &MessageView) -> String {
    let sign = app.sign(view.activity).0;
    if view.activity == Activity::Worm(HeadState::AtSource) {
        let queued = if view.queued { ", queued" } else { "" };
        return format!("{sign} waits at its source{queued}");
    }
    let mut words = format!("{sign} {}", verb(view.activity));
    for part in [&app.since(view.activity), "at", &app.network().short_router_name(view.at)] {
        words += if part.is_empty() { "" } else { " " };
        words += part;
    }
    let wait = app.wait_of(view).filter(|_| view.activity.blocked_since().is_some());
    match wait.and_then(|wait| app.holder_of(wait)) {
        Some(holder) => format!("{words} for {}", app.full_name(holder)),
        None => words,
    }
}
