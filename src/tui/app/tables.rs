//! The tables under the grid: which one is open, and moving in it, whatever its rows are.

use super::App;
use super::links::Order;
use super::messages::MessageOrder;
use crate::tui::grid::plane::Side;
use crate::tui::view::Pane;

impl App {
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
        if self.guest != Pane::History {
            self.guest = Pane::Inspector;
        }
    }

    pub(super) fn close_table(&mut self) {
        self.table = None;
        self.expanded = false;
        self.focus = Pane::Grid;
        self.keep_in_sight();
    }

    /// Sorts by the next column (`by` 1) or another one further on, opening a table if none is.
    pub(super) fn sort_table(&mut self, by: usize) {
        match self.table {
            None => self.next_table(),
            Some(Pane::Links) => self.links.order = on(Order::ALL, self.links.order, by),
            Some(_) => {
                self.messages.order = on(MessageOrder::ALL, self.messages.order, by);
                self.sort_messages();
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
        let on_links = self.focus == Pane::Links;
        let columns = if on_links { Order::ALL.len() } else { MessageOrder::ALL.len() };
        match side {
            Side::East => self.sort_table(1),
            Side::West => self.sort_table(columns - 1),
            Side::South => self.choose_by(step),
            Side::North => self.choose_by(-step),
        }
    }

    /// Chooses a row further down or up.
    pub(super) fn choose_by(&mut self, step: isize) {
        if self.focus == Pane::Links {
            let rows = self.link_rows();
            let at = self.chosen_row(&rows).saturating_add_signed(step);
            if let Some(row) = rows.get(at.min(rows.len().saturating_sub(1))) {
                self.choose_link(row.0);
            }
        } else {
            let at = self.chosen_message_row().saturating_add_signed(step);
            self.choose_message(at);
        }
    }

    /// Chooses what is shown in this row of a table with room for `room` rows.
    pub(super) fn click_row(&mut self, row: usize, room: usize) {
        if row >= room {
            return;
        }
        if self.focus == Pane::Links {
            let rows = self.link_rows();
            let at = first_shown(self.chosen_row(&rows), rows.len(), room) + row;
            if let Some(row) = rows.get(at) {
                self.choose_link(row.0);
            }
        } else {
            let rows = self.messages.rows().len();
            let at = first_shown(self.chosen_message_row(), rows, room) + row;
            if at < rows {
                self.choose_message(at);
            }
        }
    }
}

/// The one of `all` that stands `by` after `now`.
fn on<T: Copy + PartialEq>(all: &[T], now: T, by: usize) -> T {
    let at = all.iter().position(|&other| other == now).unwrap_or(0);
    all[(at + by) % all.len()]
}

/// The first row shown of `rows`, where there is room for `room`: the chosen one is in sight.
pub fn first_shown(chosen: usize, rows: usize, room: usize) -> usize {
    chosen.saturating_sub(room / 2).min(rows.saturating_sub(room))
}
