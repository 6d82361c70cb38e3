//! Takes snapshots of circuits, and answers queries of single messages.
//!
//! A [`Snapshot`] contains circuits as worms.

use super::engine::{CircuitEngine, TICKS_PER_CYCLE, cycle_of};
use super::failures;
use super::state::{Call, NONE, list};
use crate::engine::common::Common;
use crate::engine::deadlock::{Deadlock, Wait, stuck};
use crate::engine::messages::{Activity, MessageView};
use crate::engine::simulator::Simulator;
use crate::engine::totals::Counters;
use crate::engine::view::{CircuitState, CircuitView, HeadState, Snapshot, WormView};
use crate::ids::{ChannelId, Letter, MessageId, NodeId, RouterId, VcId, WormId};
use crate::routing::Relation;
use crate::switching::circuit::Duplex;
use crate::units::Cycle;

impl Simulator for CircuitEngine {
    fn common(&self) -> &Common {
        &self.common
    }

    fn common_mut(&mut self) -> &mut Common {
        &mut self.common
    }

    fn now(&self) -> Cycle {
        self.now
    }

    fn cycle_at(&self, clock: u64) -> Cycle {
        cycle_of(clock)
    }

    fn clock(&self) -> u64 {
        self.now.0 * TICKS_PER_CYCLE
    }

    fn simulate(&mut self, until: Cycle) {
        self.run_until(until);
    }

    fn adopt(&mut self, relation: Relation) {
        failures::route_by(self, relation);
    }

    fn oldest_entry(&self) -> Cycle {
        let links = self.lanes.iter().filter(|lane| lane.is_held());
        links.map(|lane| cycle_of(lane.since)).min().unwrap_or(self.now)
    }

    fn lose_across(&mut self, link: ChannelId) {
        failures::lose_across(self, link);
    }

    fn stall(&mut self, link: ChannelId) {
        failures::stall(self, link);
    }

    fn observe(&self, snapshot: &mut Snapshot) {
        let (lanes, channels) = (self.machine.lanes(), self.ways.len());
        self.common.observe(self.now, self.counters(), channels * lanes as usize, snapshot);
        snapshot.virtual_channels = lanes;
        snapshot.buffer_flits = 0;
        let jobs = self.controllers.iter();
        let jobs = jobs.map(|one| one.queue.length + u32::from(one.serving != NONE));
        snapshot.controllers.extend(jobs);
        self.draw_circuits(snapshot);
        let waiting = snapshot.circuits.iter().filter(|it| it.state == CircuitState::Waiting);
        snapshot.waits.extend(waiting.map(|circuit| self.wait_of(circuit.worm.0)));
        let stopped = snapshot.circuits.iter().filter(|it| it.state == CircuitState::Stopped);
        snapshot.waits.extend(stopped.map(|circuit| self.wait_of_stopped(circuit.worm.0)));
    }

    fn crossed(&self, link: ChannelId) -> u64 {
        self.busy(link.index())
    }

    fn crossings(&self, out: &mut Vec<u64>) {
        out.clear();
        out.extend((0..self.ways.len()).map(|channel| self.busy(channel)));
    }

    fn close(&mut self, link: ChannelId) {
        self.close_lanes(link);
    }

    fn open(&mut self, link: ChannelId) {
        self.open_lanes(link);
    }

    fn check_laws(&self) -> Result<(), String> {
        self.check_circuits()
    }

    fn fingerprint(&self) -> u64 {
        self.hash()
    }

    fn counters(&self) -> Counters {
        let rest = self.present_since(self.clock().max(self.counted));
        let cycles = |ticks: u128| (ticks / u128::from(TICKS_PER_CYCLE)) as u64;
        Counters {
            generated: self.common.sources.generated(),
            message_cycles: cycles(self.present_ticks + rest),
            latency_sum: cycles(self.latency_ticks),
            ..self.common.counters
        }
    }

    fn find_deadlock(&self) -> Option<Deadlock> {
        let waiting = self.live().filter(|(_, call)| call.state == CircuitState::Waiting);
        let mut waits = stuck(waiting.map(|(row, _)| self.wait_of(row)).collect());
        waits.sort_by_key(|wait| self.calls[wait.worm.index()].age());
        let since = |call: WormId| self.calls[call.index()].since;
        Deadlock::new(self.now, &waits, |call| self.name_of(call), since, shown)
    }

    fn rows(&self) -> usize {
        self.calls.len()
    }

    fn name_of(&self, worm: WormId) -> Option<MessageId> {
        self.live_in(worm.0).map(Call::name)
    }

    fn message(&self, row: WormId) -> Option<MessageView> {
        let call = self.live_in(row.0)?;
        let circuit = self.view(row.0, call, 0, 0);
        Some(MessageView {
            message_class: 0,
            name: call.name(),
            worm: row,
            destination: circuit.destination,
            born: circuit.born,
            length: call.length,
            at_source: call.length - circuit.consumed,
            activity: Activity::Circuit(circuit.state, circuit.since),
            stage: None,
            at: call.head_at(),
            hops: if call.is_blocked() { call.hops } else { call.held },
            asked: Cycle(0),
            crossing: call.state == CircuitState::SettingUp && self.leads_on(call),
            aborts: call.tries,
            queued: false,
        })
    }

    fn path_of(&self, worm: WormId, out: &mut Vec<VcId>) {
        out.clear();
        out.extend(self.live_in(worm.0).into_iter().flat_map(|call| self.path(call)));
    }

    fn waits_of(&self, worm: WormId, out: &mut Vec<Wait>) {
        out.clear();
        out.extend(self.live_in(worm.0).and_then(|call| match call.state {
            CircuitState::Waiting => Some(self.wait_of(worm.0)),
            CircuitState::Stopped => Some(self.wait_of_stopped(worm.0)),
            CircuitState::SettingUp
            | CircuitState::Transmitting
            | CircuitState::Releasing
            | CircuitState::Aborting
            | CircuitState::BackingOff => None,
        }));
    }

    fn heads_at(&self, router: RouterId, out: &mut Vec<MessageId>) {
        out.clear();
        let lanes = self.machine.lanes();
        for &channel in self.common.network.inputs(router) {
            let first = self.ways[channel.index()].lane;
            let rows = &self.lanes[first as usize..][..lanes as usize];
            for row in rows.iter().filter(|row| row.channel == channel.0) {
                if let Some(call) = self.live_in(row.owner)
                    // The request has not reached the end of a link just allocated.
                    && (row.after != NONE || call.state != CircuitState::SettingUp || !self.leads_on(call))
                {
                    out.push(call.name());
                }
            }
        }
    }
}

/// The first cycle that includes events of a tick.
pub(super) fn shown(tick: u64) -> Cycle {
    cycle_of(tick) + 1
}

impl CircuitEngine {
    /// Iterates over live messages with their rows.
    pub(super) fn live(&self) -> impl Iterator<Item = (u32, &Call)> {
        (0..).zip(&self.calls).filter(|(_, call)| call.live)
    }

    /// The message in a row, if any.
    fn live_in(&self, row: u32) -> Option<&Call> {
        self.calls.get(row as usize).filter(|call| call.live)
    }

    /// The number of cycles for which the link of a channel was held, averaged over its lanes. Both
    /// directions of a shared link have the same number.
    fn busy(&self, channel: usize) -> u64 {
        let lanes = self.machine.lanes() as usize;
        let now = self.clock();
        let rows = &self.lanes[self.ways[channel].lane as usize..][..lanes];
        let ticks: u64 = rows
            .iter()
            .map(|row| row.busy + if row.is_held() { now.saturating_sub(row.since) } else { 0 })
            .sum();
        ticks / (lanes as u64 * TICKS_PER_CYCLE)
    }

    /// The links held by a message, from its source.
    pub(super) fn path(&self, call: &Call) -> impl Iterator<Item = VcId> {
        let lanes = list(call.first, |lane| self.lanes[lane as usize].after);
        lanes.map(|lane| self.public(lane, self.lanes[lane as usize].channel))
    }

    fn draw_circuits(&self, snapshot: &mut Snapshot) {
        let mut calls: Vec<_> = self.live().collect();
        calls.sort_unstable_by_key(|(_, call)| call.age());
        for (row, call) in calls {
            let first = snapshot.path.len() as u32;
            snapshot.path.extend(self.path(call));
            snapshot.path_flits.resize(snapshot.path.len(), 0);
            let path_len = snapshot.path.len() as u32 - first;
            if path_len > 0 {
                let holder = snapshot.worms.len() as u32 + 1;
                for at in first as usize..snapshot.path.len() {
                    self.draw_holder(snapshot, at, holder);
                }
                snapshot.worms.push(self.as_worm(row, call, first, path_len));
            }
            snapshot.circuits.push(self.view(row, call, first, path_len));
        }
    }

    /// Records the holder of a channel of a path; for a shared link, also of the opposite channel.
    fn draw_holder(&self, snapshot: &mut Snapshot, at: usize, holder: u32) {
        let lanes = self.machine.lanes();
        let vc = snapshot.path[at];
        snapshot.vcs[vc.index()].holder = holder;
        if self.machine.duplex == Duplex::Half
            && let Some(back) = self.common.network.opposite(ChannelId(vc.0 / lanes))
        {
            snapshot.vcs[back.index() * lanes as usize + (vc.0 % lanes) as usize].holder = holder;
        }
    }

    /// The number of flits that have arrived.
    fn consumed(&self, call: &Call) -> u32 {
        match call.state {
            CircuitState::Releasing => call.length,
            CircuitState::Transmitting => call.sent(call.due.0.saturating_sub(self.clock())),
            CircuitState::Stopped => call.sent(call.due.0),
            CircuitState::SettingUp
            | CircuitState::Waiting
            | CircuitState::Aborting
            | CircuitState::BackingOff => 0,
        }
    }

    fn as_worm(&self, row: u32, call: &Call, path_first: u32, path_len: u32) -> WormView {
        let consumed = self.consumed(call);
        WormView {
            message_class: 0,
            id: WormId(row),
            letter: Letter(call.letter),
            serial: call.serial,
            source: NodeId(call.source),
            destination: NodeId(call.destination),
            born: cycle_of(call.born),
            length: call.length,
            at_source: call.length - consumed,
            consumed,
            head: match call.state {
                CircuitState::Waiting | CircuitState::Stopped => {
                    HeadState::Blocked(cycle_of(call.since))
                }
                CircuitState::Transmitting | CircuitState::Releasing => HeadState::Arriving,
                CircuitState::SettingUp | CircuitState::Aborting | CircuitState::BackingOff => {
                    HeadState::Moving
                }
            },
            stage: None,
            head_at: call.head_at(),
            path_first,
            path_len,
        }
    }

    pub(super) fn view(
        &self,
        row: u32,
        call: &Call,
        path_first: u32,
        path_len: u32,
    ) -> CircuitView {
        CircuitView {
            worm: WormId(row),
            letter: (call.letter != NONE).then_some(Letter(call.letter)),
            serial: call.serial,
            source: NodeId(call.source),
            destination: NodeId(call.destination),
            born: cycle_of(call.born),
            length: call.length,
            consumed: self.consumed(call),
            state: call.state,
            since: cycle_of(call.since),
            at: RouterId(call.at),
            wants: (call.state == CircuitState::Waiting)
                .then(|| self.public(call.wants, call.wants_as)),
            aborts: call.tries,
            set_up: call.is_blocked().then(|| cycle_of(call.started) - cycle_of(call.born)),
            path_first,
            path_len,
        }
    }

    /// True if the request of a message has not reached the end of its last link.
    fn leads_on(&self, call: &Call) -> bool {
        let link = self.lanes.get(call.last as usize);
        link.is_some_and(|link| link.to != call.at)
    }
}
