//! Traces and the messages that they become, and mistakes with their places.

use std::fmt::Write;

use super::*;

/// A flit has 32 bytes, a cycle is a nanosecond, and messages up to 256 bytes are eager.
fn machine() -> Machine {
    Machine { flit_bytes: 32, clock_ghz: 1.0, packet_flits: None, eager_bytes: 256, nodes: None }
}

fn table_of(text: &str, machine: &Machine) -> (String, Vec<String>) {
    let draft = read_goal(text, machine).unwrap_or_else(|found| panic!("{text}: {found:?}"));
    let rows = draft.table.strip_prefix("id,born,source,destination,length,after\n").unwrap();
    assert_eq!(rows.lines().count(), draft.messages);
    (rows.to_owned(), draft.notes)
}

fn table(text: &str) -> String {
    table_of(text, &machine()).0
}

const PING_PONG: &str = "num_ranks 4\n\nrank 0 {\nl1: send 64b to 3 tag 1\nl2: recv 640b from 3 tag 2\n\
    l2 requires l1\nl3: calc 100\nl3 requires l2\nl4: send 64b to 1 tag 3\nl4 requires l3\n}\n\n\
    rank 1 {\nl1: recv 64b from 0 tag 3\n}\n\nrank 2 {\n}\n\nrank 3 {\nl1: recv 64b from 0 tag 1\n\
    l2: send 640b to 0 tag 2\nl2 requires l1\n}\n";

#[test]
fn receives_and_calculations_become_conditions_and_delays() {
    let expected = "0.l1,0,0,3,2,\n3.l2,,3,0,20,0.l1\n0.l4,,0,1,2,3.l2+100\n";
    assert_eq!(table(PING_PONG), expected);
    // Rank 3 may as well be at the node of rank 0.
    let nodes = ["(0,0)", "b", "c", "(0,0)"].map(String::from).to_vec();
    let (rows, notes) = table_of(PING_PONG, &Machine { nodes: Some(nodes), ..machine() });
    assert_eq!(rows, "0.l4,100,\"(0,0)\",\"b\",2,\n");
    assert_eq!(notes, ["2 messages stay at a node and need no network"]);
    let fast = Machine { clock_ghz: 2.5, flit_bytes: 64, ..machine() };
    assert!(table_of(PING_PONG, &fast).0.ends_with("0.l4,,0,1,1,3.l2+250\n"));
}

/// The rows of rank 0, which sends three messages of these bytes, the third as given.
fn third(bytes: u32, rest: &str) -> String {
    let receive = format!("recv {bytes}b from 0");
    let text = format!(
        "num_ranks 2 rank 0 {{ a: send {bytes}b to 1 b: send {bytes}b to 1 b requires a\n\
         c: send {bytes}b to 1 {rest} }} rank 1 {{ {receive} {receive} {receive} }}"
    );
    table(&text).lines().last().unwrap().to_owned()
}

#[test]
fn sends_are_complete_when_sent_or_delivered_and_started_before() {
    assert_eq!(third(256, "c requires b"), "0.c,,0,1,8,0.b:sent");
    assert_eq!(third(257, "c requires b"), "0.c,,0,1,9,0.b");
    assert_eq!(third(257, "c irequires b"), "0.c,,0,1,9,0.b:started");
    // The first is sent before the second is generated.
    assert_eq!(third(32, "c requires b c requires a"), "0.c,,0,1,1,0.b:sent");
    assert_eq!(
        third(32, "x: calc 7 x requires a c irequires b c requires x"),
        "0.c,,0,1,1,0.a:sent+7 0.b:started"
    );
    assert_eq!(third(32, "x: calc 7 x irequires a c irequires x"), "0.c,,0,1,1,0.a:started");
    assert_eq!(third(0, "x: calc 5 y: calc 7 y requires x c requires y"), "0.c,12,0,1,1,");
}

#[test]
fn messages_are_divided_into_packets_that_follow_each_other() {
    let text = "num_ranks 2 rank 0 { send 100b to 1 tag 4 cpu 1 nic 0 } rank 1 { r: recv 200b from 0 tag 4 \
        s: send 40b to 0 s requires r } # the end\n";
    let text = text.replace("{ send", "{ z: recv 40 from 1\nsend");
    let (rows, notes) = table_of(&text, &Machine { packet_flits: Some(2), ..machine() });
    assert_eq!(rows, "0.#1/0,0,0,1,2,\n0.#1/1,,0,1,2,0.#1/0:started\n1.s,,1,0,2,0.#1/0 0.#1/1\n");
    assert_eq!(notes, ["`cpu` and `nic` of 1 operation are ignored"]);
}

#[test]
fn sends_and_receives_match_in_order_by_rank_and_tag() {
    let text = "num_ranks 3\nrank 0 { a: send 1 to 1 b: send 2 to 1 tag 1 c: send 3 to 1 }\n\
        rank 1 { a: recv 2 from 0 tag 1 b: recv 1 from 0 /* of a */ c: recv 3 from 0 // of c\n\
        x: send 9 to 2 x requires c y: send 9 to 2 y requires b z: send 9 to 2 tag 8 z requires a }\n\
        rank 2 { recv 9 from 1 recv 9 from 1 tag 8 recv 9 from 1 }";
    let rows = table(text);
    for row in ["1.x,,1,2,1,0.c\n", "1.y,,1,2,1,0.a\n", "1.z,,1,2,1,0.b\n"] {
        assert!(rows.contains(row), "{rows}");
    }
}

#[test]
fn every_mistake_of_a_trace_has_its_place() {
    let send = "num_ranks 2\nrank 0 { a: send 8b to 1 }\n";
    for (text, expected) in [
        (String::new(), "1:1: `num_ranks` is expected here, not the end of the file"),
        ("num_ranks x".into(), "1:11: the number of ranks is expected here, not `x`"),
        ("num_ranks 2\nrank 2 { }".into(), "2:6: there is no rank 2: `num_ranks` is 2"),
        ("num_ranks 2\nrank 0 { } rank 0 { }".into(), "2:12: rank 0 is there twice, first on line 2"),
        ("num_ranks 2\nrank 0 { l1: sned 8b to 1 }".into(), "2:14: `send`, `recv` or `calc` is expected here, not `sned`; did you mean `send`?"),
        ("num_ranks 2\nrank 0 { send 8b from 1 }".into(), "2:18: `to` is expected here, not `from`"),
        ("num_ranks 2\nrank 0 { send 8kb to 1 }".into(), "2:15: `number of bytes` must be a whole number"),
        ("num_ranks 2\nrank 0 { send 8b to 1 tag -1 }".into(), "2:27: the tag is expected here, not `-1`"),
        ("num_ranks 2\nrank 0 { a before b }".into(), "2:12: `:`, `requires` or `irequires` is expected here"),
        ("num_ranks 2\nrank 0 { , }".into(), "2:10: an operation is expected here, not `,`"),
        ("num_ranks 2\nrank 0 { calc 5".into(), "2:16: an operation is expected here, not the end of the file"),
        ("num_ranks 2\nrank 0 { la: calc 5 la requires lb }".into(), "2:33: rank 0 has no operation `lb`; did you mean `la`?"),
        ("num_ranks 2\nrank 0 { a: calc 5 a: calc 6 }".into(), "2:20: `a` is given twice in rank 0"),
        (send.into(), "2:10: rank 1 does not receive this message; write a `recv` with tag 0 in rank 1"),
        (format!("{send}rank 1 {{ recv 8 from 0 recv 8 from 0 }}"), "3:24: rank 0 sends no such message to rank 1"),
        (format!("{send}rank 1 {{ recv 7b from 0 }}"), "3:10: 8 bytes are sent on line 2, and 7 received"),
        ("num_ranks 2\nrank 0 { a: calc 5 }".into(), "1:1: no message of this trace needs a network"),
        ("num_ranks 2\nrank 0 { a: calc 5 b: calc 6 a requires b b requires a }".into(), "2:10: 2 operations wait for each other: 0.a for 0.b; remove"),
        (
            "num_ranks 2\nrank 0 { r: recv 8 from 1 s: send 8 to 1 s requires r }\n\
             rank 1 { r: recv 8 from 0 s: send 8 to 0 s requires r }".into(),
            "operations wait for each other: ",
        ),
        ("num_ranks 2\nrank 0 { a: send 99999999999 to 1 }\nrank 1 { recv 99999999999 from 0 }".into(), "2:10: this message has 3125000000 flits; divide it with --packet-flits"),
        ("num_ranks 2\nrank 0 { a: send 8 to 1 b: send 8 to 1 c: calc 99999999999 c requires a b requires c }\nrank 1 { recv 8 from 0 recv 8 from 0 }".into(), "2:25: the operations before this take more than 4294967295 cycles"),
    ] {
        let found = read_goal(&text, &machine()).unwrap_err();
        let first = &found[0];
        let shown = format!("{}:{}: {}; {}", first.line, first.column, first.what, first.help);
        assert!(shown.contains(expected), "{text}: {shown}");
        assert!(!shown.ends_with("; "), "{shown}");
    }
}

#[test]
fn ranks_that_exchange_messages_without_waiting_for_starts_are_no_circle() {
    // Each send needs only the start of the receive before.
    let rank = |number: u32| {
        let other = 1 - number;
        format!("rank {number} {{ r: recv 8 from {other} s: send 8 to {other} s irequires r }}\n")
    };
    let rows = table(&format!("num_ranks 2\n{}{}", rank(0), rank(1)));
    assert_eq!(rows.lines().count(), 2);
    assert!(rows.lines().all(|row| row.ends_with(",1,") && row.contains(",0,")), "{rows}");
}

#[test]
fn long_chains_have_few_conditions() {
    let mut ranks = [String::new(), String::new()];
    for step in 0..2_000 {
        for (number, rank) in ranks.iter_mut().enumerate() {
            let other = 1 - number;
            let _ = writeln!(rank, "s{step}: send 8 to {other} r{step}: recv 8 from {other}");
            let _ = writeln!(rank, "r{step} requires s{step}");
            if step > 0 {
                let _ = writeln!(rank, "s{step} requires r{}", step - 1);
            }
        }
    }
    let [first, second] = ranks;
    let rows = table(&format!("num_ranks 2\nrank 0 {{\n{first}}}\nrank 1 {{\n{second}}}\n"));
    assert!(rows.lines().all(|row| row.split(' ').count() <= 2), "{}", &rows[..500]);
}
