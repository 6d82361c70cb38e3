//! The laws of channels and buffers, of flits on their way, and of work lists.

use super::engine::WormholeEngine;
use super::records::{Buffer, NONE, Place, SINK, list};
use crate::engine::tables::law;
use crate::switching::{Injection, Release, Terminals};

impl WormholeEngine {
    /// The masks of channels say what the holds say, and every movable flit is on the work list.
    pub(super) fn check_channels(&self) -> Result<(), String> {
        let state = &self.state;
        let mut returning = vec![0u32; state.slots as usize];
        for (_, vc) in state.credits.ahead(self.now) {
            returning[vc as usize] += 1;
        }
        for slot in 0..state.slots {
            self.check_buffer(slot, returning[slot as usize])?;
        }
        for (channel, row) in state.channels.iter().enumerate() {
            let busy = state.busy.get(channel).copied().unwrap_or(0);
            law!(
                row.listed || row.flit & row.space & !busy == 0,
                "channel {channel}: a movable flit is forgotten"
            );
            let stuck = state.decisions.get(channel).map_or(0, |decision| decision.stuck);
            law!(stuck & row.space == 0, "channel {channel}: a VC with room is thought stuck");
        }
        let listed = state.channels.iter().filter(|row| row.listed).count();
        law!(listed == state.active.len(), "{listed} channels marked, not all listed");
        self.check_ejections()
    }

    /// What is under way is as much as the holds say.
    pub(super) fn check_flights(&self) -> Result<(), String> {
        let state = &self.state;
        for (name, wheel) in [
            ("crossings", &state.crossings),
            ("landings", &state.landings),
            ("credits", &state.credits),
        ] {
            let found = wheel.ahead(self.now).count();
            law!(found as u64 == wheel.len(), "{found} {name} to come, {} counted", wheel.len());
        }
        let mut will_land = vec![0u32; state.holds.len()];
        let mut crossing = vec![0u32; state.channels.len()];
        for (_, vc) in state.crossings.ahead(self.now) {
            will_land[vc as usize] += 1;
            let (channel, v) = state.split(vc);
            law!(crossing[channel] >> v & 1 == 0, "VC {v} of channel {channel}: two flits at once");
            crossing[channel] |= 1 << v;
        }
        law!(
            state.busy.is_empty() || crossing == state.busy,
            "channels are thought to send, and do not"
        );
        for (_, row) in state.landings.ahead(self.now) {
            will_land[row as usize] += 1;
        }
        for row in 0..state.holds.len() as u32 {
            let hold = &state.holds[row as usize];
            if hold.worm == NONE || hold.flying == 0 {
                continue;
            }
            // Flits are sent to a VC, whichever row its holds are in; to an ejection by its row.
            let to = match state.place(row) {
                Place::Vc(slot) => slot,
                Place::Ejection => row,
                Place::Source => return Err(format!("{} flits fly to a source", hold.flying)),
            };
            let rest = will_land[to as usize].checked_sub(hold.flying);
            let Some(rest) = rest else {
                return Err(format!("hold {row}: more flits fly than will land"));
            };
            will_land[to as usize] = rest;
        }
        let lost = will_land.iter().position(|&rest| rest > 0);
        law!(lost.is_none(), "hold {lost:?}: more flits will land than fly");
        let mut shelved = vec![0u32; state.slots as usize];
        for row in state.slots..state.holds.len() as u32 {
            if state.holds[row as usize].flying > 0 && state.slot_of(row) < state.slots {
                shelved[state.slot_of(row) as usize] += 1;
            }
        }
        (0..state.buffers.len()).try_for_each(|slot| self.check_landing(slot as u32, shelved[slot]))
    }

    /// Flits under way over a VC belong to its holds, the oldest first.
    fn check_landing(&self, slot: u32, shelved: u32) -> Result<(), String> {
        let state = &self.state;
        let buffer = state.buffers[slot as usize];
        let (mut last, mut count) = (NONE, 0);
        for at in list(buffer.lands, |at| state.places[at as usize].then) {
            let hold = &state.holds[at as usize];
            law!(
                at >= state.slots && hold.flying > 0 && state.place(at) == Place::Vc(slot),
                "VC slot {slot}: nothing flies to a hold that waits for it"
            );
            count += 1;
            last = at;
        }
        law!(
            last == NONE || last == buffer.lands_last,
            "VC slot {slot}: the last of its flights is lost"
        );
        law!(shelved == count, "VC slot {slot}: flights of an older worm are forgotten");
        Ok(())
    }

    /// A VC's buffer: the order of the holds in it, the slots they take, and the channel's masks.
    fn check_buffer(&self, slot: u32, returning: u32) -> Result<(), String> {
        let state = &self.state;
        let (channel, v) = state.split(slot);
        let row = &state.channels[channel];
        let bit = |mask: u32| mask >> v & 1 == 1;
        if !bit(state.vcs_of(channel)) {
            law!(state.holds[slot as usize].worm == NONE, "VC {v} of {channel} does not exist");
            return Ok(());
        }
        let name = || format!("VC {v} of channel {channel}");
        let mut buffer = state.buffers.get(slot as usize).copied().unwrap_or(Buffer::EMPTY);
        let own = &state.holds[slot as usize];
        let held = !bit(row.free);
        let sinks = held && own.next == SINK;
        let mut inside = 0;
        if self.switching.release == Release::Sent {
            let mut older = NONE;
            for at in list(buffer.front, |at| state.places[at as usize].younger) {
                let (hold, place) = (&state.holds[at as usize], state.places[at as usize]);
                law!(hold.worm != NONE, "{}: an empty hold in its buffer", name());
                law!(
                    place.older == older && state.place(at) == Place::Vc(slot),
                    "{}: its buffer is not in order",
                    name()
                );
                law!(
                    at == slot
                        || (hold.prev == NONE && hold.left == 0 && hold.here + hold.flying > 0),
                    "{}: an older worm is not all sent",
                    name()
                );
                law!(
                    at == buffer.front || hold.next == NONE,
                    "{}: a worm has overtaken another in its buffer",
                    name()
                );
                law!(
                    older == NONE || state.holds[older as usize].flying == 0 || hold.here == 0,
                    "{}: a flit has overtaken another on its way",
                    name()
                );
                inside += hold.here + hold.flying;
                older = at;
            }
            law!(buffer.last == older, "{}: the end of its buffer is lost", name());
            law!(
                held || own.worm == NONE || (own.prev == NONE && own.here + own.flying > 0),
                "{}: free but not all sent",
                name()
            );
            law!(!held || own.worm != NONE, "{}: held by nobody", name());
        } else {
            law!(held == (own.worm != NONE), "{}: free and held at once", name());
            inside += if sinks { 0 } else { own.here + own.flying };
        }
        if state.buffers.is_empty() {
            buffer.occupied = inside;
        }
        law!(
            inside + returning == buffer.occupied && buffer.occupied <= state.buffer_flits,
            "{}: {inside} flits in it or on their way, {} slots taken of {}, \
             {} credits on their way",
            name(),
            buffer.occupied,
            state.buffer_flits,
            returning
        );
        let space = sinks || buffer.occupied < state.buffer_flits;
        law!(bit(row.space) == space, "{}: its space bit is wrong", name());
        let behind = held && own.prev != NONE && state.holds[own.prev as usize].here > 0;
        law!(bit(row.flit) == behind, "{}: its flit bit is wrong", name());
        let one_flit = self.switching.injection == Injection::OneFlitPerCycle
            && self.switching.terminals == Terminals::Direct;
        let fed = held && own.prev != NONE && state.place(own.prev) == Place::Source;
        law!(bit(row.source) == (fed && one_flit), "{}: its source bit is wrong", name());
        Ok(())
    }

    fn check_ejections(&self) -> Result<(), String> {
        let state = &self.state;
        for row in state.slots..state.holds.len() as u32 {
            let hold = &state.holds[row as usize];
            if hold.worm == NONE || state.place(row) != Place::Ejection {
                continue;
            }
            let listed = state.places[row as usize].listed;
            law!(
                listed == self.state.ejecting.contains(&row),
                "an ejecting worm is marked and not listed"
            );
            law!(
                listed || hold.prev == NONE || state.holds[hold.prev as usize].here == 0,
                "an ejecting worm is forgotten"
            );
        }
        Ok(())
    }
}
