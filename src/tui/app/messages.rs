//! The table of messages: in which order its rows stand, which one is chosen.

use std::cmp::Reverse;

use strum::{IntoStaticStr, VariantArray};

use super::App;
use crate::engine::HeadState;
use crate::engine::messages::{Doing, MessageView};
use crate::ids::MessageId;
use crate::live::Update;
use crate::tui::states;

/// What the rows are sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum MessageOrder {
    /// The oldest first.
    #[default]
    Age,
    /// Those that have stood longest in the network first.
    #[strum(serialize = "time stood")]
    Stand,
    /// Those with the most hops behind them first.
    Hops,
    /// The longest first.
    Length,
    /// By what they do.
    #[strum(serialize = "what they do")]
    State,
    /// By destination.
    Destination,
    /// By source and number.
    Name,
}

impl MessageOrder {
    /// All of them, in the order in which a key goes through them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name for people.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What decides about a message's row, the least first; equal ones stand by age.
    fn key(self, view: &MessageView) -> (Reverse<u64>, u64) {
        let most = |value: u64| (Reverse(value), 0);
        let least = |value: u64| (Reverse(0), value);
        match self {
            Self::Age => least(view.born.0),
            Self::Stand => least(view.blocked_since().map_or(u64::MAX, |since| since.0)),
            Self::Hops => most(u64::from(view.hops)),
            Self::Length => most(u64::from(view.length)),
            Self::State => least(match view.doing {
                Doing::Worm(HeadState::Blocked(_)) => 0,
                Doing::Worm(HeadState::Moving) => 1,
                Doing::Worm(HeadState::Arriving) => 2,
                Doing::Worm(HeadState::AtSource) => 3,
                Doing::Circuit(state, _) => states::number(state) as u64,
            }),
            Self::Destination => least(u64::from(view.destination.0)),
            Self::Name => least(u64::from(view.name.source.0)),
        }
    }
}

/// The table's state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MessageTable {
    /// The order of the rows.
    pub order: MessageOrder,
    /// The message chosen; `None` for whichever stands first.
    pub chosen: Option<MessageId>,
    /// The messages of the update, in order.
    rows: Vec<u32>,
}

impl MessageTable {
    /// Numbers of the messages of the update, in the order of the rows.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The rows of a new update.
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
    pub(super) fn sort_messages(&mut self) {
        self.messages.sort(&self.runs[self.active].update);
    }

    /// The message in a row of the table.
    pub fn message_at(&self, row: usize) -> Option<&MessageView> {
        let at = *self.messages.rows.get(row)?;
        self.update.singled.listed.get(at as usize)
    }

    /// The row of the chosen message; the first where it is no longer under way.
    pub fn chosen_message_row(&self) -> usize {
        let Some(chosen) = self.messages.chosen else { return 0 };
        let listed = &self.update.singled.listed;
        let is = |&row: &u32| listed.get(row as usize).is_some_and(|view| view.name == chosen);
        self.messages.rows.iter().position(is).unwrap_or(0)
    }

    /// Chooses the message in a row, or the last; the cursor goes to its head.
    pub(super) fn choose_message(&mut self, row: usize) {
        let row = row.min(self.messages.rows.len().saturating_sub(1));
        let Some(&MessageView { name, at, .. }) = self.message_at(row) else { return };
        self.messages.chosen = Some(name);
        self.go_to(at);
    }
}
