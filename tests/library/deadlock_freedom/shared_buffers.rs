//! Buffers with parts of two messages, which the theorem of Duato excludes: runs deadlock although the
//! escape VCs have no cycle, as heads wait in a circle behind other messages. Whole messages do no harm.

use flitscope::engine::Engine;
use flitscope::routing::dependency::Verdict;
use flitscope::scenario::parse;
use flitscope::system::System;
use flitscope::units::Cycle;

fn system(machine: &str, load: f64) -> System {
    let text = format!(
        "Scenario(network: Mesh(radix: [8, 8]), routing: MinimalAdaptive(escape: Destination, leave_escape: \
         false), switching: Wormhole(virtual_channels: 2, buffer_flits: 8, {machine}), \
         traffic: (arrivals: Geometric(load: {load}), destinations: Uniform, lengths: Fixed(4)))"
    );
    parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system
}

/// Checks the verdict against a run.
fn check(machine: &str, is_free: bool, load: f64) {
    let system = system(machine, load);
    let verdict = system.proof().verdict;
    assert_eq!(matches!(verdict, Verdict::Free { .. }), is_free, "{machine}: {verdict:?}");
    assert_eq!(matches!(verdict, Verdict::SharedBuffers), !is_free, "{machine}: {verdict:?}");
    let mut engine = Engine::new(&system, 3, 0);
    engine.advance(Cycle(6_000));
    assert_eq!(engine.deadlock().is_some(), !is_free, "{machine}");
}

#[test]
fn final_escapes_do_not_suffice_if_messages_share_buffers() {
    for (release, is_free) in [("Sent", false), ("Drained", true), ("Credit", true)] {
        check(&format!("release: {release}, pipeline: Stages(route: 1)"), is_free, 0.5);
    }
}

#[test]
fn whole_messages_in_a_buffer_do_no_harm() {
    for rest in ["pipeline: Stages(route: 1)", "terminals: Channels, ejection: OneFlitPerCycle"] {
        for (forwarding, is_free) in [("Wormhole", false), ("CutThrough", true)] {
            let machine = format!("release: Sent, forwarding: {forwarding}, {rest}");
            check(&machine, is_free, 0.9);
        }
    }
}
