//! Tests of `remarks`.

use std::sync::Arc;

use crate::scenario::{Scenario, parse};
use crate::session::Session;
use crate::stats::WarmUp;
use crate::units::Cycle;

const BASE: &str = "Scenario(network: Mesh(radix: [4, 4]), routing: DimensionOrder(), \
                    switching: Wormhole(MACHINE), traffic: (arrivals: Poisson(load: LOAD), \
                    destinations: Neighbour, lengths: Fixed(LENGTH)))";

fn scenario(machine: &str, load: &str, length: u32) -> Scenario {
    let text = BASE.replace("MACHINE", machine).replace("LOAD", load);
    parse("x.ron", &text.replace("LENGTH", &length.to_string()), &[]).unwrap()
}

const ONE: &str = "injection: OneMessage, ejection: Shared, terminals: Channels";

#[test]
fn what_sources_cannot_send_is_said_and_is_what_they_send() {
    for (machine, length, most) in [
        ("virtual_channels: 2, buffer_flits: 8, channel_delay: 4", 1, 0.2),
        ("virtual_channels: 1, buffer_flits: 8, channel_delay: 3", 3, 0.5),
        ("virtual_channels: 2, buffer_flits: 1", 4, 0.5),
    ] {
        let busy = scenario(&format!("{machine}, {ONE}"), "0.9", length);
        let bound = busy.system.wormhole().unwrap().injection_bound(f64::from(length)).unwrap();
        assert!((bound - most).abs() < 1e-12, "{machine}: {bound}");
        let said = busy.remarks().join("\n");
        let words = format!("at most {most:.4} flits per cycle, and 0.9000 are offered");
        assert!(said.contains(&words) && said.contains("more than that"), "{said}");
        // At this load every source sends as much as possible, except for waits.
        let (nodes, cycles) = (busy.system.network.nodes() as f64, 4_000);
        let mut run = Session::new(Arc::new(busy), 1, 0, WarmUp::Cycles(0));
        run.advance(Cycle(cycles));
        let sent = run.counters().flits_consumed as f64 / nodes / cycles as f64;
        assert!(sent <= bound && sent > 0.9 * bound, "{machine}: {sent} of {bound}");
    }
}

#[test]
fn a_remark_is_made_only_where_there_is_something_to_know() {
    let vcs = scenario(&format!("virtual_channels: 3, buffer_flits: 4, {ONE}"), "0.1", 16);
    assert_eq!(
        vcs.remarks(),
        ["`injection: OneMessage`: injection channels have one VC (the links have 3)"]
    );
    // A source with direct terminals starts a message immediately after the last.
    let direct = "virtual_channels: 3, buffer_flits: 4, injection: OneMessage, channel_delay: 4";
    let said = scenario(direct, "0.9", 1).remarks().join("\n");
    assert!(said.contains("a source sends over one VC at a time (the links have 3)"), "{said}");
    assert!(
        said.contains("of messages that continue from its end") && !said.contains("are offered: "),
        "{said}"
    );
    let one = scenario(&format!("buffer_flits: 4, {ONE}"), "0.1", 16);
    assert!(one.remarks().is_empty(), "{:?}", one.remarks());
    assert!(scenario("buffer_flits: 4", "0.1", 16).remarks().is_empty());
    let early = scenario("buffer_flits: 8, credit_delay: 3", "0.1", 16).remarks();
    assert!(early[0].contains("2 cycles before the credit is back"), "{early:?}");
    let sent = "buffer_flits: 8, credit_delay: 3, release: Sent";
    assert!(scenario(sent, "0.1", 16).remarks().is_empty());
}

/// Two spines over four leaves with four hosts each, as described by users of other simulators.
#[test]
fn who_leaves_the_release_out_is_told_what_that_costs_where_it_matters() {
    let leaves = |machine: &str, load: f64| {
        let text = format!(
            "Scenario(network: Switches(links: [(0, 4), (0, 5), (1, 4), (1, 5), (2, 4), (2, 5), (3, 4), \
             (3, 5)], hosts: [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]), routing: ShortestPath(), \
             switching: Wormhole({machine}, terminals: Channels, ejection: OneFlitPerCycle), traffic: \
             (arrivals: Poisson(load: {load}), destinations: Uniform, lengths: Fixed(8)))"
        );
        let told = parse("x.ron", &text, &[]).unwrap().remarks();
        told.into_iter().filter(|remark| remark.contains("is omitted")).collect::<String>()
    };
    // Uplinks carry 1.6 flits per cycle for each flit per node and cycle, in 8 of 9 cycles.
    let said = leaves("virtual_channels: 1, buffer_flits: 16", 0.3);
    assert!(said.contains("at most 0.5556 flits/node/cycle, and 0.3000 are offered"), "{said}");
    assert!(said.contains("with `release: Sent`") && said.contains("at most 0.6250"), "{said}");
    for (machine, load) in [
        ("virtual_channels: 1, buffer_flits: 16", 0.2),
        ("virtual_channels: 1, buffer_flits: 16, release: Drained", 0.3),
        ("virtual_channels: 1, buffer_flits: 16, release: Sent", 0.3),
        ("virtual_channels: 2, buffer_flits: 16", 0.3),
    ] {
        assert_eq!(leaves(machine, load), "", "{machine}, {load}");
    }
}

#[test]
fn routers_that_no_route_uses_are_named() {
    let text = |links: &str, routing: &str| {
        format!(
            "Scenario(network: Switches(links: [{links}], hosts: [0, 1]), routing: {routing}, switching: \
             Wormhole(release: Sent), traffic: (arrivals: Poisson(load: 0.1), destinations: Uniform, \
             lengths: Fixed(4)))"
        )
    };
    let said = |links: &str, routing: &str| {
        parse("x.ron", &text(links, routing), &[]).unwrap().remarks().join("\n")
    };
    let spines = "(0, 2), (1, 2), (0, 3), (1, 3)";
    assert_eq!(
        said(spines, "UpDown(root: 3)"),
        "no message passes through s2; `UpDown(roots: Hosts)` counts ranks from the hosts and uses all ways up"
    );
    for routing in ["UpDown(roots: Hosts)", "ShortestPath()"] {
        assert_eq!(said(spines, routing), "");
    }
    let tail = "(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)";
    assert_eq!(said(tail, "ShortestPath()"), "no message passes through s2, s3, s4 and 1 more");
}
