//! Tests of `history`.

use super::*;

#[test]
fn a_history_that_is_cut_goes_on_where_it_was_cut() {
    let mut history = History::default();
    for sample in 0..3_000u32 {
        history.push(sample as f32);
    }
    history.note(70, Event::Load);
    history.note(150_000, Event::Deadlock);
    assert_eq!((history.end(), history.span), (192_000, 512));
    for cycle in [191_999, 100_000, 99_900, 512, 100, 63] {
        history.cut(cycle);
        assert_eq!(history.end(), cycle / 64 * 64);
    }
    assert_eq!(history.events.len(), 0);
    for sample in 0..100u32 {
        history.push(sample as f32);
    }
    assert_eq!(history.end(), 6_400);
    assert!((history.bins[0].mean - 3.5).abs() < 1e-6);
}

#[test]
fn bins_merge_and_keep_mean_and_extremes() {
    let mut history = History::default();
    for sample in 0..100_000u32 {
        history.push(if sample % 2 == 0 { 0.2 } else { 0.4 });
    }
    assert!(history.bins.len() < BINS_MAX);
    assert!(history.bins.len() as u64 * history.span <= 100_000 * SAMPLE_CYCLES);
    let last = history.bins.last().unwrap();
    assert!((last.mean - 0.3).abs() < 1e-3);
    assert!((last.low - 0.2).abs() < 1e-6 && (last.high - 0.4).abs() < 1e-6);
}
