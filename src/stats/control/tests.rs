//! Compares corrected means with plain ones on values whose means are known.

use super::*;
use crate::random::{Purpose, Stream, Streams};
use crate::stats::interval::Collected;

const EXPECTATION: f64 = 1000.0;

fn streams(count: usize) -> Vec<Stream> {
    let mut streams = Streams::new(7, 0, Purpose::Lengths);
    (0..count).map(|_| streams.next_node()).collect()
}

/// Batches of messages: the latency is a constant, `slope` times the control, and noise of mean 1000. The second
/// control is constant, the third twice the first, the fourth unrelated, the others are 0.
fn batches(
    stream: &mut Stream,
    messages: usize,
    slope: f64,
) -> (Batches<[u64; FIGURES]>, Batches<[u64; CONTROLS]>) {
    let (mut figures, mut controls) =
        (Batches::<[u64; FIGURES]>::new(8), Batches::<[u64; CONTROLS]>::new(8));
    for _ in 0..messages {
        let mut draw = || (EXPECTATION * stream.exponential()) as u64;
        let (control, noise, unrelated) = (draw(), draw(), draw());
        let wait = (slope * control as f64) as u64;
        figures.partial.join([500 + wait + noise, wait, noise, 500]);
        figures.count();
        controls.partial.join([control, 16, 2 * control, unrelated, 0, 0]);
        controls.count();
    }
    (figures, controls)
}

/// Expectations of the controls, whose draws are rounded down.
const KNOWN: [f64; CONTROLS] =
    [EXPECTATION - 0.5, 16.0, 2.0 * (EXPECTATION - 0.5), EXPECTATION - 0.5, 0.0, 0.0];

#[test]
fn corrected_means_are_unbiased_and_vary_as_stated() {
    let slope = 3.0;
    let truth = 500.0 + (slope + 1.0) * EXPECTATION;
    let (mut plain, mut corrected, mut left, mut covered) = (Vec::new(), Vec::new(), 0.0, 0);
    let mut streams = streams(200);
    for stream in &mut streams {
        let (figures, controls) = batches(stream, 2_000, slope);
        let found = controlled(&figures, &controls, KNOWN, 1).unwrap();
        let mean = figures.sum(|batch| batch[0]) as f64 / 2_000.0;
        plain.push(mean - truth);
        corrected.push(mean - found.shifts[0] - truth);
        left += found.variance_left / 200.0;
        covered += usize::from((mean - found.shifts[0] - truth).abs() <= found.half_widths[0]);
        // The parts of the corrected latency are the corrected parts.
        let [latency, parts @ ..] = found.shifts;
        assert!((latency - parts.iter().sum::<f64>()).abs() < 1e-6, "{:?}", found.shifts);
    }
    let square = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>() / values.len() as f64;
    let bias = corrected.iter().sum::<f64>() / corrected.len() as f64;
    let error = (square(&corrected) / corrected.len() as f64).sqrt();
    assert!(bias.abs() < 3.0 * error + 2.0, "{bias} ± {error}");
    // The noise is a tenth of the variance.
    let ratio = square(&corrected) / square(&plain);
    assert!((0.06..0.16).contains(&ratio), "{ratio}");
    assert!((0.06..0.16).contains(&left), "{left}");
    assert!((184..=198).contains(&covered), "{covered} of 200");
}

#[test]
fn controls_that_explain_nothing_are_not_used() {
    let used = |stream: &mut Stream| {
        let (figures, controls) = batches(stream, 2_000, 0.0);
        controlled(&figures, &controls, KNOWN, 1).is_some()
    };
    assert_eq!(streams(50).iter_mut().filter_map(|it| used(it).then_some(())).count(), 0);
}

#[test]
fn few_batches_have_no_correction() {
    let (figures, controls) = batches(&mut streams(1)[0], 8 * (2 * VALUES_MIN - 1), 3.0);
    assert_eq!(controlled(&figures, &controls, KNOWN, 1), None);
    let (figures, controls) = batches(&mut streams(1)[0], 2_000, 3.0);
    assert_eq!(controlled(&figures, &controls, KNOWN, 16), None);
}
