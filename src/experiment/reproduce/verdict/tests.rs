//! Tests of intervals against ranges, and of the rate of wrong verdicts.

use super::*;
use crate::experiment::reproduce::{Replication, Results};
use crate::random::{Purpose, Stream, Streams};

/// A replication with this number of messages and mean latency.
fn replication(messages: u64, latency: f64) -> Replication {
    let latency = Some(latency);
    Replication { messages, latency, network_latency: None, aborts: None, utilisation: None }
}

/// The verdict on a figure computed from the results.
fn judge(
    results: &Results,
    range: RangeInclusive<f64>,
    figure: impl Fn(&Results) -> Option<f64>,
) -> Finding {
    results.uncertain(figure).unwrap().judge(range)
}

#[test]
fn inside_holds_outside_does_not_and_across_is_undecided() {
    use Verdict::{DoesNotHold, Holds, Undecided};
    // Half widths at 99.99 %: some 4.5 standard errors with 30 degrees of freedom.
    let judge = |mean: f64, error: f64| {
        let variances = BTreeMap::from([(PointId(0), error * error)]);
        let found = Uncertain { mean, error: Some(error), freedom: 30.0, variances };
        found.judge(-1.0..=1.0)
    };
    for (mean, error, verdict) in [
        (0.5, 0.10, Holds),
        (0.5, 0.12, Undecided),
        (-0.99, 0.001, Holds),
        (1.01, 0.001, DoesNotHold),
        (-1.5, 0.10, DoesNotHold),
        // Noise does not help: the deviation exceeds the range by less than the interval.
        (1.01, 0.1, Undecided),
        (1.01, 100.0, Undecided),
        (f64::NAN, 0.1, Undecided),
    ] {
        assert_eq!(judge(mean, error).verdict, verdict, "{mean} ± {error}");
    }
    // (4.5 · 0.2 / 0.5)² = 3.2 times as many replications would suffice.
    assert_eq!(judge(0.5, 0.2).open(3.0).count(), 0);
    assert_eq!(judge(0.5, 0.2).open(3.5).collect::<Vec<_>>(), [PointId(0)]);
    assert_eq!(judge(0.5, 0.1).open(9.0).count(), 0, "it is decided");
    let times = |findings: &[Finding]| Judgement::all(findings.to_vec(), "").times_to_decide();
    let both = times(&[judge(0.5, 0.2), judge(0.5, 0.12), judge(0.5, 0.1)]).unwrap();
    assert!((3.1..3.3).contains(&both), "{both}");
    assert_eq!(times(&[judge(0.5, 0.1)]), None, "it is decided");
    assert_eq!(times(&[judge(0.5, 0.2), judge(1.5, 0.1)]), None, "it is decided");
    assert_eq!(times(&[judge(1.0, 0.2)]), None, "it lies on the bound");
}

#[test]
fn uncertainty_is_the_jackknife_over_replications_of_every_point() {
    let mut results = Results::none(3);
    for latency in [2.0, 4.0, 6.0, 8.0] {
        results.add(PointId(0), &[replication(10, latency)]);
    }
    results.add(PointId(1), &[replication(5, 1.0), replication(5, 3.0)]);
    // A mean: squared deviations 20, 20/3/4.
    let found = results.uncertain(|results| results.latency(PointId(0))).unwrap();
    assert!((found.mean - 5.0).abs() < 1e-12);
    assert!((found.error.unwrap() - (5.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    assert!((found.freedom - 3.0).abs() < 1e-12);
    assert!((found.estimate().half_width.unwrap() - 4.108_520).abs() < 1e-5);
    // A difference: variances 5/3 and 1 add up; (8/3)² / ((5/3)²/3 + 1) degrees of freedom.
    let found = results
        .uncertain(|results| Some(results.latency(PointId(0))? - results.latency(PointId(1))?));
    let found = found.unwrap();
    assert!((found.mean - 3.0).abs() < 1e-12);
    assert!((found.error.unwrap().powi(2) - 8.0 / 3.0).abs() < 1e-12);
    assert!((found.freedom - 64.0 / 9.0 / (25.0 / 27.0 + 1.0)).abs() < 1e-9);
    assert_eq!(found.variances.len(), 2);
    // A square keeps the plain estimate: 2².
    let square = |results: &Results| Some(results.latency(PointId(1))?.powi(2));
    assert!((results.uncertain(square).unwrap().mean - 4.0).abs() < 1e-12);
    // A point without results, and a figure defined only with all replications.
    assert_eq!(results.uncertain(|results| results.latency(PointId(2))), None);
    let whole = |results: &Results| results.latency(PointId(1)).filter(|it| *it > 1.5);
    let finding = judge(&results, 0.0..=10.0, whole);
    assert_eq!(finding.verdict, Verdict::Undecided);
    assert_eq!(finding.open(1.0).collect::<Vec<_>>(), [PointId(1)]);
}

#[test]
fn of_findings_all_must_hold_and_arithmetic_is_told() {
    let mut results = Results::none(1);
    results.add(PointId(0), &[replication(1, 2.0), replication(1, 2.0)]);
    let judged = |range| judge(&results, range, |results| results.latency(PointId(0)));
    let (holds, fails) = (judged(0.0..=3.0), judged(3.0..=4.0));
    let arithmetic =
        |holds| Uncertain::certain(f64::from(u8::from(holds)), BTreeSet::new()).judge(0.5..=1.5);
    for (findings, verdict, basis) in [
        (vec![holds.clone()], Verdict::Holds, "simulation"),
        (vec![holds.clone(), fails.clone()], Verdict::DoesNotHold, "simulation"),
        (vec![arithmetic(true), holds.clone()], Verdict::Holds, "simulation"),
        (vec![arithmetic(true)], Verdict::Holds, "arithmetic"),
        // The claim fails regardless of the simulation.
        (vec![arithmetic(false), holds.clone()], Verdict::DoesNotHold, "arithmetic"),
        (vec![], Verdict::Undecided, "simulation"),
    ] {
        let judgement = Judgement::all(findings, "");
        assert_eq!((judgement.verdict(), judgement.basis()), (verdict, basis));
    }
    for (known, why) in [(Results::none(1), "results are missing"), (results, "the runs leave")] {
        let unknown = Judgement::unknown(known.missing() > 0);
        assert_eq!((unknown.verdict(), unknown.basis()), (Verdict::Undecided, "simulation"));
        assert!(unknown.evidence.starts_with(why), "{}", unknown.evidence);
    }
}

/// An approximately normal deviate: the sum of twelve uniform deviates.
fn normal(stream: &mut Stream) -> f64 {
    (0..12).map(|_| f64::from(stream.below(1 << 30)) / f64::from(1 << 30)).sum::<f64>() - 6.0
}

#[test]
fn a_truth_at_a_bound_is_seldom_called_anything_but_undecided() {
    let mut stream = Streams::new(24, 0, Purpose::Lengths).next_node();
    let (mut decided, mut narrow) = (0, 0);
    for _ in 0..5_000 {
        let mut results = Results::none(1);
        for _ in 0..8 {
            results.add(PointId(0), &[replication(100, 20.0 + normal(&mut stream))]);
        }
        let off = |results: &Results| Some(results.latency(PointId(0))? / 16.0 - 1.0);
        // The truth is 0.25.
        let finding = judge(&results, -0.25..=0.25, off);
        decided += usize::from(finding.verdict != Verdict::Undecided);
        let finding = judge(&results, -0.5..=0.5, off);
        narrow += usize::from(finding.verdict == Verdict::Holds);
    }
    // One in 10 000 is expected; more than 7 in 5 000 have a probability below 10⁻⁸.
    assert!(decided <= 7, "{decided}");
    assert!(narrow > 4_000, "{narrow} of 5000 told well inside");
}

#[test]
fn a_higher_latency_is_reached_no_earlier_on_any_noisy_curve() {
    let mut stream = Streams::new(46, 0, Purpose::Lengths).next_node();
    let points: Vec<(f64, PointId)> =
        (0..8).map(|at| (f64::from(at), PointId(at as usize))).collect();
    let (mut known, mut both) = (0, 0);
    for _ in 0..300 {
        let mut results = Results::none(points.len());
        for &(x, point) in &points {
            // Latency and scatter both grow steeply.
            let mean = 10.0 * (x / 2.2).exp();
            for _ in 0..5 {
                let latency = mean * (0.35 * normal(&mut stream)).exp();
                results.add(point, &[replication(100, latency)]);
            }
        }
        let reaches = |times: f64| {
            let figure = |results: &Results| results.reaches(&points, 10.0 * times);
            let found = results.uncertain(figure);
            // The figure of the table equals the figure of the evidence.
            assert_eq!(found.as_ref().map(|it| it.mean), figure(&results));
            // A printed figure has an interval.
            assert!(found.as_ref().is_none_or(|it| it.error.is_some()));
            found.map(|it| it.mean)
        };
        let (five, ten) = (reaches(5.0), reaches(10.0));
        known += usize::from(five.is_some());
        both += usize::from(five.zip(ten).is_some_and(|(five, ten)| ten >= five));
        assert!(ten.is_none() || ten >= five, "{five:?}, {ten:?}");
    }
    assert!(known > 250 && both > 200, "{known} {both}");
}

#[test]
fn what_chance_decides_to_be_reached_has_no_figure() {
    let points = [(0.0, PointId(0)), (1.0, PointId(1))];
    let curve = |latencies: &[f64]| {
        let mut results = Results::none(2);
        results.add(PointId(0), &[replication(1, 10.0), replication(1, 10.0)]);
        for &latency in latencies {
            results.add(PointId(1), &[replication(1, latency)]);
        }
        results
    };
    // The mean of 40 reaches 35; without the second replication 30 do not.
    assert_eq!(curve(&[30.0, 50.0]).reaches(&points, 35.0), None);
    assert!(curve(&[38.0, 42.0]).reaches(&points, 35.0).is_some());
    // A single replication cannot be omitted.
    assert!(curve(&[40.0]).reaches(&points, 35.0).is_some());
}
