//! Tests of runs: ends, order, stops and crashes.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::messages::{MessageRow, Record, run_telling};
use super::report::Time;
use super::*;
use crate::scenario::{Override, builtin, parse};
use crate::session::Session;
use crate::units::Cycle;

fn case() -> Arc<Scenario> {
    cases::find("8x8").unwrap().scenario()
}

#[test]
fn every_case_is_a_scenario_at_its_load() {
    for case in cases::all() {
        let scenario = case.scenario();
        assert!(scenario.system.load().0 > 0.0);
        assert_eq!(scenario.system.circuit().is_some(), case.circuits);
        assert_eq!(cases::find(case.name), Some(case));
    }
    assert_eq!(cases::all().filter(|case| case.circuits).count(), 5);
    let load = |name: &str| cases::find(name).unwrap().scenario().system.load().0;
    assert!((load("8x8-10") - 0.0348).abs() < 1e-12 && (load("4x4-finite") - 0.2).abs() < 1e-12);
    let rate = cases::find("circuit-hold-6").unwrap().scenario().system.traffic.rate.0;
    assert!((rate - 0.1).abs() < 1e-12);
    assert_eq!(cases::find("9x9"), None);
}

fn all(scenarios: &[Arc<Scenario>], plan: &Plan, jobs: usize) -> Vec<(usize, Results)> {
    let never = AtomicBool::new(false);
    let mut seen = Vec::new();
    run_all(scenarios, plan, Some(jobs), &never, &|_| {}, |at, results| seen.push((at, results)))
        .unwrap();
    seen
}

#[test]
fn what_was_said_decides_about_the_end() {
    let (share, messages_max, cycles_max) =
        (PRECISION_DEFAULT, MESSAGES_MAX_DEFAULT, CYCLES_MAX_DEFAULT);
    let precision = End::Precision { share, messages_max, cycles_max };
    assert_eq!(End::new(None, None, None), precision);
    assert_eq!(End::new(None, None, Some(9)), End::Cycles(9));
    assert_eq!(End::new(None, Some(5), None), End::Messages { count: 5, cycles_max });
    assert_eq!(End::new(None, Some(5), Some(9)), End::Messages { count: 5, cycles_max: 9 });
    let limited = End::Precision { share: 0.2, messages_max: 5, cycles_max: 9 };
    assert_eq!(End::new(Some(0.2), Some(5), Some(9)), limited);
}

#[test]
fn a_run_in_slices_is_the_run_in_one_go() {
    let plan = Plan { end: End::Cycles(30_000), replications: 3, ..Plan::default() };
    let seen = all(&[case(), case()], &plan, 3);
    assert_eq!(seen.iter().map(|(at, _)| *at).collect::<Vec<usize>>(), [0, 1]);
    for (_, results) in seen {
        for (replication, result) in (0..).zip(results) {
            let outcome = result.unwrap();
            let mut session = Session::new(case(), 1, replication, WarmUp::Automatic);
            session.advance(Cycle(30_000));
            assert_eq!(outcome.replication, Some(replication));
            assert_eq!((outcome.cycles, outcome.ended), (30_000, Ended::Reached));
            assert_eq!(outcome.fingerprint, session.fingerprint());
            assert_eq!(outcome.summary, session.summary());
        }
    }
}

#[test]
fn what_is_stopped_is_partial_and_what_was_not_begun_is_missing() {
    let plan = Plan { end: End::Cycles(u64::MAX), replications: 3, ..Plan::default() };
    let stop = AtomicBool::new(false);
    let mut outcomes = Vec::new();
    let cycles = AtomicU64::new(0);
    let progress = |seen: Progress| {
        cycles.store(seen.cycles, Ordering::Relaxed);
        stop.store(true, Ordering::Relaxed);
    };
    run_all(&[case()], &plan, Some(1), &stop, &progress, |_, results| {
        outcomes = results.into_iter().map(Result::unwrap).collect();
    })
    .unwrap();
    assert_eq!(outcomes.len(), 1);
    assert_eq!(outcomes[0].ended, Ended::Stopped);
    assert!(outcomes[0].cycles >= cycles.load(Ordering::Relaxed));
    assert_eq!(Outcome::together(&outcomes, 3).unwrap().ended, Ended::Stopped);
    assert!(Outcome::together(&[], 3).is_none());
}

#[test]
fn a_run_that_breaks_says_where_and_leaves_the_others_alone() {
    let plan = Plan { end: End::Cycles(3_000_000), replications: 2, ..Plan::default() };
    let never = AtomicBool::new(false);
    let progress = |seen: Progress| assert_ne!(seen.run, 1, "a mistake on purpose");
    let mut results = Vec::new();
    run_all(&[case()], &plan, Some(2), &never, &progress, |_, all| results = all).unwrap();
    assert_eq!(results[0].as_ref().unwrap().ended, Ended::Reached);
    let crash = results[1].as_ref().unwrap_err();
    assert_eq!((crash.seed, crash.replication), (1, 1));
    assert!(crash.cycle > 0 && crash.cycle < 3_000_000, "{crash}");
    assert!(crash.fault.what.contains("a mistake on purpose"), "{crash}");
    assert!(crash.to_string().contains(&format!("cycle {}", crash.cycle)));
}

#[test]
fn a_search_ends_with_the_verdict_on_the_load() {
    let text = builtin::find("torus-8x8").unwrap().text;
    let end =
        End::Verdict { resolution: 0.05, messages_max: 200_000, cycles_max: CYCLES_MAX_DEFAULT };
    for (load, expected) in
        [("0.1", Ended::Carried), ("0.32", Ended::Carried), ("0.37", Ended::Saturated)]
    {
        let set = Override {
            path: "traffic.arrivals.load".into(),
            value: load.into(),
            label: String::new(),
        };
        let scenario = Arc::new(parse("torus-8x8", text, &[set]).unwrap());
        let found = all(&[scenario], &Plan { end, ..Plan::default() }, 1).remove(0).1.remove(0);
        let found = found.unwrap();
        assert_eq!(found.ended, expected, "{load}: {:?}", found.summary.steadiness);
        assert_eq!(found.summary.steadiness.is_saturated(), expected == Ended::Saturated);
        assert!(found.summary.messages < 100_000, "{load}: {}", found.summary.messages);
    }
}

#[test]
fn the_rows_of_a_run_with_failures_have_its_deliveries_and_losses_in_order() {
    let text = builtin::find("link-failures").unwrap().text;
    let scenario = Arc::new(parse("link-failures", text, &[]).unwrap());
    let plan = Plan {
        end: End::Cycles(14_000),
        warm_up: WarmUp::Cycles(0),
        replications: 1,
        ..Plan::default()
    };
    let (never, mut rows) = (AtomicBool::new(false), Vec::new());
    let mut tell = |record: Record<'_>| {
        rows.push(MessageRow::new(&scenario.system, record));
    };
    let outcome = run_telling(&scenario, &plan, &never, &|_| {}, &mut tell).remove(0).unwrap();
    let count = |is: fn(&MessageRow) -> bool| rows.iter().filter(|row| is(row)).count() as u64;
    let lost = count(|row| row.lost.is_some());
    assert_eq!((lost, lost > 50), (outcome.counters.lost, true));
    assert_eq!(count(|row| row.delivered.is_some()), outcome.counters.delivered);
    assert_eq!(count(|row| row.delivered.is_some() && row.lost.is_some()), 0);
    let known: BTreeSet<_> = rows.iter().map(|row| (&row.source, row.serial)).collect();
    assert_eq!((known.len(), known.len() as u64), (rows.len(), outcome.counters.generated));
    let time = |value: &Option<Time>| value.map(|time| serde_json::to_value(time).unwrap());
    let end = |row: &MessageRow| {
        time(&row.delivered).or(time(&row.lost)).map_or(u64::MAX, |it| it.as_u64().unwrap())
    };
    assert!(rows.is_sorted_by_key(end));
    for row in rows.iter().filter(|row| row.lost.is_some()) {
        assert!(row.started.is_none() && row.hops.is_none() && end(row) >= 6_000);
    }
}
