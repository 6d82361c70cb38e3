//! Reduced deadlocks: small, of the same kind, and without anything to spare.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::*;
use crate::random::{Stream, mix};
use crate::scenario::{builtin, parse};
use crate::session::Session;
use crate::stats::WarmUp;
use crate::topology::switches::random;

mod failures;
mod tables;

fn shrunk(scenario: Scenario) -> Shrunk {
    let steps = Cell::new(0);
    let tell = |_: Progress| steps.set(steps.get() + 1);
    let found = shrink(
        &Saved::beginning(Arc::new(scenario)),
        Cycle(100_000),
        (&AtomicBool::new(false), &tell),
    );
    let found = found.unwrap_or_else(|why| panic!("{why}"));
    assert!(steps.get() > 1);
    found
}

fn built_in(name: &str) -> Scenario {
    let found = builtin::find(name).unwrap();
    parse(found.name, found.text, &[]).unwrap()
}

/// The run of a reduced deadlock, from its text alone.
fn run(text: &str) -> Session {
    let scenario =
        Arc::new(parse("hang.ron", text, &[]).unwrap_or_else(|it| panic!("{text}: {it:?}")));
    let mut session = Session::new(Arc::clone(&scenario), scenario.seed, 0, WarmUp::Cycles(0));
    session.advance(Cycle(100_000));
    session
}

#[test]
fn a_torus_is_reduced_to_a_ring_of_four() {
    let found = shrunk(built_in("ring-deadlock"));
    let [before, after] = found.sizes;
    assert!(after.messages <= 4 && after.routers <= 4, "{after:?}");
    assert!(before.messages > 100 && before.routers == 64);
    let session = run(&found.text);
    let set = &session.deadlock().unwrap().sets[0];
    assert_eq!((DeadlockKind::of(set), set.closed), (found.kind, found.closed));
    assert_eq!(set.worms.len(), found.members);
}

/// A scenario on a network with a rule and a machine, at a load.
fn given(network: &str, routing: &str, switching: &str, traffic: &str) -> Scenario {
    let text = format!(
        "Scenario(network: {network}, routing: {routing}, switching: Wormhole({switching}), traffic: ({traffic}))"
    );
    parse("given.ron", &text, &[]).unwrap_or_else(|it| panic!("{text}: {it:?}"))
}

/// True if a scenario deadlocks in a way, with any of the seeds.
fn deadlocks(text: &str, kind: DeadlockKind) -> bool {
    let Ok(scenario) = parse("fewer.ron", text, &[]) else { return false };
    (1..=SEEDS).chain([scenario.seed]).any(|seed| {
        let scenario = Arc::new(Scenario { seed, ..scenario.clone() });
        let mut session = Session::new(scenario, seed, 0, WarmUp::Cycles(0));
        session.advance(Cycle(20_000));
        session.deadlock().is_some_and(|it| it.sets.iter().any(|set| DeadlockKind::of(set) == kind))
    })
}

/// Asserts that a reduced deadlock is minimal: without a message, a flit or a failure it does not deadlock,
/// with any of the seeds.
fn is_minimal(Shrunk { text, kind, .. }: &Shrunk) {
    let scenario = parse("hang.ron", text, &[]).unwrap();
    let Some(script) = &scenario.system.traffic.script else { panic!("no messages") };
    let old = rows_of(text);
    let rows: Vec<&str> = old.lines().collect();
    assert_eq!(rows.len() as u64, script.len() + 1);
    let deadlocks_with =
        |rows: &[String]| deadlocks(&text.replace(old, &(rows.join("\n") + "\n")), *kind);
    let rows: Vec<String> = rows.iter().map(|&row| row.to_owned()).collect();
    assert!(deadlocks_with(&rows));
    for row in 1..rows.len() {
        let mut fewer = rows.clone();
        fewer.remove(row);
        assert!(!deadlocks_with(&fewer), "row {row} is not needed: {text}");
        let cells: Vec<&str> = rows[row].split(',').collect();
        let at = cells.len() - 1 - usize::from(rows[0].ends_with("class"));
        let length: u32 = cells[at].parse().unwrap();
        if length > 1 {
            let mut shorter: Vec<String> = cells.iter().map(|&cell| cell.to_owned()).collect();
            shorter[at] = (length - 1).to_string();
            let mut fewer = rows.clone();
            fewer[row] = shorter.join(",");
            assert!(!deadlocks_with(&fewer), "row {row} may be shorter: {text}");
        }
    }
    let failures = text.lines().filter(|line| line.trim_start().starts_with("(cycle: "));
    let failures: Vec<&str> = failures.collect();
    assert_eq!(failures.len(), scenario.system.plan().failures.given.len());
    for failure in &failures {
        let mut fewer = text.replace(failure, "");
        if failures.len() == 1 {
            let [from, to] = ["failures: [", "on_failure:"].map(|at| fewer.find(at).unwrap());
            fewer.replace_range(from..to, "");
        }
        assert!(parse("fewer.ron", &fewer, &[]).is_ok(), "{fewer}");
        assert!(!deadlocks(&fewer, *kind), "{failure} is not needed: {text}");
    }
}

/// The table of messages in a text.
fn rows_of(text: &str) -> &str {
    let rows = &text[text.find("born,").unwrap()..];
    &rows[..=rows.find("\n\"").unwrap()]
}

/// The longest time of a reduction on up to 1,024 routers.
const LONGEST: Duration = Duration::from_secs(60);

const RANDOM: &str = "arrivals: Geometric(load: 0.5), destinations: Uniform, lengths: Fixed(8)";

#[test]
fn deadlocks_of_many_kinds_become_minimal() {
    let replies = "arrivals: Geometric(load: 0.4), destinations: Uniform, lengths: Fixed(1), message_classes: \
        [(name: \"ask\"), (name: \"tell\", to: \"ask\", after: 10, lengths: Fixed(5), room: 2)]";
    for (network, routing, switching, traffic, most) in [
        (
            "Torus(radix: [6, 5])",
            "DimensionOrder(classes: None)",
            "virtual_channels: 1, buffer_flits: 4",
            RANDOM,
            [4, 4],
        ),
        (
            "Mesh(radix: [4, 4])",
            "MinimalAdaptive(escape: None)",
            "virtual_channels: 1",
            RANDOM,
            [16, 16],
        ),
        (
            "Mesh(radix: [3, 3])",
            "DimensionOrder()",
            "virtual_channels: 2, terminals: Channels, ejection: PerWorm, buffer_flits: 4",
            replies,
            [40, 4],
        ),
        (
            "Switches(links: [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (4, 5), (5, 6)], hosts: 2)",
            "ShortestPath()",
            "virtual_channels: 1, terminals: Channels, ejection: PerWorm",
            RANDOM,
            [5, 5],
        ),
        (
            "Switches(links: [(0, 1), (1, 2), (2, 0), (2, 3)], hosts: 1, names: [\"a\", \"b, c\", \"d\", \"e\"])",
            "Table(routes: \"at,destination,next\\na,\\\"b, c\\\",\\\"b, c\\\"\\na,d,\\\"b, c\\\"\\na,e,\\\"b, c\\\"\\n\\\"b, c\\\",a,d\\n\\\"b, c\\\",d,d\\n\\\"b, c\\\",e,d\\nd,a,a\\nd,\\\"b, c\\\",a\\nd,e,e\\ne,a,d\\ne,\\\"b, c\\\",d\\ne,d,d\\n\")",
            "virtual_channels: 1",
            RANDOM,
            [3, 3],
        ),
    ] {
        let found = shrunk(given(network, routing, switching, traffic));
        let [_, after] = found.sizes;
        assert!(found.complete);
        assert!(after.messages <= most[0] && after.routers <= most[1], "{network}: {after:?}");
        is_minimal(&found);
    }
}

#[test]
fn a_large_network_is_reduced_to_its_visited_part() {
    let links = random::links(300, 600, 4, 5);
    let links: Vec<String> = links.iter().map(|(a, b)| format!("({a}, {b})")).collect();
    let network = format!("Switches(links: [{}], hosts: 2)", links.join(", "));
    let machine = "virtual_channels: 1, terminals: Channels, ejection: PerWorm";
    let found = shrunk(given(&network, "ShortestPath()", machine, RANDOM));
    let [before, after] = found.sizes;
    assert!(before.routers == 300 && after.routers < 30, "{after:?}");
    assert!(found.complete && run(&found.text).deadlock().is_some());
}

#[test]
fn an_interrupted_search_keeps_the_smallest_deadlock_so_far() {
    let stop = AtomicBool::new(false);
    let saved = Saved::beginning(Arc::new(built_in("ring-deadlock")));
    let tell = |it: Progress| stop.store(it.smallest.is_some(), Ordering::Relaxed);
    let found = shrink(&saved, Cycle(100_000), (&stop, &tell)).unwrap();
    assert!(!found.complete && found.sizes[1].messages > 4);
    assert!(run(&found.text).deadlock().is_some());
    let early = shrink(&saved, Cycle(100_000), (&AtomicBool::new(true), &|_| ()));
    assert_eq!(early.unwrap_err(), Without::Interrupted);
}

/// Networks, rules, machines and traffic that deadlock, with and without choices, tables and replies.
fn random_deadlock(number: u64) -> Scenario {
    let mut random = Stream::keyed(mix(7, number));
    let mut below = |limit: u32| random.below(limit);
    let (network, routing) = match below(8) {
        0 => {
            let [x, y] = [4 + below(29), 4 + below(29)];
            (format!("Torus(radix: [{x}, {y}])"), "DimensionOrder(classes: None)".to_owned())
        }
        1 => {
            let [x, y] = [3 + below(6), 3 + below(6)];
            (format!("Mesh(radix: [{x}, {y}])"), "MinimalAdaptive(escape: None)".to_owned())
        }
        2 => {
            let radix = 4 + below(6);
            let rule = "NorthLast(classes: SeparateDateline)";
            (format!("Torus(radix: [{radix}, {radix}])"), rule.to_owned())
        }
        3 | 4 => {
            let (switches, seed) = (8 + below(60), below(1000));
            let network =
                format!("RandomSwitches(switches: {switches}, degree: 4, hosts: 1, seed: {seed})");
            (network, "ShortestPath()".to_owned())
        }
        5 => {
            let (radix, rows) = (5 + below(12), 2 + below(4));
            (
                format!("Torus(radix: [{radix}, {rows}], links: Unidirectional)"),
                "DimensionOrder(classes: None)".to_owned(),
            )
        }
        6 => (
            format!("Hypercube(dimensions: {})", 3 + below(4)),
            "MinimalAdaptive(escape: None)".to_owned(),
        ),
        _ => {
            let switches = 5 + below(5);
            let next = |at: u32| (at + 1) % switches;
            let links: Vec<String> =
                (0..switches).map(|at| format!("({at}, {})", next(at))).collect();
            let rows = (0..switches).flat_map(|at| {
                (0..switches)
                    .filter(move |&to| to != at)
                    .map(move |to| format!("{at},{to},{}\\n", next(at)))
            });
            let table: String = rows.collect();
            (
                format!("Switches(links: [{}], hosts: 1)", links.join(", ")),
                format!("Table(routes: \"at,destination,next\\n{table}\")"),
            )
        }
    };
    let replies = below(4) == 0;
    let vcs = if network.starts_with("Torus") && routing.starts_with("NorthLast") { 2 } else { 1 };
    let buffer = 1 + below(6);
    let lengths = 2 + below(20);
    let classes = if replies {
        ", message_classes: [(name: \"ask\"), (name: \"tell\", to: \"ask\", after: 3)]"
    } else {
        ""
    };
    let traffic = format!(
        "arrivals: Geometric(load: 0.6), destinations: Uniform, lengths: Uniform(min: 1, max: {lengths}){classes}"
    );
    let scenario = given(
        &network,
        &routing,
        &format!("virtual_channels: {vcs}, buffer_flits: {buffer}"),
        &traffic,
    );
    Scenario { seed: number + 1, ..scenario }
}

#[test]
#[ignore = "some minutes"]
fn forty_random_deadlocks_become_minimal() {
    let mut done = 0;
    for number in 0.. {
        let scenario = random_deadlock(number);
        let saved = Saved::beginning(Arc::new(scenario));
        let begun = Instant::now();
        let found = match shrink(&saved, Cycle(20_000), (&AtomicBool::new(false), &|_| ())) {
            Ok(found) => found,
            Err(Without::Deadlock { .. }) => continue,
            Err(why) => panic!("{number}: {why}"),
        };
        let time = begun.elapsed();
        assert!(time < LONGEST, "{number}: {time:?}, {:?}", found.sizes);
        is_minimal(&found);
        assert!(found.complete, "{number}");
        done += 1;
        if done == 40 {
            return;
        }
    }
}
