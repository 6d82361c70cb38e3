//! Conversions of configurations, and mistakes with their places.

use super::*;
use crate::scenario::parse;
use crate::switching::Forwarding;

const MESH: &str = "Configuration\n{\n\trandom_seed: 42, // The seed.\n\twarmup: 5000, measured: 10000,\n\
    \ttopology: Mesh { sides: [8, 8], servers_per_router: 1 },\n\
    \ttraffic: HomogeneousTraffic { pattern: Uniform, servers: 64, load: 0.3, message_size: 4 },\n\
    \tmaximum_packet_size: 4,\n\trouter: Basic {\n\t\tvirtual_channels: 2, delay: 0,\n\
    \t\tvirtual_channel_policies: [EnforceFlowControl, Random], buffer_size: 4, bubble: false,\n\
    \t\tflit_size: 1, intransit_priority: false, output_buffer_size: 4,\n\t},\n\
    \trouting: DOR { order: [0, 1] },\n\
    \tlink_classes: [LinkClass { delay: 2 }, LinkClass { delay: 2 }, LinkClass { delay: 1 }],\n}\n";

fn system(text: &str) -> crate::system::System {
    let found = read_configuration(text).unwrap_or_else(|found| panic!("{text}: {found:?}"));
    let parsed = parse("test", &found.scenario, &[]);
    parsed.unwrap_or_else(|found| panic!("{}: {found:?}", found_text(text))).system
}

fn found_text(text: &str) -> String {
    read_configuration(text).map_or_else(|_| String::new(), |found| found.scenario)
}

#[test]
fn a_configuration_becomes_a_scenario() {
    let found = read_configuration(MESH).unwrap();
    assert_eq!(found.notes.len(), 3, "{:?}", found.notes);
    let parsed = parse("test", &found.scenario, &[]).unwrap();
    assert_eq!(parsed.seed, 42);
    let machine = parsed.system.wormhole().unwrap();
    assert_eq!((machine.virtual_channels, machine.buffer_flits, machine.channel_delay), (2, 8, 2));
    assert_eq!(machine.forwarding, Forwarding::Wormhole);
    let stages = machine.pipeline.stages().unwrap();
    assert_eq!((stages.of_head(), stages.injection, stages.hold_for_packet), (0, 1, true));
    assert!((parsed.system.load().0 - 0.3).abs() < 1e-12);
}

#[test]
fn tori_with_bubbles_and_full_lattices_are_converted() {
    let torus = MESH.replace("Mesh", "Torus").replace("bubble: false", "bubble: true");
    let found = system(&torus);
    assert_eq!(found.wormhole().unwrap().forwarding, Forwarding::Bubble);
    assert!(!found.proof().can_deadlock());
    let full =
        MESH.replace("Mesh", "Hamming").replace("servers_per_router: 1", "servers_per_router: 2");
    let full = full.replace("servers: 64", "servers: 128");
    assert_eq!(system(&full).network.nodes(), 128);
    assert_eq!(system(&full.replace("DOR { order: [0, 1] }", "Shortest")).network.nodes(), 128);
}

#[test]
fn transformations_of_coordinates_are_patterns() {
    for (fields, pattern) in [
        ("permute: [1, 0]", "Transpose"),
        ("complement: [true, true]", "BitComplement"),
        ("shift: [1, 1]", "Neighbour"),
        ("shift: [3, 3]", "Tornado"),
    ] {
        let given = format!("CartesianTransform {{ sides: [8, 8], {fields} }}");
        let text = MESH.replace("pattern: Uniform", &format!("pattern: {given}"));
        system(&text);
        assert!(found_text(&text).contains(pattern), "{fields}");
    }
    let other = MESH.replace("Uniform", "CartesianTransform { sides: [8, 8], shift: [2, 1] }");
    assert!(read_configuration(&other).is_err());
}

#[test]
fn loads_are_those_of_every_node_that_sends() {
    let transpose = "CartesianTransform { sides: [8, 8], permute: [1, 0] }";
    let found = system(&MESH.replace("pattern: Uniform", &format!("pattern: {transpose}")));
    assert!((found.traffic.rate.0 - 0.3 / 4.0).abs() < 1e-12, "{:?}", found.traffic.rate);
}

#[test]
fn a_flit_as_long_as_a_message_starts_as_a_whole() {
    let found = system(&MESH.replace("flit_size: 1", "flit_size: 4"));
    assert_eq!(found.wormhole().unwrap().forwarding, Forwarding::CutThrough);
}

#[test]
fn mistakes_have_their_places() {
    let found = |text: &str| {
        let mistakes = read_configuration(text).unwrap_err();
        let told = |it: &Mistake| format!("{}:{}: {}; {}", it.line, it.column, it.what, it.help);
        mistakes.iter().map(told).collect::<Vec<_>>().join("\n")
    };
    let mut all = Vec::new();
    for (from, to) in [
        ("load: 0.3", "load: ![0.1, 0.2]"),
        ("load: 0.3", "lode: 0.3"),
        ("servers: 64", "servers: 32"),
        ("Mesh {", "Dragonfly {"),
        ("delay: 0,", "delay: 3, crossbar_frequency_divisor: 2,"),
        ("[8, 8]", "8"),
        ("DOR { order: [0, 1] }", "Shortest"),
        ("maximum_packet_size: 4", "maximum_packet_size: 2"),
        ("LinkClass { delay: 1 }", "LinkClass { delay: 3 }"),
        ("],\n}", "], extra"),
        ("random_seed: 42", "random_seed 42"),
        ("flit_size: 1", "flit_size: 3"),
    ] {
        all.push(found(&MESH.replacen(from, to, 1)));
    }
    let deep = "[".repeat(1000);
    all.push(found(&format!("Configuration {{ topology: {deep} }}")));
    insta::assert_snapshot!(all.join("\n\n"));
}
