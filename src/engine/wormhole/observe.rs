//! Takes snapshots of the engine, and answers queries of single worms.

use super::engine::WormholeEngine;
use super::failures;
use super::pace::Flits;
use super::records::{NONE, Place, SINK, Worm};
use crate::engine::common::Common;
use crate::engine::deadlock::{Deadlock, Wait};
use crate::engine::messages::{Activity, MessageView};
use crate::engine::simulator::Simulator;
use crate::engine::totals::{Counters, Delivery, VcUse, Violation};
use crate::engine::view::{HeadState, Snapshot, WormView};
use crate::ids::{ChannelId, Letter, MessageId, NodeId, RouterId, VcId, WormId};
use crate::routing::Relation;
use crate::switching::Release;
use crate::units::Cycle;

impl Simulator for WormholeEngine {
    fn common(&self) -> &Common {
        &self.common
    }

    fn common_mut(&mut self) -> &mut Common {
        &mut self.common
    }

    fn now(&self) -> Cycle {
        Cycle(self.now)
    }

    fn clock(&self) -> u64 {
        self.now
    }

    fn simulate(&mut self, until: Cycle) {
        self.run_until(until.0);
    }

    fn take_deliveries(&mut self, out: &mut Vec<Delivery>) {
        self.common.take_by_cycle(out);
    }

    fn observe(&self, snapshot: &mut Snapshot) {
        let state = &self.state;
        let vcs = state.channels.len() * state.virtual_channels as usize;
        self.common.observe(self.now(), self.counters(), vcs, snapshot);
        snapshot.virtual_channels = state.virtual_channels;
        snapshot.buffer_flits = state.buffer_flits;
        self.draw_worms(snapshot);
        self.waits().add(&mut snapshot.waits, |_| true);
    }

    fn crossed(&self, link: ChannelId) -> u64 {
        self.state.crossed(link.index(), self.now)
    }

    fn crossings(&self, out: &mut Vec<u64>) {
        let channels = 0..self.state.channels.len();
        out.clear();
        out.extend(channels.map(|channel| self.state.crossed(channel, self.now)));
        self.add_ejected(out);
    }

    fn close(&mut self, link: ChannelId) {
        let (at, state) = (link.index(), &mut self.state);
        state.closed.close(at, &mut state.channels[at]);
    }

    fn lose_across(&mut self, link: ChannelId) {
        failures::lose_across(self, link.index());
    }

    fn stall(&mut self, link: ChannelId) {
        self.state.channels[link.index()].stalled = true;
        self.unstick_all();
    }

    fn adopt(&mut self, relation: Relation) {
        failures::route_by(self, relation);
    }

    fn oldest_entry(&self) -> Cycle {
        let entered = self.in_network().map(|row| self.state.worm(row).entered);
        Cycle(entered.fold(self.now, u64::min))
    }

    fn open(&mut self, link: ChannelId) {
        let (at, state) = (link.index(), &mut self.state);
        if std::mem::take(&mut state.channels[at].stalled) && state.movable(at) != 0 {
            state.activate(at);
        }
        let row = &mut state.channels[at];
        let router = row.from;
        if state.closed.open(at, row) {
            state.mark_freed(router, Worm::mark(link.0));
        }
    }

    fn count_uses(&mut self) {
        self.counts.begin(self.state.slots);
    }

    fn vc_uses(&self, out: &mut Vec<VcUse>) {
        self.vc_uses(out);
    }

    fn check_laws(&self) -> Result<(), String> {
        self.check_runs()?;
        self.without_free_runs().check_flits()
    }

    fn settle(&mut self) -> Result<(), Violation> {
        let violated = |law| Violation { cycle: Cycle(self.now), law };
        self.check_runs().map_err(violated)?;
        self.dissolve_all();
        self.audit()
    }

    fn fingerprint(&self) -> u64 {
        self.without_free_runs().hash()
    }

    fn counters(&self) -> Counters {
        let sources = &self.common.sources;
        let mut counters = self.common.counters;
        (counters.generated, counters.discarded) = (sources.generated(), sources.discarded());
        self.count_running(&mut counters);
        counters
    }

    fn find_deadlock(&self) -> Option<Deadlock> {
        let waits = self.waits();
        let since = |worm: WormId| waits.since(worm.0);
        let name = |worm| self.name_of(worm);
        Deadlock::new(self.now(), &waits.stuck(), name, since, |cycle| Cycle(cycle + 1))
    }

    fn rows(&self) -> usize {
        self.state.worms.len()
    }

    fn name_of(&self, worm: WormId) -> Option<MessageId> {
        self.live_in(worm.0).map(Worm::name)
    }

    fn message(&self, row: WormId) -> Option<MessageView> {
        let worm = self.live_in(row.0)?;
        let in_network = worm.head != NONE;
        let head = if in_network { self.head_state(worm) } else { HeadState::AtSource };
        Some(MessageView {
            message_class: worm.header.message_class,
            name: worm.name(),
            worm: row,
            destination: NodeId(worm.destination),
            born: Cycle(worm.born),
            length: worm.length,
            at_source: if in_network { self.at_source(worm) } else { worm.length },
            activity: Activity::Worm(head),
            stage: None,
            at: if in_network { self.head_router(worm) } else { RouterId(worm.at) },
            hops: worm.hops,
            asked: Cycle(worm.requests_since),
            crossing: in_network
                && self.state.place(worm.head) != Place::Ejection
                && self.head_crosses(worm),
            aborts: 0,
            queued: !in_network && !worm.waits,
        })
    }

    fn path_of(&self, worm: WormId, out: &mut Vec<VcId>) {
        out.clear();
        let Some(worm) = self.live_in(worm.0) else { return };
        for at in self.state.holds_of(worm) {
            if let Place::Vc(slot) = self.state.place(at) {
                out.push(self.public_vc(slot));
            }
        }
        out.reverse();
    }

    fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>) {
        out.clear();
        let Some(row) = self.live_in(worm.0) else { return };
        if row.waits && row.requests_since < self.now {
            out.extend(self.waits().of_head(worm.0, &mut Vec::new()));
        } else if self.switching.release == Release::Sent {
            out.extend(self.waits().in_a_buffer(worm.0));
        }
    }

    fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>) {
        out.clear();
        let is_there = |&row: &u32| self.head_router(self.state.worm(row)) == router;
        let mut rows: Vec<u32> = self.in_network().filter(is_there).collect();
        rows.sort_unstable();
        out.extend(rows.into_iter().map(|row| self.state.worm(row).name()));
    }
}

impl WormholeEngine {
    /// The live worm in a row, if any.
    fn live_in(&self, row: u32) -> Option<&Worm> {
        self.state.worms.get(row as usize).filter(|worm| worm.live)
    }

    fn draw_worms(&self, snapshot: &mut Snapshot) {
        let state = &self.state;
        let mut rows: Vec<_> = self.in_network().collect();
        rows.sort_unstable_by_key(|&row| state.worm(row).age());
        for row in rows {
            let worm = state.worm(row);
            let first = snapshot.path.len();
            let holder = snapshot.worms.len() as u32 + 1;
            let (mut at_source, mut inside) = (0, 0);
            for at in state.holds_of(worm) {
                let slot = match state.place(at) {
                    Place::Vc(slot) => slot,
                    Place::Source => {
                        at_source = state.flits(at, self.now).here;
                        break;
                    }
                    // A flit on its way to the sink of a node is shown on the ejection channel of
                    // the node.
                    Place::Ejection => match self.ejection_in_flight(at) {
                        Some(channel) => state.slot(channel.index(), 0),
                        None => continue,
                    },
                };
                let vc = self.public_vc(slot);
                let Flits { here, flying, .. } = state.flits(at, self.now);
                let here = here + flying;
                snapshot.path.push(vc);
                snapshot.path_flits.push(here);
                let view = &mut snapshot.vcs[vc.index()];
                if at == slot && state.is_held(slot) {
                    view.holder = holder;
                }
                view.flits += here;
                view.in_flight += flying;
                inside += here;
            }
            snapshot.path[first..].reverse();
            snapshot.path_flits[first..].reverse();
            snapshot.worms.push(WormView {
                id: WormId(row),
                letter: Letter(worm.letter),
                message_class: worm.header.message_class,
                serial: worm.serial,
                source: NodeId(worm.source),
                destination: NodeId(worm.destination),
                born: Cycle(worm.born),
                length: worm.length,
                at_source,
                consumed: worm.length - at_source - inside,
                head: self.head_state(worm),
                stage: None,
                head_at: self.head_router(worm),
                path_first: first as u32,
                path_len: (snapshot.path.len() - first) as u32,
            });
        }
    }

    pub(super) fn head_state(&self, worm: &Worm) -> HeadState {
        let head = &self.state.holds[worm.head as usize];
        if head.next == SINK {
            HeadState::Arriving
        } else if worm.is_blocked(self.now) {
            HeadState::Blocked(Cycle(worm.requests_since))
        } else {
            HeadState::Moving
        }
    }

    /// The ejection channel with flits on their way to an ejecting hold.
    fn ejection_in_flight(&self, row: u32) -> Option<ChannelId> {
        let hold = self.state.hold(row);
        let node = NodeId(self.state.worms[hold.worm as usize].destination);
        let flying = self.state.flits(row, self.now).flying;
        self.common.network.ejection_of(node).filter(|_| flying > 0)
    }

    /// The router of the head flit: the start of the newest VC until the crossing is complete.
    pub(super) fn head_router(&self, worm: &Worm) -> RouterId {
        match self.state.place(worm.head) {
            Place::Vc(slot) if self.head_crosses(worm) => {
                let (channel, _) = self.state.split(slot);
                RouterId(self.state.channels[channel].from)
            }
            Place::Vc(_) | Place::Source | Place::Ejection => RouterId(worm.at),
        }
    }

    /// True if the head flit has not arrived at its newest hold.
    pub(super) fn head_crosses(&self, worm: &Worm) -> bool {
        let Flits { flying, left, .. } = self.state.flits(worm.head, self.now);
        left + flying == worm.length
    }

    /// The number of flits of a worm in the network that have not left its source.
    fn at_source(&self, worm: &Worm) -> u32 {
        let source = self.state.holds_of(worm).find(|&at| self.state.place(at) == Place::Source);
        source.map_or(0, |at| self.state.flits(at, self.now).here)
    }
}
