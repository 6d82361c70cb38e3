//! Tests of `experiment::rank`.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::experiment::report::RankRow;
use crate::experiment::{End, Plan, run_all};
use crate::scenario::parse;

/// A small mesh at this load, with two virtual channels.
fn mesh(load: f64) -> Arc<Scenario> {
    let text = format!(
        "Scenario(network: Mesh(radix: [4, 4]), switching: Wormhole(virtual_channels: 2), \
         routing: DimensionOrder(), traffic: (arrivals: Poisson(load: {load}), \
         destinations: Hotspot(nodes: [(2, 2)], percent: 10), lengths: Fixed(8)))"
    );
    Arc::new(parse("mesh", &text, &[]).unwrap())
}

fn ranked(first: &Arc<Scenario>, values: &[&str], replications: u32, messages: u64) -> Vec<Place> {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    let all = candidates(first, "routing", Some(&values));
    let made: Vec<_> = all.iter().map(|it| Arc::clone(it.made.as_ref().unwrap())).collect();
    let end = End::new(None, Some(messages), None);
    let plan = Plan { end, replications, ..Plan::default() };
    let mut run = Vec::new();
    run_all(&made, &plan, None, &AtomicBool::new(false), &|_| {}, |at, results| {
        let outcomes = results.into_iter().collect::<Result<Vec<_>, _>>().unwrap();
        run.push((all[at].value.clone(), outcomes));
    })
    .unwrap();
    Place::ranked(run)
}

#[test]
fn all_that_can_be_set_are_candidates_and_the_rest_say_why_not() {
    let first = mesh(0.2);
    let all = candidates(&first, "routing", None);
    let why = |name: &str| {
        let one = all.iter().find(|it| it.value.starts_with(name)).unwrap();
        one.made.as_ref().map(|made| made.system.relation.routing().name()).map_err(Clone::clone)
    };
    assert!(why("OddEven").is_ok() && why("WestFirst").is_ok());
    assert!(why("NegativeHop").unwrap_err().contains("needs 4 virtual channels"));
    // The scenario's own value occurs once, and given values are not extended.
    let own = |all: &[Candidate]| {
        let same = |it: &&Candidate| {
            it.made.as_ref().is_ok_and(|made| contrast::differences(made, &first).is_empty())
        };
        all.iter().filter(same).count()
    };
    assert_eq!(own(&all), 1);
    let given = ["OddEven".to_owned(), "OddEven()".to_owned(), "Nonsense".to_owned()];
    let given = candidates(&first, "routing", Some(&given));
    assert_eq!((given.len(), own(&given)), (2, 0), "{given:?}");
    assert!(given[1].made.as_ref().unwrap_err().contains("no choice `Nonsense`"));
    // Fields without a list of words have values too.
    let vcs = candidates(&first, "switching.virtual_channels", None);
    assert!(vcs.len() > 4 && own(&vcs) == 1, "{vcs:?}");
}

#[test]
fn the_fastest_is_first_and_runs_that_are_the_same_are_one() {
    let values = [
        "MinimalAdaptive(escape: Dateline)",
        "OddEven",
        "DimensionOrder(classes: None)",
        "MinimalAdaptive(escape: Destination)",
    ];
    let places = ranked(&mesh(0.3), &values, 5, 8_000);
    let means: Vec<f64> = places.iter().map(|it| it.whole.summary.latency.unwrap().mean).collect();
    assert!(means.is_sorted(), "{means:?}");
    // Without rings the two escapes are equal; three places have three pairs.
    assert_eq!((places.len(), places[0].alike.len()), (3, 1));
    let rows = RankRow::all("mesh", "routing", &places, &[]);
    let needed = |at: usize| rows[at].virtual_channels_needed;
    assert_eq!((needed(0), needed(1)), (Some(2), Some(1)));
    assert!(places[0].value.starts_with("MinimalAdaptive") && places[0].apart.is_none());
    for place in &places[1..] {
        let apart = place.apart.unwrap();
        assert!(apart.is_told() && apart.replications.is_none(), "{apart:?}");
        let means = place.whole.summary.latency.unwrap().mean - means[0];
        assert!((apart.difference.mean - means).abs() < 0.2, "{apart:?} {means}");
        // Pairs under the same messages are more precise than independent runs.
        let half = |it: &Place| it.whole.summary.latency.unwrap().half_width.unwrap();
        assert!(apart.difference.half_width.unwrap() < 3.0 * half(place).hypot(half(&places[0])));
    }
}

#[test]
fn what_is_too_close_is_told_by_as_many_replications_as_are_said() {
    let values = ["WestFirst", "NorthLast(classes: TwoNetwork)"];
    let (few, messages) = (3, 3_000);
    let places = ranked(&mesh(0.25), &values, few, messages);
    let apart = places[1].apart.unwrap();
    assert!(!apart.is_told(), "{apart:?}");
    let needed = apart.replications.unwrap();
    assert!((4..400).contains(&needed), "{needed}");
    // The difference itself is subject to chance: twice as many are on the safe side.
    let places = ranked(&mesh(0.25), &values, 2 * needed as u32, messages);
    let apart = places[1].apart.unwrap();
    assert!(apart.is_told(), "{needed}: {apart:?}");
}

#[test]
fn where_none_carries_the_load_what_is_accepted_decides() {
    let places = ranked(&mesh(0.9), &["OddEven", "DimensionOrder()", "WestFirst"], 4, 20_000);
    let accepted: Vec<f64> = places.iter().map(|it| it.whole.summary.accepted.unwrap()).collect();
    assert!(accepted.iter().rev().is_sorted(), "{accepted:?}");
    for place in &places {
        assert!(
            matches!(place.verdict, Verdict::Saturated | Verdict::TooShort),
            "{:?}",
            place.verdict
        );
    }
    let apart = places[1].apart.unwrap();
    assert_eq!(apart.measure, Measure::Accepted);
    assert!((apart.difference.mean - (accepted[1] - accepted[0])).abs() < 1e-9);
}

#[test]
fn reasons_against_running_are_stated_once() {
    let refused =
        |value: &str, why: &str| Candidate { value: value.to_owned(), made: Err(why.to_owned()) };
    let all = [
        refused("DimensionOrder(classes: Static)", "coordinates"),
        refused("DimensionOrder(classes: None)", "coordinates"),
        refused("Minimal(classes: Hops)", "channels"),
        refused("WestFirst", "coordinates"),
        refused("Minimal(classes: Kind(1))", "kinds"),
    ];
    let expected = [
        (vec!["DimensionOrder", "WestFirst"], "coordinates"),
        (vec!["Minimal(classes: Hops)"], "channels"),
        (vec!["Minimal(classes: Kind(1))"], "kinds"),
    ];
    assert_eq!(reasons(&all, &[]), expected);
}
