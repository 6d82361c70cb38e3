//! Compares pairing with a map of all deliveries.
//!
//! Seeks and the division into calls do not change the results.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::engine::Change;
use crate::scenario::{Override, Scenario, builtin, contrast, parse};
use crate::session::Session;
use crate::session::runs::Runs;
use crate::session::tape::{Keep, Tape};
use crate::stats::WarmUp;
use crate::units::{Cycle, Rate};

/// The included scenario of this name with other settings.
pub(in crate::session) fn scenario(name: &str, settings: &[(&str, &str)]) -> Arc<Scenario> {
    let overrides: Vec<Override> = settings
        .iter()
        .map(|&(path, value)| Override {
            path: path.into(),
            value: value.into(),
            label: format!("--set {path}={value}"),
        })
        .collect();
    Arc::new(parse(name, builtin::find(name).unwrap().text, &overrides).unwrap())
}

const TORUS: &str = "papers/adaptive-torus-8x8";

fn beside(one: &Arc<Scenario>, two: &Arc<Scenario>) -> Arc<Scenario> {
    Arc::new(contrast::beside(one, two).unwrap())
}

/// An adaptive torus, and the same torus with dimension order.
fn two() -> (Arc<Scenario>, Arc<Scenario>) {
    let one = scenario(TORUS, &[]);
    let two = beside(&one, &scenario(TORUS, &[("routing", "DimensionOrder()")]));
    (one, two)
}

fn runs(one: &Arc<Scenario>, two: &Arc<Scenario>, warm_up: WarmUp) -> Runs {
    Runs::two(Session::new(Arc::clone(one), one.seed, 0, warm_up), Arc::clone(two))
}

/// All deliveries of a single run.
fn deliveries(scenario: &Arc<Scenario>, warm_up: WarmUp, until: u64) -> Vec<Delivery> {
    let mut session = Session::new(Arc::clone(scenario), scenario.seed, 0, warm_up);
    let mut all = Vec::new();
    session.advance_with(Cycle(until), |delivery| all.push(*delivery));
    all
}

/// The expected figures of messages generated from a cycle on, by brute force.
fn expected(one: &[Delivery], two: &[Delivery], from: u64) -> (u64, u64, u64, u64, [u64; 2], f64) {
    let map = |all: &[Delivery]| -> BTreeMap<(u32, u64), Delivery> {
        let counted = all.iter().filter(|delivery| delivery.born.0 >= from);
        counted.map(|delivery| ((delivery.source.0, delivery.serial), *delivery)).collect()
    };
    let (one, two) = (map(one), map(two));
    let (mut earlier, mut same, mut later, mut sum) = (0, 0, 0, 0i64);
    for (name, first) in &one {
        let Some(second) = two.get(name) else { continue };
        // Both deliveries are of the same message.
        assert_eq!(
            (first.born, first.destination, first.length),
            (second.born, second.destination, second.length)
        );
        match second.done.cmp(&first.done) {
            std::cmp::Ordering::Less => earlier += 1,
            std::cmp::Ordering::Equal => same += 1,
            std::cmp::Ordering::Greater => later += 1,
        }
        sum += second.latency().cast_signed() - first.latency().cast_signed();
    }
    let both = earlier + same + later;
    let only = [one.len() as u64 - both, two.len() as u64 - both];
    (both, earlier, same, later, only, sum as f64 / both as f64)
}

fn check(summary: &PairsSummary, one: &[Delivery], two: &[Delivery]) {
    let paired = summary.paired;
    let (both, earlier, same, later, only, mean) = expected(one, two, paired.from);
    assert_eq!(
        (paired.both, paired.earlier, paired.same, paired.later, summary.only),
        (both, earlier, same, later, only)
    );
    assert!((paired.difference.unwrap().mean - mean).abs() < 1e-9);
}

#[test]
fn pairs_are_those_of_a_map_of_everything() {
    let hold = scenario("papers/circuit-hold-8", &[("traffic.arrivals.rate", "0.2")]);
    let drop = scenario("papers/circuit-hold-8", &[("switching.conflict", "Drop(back_off: 1.5)")]);
    let drop = beside(&hold, &drop);
    let (adaptive, order) = two();
    for (one, two, until) in [(adaptive, order, 20_000), (hold, drop, 30_000)] {
        for warm_up in [WarmUp::Cycles(0), WarmUp::Cycles(3_000), WarmUp::Automatic] {
            let mut runs = runs(&one, &two, warm_up);
            runs.advance(Cycle(until));
            let summary = runs.pairs().unwrap();
            if let WarmUp::Cycles(end) = warm_up {
                assert_eq!((summary.paired.from, summary.settled), (end, true));
            }
            assert!(summary.paired.both > 500 && summary.one_in == 1, "{summary:?}");
            let all = [&one, &two].map(|it| deliveries(it, warm_up, until));
            check(&summary, &all[0], &all[1]);
        }
    }
}

#[test]
fn each_run_is_bit_for_bit_what_it_is_alone_in_every_cycle() {
    let (one, two) = two();
    let mut runs = runs(&one, &two, WarmUp::Automatic);
    let mut alone =
        [&one, &two].map(|it| Session::new(Arc::clone(it), it.seed, 0, WarmUp::Automatic));
    for cycle in 1..=3_000 {
        if cycle == 1_000 {
            runs.apply(Change::Rate(Rate(0.006)));
            for it in &mut alone {
                it.set_rate(Rate(0.006));
            }
        }
        runs.advance(Cycle(cycle));
        for (session, alone) in runs.all().zip(&mut alone) {
            alone.advance(Cycle(cycle));
            assert_eq!(session.now(), Cycle(cycle));
            assert_eq!(session.fingerprint(), alone.fingerprint(), "cycle {cycle}");
        }
    }
}

#[test]
fn how_the_runs_are_cut_changes_nothing() {
    let (one, two) = two();
    let mut whole = runs(&one, &two, WarmUp::Automatic);
    whole.advance(Cycle(30_000));
    assert!(whole.pairs().unwrap().settled);
    let mut cut = runs(&one, &two, WarmUp::Automatic);
    let mut at = 0;
    while at < 30_000 {
        at += 1 + at % 97;
        cut.advance(Cycle(at.min(30_000)));
    }
    assert_eq!(whole.pairs(), cut.pairs());
    let mut copy = runs(&one, &two, WarmUp::Automatic);
    copy.clone_from(&whole);
    assert_eq!(copy.pairs(), whole.pairs());
    copy.advance(Cycle(40_000));
    whole.advance(Cycle(40_000));
    assert_eq!(copy.pairs(), whole.pairs());
}

#[test]
fn going_back_gives_the_same_pairs_again() {
    let (one, two) = two();
    let keep = Keep { work_per_byte: 1, ..Keep::default() };
    let mut tape = Tape::new(runs(&one, &two, WarmUp::Automatic), keep);
    let mut seen = Vec::new();
    for cycle in (1_000..=24_000).step_by(500) {
        tape.advance(Cycle(cycle));
        if cycle == 14_000 {
            tape.apply(Change::Rate(Rate(0.012)));
        }
        let prints: Vec<u64> =
            [tape.session(), tape.runs().second().unwrap()].map(Session::fingerprint).to_vec();
        seen.push((cycle, tape.runs().pairs().unwrap(), prints));
    }
    assert!(tape.checkpoints().count() > 2);
    assert!(seen.iter().any(|(_, pairs, _)| pairs.settled));
    for at in [40, 3, 27, 26, 45, 0, 12] {
        let (cycle, pairs, prints) = &seen[at];
        tape.seek(Cycle(*cycle), 0);
        while tape.is_seeking() {
            tape.advance_seek(777);
        }
        assert_eq!(tape.now(), Cycle(*cycle));
        assert_eq!(tape.runs().pairs().unwrap(), *pairs, "cycle {cycle}");
        assert_eq!(
            [tape.session(), tape.runs().second().unwrap()].map(Session::fingerprint).to_vec(),
            *prints
        );
    }
}

#[test]
fn memory_is_bounded_where_one_run_falls_behind() {
    let (one, two) = two();
    let mut all = [&one, &two].map(|it| deliveries(it, WarmUp::Cycles(0), 20_000));
    // The second run never delivers messages generated from cycle 4,000 on.
    all[1].retain(|delivery| delivery.born.0 < 4_000);
    let mut pairs = Pairs { waiting_max: 200, ..Pairs::default() };
    pairs.begin(0, true);
    for from in (0..20_000).step_by(1_000) {
        for (second, deliveries) in [false, true].into_iter().zip(&all) {
            let now = deliveries.iter().filter(|it| (from..from + 1_000).contains(&it.done.0));
            now.for_each(|delivery| pairs.take(delivery, second));
        }
        pairs.thin();
        assert!(pairs.waiting.len() <= 200);
        // The number of waiting messages agrees with the counts.
        assert_eq!(pairs.waiting.len() as u64, pairs.only.iter().sum::<u64>());
    }
    let summary = pairs.summary();
    assert!(summary.one_in >= 8, "{summary:?}");
    let only = expected(&all[0], &all[1], 0).4;
    let off = summary.only[0] as f64 / only[0] as f64;
    assert!((0.6..1.6).contains(&off), "{summary:?} {only:?}");
}

#[test]
fn one_run_goes_on_where_the_other_stands_for_ever() {
    let deadlock = scenario("ring-deadlock", &[]);
    let free = scenario(
        "ring-deadlock",
        &[("routing.classes", "Dateline"), ("switching.virtual_channels", "2")],
    );
    let free = beside(&deadlock, &free);
    let mut runs = runs(&deadlock, &free, WarmUp::Cycles(0));
    runs.advance(Cycle(20_000));
    let stands = runs.first().deadlock().expect("this ring deadlocks").found;
    assert!(stands < Cycle(20_000));
    assert_eq!((runs.now(), runs.second().unwrap().now()), (Cycle(20_000), Cycle(20_000)));
    assert!(!runs.are_over());
    assert!(runs.pairs().unwrap().only[1] > 0);
}

#[test]
fn runs_of_different_messages_are_not_paired() {
    let one = scenario(TORUS, &[]);
    let two = beside(&one, &scenario(TORUS, &[("traffic.lengths", "Fixed(3)")]));
    let mut runs = runs(&one, &two, WarmUp::Automatic);
    runs.advance(Cycle(2_000));
    assert_eq!(runs.pairs(), None);
    assert_eq!(runs.second().unwrap().now(), Cycle(2_000));
}
