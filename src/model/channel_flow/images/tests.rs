use super::*;
use crate::scenario::parse;

/// The flows, their streams, and what is left of both.
fn folded(network: &str, destinations: &str) -> (Flows, Option<(Flows, Inputs, Vec<u32>)>) {
    let text = format!(
        "Scenario(
            network: {network},
            switching: Wormhole(virtual_channels: 2),
            routing: DimensionOrder(classes: Dateline),
            traffic: (
                arrivals: Poisson(rate: 0.001), destinations: {destinations}, lengths: Fixed(16),
            ),
        )"
    );
    let system = parse("test", &text, &[]).unwrap_or_else(|it| panic!("{text} {it:?}")).system;
    let mut flows = Flows::follow(&system).unwrap();
    let inputs = Inputs::of(&mut flows);
    let folded = fold(&system.network, &[], &flows, &inputs);
    (flows, folded)
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
        let (all, Some((flows, inputs, stands))) = folded(network, destinations) else {
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
            assert!((source.hops - flows.sources[stands as usize].hops).abs() < 1e-9, "{network}");
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
