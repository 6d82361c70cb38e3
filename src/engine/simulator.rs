//! The interface of engines.

use std::collections::BTreeSet;

use super::change::Change;
use super::common::Common;
use super::deadlock::{Deadlock, Wait};
use super::letters::Letters;
use super::messages::{MessageState, MessageView};
use super::phases::Phase;
use super::rerouting::{Rerouting, Routed};
use super::totals::{Counters, Delivery, Loss, VcUse, Violation};
use super::view::Snapshot;
use crate::ids::{ChannelId, MessageId, RouterId, VcId, WormId};
use crate::routing::Relation;
use crate::traffic::sources::{Message, Sources};
use crate::units::{Cycle, Rate};

/// The interface of engines.
pub trait Simulator {
    #[doc(hidden)]
    fn common(&self) -> &Common;

    #[doc(hidden)]
    fn common_mut(&mut self) -> &mut Common;

    /// The next cycle to simulate; also the number of cycles simulated.
    fn now(&self) -> Cycle;

    /// The current time by the clock of the sources.
    #[doc(hidden)]
    fn clock(&self) -> u64;

    /// Simulates until [`Self::now`] is `until`, a deadlock is detected, or all messages of a script
    /// are delivered, whichever is first. Intermediate stops do not change the results.
    fn advance(&mut self, until: Cycle) {
        loop {
            let next = self.common().schedule.next();
            if next >= until.0 {
                return self.simulate(until);
            }
            if self.now().0 < next {
                self.simulate(Cycle(next));
            }
            if self.now().0 < next || self.deadlock().is_some() {
                return;
            }
            self.take_changes();
        }
    }

    /// Simulates as [`Self::advance`], between changes.
    #[doc(hidden)]
    fn simulate(&mut self, until: Cycle);

    /// Applies the failures due in this cycle.
    #[doc(hidden)]
    fn take_changes(&mut self) {
        let now = self.now().0;
        for change in self.common_mut().schedule.take(now) {
            self.apply(change);
        }
        if self.common_mut().schedule.takes_routes(now) {
            self.reroute();
        }
    }

    /// Finds routes on the links that are not closed. Messages follow these from where they are.
    #[doc(hidden)]
    fn reroute(&mut self) {
        let (now, oldest) = (self.now(), self.oldest_entry());
        let common = self.common_mut();
        let Common { rerouting: Some(rerouting), down, relation, .. } = common else { return };
        if let Some(next) = rerouting.take(down, relation, [now, oldest]) {
            self.adopt(next);
        }
    }

    /// Moves the deliveries since the last call to `out`, in order of arrival; clears `out` first.
    fn take_deliveries(&mut self, out: &mut Vec<Delivery>) {
        out.clear();
        out.append(&mut self.common_mut().deliveries);
    }

    /// Writes the current state into recycled storage.
    fn observe(&self, snapshot: &mut Snapshot);

    /// The number of flits that have crossed a link since cycle 0, or of cycles with the link held
    /// by circuits.
    fn crossed(&self, link: ChannelId) -> u64;

    /// The same for each channel, written into recycled storage. The difference of two such counts
    /// divided by the cycles between them is the utilisation.
    fn crossings(&self, out: &mut Vec<u64>);

    /// Starts counting the uses of virtual channels, if the engine has any. Call at the start of a
    /// run. Results do not change.
    fn count_uses(&mut self) {}

    /// Fills `out` with the uses of every virtual channel, in the order of [`Snapshot::vcs`];
    /// leaves `out` empty if uses are not counted.
    fn vc_uses(&self, out: &mut Vec<VcUse>) {
        out.clear();
    }

    /// Checks all conservation laws and returns the first violation.
    #[doc(hidden)]
    fn check_laws(&self) -> Result<(), String>;

    /// Checks every conservation law against the whole state.
    fn audit(&self) -> Result<(), Violation> {
        self.check_laws().map_err(|law| Violation { cycle: self.now(), law })
    }

    /// Stores the flits of worms moved in bulk one by one, then audits the engine; neither the
    /// audit nor [`Self::fingerprint`] then copies the state. Results do not change.
    fn settle(&mut self) -> Result<(), Violation> {
        self.audit()
    }

    /// A hash of the state that can influence the future, and of all deliveries so far. Equal
    /// states have equal fingerprints, regardless of their history.
    fn fingerprint(&self) -> u64;

    /// Applies a change, effective from the current cycle. Closing a closed link, or opening an
    /// open one, has no effect.
    fn apply(&mut self, change: Change) {
        let now = self.clock();
        match change {
            Change::Rate(rate) => self.common_mut().sources.set_rate(now, rate),
            Change::LinkDown(link) => {
                if self.common_mut().down.insert(link) {
                    self.note_failure();
                    self.close(link);
                    if self.common().stalls() {
                        self.stall(link);
                    } else {
                        self.lose_across(link);
                    }
                }
            }
            Change::LinkUp(link) => {
                if self.common_mut().down.remove(&link) {
                    self.open(link);
                    self.note_failure();
                }
            }
        }
    }

    /// Changes the generation rate from the current cycle.
    fn set_rate(&mut self, rate: Rate) {
        self.apply(Change::Rate(rate));
    }

    /// Closes a channel between routers: no further worm or circuit is granted the channel.
    #[doc(hidden)]
    fn close(&mut self, link: ChannelId);

    /// Opens a closed channel and serves the messages that wait for the channel.
    #[doc(hidden)]
    fn open(&mut self, link: ChannelId);

    /// Loses the messages with flits on a closed channel, or with flits still to cross it. Circuits that are
    /// not complete are set up anew.
    #[doc(hidden)]
    fn lose_across(&mut self, link: ChannelId);

    /// Stops the flits in front of a closed channel, and transmissions over the channel.
    #[doc(hidden)]
    fn stall(&mut self, link: ChannelId);

    /// Routes all messages by another relation.
    #[doc(hidden)]
    fn adopt(&mut self, relation: Relation);

    /// The first cycle in which a message in the network has entered; the current cycle without any.
    #[doc(hidden)]
    fn oldest_entry(&self) -> Cycle;

    /// Begins a phase, and plans a change of routes, if routes depend on failures.
    #[doc(hidden)]
    fn note_failure(&mut self) {
        let now = self.now().0;
        let Counters { delivered, latency_sum, .. } = self.counters();
        let common = self.common_mut();
        common.phases.begin(now, common.down.len(), (delivered, latency_sum));
        if common.rerouting.is_some() {
            common.schedule.reroute(now);
        }
    }

    /// The relations that routed some message in the network, oldest first; the last is the present one.
    /// Empty if no routes lead around failures.
    fn relations(&self) -> Vec<Routed> {
        let common = self.common();
        let rerouting = common.rerouting.as_ref();
        rerouting.map_or_else(Vec::new, |it| it.all(self.oldest_entry(), &common.relation))
    }

    /// Pairs of nodes without a route, because of failures.
    fn unreachable_pairs(&self) -> u64 {
        self.common().rerouting.as_ref().map_or(0, Rerouting::unreachable)
    }

    /// Closed channels between routers.
    fn closed_links(&self) -> &BTreeSet<ChannelId> {
        &self.common().down
    }

    /// The cycle of the last change of routes because of a failure.
    fn rerouted(&self) -> Option<Cycle> {
        self.common().rerouting.as_ref().and_then(Rerouting::changed)
    }

    /// True if routes are to change later because of a failure.
    fn awaits_routes(&self) -> bool {
        self.common().schedule.awaits_routes()
    }

    /// True if a change would have no effect: it closes a closed link, opens an open link, or changes
    /// the rate of traffic without a rate.
    fn is_idle(&self, change: Change) -> bool {
        match change {
            Change::Rate(_) => self.sources().have_no_rate(),
            Change::LinkDown(link) => self.is_down(link),
            Change::LinkUp(link) => !self.is_down(link),
        }
    }

    /// True if all messages of a script were delivered; the run then ends.
    fn is_complete(&self) -> bool {
        self.common().is_complete()
    }

    /// True if a channel between routers is closed.
    fn is_down(&self, link: ChannelId) -> bool {
        self.common().down.contains(&link)
    }

    /// Running totals, including the progress of all worms moved in bulk.
    fn counters(&self) -> Counters;

    /// The numbers of messages generated and delivered or lost, cheaper than all totals.
    fn messages_so_far(&self) -> (u64, u64) {
        let common = self.common();
        (common.sources.generated(), common.counters.delivered + common.counters.lost)
    }

    /// Moves the messages lost since the last call to `out`, in order of cycle, source and serial number;
    /// clears `out` first.
    fn take_losses(&mut self, out: &mut Vec<Loss>) {
        out.clear();
        out.append(&mut self.common_mut().losses);
        out.sort_unstable_by_key(|it| (it.done, it.message.source, it.message.serial));
    }

    /// The messages before, during and after failures; empty before the first failure.
    fn phases(&self) -> &[Phase] {
        self.common().phases.all()
    }

    /// The labels of messages in the network.
    fn letters(&mut self) -> &mut Letters {
        &mut self.common_mut().letters
    }

    /// The deadlock that stopped the run, if any; detected at most 64 cycles after it closed.
    fn deadlock(&self) -> Option<&Deadlock> {
        self.common().deadlock.as_ref()
    }

    /// Searches for worms that can never move again, regardless of any remedy of the machine.
    fn find_deadlock(&self) -> Option<Deadlock>;

    /// The sources of messages.
    fn sources(&self) -> &Sources {
        &self.common().sources
    }

    /// The number of rows in the table of messages.
    #[doc(hidden)]
    fn rows(&self) -> usize;

    /// The unique name of the message in a row.
    fn name_of(&self, worm: WormId) -> Option<MessageId>;

    /// The message in a row.
    fn message(&self, worm: WormId) -> Option<MessageView>;

    /// Finds a message handed out by its source and not yet delivered. No search is needed if
    /// `hint` is the current row.
    fn find(&self, message: MessageId, hint: Option<WormId>) -> Option<MessageView> {
        let mut rows = hint.into_iter().chain((0..self.rows()).map(WormId::new));
        self.message(rows.find(|&row| self.name_of(row) == Some(message))?)
    }

    /// The state of a message; `hint` as in [`Self::find`].
    fn state_of(&self, message: MessageId, hint: Option<WormId>) -> MessageState {
        let (sources, node) = (self.sources(), message.source);
        if node.index() >= sources.terminals() || message.serial >= sources.generated_at(node) {
            MessageState::Unborn
        } else if message.serial >= sources.handed_out(node) {
            MessageState::Behind
        } else {
            self.find(message, hint).map_or(MessageState::Gone, MessageState::Present)
        }
    }

    /// Fills `out` with all messages under way or waiting at their sources, except for
    /// [`MessageState::Behind`], in arbitrary order.
    fn messages(&self, out: &mut Vec<MessageView>) {
        out.clear();
        out.extend((0..self.rows()).filter_map(|row| self.message(WormId::new(row))));
    }

    /// All messages generated and neither delivered nor discarded, by birth and source; births are
    /// cycles.
    fn undelivered(&self) -> Vec<Message> {
        let mut views = Vec::new();
        self.messages(&mut views);
        let present = views.into_iter().map(|view| {
            let MessageView { name, destination, length, born, message_class, .. } = view;
            Message::without_route(name, destination, length, born.0, message_class)
        });
        let behind = self.sources().behind().into_iter();
        let behind = behind.map(|it| Message { born: self.cycle_at(it.born).0, ..it });
        let mut all: Vec<Message> = present.chain(behind).collect();
        all.sort_unstable_by_key(|it| (it.born, it.source, it.serial));
        all
    }

    /// The cycle of a time by the clock of the sources.
    #[doc(hidden)]
    fn cycle_at(&self, clock: u64) -> Cycle {
        Cycle(clock)
    }

    /// Fills `out` with the virtual channels or links held by a message, ending at the head.
    fn path_of(&self, worm: WormId, out: &mut Vec<VcId>);

    /// Fills `out` with the waits of a message, an entry for each VC requested by its head; also at
    /// its source, if the message is the next to leave.
    fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>);

    /// Fills `out` with the messages in the network with their head at a router; for circuits, with
    /// all messages that hold a link into the router.
    fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>);
}
