//! The table of messages under way or waiting at their sources, with their states.

use crate::engine::HeadState;
use crate::engine::messages::{Activity, MessageView};
use crate::tui::carrier::verb;
use crate::tui::names::capital;
use crate::tui::panes::table::{self, Column};
use crate::tui::pen::{Pen, grouped};
use crate::tui::rows::MessageOrder;
use crate::tui::scene::Scene;
use crate::tui::view::Pane;

pub(super) fn title(app: &Scene<'_>) -> String {
    let dot = app.glyphs.dot;
    let count = grouped(app.update.single_messages.listed.len() as u64);
    let of = app.called().map_or(String::new(), |called| format!(" of {called}"));
    format!("messages{of}{dot}{count}{dot}by {}", app.messages.order.name())
}

/// The columns that fit: order, heading and position.
fn columns(app: &Scene<'_>, width: u16) -> Vec<(MessageOrder, &'static str, Column)> {
    let words = app.words();
    let (wide, rest) = (width >= 72, Column::text(i32::from(width)));
    let all = [
        (MessageOrder::Name, "message", Column::text(13)),
        (MessageOrder::Destination, "to", Column::text(11)),
        (MessageOrder::Length, words.length, Column::figure(8)),
        (MessageOrder::Hops, "hops", Column::figure(5)),
        (MessageOrder::Age, words.age, Column::figure(8)),
        (MessageOrder::State, "    does", rest),
    ];
    all.into_iter().filter(|&(order, ..)| wide || order != MessageOrder::Length).collect()
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
        let texts = columns.iter().map(|&(order, ..)| (text(app, order, view), style));
        table::cells(app, pen, (4, y), &places, texts);
    });
    let more = match app.update.single_messages.unlisted {
        0 => "all that wait at their sources or are under way".to_owned(),
        more => format!("{} more wait at their sources, younger than these", grouped(more)),
    };
    let keys = "j k choose, h l sort; f follows, p pins, i: its history".to_owned();
    table::foot(app, pen, [(more, theme.dim()), (keys, theme.dim())]);
}

/// The headings and the chosen row, with all columns; `None` without messages.
pub fn chosen_cells(app: &Scene<'_>) -> Option<[Vec<String>; 2]> {
    let view = app.message_at(app.chosen_message_row())?;
    let columns = columns(app, u16::MAX);
    let headings = columns.iter().map(|&(_, heading, _)| heading.trim().to_owned());
    let cells = columns.iter().map(|&(order, ..)| text(app, order, view).trim().to_owned());
    Some([headings.collect(), cells.collect()])
}

fn text(app: &Scene<'_>, order: MessageOrder, view: &MessageView) -> String {
    match order {
        MessageOrder::Name => app.message_name(view.name),
        MessageOrder::Destination => app.network().short_node_name(view.destination),
        MessageOrder::Length => app.times().length(view.length),
        MessageOrder::Hops => view.hops.to_string(),
        MessageOrder::Age => app.times().exact(app.snapshot().cycle.0.saturating_sub(view.born.0)),
        MessageOrder::State | MessageOrder::BlockedTime => format!("  {}", does(app, view)),
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
