//! Tests of the means, bounds and draws of lengths.

use super::*;
use crate::random::{Purpose, Streams};

#[test]
fn exponential_lengths_in_flits_are_the_geometric_ones() {
    let mut streams = Streams::new(3, 0, Purpose::Lengths);
    let mut one = streams.next_node();
    let mut other = one.clone();
    for _ in 0..1000 {
        let length = Lengths::Geometric { mean: 6.5 }.draw(&mut one);
        assert_eq!(Lengths::Exponential { mean: 6.5 }.draw(&mut other), length);
    }
    assert!((Lengths::Exponential { mean: 6.5 }.mean() - 6.5).abs() < f64::EPSILON);
}

#[test]
fn uniform_lengths_come_alike_and_stay_within_their_limits() {
    let lengths = Lengths::Uniform { min: 3, max: 12 };
    assert!((lengths.mean() - 7.5).abs() < f64::EPSILON);
    let mut stream = Streams::new(3, 0, Purpose::Lengths).next_node();
    let mut seen = [0u32; 13];
    for _ in 0..100_000 {
        seen[lengths.draw(&mut stream) as usize] += 1;
    }
    assert!(seen[..3].iter().all(|&count| count == 0));
    for count in &seen[3..] {
        // Standard deviation 95; 8 of them (1.2e-15 for each of ten counts).
        assert!(count.abs_diff(10_000) < 760, "{seen:?}");
    }
    assert_eq!(Lengths::Uniform { min: 5, max: 5 }.draw(&mut stream), 5);
}

#[test]
fn geometric_lengths_have_the_mean_and_the_share_of_ones() {
    let mut stream = Streams::new(3, 0, Purpose::Lengths).next_node();
    let draws = 200_000;
    let (mut sum, mut ones) = (0u64, 0u32);
    for _ in 0..draws {
        let length = Lengths::Geometric { mean: 8.0 }.draw(&mut stream);
        assert!(length >= 1);
        sum += u64::from(length);
        ones += u32::from(length == 1);
    }
    let mean = sum as f64 / f64::from(draws);
    // Standard deviation √(8·7) ≈ 7.5, so 8 standard errors are 0.134.
    assert!((mean - 8.0).abs() < 0.134, "{mean}");
    assert!((f64::from(ones) / f64::from(draws) - 0.125).abs() < 0.006);
}

#[test]
fn variations_are_those_of_the_lengths_drawn() {
    for lengths in [
        Lengths::Fixed(7),
        Lengths::Geometric { mean: 12.0 },
        Lengths::Geometric { mean: 1.0 },
        Lengths::Uniform { min: 4, max: 28 },
    ] {
        let mut stream = Streams::new(5, 0, Purpose::Lengths).next_node();
        let drawn: Vec<f64> = (0..200_000).map(|_| f64::from(lengths.draw(&mut stream))).collect();
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        let square = drawn.iter().map(|it| it * it).sum::<f64>() / drawn.len() as f64;
        let found = square / (mean * mean) - 1.0;
        // Of the geometric law the standard deviation is 0.006.
        assert!((found - lengths.variation()).abs() < 0.05, "{lengths:?}: {found}");
    }
}
