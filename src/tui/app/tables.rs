//! Tables of links and messages under the grid: the open table, order and selection of rows.

use super::App;
use crate::engine::messages::MessageView;
use crate::tui::grid::plane::Side;
use crate::tui::rows::{MessageOrder, Order, first_shown};
use crate::tui::view::Pane;

impl App {
    /// Cycles through the table of links, the table of messages, and none.
    pub(super) fn next_table(&mut self) {
        match self.panes.table {
            Some(open) if self.panes.focus != open => self.focus_on(open),
            None => self.open_table(Pane::Links),
            Some(Pane::Links) => self.open_table(Pane::Messages),
            Some(_) => self.close_table(),
        }
    }

    fn open_table(&mut self, table: Pane) {
        self.focus_on(table);
        // Details of the selected row appear in the inspector, even on small screens.
        if self.panes.spare_pane != Pane::History {
            self.panes.spare_pane = Pane::Inspector;
        }
    }

    pub(super) fn close_table(&mut self) {
        self.panes.table = None;
        self.panes.expanded = false;
        self.panes.focus = Pane::Grid;
        self.keep_in_sight();
    }

    /// Sorts by the next or previous column; opens a table if none is open.
    pub(super) fn sort_table(&mut self, forward: bool) {
        match self.panes.table {
            None => self.next_table(),
            Some(Pane::Links) => self.links.order = beside(Order::ALL, self.links.order, forward),
            Some(_) => {
                self.messages.order = beside(MessageOrder::ALL, self.messages.order, forward);
                self.messages.sort(&self.runs[self.active].update);
            }
        }
        let sorted = match self.panes.table {
            Some(Pane::Messages) => format!("messages by {}", self.messages.order.name()),
            _ => format!("links by {}", self.links.order.name()),
        };
        self.notify(&sorted);
    }

    /// Moves the selection up or down by `step` rows, or sorts by the column to the left or right.
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

    /// Selects the visible row `row` of a table with room for `room` rows.
    pub(super) fn click_row(&mut self, row: usize, room: usize) {
        self.choose_row(|chosen, rows| {
            (row < room).then(|| first_shown(chosen, rows, room) + row).filter(|&at| at < rows)
        });
    }

    /// Selects a row of the focused table. `of` maps the present index and the number of rows to
    /// the new index. The cursor jumps to the link's end or the message's head.
    fn choose_row(&mut self, of: impl Fn(usize, usize) -> Option<usize>) {
        let router = if self.panes.focus == Pane::Links {
            let shown = self.shown();
            let rows = shown.link_rows();
            let row = of(shown.chosen_row(&rows), rows.len()).and_then(|at| rows.get(at));
            let Some(&(channel, _)) = row else { return };
            self.links.chosen = Some(channel);
            self.network().channel(channel).to
        } else {
            let shown = self.shown();
            let row = of(shown.chosen_message_row(), self.messages.rows.len());
            let view = row.and_then(|at| shown.message_at(at));
            let Some(&MessageView { name, at, .. }) = view else { return };
            self.messages.chosen = Some(name);
            at
        };
        self.go_to(router);
    }
}

/// Returns the neighbour of `now` in `all`, cyclically.
fn beside<T: Copy + PartialEq>(all: &[T], now: T, forward: bool) -> T {
    let at = all.iter().position(|&other| other == now).unwrap_or(0);
    all[(at + if forward { 1 } else { all.len() - 1 }) % all.len()]
}
