//! The table of links: whether it is open, in which order its rows stand, which one is chosen.

use std::cmp::Reverse;

use super::App;
use crate::ids::ChannelId;
use crate::live::LinkFigures;
use crate::tui::grid::plane::Side;
use crate::tui::view::Pane;

/// Rows of a page.
const PAGE: isize = 8;

/// What the rows are sorted by; figures as measured, the largest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The share of cycles used.
    #[default]
    Use,
    /// The share of time held.
    Held,
    /// The heads that wait.
    Heads,
    /// The mean wait.
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
    pub const ALL: [Self; 7] =
        [Self::Use, Self::Held, Self::Heads, Self::Wait, Self::Full, Self::Difference, Self::Name];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Use => "use",
            Self::Held => "held",
            Self::Heads => "heads",
            Self::Wait => "wait",
            Self::Full => "full",
            Self::Difference => "difference",
            Self::Name => "name",
        }
    }

    /// The next (`by` 1) or another one further on.
    fn on(self, by: usize) -> Self {
        let at = Self::ALL.iter().position(|&order| order == self).unwrap_or(0);
        Self::ALL[(at + by) % Self::ALL.len()]
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

/// The table's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LinkTable {
    /// Whether it is on the screen.
    pub open: bool,
    /// The order of the rows.
    pub order: Order,
    /// The link chosen; `None` for whichever stands first.
    pub chosen: Option<ChannelId>,
}

impl App {
    /// All channels with their figures, in the order of the table.
    pub fn link_rows(&self) -> Vec<(ChannelId, LinkFigures)> {
        let channels = self.update.scenario.system.network.channels().len();
        let of = |channel| (channel, LinkFigures::of(&self.update, channel));
        let mut rows: Vec<_> = (0..channels).map(ChannelId::new).map(of).collect();
        let order = self.links.order;
        // Figures are not negative: their bits are in the order of their values.
        rows.sort_by_cached_key(|(channel, figures)| {
            (Reverse(order.key(figures).map(f64::to_bits)), *channel)
        });
        rows
    }

    /// The row of the chosen link.
    pub fn chosen_row(&self, rows: &[(ChannelId, LinkFigures)]) -> usize {
        let chosen = self.links.chosen;
        chosen.and_then(|chosen| rows.iter().position(|row| row.0 == chosen)).unwrap_or(0)
    }

    /// The chosen link, while the table is open.
    pub fn chosen_link(&self) -> Option<ChannelId> {
        if !self.links.open {
            return None;
        }
        self.links.chosen.or_else(|| self.link_rows().first().map(|row| row.0))
    }

    /// Opens the table and goes there; closes it from within.
    pub(super) fn toggle_links(&mut self) {
        if self.links.open && self.focus == Pane::Links {
            self.close_links();
            return;
        }
        self.focus_on(Pane::Links);
        // Where the router is not always in sight, the chosen link is to be read there.
        self.guest = Pane::Inspector;
    }

    pub(super) fn close_links(&mut self) {
        self.links.open = false;
        self.expanded = false;
        self.focus = Pane::Grid;
        self.keep_in_sight();
    }

    /// Sorts by the next column, opening the table if it is not.
    pub(super) fn sort_links(&mut self, by: usize) {
        if self.links.open {
            self.links.order = self.links.order.on(by);
        } else {
            self.toggle_links();
        }
        self.say(&format!("links by {}", self.links.order.name()));
    }

    /// Up and down choose a link, across chooses the column that sorts.
    pub(super) fn move_in_links(&mut self, side: Side, page: bool) {
        let step = if page { PAGE } else { 1 };
        match side {
            Side::East => self.sort_links(1),
            Side::West => self.sort_links(Order::ALL.len() - 1),
            Side::South => self.choose_link_by(step),
            Side::North => self.choose_link_by(-step),
        }
    }

    pub(super) fn choose_link_by(&mut self, step: isize) {
        let rows = self.link_rows();
        let at = self.chosen_row(&rows).saturating_add_signed(step).min(rows.len() - 1);
        self.choose_link(rows[at].0);
    }

    /// Chooses a link; the cursor goes where it leads.
    fn choose_link(&mut self, channel: ChannelId) {
        self.links.chosen = Some(channel);
        let network = &self.update.scenario.system.network;
        self.go_to(network.channel(channel).to);
    }

    /// Chooses the link shown in this row of a table with room for so many.
    pub(super) fn click_link(&mut self, row: usize, room: usize) {
        let rows = self.link_rows();
        let at = first_shown(self.chosen_row(&rows), rows.len(), room) + row;
        if row < room && at < rows.len() {
            self.choose_link(rows[at].0);
        }
    }
}

/// The first row shown of `rows`, where there is room for `room`: the chosen one is in sight.
pub fn first_shown(chosen: usize, rows: usize, room: usize) -> usize {
    chosen.saturating_sub(room / 2).min(rows.saturating_sub(room))
}
