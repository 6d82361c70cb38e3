//! Tests of the uses of channels.
//!
//! Exact counts agree with each other on all machines, and counting changes no result.

use std::sync::Arc;

use super::*;
use crate::scenario::{Scenario, parse};
use crate::stats::WarmUp;
use crate::topology::Role;

fn scenario(network: &str, routing: &str, switching: &str, load: f64) -> Arc<Scenario> {
    let text = format!(
        "Scenario(network: {network}, routing: {routing}, switching: {switching}, traffic: (arrivals: \
         Poisson(load: {load}), destinations: Uniform, lengths: Uniform(min: 1, max: 20)))"
    );
    Arc::new(parse("x.ron", &text, &[]).unwrap())
}

fn run(scenario: &Arc<Scenario>, cycles: u64, counts: bool) -> Session {
    let mut session = Session::new(Arc::clone(scenario), 3, 0, WarmUp::Cycles(500));
    if counts {
        session.count_uses();
    }
    // The samples do not depend on the division of a run into calls.
    for until in [700, 1_111, cycles] {
        session.advance(Cycle(until));
    }
    session
}

#[test]
fn flits_over_the_vcs_of_a_channel_are_those_over_the_channel_on_every_machine() {
    let (mesh, torus) = ("Mesh(radix: [4, 4])", "Torus(radix: [4, 4])");
    let hosts = "SwitchGrid(kind: Mesh, radix: [3, 3], hosts: 2)";
    for (network, routing, switching) in [
        (mesh, "DimensionOrder()", "Wormhole()"),
        (
            mesh,
            "DimensionOrder()",
            "Wormhole(virtual_channels: 3, release: Sent, buffer_flits: 30)",
        ),
        (torus, "MinimalAdaptive()", "Wormhole(virtual_channels: 4, credit_delay: 0)"),
        (torus, "DimensionOrder()", "Wormhole(bandwidth: Fixed, buffer_flits: 2)"),
        (mesh, "WestFirst()", "Wormhole(virtual_channels: 2, channel_delay: 3, buffer_flits: 6)"),
        (
            torus,
            "DimensionOrder(classes: None)",
            "Wormhole(virtual_channels: 1, on_deadlock: Abort)",
        ),
        (hosts, "UpDown()", "Wormhole(terminals: Channels, ejection: PerWorm)"),
        (hosts, "UpDown()", "Wormhole(preset: FiniteBuffers1997)"),
        (mesh, "DimensionOrder()", "Wormhole(preset: MeshTorus1997, virtual_channels: 2)"),
    ] {
        let scenario = scenario(network, routing, switching, 0.3);
        let (plain, counted) = (run(&scenario, 4_000, false), run(&scenario, 4_000, true));
        assert_eq!(counted.fingerprint(), plain.fingerprint(), "{switching}");
        let (uses, network) = (counted.uses().unwrap(), &scenario.system.network);
        // Counting starts at the end of the warm-up.
        assert!(plain.uses().is_none() && (3_000..=3_500).contains(&uses.cycles));
        let mut waited = 0;
        for channel in (0..network.channels().len()).map(ChannelId::new) {
            let known = uses.vcs_of(channel);
            let link = network.channel(channel).role == Role::Link;
            let flits = uses.flits[channel.index()];
            assert!(!link || !known.is_empty(), "{switching}: {flits} over {channel:?}");
            waited += known.iter().map(|vc| vc.waited).sum::<u64>();
        }
        assert!(waited > 0 && uses.flits.iter().sum::<u64>() > 10_000, "{switching}");
        assert!(uses.census.samples >= 10, "{}", uses.census.samples);
    }
}

#[test]
fn uses_begin_in_the_same_cycle_however_the_run_is_divided() {
    let scenario = scenario("Mesh(radix: [4, 4])", "DimensionOrder()", "Wormhole()", 0.3);
    for warm_up in [WarmUp::Cycles(500), WarmUp::Automatic] {
        let uses = |step: u64| {
            let mut session = Session::new(Arc::clone(&scenario), 3, 0, warm_up);
            session.count_uses();
            (1..=4_000 / step).for_each(|to| session.advance(Cycle(to * step)));
            session.uses().unwrap()
        };
        let whole = uses(4_000);
        assert!(whole.cycles < 4_000, "counted from the beginning");
        for step in [1, 25, 100] {
            assert_eq!(uses(step), whole, "{warm_up:?}, steps of {step}");
        }
    }
}

#[test]
fn circuits_have_the_time_for_which_links_are_held() {
    let text = "Scenario(network: Hypercube(dimensions: 3), routing: DimensionOrder(), switching: \
                Circuit(conflict: Hold), traffic: (arrivals: Poisson(rate: 0.3), destinations: Uniform, \
                lengths: Exponential(mean: 1)))";
    let scenario = Arc::new(parse("x.ron", text, &[]).unwrap());
    let (plain, counted) = (run(&scenario, 300_000, false), run(&scenario, 300_000, true));
    assert_eq!(counted.fingerprint(), plain.fingerprint());
    let uses = counted.uses().unwrap();
    assert!(uses.vcs.is_empty() && (200_000..=299_500).contains(&uses.cycles));
    let shares = uses.flits.iter().map(|&held| held as f64 / uses.cycles as f64);
    let mean = shares.sum::<f64>() / uses.flits.len() as f64;
    let seen =
        (0..24).map(|link| uses.census.share_of(&uses.census.held, ChannelId(link)).unwrap());
    let seen = seen.sum::<f64>() / 24.0;
    assert!(mean > 0.1 && (seen / mean - 1.0).abs() < 0.1, "{mean}, {seen}");
}
