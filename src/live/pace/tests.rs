//! Tests of `pace`.

use super::*;

#[test]
fn paces_are_read_written_and_meant_in_the_runs_unit() {
    for text in ["natural", "max", "64", "0.25"] {
        assert_eq!(text.parse::<Pace>().unwrap().to_string(), text);
    }
    for text in ["", "0", "-1", "NaN", "inf", "2e9", "fast"] {
        assert!(text.parse::<Pace>().unwrap_err().contains("0.001 to 1e9"), "{text}");
    }
    let speed = Pace::PerSecond(0.5).speed(TimeUnit::TIME);
    assert_eq!(speed, Speed::PerSecond(0.5 * TimeUnit::TIME.cycles as f64));
    assert_eq!(Pace::Natural.speed(TimeUnit::CYCLE), Speed::natural(TimeUnit::CYCLE));
}
