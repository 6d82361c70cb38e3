//! Tests of witnesses: replays of their tables deadlock, with no message to spare.

use std::sync::Arc;

use super::*;
use crate::scenario::{Override, parse};
use crate::session::Session;
use crate::stats::WarmUp;
use crate::switching::OnDeadlock;

fn scenario(text: &str, arrivals: Option<&str>) -> Scenario {
    let set = arrivals.map(|value| Override {
        path: "traffic.arrivals".into(),
        value: value.into(),
        label: "--set".into(),
    });
    parse("x.ron", text, set.as_slice()).unwrap()
}

fn found(scenario: &Scenario) -> Option<Witness> {
    let proof = scenario.system.proof();
    find(scenario, &proof, &Pairs::All, (&AtomicBool::new(false), &AtomicU32::new(0)))
}

const TRAFFIC: &str =
    "traffic: (arrivals: Poisson(load: 0.1), destinations: Uniform, lengths: Fixed(4))";

#[test]
fn cycles_of_rules_without_choices_have_a_witness_of_few_messages() {
    for (network, routing, switching, most) in [
        ("Torus(radix: [6])", "DimensionOrder(classes: None)", "virtual_channels: 1", 10),
        ("Torus(radix: [4, 4])", "DimensionOrder(classes: None)", "virtual_channels: 2", 40),
        (
            "Switches(links: [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], hosts: 2)",
            "ShortestPath()",
            "virtual_channels: 1, terminals: Channels, ejection: PerWorm",
            8,
        ),
        (
            "Torus(radix: [5])",
            "DimensionOrder(classes: None)",
            "virtual_channels: 1, release: Sent, buffer_flits: 9, on_deadlock: Abort",
            20,
        ),
        (
            "Torus(radix: [5])",
            "DimensionOrder(classes: None)",
            "virtual_channels: 1, forwarding: CutThrough, buffer_flits: 6",
            20,
        ),
    ] {
        let text = format!(
            "Scenario(network: {network}, routing: {routing}, switching: Wormhole({switching}), \
             {TRAFFIC})"
        );
        let given = scenario(&text, None);
        let witness = found(&given).unwrap_or_else(|| panic!("{network}: none was found"));
        assert!(witness.messages <= most, "{network}: {} messages", witness.messages);
        assert!(witness.members >= 2 && witness.members <= witness.messages, "{network}");
        // The scenario itself with these arrivals, as a user writes it.
        let arrivals = format!("Replay({:?})", witness.table);
        let replayed = Arc::new(scenario(&text, Some(&arrivals)));
        let mut session = Session::new(Arc::clone(&replayed), replayed.seed, 0, WarmUp::Cycles(0));
        let breaks = given.system.wormhole().unwrap().on_deadlock == OnDeadlock::Abort;
        session.advance(Cycle(witness.closed.0 + 100_000));
        assert_eq!(session.deadlock().is_some(), !breaks, "{network}");
        if breaks {
            assert!(session.counters().aborts > 0, "{network}");
        }
    }
}

#[test]
fn no_message_of_a_witness_can_be_removed() {
    let text = format!(
        "Scenario(network: Torus(radix: [4, 4]), routing: NorthLast(classes: SeparateDateline), \
         switching: Wormhole(virtual_channels: 2, buffer_flits: 2), {TRAFFIC})"
    );
    let given = scenario(&text, None);
    let witness = found(&given).unwrap();
    let rows: Vec<&str> = witness.table.lines().collect();
    assert_eq!(rows.len(), witness.messages + 1);
    for left_out in 1..rows.len() {
        let mut fewer = rows.clone();
        fewer.remove(left_out);
        let replayed = scenario(&text, Some(&format!("Replay({:?})", fewer.join("\n"))));
        let mut session = Session::new(Arc::new(replayed), given.seed, 0, WarmUp::Cycles(0));
        session.advance(Cycle(1_000_000));
        assert!(session.is_complete(), "row {left_out} is not needed");
    }
}

#[test]
fn a_cycle_through_nodes_has_a_witness_of_requests() {
    let text = |vcs: &str| {
        format!(
            "Scenario(network: Mesh(radix: [3]), routing: DimensionOrder(), switching: Wormhole({vcs}, \
             buffer_flits: 2, terminals: Channels, ejection: PerWorm), traffic: (arrivals: Poisson(load: \
             0.1), destinations: Uniform, lengths: Fixed(4), message_classes: [(name: \"ask\"), \
             (name: \"tell\", to: \"ask\", after: 5, room: 1)]))"
        )
    };
    let shared = text("virtual_channels: 1");
    let witness = found(&scenario(&shared, None)).unwrap();
    assert!(witness.table.starts_with("born,source,destination,length,class\n"));
    assert!(!witness.table.contains("tell"), "nodes send the replies");
    let arrivals = format!("Replay({:?})", witness.table);
    let run = |text: &str| {
        let replayed = scenario(text, Some(&arrivals));
        let mut session = Session::new(Arc::new(replayed), 1, 0, WarmUp::Cycles(0));
        session.advance(Cycle(100_000));
        session
    };
    assert!(run(&shared).deadlock().is_some());
    let split = text("virtual_channels: 2, message_classes: Split([1, 1])");
    assert_eq!(found(&scenario(&split, None)), None);
    let session = run(&split);
    assert!(session.is_complete());
    // Every request has its reply.
    assert_eq!(session.counters().delivered, 2 * witness.messages as u64);
}

#[test]
fn without_a_cycle_there_is_no_witness() {
    let text = format!(
        "Scenario(network: Mesh(radix: [3, 3]), routing: DimensionOrder(), switching: Wormhole(), \
         {TRAFFIC})"
    );
    assert_eq!(found(&scenario(&text, None)), None);
}
