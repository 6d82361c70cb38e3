//! Takes snapshots of the engine, and answers queries of single messages.

use super::engine::RouterEngine;
use super::records::{NONE, Worm};
use super::waits::Waits;
use super::{audit, failures, fingerprint};
use crate::engine::common::Common;
use crate::engine::deadlock::{Deadlock, Wait};
use crate::engine::messages::{Activity, MessageView};
use crate::engine::simulator::Simulator;
use crate::engine::totals::{Counters, Delivery, VcUse};
use crate::engine::view::{HeadState, Snapshot, WormView};
use crate::ids::{ChannelId, Letter, MessageId, NodeId, RouterId, VcId, WormId};
use crate::routing::Relation;
use crate::units::Cycle;

impl Simulator for RouterEngine {
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
        let vcs = state.ports.len() * state.vcs as usize;
        self.common.observe(self.now(), self.counters(), vcs, snapshot);
        snapshot.virtual_channels = state.vcs;
        snapshot.buffer_flits = state.flits;
        for row in state.in_network() {
            draw_worm(self, row, snapshot);
        }
        snapshot.waits.extend(Waits(self).all(|_| true));
    }

    fn crossed(&self, link: ChannelId) -> u64 {
        self.state.ports[link.index()].crossed
    }

    fn crossings(&self, out: &mut Vec<u64>) {
        out.clear();
        out.extend(self.state.ports.iter().map(|port| port.crossed));
    }

    fn close(&mut self, link: ChannelId) {
        self.state.ports[link.index()].closed = true;
    }

    fn open(&mut self, link: ChannelId) {
        self.state.ports[link.index()].closed = false;
        failures::restart(self, link.index());
    }

    fn lose_across(&mut self, link: ChannelId) {
        failures::lose_across(self, link.index());
    }

    fn stall(&mut self, link: ChannelId) {
        failures::stall(self, link.index());
    }

    fn adopt(&mut self, relation: Relation) {
        failures::route_by(self, relation);
    }

    fn oldest_entry(&self) -> Cycle {
        let worms = self.state.in_network().into_iter();
        let entered = worms.map(|row| self.state.worms[row as usize].entered);
        Cycle(entered.fold(self.now, u64::min))
    }

    fn count_uses(&mut self) {
        self.uses = vec![VcUse::default(); self.state.buffers.len()];
    }

    fn vc_uses(&self, out: &mut Vec<VcUse>) {
        out.clear();
        if !self.uses.is_empty() {
            let of_channel = self.uses.chunks(1 << self.state.shift);
            out.extend(of_channel.flat_map(|vcs| &vcs[..self.state.vcs as usize]));
        }
    }

    fn check_laws(&self) -> Result<(), String> {
        audit::check(self)
    }

    fn fingerprint(&self) -> u64 {
        fingerprint::fingerprint(self)
    }

    fn counters(&self) -> Counters {
        let sources = &self.common.sources;
        let mut counters = self.common.counters;
        (counters.generated, counters.discarded) = (sources.generated(), sources.discarded());
        counters
    }

    fn find_deadlock(&self) -> Option<Deadlock> {
        let name = |worm| self.name_of(worm);
        let since = |worm: WormId| Waits(self).since(worm.0);
        Deadlock::new(self.now(), &Waits(self).stuck(), name, since, |cycle| Cycle(cycle + 1))
    }

    fn rows(&self) -> usize {
        self.state.worms.len()
    }

    fn name_of(&self, worm: WormId) -> Option<MessageId> {
        self.state.live_in(worm).map(Worm::name)
    }

    fn message(&self, row: WormId) -> Option<MessageView> {
        let worm = self.state.live_in(row)?;
        let in_network = worm.head != NONE;
        let head = if in_network {
            self.state.head_state(worm, self.internal)
        } else {
            HeadState::AtSource
        };
        let router = if in_network { self.state.router_of(worm) } else { worm.at };
        let node = &self.state.nodes[worm.source as usize];
        Some(MessageView {
            message_class: worm.header.message_class,
            name: worm.name(),
            worm: row,
            destination: NodeId(worm.destination),
            born: Cycle(worm.born),
            length: worm.length,
            at_source: self.state.at_source(worm),
            activity: Activity::Worm(head),
            stage: self.state.stage_of(worm, self.stages, self.internal),
            at: RouterId(router),
            hops: worm.hops,
            asked: Cycle(worm.asked / self.state.steps),
            crossing: in_network && self.state.crosses(worm),
            aborts: 0,
            queued: !in_network && node.first() != row.0,
        })
    }

    fn path_of(&self, worm: WormId, out: &mut Vec<VcId>) {
        out.clear();
        let Some(worm) = self.state.live_in(worm) else { return };
        let slots = self.state.holds_of(worm).map(|at| self.state.holds[at as usize].slot);
        out.extend(slots.map(|slot| self.state.public_vc(slot)));
        out.reverse();
    }

    fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>) {
        out.clear();
        if self.state.live_in(worm).is_some() {
            out.extend(Waits(self).of_row(worm.0, &mut Vec::new()));
        }
    }

    fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>) {
        out.clear();
        let heads = self.state.live().filter(|(_, worm)| worm.head != NONE);
        let there = heads.filter(|(_, worm)| self.state.router_of(worm) == router.0);
        out.extend(there.map(|(_, worm)| worm.name()));
    }
}

/// Adds a message in the network to a snapshot.
fn draw_worm(engine: &RouterEngine, row: u32, snapshot: &mut Snapshot) {
    let state = &engine.state;
    let worm = &state.worms[row as usize];
    let (first, holder) = (snapshot.path.len(), snapshot.worms.len() as u32 + 1);
    let mut inside = 0;
    for at in state.holds_of(worm) {
        let hold = &state.holds[at as usize];
        let (vc, flits) = (state.public_vc(hold.slot), hold.inside + hold.flying);
        snapshot.path.push(vc);
        snapshot.path_flits.push(flits);
        let view = &mut snapshot.vcs[vc.index()];
        if state.keeper(hold.slot) == at {
            view.holder = holder;
        }
        view.flits += flits;
        view.in_flight += hold.flying;
        inside += flits;
    }
    snapshot.path[first..].reverse();
    snapshot.path_flits[first..].reverse();
    let at_source = state.at_source(worm);
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
        head: state.head_state(worm, engine.internal),
        stage: state.stage_of(worm, engine.stages, engine.internal),
        head_at: RouterId(state.router_of(worm)),
        path_first: first as u32,
        path_len: (snapshot.path.len() - first) as u32,
    });
}
