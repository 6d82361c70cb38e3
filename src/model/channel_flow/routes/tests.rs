//! Tests of flows from server to server.

use super::super::ChannelFlow;
use super::super::servers::Step;
use super::*;
use crate::model::Model;
use crate::scenario::parse;

fn system(network: &str, routing: &str, destinations: &str) -> System {
    let text = format!(
        "Scenario(
            network: {network},
            switching: Wormhole(virtual_channels: 2),
            routing: {routing},
            traffic: (
                arrivals: Poisson(rate: 0.001), destinations: {destinations}, lengths: Fixed(12),
            ),
        )"
    );
    parse("test", &text, &[]).unwrap_or_else(|it| panic!("{text} {it:?}")).system
}

#[test]
fn messages_leave_each_server_as_they_arrive_and_go_towards_their_destinations() {
    let dateline = "DimensionOrder(classes: Dateline)";
    let cases = [
        ("Mesh(radix: [5, 4])", dateline, "Uniform"),
        ("Mesh(radix: [4, 4])", "O1Turn()", "Transpose"),
        ("Torus(radix: [6, 4])", dateline, "Hotspot(nodes: [5], percent: 7)"),
        ("Torus(radix: [4, 3, 2])", "DimensionOrder(classes: Destination)", "Uniform"),
        ("Hypercube(dimensions: 4)", dateline, "BitComplement"),
        ("RandomSwitches(switches: 8, degree: 3, hosts: 1, seed: 4)", "UpDown()", "Uniform"),
    ];
    for (network, routing, destinations) in cases {
        let Flows { servers, sources, links } =
            Flows::of(&system(network, routing, destinations)).unwrap();
        let mut arrived = vec![0.0; servers.len()];
        let mut arrive = |step: &Step| arrived[step.to as usize] += step.share;
        sources.iter().flat_map(|source| &source.next).for_each(&mut arrive);
        servers.iter().flat_map(|server| &server.next).for_each(&mut arrive);
        for (number, (server, arrived)) in servers.iter().zip(arrived).enumerate() {
            let left: f64 = server.next.iter().map(|step| step.share).sum();
            let ends = matches!(server.resource, Resource::Ejection(_));
            assert!((arrived - server.share).abs() < 1e-12, "{network}");
            assert!(ends && left == 0.0 || (left - server.share).abs() < 1e-12, "{network}");
            assert!(server.next.iter().all(|step| (step.to as usize) < number), "{network}");
        }
        let crossed: f64 = links.iter().map(|link| link.share).sum();
        let hops: f64 = sources.iter().map(|source| source.share * source.hops.mean).sum();
        assert!((crossed - hops).abs() < 1e-9, "{network}: {crossed} {hops}");
    }
}

#[test]
fn messages_to_neighbours_cross_one_channel() {
    let flows = Flows::of(&system("Mesh(radix: [4])", "DimensionOrder()", "Uniform")).unwrap();
    assert!(flows.links.iter().all(|link| (link.short - 1.0 / 3.0).abs() < 1e-12));
}

#[test]
fn networks_in_which_too_many_nodes_exchange_messages_have_no_equations() {
    let covered = |network: &str, destinations: &str| {
        let system = system(network, "DimensionOrder(classes: Destination)", destinations);
        let model = ChannelFlow::of(&system);
        let covered = model.covers(&system);
        assert_eq!(model.mismatches(&system).is_empty(), covered);
        assert_eq!(model.prepare(&system).is_ok(), covered);
        covered
    };
    assert!(covered("Torus(radix: [8, 8, 8])", "Uniform"));
    assert!(covered("Torus(radix: [64, 64])", "Transpose"));
    assert!(!covered("Torus(radix: [33, 32])", "Uniform"));
    assert!(!covered("Torus(radix: [1024, 1024])", "Uniform"));
}
