//! Computes the positions of flits in a free run, and dissolves free runs to single flits.

use super::engine::WormholeEngine;
use super::pace::Flits;
use super::pick::after;
use super::records::{Hold, Motion, NONE, SINK, bits};
use super::state::State;
use crate::engine::totals::Counters;
use crate::ids::NodeId;
use crate::switching::Release;

impl State {
    /// The flits of `hold`, running or not, before the moves of cycle `now`.
    pub fn flits(&self, hold: u32, now: u64) -> Flits {
        let row = self.hold(hold);
        let worm = self.worm(row.worm);
        if !worm.runs() {
            return Flits { here: row.here, flying: row.flying, left: row.left };
        }
        let to_send = |row: &Hold| {
            if row.prev == NONE { 0 } else { row.remaining(now, self.pace) }
        };
        let left = to_send(row);
        let to_come = self.to_come(row, now).min(worm.length);
        let here = match row.next {
            SINK => 0,
            NONE => worm.length - to_come,
            next => to_send(self.hold(next)) - to_come,
        };
        Flits { here, flying: to_come - left, left }
    }

    /// The number of flits of a running hold that have not arrived.
    fn to_come(&self, row: &Hold, now: u64) -> u32 {
        row.remaining(
            (now + self.arrivals_done).saturating_sub(u64::from(self.pace.delay)),
            self.pace,
        )
    }

    /// The number of flits that have crossed a channel since cycle 0, including running worms.
    pub fn crossed(&self, channel: usize, now: u64) -> u64 {
        let row = &self.channels[channel];
        bits(row.run).fold(row.crossed, |crossed, v| {
            let hold = &self.holds[self.slot(channel, v) as usize];
            crossed + u64::from(hold.left - hold.remaining(now, self.pace))
        })
    }

    /// Stores the progress of a running hold.
    fn settle(&mut self, hold: u32, Flits { here, flying, left }: Flits) {
        let pace = self.pace;
        let row = &mut self.holds[hold as usize];
        if pace.private && flying > 0 {
            row.end = row.sends(left + 1, pace);
        }
        let (moved, consumed) = (row.left - left, row.next == SINK);
        (row.here, row.flying, row.left) = (here, flying, left);
        if hold >= self.slots {
            return;
        }
        self.count_moves(hold, moved);
        let taken = self.buffers.get(hold as usize).map_or(here, |buffer| buffer.occupied);
        let room = consumed || taken < self.buffer_flits;
        let (channel, v) = self.split(hold);
        self.channels[channel].run &= !(1 << v);
        let space = &mut self.space[channel];
        *space = *space & !(1 << v) | u32::from(room) << v;
    }

    /// Counts the flits moved into a VC by a running worm.
    fn count_moves(&mut self, vc: u32, moved: u32) {
        let (channel, v) = self.split(vc);
        let next = after(v, self.virtual_channels);
        let shared = !self.pace.private;
        let row = &mut self.channels[channel];
        row.crossed += u64::from(moved);
        if moved > 0 && shared {
            row.pointer = next;
        }
    }

    /// Returns a hold of a dissolved run to its channel, which moves single flits again.
    fn put_back(&mut self, vc: u32) {
        let hold = self.hold(vc);
        let behind = self.hold(hold.prev).here;
        if vc >= self.slots {
            if behind > 0 {
                self.places[vc as usize].listed = true;
                self.ejecting.push(vc);
            }
            return;
        }
        let (row, bit) = self.channel_of(vc);
        if behind > 0 {
            row.flit |= bit;
            let channel = (vc >> self.shift) as usize;
            let busy = self.busy.get(channel).copied().unwrap_or(0);
            if self.space[channel] & !busy & bit != 0 {
                self.activate(channel);
            }
        }
    }
}

impl WormholeEngine {
    /// Converts a running worm to single flits, in their positions before the moves of this cycle.
    #[inline(never)]
    pub(super) fn dissolve(&mut self, worm: u32) {
        if !self.state.worm(worm).runs() || self.dissolve_delayed(worm) {
            return;
        }
        let state = &mut self.state;
        // The order is from head to tail: flits are derived from the unchanged hold ahead, so all
        // holds are settled before any is put back.
        let mut chain = std::mem::take(&mut *self.work.chain);
        let mut front = NONE;
        for at in state.holds_of(state.worm(worm)) {
            chain.push((at, state.flits(at, self.now)));
        }
        for &(at, flits) in &chain {
            count_moved(&mut self.common.counters, &self.state, at, flits);
            if !self.state.places.is_empty() {
                self.write_down(at, front, flits);
            }
            front = at;
        }
        let state = &mut self.state;
        state.worms[worm as usize].motion = Motion::Single;
        for &(at, flits) in &chain {
            state.settle(at, flits);
            if state.is_source(at) && flits.here == state.worm(worm).length {
                // No flit has left the source yet.
                state.worms[worm as usize].entered = u64::MAX;
            }
        }
        for &(at, flits) in &chain {
            if flits.left > 0 {
                state.put_back(at);
            }
        }
        chain.clear();
        *self.work.chain = chain;
    }

    /// Stores the parts of a running hold needed only on machines with tables: position in the
    /// buffer, occupied slots, and flits and credits under way. `front` is the hold ahead.
    fn write_down(&mut self, at: u32, front: u32, flits: Flits) {
        let now = self.now + self.state.arrivals_done;
        let (pace, hold) = (self.state.pace, *self.state.hold(at));
        for behind in flits.left + 1..=flits.left + flits.flying {
            let sent = hold.sends(behind, pace);
            let ready = sent + u64::from(pace.each);
            if pace.private && ready >= now {
                let (channel, v) = self.state.split(at);
                self.state.busy[channel] |= 1 << v;
                self.state.crossings.push(ready, at);
            } else {
                self.state.landings.push(sent + u64::from(pace.delay), at);
            }
        }
        if at >= self.state.slots {
            let node = NodeId(self.state.worm(hold.worm).destination);
            if hold.next == SINK
                && let Some(channel) = self.common.network.ejection_of(node)
            {
                self.state.channels[channel.index()].crossed += u64::from(hold.left - flits.left);
            }
            return;
        }
        let mut taken = flits.here + flits.flying;
        if hold.next == SINK {
            taken = 0;
        } else if self.switching.release == Release::Sent {
            self.state.queue_up(at);
        }
        if front != NONE && pace.credit > 1 {
            taken += self.return_credits_of(at, front);
        }
        self.state.buffers[at as usize].occupied += taken;
    }

    /// Schedules the credits of flits that have left the buffer of `vc` for the running hold
    /// `front`. Returns the number of credits.
    fn return_credits_of(&mut self, vc: u32, front: u32) -> u32 {
        let State { pace, .. } = self.state;
        let (now, hold) = (self.now + self.state.arrivals_done, *self.state.hold(front));
        let left = if hold.prev == NONE { 0 } else { hold.remaining(self.now, pace) };
        let mut count = 0;
        for behind in left + 1..=self.state.worm(hold.worm).length {
            let back = hold.sends(behind, pace) + u64::from(pace.credit);
            if back < now {
                break;
            }
            self.state.credits.push(back, vc);
            count += 1;
        }
        count
    }

    /// Adds the uncounted moves of free runs, by worms or by channels, whichever are fewer.
    pub(super) fn count_running(&self, counters: &mut Counters) {
        let state = &self.state;
        let mut count = |at: u32| count_moved(counters, state, at, state.flits(at, self.now));
        if state.worms.len() < state.channels.len() || !state.places.is_empty() {
            let running = self.in_network().map(|row| state.worm(row)).filter(|worm| worm.runs());
            running.flat_map(|worm| state.holds_of(worm)).for_each(count);
        } else {
            let running = state.channels.iter().enumerate().filter(|(_, row)| row.run != 0);
            running.for_each(|(at, row)| count(state.slot(at, row.run.trailing_zeros())));
        }
    }

    /// Adds the flits ejected by running worms over the channel of a node without holding it.
    pub(super) fn add_ejected(&self, crossed: &mut [u64]) {
        let state = &self.state;
        let running = self.in_network().map(|row| state.worm(row)).filter(|worm| worm.runs());
        for worm in running.filter(|worm| worm.head >= state.slots) {
            let hold = state.hold(worm.head);
            if hold.prev != NONE
                && let Some(channel) = self.common.network.ejection_of(NodeId(worm.destination))
            {
                crossed[channel.index()] +=
                    u64::from(hold.left - hold.remaining(self.now, state.pace));
            }
        }
    }
}

/// Counts the flits that have moved into a running hold.
#[inline]
fn count_moved(counters: &mut Counters, state: &State, at: u32, flits: Flits) {
    let row = state.hold(at);
    let moved = u64::from(row.left - flits.left);
    if at >> state.shift < state.links as u32 {
        counters.flit_hops += moved;
    }
    if row.next == SINK {
        counters.flits_consumed += moved;
        counters.flits_consumed -= u64::from(flits.flying);
    }
    if row.prev >= state.slots && row.prev != NONE {
        counters.flits_injected += moved;
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::simulator::Simulator;
    use crate::engine::wormhole::WormholeEngine;
    use crate::scenario::{self, builtin};
    use crate::units::{Cycle, Rate};

    #[test]
    fn running_worms_count_as_if_written_down_by_worms_and_by_holds() {
        let name = "papers/hops-north-last-uniform";
        let scenario = scenario::parse(name, builtin::find(name).unwrap().text, &[]).unwrap();
        let mut engine = WormholeEngine::new(&scenario.system, 1, 0);
        engine.set_rate(Rate(0.08));
        let (mut by_holds, mut moved) = (0, 0);
        for cycle in 1..2_000 {
            engine.advance(Cycle(cycle));
            by_holds += u64::from(engine.state.holds.len() < engine.state.worms.len());
            let known = engine.counters();
            moved += known.flit_hops - engine.common.counters.flit_hops;
            assert_eq!(known, engine.without_free_runs().counters(), "cycle {cycle}");
        }
        assert!(by_holds > 100 && moved > 100, "{by_holds} cycles, {moved} flit-hops");
    }
}
