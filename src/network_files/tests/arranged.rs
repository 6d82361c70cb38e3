//! Groups and levels of nodes.

use super::*;
use crate::ids::RouterId;
use crate::network_files::write::WRITERS;
use crate::routing::Routing;
use crate::scenario;
use crate::topology::generators::Generator;
use crate::words;

#[test]
fn groups_are_written_and_read_and_routed_by() {
    let generator: Generator = words::value("Dragonfly(group: 4, hosts: 2, global: 2)").unwrap();
    let dragonfly = generator.network().unwrap();
    let group = |network: &Network, at: usize| network.group_of(RouterId::new(at));
    for writer in WRITERS.iter().filter(|writer| writer.name != "dot") {
        let draft = drafted(&format!("a.{}", writer.name), &(writer.write)(&dragonfly));
        let network = draft.graph().network();
        for at in 0..network.routers() {
            assert!(group(&network, at).is_some());
            assert_eq!(group(&network, at), group(&dragonfly, at), "{} {at}", writer.name);
        }
        assert_eq!(Routing::Hierarchical.serves(&network).unwrap().needed, 2);
    }
}

#[test]
fn names_of_groups_are_written_and_read() {
    let text = LEAVES.replace("\"edge\"", "\"é & <b>, c\"");
    let network = drafted("a.json", &text).graph().network();
    let group = |network: &Network, at: usize| {
        network.group_name(network.group_of(RouterId::new(at)).unwrap())
    };
    assert_eq!([0, 1, 2].map(|at| group(&network, at)), ["core", "é & <b>, c", "é & <b>, c"]);
    for writer in WRITERS.iter().filter(|writer| writer.name != "dot") {
        let read = drafted(&format!("a.{}", writer.name), &(writer.write)(&network));
        let read = read.graph().network();
        for at in 0..3 {
            assert_eq!(group(&read, at), group(&network, at), "{}", writer.name);
        }
    }
    // Numbers, alone or after a letter, are no names; groups are then in the order of the numbers.
    for (core, edge) in [("1", "0"), ("g1", "g0")] {
        let text = LEAVES.replace("\"core\"", &format!("{core:?}"));
        let text = text.replace("\"edge\"", &format!("{edge:?}"));
        let network = drafted("a.json", &text).graph().network();
        assert_eq!([0, 1, 2].map(|at| group(&network, at)), ["1", "0", "0"]);
        assert!(network.switches().unwrap().names().groups.is_empty());
    }
}

#[test]
fn levels_are_written_and_read() {
    let generator: Generator = words::value("FatTree(arity: 2, levels: 3)").unwrap();
    let fabric = drafted("a.ibnetdiscover", FABRIC).graph().network();
    let levels = |network: &Network| {
        (0..network.routers()).map(|at| network.level_of(RouterId::new(at))).collect::<Vec<_>>()
    };
    // Those of a fabric are the distances to the nearest hosts.
    assert_eq!(levels(&fabric), [Some(0), Some(0), Some(1), Some(1)]);
    for network in [generator.network().unwrap(), fabric] {
        for writer in WRITERS.iter().filter(|writer| writer.name != "dot") {
            let name = format!("a.{}", writer.name);
            let read = drafted(&name, &(writer.write)(&network)).graph().network();
            assert_eq!(levels(&read), levels(&network), "{}", writer.name);
        }
    }
}

const LEAVES: &str = r#"{"nodes": [
    {"id": "top", "level": 7, "group": "core", "endpoints": 0},
    {"id": "a", "level": 3, "group": "edge", "endpoints": 1},
    {"id": "b", "level": 3, "group": "edge", "endpoints": 1}],
    "edges": [{"source": "top", "target": "a"}, {"source": "top", "target": "b"}, {"source": "a", "target": "b"}]}"#;

#[test]
fn levels_are_rows_of_the_drawing_unless_places_are_given() {
    let heights = |network: &Network| {
        let place = |at| network.switches().unwrap().place(RouterId(at)).y;
        [place(0), place(1), place(2)]
    };
    let draft = drafted("a.json", LEAVES);
    assert_eq!(draft.notes, Vec::<String>::new());
    let [top, a, b] = heights(&draft.graph().network());
    assert!(top > a && a == b);
    // A scenario contains them.
    let text = "Scenario(network: Switches(links: [(0, 1), (0, 2), (1, 2)], hosts: [1, 2], groups: [0, 1, 1], \
                levels: [1, 0, 0]), switching: Wormhole(), routing: UpDown(), traffic: (arrivals: \
                Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(8)))";
    let named = draft.graph().network();
    let parsed = scenario::parse("test", text, &[]).unwrap().system.network;
    assert_eq!(heights(&parsed), heights(&named));
    assert_eq!(parsed.labels(), named.labels());
    let placed = LEAVES.replace("\"id\"", "\"x\": 0, \"y\": 5, \"id\"");
    assert_eq!(heights(&drafted("a.json", &placed).graph().network()), [5000; 3]);
    // Some without: ignored, and stated.
    let some = LEAVES.replace("\"level\": 7, ", "");
    assert_eq!(
        drafted("a.json", &some).notes,
        ["levels of routers are ignored: 1 router has none"]
    );
    let problem = |text: &str| scenario::parse("test", text, &[]).unwrap_err()[0].what.clone();
    let wrong = text.replace("[1, 0, 0]", "[1, 0]");
    assert_eq!(problem(&wrong), "`levels` must have 3 entries, not 2");
    let named = text.replace("levels", "group_names: [\"core\", \"edge\"], levels");
    let network = scenario::parse("test", &named, &[]).unwrap().system.network;
    assert_eq!(network.group_name(1), "edge");
    let wrong = named.replace(", \"edge\"", "");
    assert_eq!(problem(&wrong), "`group_names` must have 2 entries, not 1");
    let wrong = named.replace("groups: [0, 1, 1], ", "");
    assert_eq!(problem(&wrong), "`group_names` names the groups of `groups`, and there are none");
}
