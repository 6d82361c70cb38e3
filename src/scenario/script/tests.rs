//! Given messages of a scenario: forms of tables, operations, and problems with their places.

use crate::scenario::{self, Override, Problem, Scenario};
use crate::traffic::Lengths;

const TEXT: &str = "Scenario(\n    network: Mesh(radix: [2, 2]),\n    routing: DimensionOrder(),\n    \
    traffic: (arrivals: Replay(File(\"m.csv\"))),\n)\n";

fn read(table: &str) -> Result<Scenario, Vec<Problem>> {
    let load = |_: &str| Ok(table.as_bytes().to_vec());
    scenario::parse_with("a.ron", TEXT, &[], &load)
}

/// The problems of a table, with line and column.
fn problems(table: &str) -> Vec<String> {
    let told = |problem: Problem| {
        let place = problem.place.map_or((0, 0), |it| (it.line, it.column));
        let help = problem.help.unwrap_or_default();
        format!("{}:{}: {}; {help}", place.0, place.1, problem.what)
    };
    read(table).unwrap_err().into_iter().map(told).collect()
}

#[test]
fn all_forms_of_a_table_are_the_same_messages() {
    let first = read("born,source,destination,length\n4,0,1,5\n0,3,2,5\n").unwrap();
    let script = first.system.traffic.script.clone().unwrap();
    assert_eq!((script.len(), script.flits(), script.lengths()), (2, 10, [5, 5]));
    assert_eq!(first.system.traffic.lengths, Lengths::Fixed(5));
    assert!(first.notes.is_empty() && first.text.contains("4,0,1,5"));
    for table in [
        "# Messages.\ndst,length,from,cycle,colour\n2,5,3,0,red\n\n1,5,\"(0,0)\",4,blue\n",
        "source,serial,destination,length,hops,born,started\n\"(1,1)\",7,\"(0,1)\",5,1,0,0\n0,1,1,5,,4,\n",
    ] {
        let again = read(table).unwrap_or_else(|found| panic!("{table}: {found:?}"));
        assert_eq!(again.system.traffic.script.unwrap(), script, "{table}");
        assert_eq!(again.notes.len(), usize::from(table.contains("red")), "{:?}", again.notes);
    }
}

#[test]
fn conditions_name_events_and_delays_of_their_own() {
    let of = |after: &str, delay: &str| {
        let table = format!(
            "id,born,source,destination,length,after,delay\na,0,0,1,2,,\na:sent,1,0,1,3,,\nb,5,1,2,2,,\n\
             c,,2,3,1,{after},{delay}\n"
        );
        read(&table).unwrap().system.traffic.script.unwrap()
    };
    assert_eq!(of("b:sent+4 a:started", "3"), of("a:started+3 b:sent+7", ""));
    assert_eq!(of("b", "3"), of("b:delivered+3", "0"));
    assert_ne!(of("b", "3"), of("b:started+3", "0"));
    // Ids take precedence.
    assert_ne!(of("a:sent", ""), of("a:sent:sent", ""));
    assert!(!of("a:sent", "").awaits_departures() && of("a:sent:sent", "").awaits_departures());
}

#[test]
fn every_mistake_of_a_table_has_its_place() {
    for (table, expected) in [
        ("", "1:1: the table is empty"),
        ("born,source,destination\n", "1:1: the first line has no column `length`"),
        (
            "born,sorce,destination,length\n",
            "1:6: there is no column `sorce`; did you mean `source`?",
        ),
        ("born,source,destination,length\n", "1:1: the table has no messages"),
        ("born,source,destination,length\n0,0,1\n", "2:1: this row is not complete"),
        ("born,source,destination,length\n0,0,1,5,9\n", "2:9: this row has more values"),
        ("born,source,destination,length\n,0,1,5\n", "2:1: this message has no time of birth"),
        ("born,source,destination,length\n0,0,4,5\n", "2:5: there is no node `4`"),
        ("born,source,destination,length\n0,2,2,5\n", "2:1: (0,1) sends to itself"),
        ("born,source,destination,length\n0,0,1,0\n", "2:7: `length` must be a whole number"),
        ("born,source,destination,length\n1.5,0,1,2\n", "2:1: `born` must be a whole number"),
        ("born,source,destination,length,delay\n0,0,1,2,5\n", "2:9: a delay counts from other"),
        ("id,source,destination,length,after\na,0,1,2,a\n", "2:9: this message awaits itself"),
        ("id,source,destination,length,after\na,0,1,2,bb\n", "2:9: no message has the id `bb`"),
        (
            "id,source,destination,length,after\na,0,1,2,\nb,0,1,2,a:send\n",
            "2:1: this message has no time of birth",
        ),
        (
            "id,born,source,destination,length,after\na,0,0,1,2,\nb,,0,1,2,a b2:sent\n",
            "3:12: no message has the id `b2`; did you mean `b`?",
        ),
        (
            "id,born,source,destination,length,after\na,0,0,1,2,\nb,,0,1,2,a:send+4\n",
            "3:10: `send` is no event of message `a`; write `a:sent`; events are delivered,",
        ),
        (
            "id,born,source,destination,length,after\na,0,0,1,2,\nb,,0,1,2,a:sent+x\n",
            "3:10: the delay `x` is not a number of cycles; write a whole number up to",
        ),
        (
            "id,born,source,destination,length,after,delay\na,0,0,1,2,,\nb,,0,1,2,a+9,4294967290\n",
            "3:10: the delays of this condition and the row are too long",
        ),
        (
            "id,born,source,destination,length\na,0,0,1,2\na,0,1,0,2\n",
            "3:1: id `a` is given twice, first on line 2",
        ),
        (
            "id,source,destination,length,after\na,0,1,2,c\nb,1,2,2,a\nc,2,3,2,b\n",
            "2:1: 3 messages await each other: a after c after b after a",
        ),
        (
            "born,source,serial,destination,length\n0,0,3,1,2\n5,0,3,1,2\n",
            "3:5: (0,0) has two messages 3, the first on line 2",
        ),
    ] {
        let found = problems(table);
        assert!(found[0].starts_with(expected), "{table}: {found:?}");
        assert!(!found[0].ends_with("; "), "{found:?}");
    }
}

#[test]
fn fields_of_random_messages_are_refused_beside_a_replay() {
    let text = TEXT.replace("arrivals:", "lengths: Fixed(3), destinations: Uniform, arrivals:");
    let load = |_: &str| Ok(b"born,source,destination,length\n0,0,1,5\n".to_vec());
    let found = scenario::parse_with("a.ron", &text, &[], &load).unwrap_err();
    let found: Vec<String> = found.into_iter().map(|problem| problem.what).collect();
    assert_eq!(found.len(), 2);
    assert!(found[0].contains("every message of `Replay` has its own"), "{found:?}");
    // A replay set from outside replaces them.
    let random = "Scenario(network: Mesh(radix: [2, 2]), routing: DimensionOrder(), traffic: \
        (arrivals: Poisson(rate: 0.1), destinations: Uniform, lengths: Fixed(3)))";
    let set = |path: &str, value: &str| Override {
        path: path.into(),
        value: value.into(),
        label: format!("--set {path}={value}"),
    };
    let replay = set("traffic.arrivals", "Replay(File(\"m.csv\"))");
    let read = scenario::parse_with("a.ron", random, std::slice::from_ref(&replay), &load).unwrap();
    assert_eq!(read.system.traffic.script.unwrap().len(), 1);
    let both = [replay, set("traffic.lengths", "Fixed(4)")];
    assert!(scenario::parse_with("a.ron", random, &both, &load).is_err());
}

/// Reads a table with these message classes.
fn with_classes(classes: &str, table: &str) -> Result<Scenario, Vec<Problem>> {
    let text = TEXT.replace("arrivals:", &format!("message_classes: [{classes}], arrivals:"));
    let load = |_: &str| Ok(table.as_bytes().to_vec());
    scenario::parse_with("a.ron", &text, &[], &load)
}

#[test]
fn messages_of_a_table_have_the_classes_of_the_scenario_by_name() {
    let table = "class,born,source,destination,length\nreply,4,0,1,5\nrequest,0,3,2,1\n\
                 reply,9,0,1,3\n";
    let read = with_classes("(name: \"request\"), (name: \"reply\"), (name: \"other\")", table);
    let traffic = read.unwrap().system.traffic;
    let script = traffic.script.as_ref().unwrap();
    let counts = [0, 1, 2].map(|class| script.totals_of_class(class).messages);
    assert_eq!((counts, script.totals_of_class(1).lengths), ([1, 2, 0], [3, 5]));
    assert_eq!(traffic.flits_per_arrival().to_bits(), 3f64.to_bits());
    assert_eq!(traffic.share_of_replies().to_bits(), 0f64.to_bits());
    // Without classes in the scenario, the column has no meaning.
    let plain = self::read(table).unwrap();
    assert!(plain.system.traffic.classes.is_empty() && plain.notes[0].contains("`class` is"));
    let empty = self::read("born,source,destination,length,class\n0,0,1,5,\n").unwrap();
    assert!(empty.notes.is_empty(), "{:?}", empty.notes);
}

#[test]
fn mistakes_of_classes_in_a_table_have_their_places() {
    let two = "(name: \"request\"), (name: \"reply\")";
    let header = "born,source,destination,length,class\n";
    for (classes, table, expected) in [
        (two, "0,0,1,5,request\n0,1,0,5,replay\n", "3:9: there is no message class `replay`; did"),
        (two, "0,0,1,5,\"a b\"\n", "2:9: there is no message class `a b`; the scenario has `re"),
        (two, "0,0,1,5,\n", "2:1: this message has no class; write `request` in column"),
        (
            "(name: \"request\"), (name: \"reply\", to: \"request\")",
            "0,0,1,5,request\n",
            "4:52: a message class needs the field `lengths`",
        ),
        (
            "(name: \"request\", room: 2)",
            "0,0,1,5,request\n",
            "4:51: this field belongs to replies",
        ),
        (
            "(name: \"request\", lengths: Fixed(3))",
            "0,0,1,5,request\n",
            "4:51: this field is given, but the table states",
        ),
        (
            "(name: \"a\"), (name: \"b\", to: \"a\", lengths: Fixed(3))",
            "0,0,1,5,b\n",
            "1:1: the table has only replies",
        ),
        ("(name: \"a\"), (name: \"a\")", "0,0,1,5,a\n", "4:53: two message classes have"),
    ] {
        let found = with_classes(classes, &format!("{header}{table}")).unwrap_err();
        let place = found[0].place.as_ref().unwrap();
        let help = found[0].help.as_deref().unwrap_or_default();
        let told = format!("{}:{}: {}; {help}", place.line, place.column, found[0].what);
        assert!(told.starts_with(expected), "{told}");
        assert!(!help.is_empty());
    }
    let found = with_classes(two, "born,source,destination,length\n0,0,1,5\n").unwrap_err();
    assert!(found[0].what.contains("the table has no column `class`"), "{found:?}");
    let answers = "(name: \"a\"), (name: \"b\", to: \"a\", lengths: Fixed(3))";
    let table = "born,source,destination,length,class,id,after\n0,0,1,5,a,x,\n0,1,2,5,a,,x\n";
    let found = with_classes(answers, table).unwrap_err();
    assert!(found[0].what.contains("nodes answer messages of these classes"), "{found:?}");
}

#[test]
fn classes_of_random_messages_name_those_of_a_replay_set_from_outside() {
    let text = |room: &str| {
        format!(
            "Scenario(network: Mesh(radix: [2, 2]), switching: Wormhole(virtual_channels: 2, \
             buffer_flits: 4, terminals: Channels, ejection: PerWorm), routing: DimensionOrder(), \
             traffic: (arrivals: Poisson(rate: 0.1), destinations: Uniform, lengths: Fixed(1), \
             message_classes: [(name: \"ask\"), (name: \"tell\", to: \"ask\", after: 5{room})]))"
        )
    };
    let replay = |room: &str, table: &'static str| {
        let set = Override {
            path: "traffic.arrivals".into(),
            value: "Replay(File(\"m.csv\"))".into(),
            label: "--set traffic.arrivals=Replay(File(\"m.csv\"))".into(),
        };
        let load = |_: &str| Ok(table.as_bytes().to_vec());
        scenario::parse_with("a.ron", &text(room), &[set], &load)
    };
    let with = "born,source,destination,length,class\n0,0,1,5,ask\n3,1,0,5,tell\n2,2,0,3,ask\n";
    let read = replay(", room: 2", with).unwrap();
    let traffic = &read.system.traffic;
    assert_eq!((traffic.classes.count(), traffic.script.as_ref().unwrap().len()), (2, 2));
    assert_eq!(traffic.messages_in_all(), Some(4));
    // Requests of 5 and 3 flits, each with a reply of a flit.
    assert_eq!(traffic.flits_per_arrival().to_bits(), 5f64.to_bits());
    assert!(read.notes.iter().any(|note| note.contains("1 reply is left out")), "{:?}", read.notes);
    // The text of a scenario contains the table.
    assert!(read.with([]).unwrap().is_same(&read));
    let without = replay(", room: 2", "born,source,destination,length\n0,0,1,5\n").unwrap();
    assert!(without.system.traffic.classes.is_empty());
}

#[test]
fn buffers_of_whole_messages_hold_the_longest_of_a_replay() {
    let text = TEXT.replace(
        "routing:",
        "switching: Wormhole(forwarding: CutThrough, buffer_flits: 8), routing:",
    );
    let of = |length: u32| {
        let table = format!("born,source,destination,length\n0,0,1,2\n0,1,0,{length}\n");
        let load = move |_: &str| Ok(table.clone().into_bytes());
        scenario::parse_with("a.ron", &text, &[], &load)
    };
    assert!(of(8).is_ok());
    let found = of(9).unwrap_err();
    assert!(found[0].what.contains("messages of up to 9 flits do not fit"), "{found:?}");
}

#[test]
fn operations_are_those_of_the_senders_or_of_all_nodes() {
    let with = |arrivals: &str| {
        let text = TEXT.replace("Replay(File(\"m.csv\"))", arrivals);
        scenario::parse("a.ron", &text, &[])
    };
    let script = |arrivals: &str| with(arrivals).unwrap().system.traffic.script.unwrap();
    let ring = script("RingAllReduce(flits: 16)");
    assert_eq!((ring.len(), ring.flits(), ring.lengths()), (4 * 6, 96, [4, 4]));
    let few = script("Broadcast(flits: 16, packet_flits: 10, delay: 3), senders: [3, 0, 1]");
    assert_eq!((few.len(), few.flits(), few.lengths()), (4, 32, [6, 10]));
    let problem = |arrivals: &str| with(arrivals).unwrap_err().remove(0);
    let found = problem("RecursiveAllReduce(flits: 16), senders: [0, 1, 2]");
    assert_eq!(found.what, "recursive all reduce needs 2, 4, 8, … nodes, not 3");
    assert_eq!(found.place.unwrap().line, 4);
    assert!(problem("AllToAll()").what.contains("flits"));
    assert!(problem("AllToAll(flits: 0)").what.contains("must be"));
    assert!(problem("AllToAll(flits: 4), lengths: Fixed(4)").what.contains("has its own"));
}
