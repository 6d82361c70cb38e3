//! Dimension order on `HyperX` networks.

use std::collections::BTreeMap;

use super::{generated, verdict};
use crate::ids::RouterId;
use crate::routing::dependency::Verdict;
use crate::routing::{Classes, Header, Relation, Routing, Stop};
use crate::scenario;

#[test]
fn one_hop_for_each_coordinate_that_differs_over_equally_used_links() {
    let network = generated("HyperX(radix: [4, 3], hosts: 2, width: [1, 4])");
    let routing = Routing::dimension_order(Classes::Destination);
    let (needed, proof) = verdict(&network, &routing);
    assert_eq!(needed, 1);
    assert!(matches!(proof, Verdict::Free { .. }), "{proof:?}");
    let relation = Relation::new(routing, network.clone(), 1);
    let labels = network.labels().unwrap();
    let (mut used, mut found) = (BTreeMap::new(), Vec::new());
    let routers = || (0..network.routers()).map(RouterId::new);
    for (source, destination) in routers().flat_map(|a| routers().map(move |b| (a, b))) {
        let apart = labels.of(source).iter().zip(labels.of(destination)).filter(|(a, b)| a != b);
        let apart = apart.count();
        for route_bits in relation.outcomes(Some(source), destination) {
            let header = Header::new(source, destination, route_bits);
            let (mut at, mut hops) = (source, 0);
            while at != destination {
                relation.candidates(Stop::start(at), &header, &mut found);
                let [hop] = found[..] else { panic!("{found:?}") };
                *used.entry(hop.channel).or_insert(0) += 1;
                at = network.channel(hop.channel).to;
                hops += 1;
            }
            assert_eq!(hops, apart);
        }
    }
    assert_eq!(used.len(), network.links());
    // Along y, four links share what one link carries along x, but for the lengths of the two.
    let by_kind = |kind: usize| {
        let along = used.iter().filter(|(link, _)| {
            let [from, to] = [network.channel(**link).from, network.channel(**link).to];
            labels.of(from)[kind] != labels.of(to)[kind]
        });
        along.map(|(_, &count)| count).collect::<Vec<i32>>()
    };
    assert!(by_kind(0).iter().all(|&count| count == 4 * 3), "{used:?}");
    assert!(by_kind(1).iter().all(|&count| count == 4), "{used:?}");
}

#[test]
fn a_given_order_is_kept_and_must_name_all_dimensions() {
    let parse = |order: &str| {
        let text = format!(
            "Scenario(network: HyperX(radix: [3, 3], hosts: 1), switching: Wormhole(), routing: \
             DimensionOrder(order: {order}), traffic: (arrivals: Poisson(rate: 0.01), destinations: \
             Uniform, lengths: Fixed(8)))"
        );
        scenario::parse("test", &text, &[])
    };
    let system = parse("[1, 0]").unwrap().system;
    let mut found = Vec::new();
    let header = Header::new(RouterId(0), RouterId(8), 0);
    system.relation.candidates(Stop::start(RouterId(0)), &header, &mut found);
    assert_eq!(system.network.channel(found[0].channel).to, RouterId(6));
    assert!(parse("[2, 1, 0]").is_err());
}
