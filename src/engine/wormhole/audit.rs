//! The conservation laws, checked against the whole state, from outside the code that keeps them.

use super::general::Place;
use super::state::{NONE, SINK};
use super::{Candidate, WormholeEngine};
use crate::ids::NodeId;
use crate::switching::Injection;

/// Fails with a law's name and numbers.
macro_rules! law {
    ($holds:expr, $($law:tt)+) => {
        if !$holds {
            return Err(format!($($law)+));
        }
    };
}

pub(super) use law;

impl WormholeEngine {
    /// Every law; the first broken one is named.
    pub(super) fn check_laws(&self) -> Result<(), String> {
        let held = self.check_worms()?;
        if self.plain {
            self.check_channels(held)?;
        } else {
            self.check_general()?;
        }
        self.check_queues()?;
        self.check_totals()
    }

    /// What runs free is alone on its channels, and is counted.
    pub(super) fn check_runs(&self) -> Result<(), String> {
        let state = &self.state;
        let mut channels = 0;
        for (channel, row) in state.channels.iter().enumerate().filter(|(_, row)| row.run != 0) {
            channels += 1;
            law!(row.run.is_power_of_two(), "channel {channel}: two worms run on it");
            let vc = (channel << state.shift) + row.run.trailing_zeros() as usize;
            let worm = state.holds[vc].worm;
            law!(
                worm != NONE && state.worms[worm as usize].runs,
                "channel {channel}: what runs on it does not run"
            );
            let parted = self.runs.clashes.contains(&worm);
            law!(row.flit == 0 || parted, "channel {channel}: a flit beside a free run");
        }
        law!(
            channels == self.runs.channels,
            "{channels} channels run, {} counted",
            self.runs.channels
        );
        let running = || state.worms.iter().filter(|worm| worm.live && worm.runs);
        let sinks =
            running().filter(|worm| state.holds[worm.head as usize].next == SINK).count() as u64;
        law!(sinks == self.runs.sinks, "{sinks} sinks run, {} counted", self.runs.sinks);
        Ok(())
    }

    /// Worms are whole: every flit is at the source, in a buffer that the worm holds, or consumed;
    /// holds form one chain from tail to head. Answers the number of VCs held.
    fn check_worms(&self) -> Result<usize, String> {
        let state = &self.state;
        let (mut held, mut holds) = (0, 0);
        for (row, worm) in state.worms.iter().enumerate().filter(|(_, worm)| worm.live) {
            let name = format!("message {} of node {}", worm.serial, worm.source);
            if worm.head == NONE {
                law!(worm.entered == u64::MAX, "{name} waits at its source but has entered");
                continue;
            }
            let (mut at, mut inside, mut front) = (worm.head, 0, NONE);
            let consumed = match state.holds[worm.head as usize].next {
                SINK => {
                    let hold = &state.holds[at as usize];
                    worm.length - hold.left - hold.flying
                }
                _ => 0,
            };
            while at != NONE {
                let hold = &state.holds[at as usize];
                holds += 1;
                let here = hold.here + hold.flying;
                law!(hold.worm as usize == row, "{name} has a hold of another worm");
                if front != NONE {
                    law!(hold.next == front, "{name}: its holds are not chained both ways");
                    let to_come = state.holds[front as usize].left;
                    law!(
                        to_come == here + hold.left,
                        "{name}: {to_come} flits to come, {} behind",
                        here + hold.left
                    );
                }
                inside += here;
                if state.place(at) == Place::Ejection {
                    law!(hold.here == 0 && hold.next == SINK, "{name}: its ejection keeps flits");
                } else if state.place(at) == Place::Source {
                    law!(
                        hold.prev == NONE && hold.left == 0,
                        "{name}: something is behind its source"
                    );
                } else {
                    held += 1;
                    law!(
                        here <= state.buffer_flits || hold.next == SINK,
                        "{name}: {here} flits in a buffer of {}",
                        state.buffer_flits
                    );
                    law!(hold.prev != NONE || hold.left == 0, "{name}: its tail is lost");
                }
                front = at;
                at = hold.prev;
            }
            law!(
                inside + consumed == worm.length,
                "{name}: {inside} flits inside and {consumed} consumed of {}",
                worm.length
            );
        }
        let slots = state.slots as usize;
        let in_use = state.holds[..slots].iter().filter(|hold| hold.worm != NONE).count()
            + (state.holds.len() - slots - state.sources_spare.len());
        law!(holds == in_use, "{in_use} holds in use, {holds} belong to worms");
        Ok(held)
    }

    /// The masks say what the holds say, and every movable flit is on the work list.
    fn check_channels(&self, held: usize) -> Result<(), String> {
        let state = &self.state;
        let mut taken = 0;
        for (channel, row) in state.channels.iter().enumerate() {
            for v in 0..state.virtual_channels {
                let bit = |mask: u32| mask >> v & 1 == 1;
                let name = || format!("VC {v} of channel {channel}");
                let hold = &state.holds[(channel << state.shift) + v as usize];
                law!(bit(row.free) == (hold.worm == NONE), "{}: free and held at once", name());
                if hold.worm == NONE {
                    law!(bit(row.space), "{}: free but without space", name());
                    law!(!bit(row.flit) && !bit(row.source), "{}: free but fed", name());
                    continue;
                }
                taken += 1;
                let space = hold.next == SINK || hold.here < state.buffer_flits;
                law!(bit(row.space) == space, "{}: its space bit is wrong", name());
                let behind = hold.prev != NONE && state.holds[hold.prev as usize].here > 0;
                law!(bit(row.flit) == behind, "{}: its flit bit is wrong", name());
                let fed = hold.prev != NONE && state.is_source(hold.prev);
                law!(bit(row.source) == fed, "{}: its source bit is wrong", name());
            }
            law!(
                row.listed || row.flit & row.space == 0,
                "channel {channel}: a movable flit is forgotten"
            );
        }
        law!(taken == held, "{taken} VCs taken, {held} held by worms");
        let listed = state.channels.iter().filter(|row| row.listed).count();
        law!(
            listed == state.active.len(),
            "{listed} channels marked, {} listed",
            state.active.len()
        );
        Ok(())
    }

    /// Every head that waits is in its router's list, in order of age, and no router forgets one
    /// that could be served.
    fn check_queues(&self) -> Result<(), String> {
        let state = &self.state;
        let mut waiting = vec![0u32; self.network.nodes()];
        let mut blocked = 0;
        for (router, &first) in state.waiting.iter().enumerate() {
            let mut at = first;
            while at != NONE {
                let worm = &state.worms[at as usize];
                law!(
                    worm.live && worm.waits && worm.at as usize == router,
                    "router {router}: a stranger waits"
                );
                if worm.waits_next != NONE {
                    let next = &state.worms[worm.waits_next as usize];
                    law!(worm.priority() < next.priority(), "router {router}: heads out of order");
                }
                if worm.head == NONE {
                    let mut of_class = at;
                    while of_class != NONE {
                        let member = &state.worms[of_class as usize];
                        law!(
                            (member.class == worm.class || of_class == at || self.one_class())
                                && member.source == worm.source,
                            "router {router}: a class is mixed"
                        );
                        waiting[member.source as usize] += 1;
                        let next = member.class_next;
                        law!(
                            next == NONE
                                || member.priority() < state.worms[next as usize].priority(),
                            "router {router}: a class is out of order"
                        );
                        of_class = next;
                    }
                } else {
                    blocked += 1;
                }
                self.check_not_forgotten(router, at)?;
                at = worm.waits_next;
            }
        }
        let marks = state.asked_mark.iter().filter(|&&mark| mark).count();
        law!(marks == state.asked.len(), "{marks} routers marked, {} listed", state.asked.len());
        law!(blocked == state.blocked, "{blocked} heads blocked, {} counted", state.blocked);
        for (node, &count) in waiting.iter().enumerate() {
            let counted = self.sources.waiting(NodeId::new(node));
            law!(count == counted, "node {node}: {count} messages wait, {counted} counted");
        }
        Ok(())
    }

    fn check_not_forgotten(&self, router: usize, worm: u32) -> Result<(), String> {
        let state = &self.state;
        if state.asked_mark[router] {
            return Ok(());
        }
        let mut candidates = Vec::new();
        let ejects = self.wanted(worm, &mut candidates);
        law!(!ejects, "router {router}: a head at its destination waits");
        let row = &state.worms[worm as usize];
        let serial = self.switching.injection == Injection::OneMessage;
        if serial && row.head == NONE && state.emitting[row.source as usize] > 0 {
            return Ok(());
        }
        let free = candidates.iter().any(|&candidate| {
            let free = state.channels[candidate.channel.index()].free & candidate.vcs;
            self.with_room(worm, Candidate { vcs: free, ..candidate }) != 0
        });
        law!(!free, "router {router}: a head waits for a free VC and is not looked at");
        Ok(())
    }

    /// Flits in = out + inside, and Little's law as an identity: the sum over cycles of the
    /// messages present is the sum over messages of the cycles they were present.
    fn check_totals(&self) -> Result<(), String> {
        let state = &self.state;
        let (mut inside, mut present, mut sojourn) = (0u64, 0u64, self.counters.latency_sum);
        for worm in state.worms.iter().filter(|worm| worm.live) {
            present += 1;
            sojourn += self.now - worm.born;
            let mut at = worm.head;
            while at != NONE {
                let hold = &state.holds[at as usize];
                if state.place(at) != Place::Source {
                    inside += u64::from(hold.here + hold.flying);
                }
                at = hold.prev;
            }
        }
        for node in 0..self.network.nodes() {
            for born in self.sources.births_behind(NodeId::new(node)) {
                present += 1;
                sojourn += self.now - born;
            }
        }
        let counters = &self.counters;
        law!(
            counters.flits_injected == counters.flits_consumed + counters.flits_aborted + inside,
            "{} flits injected, {} consumed, {} aborted, {inside} inside",
            counters.flits_injected,
            counters.flits_consumed,
            counters.flits_aborted
        );
        law!(present == self.present, "{present} messages present, {} counted", self.present);
        let generated = self.sources.generated();
        law!(
            generated == counters.delivered + self.sources.discarded() + present,
            "{generated} messages generated, {} delivered, {} discarded, {present} present",
            counters.delivered,
            self.sources.discarded()
        );
        law!(
            sojourn == counters.message_cycles,
            "Little's law: messages were present for {sojourn} cycles, {} counted",
            counters.message_cycles
        );
        let links = &state.channels[..self.network.links()];
        let crossed: u64 = links.iter().map(|channel| channel.crossed).sum();
        law!(
            crossed == counters.flit_hops,
            "{crossed} crossings, {} flit-hops",
            counters.flit_hops
        );
        Ok(())
    }
}
