//! Tests that the division of time into steps changes no result.

use super::*;
use crate::engine::Change;
use crate::live::RunState;
use crate::live::tests::scenario;
use crate::scenario;
use crate::units::{Cycle, Rate};

fn clocked_run(speed: Speed) -> ClockedRun {
    ClockedRun::new(scenario(), Options { speed, ..Options::default() })
}

#[test]
fn a_clock_cut_finer_leads_to_the_same_cycle() {
    let mut pictures = Vec::new();
    for pieces in [1, 7, 30] {
        let mut run = clocked_run(Speed::PerSecond(1_000.0));
        for _ in 0..pieces {
            run.elapse(Duration::from_nanos(2_100_000_000 / pieces));
        }
        run.execute(Command::Change(Change::Rate(Rate(0.02))));
        run.execute(Command::Step(500));
        let mut update = Update::empty(scenario());
        run.draw(&mut update);
        assert!(update.snapshot.cycle.0.abs_diff(2_600) <= 1, "{}", update.snapshot.cycle.0);
        assert!(update.theory.is_some() && update.proof.is_some());
        if update.snapshot.cycle == Cycle(2_600) {
            pictures.push((update.snapshot, update.summary));
        }
    }
    assert!(pictures.len() > 1);
    assert!(pictures.iter().all(|picture| *picture == pictures[0]));
}

#[test]
fn going_through_time_takes_none() {
    let mut run = clocked_run(Speed::Max);
    run.elapse(Duration::from_millis(100));
    run.execute(Command::Back(10_000));
    let mut update = Update::empty(scenario());
    run.draw(&mut update);
    assert_eq!(update.state, RunState::Paused);
    assert_eq!((update.snapshot.cycle, update.live), (Cycle(16_214), Cycle(26_214)));
    run.execute(Command::Step(100_000));
    run.elapse(Duration::from_millis(1));
    run.draw(&mut update);
    assert_eq!(update.snapshot.cycle, Cycle(116_214));
}

/// In motion, the averages of 262,144 channels are at most 7 cycles old; in a pause, they are exact.
#[test]
fn averages_over_many_channels_are_a_few_cycles_old_until_the_run_pauses() {
    let text = include_str!("../../../scenarios/torus-8x8.ron").replace("[8, 8]", "[256, 256]");
    let large = Arc::new(scenario::parse("large", &text, &[]).unwrap());
    let options = Options { speed: Speed::PerSecond(1_000.0), ..Options::default() };
    let mut run = ClockedRun::new(Arc::clone(&large), options);
    let mut update = Update::empty(large);
    let mut age = |run: &mut ClockedRun| {
        run.draw(&mut update);
        update.snapshot.cycle.0 - update.usage.cycles
    };
    let ages: Vec<u64> = (0..20)
        .map(|_| {
            run.elapse(Duration::from_millis(1));
            age(&mut run)
        })
        .collect();
    assert!(ages.contains(&7) && ages.iter().all(|&age| age < 8), "{ages:?}");
    run.execute(Command::Step(3));
    assert_eq!(age(&mut run), 0);
}
