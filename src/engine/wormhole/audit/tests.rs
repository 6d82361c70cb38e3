//! Checks that the audit detects any damage to the tables, and names the law.

use std::sync::Arc;

use super::*;
use crate::engine::tests::damage::{Broken, Damage, count, damage, or};
use crate::engine::wormhole::records::{Channel, LISTED};
use crate::engine::wormhole::state::State;
use crate::engine::{Change, Simulator};
use crate::ids::ChannelId;
use crate::routing::{Classes, Routing};
use crate::switching::{
    Bandwidth, Ejection, Forwarding, Injection, Release, Switching, Terminals, Wormhole,
};
use crate::system::System;
use crate::topology::cube::{Cube, Family};
use crate::traffic::{Destinations, Lengths, Process, Traffic};
use crate::units::{Cycle, Rate};

/// Machines that cover all tables.
fn machines() -> Vec<(Wormhole, bool)> {
    let plain = Wormhole::new(2, 3);
    let channels = Wormhole { terminals: Terminals::Channels, ..plain };
    let sent = Wormhole { release: Release::Sent, ..plain };
    let whole = Wormhole { buffer_flits: 9, forwarding: Forwarding::CutThrough, ..sent };
    vec![
        (plain, false),
        (plain, true),
        (Wormhole { credit_delay: 0, ..plain }, true),
        (Wormhole { injection: Injection::OneMessage, ..plain }, true),
        (sent, true),
        (Wormhole { channel_delay: 3, credit_delay: 4, ..sent }, true),
        (Wormhole { bandwidth: Bandwidth::Fixed, channel_delay: 2, ..plain }, true),
        (Wormhole { ejection: Ejection::PerWorm, channel_delay: 2, ..channels }, true),
        (Wormhole { ejection: Ejection::Shared, release: Release::Sent, ..channels }, true),
        (Wormhole { channel_delay: 2, ..whole }, true),
    ]
}

fn busy(machine: Wormhole, tables: bool, until: u64) -> WormholeEngine {
    busy_on(3, machine, tables, until)
}

/// A busy engine on a torus with `side` routers on a side.
fn busy_on(side: u32, machine: Wormhole, tables: bool, until: u64) -> WormholeEngine {
    let traffic =
        Traffic::random(Process::Poisson, Rate(0.12), Destinations::Uniform, Lengths::Fixed(5));
    let network = Cube::network(Family::Torus { unidirectional: false }, &[side; 2]);
    let routing = Routing::dimension_order(Classes::Dateline);
    let system = System::new(Arc::new(network), routing, Switching::Wormhole(machine), traffic);
    let mut engine = WormholeEngine::with_tables(&system, 7, 0, tables);
    engine.advance(Cycle(until));
    engine
}

fn kept(state: &mut State, row: u32) -> bool {
    row != NONE && state.holds[row as usize].worm != NONE
}

/// True if the channel has the VC of a slot.
fn exists(state: &State, slot: u32) -> bool {
    let (channel, v) = state.split(slot);
    state.vcs_of(channel) >> v & 1 == 1
}

/// Flips the bit of the VC of a slot in a mask of its channel.
fn in_a_channel(
    engine: &mut WormholeEngine,
    at: usize,
    mask: for<'a> fn(&'a mut Channel, &'a mut u32) -> &'a mut u32,
) -> Option<bool> {
    let slot = (at < engine.state.slots as usize).then_some(at as u32)?;
    let (channel, v) = engine.state.split(slot);
    *mask(&mut engine.state.channels[channel], &mut engine.state.space[channel]) ^= 1 << v;
    Some(exists(&engine.state, slot))
}

const DAMAGES: &[(&str, Damage<WormholeEngine>)] = &[
    damage!("a flit more in a hold", state.holds, |it| it.worm != NONE && {
        it.here += 1;
        true
    }),
    damage!("a flit fewer in a hold", state.holds, |it| it.worm != NONE && it.here > 0 && {
        it.here -= 1;
        true
    }),
    damage!("a flit more to come", state.holds, |it| it.worm != NONE && {
        it.left += 1;
        true
    }),
    damage!("a flit fewer to come", state.holds, |it| it.worm != NONE && it.left > 0 && {
        it.left -= 1;
        true
    }),
    damage!("a flit more on its way", state.holds, |it| it.worm != NONE && {
        it.flying += 1;
        true
    }),
    damage!("a flit fewer on its way", state.holds, |it| it.worm != NONE && it.flying > 0 && {
        it.flying -= 1;
        true
    }),
    damage!("nothing behind a hold", state.holds, |it| it.worm != NONE && or(&mut it.prev, NONE)),
    damage!("nothing in front of a hold", state.holds, |it| it.worm != NONE
        && it.next < SINK
        && or(&mut it.next, NONE)),
    damage!("a hold is consumed", state.holds, |it| it.worm != NONE
        && it.next < SINK
        && or(&mut it.next, SINK)),
    damage!("a hold of nobody", state.holds, |it| or(&mut it.worm, NONE)),
    ("a hold of another worm", |engine, at| {
        let other = engine.state.live().map(|(row, _)| row).next()?;
        let hold = engine.state.holds.get_mut(at)?;
        Some(hold.worm != NONE && or(&mut hold.worm, other))
    }),
    ("a longer message", |engine, at| {
        let head = engine.state.worms.get(at)?.head;
        let row = &mut engine.state.worms[at];
        row.length += 1;
        Some(row.live && head != NONE && engine.state.hold(head).next == NONE)
    }),
    damage!("a later birth", state.worms, |it| it.live && {
        it.born += 1;
        true
    }),
    damage!("a worm that is not", state.worms, |it| std::mem::take(&mut it.live)),
    damage!("no head", state.worms, |it| it.live && or(&mut it.head, NONE)),
    damage!("it has entered", state.worms, |it| it.live && it.head == NONE && {
        it.entered = 0;
        true
    }),
    damage!("a head that does not wait", state.worms, |it| std::mem::take(&mut it.waits)),
    damage!("a head elsewhere", state.worms, |it| it.waits && {
        it.at += 1;
        true
    }),
    ("a younger one before an older", |engine, at| {
        let row = engine.state.worms.get_mut(at)?;
        let behind = row.waits && row.waits_next != NONE || row.class_next != NONE;
        row.rank = u64::MAX;
        Some(row.live && behind)
    }),
    damage!("no older one of its class", state.worms, |it| it.class_next != NONE
        && it.class_before != NONE
        && or(&mut it.class_before, NONE)),
    ("a class of two sources", |engine, at| {
        let next = engine.state.worms.get(at)?.class_next;
        let Some(row) = engine.state.worms.get_mut(next as usize) else { return Some(false) };
        row.source = (row.source + 1) % 9;
        Some(true)
    }),
    ("a class of two wants", |engine, at| {
        let next = engine.state.worms.get(at)?.class_next;
        let one = engine.one_class();
        let Some(row) = engine.state.worms.get_mut(next as usize) else { return Some(false) };
        row.class ^= 1;
        Some(!one)
    }),
    damage!("a list of heads is lost", state.heads, |it| or(&mut it.waiting, NONE)),
    damage!("a router is not marked", state.heads, |it| or(&mut it.requests, NONE)),
    damage!("a router is marked", state.heads, |it| it.requests == NONE
        && or(&mut it.requests, LISTED)),
    ("a free VC more or fewer", |engine, at| {
        let hold = *engine.state.holds.get(at)?;
        // A VC with its tail sent may be free or held.
        let either = engine.switching.release == Release::Sent && hold.prev == NONE;
        let done = in_a_channel(engine, at, |row, _| &mut row.free)?;
        Some(done && (hold.worm == NONE || !either))
    }),
    ("a flit before a VC more or fewer", |engine, at| {
        in_a_channel(engine, at, |row, _| &mut row.flit)
    }),
    damage!("a channel is not looked at", state.channels, |it| std::mem::take(&mut it.listed)),
    damage!("a channel is marked", state.channels, |it| !std::mem::replace(&mut it.listed, true)),
    ("a crossing more", |engine, at| {
        let links = engine.state.links;
        let row = engine.state.channels.get_mut(at)?;
        row.crossed += 1;
        Some(at < links)
    }),
    ("room more or less", |engine, at| in_a_channel(engine, at, |_, space| space)),
    ("a slot more taken", |engine, at| {
        engine.state.buffers.get_mut(at)?.occupied += 1;
        Some(exists(&engine.state, at as u32))
    }),
    damage!("a slot fewer taken", state.buffers, |it| it.occupied > 0 && {
        it.occupied -= 1;
        true
    }),
    damage!("no oldest in a buffer", state.buffers, |it| or(&mut it.front, NONE)),
    damage!("no youngest in a buffer", state.buffers, |it| or(&mut it.last, NONE)),
    damage!("nothing lands", state.buffers, |it| or(&mut it.lands, NONE)),
    ("nothing in front in a buffer", |engine, at| {
        let place = engine.state.places.get_mut(at)?;
        Some(or(&mut place.older, NONE) && kept(&mut engine.state, at as u32))
    }),
    damage!("nothing behind in a buffer", state.places, |it| or(&mut it.younger, NONE)),
    damage!("nothing lands then", state.places, |it| or(&mut it.then, NONE)),
    ("an ejection is marked or is not", |engine, at| {
        let place = engine.state.places.get_mut(at)?;
        place.listed = !place.listed;
        let ejects = engine.state.place(at as u32) == Place::Ejection;
        Some(ejects && kept(&mut engine.state, at as u32))
    }),
    damage!("a channel sends or does not", state.busy, |it| {
        *it ^= 1;
        true
    }),
    ("a VC with room is stuck", |engine, at| {
        let room = engine.state.space.get(at)? & engine.state.vcs_of(at);
        engine.state.decisions.get_mut(at)?.stuck |= room;
        Some(room != 0)
    }),
    ("a row to spare", |engine, at| {
        (at == 0).then(|| {
            engine.state.spare_holds.push(0);
            true
        })
    }),
    ("a flit sent again", |engine, at| {
        let vcs = engine.state.slots as usize;
        let vc =
            (at < vcs && engine.switching.bandwidth == Bandwidth::Fixed).then_some(at as u32)?;
        engine.state.crossings.push(engine.now + 1, vc);
        Some(true)
    }),
    ("a credit that comes back", |engine, at| {
        let vc = (at < engine.state.slots as usize).then_some(at as u32)?;
        engine.state.credits.push(engine.now + 1, vc);
        Some(exists(&engine.state, vc))
    }),
    ("a channel on the list again", |engine, at| {
        (at == 0).then(|| {
            engine.state.active.push(0);
            true
        })
    }),
    ("a router on the list again", |engine, at| {
        (at == 0).then(|| {
            engine.state.requested.push(0);
            true
        })
    }),
    ("an ejection off the list", |engine, at| {
        (at == 0).then(|| engine.state.ejecting.pop().is_some())
    }),
    count!("a head blocked more", state.blocked),
    count!("a message present more", common.present),
    count!("a message delivered more", common.counters.delivered),
    count!("a flit injected more", common.counters.flits_injected),
    count!("a flit consumed more", common.counters.flits_consumed),
    count!("a flit aborted more", common.counters.flits_aborted),
    count!("a hop more", common.counters.flit_hops),
    count!("a cycle of a message more", common.counters.message_cycles),
    count!("a cycle of latency more", common.counters.latency_sum),
];

/// Checks each group of laws separately, so that no violation hides another.
fn broken_laws(engine: &WormholeEngine) -> Vec<String> {
    let groups = [
        engine.check_worms(),
        engine.check_channels(),
        engine.check_flights(),
        engine.check_queues(),
        engine.check_totals(),
    ];
    let broken: Vec<String> = groups.into_iter().filter_map(Result::err).collect();
    assert_eq!(engine.check_flits().err().as_ref(), broken.first());
    broken
}

#[test]
fn every_damage_breaks_a_law() {
    let mut broken = Broken::default();
    for (machine, tables) in machines() {
        for until in [60, 137] {
            let mut whole = busy(machine, tables, until);
            whole.dissolve_all();
            whole.check_flits().unwrap();
            broken.try_all(&whole, DAMAGES, broken_laws);
        }
    }
    insta::assert_snapshot!(broken.told(DAMAGES));
}

#[test]
fn a_free_run_has_its_channels_for_itself() {
    for private in [false, true] {
        let bandwidth = if private { Bandwidth::Fixed } else { Bandwidth::OnDemand };
        let machine = Wormhole { bandwidth, ..Wormhole::new(3, 9) };
        let mut whole = busy(machine, private, 40);
        while whole.state.channels.iter().filter(|row| row.run != 0).count() < 2 {
            whole.advance(Cycle(whole.now + 1));
        }
        whole.check_runs().unwrap();
        let mut seen = 0;
        for at in 0..whole.state.channels.len() {
            let row = whole.state.channels[at];
            for v in bits(whole.state.vcs_of(at)) {
                let (bit, mut damaged) = (1 << v, whole.clone());
                if row.run & bit == 0 {
                    damaged.state.channels[at].run |= bit;
                    let law = damaged.check_runs().unwrap_err();
                    assert!(law.contains("does not run") || law.contains("two worms"), "{law}");
                }
                damaged.clone_from(&whole);
                if row.run != 0 && row.flit & bit == 0 {
                    damaged.state.channels[at].flit |= bit;
                    let told = damaged.check_runs().is_err();
                    assert_eq!(told, !private || row.run & bit != 0, "channel {at}");
                    // Unless the run ends before the next cycle.
                    let worm =
                        whole.state.hold(whole.state.slot(at, row.run.trailing_zeros())).worm;
                    damaged.runs.clashes.push(worm);
                    assert_eq!(damaged.check_runs(), Ok(()));
                    seen += 1;
                }
            }
        }
        assert!(seen > 1);
    }
}

#[test]
fn what_waits_behind_the_window_of_its_source_is_present_too() {
    // Large enough for the smallest window of a source.
    let mut engine = busy_on(24, Wormhole::new(2, 3), false, 10);
    let nodes = engine.common.network.nodes();
    engine.set_rate(Rate(0.9));
    // Fills each queue beyond the window of its source.
    engine.advance(Cycle(2 * u64::from(crate::traffic::sources::window(nodes))));
    let behind = engine.common.sources.births_behind(NodeId(0)).count() as u64;
    assert!(behind > 100 && engine.common.present > behind * nodes as u64);
    engine.audit().unwrap();
}

#[test]
fn a_closed_link_that_could_be_granted_or_is_forgotten_breaks_a_law() {
    let (link, at) = (ChannelId(3), 3);
    for tables in [false, true] {
        let mut whole = busy(Wormhole::new(2, 3), tables, 60);
        whole.apply(Change::LinkDown(link));
        whole.dissolve_all();
        whole.check_flits().unwrap();
        let damages: [fn(&mut WormholeEngine, usize); 5] = [
            |it, at| it.state.channels[at].free = it.state.closed.aside(at).unwrap() | 1,
            |it, at| it.state.channels[at].closed = false,
            |it, at| it.state.channels[at + 1].closed = true,
            |it, at| it.state.closed.forget(at),
            |it, _| it.common.down.clear(),
        ];
        for (number, damage) in damages.into_iter().enumerate() {
            let mut damaged = whole.clone();
            damage(&mut damaged, at);
            let law = damaged.check_channels().unwrap_err();
            assert!(law.contains("channel 3") || law.contains("channel 4"), "{number}: {law}");
        }
        // A VC is set aside if and only if no worm holds the VC.
        let held = (0..whole.state.vcs_of(at).count_ones()).map(|v| whole.state.slot(at, v));
        for slot in held {
            let aside = whole.state.closed.aside(at).unwrap()
                >> (slot & ((1 << whole.state.shift) - 1))
                & 1
                == 1;
            assert_eq!(whole.state.is_held(slot), !aside);
        }
    }
}
