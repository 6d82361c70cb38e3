//! Histories of messages against a walk over the pictures of every cycle, and what watches over a message
//! or a router see against the same walk.

use std::collections::BTreeMap;
use std::sync::Arc;

use flitscope::engine::messages::MessageState;
use flitscope::engine::{Change, Delivery, HeadState, Snapshot, WormView};
use flitscope::ids::{MessageId, RouterId, VcId};
use flitscope::scenario::{builtin, parse};
use flitscope::session::Session;
use flitscope::session::tape::{Keep, Tape};
use flitscope::session::trace::{Hop, Trace, Tracer};
use flitscope::session::watches::{Approach, MessageEvent, MessageWatch, RouterWatch};
use flitscope::stats::WarmUp;
use flitscope::topology::{Network, Role};
use flitscope::units::{Cycle, Rate};
use proptest::prelude::*;

use super::winding::scenario;
use crate::systems::any_router;

const END: u64 = 500;

/// What the pictures tell of one message.
#[derive(Default, Debug)]
struct Walked {
    /// The routers at which its head was, and from when on; its source's first.
    routers: Vec<(RouterId, u64)>,
    /// Virtual channels of links that it got, and when.
    links: Vec<(VcId, u64)>,
    /// How many of them it got before it was last aborted.
    given_up: usize,
    /// For each of its routers, who was in the way and in how many cycles.
    waits: BTreeMap<(usize, MessageId), u64>,
    /// Since when its head stood, one after the other.
    stands: Vec<u64>,
    left: Option<u64>,
    present: bool,
    delivery: Option<Delivery>,
}

fn link(network: &Network, snapshot: &Snapshot, vc: VcId) -> bool {
    network.channel(snapshot.split(vc).0).role == Role::Link
}

impl Walked {
    fn at(&mut self, router: RouterId, cycle: u64) {
        if self.routers.last().is_none_or(|last| last.0 != router) {
            self.routers.push((router, cycle));
        }
    }

    fn see(&mut self, network: &Network, snapshot: &Snapshot, worm: &WormView) {
        let now = snapshot.cycle.0;
        if !self.present {
            let born = if self.routers.is_empty() { worm.born.0 } else { now };
            self.at(network.router_of(worm.source), born);
        }
        self.present = true;
        self.at(worm.head_at, now);
        let links = snapshot.path_of(worm).iter().rev();
        if let Some(&vc) =
            links.copied().collect::<Vec<_>>().iter().find(|&&vc| link(network, snapshot, vc))
            && self.links[self.given_up..].last().is_none_or(|last| last.0 != vc)
        {
            self.links.push((vc, now - 1));
        }
        if worm.at_source < worm.length && self.left.is_none() {
            self.left = Some(now - 1);
        }
        if let HeadState::Blocked(since) = worm.head
            && self.stands.last() != Some(&since.0)
        {
            self.stands.push(since.0);
        }
        let mut holders: Vec<_> = snapshot
            .waits
            .iter()
            .filter(|wait| wait.worm == worm.id)
            .filter_map(|wait| snapshot.worms.iter().find(|other| Some(other.id) == wait.holder))
            .map(WormView::name)
            .collect();
        holders.sort_unstable();
        holders.dedup();
        for holder in holders {
            *self.waits.entry((self.routers.len() - 1, holder)).or_default() += 1;
        }
    }

    fn end(&mut self, network: &Network, delivery: Delivery, now: u64) {
        if self.routers.is_empty() {
            self.at(network.router_of(delivery.source), delivery.born.0);
        }
        self.at(network.router_of(delivery.destination), now);
        self.left.get_or_insert(delivery.entered.0);
        self.delivery = Some(delivery);
    }
}

/// A run walked through to its end, with every message that was ever in it.
struct Walk {
    messages: BTreeMap<MessageId, Walked>,
    end: u64,
}

fn walk(mut session: Session, end: u64) -> Walk {
    let mut messages: BTreeMap<MessageId, Walked> = BTreeMap::new();
    let mut snapshot = Snapshot::default();
    let scenario = Arc::clone(session.scenario());
    let network = &scenario.system.network;
    while session.now().0 < end && session.deadlock().is_none() {
        session.advance(session.now() + 1);
        session.observe(&mut snapshot);
        for worm in &snapshot.worms {
            messages.entry(worm.name()).or_default().see(network, &snapshot, worm);
        }
        for &delivery in session.deliveries() {
            messages.entry(delivery.name()).or_default().end(network, delivery, session.now().0);
        }
        let there: Vec<MessageId> = snapshot.worms.iter().map(WormView::name).collect();
        for (name, walked) in &mut messages {
            if walked.present && walked.delivery.is_none() && !there.contains(name) {
                // Aborted: back at its source.
                walked.present = false;
                walked.left = None;
                walked.given_up = walked.links.len();
                walked.at(network.router_of(name.source), session.now().0);
            }
        }
    }
    Walk { messages, end: session.now().0 }
}

/// The history of a message in a run on a tape, in slices.
fn trace(tape: &Tape, name: MessageId, slice: u64) -> Trace {
    let mut tracer = Tracer::new(tape, name, false);
    let mut share = 0.0;
    while !tracer.is_done(tape.now()) {
        assert!(tracer.fits(tape.now(), tape.journal()));
        tracer.advance(tape.now(), slice);
        assert!(tracer.share(tape.now()) >= share);
        share = tracer.share(tape.now());
    }
    tracer.trace.clone()
}

/// A router, the cycle of arrival there, and for whom was waited for how long.
type Stay = (RouterId, u64, Vec<(MessageId, u64)>);

/// Hops at one router as one: its source's injection channel leads nowhere else.
fn merged(hops: &[Hop]) -> Vec<Stay> {
    let mut merged: Vec<(RouterId, u64, BTreeMap<MessageId, u64>)> = Vec::new();
    for hop in hops {
        if merged.last().is_none_or(|last| last.0 != hop.at) {
            merged.push((hop.at, hop.arrived.0, BTreeMap::new()));
        }
        let last = merged.len() - 1;
        for wait in &hop.waits {
            *merged[last].2.entry(wait.by).or_default() += wait.cycles;
        }
    }
    merged
        .into_iter()
        .map(|(at, arrived, waits)| (at, arrived, waits.into_iter().collect()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_history_is_what_the_pictures_showed(
        system in any_router(),
        seed in any::<u64>(),
        share in 0.05f64..1.0,
        bytes in prop::sample::select(vec![usize::MAX / 2, 600_000, 0]),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 6),
        slice in 1u64..200,
        change in 0u64..END,
    ) {
        let rate = Rate(system.traffic.rate.0 * share);
        let network = Arc::clone(&system.network);
        let vcs = system.switching.virtual_channels();
        let far = system.wormhole().is_some_and(|machine| !machine.moves_by_default());
        let mut session = Session::new(scenario(system), seed, 0, WarmUp::Automatic);
        session.set_rate(rate);
        let mut tape = Tape::new(session.clone(), Keep { bytes, work_per_byte: 0 });
        tape.advance(Cycle(END));
        let walk = walk(session, END);
        prop_assert_eq!(tape.now().0, walk.end);
        let names: Vec<MessageId> = walk.messages.keys().copied().collect();
        if names.is_empty() {
            return Ok(());
        }
        for pick in picks {
            let name = *pick.get(&names);
            let walked = &walk.messages[&name];
            let trace = trace(&tape, name, slice);
            prop_assert_eq!(trace.delivery, walked.delivery);
            prop_assert_eq!(trace.is_complete(), walked.delivery.is_some());
            let hops = merged(&trace.hops);
            let routers: Vec<_> = hops.iter().map(|hop| (hop.0, hop.1)).collect();
            // Flits that come in at the beginning of a cycle are seen at its end.
            let early = |&(at, cycle): &(RouterId, u64)| (at, cycle - u64::from(far && cycle > 0));
            let same = routers.len() == walked.routers.len()
                && routers.iter().zip(&walked.routers).all(|(a, b)| a == b || *a == early(b));
            prop_assert!(same, "{:?}\n{:?}", trace, walked);
            prop_assert_eq!(trace.entered.map(|cycle| cycle.0), walked.left);
            let links: Vec<_> = trace.hops.iter().filter_map(|hop| Some((hop.vc?, hop.granted?.0)))
                .filter(|(vc, _)| network.channels()[(vc.0 / vcs) as usize].role == Role::Link)
                .collect();
            prop_assert_eq!(&links, &walked.links, "{:?}\n{:?}", trace, walked);
            // At its source it is not in the pictures.
            for (nth, hop) in hops.iter().enumerate().filter(|(_, hop)| hop.0 != routers[0].0) {
                let seen: Vec<_> = walked.waits.iter().filter(|((at, _), _)| *at == nth)
                    .map(|((_, by), cycles)| (*by, *cycles)).collect();
                prop_assert_eq!(&hop.2, &seen, "router {}\n{:?}\n{:?}", nth, trace, walked);
            }
            for hop in &trace.hops {
                prop_assert!(hop.granted.is_none_or(|granted| granted >= hop.arrived), "{:?}", trace);
            }
        }
        // Another load at the present is another run from there on: the old replay does not fit.
        let open = names.iter().find(|name| walk.messages[name].delivery.is_none());
        if let Some(&name) = open {
            let tracer = Tracer::new(&tape, name, false);
            tape.seek(Cycle(change.min(walk.end)), 0);
            while tape.is_seeking() {
                tape.advance_seek(1_000);
            }
            tape.apply(Change::Rate(Rate(rate.0 * 0.5)));
            prop_assert!(!tracer.fits(tape.now(), tape.journal()));
            let early = Tracer::new(&tape, name, false);
            prop_assert!(early.fits(tape.now(), tape.journal()));
        }
    }

    #[test]
    fn eyes_see_what_the_pictures_showed(
        system in any_router(),
        seed in any::<u64>(),
        share in 0.05f64..1.0,
        pick in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
    ) {
        let rate = Rate(system.traffic.rate.0 * share);
        let network = Arc::clone(&system.network);
        let mut session = Session::new(scenario(system), seed, 0, WarmUp::Automatic);
        session.set_rate(rate);
        let walk = walk(session.clone(), END);
        let names: Vec<MessageId> = walk.messages.keys().copied().collect();
        if names.is_empty() {
            return Ok(());
        }
        let name = *pick.get(&names);
        let at = RouterId::new(other.index(network.routers()));
        let mut message = MessageWatch::open(name, &session);
        let mut router = RouterWatch::open(at, &session);
        let (mut happened, mut arrived, mut generated) = (Vec::new(), Vec::new(), 0);
        while session.now().0 < walk.end {
            session.advance(session.now() + 1);
            let now = session.now().0;
            happened.extend(message.look(&session).into_iter().map(|what| (now, what)));
            for (who, how) in router.look(&session) {
                match how {
                    Approach::Generated => generated += 1,
                    Approach::Arrived => arrived.push((now, who)),
                }
            }
        }
        let walked = &walk.messages[&name];
        prop_assert_eq!(happened[0].1, MessageEvent::Generated);
        let last = happened[happened.len() - 1];
        if let Some(delivery) = walked.delivery {
            prop_assert_eq!(last.1, MessageEvent::Delivered(delivery.latency()));
        } else {
            prop_assert!(!matches!(last.1, MessageEvent::Delivered(_) | MessageEvent::Discarded));
        }
        let stands: Vec<u64> = happened.iter()
            .filter(|(_, what)| matches!(what, MessageEvent::Blocked(_))).map(|(now, _)| now - 1).collect();
        prop_assert_eq!(&stands, &walked.stands, "{:?} {:?}", happened, walked);
        let entered = happened.iter().rev().find(|(_, what)| *what == MessageEvent::Entered);
        if let (Some(left), Some(entered)) = (walked.left, entered) {
            prop_assert_eq!(left, entered.0 - 1);
        }
        let mut wanted: Vec<(u64, MessageId)> = Vec::new();
        for (&name, walked) in &walk.messages {
            let starts_here = network.router_of(name.source) == at;
            let here = walked.routers.iter().filter(|(router, _)| *router == at && !starts_here);
            wanted.extend(here.map(|&(_, cycle)| (cycle, name)));
        }
        wanted.sort_unstable();
        arrived.sort_unstable();
        prop_assert_eq!(arrived, wanted);
        prop_assert!(network.routers() > 1 || generated == session.counters().generated);
    }
}

#[test]
fn every_message_is_generated_at_one_router() {
    let mut session = circuits("drop-8");
    let network = Arc::clone(&session.scenario().system.network);
    let mut watches: Vec<RouterWatch> =
        (0..network.routers()).map(|at| RouterWatch::open(RouterId::new(at), &session)).collect();
    let mut generated = 0;
    while session.now().0 < 20_000 {
        session.advance(session.now() + 1);
        for watch in &mut watches {
            let seen = watch.look(&session);
            generated += seen.iter().filter(|(_, how)| *how == Approach::Generated).count() as u64;
        }
    }
    assert!(generated > 300);
    assert_eq!(generated, session.counters().generated);
}

fn circuits(name: &str) -> Session {
    let name = format!("papers/circuit-{name}");
    let scenario = parse(&name, builtin::find(&name).unwrap().text, &[]).unwrap();
    let mut session = Session::new(Arc::new(scenario), 5, 0, WarmUp::Automatic);
    session.set_rate(Rate(session.rate().0.max(0.4)));
    session
}

#[test]
fn the_history_of_a_circuit_is_a_way_from_link_to_link() {
    for name in ["torus-hold-8x8", "hold-8", "drop-8", "adaptive-8"] {
        let mut session = circuits(name);
        let scenario = Arc::clone(session.scenario());
        let (network, vcs) =
            (&scenario.system.network, scenario.system.switching.virtual_channels());
        let tape_of = |session: &Session| Tape::new(session.clone(), Keep::default());
        let mut tape = tape_of(&session);
        let end = 20_000;
        tape.advance(Cycle(end));
        // Who waited for whom, cycle by cycle.
        let mut waits: BTreeMap<(MessageId, MessageId), u64> = BTreeMap::new();
        let (mut snapshot, mut deliveries) = (Snapshot::default(), Vec::new());
        while session.now().0 < end {
            session.advance(session.now() + 1);
            session.observe(&mut snapshot);
            deliveries.extend_from_slice(session.deliveries());
            let find = |id| snapshot.circuits.iter().find(|one| one.worm == id);
            for wait in &snapshot.waits {
                let holder = wait.holder.and_then(find);
                if let (Some(who), Some(holder)) = (find(wait.worm), holder) {
                    *waits.entry((who.name(), holder.name())).or_default() += 1;
                }
            }
        }
        deliveries.sort_by_key(|one| std::cmp::Reverse((one.aborts, one.latency())));
        let (mut waited, mut failed) = (0, 0);
        for delivery in deliveries.iter().take(12).chain(deliveries.iter().rev().take(4)) {
            let trace = trace(&tape, delivery.name(), 100);
            assert_eq!(trace.delivery, Some(*delivery));
            assert_eq!(trace.entered, Some(delivery.entered));
            let attempts: Vec<&[Hop]> =
                trace.hops.split_inclusive(|hop| hop.gave_up.is_some()).collect();
            assert_eq!(attempts.len() as u32, delivery.aborts + 1, "{name} {trace:?}");
            failed += delivery.aborts;
            for attempt in &attempts {
                assert_eq!(attempt[0].at, network.router_of(delivery.source));
                for pair in attempt.windows(2) {
                    let channel = network.channels()[(pair[0].vc.unwrap().0 / vcs) as usize];
                    assert_eq!((channel.from, channel.to), (pair[0].at, pair[1].at));
                    assert!(pair[0].granted.unwrap() >= pair[0].arrived, "{trace:?}");
                    assert!(pair[1].arrived >= pair[0].granted.unwrap(), "{trace:?}");
                }
            }
            let last = attempts[attempts.len() - 1];
            assert_eq!(last.len() as u32, delivery.hops + 1);
            assert_eq!(last[last.len() - 1].at, network.router_of(delivery.destination));
            let mut sums: BTreeMap<(MessageId, MessageId), u64> = BTreeMap::new();
            for wait in trace.hops.iter().flat_map(|hop| &hop.waits) {
                *sums.entry((trace.name, wait.by)).or_default() += wait.cycles;
                waited += wait.cycles;
            }
            let seen = waits.iter().filter(|((who, _), _)| *who == trace.name);
            assert_eq!(sums, seen.map(|(&pair, &cycles)| (pair, cycles)).collect());
        }
        let holds = name.contains("hold");
        assert!(if holds { waited > 0 } else { failed > 0 }, "{name} {waited} {failed}");
    }
}

#[test]
fn a_message_that_is_not_yet_and_one_that_never_comes() {
    let tape = Tape::new(circuits("hold-8"), Keep::default());
    let name = MessageId { source: flitscope::ids::NodeId(3), serial: 0 };
    let tracer = Tracer::new(&tape, name, false);
    assert!(tracer.is_done(tape.now()) && tracer.trace.hops.is_empty());
    assert_eq!(tracer.trace.state, MessageState::Unborn);
    let mut later = Tape::new(circuits("hold-8"), Keep::default());
    later.advance(Cycle(100_000));
    let trace = trace(&later, name, 64);
    assert!(matches!(trace.state, MessageState::Present(_) | MessageState::Gone), "{trace:?}");
}
