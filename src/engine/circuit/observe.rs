//! Draws the engine's state as a [`Snapshot`]: circuits as worms, with what is known of circuits
//! beside them.

use super::engine::{CircuitEngine, TICKS_PER_CYCLE, cycle_of, transmission_ticks};
use super::state::{Call, NONE, Stage, list};
use crate::engine::view::{CircuitState, CircuitView, HeadState, Snapshot, VcView, WormView};
use crate::ids::{ChannelId, Letter, NodeId, RouterId, VcId, WormId};
use crate::switching::circuit::Duplex;

impl CircuitEngine {
    /// Draws the present state into recycled storage.
    pub fn observe(&self, snapshot: &mut Snapshot) {
        let lanes = self.machine.lanes();
        snapshot.cycle = self.now;
        snapshot.virtual_channels = lanes;
        snapshot.buffer_flits = 0;
        snapshot.counters = self.counters();
        snapshot.deadlock.clone_from(&self.deadlock);
        snapshot.queues.clear();
        let nodes = self.network.nodes();
        snapshot.queues.extend((0..nodes).map(|node| self.sources.queue(NodeId::new(node))));
        snapshot.controllers.clear();
        let jobs = self.controllers.iter();
        snapshot
            .controllers
            .extend(jobs.map(|one| one.queue.length + u32::from(one.serving != NONE)));
        snapshot.crossed.clear();
        let channels = self.network.links();
        snapshot.crossed.extend((0..channels).map(|channel| self.busy(channel)));
        snapshot.vcs.clear();
        snapshot.vcs.resize(channels * lanes as usize, VcView::default());
        self.draw_circuits(snapshot);
        snapshot.waits.clear();
        for circuit in &snapshot.circuits {
            if circuit.state == CircuitState::Waiting {
                snapshot.waits.push(self.wait_of(circuit.worm.0));
            }
        }
    }

    /// The cycles for which a channel's link was held, the mean of its lanes. Those of a link shared
    /// by both directions count for both.
    fn busy(&self, channel: usize) -> u64 {
        let lanes = self.machine.lanes() as usize;
        let now = self.now.0 * TICKS_PER_CYCLE;
        let rows = &self.lanes[self.links.of[channel] as usize * lanes..][..lanes];
        let ticks: u64 = rows
            .iter()
            .map(|row| {
                let under_way = row.owner != NONE;
                row.busy + if under_way { now.saturating_sub(row.since) } else { 0 }
            })
            .sum();
        ticks / (lanes as u64 * TICKS_PER_CYCLE)
    }

    /// The order of messages by age, the oldest first.
    pub(super) fn age(&self, row: u32) -> (u64, u32, u64) {
        let call = &self.calls[row as usize];
        (call.born, call.source, call.serial)
    }

    /// The links that a message holds, from its source on.
    pub(super) fn path(&self, call: &Call) -> impl Iterator<Item = VcId> {
        let lanes = list(call.first, |lane| self.lanes[lane as usize].after);
        lanes.map(|lane| self.public(lane, self.lanes[lane as usize].channel))
    }

    fn draw_circuits(&self, snapshot: &mut Snapshot) {
        snapshot.worms.clear();
        snapshot.circuits.clear();
        snapshot.path.clear();
        snapshot.path_flits.clear();
        let rows = 0..self.calls.len() as u32;
        let mut rows: Vec<u32> =
            rows.filter(|&row| self.calls[row as usize].stage != Stage::Free).collect();
        rows.sort_unstable_by_key(|&row| self.age(row));
        for row in rows {
            let call = &self.calls[row as usize];
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

    /// Notes who holds a channel of a path, and where a link is shared also the channel back.
    fn draw_holder(&self, snapshot: &mut Snapshot, at: usize, holder: u32) {
        let lanes = self.machine.lanes();
        let vc = snapshot.path[at];
        snapshot.vcs[vc.index()].holder = holder;
        if self.machine.duplex == Duplex::Half
            && let Some(back) = self.network.opposite(ChannelId(vc.0 / lanes))
        {
            snapshot.vcs[back.index() * lanes as usize + (vc.0 % lanes) as usize].holder = holder;
        }
    }

    /// Flits of its data that have arrived by now.
    fn consumed(&self, call: &Call) -> u32 {
        match call.stage {
            Stage::Releasing => call.length,
            Stage::Sending => {
                let now = self.now.0 * TICKS_PER_CYCLE;
                let passed = u128::from(now.saturating_sub(call.started));
                let all = transmission_ticks(call.length).max(1);
                let flits = passed * u128::from(call.length) / u128::from(all);
                flits.min(u128::from(call.length)) as u32
            }
            Stage::Free | Stage::Asking | Stage::Waiting | Stage::Aborting | Stage::BackingOff => 0,
        }
    }

    fn as_worm(&self, row: u32, call: &Call, path_first: u32, path_len: u32) -> WormView {
        let consumed = self.consumed(call);
        WormView {
            id: WormId(row),
            letter: Letter(call.letter),
            serial: call.serial,
            source: NodeId(call.source),
            destination: NodeId(call.destination),
            born: cycle_of(call.born),
            length: call.length,
            at_source: call.length - consumed,
            consumed,
            head: match call.stage {
                Stage::Waiting => HeadState::Blocked(cycle_of(call.since)),
                Stage::Sending | Stage::Releasing => HeadState::Arriving,
                Stage::Free | Stage::Asking | Stage::Aborting | Stage::BackingOff => {
                    HeadState::Moving
                }
            },
            head_at: RouterId(if call.stands() { call.destination } else { call.at }),
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
            state: match call.stage {
                Stage::Waiting => CircuitState::Waiting,
                Stage::Sending => CircuitState::Transmitting,
                Stage::Releasing => CircuitState::Releasing,
                Stage::Aborting => CircuitState::Aborting,
                Stage::BackingOff => CircuitState::BackingOff,
                Stage::Asking | Stage::Free => CircuitState::SettingUp,
            },
            since: cycle_of(call.since),
            at: RouterId(call.at),
            wants: (call.stage == Stage::Waiting).then(|| self.public(call.wants, call.wants_as)),
            aborts: call.tries,
            set_up: call.stands().then(|| cycle_of(call.started) - cycle_of(call.born)),
            path_first,
            path_len,
        }
    }
}
