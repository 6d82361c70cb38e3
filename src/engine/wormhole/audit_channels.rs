//! Checks the laws of channels, buffers, flits under way, and work lists.

use super::engine::WormholeEngine;
use super::records::{NONE, Place, SINK};
use crate::engine::tables::{counted, law};
use crate::ids::ChannelId;
use crate::switching::Release;

impl WormholeEngine {
    /// Checks that the masks of channels agree with the holds, and that every movable flit is on
    /// the work list.
    pub(super) fn check_channels(&self) -> Result<(), String> {
        let state = &self.state;
        let mut returning = vec![0u32; state.slots as usize];
        for (_, vc) in state.credits.ahead(self.now) {
            returning[vc as usize] += 1;
        }
        for (slot, &returning) in (0..).zip(&returning) {
            let (channel, v) = state.split(slot);
            self.check_buffer(slot, returning)
                .map_err(|law| format!("VC {v} of channel {channel}: {law}"))?;
        }
        for (channel, (row, space)) in state.channels.iter().zip(&*state.space).enumerate() {
            let busy = match state.busy.get(channel).copied().unwrap_or(0) {
                some if some > 0 && !state.pace.private => u32::MAX,
                busy => busy,
            };
            let forgotten = !row.listed && row.flit & space & !busy != 0 && !row.stalled;
            law!(!forgotten, "channel {channel}: a movable flit is not on the work list");
            let stuck = state.decisions.get(channel).map_or(0, |decision| decision.stuck);
            law!(stuck & space == 0, "channel {channel}: a VC with room is marked stuck");
            let grants = !row.closed || row.free == 0;
            law!(grants, "channel {channel}: closed, but a VC can be granted");
            let stalls = row.closed && self.common.stalls();
            law!(row.stalled == stalls, "channel {channel}: stalled, but open");
            let closed = self.common.down.contains(&ChannelId::new(channel));
            let known = row.closed == closed && closed == state.closed.aside(channel).is_some();
            law!(known, "channel {channel}: open and closed at once");
        }
        let listed = state.channels.iter().filter(|row| row.listed).count();
        counted("channels marked", listed, state.active.len())?;
        self.check_ejections()
    }

    /// Checks that flits and credits under way agree with the holds.
    pub(super) fn check_flights(&self) -> Result<(), String> {
        let state = &self.state;
        for (name, wheel) in [
            ("crossings to come", &state.crossings),
            ("landings to come", &state.landings),
            ("credits to come", &state.credits),
        ] {
            law!(wheel.is_sound(), "{name}: a cycle with entries is not marked");
        }
        let mut will_land = vec![0u32; state.holds.len()];
        let mut crossing = vec![0u32; state.channels.len()];
        for (_, vc) in state.crossings.ahead(self.now) {
            will_land[vc as usize] += u32::from(state.pace.private);
            let (channel, v) = state.split(vc);
            law!(
                crossing[channel] >> v & 1 == 0,
                "VC {v} of channel {channel}: two flits cross at once"
            );
            crossing[channel] |= 1 << v;
        }
        let known = state.busy.is_empty() || crossing == *state.busy;
        law!(known, "the sending channels are not those with crossings under way");
        for (_, row) in state.landings.ahead(self.now) {
            will_land[row as usize] += 1;
        }
        let mut shelved = vec![0u32; state.slots as usize];
        for row in 0..state.holds.len() as u32 {
            let hold = state.hold(row);
            if hold.worm == NONE || hold.flying == 0 {
                continue;
            }
            // Flits are sent to a VC, regardless of the row of the hold, but to the row of an
            // ejection.
            let to = match state.place(row) {
                Place::Vc(slot) => slot,
                Place::Ejection => row,
                Place::Source => {
                    return Err(format!("{} flits under way to a source", hold.flying));
                }
            };
            let rest = will_land[to as usize].checked_sub(hold.flying);
            will_land[to as usize] =
                rest.ok_or_else(|| format!("hold {row}: more flits under way than will land"))?;
            if to != row {
                shelved[to as usize] += 1;
            }
        }
        let lost = will_land.iter().position(|&rest| rest > 0);
        law!(lost.is_none(), "hold {lost:?}: more flits will land than are under way");
        (0..state.buffers.len()).try_for_each(|slot| self.check_landing(slot as u32, shelved[slot]))
    }

    /// Checks that flits under way over a VC belong to its holds, the oldest first.
    fn check_landing(&self, slot: u32, shelved: u32) -> Result<(), String> {
        let state = &self.state;
        let mut count = 0;
        for at in state.landing(slot) {
            let flies = state.hold(at).flying > 0 && state.place(at) == Place::Vc(slot);
            let waits = at >= state.slots && flies;
            law!(waits, "VC slot {slot}: no flits are under way to a hold that expects some");
            count += 1;
        }
        law!(shelved == count, "VC slot {slot}: flits under way to an older worm are missing");
        Ok(())
    }

    /// Checks the buffer of a VC: the order of its holds, the occupied slots, and the masks of the
    /// channel.
    fn check_buffer(&self, slot: u32, returning: u32) -> Result<(), String> {
        let state = &self.state;
        let (channel, v) = state.split(slot);
        let (row, own) = (&state.channels[channel], state.hold(slot));
        let bit = |mask: u32| mask >> v & 1 == 1;
        if !bit(state.vcs_of(channel)) {
            law!(own.worm == NONE, "held, but does not exist");
            return Ok(());
        }
        let held = !bit(state.closed.unheld(channel, row));
        let sinks = held && own.next == SINK;
        let inside = if self.switching.release == Release::Sent {
            let sent = own.prev == NONE && own.here + own.flying > 0;
            law!(held || own.worm == NONE || sent, "free, but not completely sent");
            law!(!held || own.worm != NONE, "held, but not by a worm");
            self.check_order(slot)?
        } else {
            law!(held == (own.worm != NONE), "both free and held");
            if sinks { 0 } else { own.here + own.flying }
        };
        let occupied = state.buffers.get(slot as usize).map_or(inside, |buffer| buffer.occupied);
        let (taken, slots) = (inside + returning, state.buffer_flits);
        let right = taken == occupied && occupied <= slots;
        law!(
            right,
            "{taken} flits and returning credits, but {occupied} of {slots} slots occupied"
        );
        law!(bit(state.space[channel]) == (sinks || occupied < slots), "its space bit is wrong");
        let fed = held && own.prev != NONE;
        let behind = fed && state.hold(own.prev).here > 0;
        law!(bit(row.flit) == behind, "its flit bit is wrong");
        Ok(())
    }

    /// Checks the order of the holds in a buffer. Returns the number of flits inside or on their
    /// way.
    fn check_order(&self, slot: u32) -> Result<u32, String> {
        let state = &self.state;
        let buffer = &state.buffers[slot as usize];
        let (mut inside, mut older) = (0, NONE);
        for at in state.in_buffer(slot) {
            let (hold, place) = (state.hold(at), state.places[at as usize]);
            let here = hold.here + hold.flying;
            law!(hold.worm != NONE, "an empty hold in its buffer");
            let in_order = place.older == older && state.place(at) == Place::Vc(slot);
            law!(in_order, "the holds in its buffer are out of order");
            let sent = hold.prev == NONE && hold.left == 0 && here > 0;
            law!(at == slot || sent, "an older worm is not completely sent");
            let behind = at == buffer.front || hold.next == NONE;
            law!(behind, "a worm has overtaken another in its buffer");
            let landed = older == NONE || state.hold(older).flying == 0 || hold.here == 0;
            law!(landed, "a flit has overtaken another under way");
            inside += here;
            older = at;
        }
        law!(buffer.last == older, "the youngest hold in its buffer is wrong");
        Ok(inside)
    }

    fn check_ejections(&self) -> Result<(), String> {
        let state = &self.state;
        for row in state.slots..state.holds.len() as u32 {
            let hold = state.hold(row);
            if hold.worm != NONE && state.place(row) == Place::Ejection {
                let listed = state.places[row as usize].listed;
                let known = listed == state.ejecting.contains(&row);
                law!(known, "the mark of an ejecting worm disagrees with the list");
                let flits = hold.prev != NONE && state.hold(hold.prev).here > 0;
                law!(listed || !flits, "an ejecting worm with flits is not listed");
            }
        }
        Ok(())
    }
}
