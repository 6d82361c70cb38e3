//! The rows of the tables of links and of messages: their orders, and the chosen one.

use std::cmp::Reverse;

use strum::{IntoStaticStr, VariantArray};

use crate::engine::HeadState;
use crate::engine::messages::{Doing, MessageView};
use crate::ids::{ChannelId, MessageId};
use crate::live::{LinkFigures, Update};

/// What the rows of links are sorted by; figures as measured, the largest first.
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

    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What decides about a link's row; `None` stands last.
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

/// What the rows of messages are sorted by.
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

/// The first row shown of `rows`, where there is room for `room`: the chosen one is in sight.
pub fn first_shown(chosen: usize, rows: usize, room: usize) -> usize {
    chosen.saturating_sub(room / 2).min(rows.saturating_sub(room))
}
