//! The conservation laws, checked against the whole state, from outside the code that keeps them.

use super::engine::WormholeEngine;
use super::records::{NONE, Place, SINK, list};
use crate::engine::tables::law;
use crate::ids::NodeId;

impl WormholeEngine {
    /// Every law but those of free runs; the first broken one is named.
    pub(super) fn check_flits(&self) -> Result<(), String> {
        self.check_worms()?;
        self.check_channels()?;
        self.check_flights()?;
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
            let vc = state.slot(channel, row.run.trailing_zeros());
            let worm = state.holds[vc as usize].worm;
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
        let running = state.live().filter(|(_, worm)| worm.runs);
        let ends = running.map(|(_, worm)| state.holds[worm.head as usize].next);
        let sinks = ends.filter(|&next| next == SINK).count() as u64;
        law!(sinks == self.runs.sinks, "{sinks} sinks run, {} counted", self.runs.sinks);
        Ok(())
    }

    /// Worms are whole: every flit is at the source, in a buffer that the worm holds, or consumed;
    /// holds form one chain from tail to head.
    fn check_worms(&self) -> Result<(), String> {
        let state = &self.state;
        let mut holds = 0;
        for (row, worm) in state.live() {
            let name = format!("message {} of node {}", worm.serial, worm.source);
            if worm.head == NONE {
                law!(worm.entered == u64::MAX, "{name} waits at its source but has entered");
                continue;
            }
            let (mut inside, mut front) = (0, NONE);
            let head = &state.holds[worm.head as usize];
            let consumed =
                if head.next == SINK { worm.length - head.left - head.flying } else { 0 };
            for at in state.holds_of(worm) {
                let hold = &state.holds[at as usize];
                holds += 1;
                let here = hold.here + hold.flying;
                law!(hold.worm == row, "{name} has a hold of another worm");
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
                    law!(
                        here <= state.buffer_flits || hold.next == SINK,
                        "{name}: {here} flits in a buffer of {}",
                        state.buffer_flits
                    );
                    law!(hold.prev != NONE || hold.left == 0, "{name}: its tail is lost");
                }
                front = at;
            }
            law!(
                inside + consumed == worm.length,
                "{name}: {inside} flits inside and {consumed} consumed of {}",
                worm.length
            );
        }
        let slots = state.slots as usize;
        let in_use = state.holds[..slots].iter().filter(|hold| hold.worm != NONE).count()
            + (state.holds.len() - slots - state.spare_holds.len());
        law!(holds == in_use, "{in_use} holds in use, {holds} belong to worms");
        Ok(())
    }

    /// Every head that waits is in its router's list, in order of age, and no router forgets one
    /// that could be served.
    fn check_queues(&self) -> Result<(), String> {
        let state = &self.state;
        let mut waiting = vec![0u32; self.common.network.nodes()];
        let mut blocked = 0;
        for router in 0..state.waiting.len() {
            for at in state.waiting_at(router) {
                let worm = &state.worms[at as usize];
                law!(
                    worm.live && worm.waits && worm.at as usize == router,
                    "router {router}: a stranger waits"
                );
                let next = state.worms.get(worm.waits_next as usize);
                law!(
                    next.is_none_or(|next| worm.priority() < next.priority()),
                    "router {router}: heads out of order"
                );
                if worm.head == NONE {
                    for of_class in list(at, |at| state.worms[at as usize].class_next) {
                        let member = &state.worms[of_class as usize];
                        law!(
                            (member.class == worm.class || of_class == at || self.one_class())
                                && member.source == worm.source,
                            "router {router}: a class is mixed"
                        );
                        waiting[member.source as usize] += 1;
                        let next = state.worms.get(member.class_next as usize);
                        law!(
                            next.is_none_or(|next| member.priority() < next.priority()),
                            "router {router}: a class is out of order"
                        );
                    }
                } else {
                    blocked += 1;
                }
                self.check_not_forgotten(router, at)?;
            }
        }
        let marks = state.asked_mark.iter().filter(|&&mark| mark).count();
        law!(marks == state.asked.len(), "{marks} routers marked, {} listed", state.asked.len());
        law!(blocked == state.blocked, "{blocked} heads blocked, {} counted", state.blocked);
        for (node, &count) in waiting.iter().enumerate() {
            let counted = self.common.sources.waiting(NodeId::new(node));
            law!(count == counted, "node {node}: {count} messages wait, {counted} counted");
        }
        Ok(())
    }

    fn check_not_forgotten(&self, router: usize, worm: u32) -> Result<(), String> {
        if self.state.asked_mark[router] || self.waits_for_its_source(worm) {
            return Ok(());
        }
        let mut candidates = Vec::new();
        let ejects = self.wanted(worm, &mut candidates);
        law!(!ejects, "router {router}: a head at its destination waits");
        let free = candidates.iter().any(|&candidate| self.to_be_had(worm, candidate) != 0);
        law!(!free, "router {router}: a head waits for a free VC and is not looked at");
        Ok(())
    }

    /// Flits in = out + inside, and Little's law as an identity: the sum over cycles of the
    /// messages present is the sum over messages of the cycles they were present.
    fn check_totals(&self) -> Result<(), String> {
        let state = &self.state;
        let (mut inside, mut present, mut sojourn) = (0u64, 0u64, self.common.counters.latency_sum);
        for (_, worm) in state.live() {
            present += 1;
            sojourn += self.now - worm.born;
            for at in state.holds_of(worm).filter(|&at| state.place(at) != Place::Source) {
                let hold = &state.holds[at as usize];
                inside += u64::from(hold.here + hold.flying);
            }
        }
        for node in 0..self.common.network.nodes() {
            for born in self.common.sources.births_behind(NodeId::new(node)) {
                present += 1;
                sojourn += self.now - born;
            }
        }
        let counters = &self.common.counters;
        law!(
            counters.flits_injected == counters.flits_consumed + counters.flits_aborted + inside,
            "{} flits injected, {} consumed, {} aborted, {inside} inside",
            counters.flits_injected,
            counters.flits_consumed,
            counters.flits_aborted
        );
        law!(
            present == self.common.present,
            "{present} messages present, {} counted",
            self.common.present
        );
        let generated = self.common.sources.generated();
        law!(
            generated == counters.delivered + self.common.sources.discarded() + present,
            "{generated} messages generated, {} delivered, {} discarded, {present} present",
            counters.delivered,
            self.common.sources.discarded()
        );
        law!(
            sojourn == counters.message_cycles,
            "Little's law: messages were present for {sojourn} cycles, {} counted",
            counters.message_cycles
        );
        let links = &state.channels[..self.common.network.links()];
        let crossed: u64 = links.iter().map(|channel| channel.crossed).sum();
        law!(
            crossed == counters.flit_hops,
            "{crossed} crossings, {} flit-hops",
            counters.flit_hops
        );
        Ok(())
    }
}
