//! Hashes the state that can influence future events of worms.
//!
//! Worms are hashed by their permanent names (source and serial number), never by rows. Every field
//! is named: a new field is either hashed or omitted on purpose.

use super::engine::WormholeEngine;
use super::records::{Buffer, Channel, Hold, Way, Worm, bits};
use super::state::State;
use crate::random::mix;
use crate::units::Cycle;

impl WormholeEngine {
    /// Implements [`crate::engine::Simulator::fingerprint`]; requires a state without free runs.
    pub(super) fn hash(&self) -> u64 {
        #[rustfmt::skip]
        let Self {
            common, now, state, switching,
            // Fixed by the scenario, without effect on results, or scratch storage.
            ports: _, runs: _, free_runs: _, prefers: _, straight: _, detours: _, counts: _, shuffle: _,
            work: _,
            // Follows from the positions of messages.
            endpoints: _,
        } = self;
        let words = [common.counters.flit_hops, common.counters.message_cycles];
        let mut hash = words.into_iter().fold(common.fingerprint(Cycle(*now)), mix);
        if !switching.moves_by_default() {
            hash = state.hash_buffers(hash);
            hash = state.hash_flights(hash, *now);
        }
        state.fingerprint(hash)
    }
}

impl State {
    /// Hashes the state common to all machines.
    fn fingerprint(&self, mut hash: u64) -> u64 {
        #[rustfmt::skip]
        let Self {
            shift, holds, channels, heads, worms, closed,
            // Fixed by the scenario.
            virtual_channels: _, buffer_flits: _, slots: _, links: _, terminal_vcs: _, pace: _, paces: _,
            flit_by_flit: _, arrivals_done: _,
            // Hashed separately below.
            crossings: _, landings: _, credits: _, places: _, buffers: _, ejected: _,
            // Derived from other fields, without effect on results, or for display only.
            spare_holds: _, spare_worms: _, came: _, requested: _, active: _,
            space: _, claims: _, emitting: _, emitter: _, delayed: _, blocked: _, ejecting: _, busy: _, decisions: _,
            eject_claims: _,
        } = self;
        for (row, channel) in channels.iter().enumerate() {
            #[rustfmt::skip]
            // Closed channels are hashed with the state common to all engines.
            let &Channel {
                crossed, pointer,
                free: _, flit: _, run: _, from: _, to: _, listed: _, closed: _, stalled: _,
            } = channel;
            let free = closed.unheld(row, channel);
            hash = mix(hash, u64::from(pointer) << 32 | u64::from(free));
            hash = mix(hash, crossed);
            for v in bits(self.vcs_of(row) & !free) {
                let hold = &holds[(row << shift) + v as usize];
                // Flits under way are hashed with the wheels, if any.
                let &Hold { worm, here, left, prev: _, next: _, flying: _, end: _ } = hold;
                hash = worms[worm as usize].hash(hash, v);
                hash = mix(hash, u64::from(here) << 32 | u64::from(left));
            }
        }
        for router in 0..heads.len() {
            for at in self.waiting_at(router) {
                let worm = &worms[at as usize];
                hash = mix(mix(hash, u64::from(worm.source)), worm.serial);
            }
            hash = mix(hash, 0);
        }
        hash
    }

    /// Hashes the order of holds in buffers, and the owners of flits under way.
    fn hash_buffers(&self, mut hash: u64) -> u64 {
        for slot in 0..self.slots {
            // The lists of holds are traversed; other fields follow from the lists and the wheels,
            // or serve only the analysis of waits.
            #[rustfmt::skip]
            let Buffer {
                front: _, last: _, occupied: _, lands: _, granted: _, left: _, credits: _,
            } = self.buffers[slot as usize];
            for at in self.in_buffer(slot) {
                let worm = self.worm_of(at);
                hash = mix(worm.hash(hash, self.hold(at).here), worm.rank);
            }
            // Flits consumed on arrival occupy no buffer.
            let own = (self.hold(slot).flying > 0).then_some(slot);
            for at in self.landing(slot).chain(own) {
                hash = self.worm_of(at).hash(hash, self.hold(at).flying);
            }
        }
        self.ejected.iter().fold(hash, |hash, &slot| mix(hash, u64::from(slot)))
    }

    /// Hashes flits and credits under way.
    fn hash_flights(&self, hash: u64, now: u64) -> u64 {
        // Rows of ejecting worms may differ between equal states; the names of their worms do not.
        let name = |row: u32| {
            if row < self.slots {
                return u64::from(row);
            }
            let worm = self.worm_of(row);
            mix(u64::from(worm.source) | 1 << 32, worm.serial)
        };
        let wheels = [&self.crossings, &self.landings, &self.credits];
        wheels.into_iter().fold(hash, |hash, wheel| wheel.fingerprint(now, hash, name))
    }
}

impl Worm {
    /// Hashes the name of the worm with a number. Other fields that determine its future follow
    /// from the name, the holds or the place of waiting, except for the rank.
    fn hash(&self, hash: u64, number: u32) -> u64 {
        #[rustfmt::skip]
        let Self {
            source, serial, rank: _, way, count,
            header: _, born: _, entered: _, requests_since: _, stopped_since: _, tie: _, destination: _,
            length: _, hops: _, head: _, at: _, waits_next: _, waits: _, letter: _, live: _, motion: _,
            tail: _, due: _, class: _, looked: _, class_next: _, class_before: _,
            class_last: _, class_ties: _, ahead: _, longest_wait: _, longest_wait_for: _, own_pace: _,
        } = *self;
        let hash = mix(mix(hash, u64::from(source) << 32 | u64::from(number)), serial);
        let hash = if count == 0 { hash } else { mix(hash, u64::from(count)) };
        match way {
            Way::Open => hash,
            Way::Direct | Way::Detour => mix(hash, way as u64),
        }
    }
}
