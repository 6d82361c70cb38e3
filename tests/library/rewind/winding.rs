//! Whatever way a tape is wound, it shows what a straight run showed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use flitscope::engine::Change;
use flitscope::ids::ChannelId;
use flitscope::routing::{Classes, Routing};
use flitscope::scenario::{LazyCapacity, Scenario};
use flitscope::session::Session;
use flitscope::session::events::{EventWatch, Events};
use flitscope::session::runs::Runs;
use flitscope::session::tape::{Keep, SeekProgress, Tape};
use flitscope::stats::WarmUp;
use flitscope::system::System;
use flitscope::units::{Cycle, Rate};
use proptest::prelude::*;

use crate::systems::{any_router, circuit_system, torus, uniform};

/// How long the runs are: in cycles of worms; of circuits, in steps of this many.
const END: u64 = 700;
const STEP_OF_CIRCUITS: u64 = 13;

/// Worms or circuits, and the cycles in a step.
fn systems() -> impl Strategy<Value = (System, u64)> {
    prop_oneof![
        3 => any_router().prop_map(|system| (system, 1)),
        2 => circuit_system().prop_map(|system| (system, STEP_OF_CIRCUITS)),
    ]
}

pub fn scenario(system: System) -> Arc<Scenario> {
    Arc::new(Scenario {
        name: "drawn".into(),
        file: None,
        title: String::new(),
        description: String::new(),
        text: String::new(),
        overrides: Vec::new(),
        stream: None,
        system,
        seed: 1,
        capacity: LazyCapacity::default(),
        default_release: false,
        notes: Vec::new(),
    })
}

/// A straight run after every step, in which the changes are made, up to its deadlock.
struct Straight {
    /// Fingerprint and session, by cycle.
    states: BTreeMap<u64, (u64, Session)>,
}

impl Straight {
    fn new(mut session: Session, changes: &[(u64, Change)], step: u64) -> Self {
        let mut states = BTreeMap::new();
        for cycle in (0..=END).map(|at| at * step) {
            session.advance(Cycle(cycle));
            let now = session.now().0;
            let again = states.contains_key(&now);
            for &(_, change) in changes.iter().filter(|(at, _)| *at == now && !again) {
                session.apply(change);
            }
            states.insert(now, (session.fingerprint(), session.clone()));
            if now < cycle {
                break;
            }
        }
        Self { states }
    }

    /// The last cycle known.
    fn end(&self) -> u64 {
        *self.states.keys().next_back().unwrap()
    }

    /// The last cycle known up to `cycle`.
    fn known(&self, cycle: u64) -> u64 {
        *self.states.range(..=cycle).next_back().unwrap().0
    }

    fn check(&self, tape: &Tape) -> Result<(), TestCaseError> {
        let session = tape.session();
        let (fingerprint, straight) = &self.states[&session.now().0];
        prop_assert_eq!(session.fingerprint(), *fingerprint, "cycle {}", session.now());
        prop_assert_eq!(session.statistics(), straight.statistics());
        prop_assert_eq!(session.statistics().latencies(), straight.statistics().latencies());
        prop_assert_eq!(session.summary(), straight.summary());
        prop_assert_eq!(session.journal(), straight.journal());
        prop_assert_eq!(session.rate(), straight.rate());
        Ok(())
    }
}

fn wind(tape: &mut Tape, slice: u64) -> SeekProgress {
    loop {
        match tape.advance_seek(slice) {
            SeekProgress::Going | SeekProgress::Passing => {}
            done => return done,
        }
    }
}

/// Changes of the rate to shares of `full`, and of links from up to down and back, in order.
fn changes(system: &System, shares: &[(u64, f64)], toggles: &[(u64, usize)]) -> Vec<(u64, Change)> {
    let (full, links) = (system.traffic.rate.0, system.network.links());
    let mut all: Vec<(u64, Change)> =
        shares.iter().map(|&(at, share)| (at, Change::Rate(Rate(full * share)))).collect();
    let mut toggles: Vec<_> = toggles.iter().filter(|_| links > 0).collect();
    toggles.sort();
    let mut down = BTreeSet::new();
    for &&(at, which) in &toggles {
        let link = ChannelId::new(which % links);
        let opens = down.remove(&link) || !down.insert(link);
        all.push((at, if opens { Change::LinkUp(link) } else { Change::LinkDown(link) }));
    }
    all.sort_by_key(|&(at, _)| at);
    all
}

fn rates() -> impl Strategy<Value = Vec<(u64, f64)>> {
    prop::collection::vec((0..END, 0.05f64..1.0), 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn wound_and_replayed_is_straight_in_every_cycle(
        (system, step) in systems(),
        seed in any::<u64>(),
        warm_up in prop_oneof![Just(WarmUp::Automatic), (0u64..600).prop_map(WarmUp::Cycles)],
        shares in rates(),
        toggles in prop::collection::vec((0..END, 0usize..4), 0..8),
        // Room for everything, for a few, for none.
        bytes in prop::sample::select(vec![usize::MAX / 2, 600_000, 0]),
        ways in prop::collection::vec((0..END, 0u64..80, 1u64..300, 0u8..3), 1..10),
        fork in (0..END, 0.05f64..1.0),
    ) {
        let full = system.traffic.rate.0;
        let mut changes = changes(&system, &shares, &toggles);
        for (at, _) in &mut changes {
            *at *= step;
        }
        let scenario = scenario(system);
        let begun = Session::new(Arc::clone(&scenario), seed, 0, warm_up);
        let straight = Straight::new(begun.clone(), &changes, step);
        changes.retain(|&(at, _)| at <= straight.end());
        let mut tape = Tape::new(begun.clone(), Keep { bytes, work_per_byte: 0 });
        for &(at, change) in &changes {
            tape.advance(Cycle(at));
            prop_assert!(!tape.apply(change));
        }
        tape.advance(Cycle(END * step));
        straight.check(&tape)?;
        prop_assert_eq!(tape.live().0, straight.end());

        for &(to, lead, slice, way) in &ways {
            let to = straight.known(to * step);
            let from = tape.now();
            tape.seek(Cycle(to), lead);
            match way {
                // Given up on the way.
                0 => {
                    tape.advance_seek(slice);
                    let there = !tape.is_seeking();
                    tape.cancel();
                    prop_assert_eq!(tape.now(), if there { Cycle(to) } else { from });
                }
                // Another goal on the way.
                1 => {
                    tape.advance_seek(slice);
                    let half = straight.known(to / 2);
                    tape.seek(Cycle(half), 0);
                    prop_assert_eq!(wind(&mut tape, slice), SeekProgress::Done);
                    prop_assert_eq!(tape.now().0, half);
                }
                _ => {
                    prop_assert_eq!(wind(&mut tape, slice), SeekProgress::Done);
                    prop_assert_eq!(tape.now().0, to);
                }
            }
            straight.check(&tape)?;
            prop_assert!(tape.checkpoint_bytes() <= bytes);
            prop_assert_eq!(tape.live().0, straight.end());
            // One step on, which is no fork.
            tape.advance(Cycle((straight.known(tape.now().0) / step + 1) * step).min(Cycle(END * step)));
            straight.check(&tape)?;
        }

        // Another future from some cycle on.
        let at = straight.known(fork.0 * step);
        tape.seek(Cycle(at), 0);
        wind(&mut tape, 1000);
        let change = Change::Rate(Rate(full * fork.1));
        prop_assert_eq!(tape.apply(change), at < straight.end());
        prop_assert_eq!(tape.live().0, at);
        changes.retain(|&(cycle, _)| cycle <= at);
        changes.push((at, change));
        let forked = Straight::new(begun.clone(), &changes, step);
        tape.advance(Cycle(END * step));
        forked.check(&tape)?;
        prop_assert_eq!(tape.journal().len(), changes.len());
        tape.seek(Cycle(forked.known(at / 2)), 16);
        wind(&mut tape, 77);
        forked.check(&tape)?;

        // The same from its journal alone.
        let journal = tape.journal().to_vec();
        let mut again = Tape::with_journal(begun, journal, tape.live(), Keep::default());
        again.advance(Cycle(END * step));
        forked.check(&again)?;
    }

    #[test]
    fn events_are_found_backwards_where_they_were_seen_forwards(
        (system, step) in systems(),
        seed in any::<u64>(),
        share in 0.02f64..0.5,
        wanted in 0u8..16,
        bytes in prop::sample::select(vec![usize::MAX / 2, 0]),
        slice in 1u64..200,
    ) {
        let wanted = Events::from_bits_truncate(wanted);
        let rate = Rate(system.traffic.rate.0 * share);
        let mut session = Session::new(scenario(system), seed, 0, WarmUp::Automatic);
        session.set_rate(rate);
        let mut tape = Tape::new(session.clone(), Keep { bytes, work_per_byte: 0 });
        let mut watch = EventWatch::default();
        watch.open(&session);
        let mut seen = Vec::new();
        while session.now().0 < 400 * step && session.deadlock().is_none() {
            session.advance(session.now() + 1);
            if watch.look(&session).intersects(wanted) {
                seen.push(session.now().0);
            }
        }
        // Forwards over unknown ground, then backwards.
        for &cycle in &seen {
            tape.seek_next(wanted);
            prop_assert_eq!(wind(&mut tape, slice), SeekProgress::Done);
            prop_assert_eq!(tape.now().0, cycle);
        }
        tape.advance(session.now());
        for &cycle in seen.iter().rev().filter(|&&cycle| cycle < session.now().0).take(12) {
            tape.seek_last(wanted, 8);
            prop_assert_eq!(wind(&mut tape, slice), SeekProgress::Done);
            prop_assert_eq!(tape.now().0, cycle);
        }
        tape.seek(Cycle(seen.first().copied().unwrap_or(0)), 0);
        wind(&mut tape, 1000);
        tape.seek_last(wanted, 8);
        prop_assert_eq!(wind(&mut tape, slice), SeekProgress::Nothing);
        prop_assert_eq!(tape.now().0, 0);
    }
}

#[test]
fn going_on_from_the_past_replays_what_was_done() {
    let routing = Routing::dimension_order(Classes::Destination);
    let system = torus(&[4, 4], routing, 2, 2, uniform(0.02, 8));
    let begun = Session::new(scenario(system), 5, 0, WarmUp::Automatic);
    let mut tape = Tape::new(begun, Keep { work_per_byte: 0, ..Keep::default() });
    tape.advance(Cycle(300));
    tape.apply(Change::Rate(Rate(0.05)));
    tape.advance(Cycle(900));
    let end = tape.session().fingerprint();
    tape.seek(Cycle(100), 0);
    wind(&mut tape, 50);
    assert!(tape.is_behind());
    assert_eq!(tape.session().rate(), Rate(0.02));
    tape.advance(Cycle(900));
    assert_eq!(tape.session().rate(), Rate(0.05));
    assert_eq!((tape.session().fingerprint(), tape.is_behind()), (end, false));
    // Beyond the newest cycle there is nothing to seek.
    tape.seek(Cycle(5_000), 0);
    wind(&mut tape, 50);
    assert_eq!(tape.now(), Cycle(900));
}

#[test]
fn closing_a_closed_link_is_nothing_and_opening_it_in_the_past_forks_the_future() {
    let routing = Routing::dimension_order(Classes::Destination);
    let system = torus(&[4, 4], routing, 2, 2, uniform(0.02, 8));
    let begun = Session::new(scenario(system), 5, 0, WarmUp::Automatic);
    let mut tape = Tape::new(begun, Keep { work_per_byte: 0, ..Keep::default() });
    let [down, up] = [Change::LinkDown(ChannelId(3)), Change::LinkUp(ChannelId(3))];
    tape.advance(Cycle(300));
    assert!(!tape.apply(up), "it is open");
    tape.apply(down);
    tape.advance(Cycle(900));
    tape.seek(Cycle(500), 0);
    wind(&mut tape, 50);
    assert!(!tape.apply(down), "it is closed");
    assert!(tape.is_behind());
    assert_eq!(tape.journal().len(), 1);
    assert!(tape.session().engine().is_down(ChannelId(3)));
    assert!(tape.apply(up));
    assert_eq!((tape.live(), tape.journal().len()), (Cycle(500), 2));
    assert!(!tape.session().engine().is_down(ChannelId(3)));
    // The statistics are of the open network.
    assert_eq!(tape.session().statistics().born_from(), 500);
    tape.seek(Cycle(200), 0);
    wind(&mut tape, 50);
    assert!(!tape.session().engine().is_down(ChannelId(3)));
}

#[test]
fn of_two_runs_a_closed_link_is_closed_in_both_only_if_their_links_are_the_same() {
    let routing = Routing::dimension_order(Classes::Destination);
    let of = |radix: &[u32], vcs| torus(radix, routing.clone(), vcs, 2, uniform(0.02, 8));
    let (link, keep) = (ChannelId(3), Keep { work_per_byte: 0, ..Keep::default() });
    for (other, alike) in [(of(&[4, 4], 4), true), (of(&[4, 5], 2), false)] {
        let first = Session::new(scenario(of(&[4, 4], 2)), 5, 0, WarmUp::Automatic);
        let mut tape = Tape::new(Runs::two(first, scenario(other)), keep);
        tape.advance(Cycle(300));
        tape.apply(Change::LinkDown(link));
        tape.advance(Cycle(700));
        tape.apply(Change::Rate(Rate(0.01)));
        tape.seek(Cycle(350), 0);
        wind(&mut tape, 50);
        let closed: Vec<bool> = tape.runs().all().map(|run| run.engine().is_down(link)).collect();
        assert_eq!(closed, [true, alike]);
        tape.advance(Cycle(700));
        let done: Vec<usize> = tape.runs().all().map(|run| run.journal().len()).collect();
        assert_eq!(done, [2, 1 + usize::from(alike)]);
        // The same from the journal of the first.
        let again =
            Runs::two(tape.session().clone().anew(), Arc::clone(tape.runs().run(true).scenario()));
        let mut again = Tape::with_journal(again, tape.journal().to_vec(), tape.live(), keep);
        again.advance(Cycle(700));
        for (run, again) in tape.runs().all().zip(again.runs().all()) {
            assert_eq!(run.fingerprint(), again.fingerprint());
        }
    }
}
