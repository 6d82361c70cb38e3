//! Networks and routing tables as people have them: accepted, with known routes, capacities and proofs.

use flitscope::capacity::Capacity;
use flitscope::files;
use flitscope::ids::{ChannelId, NodeId, RouterId};
use flitscope::routing::Routing;
use flitscope::routing::dependency::Verdict;
use flitscope::scenario::{self, Override, Scenario};
use flitscope::session::Session;
use flitscope::stats::{HalfWidths, Steadiness, WarmUp};
use flitscope::topology::Network;
use flitscope::traffic::destinations::DestinationDraw;
use flitscope::units::Cycle;

fn path(name: &str) -> String {
    format!("tests/networks/{name}")
}

/// A file with some fields set.
fn case(name: &str, set: &[(&str, &str)]) -> Scenario {
    let set = set.iter().map(|&(path, value)| Override {
        path: path.to_owned(),
        value: value.to_owned(),
        label: path.to_owned(),
    });
    let read = files::open(&path(name), &set.collect::<Vec<_>>());
    read.unwrap_or_else(|why| panic!("{name}: {}", scenario::render(&why)))
}

fn capacity(scenario: &Scenario) -> Capacity {
    Capacity::of(&scenario.system).unwrap()
}

fn is_free(scenario: &Scenario) -> bool {
    matches!(scenario.system.proof().verdict, Verdict::Free { .. })
}

/// The channels of the cycle of a proof, sorted.
fn cycle(scenario: &Scenario) -> Vec<ChannelId> {
    let system = &scenario.system;
    let Verdict::Cyclic { cycle } = system.proof().verdict else { panic!("no cycle") };
    let vcs = system.relation.virtual_channels();
    let mut channels: Vec<ChannelId> = cycle.iter().map(|vc| ChannelId(vc.0 / vcs)).collect();
    channels.sort_unstable();
    channels
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 5e-5, "{found}, not {expected}");
}

/// Numbers of routes between two routers.
fn ways(network: &Network, scenario: &Scenario, from: &str, to: &str) -> u32 {
    let [from, to] = [from, to].map(|name| network.router_named(name).unwrap());
    scenario.system.relation.routes().unwrap().count(from, to)
}

#[test]
fn two_cables_between_switches_are_two_ways() {
    let dump = case("two-cables.ibnetdiscover", &[("routing", "ShortestPath()")]);
    let network = &dump.system.network;
    assert_eq!((network.routers(), network.nodes(), network.links()), (4, 4, 16));
    // Four cables up, then two down.
    assert_eq!(ways(network, &dump, "leaf-1", "leaf-2"), 8);
    let written = case("two-cables.ron", &[]);
    assert_eq!(ways(&written.system.network, &written, "0", "1"), 8);
    assert!(is_free(&dump) && is_free(&written));
}

#[test]
fn a_second_cable_doubles_the_capacity() {
    close(capacity(&case("one-cable.ron", &[])).load.0, 0.4375);
    let network = "Switches(links: [(0, 1, (count: 2))], hosts: [0, 0, 0, 0, 1, 1, 1, 1])";
    close(capacity(&case("one-cable.ron", &[("network", network)])).load.0, 0.875);
}

#[test]
fn rings_of_two_and_lines_have_the_known_lengths_and_proofs() {
    let torus = case("ring-of-two-switches.ron", &[]);
    close(capacity(&torus).hops_mean, 2.1895);
    let lines = case("ring-by-line.ron", &[]);
    close(capacity(&lines).hops_mean, 2.4);
    assert!(is_free(&torus) && is_free(&lines));
    // Only the rings need two classes.
    let one = ("switching.virtual_channels", "1");
    let open = ("network", "Torus(radix: [4, 4], wrap: [false, false])");
    assert!(is_free(&case("ring-by-line.ron", &[one, open])));
    let closed = [one, ("routing", "DimensionOrder(classes: None)")];
    assert_eq!(cycle(&case("ring-by-line.ron", &closed)).len(), 4);
}

#[test]
fn a_row_of_one_is_a_line() {
    let row = case("one-row.ron", &[]);
    let line = case("one-row.ron", &[("network", "Mesh(radix: [16])")]);
    let run = |scenario: &Scenario| {
        let mut session = Session::new(scenario.clone().into(), 1, 0, WarmUp::Cycles(0));
        session.advance(Cycle(5_000));
        session.counters()
    };
    assert_eq!(run(&row), run(&line));
    assert!(is_free(&row));
    assert_eq!(capacity(&row).load, capacity(&line).load);
}

#[test]
fn permutations_of_hosts_are_those_of_their_switches() {
    for (pattern, hops) in [("Tornado", 6.0), ("Neighbour", 2.0)] {
        let hosts = case("tornado-of-hosts.ron", &[("traffic.destinations", pattern)]);
        close(capacity(&hosts).hops_mean, hops);
    }
    let transposed = case("transpose-of-hosts.ron", &[]);
    let network = &transposed.system.network;
    let draw = DestinationDraw::new(&transposed.system.traffic.destinations, network);
    let labels = network.labels().unwrap();
    for host in (0..network.nodes()).map(NodeId::new) {
        let at = network.router_of(host);
        let &[x, y] = labels.of(at) else { panic!("two coordinates") };
        let there = draw.shares(host).first().map(|&(to, _)| to);
        let place = |to: NodeId| (labels.of(network.router_of(to)).to_vec(), network.seat(to));
        let expected = (x != y).then(|| (vec![y, x], network.seat(host)));
        assert_eq!(there.map(place), expected);
    }
}

#[test]
fn roots_decide_how_many_spines_carry_messages() {
    let load = |routing: &str| capacity(&case("two-spines.ron", &[("routing", routing)])).load.0;
    let one = case("two-spines.ron", &[]);
    let idle: Vec<String> = one.remarks().into_iter().filter(|it| it.contains("s5")).collect();
    assert_eq!(idle.len(), 1, "{:?}", one.remarks());
    let shortest = load("ShortestPath()");
    close(capacity(&one).load.0, shortest / 2.0);
    close(load("UpDown(roots: [4, 5])"), shortest);
    // Runs at a load between both capacities.
    let accepted = |routing: &str| {
        let scenario = case("two-spines.ron", &[("routing", routing)]);
        let mut session = Session::new(scenario.into(), 1, 0, WarmUp::Cycles(0));
        session.advance(Cycle(20_000));
        session.counters().flits_delivered as f64 / (16.0 * 20_000.0)
    };
    let [one, both] = ["UpDown(root: 4)", "UpDown(roots: [4, 5])"].map(accepted);
    assert!(one < 0.24 && both > 0.29, "{one} {both}");
}

#[test]
fn a_table_of_routes_in_one_direction_has_a_cycle_of_the_ring() {
    let table = files::read_file(path("ring.noxim")).unwrap();
    let network = ("network", "Torus(radix: [4], links: Unidirectional)");
    let ring = |routing: &str| {
        let set = [network, ("switching.virtual_channels", "1"), ("routing", routing)];
        cycle(&case("one-row.ron", &set))
    };
    let expected = ring("DimensionOrder(classes: None)");
    assert_eq!(expected.len(), 4);
    assert_eq!(ring(&format!("Table(routes: {table:?})")), expected);
}

#[test]
fn routes_over_uneven_links_are_shortest_by_delay() {
    let uneven = case("uneven-links.anynet", &[("routing", "ShortestPath(by: Delay)")]);
    let routes = uneven.system.relation.routes().unwrap();
    let route = |from: u32, to: u32| -> Vec<u32> {
        routes.route(RouterId(from), RouterId(to), 0).iter().map(|hop| hop.from.0).collect()
    };
    assert_eq!((route(0, 1), route(1, 0)), (vec![0, 2], vec![1, 2]));
    // Four of five partners of a host are at the two other routers.
    let mean = 0.8 * (2.0 + 1.0 + 4.0 + 1.0 + 3.0 + 1.0) / 6.0;
    close(capacity(&uneven).delay_mean(&uneven.system).unwrap(), mean);
    assert!(is_free(&uneven));
}

#[test]
fn a_dragonfly_is_proven_with_a_class_before_its_global_link_and_one_after() {
    let shortest = case("dragonfly.ron", &[]);
    assert!(!is_free(&shortest));
    let two = case("dragonfly.ron", &[("routing", "Hierarchical()")]);
    assert!(is_free(&two));
    // The generated network has the same numbers of routers, hosts and links.
    let size = |network: &Network| (network.routers(), network.nodes(), network.links());
    let generated = scenario::builtin::find("dragonfly-72").unwrap().text;
    let generated = scenario::parse("dragonfly-72", generated, &[]).unwrap();
    assert_eq!(size(&two.system.network), size(&generated.system.network));
    close(capacity(&two).hops_mean, capacity(&generated).hops_mean);
}

#[test]
fn a_deadlocked_run_is_not_steady() {
    let scenario = case("deadlocked-run.ron", &[]);
    assert!(matches!(scenario.system.relation.routing(), Routing::ShortestPath { .. }));
    assert!(!is_free(&scenario));
    let mut session = Session::new(scenario.into(), 1, 0, WarmUp::Automatic);
    session.advance(Cycle(20_000));
    assert!(session.deadlock().is_some());
    let summary = session.summary();
    assert_eq!(summary.steadiness, Steadiness::Deadlocked);
    assert_eq!(summary.half_widths, HalfWidths::default());
}

#[test]
fn every_file_is_named_by_a_test() {
    let source = include_str!("field_cases.rs");
    for entry in std::fs::read_dir("tests/networks").unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(source.contains(&name), "{name}");
    }
}
