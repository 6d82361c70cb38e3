//! Tests of dependencies through nodes.

use super::*;
use crate::routing::Routing;
use crate::routing::dependency::{Proof, prove_with_nodes};
use crate::topology::Role;
use crate::topology::cube::{Cube, Family};
use std::sync::Arc;

fn masks(counts: &[u32]) -> Vec<u32> {
    let before = |number: usize| counts[..number].iter().sum::<u32>();
    let of = |(number, count): (usize, &u32)| ((1 << count) - 1) << before(number);
    counts.iter().enumerate().map(of).collect()
}

fn proof(counts: Option<&[u32]>, demands: &Demands, radix: &[u32]) -> (Network, Proof) {
    let network = Cube::network(Family::Mesh, radix).with_terminal_channels();
    let vcs = counts.map_or(1, |counts| counts.iter().sum());
    let routing = Routing::dimension_order(crate::routing::Classes::None);
    let relation = Relation::new(routing, Arc::new(network.clone()), vcs);
    let relation = match counts {
        Some(counts) => relation.apart(&masks(counts)),
        None => relation,
    };
    let proof = prove_with_nodes(&network, &relation, &Pairs::All, demands);
    (network, proof)
}

fn demands(replies: &[Option<u8>], one_queue: bool) -> Demands {
    Demands { replies: replies.to_vec(), one_queue, to_itself: false }
}

#[test]
fn requests_and_replies_on_shared_vcs_close_a_cycle_through_nodes() {
    let (network, found) = proof(None, &demands(&[Some(1), None], false), &[2]);
    let Verdict::Cyclic { cycle } = &found.verdict else { panic!("{found:?}") };
    let roles: Vec<Role> = cycle.iter().map(|vc| network.channel(ChannelId(vc.0)).role).collect();
    let count = |role| roles.iter().filter(|&&it| it == role).count();
    // Both nodes: room, source and link of each.
    assert_eq!([Role::Ejection, Role::Injection, Role::Link].map(count), [2, 2, 2]);
    assert!(found.can_deadlock() && found.with_nodes);
}

#[test]
fn separate_vcs_are_free_of_protocol_deadlock_unless_classes_share_a_queue() {
    let radices: [&[u32]; 3] = [&[2], &[4], &[3, 3]];
    for radix in radices {
        let is_free = |counts: &[u32], demands| {
            matches!(proof(Some(counts), &demands, radix).1.verdict, Verdict::Free { .. })
        };
        assert!(is_free(&[1, 1], demands(&[Some(1), None], false)));
        assert!(is_free(&[1, 1, 1], demands(&[Some(1), Some(2), None], false)));
        assert!(!is_free(&[1, 1], demands(&[Some(1), None], true)), "one queue");
    }
}

#[test]
fn nodes_without_demands_add_no_cycle() {
    let (_, found) = proof(None, &demands(&[None, None], true), &[3, 3]);
    assert!(matches!(found.verdict, Verdict::Free { .. }));
}

#[test]
fn a_node_that_answers_itself_is_part_of_the_proof() {
    let network = Cube::network(Family::Mesh, &[2]).with_terminal_channels();
    let routing = Routing::dimension_order(crate::routing::Classes::None);
    let relation = Relation::new(routing, Arc::new(network.clone()), 1);
    let nobody = Pairs::of(&network, std::iter::empty());
    let cycle = |to_itself| {
        let demands = Demands { to_itself, ..demands(&[Some(1), None], false) };
        let proof = prove_with_nodes(&network, &relation, &nobody, &demands);
        if let Verdict::Cyclic { cycle } = proof.verdict { cycle.len() } else { 0 }
    };
    // Its source, and its room for replies.
    assert_eq!([false, true].map(cycle), [0, 2]);
}
