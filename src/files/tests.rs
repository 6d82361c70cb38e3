//! Tests of `files`.

use super::*;
use crate::network_files::write::WRITERS;
use crate::routing::{Rising, Routing};

fn complaint(bytes: &[u8]) -> String {
    text("x.ron", bytes).unwrap_err().what
}

#[test]
fn texts_that_cannot_be_scenarios_are_refused_by_what_they_are() {
    assert_eq!(complaint(b""), "this is empty");
    assert_eq!(complaint(b"ab\nc\xff\xfe"), "byte 4 (line 2), 0xff, is not UTF-8 text");
    assert!(
        complaint(&vec![b' '; TEXT_MAX + 1])
            .starts_with("this is larger than the limit of 8388608")
    );
    assert_eq!(text("x.ron", &vec![b' '; TEXT_MAX][..]).unwrap().len(), TEXT_MAX);
}

#[test]
fn rules_for_network_files_are_written_as_they_are() {
    for (name, rule) in fabric::RULES {
        let text = format!(
            "Scenario(network: FatTree(arity: 2, levels: 2), switching: Wormhole(virtual_channels: 4, \
             terminals: Channels, ejection: PerWorm), routing: {name}, traffic: (arrivals: \
             Poisson(load: 0.1), destinations: Uniform, lengths: Fixed(8)))"
        );
        match scenario::parse("text", &text, &[]) {
            Ok(scenario) => assert_eq!(scenario.system.relation.routing(), rule, "{name}"),
            Err(_) => assert_eq!(*name, "Hierarchical"),
        }
    }
}

#[test]
fn networks_are_known_by_their_contents_under_other_extensions() {
    let folder = tempfile::tempdir().unwrap();
    let is = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        is_network(&path.display().to_string())
    };
    let dump = "#\nvendid=0x2c9\nSwitch\t41 \"S-01\"\t\t# \"leaf 1\" port 0 lid 11\n";
    let graph = "{\"nodes\": [], \"edges\": []}";
    let texts =
        [dump, graph, "<?xml version=\"1.0\"?><graphml/>", "from,to\na,b\n", "router 0 node 0\n"];
    for text in texts {
        assert!(["fabric", "fabric.txt", "fabric.2"].iter().all(|name| is(name, text)), "{text}");
        assert!(!is("fabric.ron", text));
    }
    assert!(!is("mesh.json", "{\"network\": {}, \"traffic\": {\"nodes\": []}}"));
    for text in ["", "Scenario(", "// A mesh.\nScenario()", "Study(loads: [0.1])", "wait 3\n"] {
        assert!(!is("mesh.txt", text) && !is("mesh", text), "{text}");
    }
}

#[test]
fn the_routing_of_a_network_file_is_stated_with_the_rules_that_do_not_serve_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.csv").display().to_string();
    fs::write(&path, "from,to\na,b\nb,c\nc,d\nd,a\na,c\n").unwrap();
    let scenario = open(&path, &[]).unwrap();
    let note = scenario.notes.last().unwrap();
    assert!(
        note.contains(": the routing is ") && note.contains(", which carries the most."),
        "{note}"
    );
    let unserved = "NearestCommonAncestor() and Hierarchical do not serve this network.";
    assert!(note.ends_with(unserved), "{note}");
    assert!(scenario.description.contains("carries at most"), "{}", scenario.description);
    let (field, value) = ("routing".to_owned(), "UpDown()".to_owned());
    let set = Override { label: "--set routing=UpDown()".into(), path: field, value };
    let chosen = open(&path, &[set]).unwrap();
    assert!(chosen.notes.iter().all(|note| !note.contains("the routing is")), "{:?}", chosen.notes);
}

#[test]
fn rules_with_choices_are_compared_with_the_classes_that_they_use() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dragonfly.csv").display().to_string();
    let text = "Scenario(network: Dragonfly(group: 4, hosts: 2, global: 2), switching: \
                Wormhole(terminals: Channels, ejection: OneFlitPerCycle), routing: UpDown(), traffic: \
                (arrivals: Poisson(load: 0.1), destinations: Uniform, lengths: Fixed(8)))";
    let network = scenario::parse("text", text, &[]).unwrap().system.network;
    let csv = WRITERS.iter().find(|writer| writer.name == "csv").unwrap();
    fs::write(&path, (csv.write)(&network)).unwrap();
    let text = read(&path).unwrap().1;
    let about = text.split("Minimal() carries about ").nth(1).expect(&text);
    let load: f64 = about.split(' ').next().unwrap().parse().unwrap();
    // Each of three classes has one or two of four virtual channels, drained between messages.
    assert!(load < 0.85, "{text}");
}

#[test]
fn a_large_network_has_as_many_virtual_channels_as_its_rule_needs() {
    let text = "Scenario(network: SwitchGrid(kind: Torus, radix: [11, 11, 9], hosts: 1), switching: \
                Wormhole(), routing: DimensionOrder(), traffic: (arrivals: Poisson(load: 0.1), \
                destinations: Uniform, lengths: Fixed(8)))";
    let torus = scenario::parse("text", text, &[]).unwrap().system.network;
    let csv = WRITERS.iter().find(|writer| writer.name == "csv").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("torus.csv").display().to_string();
    fs::write(&path, (csv.write)(&torus)).unwrap();
    let system = open(&path, &[]).unwrap().system;
    // Layered routing lists the routes of fewer routers; one class for each hop.
    assert_eq!(system.relation.routing(), &Routing::Minimal { classes: Rising::Hops });
    assert_eq!(system.relation.virtual_channels(), 5 + 5 + 4);
}

#[test]
fn names_are_looked_up_as_paths_first_and_built_in_scenarios_second() {
    let builtin = read("papers/adaptive-torus-8x8").unwrap();
    assert_eq!(builtin, read("papers/adaptive-torus-8x8.ron").unwrap());
    assert_eq!(builtin.0, "papers/adaptive-torus-8x8");
    let path = "scenarios/papers/adaptive-torus-8x8.ron";
    assert_eq!(read(path).unwrap(), (path.to_string(), builtin.1));
    assert_eq!(open("mesh-8x8", &[]).unwrap().name, "mesh-8x8");
}

#[test]
fn names_that_lead_nowhere_get_a_suggestion() {
    let help = |name: &str| read(name).unwrap_err().help.unwrap();
    assert_eq!(help("mesh-8x9"), "did you mean `mesh-8x8`?");
    assert_eq!(help("adaptive-torus-8x8"), "did you mean `papers/adaptive-torus-8x8`?");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("fabric.graphml"), "<graphml/>").unwrap();
    let meant = format!("did you mean `{}`?", path("fabric.graphml"));
    assert_eq!(help(&path("fabrik.graphml")), meant);
    let near = "did you mean `tests/broken/radix-0.ron`?";
    assert_eq!(help("tests/broken/radics-0.ron"), near);
    assert_eq!(help("src"), "name a file in the directory");
    assert_eq!(help("zzzz/zzzz"), "`flitscope scenarios` lists the built-in scenarios");
    assert!(help("").contains("lists"));
}
