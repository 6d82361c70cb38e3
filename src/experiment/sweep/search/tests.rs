//! Tests of the search on networks given by formulas.
//!
//! The search ends, the bracket has the requested width, and linear interpolation errs by less than
//! the intervals.

use super::*;

/// Half an interval, as a share of the mean.
const PRECISION: f64 = 0.01;

fn seen(load: f64, verdict: Verdict) -> Seen {
    let mean = latency(load);
    let known = (verdict == Verdict::Steady).then_some((mean, PRECISION * mean));
    Seen {
        load,
        verdict,
        measured: true,
        is_long: false,
        latency: known,
        accepted: Some(load.min(0.436)),
        congested: None,
        messages: 0.0,
    }
}

/// The latency of a network with saturation at 0.437.
fn latency(load: f64) -> f64 {
    20.0 + 3.0 * load / (0.437 - load)
}

/// Searches to the end; returns all results in order of loads, and the number of rounds.
fn searched(aim: &Aim, most: f64, verdict: impl Fn(f64) -> Verdict) -> (Vec<Seen>, usize) {
    let mut all: Vec<Seen> = Vec::new();
    for round in 0..100 {
        let loads = Search { aim, most, others: &[] }.next(&all);
        if loads.is_empty() {
            return (all, round);
        }
        for (load, purpose) in loads {
            assert!(load > 0.0 && load <= most, "{load}");
            assert!(all.iter().all(|it| it.load.total_cmp(&load).is_ne()), "{load} twice: {all:?}");
            let verdict = match (purpose, verdict(load)) {
                // Runs for a verdict are too short for the latency.
                (Purpose::Verdict, Verdict::Steady) => Verdict::Carried,
                (_, verdict) => verdict,
            };
            let measured = purpose != Purpose::Verdict;
            all.push(Seen { measured, ..seen(load, verdict) });
        }
        all.sort_by(|one, other| one.load.total_cmp(&other.load));
    }
    panic!("it does not end: {all:?}");
}

fn below(limit: f64) -> impl Fn(f64) -> Verdict {
    move |load| if load < limit { Verdict::Steady } else { Verdict::Saturated }
}

#[test]
fn the_bracket_is_as_narrow_as_asked_for_and_lines_between_points_are_within_the_intervals() {
    for bracket in [0.005, 0.02, 0.1] {
        let (all, rounds) = searched(&Aim::Curve { bracket }, 1.0, below(0.437));
        let (from, to) = Bracket::of(&all).ends().unwrap();
        assert!(from < 0.437 && 0.437 <= to && to - from <= bracket * to, "{from} {to}");
        assert!(rounds < 16 && all.len() < 40, "{rounds} rounds, {} points", all.len());
        let steady: Vec<&Seen> = all.iter().filter(|it| it.verdict == Verdict::Steady).collect();
        for ends in steady.windows(2) {
            let [x, x_end] = [ends[0].load, ends[1].load];
            let line = |x_at: f64| {
                let share = (x_at - x) / (x_end - x);
                latency(x) * (1.0 - share) + latency(x_end) * share
            };
            let missed = (1..16).map(|at| {
                let load = x + (x_end - x) * f64::from(at) / 16.0;
                (line(load) - latency(load)).abs()
            });
            let missed = missed.fold(0.0, f64::max);
            // The curvature is known only from neighbouring points.
            let half = PRECISION * f64::midpoint(latency(x), latency(x_end));
            let narrow = x_end - x <= bracket * x_end;
            assert!(missed < 1.3 * half || narrow, "{x} to {x_end}: {missed} beside {half}");
        }
        // Sparse in flat regions: the shortest stretch is below the knee.
        let lengths = steady.windows(2).map(|ends| (ends[1].load - ends[0].load, ends[0].load));
        let shortest = lengths.min_by(|one, other| one.0.total_cmp(&other.0)).unwrap();
        assert!(shortest.1 > 0.25, "{shortest:?}");
    }
}

#[test]
fn runs_that_are_too_short_to_tell_neither_stop_the_search_nor_are_taken_for_a_verdict() {
    let verdict = |load: f64| match load {
        0.0..0.42 => Verdict::Steady,
        0.42..0.46 => Verdict::TooShort,
        _ => Verdict::Saturated,
    };
    let (all, _) = searched(&Aim::Curve { bracket: 0.02 }, 1.0, verdict);
    let Bracket { below, unsure, above } = Bracket::of(&all);
    let (below, above) = (below.unwrap().load, above.unwrap().load);
    assert!((0.41..0.42).contains(&below) && (0.46..0.47).contains(&above), "{below} {above}");
    assert!(unsure.iter().all(|load| (0.42..0.46).contains(load)), "{unsure:?}");
    assert!((1..6).contains(&unsure.len()), "each of them is as long as runs can be: {unsure:?}");
}

#[test]
fn searches_end_where_there_is_no_saturation_or_nothing_else() {
    let aim = Aim::Curve { bracket: 0.02 };
    let (all, _) = searched(&aim, 0.375, |_| Verdict::Steady);
    assert_eq!(Bracket::of(&all).above, None);
    assert!(all.last().unwrap().load.total_cmp(&0.375).is_eq());
    for verdict in [Verdict::Saturated, Verdict::Deadlocked, Verdict::TooShort] {
        let (all, _) = searched(&aim, 1.0, |_| verdict);
        let bracket = Bracket::of(&all);
        assert_eq!(bracket.ends(), None);
        assert!(all[0].load <= LOWEST && all.len() < 12, "{all:?}");
    }
    // Circuits accept offered loads above one message per transmission time.
    let (all, _) = searched(&aim, 1000.0, below(3.3));
    let (from, to) = Bracket::of(&all).ends().unwrap();
    assert!(from < 3.3 && 3.3 <= to && to - from <= 0.02 * to);
}

#[test]
fn shares_of_saturation_are_run_once_it_is_known() {
    let aim = Aim::Shares { shares: vec![0.25, 0.5, 0.9], bracket: 0.02 };
    let (all, _) = searched(&aim, 1.0, below(0.437));
    let (from, to) = Bracket::of(&all).ends().unwrap();
    for share in [0.25, 0.5, 0.9] {
        let wanted = share * f64::midpoint(from, to);
        let nearest = all.iter().map(|it| (it.load - wanted).abs()).fold(1.0, f64::min);
        assert!(nearest <= 0.003 * wanted, "{wanted}: {nearest}");
    }
    let (searched_only, _) =
        searched(&Aim::Shares { shares: vec![], bracket: 0.02 }, 1.0, below(0.437));
    assert!(all.len() <= searched_only.len() + 3);
}

#[test]
fn curves_take_loads_of_each_other_where_they_may() {
    let aim = Aim::Curve { bracket: 0.02 };
    let (all, _) = searched(&aim, 1.0, below(0.437));
    let others: Vec<f64> = all.iter().map(|it| it.load).collect();
    let search = Search { aim: &aim, most: 1.0, others: &others };
    // A stretch around a load of another curve, and a stretch far from all such loads.
    let middles = [(others[3] - 0.01, others[3] + 0.012), (0.8, 0.82)];
    let middles = middles.map(|(from, to)| search.middle(from, to, 0.02));
    assert_eq!(middles.map(f64::to_bits), [others[3], 0.81].map(f64::to_bits));
}

#[test]
fn a_network_that_accepts_less_once_it_is_congested_is_found_out_unless_that_may_be_chance() {
    let carried = seen(0.4, Verdict::Steady);
    let congested = |accepted, messages, verdict| {
        let above = Seen { congested: Some(accepted), messages, ..seen(0.41, verdict) };
        Bracket::of(&[carried, above]).congested()
    };
    assert_eq!(congested(0.36, 10_000.0, Verdict::Saturated), Some(0.36));
    assert_eq!(congested(0.36, 1_000.0, Verdict::Saturated), None, "may be chance");
    assert_eq!(congested(0.395, 1e9, Verdict::Saturated), None, "hardly less");
    assert_eq!(congested(0.405, 1e9, Verdict::Saturated), None, "all that it carried");
    assert_eq!(congested(0.36, 1e9, Verdict::Deadlocked), None, "nothing moves");
    assert_eq!(Bracket::of(&[carried]).congested(), None);
}

#[test]
fn a_load_above_what_is_accepted_beyond_saturation_is_run_for_longer() {
    let aim = Aim::Shares { shares: vec![], bracket: 0.02 };
    let search = Search { aim: &aim, most: 1.0, others: &[] };
    let carried = Seen { measured: false, ..seen(0.43, Verdict::Carried) };
    let beyond = |accepted| Seen { accepted: Some(accepted), ..seen(0.437, Verdict::Saturated) };
    assert_eq!(search.next(&[carried, beyond(0.431)]), []);
    let doubtful = search.next(&[carried, beyond(0.42)]);
    assert_eq!(doubtful, [(0.429, Purpose::Long)]);
    let confirmed = Seen { is_long: true, ..seen(0.429, Verdict::Steady) };
    assert_eq!(search.next(&[confirmed, carried, beyond(0.42)]), []);
    let open = Seen { is_long: true, ..seen(0.429, Verdict::TooShort) };
    let bracket = Bracket::of(&[seen(0.42, Verdict::Steady), open, carried, beyond(0.42)]);
    assert_eq!((bracket.below.map(|it| it.load), bracket.unsure), (Some(0.42), vec![0.429, 0.43]));
    // The bracket is wide again.
    let next = search.next(&[
        seen(0.4, Verdict::Steady),
        seen(0.429, Verdict::Saturated),
        carried,
        beyond(0.42),
    ]);
    assert!(
        !next.is_empty() && next.iter().all(|(load, _)| (0.4..0.429).contains(load)),
        "{next:?}"
    );
}
