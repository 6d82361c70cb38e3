//! Tests of explanations of deadlocks.

use std::sync::Arc;

use super::*;
use crate::scenario::{builtin, parse};
use crate::stats::WarmUp;

/// The explanation of the deadlock of a scenario.
fn explained(text: &str) -> (Explanation, Session) {
    let scenario = parse("test", text, &[]).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut session = Session::new(Arc::new(scenario), 1, 0, WarmUp::Cycles(0));
    session.advance(Cycle(50_000));
    let mut explainer = Explainer::new(&session, |_, _| session.anew()).expect("a deadlock");
    while !explainer.is_done() {
        explainer.advance(100);
    }
    let found = explainer.explanation();
    assert_eq!(Explainer::of_run(&session).unwrap(), found);
    (found, session)
}

#[test]
fn the_grants_of_a_ring_are_listed_in_order_up_to_the_wait_that_closes_it() {
    let (found, session) = explained(
        "Scenario(network: Torus(radix: [4], links: Unidirectional), routing: DimensionOrder(classes: None), \
         switching: Wormhole(virtual_channels: 1, buffer_flits: 2), traffic: (arrivals: Poisson(load: 0.8), \
         destinations: Uniform, lengths: Fixed(12)))",
    );
    assert!(found.grants.len() >= 2, "{found:?}");
    let cycles: Vec<u64> = found.grants.iter().map(|grant| grant.cycle.unwrap().0).collect();
    assert!(cycles.is_sorted() && cycles.last().unwrap() < &found.closed.0);
    // Every grant precedes the wait for it, and the last wait closes the cycle.
    for grant in &found.grants {
        assert!(grant.cycle <= grant.waits_from, "{grant:?}");
    }
    let last = found.grants.iter().filter_map(|grant| grant.waits_from).max().unwrap();
    assert_eq!(last + 1, found.closed);
    // Each waiting message holds what another of them wants.
    for grant in &found.grants {
        assert!(found.grants.iter().any(|other| other.holder == grant.wanted_by));
    }
    assert!(found.remedy.contains("dimension 0") && session.deadlock().is_some());
}

#[test]
fn a_remedy_names_turns_or_replies() {
    let (turns, _) = explained(
        "Scenario(network: Mesh(radix: [4, 4]), routing: MinimalAdaptive(escape: None), \
         switching: Wormhole(virtual_channels: 1, buffer_flits: 1), traffic: (arrivals: Poisson(load: 0.9), \
         destinations: Uniform, lengths: Fixed(16)))",
    );
    assert!(
        turns.remedy.contains("turns is missing: ") && turns.remedy.contains(" to "),
        "{turns:?}"
    );
}

#[test]
fn a_deadlock_of_old_and_new_routes_is_prevented_by_the_change_of_routes() {
    let (found, _) = explained(builtin::find("hangs/stale-tables").unwrap().text);
    let expected =
        "a network without messages while routes change (`on_failure: (under_way: Lose)`), or new ";
    assert!(found.remedy.starts_with(expected), "{}", found.remedy);
    assert!(found.remedy.contains("turns is missing: "), "{}", found.remedy);
}
