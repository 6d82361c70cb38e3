//! Tests of gaps, changed rates, and ticks.

use super::*;
use crate::random::{Purpose, Streams};

fn arrivals(axis: &Axis, count: usize) -> Vec<u64> {
    let mut cursor = Cursor::new(axis.process, Streams::new(5, 0, Purpose::Arrivals).next_node());
    (0..count)
        .map(|_| {
            let cycle = cursor.cycle(axis);
            cursor.step(axis);
            cycle
        })
        .collect()
}

#[test]
fn poisson_arrivals_come_at_the_rate() {
    let times = arrivals(&Axis::new(Process::Poisson, Rate(0.02)), 100_000);
    let rate = 100_000.0 / *times.last().unwrap() as f64;
    // Relative standard error 1/√100 000 = 0.32 %; 8 of them.
    assert!((rate / 0.02 - 1.0).abs() < 0.026, "{rate}");
}

#[test]
fn geometric_arrivals_come_at_the_rate_and_never_twice_in_a_cycle() {
    let times = arrivals(&Axis::new(Process::Geometric, Rate(0.3)), 100_000);
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
    let rate = 100_000.0 / *times.last().unwrap() as f64;
    assert!((rate / 0.3 - 1.0).abs() < 0.022, "{rate}");
    let adjacent = times.windows(2).filter(|pair| pair[1] == pair[0] + 1).count();
    assert!((adjacent as f64 / 1e5 - 0.3).abs() < 0.012, "{adjacent}");
}

#[test]
fn bursts_come_at_the_rate_before_and_after_it_is_changed() {
    let process = Process::Bursts { burst: 8.0, peak: 5.0 };
    let mut axis = Axis::new(process, Rate(0.02));
    axis.set_rate(5_000_000, Rate(0.08));
    let times = arrivals(&axis, 200_000);
    let before = times.partition_point(|&cycle| cycle < 5_000_000);
    let after = (times.len() - before) as f64 / (times.last().unwrap() - 5_000_000) as f64;
    // Gaps have a squared coefficient of variation below 2 · 8: six relative standard errors.
    let off = |messages: usize| 6.0 * (16.0 / messages as f64).sqrt();
    assert!((before as f64 / 1e5 - 1.0).abs() < off(before), "{before}");
    assert!((after / 0.08 - 1.0).abs() < off(times.len() - before), "{after}");
    let said = process.unlike_poisson().unwrap();
    assert_eq!(said, "bursts of 8 messages at 5 times the mean rate");
}

#[test]
fn a_certain_message_comes_in_every_cycle() {
    let times = arrivals(&Axis::new(Process::Geometric, Rate(1.0)), 1000);
    assert_eq!(times, (0..1000).collect::<Vec<u64>>());
}

#[test]
fn ticks_are_the_cycles_drawn_more_finely_whatever_the_rates() {
    let mut cycles = Axis::new(Process::Poisson, Rate(0.05));
    let mut ticks = cycles.clone().in_ticks();
    for (at, rate) in [(777, 0.2), (1500, 0.001), (90_000, 3.7)] {
        cycles.set_rate(at, Rate(rate));
        ticks.set_rate(at << 32, Rate(rate));
    }
    let (cycles, ticks) = (arrivals(&cycles, 3000), arrivals(&ticks, 3000));
    // A change of rate may be met by a unit more or less of 2⁻³².
    let differ = cycles.iter().zip(&ticks).filter(|&(&c, &t)| c != t >> 32).count();
    assert!(differ <= 3, "{differ}");
    assert!(ticks.iter().any(|t| t.trailing_zeros() < 8), "between cycles too");
}

#[test]
fn twice_the_rate_halves_the_times() {
    let slow = arrivals(&Axis::new(Process::Poisson, Rate(0.01)), 1000);
    let fast = arrivals(&Axis::new(Process::Poisson, Rate(0.02)), 1000);
    for (slow, fast) in slow.iter().zip(&fast) {
        assert!(slow.abs_diff(2 * fast) <= 2, "{slow} {fast}");
    }
}

#[test]
fn a_rate_change_moves_no_earlier_arrival_and_keeps_the_order() {
    for process in [Process::Poisson, Process::Geometric] {
        let steady = Axis::new(process, Rate(0.05));
        let mut changed = steady.clone();
        changed.set_rate(777, Rate(0.2));
        changed.set_rate(1500, Rate(0.001));
        let before = arrivals(&steady, 2000);
        let after = arrivals(&changed, 2000);
        let split = before.partition_point(|&t| t < 777);
        assert_eq!(before[..split], after[..split]);
        assert!(after[split] >= 777 && after.is_sorted());
        let dense = after.iter().filter(|&&t| (777..1500).contains(&t)).count();
        // 723 cycles at 0.2: 145 expected, standard deviation 12.
        assert!((60..230).contains(&dense), "{dense}");
    }
}
