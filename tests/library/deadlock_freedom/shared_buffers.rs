//! Buffers that can hold two messages, which the theorem of Duato excludes: runs deadlock although the
//! escape VCs have no cycle, as heads wait in a circle behind other messages.

use flitscope::engine::Engine;
use flitscope::routing::dependency::Verdict;
use flitscope::scenario::parse;
use flitscope::system::System;
use flitscope::units::Cycle;

fn system(release: &str) -> System {
    let text = format!(
        "Scenario(network: Mesh(radix: [8, 8]), routing: MinimalAdaptive(escape: Destination, leave_escape: \
         false), switching: Wormhole(virtual_channels: 2, release: {release}, pipeline: Stages(route: 1)), \
         traffic: (arrivals: Geometric(load: 0.5), destinations: Uniform, lengths: Fixed(4)))"
    );
    parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{problems:?}")).system
}

#[test]
fn final_escapes_do_not_suffice_if_a_buffer_can_hold_two_messages() {
    for (release, is_free) in [("Sent", false), ("Drained", true), ("Credit", true)] {
        let system = system(release);
        let verdict = system.proof().verdict;
        assert_eq!(matches!(verdict, Verdict::Free { .. }), is_free, "{release}: {verdict:?}");
        assert_eq!(matches!(verdict, Verdict::SharedBuffers), !is_free, "{release}: {verdict:?}");
        let mut engine = Engine::new(&system, 3, 0);
        engine.advance(Cycle(6_000));
        assert_eq!(engine.deadlock().is_some(), !is_free, "{release}");
    }
}
