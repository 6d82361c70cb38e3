//! The table of links: in which order its rows stand, which one is chosen.

use std::cmp::Reverse;

use strum::{IntoStaticStr, VariantArray};

use super::App;
use crate::ids::ChannelId;
use crate::live::LinkFigures;
use crate::tui::view::Pane;

/// What the rows are sorted by; figures as measured, the largest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
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
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name for people.
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

/// The table's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LinkTable {
    /// The order of the rows.
    pub order: Order,
    /// The link chosen; `None` for whichever stands first.
    pub chosen: Option<ChannelId>,
}

impl App {
    /// All channels with their figures, in the order of the table.
    pub fn link_rows(&self) -> Vec<(ChannelId, LinkFigures)> {
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

    /// The row of the chosen link.
    pub fn chosen_row(&self, rows: &[(ChannelId, LinkFigures)]) -> usize {
        let chosen = self.links.chosen;
        chosen.and_then(|chosen| rows.iter().position(|row| row.0 == chosen)).unwrap_or(0)
    }

    /// The chosen link, while the table is open.
    pub fn chosen_link(&self) -> Option<ChannelId> {
        if self.table != Some(Pane::Links) {
            return None;
        }
        self.links.chosen.or_else(|| self.link_rows().first().map(|row| row.0))
    }

    /// Chooses a link; the cursor goes where it leads.
    pub(super) fn choose_link(&mut self, channel: ChannelId) {
        self.links.chosen = Some(channel);
        let network = self.network();
        self.go_to(network.channel(channel).to);
    }
}
