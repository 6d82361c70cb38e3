//! Tests of times in cycles and in the unit of circuits.

use super::*;

#[test]
fn cycles_stay_cycles_and_circuits_have_their_unit() {
    let (cycles, circuits) = (TimeUnit::CYCLE, TimeUnit::TRANSMISSION);
    assert_eq!(cycles.now(12_345), "cycle 12,345");
    assert_eq!(circuits.now(12_345), "time 12.056 T");
    assert_eq!(cycles.mean(54.83), "54.8");
    assert_eq!(circuits.mean(1536.0), "1.500");
    assert_eq!(circuits.brief(512.0), "0.5");
    assert_eq!(circuits.brief(2048.0 * 1000.0), "2k");
    assert_eq!(cycles.pace(Speed::PerSecond(64.0)), "64 cycles/s");
    assert_eq!(circuits.pace(Speed::PerSecond(256.0)), "0.25 T/s");
    assert_eq!(circuits.pace(Speed::PerSecond(64.0)), "0.062 T/s");
    assert_eq!(circuits.meaning().as_deref(), Some("a mean transmission time"));
    assert_eq!(cycles.meaning(), None);
}

#[test]
fn wall_times_have_their_two_largest_units() {
    let told = [0.04, 9.4, 42.4, 59.6, 200.0, 3900.0, 90_000.0].map(lasting);
    assert_eq!(told, ["0.0 s", "9.4 s", "42 s", "1 min 0 s", "3 min 20 s", "1 h 5 min", "1 d 1 h"]);
}
