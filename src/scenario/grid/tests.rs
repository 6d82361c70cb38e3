//! Fields of dimensions: what they mean, their mistakes, and networks with known figures.

use crate::ids::RouterId;
use crate::routing::dependency::{Verdict, prove};
use crate::scenario::{Scenario, parse};
use crate::session::Session;
use crate::stats::WarmUp;
use crate::topology::Network;
use crate::units::Cycle;
use std::sync::Arc;

fn scenario(network: &str, machine: &str, routing: &str) -> Result<Scenario, String> {
    let text = format!(
        "Scenario(network: {network}, switching: {machine}, routing: {routing}, traffic: (arrivals: \
         Poisson(load: 0.05), destinations: Uniform, lengths: Fixed(8)))"
    );
    parse("x.ron", &text, &[]).map_err(|problems| {
        let told = problems.iter().map(|it| {
            let place = it.place.as_ref().expect("a mistake has a place");
            let marked = &place.text[place.column - 1..][..place.length];
            format!("{marked}: {}; {}", it.what, it.help.clone().unwrap_or_default())
        });
        told.collect::<Vec<_>>().join("\n")
    })
}

const TWO_VCS: &str = "Wormhole(virtual_channels: 2)";
const HOSTS: &str = "Wormhole(virtual_channels: 2, terminals: Channels, ejection: OneFlitPerCycle)";

fn network(text: &str) -> Arc<Network> {
    let machine = if text.contains("hosts") { HOSTS } else { TWO_VCS };
    scenario(text, machine, "DimensionOrder()").unwrap().system.network
}

/// The links between two different terminals, on average.
fn mean_links(network: &Network) -> f64 {
    let at = |router: usize| network.terminals_at(RouterId::new(router)) as f64;
    let sum: f64 = (0..network.routers())
        .map(|from| {
            let distances = network.distances(RouterId::new(from));
            let all = distances.iter().enumerate();
            all.map(|(to, &hops)| at(from) * at(to) * f64::from(hops)).sum::<f64>()
        })
        .sum();
    sum / (network.nodes() * (network.nodes() - 1)) as f64
}

#[test]
fn rings_along_x_and_lines_along_y_have_the_known_mean_and_are_proven() {
    let read = scenario("Torus(radix: [4, 4], wrap: [true, false])", TWO_VCS, "DimensionOrder()");
    let system = read.unwrap().system;
    assert!((mean_links(&system.network) - 2.4).abs() < 1e-12);
    assert_eq!(system.network.name(), "4x4 torus with rings along x");
    let proof = prove(&system.network, &system.relation);
    assert!(matches!(proof.verdict, Verdict::Free { .. }), "{proof:?}");
    // One VC is enough along lines only.
    let lines =
        scenario("Torus(radix: [4, 4], wrap: [false, false])", "Wormhole()", "DimensionOrder()");
    assert_eq!(lines.unwrap().system.network.name(), "4x4 mesh");
    let one = scenario(
        "Torus(radix: [4, 4], wrap: [false, true])",
        "Wormhole(virtual_channels: 1)",
        "DimensionOrder()",
    );
    assert!(
        one.unwrap_err().contains("needs 2 virtual channels on this 4x4 torus with rings along y")
    );
}

#[test]
fn a_torus_of_switches_may_have_rings_of_two() {
    let torus = network("SwitchGrid(kind: Torus, radix: [4, 3, 2], hosts: 4)");
    assert!((mean_links(&torus) - 2.1895).abs() < 5e-5, "{}", mean_links(&torus));
    assert_eq!(torus.name(), "4x3x2 torus of switches, 96 hosts");
    let same = network("Torus(radix: [4, 3, 2], hosts: 4)");
    assert_eq!(torus, same);
    let read = scenario("Torus(radix: [4, 3, 2], hosts: 4)", HOSTS, "DimensionOrder()").unwrap();
    let proof = prove(&read.system.network, &read.system.relation);
    assert!(matches!(proof.verdict, Verdict::Free { .. }), "{proof:?}");
}

#[test]
fn a_row_in_two_dimensions_runs_as_a_row_in_one() {
    let run = |radix: &str| {
        let read = scenario(&format!("Mesh(radix: {radix})"), "Wormhole()", "DimensionOrder()");
        let mut run = Session::new(Arc::new(read.unwrap()), 7, 0, WarmUp::Cycles(500));
        run.advance(Cycle(20_000));
        let fields = |run: &Session| (run.counters().delivered, run.counters().flits_consumed);
        (fields(&run), run.fingerprint())
    };
    let row = run("[16]");
    assert_eq!(run("[16, 1]"), row);
    assert_eq!(run("[1, 16]"), row);
    assert!(row.0.0 > 1_000);
}

#[test]
fn delays_are_those_of_the_links() {
    for text in [
        "Torus(radix: [4, 3], delays: [1, 10])",
        "Mesh(radix: [4, 3], delays: [1, 10])",
        "SwitchGrid(kind: Mesh, radix: [4, 3], delays: [1, 10], hosts: 2)",
    ] {
        let network = network(text);
        let cube = network.grid().unwrap();
        for (at, link) in network.channels()[..network.links()].iter().enumerate() {
            let dimension = cube.direction(crate::ids::ChannelId::new(at)).0;
            assert_eq!(link.attributes.delay.unwrap().get(), [1, 10][dimension], "{text}");
        }
    }
}

#[test]
fn mistakes_have_their_place_and_a_correction() {
    let order = "DimensionOrder()";
    for (network, routing, expected) in [
        (
            "Torus(radix: [4, 4], wrap: [true])",
            order,
            "[true]: `wrap` needs an entry for each of the 2 dimensions of 4x4, not 1 entry; write \
             `[true, true]`",
        ),
        (
            "Torus(radix: [4, 4], wrap: [true, false, true])",
            order,
            "[true, false, true]: `wrap` needs an entry for each of the 2 dimensions of 4x4, not 3 \
             entries; write `[true, false]`",
        ),
        ("Torus(radix: [4, 4], wrap: [true, 1])", order, "1: "),
        ("Torus(radix: [4, 4], wrap: true)", order, "true: "),
        (
            "Torus(radix: [4, 4], links: Unidirectional, wrap: [true, false])",
            order,
            "[true, false]: one-way links need rings: no way leads back along a line; leave this \
             field out",
        ),
        (
            "SwitchGrid(kind: Mesh, radix: [4, 4], hosts: 1, wrap: [true, false])",
            order,
            "[true, false]: a mesh has no wrap-around links; leave this field out",
        ),
        ("Mesh(radix: [4, 4], wrap: [true, false])", order, "wrap: `Mesh` has no field `wrap`"),
        (
            "Mesh(radix: [4, 4], delays: [0, 5000])",
            order,
            "0: the delay of a link in cycles must be 1 to 4096, not 0; write 1 or more\n5000: the \
             delay of a link in cycles must be 1 to 4096, not 5000; write 4096 or less",
        ),
        (
            "Mesh(radix: [4, 4, 2], delays: [3])",
            order,
            "[3]: `delays` needs an entry for each of the 3 dimensions of 4x4x2, not 1 entry; write \
             `[3, 1, 1]`",
        ),
        (
            "Torus(radix: [1, 1])",
            order,
            "[1, 1]: a network needs at least 2 routers, and this one has 1; make a radix 2 or more",
        ),
        (
            "Torus(radix: [1, 1], hosts: 1)",
            order,
            "1: messages need at least two hosts, not 1; write 2 or more",
        ),
        (
            "Mesh(radix: [4, 4])",
            "DimensionOrder(order: [1])",
            "[1]: `order` contains each of the 2 dimensions once, and x (0) is missing; write `[1, 0]`",
        ),
        (
            "Mesh(radix: [4, 4])",
            "DimensionOrder(order: [1, 1])",
            "[1, 1]: `order` contains each of the 2 dimensions once, and x (0) is missing; write \
             `[1, 0]`",
        ),
        (
            "Mesh(radix: [4, 4])",
            "DimensionOrder(order: [1, 0, 1])",
            "[1, 0, 1]: `order` contains each of the 2 dimensions once, not 3 entries; write `[1, 0]`",
        ),
        (
            "Mesh(radix: [4, 4])",
            "DimensionOrder(order: [0, 2])",
            "2: a dimension, counted from 0, must be 0 to 1, not 2; write 1 or less",
        ),
        (
            "Mesh(radix: [4, 4])",
            "WestFirst(order: [1, 0])",
            "(order: [1, 0]): `WestFirst` has no fields",
        ),
        (
            "Torus(radix: [4, 4], wrap: [true, false])",
            "WestFirst()",
            "WestFirst: west-first forbids turns, and on a torus rings close without any turn; write \
             `NorthLast`, or make the network a `Mesh`",
        ),
    ] {
        let machine = if network.contains("hosts") { HOSTS } else { TWO_VCS };
        let told = scenario(network, machine, routing).err().unwrap_or_default();
        assert!(told.starts_with(expected), "{network} {routing}\n{told}");
    }
    let circuits = "Circuit(conflict: Hold, service: 0.01)";
    let delayed = scenario("Mesh(radix: [4, 4], delays: [1, 2])", circuits, order);
    assert!(delayed.unwrap_err().starts_with("[4, 4]: circuits are set up over links"));
}

#[test]
fn the_order_is_written_only_if_it_does_not_ascend() {
    let written = |routing: &str| {
        let read = scenario("Mesh(radix: [4, 4])", "Wormhole()", routing).unwrap();
        crate::words::written(read.system.relation.routing())
    };
    assert_eq!(written("DimensionOrder()"), written("DimensionOrder(order: [0, 1])"));
    assert!(!written("DimensionOrder()").contains("order"));
    assert!(written("DimensionOrder(order: [1, 0])").contains("order: [1, 0]"));
}

#[test]
fn json_has_the_same_fields() {
    for network in [
        "Torus(radix: [4, 3], wrap: [true, false], delays: [1, 10])",
        "Mesh(radix: [4, 3], hosts: 2, delays: [2, 1])",
    ] {
        let machine = if network.contains("hosts") { HOSTS } else { TWO_VCS };
        let read = scenario(network, machine, "DimensionOrder(order: [1, 0])").unwrap();
        let json = crate::scenario::json(&read.text).unwrap();
        let same = parse("x.json", &json, &[]).unwrap();
        assert_eq!(same.system.network, read.system.network);
        assert_eq!(same.system.relation.routing(), read.system.relation.routing());
    }
}
