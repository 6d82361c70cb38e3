//! Valid files with random changes: read or refused, never a panic.

use std::sync::Arc;

use super::comparison::{Comparison, Inventory};
use super::conversion::Configuration;
use super::goal::{Machine, read_goal};
use super::noxim::{Sample, read_traffic_table};
use super::*;
use crate::random::mix;
use crate::routing::dependency::{Verdict, prove};
use crate::routing::{Relation, Routing};
use crate::topology::Network;
use crate::traffic::classes::MessageClasses;

/// Words and signs with a meaning in some format.
const PARTS: &[&str] = &[
    "router",
    "node",
    "host",
    "edge",
    "graph",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    ",",
    "<",
    ">",
    "/>",
    "&",
    "&#0;",
    "<data key=\"d0\">",
    "NaN",
    "-1",
    "1e400",
    "18446744073709551616",
    "0",
    "4097",
    "\n",
    "\r\n",
    "\t",
    "é",
    "\u{feff}",
    "\0",
    "#",
    "=",
    "true",
    "null",
    "from,to",
    "source",
    "id",
    "Switch 1 \"S-9\"",
    "[1] \"S-01\"[2]",
    "x",
    "endpoints",
    "host_names",
    "delay",
    "one_way",
];

/// A source of numbers.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = mix(self.0, 1);
        (self.0 >> 16) as usize % limit.max(1)
    }
}

/// A text with one to eight changes.
fn changed(text: &str, draws: &mut Draws) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=draws.below(8) {
        let from = draws.below(bytes.len());
        let to = (from + draws.below(30)).min(bytes.len());
        match draws.below(6) {
            0 => drop(bytes.drain(from..to)),
            1 => {
                let copy = bytes[from..to].to_vec();
                let at = draws.below(bytes.len());
                bytes.splice(at..at, copy);
            }
            2 => bytes.truncate(bytes.len() - draws.below(bytes.len()) / 4),
            3 if !bytes.is_empty() => bytes[from] = draws.below(256) as u8,
            _ => {
                let part = PARTS[draws.below(PARTS.len())].bytes();
                bytes.splice(from..to.min(from + 6), part);
            }
        }
    }
    bytes
}

/// Reads a file; the network of a draft is built, and mistakes have places in the text.
fn survives(name: &str, bytes: &[u8]) {
    if let Ok(draft) = read_in_parts(name, bytes) {
        let inventory = Inventory::of_draft(&draft);
        let Comparison { differences, notes } = Comparison::of(&inventory, &inventory).unwrap();
        assert!(differences.is_empty() && notes.len() < 2, "{differences:?} {notes:?}");
        assert!(!draft.is_connected() || inventory.pairs().unreachable == 0);
    }
    match read(name, bytes) {
        Ok(draft) => {
            let network = draft.graph().network();
            assert!(network.nodes() >= 2 && network.routers() == draft.routers.len());
        }
        Err(mistakes) => {
            assert!(!mistakes.is_empty() && mistakes.len() <= MISTAKES_MAX + 1);
            let shown = |it: &Mistake| !it.what.is_empty() && !it.help.is_empty();
            assert!(mistakes.iter().all(|it| shown(it) && (it.line == 0) == (it.column == 0)));
        }
    }
}

fn run(times: usize, seed: u64) {
    let mut draws = Draws(seed);
    for (name, text) in SAMPLES {
        for _ in 0..times {
            survives(name, &changed(text, &mut draws));
        }
    }
}

/// A ring of four routers with two links between two of them, and tables for this network.
const RING: &str =
    "from,to,count\na,b,2\nb,c,\nc,d,\nd,a,\nhost,1,a\nhost,2,b\nhost,3,c\nhost,4,d\n";
const TABLES: [&str; 8] = [
    "at,destination,next,vc,from,from_vc\na,b,b/2,0,,\na,c,b,0,a,\na,c,b,1,d,0\na,d,d,0,,\n\
     b,a,a,0,,\nb,c,c,0,,\nb,d,c,1,,\nc,a,d,0,,\nc,b,b,0,,\nc,d,d,0,,\nd,a..b,a,0,,\n\
     d,c,c,0,,\n",
    "source,destination,route,vcs\na,b,a>b,0\na,c,a>b>c,0>1\na,d,a d,0\nb,a,b>a/2,0\nb,c,b>c,0\n\
     b,d,b>c>d,0>1\nb,d,b>a>d,0>1\nc,a,c>d>a,0>0\nc,b,c>b,1\nc,d,c>d,0\nd,a,d>a,0\nd,b,d>a>b,0>1\n\
     d,c,d>c,0\n",
    "% of a ring\n0 0->0 1 0->1\n1 0->1 2 1->2\n3 2->3 0 3->0\n",
    "source,destination\na,b\nb,\"c\"\n# no more\nd,a\n",
    ",1,2,3\n1,0,0.5,1\n3,2,,0\n",
    "born,source,class,destination,length\n3,1,read,2,5\n4,2,data,1,5\n4,2,read,3,1\n",
    "born,source,destination,length,serial\n3,1,2,5,0\n4,2,1,5,1\n4,2,3,1,0\n# end\n9,1,3,1,1\n",
    "id,born,source,serial,destination,length,after,delay\na,3,1,0,2,5,,\nb,0,2,0,\"3\",7,a,4\n\
     c,,3,1,1,2,a:started+3 b,\nd,9,4,0,1,1,,\ne,1,1,1,4,3,d:sent a+7,10\n",
];

/// Reads a table in all ways, and proves the routes that lead everywhere.
fn table_survives(text: &str, network: &Arc<Network>) {
    let judge = |mistakes: Vec<Mistake>| {
        assert!(!mistakes.is_empty() && mistakes.len() <= MISTAKES_MAX + 1);
        assert!(mistakes.iter().all(|it| (it.line == 0) == (it.column == 0)));
    };
    let _ = read_pairs(text, network).map_err(judge);
    let _ = [false, true].map(|to_itself| read_weights(text, network, to_itself).map_err(judge));
    let classes = [MessageClasses::default(), MessageClasses::named(&["read", "data"])];
    for (classes, to_itself) in classes.into_iter().zip([false, true]) {
        let permitted = Permitted { classes, to_itself };
        let read = read_messages(text, network, &permitted).map_err(judge);
        let store = Arc::new(Text::new(text));
        let streamed = stream_messages(store, network, &permitted).map_err(judge);
        let Ok(MessagesDraft { script, .. }) = read else { continue };
        if let Ok(streamed) = streamed {
            assert_eq!(streamed.script, script, "{text}");
        }
        let counted = (0..8).map(|class| script.totals_of_class(class).messages);
        assert_eq!(counted.sum::<u64>(), script.len());
        let last = script.last_delivery(|message, _| u64::from(message.length)).unwrap();
        assert!(last >= u64::from(script.lengths()[1]) && script.at_once() > 0);
    }
    let Ok(draft) = read_routes(text, network).map_err(judge) else { return };
    let routing = Routing::Table { routes: draft.rows };
    let Ok(placement) = routing.on(network) else { return };
    let needed = placement.needs.needed;
    let proof = prove(network, &Relation::of(placement, Arc::clone(network), needed));
    assert!(!matches!(proof.verdict, Verdict::Stranded { .. }), "{text}");
}

fn run_tables(times: usize, seed: u64) {
    let network = Arc::new(read("ring.csv", RING.as_bytes()).unwrap().graph().network());
    let mut draws = Draws(seed);
    for text in TABLES {
        for _ in 0..times {
            let bytes = changed(text, &mut draws);
            table_survives(&String::from_utf8_lossy(&bytes), &network);
        }
    }
}

/// A trace, and a traffic table, for a ring of numbers.
const NUMBERS: &str = "from,to\n0,1\n1,2\n2,3\n3,0\n";
const TRACES: [&str; 2] = [
    "num_ranks 3\nrank 0 {\na: send 64b to 1 tag 3 cpu 0\nb: calc 50\nb irequires a\nc: recv 900b from 2\n\
     c requires b\nd: send 8b to 1 nic 1\nd requires c\n}\nrank 1 { a: recv 64b from 0 tag 3 /* 1 */\n\
     b: recv 8b from 0 // 2\n}\nrank 2 { # 3\nsend 900b to 0 }\n",
    "% of a ring\n1 2 0.2\n1 3 0.1 0.5\n# more\n2 1 0.3 0.3 5 10 20\n0 1 1e-1\n",
];

/// Converts a text in all ways, and reads the tables written; returns the number of these.
fn trace_survives(text: &str, network: &Network) -> usize {
    let machine = Machine {
        flit_bytes: 32,
        clock_ghz: 1.5,
        packet_flits: Some(3),
        eager_bytes: 100,
        nodes: None,
    };
    let packets = read_goal(text, &machine).map(|draft| draft.table);
    let whole = read_goal(text, &Machine { packet_flits: None, ..machine });
    let sample = Sample { cycles: 50, flits: 4, seed: 3 };
    let tables = [packets, whole.map(|draft| draft.table), read_traffic_table(text, sample)];
    let mut read = 0;
    for table in tables {
        match table.map(|table| read_messages(&table, network, &Permitted::default())) {
            Ok(Ok(MessagesDraft { script, .. })) => read += usize::from(!script.is_empty()),
            // The network need not have the nodes.
            Ok(Err(mistakes)) => {
                assert!(mistakes.iter().all(|it| it.what.contains("there is no node")), "{text}");
            }
            Err(mistakes) => {
                assert!(!mistakes.is_empty() && mistakes.len() <= MISTAKES_MAX + 1);
                assert!(mistakes.iter().all(|it| (it.line == 0) == (it.column == 0)));
            }
        }
    }
    read
}

#[test]
fn changed_traces_are_converted_or_refused() {
    let network = read("ring.csv", NUMBERS.as_bytes()).unwrap().graph().network();
    let mut draws = Draws(5);
    for text in TRACES {
        assert!(trace_survives(text, &network) > 0, "{text}");
        for _ in 0..1_500 {
            trace_survives(&String::from_utf8_lossy(&changed(text, &mut draws)), &network);
        }
    }
}

/// A converter of configurations, and a configuration.
type Conversion = (fn(&str) -> Result<Configuration, Vec<Mistake>>, &'static str);

const CONFIGURATIONS: [Conversion; 2] = [
    (
        booksim::read_configuration,
        "topology = mesh; k = 4;\nn = 2; // two\nrouting_function = dor;\nnum_vcs = 16;\n\
         use_read_write = 1;\nwrite_fraction = 0.25;\nread_reply_begin_vc = 8;\n\
         internal_speedup = 2.0;\ninjection_rate = 0.01;\nsample_period = 500;\n",
    ),
    (
        caminos::read_configuration,
        "Configuration {\n random_seed: 4, // one\n warmup: 10,\n\
         topology: Torus { sides: [4, 4], servers_per_router: 1 },\n\
         traffic: HomogeneousTraffic { pattern: Uniform, servers: 16, load: 0.2, message_size: 4 },\n\
         router: Basic { virtual_channels: 1, buffer_size: 8, bubble: true, delay: 0 },\n\
         routing: DOR { order: [0, 1] }, /* two */ link_classes: [LinkClass { delay: 1 }] }\n",
    ),
];

#[test]
fn changed_configurations_are_converted_or_refused() {
    let mut draws = Draws(6);
    for (convert, text) in CONFIGURATIONS {
        let found = convert(text).unwrap_or_else(|found| panic!("{text}: {found:?}"));
        assert!(crate::scenario::parse("test", &found.scenario, &[]).is_ok(), "{}", found.scenario);
        for _ in 0..1_500 {
            let bytes = changed(text, &mut draws);
            match convert(&String::from_utf8_lossy(&bytes)) {
                // Numbers that fit one by one need not fit together.
                Ok(found) => drop(crate::scenario::parse("test", &found.scenario, &[])),
                Err(mistakes) => {
                    assert!(!mistakes.is_empty() && mistakes.len() <= MISTAKES_MAX + 1);
                    assert!(mistakes.iter().all(|it| (it.line == 0) == (it.column == 0)));
                }
            }
        }
    }
}

#[test]
fn changed_files_are_read_or_refused() {
    run(1500, 1);
}

#[test]
fn changed_tables_are_read_or_refused() {
    run_tables(1500, 3);
}

#[test]
#[ignore = "a million changes of each sample take minutes"]
fn a_million_changed_tables_are_read_or_refused() {
    run_tables(1_000_000, 4);
}

#[test]
#[ignore = "a million changes of each sample take minutes"]
fn a_million_changed_files_of_each_format_are_read_or_refused() {
    run(1_000_000, 2);
}
