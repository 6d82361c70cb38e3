//! The laws of buffers in which several worms may stand, of flits on their way, and of work lists.

use super::super::WormholeEngine;
use super::super::audit::law;
use super::super::state::{NONE, SINK};
use super::Place;
use crate::switching::Release;

impl WormholeEngine {
    /// What the general step keeps beside the holds says what the holds say.
    pub(in super::super) fn check_general(&self) -> Result<(), String> {
        for slot in 0..self.state.slots {
            self.check_buffer(slot)?;
        }
        for (channel, row) in self.state.channels.iter().enumerate() {
            let busy = self.general.busy[channel];
            law!(
                row.listed || row.flit & row.space & !busy == 0,
                "channel {channel}: a movable flit is forgotten"
            );
            law!(
                self.general.turns[channel].stuck & row.space == 0,
                "channel {channel}: a VC with room is thought stuck"
            );
        }
        let listed = self.state.channels.iter().filter(|row| row.listed).count();
        law!(listed == self.state.active.len(), "{listed} channels marked, not all listed");
        let landing: usize = self.general.wheel.iter().map(Vec::len).sum();
        let busy: u32 = self.general.busy.iter().map(|mask| mask.count_ones()).sum();
        law!(
            landing as u64 == self.general.under_way && landing as u32 == busy,
            "{landing} flits will land, {} counted, {busy} VCs busy",
            self.general.under_way
        );
        self.check_ejections()
    }

    /// A VC's buffer: the order of the holds in it, the slots they take, and the channel's masks.
    fn check_buffer(&self, slot: u32) -> Result<(), String> {
        let state = &self.state;
        let (channel, v) = state.split(slot);
        let row = &state.channels[channel];
        let bit = |mask: u32| mask >> v & 1 == 1;
        if !bit(state.vcs_of(channel, self.network.links())) {
            law!(state.holds[slot as usize].worm == NONE, "VC {v} of {channel} does not exist");
            return Ok(());
        }
        let name = || format!("VC {v} of channel {channel}");
        let buffer = state.buffers[slot as usize];
        let own = &state.holds[slot as usize];
        let held = !bit(row.free);
        let sinks = held && own.next == SINK;
        let mut inside = self.on_the_way(slot);
        if sinks {
            inside = 0;
        }
        if self.switching.release == Release::Sent {
            let (mut at, mut older) = (buffer.front, NONE);
            while at != NONE {
                let (hold, berth) = (&state.holds[at as usize], state.berths[at as usize]);
                law!(hold.worm != NONE, "{}: an empty hold in its buffer", name());
                law!(
                    berth.older == older && state.place(at) == Place::Vc(slot),
                    "{}: its buffer is not in order",
                    name()
                );
                law!(
                    at == slot || (hold.prev == NONE && hold.left == 0 && hold.here > 0),
                    "{}: an older worm is not all in",
                    name()
                );
                law!(
                    at == buffer.front || hold.next == NONE,
                    "{}: a worm has overtaken another in its buffer",
                    name()
                );
                inside += hold.here;
                older = at;
                at = berth.younger;
            }
            law!(buffer.last == older, "{}: the end of its buffer is lost", name());
            law!(
                held || own.worm == NONE || (own.prev == NONE && own.here > 0),
                "{}: free but not all in",
                name()
            );
            law!(!held || own.worm != NONE, "{}: held by nobody", name());
        } else {
            law!(held == (own.worm != NONE), "{}: free and held at once", name());
            inside += own.here;
        }
        law!(
            inside == buffer.occupied && inside <= state.buffer_flits,
            "{}: {inside} flits, {} slots taken of {}",
            name(),
            buffer.occupied,
            state.buffer_flits
        );
        let space = sinks || inside < state.buffer_flits;
        law!(bit(row.space) == space, "{}: its space bit is wrong", name());
        let behind = held && own.prev != NONE && state.holds[own.prev as usize].here > 0;
        law!(bit(row.flit) == behind, "{}: its flit bit is wrong", name());
        Ok(())
    }

    fn check_ejections(&self) -> Result<(), String> {
        let state = &self.state;
        for row in state.slots..state.holds.len() as u32 {
            let hold = &state.holds[row as usize];
            if hold.worm == NONE || state.place(row) != Place::Ejection {
                continue;
            }
            let listed = state.berths[row as usize].listed;
            law!(
                listed == self.general.ejecting.contains(&row),
                "an ejecting worm is marked and not listed"
            );
            law!(
                listed || state.holds[hold.prev as usize].here == 0,
                "an ejecting worm is forgotten"
            );
        }
        Ok(())
    }
}
