use super::*;
use crate::model::channel_flow::routes::adaptive::Ways;
use crate::scenario::parse;
use crate::system::System;

fn system(network: &str, routing: &str, destinations: &str) -> System {
    let text = format!(
        "Scenario(
            network: {network},
            switching: Wormhole(virtual_channels: 3),
            routing: {routing},
            traffic: (
                arrivals: Poisson(rate: 0.001), destinations: {destinations}, lengths: Fixed(16),
            ),
        )"
    );
    parse("test", &text, &[]).unwrap_or_else(|it| panic!("{text} {it:?}")).system
}

/// The flows, and what is left of them.
fn folded(network: &str, destinations: &str) -> (Flows, Option<Folded>) {
    let system = system(network, "DimensionOrder(classes: Dateline)", destinations);
    let flows = Flows::follow(&system).unwrap();
    let folded = fold(&system.network, &[], &flows, &Choices::default());
    (flows, folded)
}

#[test]
fn choices_that_are_left_lead_where_messages_go() {
    let cases = [
        ("Mesh(radix: [4, 6])", "MinimalAdaptive(escape: Dateline)", 4),
        ("Torus(radix: [4, 4])", "MinimalAdaptive(escape: Destination)", 4),
        ("Hypercube(dimensions: 4)", "MinimalAdaptive(escape: Dateline)", 16),
    ];
    for (network, routing, images) in cases {
        let system = system(network, routing, "Uniform");
        let ways = Ways::list(&system).unwrap();
        let all = Choices::even(&ways);
        let flows = ways.flows(&all.parts);
        let Some(left) = fold(&system.network, &[], &flows, &all) else {
            panic!("{network} has no images")
        };
        let Folded { flows: Flows { servers, sources, .. }, choices, .. } = left;
        assert_eq!(servers.len() * images, flows.servers.len(), "{network}");
        assert!(left.servers.iter().all(|&it| (it as usize) < servers.len()), "{network}");
        let ejects =
            |step: &&Step| matches!(servers[step.to as usize].resource, Resource::Ejection(_));
        let check = |share: f64, next: &[Step], made: &[(u32, f64)]| {
            let ends: f64 = next.iter().filter(ejects).map(|step| step.share).sum();
            let chosen: f64 = made.iter().map(|it| it.1).sum();
            assert!((ends + chosen - share).abs() < 1e-9, "{network}: {ends} {chosen} {share}");
            for &(choice, _) in made {
                let first = choices.first(choice);
                assert!(next.iter().any(|step| step.to == first), "{network}");
            }
        };
        for it in servers.iter().filter(|it| matches!(it.resource, Resource::Link(..))) {
            check(it.share, &it.next, &it.choices);
        }
        for it in &sources {
            check(it.share, &it.next, &it.choices);
        }
    }
}

#[test]
fn each_stream_that_is_left_is_fed_by_one_step_of_its_share() {
    let cases = [
        ("Mesh(radix: [4, 6])", "Uniform", 4),
        ("Torus(radix: [6, 5])", "Uniform", 2),
        ("Torus(radix: [4, 4, 4])", "Uniform", 8),
        ("Hypercube(dimensions: 5)", "Uniform", 32),
        ("Hypercube(dimensions: 4)", "BitComplement", 16),
    ];
    for (network, destinations, images) in cases {
        let (all, Some(Folded { flows, inputs, stands, .. })) = folded(network, destinations)
        else {
            panic!("{network} has no images")
        };
        assert_eq!(flows.servers.len() * images, all.servers.len(), "{network}");
        assert_eq!(flows.sources.len() * images, all.sources.len(), "{network}");
        let mut fed = vec![0; inputs.all.len()];
        let servers = flows.servers.iter().map(|it| &it.next);
        for step in servers.chain(flows.sources.iter().map(|it| &it.next)).flatten() {
            fed[step.place as usize] += 1;
            let input = inputs.all[step.place as usize];
            assert!((input.share / step.share - 1.0).abs() < 1e-9, "{network}");
            assert!(inputs.places(step.to as usize).contains(&(step.place as usize)), "{network}");
        }
        assert!(fed.iter().all(|&steps| steps == 1), "{network}: {fed:?}");
        for (number, server) in flows.servers.iter().enumerate() {
            assert!(server.next.iter().all(|step| (step.to as usize) < number), "{network}");
        }
        for (source, stands) in all.sources.iter().zip(stands) {
            let image = &flows.sources[stands as usize];
            assert!((source.hops.mean - image.hops.mean).abs() < 1e-9, "{network}");
            assert!((source.hops.square - image.hops.square).abs() < 1e-9, "{network}");
        }
    }
}

#[test]
fn flows_that_differ_are_not_folded() {
    let hot = "Hotspot(nodes: [0], percent: 4)";
    for (network, destinations) in [
        ("Mesh(radix: [4, 4])", "Transpose"),
        ("Mesh(radix: [4, 4])", hot),
        ("Mesh(radix: [5, 5])", "Uniform"),
    ] {
        assert!(folded(network, destinations).1.is_none(), "{network} {destinations}");
    }
}
