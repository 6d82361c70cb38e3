//! Tests that breakpoints stop a run at the same cycles in any slicing, pace or seek.

use proptest::prelude::*;

use super::*;
use crate::engine::messages::MessageState;
use crate::ids::{MessageId, NodeId};
use crate::session::Session;

/// The cycle and the reason of a run's stop at a breakpoint.
fn stops(breakpoint: &Breakpoint, step: Option<u64>) -> (u64, String) {
    let mut live = start(Options { running: false, speed: Speed::Max, ..Options::default() });
    live.send(Command::Change(Change::Rate(Rate(0.05))));
    live.send(Command::Break(breakpoint.clone()));
    if step.is_none() {
        live.send(Command::Run);
    }
    for _ in 0..2_000 {
        if let Some(step) = step {
            live.send(Command::Step(step));
        }
        let sent = live.sent();
        let update = wait(&live, |update| {
            update.commands == sent
                && !matches!(update.state, RunState::Running | RunState::Seeking)
        });
        if let Some(reason) = &update.stopped_by {
            assert_eq!((update.state, &update.breakpoint), (RunState::Paused, breakpoint));
            return (update.snapshot.cycle.0, reason.clone());
        }
    }
    panic!("{breakpoint:?} never stops the run");
}

#[test]
fn breakpoints_stop_the_thread_at_the_same_cycle() {
    for (text, reasons) in [
        ("chain 2", &["chain of "][..]),
        ("latency 60", &["latency of "]),
        ("chain 12, latency 40", &["chain of ", "latency of "]),
        ("cycle 5,000", &["cycle 5000"]),
        ("node (3,1)", &["node (3,1): "]),
        ("message (2,2)#7", &["message (2,2)#7 generated"]),
    ] {
        let breakpoint = Breakpoint::parse(text, &scenario().system).unwrap();
        let ran = stops(&breakpoint, None);
        assert_eq!(ran, stops(&breakpoint, Some(37)), "{text}");
        assert_eq!(ran, stops(&breakpoint, Some(5000)), "{text}");
        assert!(reasons.iter().any(|reason| ran.1.starts_with(reason)), "{ran:?}");
    }
}

/// All stops up to `end`, in steps of the given lengths.
fn all_stops(run: &mut ClockedRun, end: u64, steps: &[u64]) -> Vec<(u64, String)> {
    let mut update = Update::empty(scenario());
    let mut seen = Vec::new();
    for &step in steps.iter().cycle() {
        run.draw(&mut update);
        let left = end - update.snapshot.cycle.0;
        if left == 0 {
            return seen;
        }
        run.execute(Command::Step(step.min(left)));
        run.draw(&mut update);
        if let Some(reason) = update.stopped_by.clone() {
            assert_eq!(update.state, RunState::Paused);
            seen.push((update.snapshot.cycle.0, reason));
        }
    }
    seen
}

fn clocked_run(rate: f64, breakpoint: &Breakpoint) -> ClockedRun {
    let mut run = ClockedRun::new(scenario(), Options { running: false, ..Options::default() });
    run.execute(Command::Change(Change::Rate(Rate(rate))));
    run.execute(Command::Break(breakpoint.clone()));
    run
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_stop_is_the_same_however_the_run_is_cut(
        chain in prop::option::of(1u32..4),
        latency in prop::option::of(20u64..80),
        cycles in prop::collection::btree_set(1u64..900, 0..4),
        routers in prop::collection::btree_set(0u32..16, 0..2),
        messages in prop::collection::btree_set((0u32..16, 0u64..12), 0..4),
        steps in prop::collection::vec(1u64..150, 1..8),
        rate in 0.005f64..0.05,
        back in 0u64..900,
    ) {
        let end = 900;
        let name = |(source, serial)| MessageId { source: NodeId(source), serial };
        let breakpoint = Breakpoint {
            chain,
            latency,
            cycles: cycles.into_iter().collect(),
            routers: routers.into_iter().map(crate::ids::RouterId).collect(),
            messages: messages.into_iter().map(name).collect(),
        };
        let straight = all_stops(&mut clocked_run(rate, &breakpoint), end, &[end]);
        let mut run = clocked_run(rate, &breakpoint);
        prop_assert_eq!(&all_stops(&mut run, end, &steps), &straight);
        for &cycle in &breakpoint.cycles {
            prop_assert!(straight.iter().any(|(at, _)| *at == cycle));
        }
        // Running forward from the past repeats the stops.
        run.execute(Command::Seek(Cycle(0)));
        prop_assert_eq!(&all_stops(&mut run, end, &steps), &straight);
        // After a seek to any cycle, earlier stops are not repeated.
        let chainless = Breakpoint { chain: None, ..breakpoint };
        run.execute(Command::Break(chainless.clone()));
        run.execute(Command::Seek(Cycle(back)));
        let mut wanted = all_stops(&mut clocked_run(rate, &chainless), end, &[end]);
        wanted.retain(|(cycle, _)| *cycle > back);
        prop_assert_eq!(&all_stops(&mut run, end, &steps), &wanted);
    }
}

#[test]
fn a_message_stops_the_run_at_each_of_its_turns() {
    let name = MessageId { source: NodeId(5), serial: 3 };
    let breakpoint = Breakpoint { messages: vec![name], ..Breakpoint::default() };
    let stops = all_stops(&mut clocked_run(0.05, &breakpoint), 3_000, &[500]);
    let mut session = Session::new(scenario(), 3, 0, WarmUp::default());
    session.set_rate(Rate(0.05));
    let words = |cycle: u64| stops.iter().find(|stop| stop.0 == cycle).map(|stop| stop.1.as_str());
    let (mut born, mut gone) = (None, None);
    while gone.is_none() {
        session.advance(session.now() + 1);
        match session.engine().state_of(name, None) {
            MessageState::Gone => gone = Some(session.now().0),
            MessageState::Unborn => {}
            _ => born = born.or(Some(session.now().0)),
        }
    }
    assert!(words(born.unwrap()).unwrap().starts_with("message (1,1)#3 generated"), "{stops:?}");
    assert!(words(gone.unwrap()).unwrap().contains("delivered after "), "{stops:?}");
    assert!(stops.iter().any(|stop| stop.1.contains("leaves its source")), "{stops:?}");
    assert_eq!(stops.last().unwrap().0, gone.unwrap());
}

#[test]
fn a_run_that_goes_on_from_the_past_stops_again() {
    let mut live = start(Options { running: false, speed: Speed::Max, ..Options::default() });
    live.send(Command::Step(3_000));
    live.send(Command::Seek(Cycle(500)));
    let sent = live.sent();
    wait(&live, |update| update.commands == sent && update.state == RunState::Paused);
    let cycles = vec![1_000, 2_000];
    live.send(Command::Break(Breakpoint { cycles, ..Breakpoint::default() }));
    for cycle in [1_000, 2_000] {
        live.send(Command::Run);
        let sent = live.sent();
        let update = wait(&live, |update| update.commands == sent && update.stopped_by.is_some());
        assert_eq!((update.snapshot.cycle, update.live), (Cycle(cycle), Cycle(3_000)));
        assert_eq!(update.stopped_by, Some(format!("cycle {cycle}")));
    }
}
