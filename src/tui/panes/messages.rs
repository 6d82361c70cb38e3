//! The table of messages: all that wait at their sources or are under way, and what each is doing.

use crate::engine::messages::{Doing, MessageView};
use crate::engine::{CircuitState, HeadState};
use crate::tui::app::App;
use crate::tui::app::messages::MessageOrder;
use crate::tui::panes::table::{self, ending};
use crate::tui::pen::{Pen, grouped};
use crate::tui::states;
use crate::tui::view::Pane;

/// Columns of a message's letter and name.
const NAME: i32 = 15;
/// Columns of a terminal's name.
const PLACE: i32 = 11;
/// Columns of a length, of hops and of an age.
const NARROW: i32 = 8;
const AGE: i32 = 10;

pub(super) fn title(app: &App) -> String {
    let dot = app.glyphs.dot;
    let count = grouped(app.update.singled.listed.len() as u64);
    format!("messages{dot}{count}{dot}by {}", app.messages.order.name())
}

/// Where the columns of figures end: length, hops, age; those that there is room for.
fn columns(pen: &Pen<'_>) -> Vec<(MessageOrder, i32)> {
    let mut end = 2 + NAME + PLACE;
    let wide = pen.width() >= 72;
    let wishes = [
        (MessageOrder::Length, if wide { NARROW } else { 0 }),
        (MessageOrder::Hops, if wide { NARROW } else { 5 }),
        (MessageOrder::Age, AGE),
    ];
    let column = |(order, width)| {
        end += width;
        (order, end)
    };
    wishes.into_iter().filter(|(_, width)| *width > 0).map(column).collect()
}

pub(super) fn draw(app: &App, pen: &mut Pen<'_>) {
    let columns = columns(pen);
    headings(app, pen, &columns);
    let count = app.messages.rows().len();
    if count == 0 {
        let text = "no message waits or is under way";
        pen.cut(2, table::HEAD as i32, text, app.glyphs.ellipsis, app.theme.dim());
    }
    let chosen = app.chosen_message_row();
    table::rows(app, pen, Pane::Messages, (chosen, count), |pen, y, at, style| {
        let Some(view) = app.message_at(at) else { return };
        if let Some(letter) = app.letter_of(view.name) {
            let hue = if at == chosen { style } else { app.theme.hue(letter.index()) };
            let letters = crate::tui::names::capital(letter);
            pen.text(3 - letters.len() as i32, y, &letters, hue);
        }
        let name: String = app.message_name(view.name).chars().take(NAME as usize - 3).collect();
        pen.text(4, y, &name, style);
        let network = &app.update.scenario.system.network;
        let goal: String =
            network.node_name(view.destination).chars().take(PLACE as usize - 1).collect();
        pen.text(2 + NAME, y, &goal, style);
        let now = app.update.snapshot.cycle.0;
        for &(order, end) in &columns {
            let text = match order {
                MessageOrder::Length => length(app, view.length),
                MessageOrder::Hops => view.hops.to_string(),
                _ => app.times().exact(now.saturating_sub(view.born.0)),
            };
            ending(pen, end, y, &text, style);
        }
        let end = columns.last().map_or(0, |column| column.1);
        let (sign, words) = does(app, view);
        pen.cut(end + 2, y, &format!("{sign} {words}"), app.glyphs.ellipsis, style);
    });
    let unlisted = app.update.singled.unlisted;
    let more = match unlisted {
        0 => "all that wait at their sources or are under way".to_owned(),
        _ => format!("{} more wait at their sources, younger than these", grouped(unlisted)),
    };
    let keys = "j k choose, h l sort; f follows, p pins, i: its history".to_owned();
    table::foot(app, pen, &[(more, app.theme.dim()), (keys, app.theme.dim())]);
}

fn headings(app: &App, pen: &mut Pen<'_>, columns: &[(MessageOrder, i32)]) {
    let theme = app.theme;
    let by = app.messages.order;
    let style = |order| if order == by { theme.focus() } else { theme.dim() };
    pen.text(4, 0, "message", style(MessageOrder::Name));
    pen.text(2 + NAME, 0, "to", style(MessageOrder::Destination));
    for &(order, end) in columns {
        let name = match order {
            MessageOrder::Length if app.has_circuits() => "data, T",
            MessageOrder::Length => "flits",
            MessageOrder::Hops => "hops",
            _ if app.has_circuits() => "age, T",
            _ => "age",
        };
        ending(pen, end, 0, name, style(order));
    }
    let end = columns.last().map_or(0, |column| column.1);
    let does = if by == MessageOrder::Stand { by } else { MessageOrder::State };
    pen.text(end + 4, 0, "does", style(does));
}

/// A length in flits, or of circuits in units of time.
pub(super) fn length(app: &App, flits: u32) -> String {
    let unit = app.times().unit;
    if app.has_circuits() {
        format!("{:.3}", f64::from(flits) / f64::from(unit.flits))
    } else {
        grouped(u64::from(flits))
    }
}

/// What a message is doing, with a sign.
pub(super) fn does(app: &App, view: &MessageView) -> (char, String) {
    let network = &app.update.scenario.system.network;
    let (now, times) = (app.update.snapshot.cycle.0, app.times());
    let at = network.router_name(view.at);
    let since = |cycle: u64| times.exact(now.saturating_sub(cycle));
    match view.doing {
        Doing::Worm(HeadState::AtSource) if view.queued => {
            (' ', "waits at its source behind others".to_owned())
        }
        Doing::Worm(HeadState::AtSource) => (' ', "waits at its source".to_owned()),
        Doing::Worm(HeadState::Moving) => (app.glyphs.arrow[0], format!("moves at {at}")),
        Doing::Worm(HeadState::Arriving) => (app.glyphs.arrow[3], format!("drains at {at}")),
        Doing::Worm(HeadState::Blocked(cycle)) => {
            let words = format!("stands {} at {at}{}", since(cycle.0), for_whom(app, view));
            (app.glyphs.blocked, words)
        }
        Doing::Circuit(state, cycle) => {
            let (sign, name) = (states::sign(app, state), states::name(state));
            let whom = match state {
                CircuitState::Waiting => for_whom(app, view),
                _ => String::new(),
            };
            (sign, format!("{name} {} at {at}{whom}", since(cycle.0)))
        }
    }
}

/// ` for B (2,2)#9`, if somebody is in the way.
fn for_whom(app: &App, view: &MessageView) -> String {
    let holder = app.wait_of(view).and_then(|wait| app.holder_of(wait));
    holder.map_or_else(String::new, |holder| format!(" for {}", app.full_name(holder)))
}
