//! Tests of `apart`.

use super::*;
use crate::routing::dependency::{Verdict, prove};
use crate::routing::{Classes, Escape, Relation, Routing};
use crate::topology::cube::{Cube, Family};

fn masks(counts: &[u32]) -> Vec<u32> {
    let before = |number: usize| counts[..number].iter().sum::<u32>();
    let of = |(number, count): (usize, &u32)| ((1 << count) - 1) << before(number);
    counts.iter().enumerate().map(of).collect()
}

/// The candidates of a message at all routers, with VCs numbered from `shift`.
fn offered(relation: &Relation, network: &Network, header: Header, shift: u32) -> Vec<Candidate> {
    let mut all = Vec::new();
    for at in (0..network.routers()).map(RouterId::new).filter(|&at| at != header.destination) {
        let mut found = Vec::new();
        relation.candidates(Stop::start(at), &header, &mut found);
        all.extend(found.into_iter().map(|it| Candidate { vcs: it.vcs >> shift, ..it }));
        all.extend(relation.goes_straight().then(|| {
            let first = relation.first(at, &header);
            Candidate { channel: first.channel, vcs: first.vcs >> shift }
        }));
    }
    all
}

#[test]
fn each_message_class_is_routed_as_alone_on_its_vcs() {
    let torus = Arc::new(Cube::network(Family::Torus { unidirectional: false }, &[4, 4]));
    let dimension_order = Routing::dimension_order(Classes::Destination);
    let detour = Box::new(dimension_order.clone());
    let rules: [(Routing, &[u32]); 4] = [
        (dimension_order, &[2, 4]),
        (Routing::minimal_adaptive(Escape::Dateline), &[3, 5, 4]),
        (Routing::Valiant { of: detour.clone() }, &[4, 5]),
        (Routing::Ugal { of: detour, threshold: Threshold(0) }, &[4, 4]),
    ];
    for (routing, counts) in rules {
        let whole = Relation::new(routing.clone(), Arc::clone(&torus), counts.iter().sum());
        let whole = whole.apart(&masks(counts));
        let mut shift = 0;
        let (mut dependencies, mut direct, mut escapes) = (0, 0, 0);
        for (message_class, &count) in (0..).zip(counts) {
            let alone = Relation::new(routing.clone(), Arc::clone(&torus), count);
            let (source, destination) = (RouterId(1), RouterId(11));
            for route_bits in alone.outcomes(Some(source), destination) {
                let header = Header::new(source, destination, route_bits);
                let ours = Header { message_class, ..header };
                assert_eq!(
                    offered(&whole, &torus, ours, shift),
                    offered(&alone, &torus, header, 0),
                    "{routing:?}, class {message_class}"
                );
            }
            assert_eq!(whole.vcs_of_message_class(message_class), ((1 << count) - 1) << shift);
            for v in 0..count {
                assert_eq!(whole.vc_use(shift + v), alone.vc_use(v), "{routing:?}, VC {v}");
            }
            escapes |= alone.escape_vcs() << shift;
            direct |= alone.selects_by_queues().map_or(0, |(_, vcs)| vcs << shift);
            shift += count;
            dependencies += prove(&torus, &alone).dependencies;
        }
        assert_eq!(whole.escape_vcs(), escapes);
        assert_eq!(whole.selects_by_queues().map_or(0, |(_, vcs)| vcs), direct);
        let proof = prove(&torus, &whole);
        assert!(matches!(proof.verdict, Verdict::Free { .. }), "{routing:?}: {:?}", proof.verdict);
        assert_eq!(proof.dependencies, dependencies, "{routing:?}");
    }
}
