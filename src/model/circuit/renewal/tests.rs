//! Tests of the renewal process against known relaxation rates.

use super::*;

/// A link with only our own retrying message, and without excluded circuits.
fn alone(interval: f64, busy: f64) -> Question {
    Question { interval, busy, beyond_data: 0.0, excluded: 0.0, links_before: 1e9 }
}

#[test]
fn exponential_circuits_forget_at_the_rate_of_both_transitions() {
    let data = DataTime::Exponential { mean: 1.0 };
    for (interval, busy) in [(0.3, 0.2), (1.0, 0.2), (1.0, 0.6), (3.0, 0.4)] {
        let answers = Answers::of(alone(interval, busy), &data);
        // Transitions between on and off at rates 1 and U/(1 − U).
        let forgotten = (-interval / (1.0 - busy)).exp();
        let (taken, again) = (busy * (1.0 - forgotten), busy + (1.0 - busy) * forgotten);
        // Error due to the grid, and to the tail cut at 7 means, nearly reached by old circuits.
        let close = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.02;
        assert!(close(answers.taken, taken), "{interval} {busy}: {answers:?} {taken}");
        for look in (0..6).filter(|&look| look as f64 * interval <= 1.5) {
            assert!(close(answers.fresh.at(look), again), "{interval} {busy} {look}: {again}");
            assert!(close(answers.young.at(look), again), "{interval} {busy} {look}: {again}");
        }
    }
}

#[test]
fn no_constant_circuit_outlasts_a_longer_interval() {
    let answers = Answers::of(alone(1.25, 1e-6), &DataTime::Fixed(1.0));
    assert!(answers.fresh.at(0) < 1e-4, "{answers:?}");
    let shorter = Answers::of(alone(0.5, 1e-6), &DataTime::Fixed(1.0));
    // Half of the random circuits have more than half of their time left.
    assert!((shorter.fresh.at(0) - 0.5).abs() < 0.02, "{shorter:?}");
    assert!(shorter.fresh.at(1) < 0.05, "{shorter:?}");
}

#[test]
fn a_circuit_that_outlasts_all_looks_that_are_followed_ends_all_the_same() {
    // 250 checks during a whole circuit, 125 during the residual of a random circuit, and on the
    // busier link some during other circuits.
    let answers = |busy| Answers::of(alone(0.004, busy), &DataTime::Fixed(1.0));
    let looks = |repeats: &Repeats| {
        let mut still = 1.0;
        let mut sum = 0.0;
        for &busy in &repeats.first {
            still *= busy;
            sum += still;
        }
        sum + still * repeats.later / (1.0 - repeats.later)
    };
    let (idle, busy) = (answers(1e-6), answers(0.3));
    assert!((looks(&idle.young) / 250.0 - 1.0).abs() < 0.01, "{}", looks(&idle.young));
    assert!((looks(&idle.fresh) / 125.0 - 1.0).abs() < 0.02, "{}", looks(&idle.fresh));
    assert!(looks(&busy.young) > looks(&idle.young) && looks(&busy.young) < 255.0);
}

#[test]
fn a_search_that_goes_round_about_a_jump_is_let_settle() {
    let mut kept = AnswerCache::none();
    let mut worked_out = 0;
    for round in 0..1000 {
        let busy = if round % 2 == 0 { 0.5 } else { 0.501 };
        kept.at(busy, || worked_out += 1);
    }
    assert_eq!(worked_out, 9 * PATIENCE, "until the change is within ten times the least");
}

#[test]
fn others_that_come_back_keep_a_link_busier() {
    let question = Question { links_before: 1.5, ..alone(1.5, 0.3) };
    let data = DataTime::Uniform { min: 0.1, max: 1.9 };
    let (with, without) = (Answers::of(question, &data), Answers::of(alone(1.5, 0.3), &data));
    assert!(with.fresh.at(0) > 1.02 * without.fresh.at(0));
    assert!((with.taken - without.taken).abs() < 1e-12);
    assert!((Answers::first_repeat(question, &data) - with.fresh.at(0)).abs() < 1e-12);
    let excluded = Answers::of(Question { excluded: 0.25, ..question }, &data);
    assert!(excluded.fresh.at(0) < with.fresh.at(0));
}

#[test]
fn a_look_takes_so_many_steps_whatever_the_times_are() {
    let data = DataTime::Exponential { mean: 1.0 };
    for interval in [1e-9, 1e-3, 1.0, 1e3, 1e9] {
        for beyond_data in [0.0, 1e3, 1e9] {
            let grid = Grid::new(Question { beyond_data, ..alone(interval, 0.3) }, &data);
            let cells = (grid.slots * grid.lengths.len()) as f64;
            assert!(cells <= 2.0 * CELLS_MAX, "{interval} {beyond_data}: {cells}");
        }
    }
    // Longer than all circuits of the paper, with the usual resolution.
    let usual = Grid::new(Question { beyond_data: 2.0, ..alone(6.0, 0.3) }, &data);
    assert!((usual.slot - SLOT).abs() < 1e-12, "{}", usual.slot);
}
