//! The hash of all that can influence the future of worms, by names of worms that last (source and
//! serial), never by rows. Every field is named, so that a new one is either hashed or left out on
//! purpose.

use super::engine::WormholeEngine;
use super::records::{Buffer, Channel, Hold, Worm, bits};
use super::state::State;
use crate::random::mix;
use crate::units::Cycle;

impl WormholeEngine {
    /// See [`crate::engine::Simulator::fingerprint`]; no worm runs free.
    pub(super) fn hash(&self) -> u64 {
        #[rustfmt::skip]
        let Self {
            common, now, state, switching,
            // What the scenario fixes, what changes the cost alone, and scratch.
            ports: _, runs: _, free_runs: _, prefers: _, straight: _, counts: _, shuffle: _, work: _,
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
    /// Hashes what is there under any machine.
    fn fingerprint(&self, mut hash: u64) -> u64 {
        #[rustfmt::skip]
        let Self {
            shift, holds, channels, heads, worms, closed,
            // What the scenario fixes.
            virtual_channels: _, buffer_flits: _, slots: _, links: _, terminal_vcs: _, pace: _,
            flit_by_flit: _, come_in: _,
            // What has its own hash below.
            crossings: _, landings: _, credits: _, places: _, buffers: _, ejected: _,
            // What follows from the rest, changes the cost alone, or is for people.
            spare_holds: _, spare_worms: _, came: _, requested: _, active: _,
            space: _, claims: _, emitting: _, emitter: _, held: _, blocked: _, ejecting: _, busy: _, decisions: _,
            eject_claims: _,
        } = self;
        for (row, channel) in channels.iter().enumerate() {
            #[rustfmt::skip]
            // Which are closed is hashed with what engines have in common.
            let &Channel {
                crossed, pointer,
                free: _, flit: _, run: _, from: _, to: _, listed: _, closed: _,
            } = channel;
            let free = closed.unheld(row, channel);
            hash = mix(hash, u64::from(pointer) << 32 | u64::from(free));
            hash = mix(hash, crossed);
            for v in bits(self.vcs_of(row) & !free) {
                let hold = &holds[(row << shift) + v as usize];
                // What flies is hashed with the wheels, where there are any.
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

    /// Hashes the order in buffers, and whose flits are under way to them.
    fn hash_buffers(&self, mut hash: u64) -> u64 {
        for slot in 0..self.slots {
            // The lists of holds are gone through; the rest follows from them and the wheels, or is
            // for looks at waits alone.
            #[rustfmt::skip]
            let Buffer {
                front: _, last: _, occupied: _, lands: _, granted: _, left: _, credits: _,
            } = self.buffers[slot as usize];
            for at in self.in_buffer(slot) {
                let worm = self.worm_of(at);
                hash = mix(worm.hash(hash, self.hold(at).here), worm.rank);
            }
            // Those that are consumed as they come stand in no buffer.
            let own = (self.hold(slot).flying > 0).then_some(slot);
            for at in self.landing(slot).chain(own) {
                hash = self.worm_of(at).hash(hash, self.hold(at).flying);
            }
        }
        self.ejected.iter().fold(hash, |hash, &slot| mix(hash, u64::from(slot)))
    }

    /// Hashes what is under way from one cycle to another.
    fn hash_flights(&self, hash: u64, now: u64) -> u64 {
        // Rows of ejecting worms may differ between equal states: their worms' names do not.
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
    /// Hashes its name with a number. What else decides its future follows from the name, from the
    /// holds or from where it waits, but for its rank.
    fn hash(&self, hash: u64, number: u32) -> u64 {
        #[rustfmt::skip]
        let Self {
            source, serial, rank: _,
            header: _, born: _, entered: _, requests_since: _, stands_since: _, tie: _, destination: _,
            length: _, hops: _, head: _, at: _, waits_next: _, waits: _, letter: _, live: _, motion: _,
            tail: _, due: _, class: _, looked: _, class_next: _, class_before: _,
            class_last: _, ahead: _, longest_wait: _, longest_wait_for: _,
        } = *self;
        mix(mix(hash, u64::from(source) << 32 | u64::from(number)), serial)
    }
}
