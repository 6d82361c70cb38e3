//! Reduced deadlocks of runs with failures: only those that the deadlock needs remain.

use super::*;
use crate::engine::Change;
use crate::experiment::shrink::failures::{happened, on_other};
use crate::ids::{ChannelId, RouterId};
use crate::session::Intervention;
use crate::system::failures::{Failure, Failures, Part};
use crate::topology::Network;

/// The failures of a reduced deadlock.
fn remaining(shrunk: &Shrunk) -> Vec<Failure> {
    parse("hang.ron", &shrunk.text, &[]).unwrap().system.plan().failures.given.clone()
}

/// Asserts that another reduction removes nothing.
fn is_not_reduced_again(shrunk: &Shrunk) {
    let scenario = parse("hang.ron", &shrunk.text, &[]).unwrap();
    let (stop, tell) = (AtomicBool::new(false), |_: Progress| ());
    let again = shrink(&Saved::beginning(Arc::new(scenario)), Cycle(100_000), (&stop, &tell));
    let [before, after] = again.unwrap().sizes;
    assert_eq!(before, after);
}

#[test]
fn stale_tables_keep_one_failure() {
    let found = shrunk(built_in("hangs/stale-tables"));
    let [before, after] = found.sizes;
    assert!(found.complete);
    assert_eq!((before.failures, after.failures), (1, 1), "{}", found.text);
    assert!(after.messages <= 6 && after.routers <= 6, "{}", found.text);
    let session = run(&found.text);
    let set = &session.deadlock().unwrap().sets[0];
    assert_eq!((set.worms.len(), set.closed), (found.members, found.closed));
    assert!(found.text.contains("// 1 of 1 failure until then led to the deadlock.\n"));
    is_minimal(&found);
    is_not_reduced_again(&found);
}

#[test]
fn late_deadlocks_begin_with_their_last_messages() {
    let found = shrunk(stale_tables("failures: [(cycle: 50000, link: (0, 1))], "));
    let [before, after] = found.sizes;
    assert!(before.messages > 10_000 && after.messages <= 4, "{after:?}");
    assert!(found.complete && found.end < Cycle(1000), "{}", found.text);
    is_minimal(&found);
}

/// The scenario of stale tables with other failures.
fn stale_tables(failures: &str) -> Scenario {
    let text = builtin::find("hangs/stale-tables").unwrap().text;
    let [from, to] = ["failures: [", "on_failure:"].map(|at| text.find(at).unwrap());
    let text = format!("{}{failures}{}", &text[..from], &text[to..]);
    parse("stale.ron", &text, &[]).unwrap()
}

#[test]
fn random_failures_become_given_ones() {
    let found = shrunk(stale_tables("failures: [(rate: 0.0001, seed: 1, lasts: 900)], "));
    let given = remaining(&found);
    assert!(found.sizes[0].failures > given.len() && !given.is_empty(), "{}", found.text);
    assert!(found.complete && !found.text.contains("rate:"));
    is_minimal(&found);
}

#[test]
fn links_closed_in_a_session_become_failures() {
    let scenario = Arc::new(stale_tables(""));
    let network = &scenario.system.network;
    let [link, other] =
        [(0, 1), (3, 4)].map(|(from, to)| Part::Link(RouterId(from), RouterId(to)).links(network));
    let all = |cycle, links: &[ChannelId], change: fn(ChannelId) -> Change| {
        let change = |&link| Intervention { cycle: Cycle(cycle), change: change(link) };
        links.iter().map(change).collect::<Vec<_>>()
    };
    let journal = [
        all(500, &other, Change::LinkDown),
        all(600, &other, Change::LinkUp),
        all(2000, &link, Change::LinkDown),
    ];
    let saved = Saved { journal: journal.concat(), ..Saved::beginning(Arc::clone(&scenario)) };
    let (stop, tell) = (AtomicBool::new(false), |_: Progress| ());
    let found = shrink(&saved, Cycle(10_000), (&stop, &tell)).unwrap();
    assert_eq!(found.sizes.map(|size| size.failures), [2, 1], "{}", found.text);
    assert!(run(&found.text).deadlock().is_some());
    is_minimal(&found);
}

#[test]
fn failures_of_all_links_of_a_router_are_those_of_the_router() {
    let mesh = given("Mesh(radix: [3, 3])", "Layered()", "virtual_channels: 2", RANDOM);
    let parts = [Part::Router(RouterId(4)), Part::Link(RouterId(0), RouterId(1))];
    let network = &mesh.system.network;
    let links = parts.iter().flat_map(|part| part.links(network));
    let down = |link| Intervention { cycle: Cycle(70), change: Change::LinkDown(link) };
    let journal = links.map(down).collect();
    let saved = Saved { journal, ..Saved::beginning(Arc::new(mesh.clone())) };
    let Failures { given, .. } = happened(&saved, Cycle(80));
    assert_eq!(given, parts.map(|part| Failure { cycle: 70, part, lasts: None }));
    assert_eq!(happened(&saved, Cycle(60)).given, []);
}

#[test]
fn superfluous_failures_are_removed() {
    let network =
        "Switches(links: [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 3)], hosts: 2)";
    let text = format!(
        "Scenario(network: {network}, routing: ShortestPath(), switching: \
         Wormhole(virtual_channels: 1, terminals: Channels, ejection: PerWorm), failures: [(cycle: 20, link: (4, 5)), (cycle: 50, router: 1, lasts: 10)], traffic: ({RANDOM}))"
    );
    // The network deadlocks without failures, too.
    let found = shrunk(parse("given.ron", &text, &[]).unwrap());
    assert_eq!(remaining(&found), []);
    assert!(!found.text.contains("failures: [") && !found.text.contains("on_failure"));
    is_minimal(&found);
}

#[test]
fn failures_move_to_smaller_networks_by_their_coordinates() {
    let [large, small] = ["Mesh(radix: [8, 8])", "Mesh(radix: [3, 4])"].map(|network| {
        let rule = "MinimalAdaptive(escape: None)";
        given(network, rule, "virtual_channels: 1", RANDOM).system.network
    });
    let at = |network: &Network, name: &str| network.router_named(name).unwrap();
    let of = |part| Failure { cycle: 5, part, lasts: Some(3) };
    let given = vec![
        of(Part::Link(at(&large, "(6,7)"), at(&large, "(7,7)"))),
        of(Part::Router(at(&large, "(1,6)"))),
    ];
    let failures = Failures { given, ..Failures::default() };
    let wanted = [
        of(Part::Link(at(&small, "(1,3)"), at(&small, "(2,3)"))),
        of(Part::Router(at(&small, "(1,3)"))),
    ];
    assert_eq!(on_other(&failures, &large, &small).given, wanted);
}
