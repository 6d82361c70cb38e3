//! Times in cycles, and in the unit of circuits.

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
