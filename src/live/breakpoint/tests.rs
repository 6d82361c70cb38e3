//! Tests of `breakpoint`.

use super::*;
use crate::ids::NodeId;
use crate::scenario::{builtin, parse};
use crate::tui::fake;

#[test]
fn conditions_are_read_and_written() {
    let system = &fake::scenario(fake::TORUS, &[8, 8], 2).system;
    for text in [
        "chain 5",
        "latency 200",
        "chain 3, latency 90",
        "cycle 12, cycle 5000, node (7,0), node (3,4), message (3,4)#4",
        "off",
    ] {
        let breakpoint = Breakpoint::parse(text, system).unwrap();
        assert_eq!(breakpoint.words(system), text);
        assert_eq!(breakpoint.is_off(), text == "off");
    }
    let read = |text| Breakpoint::parse(text, system);
    let all = read("node 3 4,message=12#4 chain 2 cycle 1,000 latency 7 node (3,4)").unwrap();
    assert_eq!(all.routers, [RouterId(35)]);
    assert_eq!(all.messages, [MessageId { source: NodeId(12), serial: 4 }]);
    assert_eq!((all.chain, all.latency, all.cycles), (Some(2), Some(7), vec![1000]));
    for (text, words) in [
        ("", "node PLACE"),
        ("chain", "whole number"),
        ("chain 0", "at least 1"),
        ("latency x", "whole number"),
        ("worm 3", "worm 3? chain N"),
        ("chain -1", "whole number"),
        ("cycle -1", "whole number"),
        ("node (9,9)", "outside"),
        ("node", "(3,4)"),
        ("message 12", "12#4"),
        ("off 3", "or off"),
        ("3 chain 4", "3 ?"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(words), "{text}: {error}");
    }
    let many: Vec<String> = (0..20).map(|cycle| format!("cycle {cycle}")).collect();
    assert!(read(&many.join(" ")).unwrap_err().contains("at most 16"));
}

#[test]
fn times_of_circuits_are_in_their_unit() {
    let name = "papers/circuit-hold-8";
    let scenario = parse(name, builtin::find(name).unwrap().text, &[]).unwrap();
    let system = &scenario.system;
    let breakpoint = Breakpoint::parse("latency 2.5 time 12", system).unwrap();
    assert_eq!((breakpoint.latency, &breakpoint.cycles[..]), (Some(2560), &[12 * 1024][..]));
    assert_eq!(breakpoint.words(system), "latency 2.500, time 12.000");
    for text in ["latency -1", "latency nan", "latency 1e99", "time x"] {
        assert!(Breakpoint::parse(text, system).is_err(), "{text}");
    }
}

#[test]
fn chains_and_circles_are_counted() {
    let mut snapshot = fake::deadlocked(fake::TORUS, &[8, 8]).snapshot;
    assert_eq!(longest_chain(&snapshot), 4);
    snapshot.waits[3].holder = None;
    assert_eq!(longest_chain(&snapshot), 4);
    snapshot.waits.pop();
    assert_eq!(longest_chain(&snapshot), 3);
    snapshot.waits.clear();
    assert_eq!(longest_chain(&snapshot), 0);
}
