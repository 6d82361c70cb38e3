//! Tests of proofs for changes of routes.

use std::sync::Arc;

use super::*;
use crate::routing::dependency::prove;
use crate::routing::{Paths, Routing};
use crate::topology::switches::Switches;

fn ring(routers: u32) -> Arc<Network> {
    let links: Vec<(u32, u32)> = (0..routers).map(|at| (at, (at + 1) % routers)).collect();
    let hosts: Vec<u32> = (0..routers).collect();
    Arc::new(Switches::network(routers as usize, &links, &hosts, None))
}

fn up_down(network: &Arc<Network>, root: u32) -> Relation {
    let roots = RouterId(root).into();
    Relation::new(Routing::UpDown { roots, paths: Paths::Split }, Arc::clone(network), 1)
}

#[test]
fn two_proven_tables_may_deadlock_in_transition() {
    let network = ring(4);
    let [before, after] = [0, 2].map(|root| up_down(&network, root));
    for relation in [&before, &after] {
        assert!(matches!(prove(&network, relation).verdict, Verdict::Free { .. }));
    }
    let none = BTreeSet::new();
    let same = prove_transition(&network, &[before.clone(), before.clone()], &none);
    assert!(matches!(same.verdict, Verdict::Free { .. }), "{:?}", same.verdict);
    let proof = prove_transition(&network, &[before, after], &none);
    let Verdict::Cyclic { cycle } = proof.verdict else { panic!("{:?}", proof.verdict) };
    assert_eq!(cycle.len(), 4);
}

#[test]
fn new_routes_for_heads_at_their_sources_only_are_safe() {
    let all: Vec<(u32, u32)> = (0..4).flat_map(|to| (0..to).map(move |from| (from, to))).collect();
    let network = Arc::new(Switches::network(4, &all, &[0, 1, 2, 3], None));
    let before = up_down(&network, 0);
    for link in (0..network.links()).map(ChannelId::new) {
        let failed = [link, network.opposite(link).unwrap()];
        let after = before.around(&failed).unwrap().unwrap();
        assert_eq!(after.unreachable_pairs(), 0);
        let proof = prove_transition(&network, &[before.clone(), after], &failed.into());
        assert!(matches!(proof.verdict, Verdict::Free { .. }), "{link:?}: {:?}", proof.verdict);
    }
}

#[test]
fn routers_without_routes_are_no_part_of_the_proof() {
    let network = ring(5);
    let before = up_down(&network, 0);
    let failed: BTreeSet<ChannelId> = [RouterId(1), RouterId(3)]
        .iter()
        .flat_map(|&at| network.outputs(at).iter().chain(network.inputs(at)).copied())
        .collect();
    let closed: Vec<ChannelId> = failed.iter().copied().collect();
    let after = before.around(&closed).unwrap().unwrap();
    // Two routers are alone, one is between them, and two have each other.
    assert_eq!(after.unreachable_pairs(), 5 * 4 - 2);
    let proof = prove_transition(&network, &[after], &failed);
    assert!(matches!(proof.verdict, Verdict::Free { .. }));
}
