//! Tests of the least time of scripts against runs without conflicts.

use crate::engine::Engine;
use crate::scenario;
use crate::units::Cycle;

/// The least times of messages on a ring of five, and the cycle in which the last is delivered.
fn times(table: &str) -> (u64, f64, u64) {
    let text = format!(
        "Scenario(network: Torus(radix: [5]), routing: DimensionOrder(),
            traffic: (arrivals: Replay({table:?})))"
    );
    let scenario = scenario::parse("a.ron", &text, &[]).unwrap();
    let found = scenario.completion().unwrap();
    let mut engine = Engine::new(&scenario.system, 1, 0);
    engine.advance(Cycle(10_000));
    assert!(engine.is_complete());
    (found.alone.unwrap(), found.busiest.unwrap().round(), engine.now().0)
}

#[test]
fn messages_without_conflicts_take_no_longer_than_the_least() {
    let chain = "id,born,source,destination,length,after,delay\n\
                 a,5,0,1,8,,\nb,0,1,3,4,a,10\nc,20,2,3,4,,\n";
    // 8 flits arrive in 8 cycles over one channel, 4 in 5 over two.
    assert_eq!(times(chain), (28, 8.0, 28));
}

#[test]
fn messages_that_share_a_channel_take_as_long_as_the_channel_needs() {
    let two = "born,source,destination,length\n0,0,1,50\n0,4,1,50\n";
    let (alone, busiest, end) = times(two);
    assert_eq!((alone, busiest), (51, 100.0));
    assert!(end >= 100, "{end}");
}
