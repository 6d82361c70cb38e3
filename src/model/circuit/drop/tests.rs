//! Tests of sums over attempts against attempts followed one by one.

use super::*;

fn constant(busy: f64) -> Repeats {
    Repeats { first: Vec::new(), later: busy }
}

#[test]
fn links_that_are_busy_alike_at_every_look_make_geometric_attempts() {
    let (busy, links) = (0.3, 5);
    let chances = [busy; 5];
    let again = vec![Answers { taken: 0.0, fresh: constant(busy), young: constant(busy) }; links];
    let hops = hops(&Chances { new: &chances, given_back: &chances, again: &again });
    let attempts = 0.7f64.powi(-5);
    for (hop, sums) in (0..).zip(&hops) {
        let requests = attempts * 0.7f64.powi(hop);
        assert!((sums.requests - requests).abs() < 1e-9, "{hop} {sums:?}");
        assert!((sums.aborts - requests * busy).abs() < 1e-9, "{hop} {sums:?}");
    }
}

/// Attempt after attempt, with the probability of every intermediate state.
fn followed(chances: &Chances<'_>) -> Vec<Hop> {
    let links = chances.new.len();
    let mut hops = vec![Hop { looks: 1.0, looks_squared: 1.0, ..Hop::default() }; links];
    // waiting[hop][kind][look]: the message failed at `hop`, for the time number `look` in a row.
    let looks = 60;
    let mut waiting = vec![[vec![0.0; looks], vec![0.0; looks]]; links];
    let mut new = 1.0;
    for _ in 0..3000 {
        let mut next = vec![[vec![0.0; looks], vec![0.0; looks]]; links];
        let mut attempt = |failed: Option<(usize, usize, usize)>, share: f64| {
            let mut left = share;
            for (hop, sums) in hops.iter_mut().enumerate() {
                let (busy, entry) = match failed {
                    Some((at, _, _)) if hop < at => (chances.given_back[hop], (hop, 1, 0)),
                    Some((at, kind, look)) if hop == at => (
                        chances.again[hop].kinds()[kind].at(look),
                        (hop, kind, (look + 1).min(looks - 1)),
                    ),
                    _ => (chances.new[hop], (hop, 0, 0)),
                };
                sums.requests += left;
                sums.aborts += left * busy;
                next[entry.0][entry.1][entry.2] += left * busy;
                left *= 1.0 - busy;
            }
        };
        if new > 0.0 {
            attempt(None, new);
        }
        for (hop, kinds) in waiting.iter().enumerate() {
            for (kind, by_look) in kinds.iter().enumerate() {
                for (look, &share) in by_look.iter().enumerate().filter(|(_, s)| **s > 0.0) {
                    attempt(Some((hop, kind, look)), share);
                }
            }
        }
        new = 0.0;
        waiting = next;
    }
    hops
}

#[test]
fn the_sums_are_those_of_attempts_followed_one_by_one() {
    let new = [0.2, 0.15, 0.15, 0.15];
    let given_back = [0.1, 0.05, 0.06, 0.07];
    let repeats = |hop: u32, scale: f64| {
        let busy = scale + 0.05 * f64::from(hop);
        Repeats { first: vec![busy, busy * 0.8, busy * 0.7], later: busy * 0.6 }
    };
    let answers = |hop| Answers { taken: 0.0, fresh: repeats(hop, 0.4), young: repeats(hop, 0.6) };
    let again: Vec<Answers> = (0..4).map(answers).collect();
    let chances = Chances { new: &new, given_back: &given_back, again: &again };
    for (hop, (found, expected)) in hops(&chances).iter().zip(followed(&chances)).enumerate() {
        assert!((found.requests - expected.requests).abs() < 1e-9, "{hop}: {found:?}");
        assert!((found.aborts - expected.aborts).abs() < 1e-9, "{hop}: {found:?}");
    }
}

#[test]
fn a_solution_solves() {
    // The first pivot is zero.
    let matrix = [0.0, 2.0, 1.0, 1.0, -1.0, 3.0, 4.0, 0.5, -2.0];
    let right = [3.0, -1.0, 7.0];
    let mut found = right;
    solve(&mut matrix.clone(), &mut found).unwrap();
    for row in 0..3 {
        let sum: f64 = (0..3).map(|column| matrix[row * 3 + column] * found[column]).sum();
        assert!((sum - right[row]).abs() < 1e-12, "{row}: {sum}");
    }
}

#[test]
fn equations_that_contradict_each_other_have_none() {
    assert_eq!(solve(&mut [1.0, 2.0, 2.0, 4.0], &mut [1.0, 3.0]), None);
}
