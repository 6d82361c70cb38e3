//! Rows of the tables of links and messages: order and selection.

use std::cmp::Reverse;

use strum::{IntoStaticStr, VariantArray};

use crate::engine::HeadState;
use crate::engine::messages::{Activity, MessageView};
use crate::ids::{ChannelId, MessageId};
use crate::live::{LinkFigures, Update};

/// The order of links; measured figures are in descending order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Order {
    #[default]
    Use,
    Held,
    Heads,
    Wait,
    /// The share of time with a full buffer.
    Full,
    /// The absolute difference between simulation and model.
    Difference,
    /// The channel's number: links by router, then injection channels, then ejection channels.
    Name,
}

impl Order {
    /// All orders, in the order of the key.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The sort key of a link; links without a key are last.
    pub(super) fn key(self, figures: &LinkFigures) -> Option<f64> {
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

/// The order of messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum MessageOrder {
    /// Age, oldest first.
    #[default]
    Age,
    /// Time blocked in the network, longest first.
    #[strum(serialize = "time stood")]
    BlockedTime,
    /// Number of hops taken, most first.
    Hops,
    /// Length, longest first.
    Length,
    #[strum(serialize = "what they do")]
    State,
    Destination,
    /// Source and serial number.
    Name,
}

impl MessageOrder {
    /// All orders, in the order of the key.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The sort key of a message, ascending; ties are sorted by age.
    fn key(self, view: &MessageView) -> (Reverse<u64>, u64) {
        let most = |value: u64| (Reverse(value), 0);
        let least = |value: u64| (Reverse(0), value);
        match self {
            Self::Age => least(view.born.0),
            Self::BlockedTime => {
                least(view.activity.blocked_since().map_or(u64::MAX, |since| since.0))
            }
            Self::Hops => most(u64::from(view.hops)),
            Self::Length => most(u64::from(view.length)),
            Self::State => least(match view.activity {
                Activity::Worm(HeadState::Blocked(_)) => 0,
                Activity::Worm(HeadState::Moving) => 1,
                Activity::Worm(HeadState::Arriving) => 2,
                Activity::Worm(HeadState::AtSource) => 3,
                Activity::Circuit(state, _) => state as u64,
            }),
            Self::Destination => least(u64::from(view.destination.0)),
            Self::Name => least(u64::from(view.name.source.0)),
        }
    }
}

/// State of the table of links.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LinkTable {
    pub order: Order,
    /// The chosen link; `None` for the first row.
    pub chosen: Option<ChannelId>,
}

/// State of the table of messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MessageTable {
    pub order: MessageOrder,
    /// The chosen message; `None` for the first row.
    pub chosen: Option<MessageId>,
    /// Indices into the update's messages, in the order of rows.
    pub rows: Vec<u32>,
}

impl MessageTable {
    pub(super) fn sort(&mut self, update: &Update) {
        let listed = &update.single_messages.listed;
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

/// The first visible of `rows` rows in a table of `room` rows, with the chosen row near the middle.
pub fn first_shown(chosen: usize, rows: usize, room: usize) -> usize {
    chosen.saturating_sub(room / 2).min(rows.saturating_sub(room))
}
