//! Traffic by weight and of chosen senders, in runs.

use std::collections::BTreeMap;

use flitscope::engine::Simulator;
use flitscope::engine::wormhole::WormholeEngine;
use flitscope::scenario::parse_with;
use flitscope::units::Cycle;

const TEXT: &str = "Scenario(
    network: Mesh(radix: [4, 4]),
    switching: Wormhole(virtual_channels: 2, buffer_flits: 8),
    routing: DimensionOrder(),
    traffic: (arrivals: PROCESS, destinations: DESTINATIONS, lengths: Fixed(2)),
)";

/// The messages of a run by source and destination.
fn messages(
    process: &str,
    destinations: &str,
    table: &str,
    cycles: u64,
) -> BTreeMap<(u32, u32), u32> {
    let text = TEXT.replace("PROCESS", process).replace("DESTINATIONS", destinations);
    let load = |_: &str| Ok(table.as_bytes().to_vec());
    let scenario = parse_with("a.ron", &text, &[], &load).unwrap();
    let mut engine = WormholeEngine::new(&scenario.system, 5, 0);
    engine.advance(Cycle(cycles));
    let mut found = BTreeMap::new();
    let mut deliveries = Vec::new();
    engine.take_deliveries(&mut deliveries);
    for delivery in deliveries {
        *found.entry((delivery.source.0, delivery.destination.0)).or_default() += 1;
    }
    let generated = engine.counters().generated;
    let delivered: u32 = found.values().sum();
    assert!(generated - u64::from(delivered) < 20);
    found
}

/// Noxim's table: node 15 receives 0.06 packets per cycle, node 3 receives 0.0125.
#[test]
fn rates_and_shares_of_a_run_are_those_of_a_table() {
    let table =
        "% source destination rate\n0 15 0.02\n1 15 0.02\n4 15 0.02\n12 3 0.0125\n12 2 0.0125\n";
    for process in ["Poisson", "Geometric", "Bursts(burst: 4, peak: 4)"] {
        let cycles = 200_000;
        let found = messages(process, "Matrix(File(\"t.txt\"))", table, cycles);
        assert_eq!(found.len(), 5, "{found:?}");
        for (pair, rate) in [
            ((0, 15), 0.02),
            ((1, 15), 0.02),
            ((4, 15), 0.02),
            ((12, 3), 0.0125),
            ((12, 2), 0.0125),
        ] {
            let expected = rate * cycles as f64;
            // Six standard deviations, more for bursts.
            let away = (f64::from(found[&pair]) - expected).abs();
            assert!(away < 6.0 * (8.0 * expected).sqrt(), "{process} {pair:?}: {found:?}");
        }
    }
}

#[test]
fn chosen_senders_send_and_others_do_not() {
    let uniform = messages("Poisson(rate: 0.01)", "Uniform, senders: [(2, 1), 9]", "", 100_000);
    assert!(uniform.keys().all(|(source, _)| [6, 9].contains(source)), "{uniform:?}");
    assert_eq!(uniform.len(), 30);
    let sent: u32 = uniform.values().sum();
    assert!((f64::from(sent) - 2000.0).abs() < 6.0 * 2000f64.sqrt(), "{sent}");
    let offset = messages("Poisson(load: 0.1)", "Offset([1, 1]), senders: [0, 5]", "", 50_000);
    assert_eq!(offset.keys().collect::<Vec<_>>(), [&(0, 5), &(5, 10)]);
}
