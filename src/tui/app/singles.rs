//! Single messages: finding one, following it, pinning it, its history.

use super::{App, Effect};
use crate::engine::messages::Whereabouts;
use crate::ids::{MessageId, RouterId};
use crate::live::{Command, Traced};
use crate::tui::action::Message;
use crate::tui::view::Pane;

/// What the screen has to do with single messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Singles {
    /// The message that the cursor goes with.
    pub followed: Option<MessageId>,
    /// Where its head was last.
    head: Option<RouterId>,
    /// Whether its delivery has been told.
    told: bool,
    /// The message whose history is wanted.
    pub history: Option<MessageId>,
    /// The message that is being looked for.
    sought: Option<MessageId>,
    /// The message found, followed or pinned last.
    last: Option<MessageId>,
    /// The message to which the cursor was sent, and where that was.
    pointed: Option<(MessageId, RouterId)>,
    asked: Asked,
}

/// What the simulation was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Asked {
    followed: Option<MessageId>,
    listing: bool,
    traced: Option<MessageId>,
}

impl Singles {
    /// The simulation was asked for the same as of `other`.
    pub(super) fn asked_as(&mut self, other: &Self) {
        self.asked = other.asked;
    }
}

impl App {
    /// What the simulation must be told, now that other messages are of interest. To be asked after
    /// [`App::receive`]; after an action it is among its effects.
    pub fn errands(&mut self) -> Vec<Command> {
        let wanted = Asked {
            followed: self.singles.followed,
            listing: self.table == Some(Pane::Messages),
            traced: self.singles.sought.or(self.singles.history),
        };
        let asked = std::mem::replace(&mut self.singles.asked, wanted);
        let mut errands = Vec::new();
        if asked.followed != wanted.followed {
            errands.push(Command::Follow(wanted.followed));
        }
        if asked.listing != wanted.listing {
            errands.push(Command::List(wanted.listing));
        }
        if asked.traced != wanted.traced {
            errands.push(Command::Trace(wanted.traced));
        }
        errands
    }

    pub(super) fn errands_as_effects(&mut self) -> impl Iterator<Item = Effect> {
        self.errands().into_iter().map(Effect::Send)
    }

    /// Actions about single messages.
    pub(super) fn message_action(&mut self, action: Message) {
        match action {
            Message::Follow => self.toggle_follow(),
            Message::Pin => self.toggle_pin(),
            Message::History => self.toggle_history(),
        }
    }

    /// Sends the cursor to a message.
    pub(super) fn point_at(&mut self, name: MessageId, at: RouterId) {
        self.singles.pointed = Some((name, at));
        self.go_to(at);
    }

    /// The message to which the cursor was sent, if it is still there.
    fn pointed_here(&self, router: RouterId) -> Option<MessageId> {
        let (name, at) = self.singles.pointed?;
        let worms = &self.update.snapshot.worms;
        let head = worms.iter().find(|worm| worm.name() == name).map(|worm| worm.head_at);
        (at == router && head.is_none_or(|head| head == router)).then_some(name)
    }

    /// The message chosen in the table, or the one to which the cursor was sent, or whose head is under
    /// the cursor (the one that is followed, the oldest that stands, or the oldest), or one that
    /// passes there, or waits there.
    fn message_here(&self) -> Option<MessageId> {
        if self.focus == Pane::Messages {
            return self.message_at(self.chosen_message_row()).map(|view| view.name);
        }
        let (router, snapshot) = (self.cursor_router()?, self.snapshot());
        if let Some(name) = self.pointed_here(router) {
            return Some(name);
        }
        let network = self.network();
        let heads = snapshot.worms.iter().filter(|worm| worm.head_at == router);
        let blocked = |worm: &&crate::engine::WormView| {
            matches!(worm.head, crate::engine::HeadState::Blocked(_))
        };
        let followed = heads.clone().find(|worm| Some(worm.name()) == self.singles.followed);
        let head =
            followed.or_else(|| heads.clone().find(blocked)).or_else(|| heads.clone().next());
        let passes = || {
            snapshot.worms.iter().find(|worm| {
                snapshot.path_of(worm).iter().any(|&vc| {
                    let channel = network.channel(snapshot.split(vc).0);
                    channel.from == router || channel.to == router
                })
            })
        };
        let circuit = || snapshot.circuits.iter().find(|circuit| circuit.at == router);
        let waiting = || self.update.singled.listed.iter().find(|view| view.at == router);
        head.map(crate::engine::WormView::name)
            .or_else(|| circuit().map(crate::engine::CircuitView::name))
            .or_else(|| passes().map(crate::engine::WormView::name))
            .or_else(|| waiting().map(|view| view.name))
    }

    /// The message that is meant, or a word about there being none.
    fn meant(&mut self) -> Option<MessageId> {
        let meant = self.message_here().or(self.singles.last);
        if meant.is_none() {
            let router = self.cursor_router();
            let network = self.network();
            let place = router.map_or_else(String::new, |at| network.router_name(at));
            self.say(&format!("no message at {place} (n: next blocked; / finds one by its name)"));
        }
        meant
    }

    fn toggle_follow(&mut self) {
        let followed = self.singles.followed;
        if followed.is_some() && self.message_here().is_none_or(|here| Some(here) == followed) {
            return self.stop_following();
        }
        let Some(name) = self.meant() else { return };
        self.singles.followed = Some(name);
        self.singles.last = Some(name);
        (self.singles.head, self.singles.told) = (None, false);
        self.say(&format!("following {} (f stops, i: its history)", self.full_name(name)));
    }

    pub(super) fn stop_following(&mut self) {
        if let Some(name) = self.singles.followed.take() {
            self.say(&format!("no longer following {}", self.full_name(name)));
        }
    }

    fn toggle_pin(&mut self) {
        let Some(name) = self.meant() else { return };
        self.singles.last = Some(name);
        let called = self.full_name(name);
        let pins = self.runs.iter_mut().map(|run| run.toggle_pin(name));
        if pins.fold(false, |_, pinned| pinned) {
            self.say(&format!("{called} is pinned (p lets go)"));
        } else {
            self.say(&format!("{called} is no longer pinned"));
        }
    }

    fn toggle_history(&mut self) {
        if self.focus == Pane::History {
            return self.close_history();
        }
        let router = self.cursor_router();
        let chosen = if self.focus == Pane::Messages {
            self.message_here()
        } else {
            router.and_then(|router| self.pointed_here(router))
        };
        let pinned = self.pins.first().copied();
        let wanted = chosen.or(self.singles.followed).or_else(|| self.message_here());
        let Some(name) = wanted.or(self.singles.last).or(pinned).or_else(|| self.meant()) else {
            return;
        };
        self.singles.history = Some(name);
        self.singles.last = Some(name);
        self.focus_on(Pane::History);
    }

    /// Gives the history up, if it is still being made, and its pane.
    pub(super) fn close_history(&mut self) {
        self.singles.history = None;
        if self.guest == Pane::History {
            self.guest = Pane::Chains;
        }
        self.expanded = false;
        self.focus = self.table.unwrap_or(Pane::Grid);
        self.keep_in_sight();
    }

    /// The history that is wanted, as far as it has come.
    pub fn history(&self) -> Option<&Traced> {
        let traced = self.update.singled.traced.as_ref();
        traced.filter(|traced| Some(traced.trace.name) == self.singles.history)
    }

    /// Whether a history is still being made.
    pub fn is_retracing(&self) -> bool {
        let Some(wanted) = self.singles.asked.traced else { return false };
        let known = self.update.singled.traced.as_ref();
        known.is_none_or(|traced| traced.trace.name != wanted || traced.share < 1.0)
    }

    /// Looks for a message by its name. Where the picture does not show it, its history tells.
    pub(super) fn find_message(&mut self, name: MessageId) {
        self.singles.last = Some(name);
        let snapshot = self.snapshot();
        let worm = snapshot.worms.iter().find(|worm| worm.name() == name);
        if let Some(at) = worm.map(|worm| worm.head_at) {
            self.point_at(name, at);
            self.say(&format!("{} (f follows, i: its history)", self.full_name(name)));
            return;
        }
        self.singles.sought = Some(name);
        self.say(&format!("looking for {}", self.message_name(name)));
    }

    /// Goes with the message that is followed, and tells of the one that was looked for.
    pub(super) fn receive_singles(&mut self) {
        self.receive_followed();
        let Some(name) = self.singles.sought else { return };
        let run = &self.runs[self.active];
        let Some(traced) = run.update.singled.traced.as_ref() else { return };
        if traced.trace.name != name || traced.share < 1.0 {
            return;
        }
        self.singles.sought = None;
        let (times, called) = (run.times(), run.full_name(name));
        let network = &run.update.scenario.system.network;
        let source = network.router_of(name.source);
        let (goal, words) = match (traced.trace.state, traced.trace.delivery) {
            (Whereabouts::Unborn, _) => {
                let next = traced.generated;
                (source, format!("{called} is not generated yet ({next} are, at its source)"))
            }
            (Whereabouts::Present(view), _) if view.hops > 0 => {
                (view.at, format!("{called} (f follows, i: its history)"))
            }
            (Whereabouts::Behind | Whereabouts::Present(_), _) => {
                (source, format!("{called} waits at its source"))
            }
            (Whereabouts::Gone, Some(delivery)) => {
                let (done, latency) =
                    (times.now(delivery.done.0), times.with_unit(delivery.latency()));
                let goal = network.router_of(delivery.destination);
                (goal, format!("{called} was delivered at {done}, {latency} after its generation"))
            }
            (Whereabouts::Gone, None) => (source, format!("{called} was discarded at its source")),
        };
        self.point_at(name, goal);
        self.say(&words);
    }

    fn receive_followed(&mut self) {
        let Some(followed) = self.update.singled.followed else { return };
        if Some(followed.name) != self.singles.followed {
            return;
        }
        let called = self.full_name(followed.name);
        if let Whereabouts::Present(view) = followed.state {
            // Where its head stands, the cursor is free to go elsewhere.
            if self.singles.head != Some(view.at) {
                self.singles.head = Some(view.at);
                self.point_at(followed.name, view.at);
            }
        }
        let gone = followed.state == Whereabouts::Gone;
        if gone && !self.singles.told {
            let words = match followed.delivery {
                Some(delivery) => {
                    let network = self.network();
                    self.point_at(followed.name, network.router_of(delivery.destination));
                    let times = self.times();
                    let done = times.now(delivery.done.0);
                    let latency = times.with_unit(delivery.latency());
                    format!("{called} delivered at {done}, {latency} after its generation")
                }
                None => format!("{called} is gone (i tells when)"),
            };
            self.say(&words);
        }
        self.singles.told = gone;
    }

    /// What the head line says of the message that is followed.
    pub fn following(&self) -> Option<String> {
        let name = self.singles.followed?;
        let known = self.update.singled.followed.filter(|followed| followed.name == name);
        let state = match known.map(|followed| followed.state) {
            Some(Whereabouts::Unborn) => ", not yet generated",
            Some(Whereabouts::Gone) => ", delivered",
            Some(Whereabouts::Behind) => ", at its source",
            Some(Whereabouts::Present(view)) if view.hops == 0 => ", at its source",
            _ => "",
        };
        Some(format!("following {}{state}", self.full_name(name)))
    }
}
