//! The tables under the grid, of links and of messages: which one is open, in which order its rows
//! stand, which one is chosen, and moving in it.

use std::cmp::Reverse;

use strum::{IntoStaticStr, VariantArray};

use super::App;
use crate::engine::HeadState;
use crate::engine::messages::{Doing, MessageView};
use crate::ids::{ChannelId, MessageId};
use crate::live::{LinkFigures, Update};
use crate::tui::grid::plane::Side;
use crate::tui::view::Pane;

/// What the rows of links are sorted by; figures as measured, the largest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Order {
    /// The share of cycles used.
    #[default]
    Use,
    /// The share of time held.
    Held,
    Heads,
    Wait,
    /// The share of time with a full buffer.
    Full,
    /// How far the simulation is off the model, either way.
    Difference,
    /// The channel's number: links by router, then injection, then ejection channels.
    Name,
}

impl Order {
    /// All of them, in the order in which a key goes through them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What decides about a link's row; `None` stands last.
    fn key(self, figures: &LinkFigures) -> Option<f64> {
        match self {
            Self::Use => figures.flow.measured,
            Self::Held => figures.held.measured,
            Self::Heads => figures.heads.measured,
            Self::Wait => figures.wait.measured,
            Self::Full => figures.full.measured,
            Self::Difference => figures.difference().map(f64::abs),
            Self::Name => None,
        }
    }
}

/// What the rows of messages are sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum MessageOrder {
    #[default]
    Age,
    /// Those that have stood longest in the network first.
    #[strum(serialize = "time stood")]
    Stand,
    /// Those with the most hops behind them first.
    Hops,
    Length,
    #[strum(serialize = "what they do")]
    State,
    Destination,
    /// By source and number.
    Name,
}

impl MessageOrder {
    /// All of them, in the order in which a key goes through them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What decides about a message's row, the least first; equal ones stand by age.
    fn key(self, view: &MessageView) -> (Reverse<u64>, u64) {
        let most = |value: u64| (Reverse(value), 0);
        let least = |value: u64| (Reverse(0), value);
        match self {
            Self::Age => least(view.born.0),
            Self::Stand => least(view.doing.blocked_since().map_or(u64::MAX, |since| since.0)),
            Self::Hops => most(u64::from(view.hops)),
            Self::Length => most(u64::from(view.length)),
            Self::State => least(match view.doing {
                Doing::Worm(HeadState::Blocked(_)) => 0,
                Doing::Worm(HeadState::Moving) => 1,
                Doing::Worm(HeadState::Arriving) => 2,
                Doing::Worm(HeadState::AtSource) => 3,
                Doing::Circuit(state, _) => state as u64,
            }),
            Self::Destination => least(u64::from(view.destination.0)),
            Self::Name => least(u64::from(view.name.source.0)),
        }
    }
}

/// The state of the table of links.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LinkTable {
    pub order: Order,
    /// The link chosen; `None` for whichever stands first.
    pub chosen: Option<ChannelId>,
}

/// The state of the table of messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MessageTable {
    pub order: MessageOrder,
    /// The message chosen; `None` for whichever stands first.
    pub chosen: Option<MessageId>,
    /// Numbers of the messages of the update, in the order of the rows.
    pub rows: Vec<u32>,
}

impl MessageTable {
    pub(super) fn sort(&mut self, update: &Update) {
        let listed = &update.singled.listed;
        self.rows.clear();
        self.rows.extend(0..listed.len() as u32);
        let order = self.order;
        let key = |&row: &u32| {
            let view = &listed[row as usize];
            (order.key(view), if order == MessageOrder::Name { view.name.serial } else { 0 }, row)
        };
        self.rows.sort_by_cached_key(key);
    }
}

impl App {
    /// All channels with their figures, in the order of the table.
    pub(in crate::tui) fn link_rows(&self) -> Vec<(ChannelId, LinkFigures)> {
        let channels = self.network().channels().len();
        let of = |channel| (channel, LinkFigures::of(&self.update, channel));
        let mut rows: Vec<_> = (0..channels).map(ChannelId::new).map(of).collect();
        let order = self.links.order;
        // Figures are not negative: their bits are in the order of their values.
        rows.sort_by_cached_key(|(channel, figures)| {
            (Reverse(order.key(figures).map(f64::to_bits)), *channel)
        });
        rows
    }

    pub(in crate::tui) fn chosen_row(&self, rows: &[(ChannelId, LinkFigures)]) -> usize {
        let chosen = self.links.chosen;
        chosen.and_then(|chosen| rows.iter().position(|row| row.0 == chosen)).unwrap_or(0)
    }

    /// The chosen link, while the table is open.
    pub(in crate::tui) fn chosen_link(&self) -> Option<ChannelId> {
        if self.table != Some(Pane::Links) {
            return None;
        }
        self.links.chosen.or_else(|| self.link_rows().first().map(|row| row.0))
    }

    pub(in crate::tui) fn message_at(&self, row: usize) -> Option<&MessageView> {
        let at = *self.messages.rows.get(row)?;
        self.update.singled.listed.get(at as usize)
    }

    /// The row of the chosen message; the first where it is no longer under way.
    pub(in crate::tui) fn chosen_message_row(&self) -> usize {
        let Some(chosen) = self.messages.chosen else { return 0 };
        let rows = 0..self.messages.rows.len();
        let is = |&row: &usize| self.message_at(row).is_some_and(|view| view.name == chosen);
        rows.into_iter().find(is).unwrap_or(0)
    }

    /// Opens the table of links and goes there; from there that of messages; from there closes it.
    pub(super) fn next_table(&mut self) {
        match self.table {
            Some(open) if self.focus != open => self.focus_on(open),
            None => self.open_table(Pane::Links),
            Some(Pane::Links) => self.open_table(Pane::Messages),
            Some(_) => self.close_table(),
        }
    }

    fn open_table(&mut self, table: Pane) {
        self.focus_on(table);
        // Where the router is not always in sight, the chosen row is to be read there.
        if self.spare_pane != Pane::History {
            self.spare_pane = Pane::Inspector;
        }
    }

    pub(super) fn close_table(&mut self) {
        self.table = None;
        self.expanded = false;
        self.focus = Pane::Grid;
        self.keep_in_sight();
    }

    /// Sorts by the next column or the one before, opening a table if none is.
    pub(super) fn sort_table(&mut self, forward: bool) {
        match self.table {
            None => self.next_table(),
            Some(Pane::Links) => self.links.order = beside(Order::ALL, self.links.order, forward),
            Some(_) => {
                self.messages.order = beside(MessageOrder::ALL, self.messages.order, forward);
                self.messages.sort(&self.runs[self.active].update);
            }
        }
        let sorted = match self.table {
            Some(Pane::Messages) => format!("messages by {}", self.messages.order.name()),
            _ => format!("links by {}", self.links.order.name()),
        };
        self.say(&sorted);
    }

    /// Up and down choose a row that many steps away, across chooses the column that sorts.
    pub(super) fn move_in_table(&mut self, side: Side, step: isize) {
        match side {
            Side::East | Side::West => self.sort_table(side == Side::East),
            Side::South => self.choose_by(step),
            Side::North => self.choose_by(-step),
        }
    }

    pub(super) fn choose_by(&mut self, step: isize) {
        self.choose_row(|chosen, rows| {
            Some(chosen.saturating_add_signed(step).min(rows.saturating_sub(1)))
        });
    }

    /// Chooses what is shown in this row of a table with room for `room` rows.
    pub(super) fn click_row(&mut self, row: usize, room: usize) {
        self.choose_row(|chosen, rows| {
            (row < room).then(|| first_shown(chosen, rows, room) + row).filter(|&at| at < rows)
        });
    }

    /// Chooses the row of the table in focus that `of` makes of the chosen one and the number of
    /// rows; the cursor goes where a link leads, or to a message's head.
    fn choose_row(&mut self, of: impl Fn(usize, usize) -> Option<usize>) {
        let router = if self.focus == Pane::Links {
            let rows = self.link_rows();
            let row = of(self.chosen_row(&rows), rows.len()).and_then(|at| rows.get(at));
            let Some(&(channel, _)) = row else { return };
            self.links.chosen = Some(channel);
            self.network().channel(channel).to
        } else {
            let row = of(self.chosen_message_row(), self.messages.rows.len());
            let view = row.and_then(|at| self.message_at(at));
            let Some(&MessageView { name, at, .. }) = view else { return };
            self.messages.chosen = Some(name);
            at
        };
        self.go_to(router);
    }
}

/// The one of `all` that stands after `now`, or before it; they go round.
fn beside<T: Copy + PartialEq>(all: &[T], now: T, forward: bool) -> T {
    let at = all.iter().position(|&other| other == now).unwrap_or(0);
    all[(at + if forward { 1 } else { all.len() - 1 }) % all.len()]
}

/// The first row shown of `rows`, where there is room for `room`: the chosen one is in sight.
pub fn first_shown(chosen: usize, rows: usize, room: usize) -> usize {
    chosen.saturating_sub(room / 2).min(rows.saturating_sub(room))
}
