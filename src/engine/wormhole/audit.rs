//! Checks the conservation laws against the whole state.
//!
//! The checks are independent of the code that maintains the laws.

use super::engine::WormholeEngine;
use super::records::{NONE, Place, SINK, Worm, bits, list};
use crate::engine::tables::{counted, law};
use crate::ids::NodeId;

impl WormholeEngine {
    /// Checks all laws except for those of free runs; returns the first violation.
    pub(super) fn check_flits(&self) -> Result<(), String> {
        self.check_worms()?;
        self.check_channels()?;
        self.check_flights()?;
        self.check_queues()?;
        self.endpoints.check_rooms(&self.state, &self.common.sources)?;
        self.check_totals()
    }

    /// Checks that worms in free runs do not share channels.
    pub(super) fn check_runs(&self) -> Result<(), String> {
        let state = &self.state;
        for (channel, row) in state.channels.iter().enumerate() {
            let mut parted = false;
            for v in bits(row.run) {
                let worm = state.hold(state.slot(channel, v)).worm;
                let runs = worm != NONE && state.worm(worm).runs();
                law!(runs, "channel {channel}: the worm of a free run does not run");
                parted |= self.runs.clashes.contains(&worm);
            }
            let (private, alone) = (state.pace.private, row.run.count_ones() <= 1);
            law!(alone || private, "channel {channel}: two worms run over it");
            let beside = if private { row.flit & row.run } else { row.flit };
            let alone = row.run == 0 || beside == 0 || parted;
            law!(alone, "channel {channel}: another worm has a flit on the channel of a free run");
        }
        Ok(())
    }

    /// Checks that worms are complete, and that every hold belongs to a worm.
    fn check_worms(&self) -> Result<(), String> {
        let state = &self.state;
        let mut holds = 0;
        for (row, worm) in state.live() {
            let name = format!("message {} of node {}", worm.serial, worm.source);
            if worm.head == NONE {
                law!(
                    worm.entered == u64::MAX,
                    "{name} waits at its source but has entered the network"
                );
            } else {
                holds += self.check_worm(row, worm).map_err(|law| format!("{name}: {law}"))?;
            }
        }
        let slots = state.slots as usize;
        let in_use = state.holds.iter().take(slots).filter(|hold| hold.worm != NONE).count()
            + (state.holds.len() - slots - state.spare_holds.len());
        counted("holds belong to worms", holds, in_use)
    }

    /// Checks that every flit is at the source, in a buffer held by the worm, or consumed, and that
    /// holds form a chain from tail to head. Returns the number of holds.
    fn check_worm(&self, row: u32, worm: &Worm) -> Result<usize, String> {
        let (state, slots) = (&self.state, self.state.buffer_flits);
        let (mut holds, mut inside, mut front) = (0, 0, NONE);
        for at in state.holds_of(worm) {
            let (hold, place) = (state.hold(at), state.place(at));
            let here = hold.here + hold.flying;
            law!(hold.worm == row, "a hold in its chain belongs to another worm");
            if front != NONE {
                law!(hold.next == front, "its holds are not linked in both directions");
                let (to_come, behind) = (state.hold(front).left, here + hold.left);
                law!(to_come == behind, "{to_come} flits expected, but {behind} behind");
            }
            match place {
                Place::Ejection => {
                    law!(hold.here == 0 && hold.next == SINK, "its ejection stores flits");
                }
                Place::Source => {
                    law!(
                        hold.prev == NONE && hold.left == 0,
                        "its source has a hold or flits behind"
                    );
                }
                Place::Vc(_) => {
                    let fits = here <= slots || hold.next == SINK;
                    law!(fits, "{here} flits in a buffer of {slots}");
                    law!(hold.prev != NONE || hold.left == 0, "its last hold still expects flits");
                }
            }
            inside += here;
            holds += 1;
            front = at;
        }
        let head = state.hold(worm.head);
        let length = worm.length;
        let left = if head.next == SINK { head.left + head.flying } else { length };
        let whole = inside == left && left <= length;
        law!(whole, "{inside} flits inside, but {left} of {length} not consumed");
        Ok(holds)
    }

    /// Checks that every waiting head is in the list of its router, in order of age, and that no
    /// router misses a head that could be served.
    fn check_queues(&self) -> Result<(), String> {
        let state = &self.state;
        let mut waiting = vec![0u32; self.common.network.nodes()];
        let mut blocked = 0;
        let in_order = |worm: &Worm, next: u32| {
            let next = state.worms.get(next as usize);
            next.is_none_or(|next| worm.priority() < next.priority())
        };
        for router in 0..state.heads.len() {
            for at in state.waiting_at(router) {
                let worm = state.worm(at);
                let belongs = worm.live && worm.waits && worm.at as usize == router;
                law!(belongs, "router {router}: a listed head does not wait there");
                law!(
                    in_order(worm, worm.waits_next),
                    "router {router}: the waiting heads are out of order"
                );
                blocked += u32::from(worm.head != NONE);
                if worm.head == NONE {
                    self.check_class(at, &mut waiting)
                        .map_err(|law| format!("router {router}: {law}"))?;
                }
                self.check_not_forgotten(router, at)?;
            }
        }
        let marks = state.heads.iter().filter(|heads| heads.requests != NONE).count();
        counted("routers marked", marks, state.requested.len())?;
        counted("heads blocked", blocked, state.blocked)?;
        (0..).map(NodeId).zip(waiting).try_for_each(|(node, count)| {
            counted("messages waiting at a node", count, self.common.sources.waiting(node))
        })
    }

    /// Checks that the messages of a class are alike and in order, and counts them.
    fn check_class(&self, first: u32, waiting: &mut [u32]) -> Result<(), String> {
        let state = &self.state;
        let mut left = Vec::new();
        let mut before = NONE;
        for of_rank in list(first, |at| state.worm(at).class_next) {
            let row = state.worm(of_rank);
            law!(row.class_before == before, "a class is linked in one direction only");
            let in_order = before == NONE || state.worm(before).rank < row.rank;
            law!(in_order, "a class is out of order");
            left.push(of_rank);
            before = of_rank;
        }
        let last = state.worm(first).class_last;
        law!(last == before || last == NONE && before == first, "a class ends elsewhere");
        while let Some(member) = left.pop() {
            let row = state.worm(member);
            let alike = row.class == state.worm(first).class || member == first || self.one_class();
            let belongs = alike && row.source == state.worm(first).source;
            law!(belongs, "a class has messages of another class or source");
            waiting[row.source as usize] += 1;
            let mut before = member;
            for tie in list(row.class_ties, |at| state.worm(at).class_next) {
                let other = state.worm(tie);
                law!(other.class_before == before, "a class is linked in one direction only");
                let in_order = row.rank == other.rank && row.priority() < other.priority();
                law!(in_order, "a class is out of order");
                left.push(tie);
                before = tie;
            }
        }
        Ok(())
    }

    fn check_not_forgotten(&self, router: usize, worm: u32) -> Result<(), String> {
        let waits_otherwise =
            self.waits_for_its_source(worm) || self.endpoints.lacks_room(&self.state, worm);
        if self.state.heads[router].requests != NONE || waits_otherwise {
            return Ok(());
        }
        let mut candidates = Vec::new();
        let ejects = self.candidates_of(worm, &mut candidates);
        law!(!ejects, "router {router}: a head at its destination waits");
        let free = candidates.iter().any(|&candidate| self.free_vcs(worm, candidate) != 0);
        law!(!free, "router {router}: a head waits although a VC is free");
        Ok(())
    }

    /// Checks that flits in = out + inside, and Little's law as an identity: the sum over cycles of
    /// the messages present is the sum over messages of their cycles of presence.
    fn check_totals(&self) -> Result<(), String> {
        let (state, sources, counters) = (&self.state, &self.common.sources, &self.common.counters);
        let (mut inside, mut present, mut sojourn) =
            (0u64, 0u64, counters.latency_sum + counters.lost_cycles);
        for (_, worm) in state.live() {
            present += 1;
            sojourn += self.now - worm.born;
            for at in state.holds_of(worm).filter(|&at| state.place(at) != Place::Source) {
                inside += u64::from(state.hold(at).here + state.hold(at).flying);
            }
        }
        let nodes = (0..self.common.network.nodes()).map(NodeId::new);
        for born in nodes.flat_map(|node| sources.births_behind(node)) {
            present += 1;
            sojourn += self.now - born;
        }
        let out = counters.flits_consumed + counters.flits_aborted + counters.flits_lost;
        counted("flits consumed, aborted, lost or inside", out + inside, counters.flits_injected)?;
        counted("messages present", present, self.common.present)?;
        let told = counters.delivered + counters.lost + sources.discarded() + present;
        counted("messages delivered, lost, discarded or present", told, sources.generated())?;
        counted("cycles of messages (Little's law)", sojourn, counters.message_cycles)?;
        let links = state.channels.iter().take(self.common.network.links());
        let crossed = links.map(|channel| channel.crossed).sum();
        counted("crossings of links", crossed, counters.flit_hops)
    }
}

#[cfg(test)]
mod tests;
