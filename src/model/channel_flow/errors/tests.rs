//! Tests of the table of errors.

use super::*;
use crate::model::Model;
use crate::model::channel_flow::ChannelFlow;
use crate::scenario::{Scenario, parse};

fn scenario(network: &str, switching: &str, routing: &str, traffic: &str) -> Scenario {
    let text = format!(
        "Scenario(network: {network}, switching: Wormhole({switching}), routing: {routing}, \
         traffic: ({traffic}))"
    );
    parse("test", &text, &[]).unwrap_or_else(|it| panic!("{text} {it:?}"))
}

const MESH: &str = "Mesh(radix: [8, 8])";
const ORDERED: &str = "DimensionOrder()";
const UNIFORM: &str = "arrivals: Poisson(rate: 0.001), destinations: Uniform, lengths: Fixed(16)";

fn percent(stated: &StatedError) -> [f64; 2] {
    let (margins, _) = stated.within().unwrap_or_else(|| panic!("{stated}"));
    [margins.two_of_three, margins.nine_of_ten].map(|part| 100.0 * part)
}

#[test]
fn errors_between_measured_loads_are_on_the_line_between_theirs() {
    let system = scenario(MESH, "virtual_channels: 2", ORDERED, UNIFORM).system;
    let class = class_of(&system).unwrap();
    let at = |share| percent(&ChannelFlow::of(&system).stated_error(&system, share));
    let near = |one: [f64; 2], other: [f64; 2]| {
        one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-9)
    };
    let [quarter, half, ..] = class.latency;
    assert!(near(at(0.1), quarter) && near(at(0.5), half));
    let middle = [0, 1].map(|margin| f64::midpoint(quarter[margin], half[margin]));
    assert!(near(at(0.375), middle));
}

#[test]
fn errors_grow_with_the_load_and_with_the_part_of_the_systems() {
    for class in &CLASSES {
        assert!(class.latency.iter().all(|[two, nine]| two <= nine), "{class:?}");
        for margin in [0, 1] {
            assert!(class.latency.iter().map(|it| it[margin]).is_sorted(), "{class:?}");
        }
        assert!(class.saturation[0] <= class.saturation[1], "{class:?}");
    }
}

#[test]
fn the_reason_is_given_where_no_error_is_stated() {
    let of =
        |load: f64, system: &System| ChannelFlow::of(system).stated_error(system, load).to_string();
    let wide = "Mesh(radix: [16, 16])";
    let traffic = |field: &str, other: &str| UNIFORM.replace(field, other);
    let bursts = traffic("Poisson(rate: 0.001)", "Bursts(rate: 0.001, burst: 16, peak: 2)");
    let cases = [
        (wide, "virtual_channels: 2", ORDERED, UNIFORM.to_owned(), "256 nodes"),
        (MESH, "virtual_channels: 16", ORDERED, UNIFORM.to_owned(), "16 VCs"),
        (MESH, "buffer_flits: 65", ORDERED, UNIFORM.to_owned(), "65 flits"),
        (MESH, "buffer_flits: 1", ORDERED, UNIFORM.to_owned(), "1 flit"),
        (MESH, "channel_delay: 2", ORDERED, UNIFORM.to_owned(), "channel"),
        (MESH, "release: Sent", ORDERED, UNIFORM.to_owned(), "machine"),
        (MESH, "virtual_channels: 2", "O1Turn()", UNIFORM.to_owned(), "routing"),
        (MESH, "", ORDERED, traffic("16", "4"), "messages of 4 flits"),
        (MESH, "", ORDERED, bursts, "bursts"),
        ("Mesh(radix: [20])", "", ORDERED, UNIFORM.to_owned(), "1 dimension"),
        ("Mesh(radix: [2, 14])", "", ORDERED, UNIFORM.to_owned(), "2 routers along"),
        (
            "Torus(radix: [5, 5], links: Unidirectional)",
            "",
            ORDERED,
            UNIFORM.to_owned(),
            "one-way tori",
        ),
    ];
    for (network, switching, routing, traffic, why) in cases {
        let said = of(0.5, &scenario(network, switching, routing, &traffic).system);
        assert!(said.starts_with("not measured: ") && said.contains(why), "{why}: {said}");
    }
    let system = scenario(MESH, "virtual_channels: 2", ORDERED, UNIFORM).system;
    assert!(of(0.95, &system).contains("90 %"));
}
