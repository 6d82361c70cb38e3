//! Tracks single messages: search, following, pins, history.

use super::App;
use crate::engine::Delivery;
use crate::engine::messages::MessageState;
use crate::ids::{MessageId, RouterId};
use crate::live::Command;
use crate::tui::view::Pane;

/// State of message tracking.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tracking {
    pub followed: Option<MessageId>,
    /// The last known router of the followed head.
    head: Option<RouterId>,
    /// True if the delivery has been reported.
    told: bool,
    pub history: Option<MessageId>,
    sought: Option<MessageId>,
    /// The message last found, followed or pinned.
    last: Option<MessageId>,
    /// The target message and router of the last cursor jump.
    pub pointed: Option<(MessageId, RouterId)>,
    asked: Requests,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Requests {
    followed: Option<MessageId>,
    listing: bool,
    traced: Option<MessageId>,
}

impl Tracking {
    /// Resets everything except the requests already sent to the simulation.
    pub(super) fn anew(&self) -> Self {
        Self { asked: self.asked, ..Self::default() }
    }
}

impl App {
    /// Sends changed requests for messages to the simulation.
    pub(super) fn ask_for_messages(&mut self) {
        let wanted = Requests {
            followed: self.tracking.followed,
            listing: self.panes.table == Some(Pane::Messages),
            traced: self.tracking.sought.or(self.tracking.history),
        };
        let asked = std::mem::replace(&mut self.tracking.asked, wanted);
        if asked.followed != wanted.followed {
            self.send(Command::Follow(wanted.followed));
        }
        if asked.listing != wanted.listing {
            self.send(Command::List(wanted.listing));
        }
        if asked.traced != wanted.traced {
            self.send(Command::Trace(wanted.traced));
        }
    }

    pub(super) fn point_at(&mut self, name: MessageId, at: RouterId) {
        self.tracking.pointed = Some((name, at));
        self.go_to(at);
    }

    /// The name of the message under the cursor or selected in the table, otherwise of the node.
    pub(super) fn selected_name(&self) -> Option<String> {
        let message = self.shown().message_here().map(|name| self.message_name(name));
        message.or_else(|| Some(self.network().router_name(self.cursor_router()?)))
    }

    /// The subject of a command, by default the last tracked message; reports a missing message.
    fn meant(&mut self) -> Option<MessageId> {
        let meant = self.shown().message_here().or(self.tracking.last);
        if meant.is_none() {
            let router = self.cursor_router();
            let network = self.network();
            let place = router.map_or_else(String::new, |at| network.router_name(at));
            self.notify(&format!(
                "no message at {place} (n: next blocked; / finds one by its name)"
            ));
        }
        meant
    }

    pub(super) fn toggle_follow(&mut self) {
        let followed = self.tracking.followed;
        if followed.is_some()
            && self.shown().message_here().is_none_or(|here| Some(here) == followed)
        {
            return self.stop_following();
        }
        let Some(name) = self.meant() else { return };
        self.tracking.followed = Some(name);
        self.tracking.last = Some(name);
        (self.tracking.head, self.tracking.told) = (None, false);
        self.notify(&format!("following {} (f stops, i: its history)", self.full_name(name)));
    }

    pub(super) fn stop_following(&mut self) {
        if let Some(name) = self.tracking.followed.take() {
            self.notify(&format!("no longer following {}", self.full_name(name)));
        }
    }

    pub(super) fn pin(&mut self) {
        let Some(name) = self.meant() else { return };
        self.tracking.last = Some(name);
        let called = self.full_name(name);
        let pins = self.runs.iter_mut().map(|run| run.toggle_pin(name));
        let pinned = pins.fold(false, |_, pinned| pinned);
        let how = if pinned { "pinned (p lets go)" } else { "no longer pinned" };
        self.notify(&format!("{called} is {how}"));
    }

    pub(super) fn toggle_history(&mut self) {
        if self.panes.focus == Pane::History {
            return self.close_history();
        }
        let router = self.cursor_router();
        let chosen = if self.panes.focus == Pane::Messages {
            self.shown().message_here()
        } else {
            router.and_then(|router| self.shown().pointed_here(router))
        };
        let pinned = self.pins.first().copied();
        let wanted = chosen.or(self.tracking.followed).or_else(|| self.shown().message_here());
        let Some(name) = wanted.or(self.tracking.last).or(pinned).or_else(|| self.meant()) else {
            return;
        };
        self.tracking.history = Some(name);
        self.tracking.last = Some(name);
        self.focus_on(Pane::History);
    }

    /// Cancels the history, if still being computed, and closes its pane.
    pub(super) fn close_history(&mut self) {
        self.tracking.history = None;
        if self.panes.spare_pane == Pane::History {
            self.panes.spare_pane = Pane::Chains;
        }
        self.panes.expanded = false;
        self.panes.focus = self.panes.table.unwrap_or(Pane::Grid);
        self.keep_in_sight();
    }

    pub(in crate::tui) fn is_retracing(&self) -> bool {
        let Some(wanted) = self.tracking.asked.traced else { return false };
        let known = self.update.single_messages.traced.as_ref();
        known.is_none_or(|traced| traced.trace.name != wanted || traced.share < 1.0)
    }

    /// Searches for a message by its name: among the worms of the snapshot, otherwise by its
    /// history.
    pub(super) fn find_message(&mut self, name: MessageId) {
        self.tracking.last = Some(name);
        let worms = &self.snapshot().worms;
        let worm = worms.iter().find(|worm| worm.name() == name);
        if let Some(at) = worm.map(|worm| worm.head_at) {
            self.point_at(name, at);
            self.notify(&format!("{} (f follows, i: its history)", self.full_name(name)));
            return;
        }
        self.tracking.sought = Some(name);
        self.notify(&format!("looking for {}", self.message_name(name)));
    }

    /// Moves the cursor with the followed message and reports the result of a search.
    pub(super) fn receive_singles(&mut self) {
        self.receive_followed();
        let Some(name) = self.tracking.sought else { return };
        let Some(traced) = &self.update.single_messages.traced else { return };
        if traced.trace.name != name || traced.share < 1.0 {
            return;
        }
        let called = self.full_name(name);
        let source = self.network().router_of(name.source);
        let (goal, words) = match (traced.trace.state, traced.trace.delivery) {
            (MessageState::Unborn, _) => {
                let next = traced.generated;
                (source, format!("{called} is not generated yet ({next} are, at its source)"))
            }
            (MessageState::Present(view), _) if view.hops > 0 => {
                (view.at, format!("{called} (f follows, i: its history)"))
            }
            (MessageState::Behind | MessageState::Present(_), _) => {
                (source, format!("{called} waits at its source"))
            }
            (MessageState::Gone, Some(delivery)) => {
                let (goal, when) = self.delivered(&delivery);
                (goal, format!("{called} was {when}"))
            }
            (MessageState::Gone, None) if self.snapshot().counters.lost > 0 => {
                (source, format!("{called} was lost because of a failure"))
            }
            (MessageState::Gone, None) => (source, format!("{called} was discarded at its source")),
        };
        self.tracking.sought = None;
        self.point_at(name, goal);
        self.notify(&words);
    }

    /// The router and a description of a delivery.
    fn delivered(&self, delivery: &Delivery) -> (RouterId, String) {
        let done = self.times().now(delivery.done.0);
        let latency = self.times().with_unit(delivery.latency());
        let goal = self.network().router_of(delivery.destination);
        (goal, format!("delivered at {done}, {latency} after its generation"))
    }

    fn receive_followed(&mut self) {
        let Some(followed) = self.update.single_messages.followed else { return };
        if Some(followed.name) != self.tracking.followed {
            return;
        }
        // The cursor moves only with the head, and is free while the head is blocked.
        if let MessageState::Present(view) = followed.state
            && self.tracking.head != Some(view.at)
        {
            self.tracking.head = Some(view.at);
            self.point_at(followed.name, view.at);
        }
        let gone = followed.state == MessageState::Gone;
        if gone && !self.tracking.told {
            let called = self.full_name(followed.name);
            if let Some(delivery) = followed.delivery {
                let (goal, when) = self.delivered(&delivery);
                self.point_at(followed.name, goal);
                self.notify(&format!("{called} {when}"));
            } else {
                self.notify(&format!("{called} is gone (i tells when)"));
            }
        }
        self.tracking.told = gone;
    }

    /// The header's text about the followed message.
    pub(in crate::tui) fn following(&self) -> Option<String> {
        let name = self.tracking.followed?;
        let known = self.update.single_messages.followed.filter(|followed| followed.name == name);
        let state = match known.map(|followed| followed.state) {
            Some(MessageState::Unborn) => ", not yet generated",
            Some(MessageState::Gone) => ", delivered",
            Some(MessageState::Behind) => ", at its source",
            Some(MessageState::Present(view)) if view.hops == 0 => ", at its source",
            _ => "",
        };
        Some(format!("following {}{state}", self.full_name(name)))
    }
}
