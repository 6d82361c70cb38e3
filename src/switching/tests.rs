//! Transfer times and throughput bounds of machines, counted by hand.

use super::circuit::{Conflict, Remedy};
use super::*;

fn near(left: Option<f64>, right: Option<f64>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => (left - right).abs() < 1e-12,
        (left, right) => left.is_none() && right.is_none(),
    }
}

fn fixed(virtual_channels: u32, buffer_flits: u32) -> Wormhole {
    Wormhole { bandwidth: Bandwidth::Fixed, ..Wormhole::new(virtual_channels, buffer_flits) }
}

fn delays(channel_delay: u32, credit_delay: u32, machine: Wormhole) -> Wormhole {
    Wormhole { channel_delay, credit_delay, ..machine }
}

#[test]
fn a_lone_message_takes_as_long_as_its_flits_by_hand() {
    let default = Wormhole::new(2, 4);
    let late = Wormhole { latency_to: LatencyTo::EndOfCycle, ..default };
    let stored = Wormhole { forwarding: Forwarding::StoreAndForward, ..Wormhole::new(2, 9) };
    for (machine, length, hops, cycles) in [
        (default, 8, 3, 7 + 3),
        (default, 1, 1, 1),
        (late, 8, 3, 7 + 3 + 1),
        // One slot, with its credit returned after two cycles.
        (Wormhole::new(2, 1), 8, 3, 7 * 2 + 3),
        (Wormhole::new(2, 1), 8, 1, 7 + 1),
        // Groups of three flits every five cycles.
        (delays(2, 3, Wormhole::new(2, 3)), 9, 4, 2 * 5 + 2 + 4 * 2),
        (stored, 8, 3, 3 * (7 + 1)),
        (Wormhole { latency_to: LatencyTo::EndOfCycle, ..stored }, 8, 3, 3 * (7 + 1) + 1),
        (delays(5, 1, stored), 8, 3, 3 * (7 + 5)),
        (fixed(2, 2), 8, 3, 7 * 2 + 3 * 2),
        (fixed(3, 1), 8, 3, 7 * 4 + 3 * 3),
        // Groups of two flits, four cycles each, every 13 cycles.
        (delays(6, 4, fixed(4, 2)), 8, 2, 3 * 13 + 4 + 2 * 9),
    ] {
        assert_eq!(machine.transfer(length, hops), cycles, "{length} flits, {machine:?}");
    }
}

#[test]
fn a_circuit_takes_as_long_as_its_transmission() {
    let circuit = Switching::from(Circuit::new(Conflict::Hold));
    let cycles = [10_000, 5_000, 25_000, 1].map(|length| circuit.transfer(length, 3));
    assert_eq!(cycles, [1_024, 512, 2_560, 0]);
    assert_eq!((circuit.buffer_flits(), circuit.virtual_channels()), (0, 1));
    let worms = Switching::from(Wormhole::new(2, 4));
    assert_eq!((worms.transfer(8, 3), worms.buffer_flits(), worms.virtual_channels()), (10, 4, 2));
}

#[test]
fn what_a_buffer_and_an_injection_channel_carry_by_hand() {
    for (machine, round_trip, bound) in [
        (Wormhole::new(2, 4), 2, None),
        (Wormhole::new(2, 2), 2, None),
        (Wormhole::new(2, 1), 2, Some(0.5)),
        (delays(2, 5, Wormhole::new(2, 3)), 7, Some(3.0 / 7.0)),
        (fixed(4, 1), 5, Some(0.2)),
        (fixed(4, 2), 5, None),
    ] {
        assert_eq!(machine.round_trip(), round_trip, "{machine:?}");
        assert!(near(machine.buffer_bound(), bound), "{machine:?}");
    }
    for (machine, length, bound) in [
        (Wormhole::new(1, 16), 8.0, Some(8.0 / 9.0)),
        (Wormhole::new(2, 16), 8.0, None),
        (delays(4, 1, Wormhole::new(1, 16)), 1.0, Some(0.2)),
        (fixed(2, 4), 8.0, Some(16.0 / 17.0)),
        (Wormhole { release: Release::Sent, ..Wormhole::new(1, 16) }, 8.0, None),
    ] {
        assert!(near(machine.turnaround_bound(length), bound), "{length}, {machine:?}");
    }
    let direct = Wormhole { injection: Injection::OneMessage, ..Wormhole::new(2, 4) };
    let one = Wormhole { terminals: Terminals::Channels, ..direct };
    let sent = Wormhole { release: Release::Sent, ..one };
    for (machine, length, bound) in [
        (Wormhole::new(2, 4), 16.0, None),
        (direct, 16.0, None),
        (one, 16.0, Some(16.0 / 17.0)),
        (delays(3, 0, one), 8.0, Some(8.0 / 11.0)),
        (sent, 16.0, None),
        (delays(10, 10, Wormhole { buffer_flits: 5, ..sent }), 16.0, Some(0.25)),
        (delays(10, 2, Wormhole { buffer_flits: 9, ..one }), 90.0, Some(0.75)),
    ] {
        assert!(near(machine.injection_bound(length), bound), "{length}, {machine:?}");
    }
}

#[test]
fn machines_say_how_they_differ() {
    let default = Wormhole::new(2, 4);
    assert_eq!(default.differences(), Vec::<String>::new());
    let stops = Wormhole { on_deadlock: OnDeadlock::Abort, ..default };
    assert_eq!(stops.differences(), Vec::<String>::new());
    let other = Wormhole { release: Release::Sent, credit_delay: 3, ..default };
    assert_eq!(other.differences(), ["credit_delay: 3", "release: Sent"]);

    let channels = Wormhole { terminals: Terminals::Channels, ..default };
    let one = Wormhole { injection: Injection::OneMessage, ..default };
    let flit_by_flit = [default, channels, one].map(|machine| machine.sends_flit_by_flit());
    assert_eq!(flit_by_flit, [true, false, false]);
    let late = Wormhole { latency_to: LatencyTo::EndOfCycle, ..default };
    let far = [default, delays(2, 1, default), delays(1, 2, default), delays(1, 0, default), late];
    assert_eq!(far.map(|machine| machine.is_far()), [false, true, true, false, true]);
    assert!(stops.moves_by_default() && default.moves_by_default());
    assert!(
        Wormhole { allocation: Allocation::FirstComeFirstServed, ..default }.moves_by_default()
    );
    assert!(Wormhole { selection: Selection::Random, ..default }.moves_by_default());
    assert!(!channels.moves_by_default() && !one.moves_by_default() && !other.moves_by_default());
}

#[test]
fn the_published_machines_are_those_of_their_papers() {
    let told = |preset| Wormhole::preset(preset, 4).differences().join(", ");
    assert_eq!(
        told(Preset::MeshTorus1997),
        "credit_delay: 0, release: Sent, injection: OneMessage, ejection: PerWorm, \
         terminals: Channels, allocation: FirstComeFirstServed"
    );
    assert_eq!(
        told(Preset::Hops1993),
        format!(
            "credit_delay: 0, bandwidth: Fixed, release: Sent, \
             injection: Independent(waiting_max: {WAITING_MAX_DEFAULT}), \
             allocation: FirstComeFirstServed, selection: Random"
        )
    );
    assert_eq!(
        told(Preset::FiniteBuffers1997),
        "channel_delay: 10, credit_delay: 10, release: Sent, injection: OneMessage, \
         ejection: Shared, terminals: Channels, allocation: FirstAskedFirstServed, \
         latency_to: EndOfCycle"
    );
    let buffers = [Preset::MeshTorus1997, Preset::Hops1993, Preset::FiniteBuffers1997]
        .map(|preset| Wormhole::preset(preset, 4).buffer_flits);
    assert_eq!(buffers, [1, 1, 200]);
}

#[test]
fn circuits_back_off_where_an_attempt_may_fail() {
    let back_off =
        |conflict, on_deadlock| Circuit { on_deadlock, ..Circuit::new(conflict) }.back_off();
    let abort = Remedy::Abort { back_off: 0.25 };
    assert!(near(back_off(Conflict::Hold, abort), Some(0.25)));
    assert!(near(back_off(Conflict::Drop { back_off: 0.5 }, abort), Some(0.5)));
    assert!(near(back_off(Conflict::Adaptive { back_off: 0.75 }, Remedy::Stop), Some(0.75)));
    assert!(near(back_off(Conflict::Hold, Remedy::Lanes), None));
    let lanes = [abort, Remedy::Stop, Remedy::Lanes]
        .map(|on_deadlock| Circuit { on_deadlock, ..Circuit::new(Conflict::Hold) }.lanes());
    assert_eq!(lanes, [1, 1, 2]);
}
