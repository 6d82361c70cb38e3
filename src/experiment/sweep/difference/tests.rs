//! Tests of differences: paired by seed and replication if possible.

use tempfile::TempDir;

use crate::experiment::sweep::tests::{run, study};
use crate::experiment::sweep::{Folder, Part, Results};

const TEXT: &str = r#"Study(
    scenario: "papers/adaptive-torus-4x4",
    vary: {"routing": [DimensionOrder(), MinimalAdaptive(escape: Destination)]},
    loads: [0.2, 0.3, 0.95],
    messages: 20000,
)"#;

/// The differences between the second curve and the first, and the table.
fn found(more: &str) -> (Vec<super::Difference>, String) {
    let place = TempDir::new().unwrap();
    let text = TEXT.replace("messages: 20000", more);
    let folder = Folder::begin(place.path(), &study(&text), false).unwrap();
    run(&folder, &Part::All, 2);
    let results = Results::of(&folder, false);
    assert!(results.differences(0).is_empty());
    (results.differences(1), results.text())
}

#[test]
fn curves_are_compared_where_both_carry_the_load_and_pairs_tell_more() {
    let (alone, table) = found("messages: 20000");
    let loads: Vec<f64> = alone.iter().map(|it| it.load).collect();
    assert_eq!(loads, [0.2, 0.3], "{table}");
    assert!(alone.iter().all(|it| !it.paired), "{table}");
    assert!(table.contains("over first: latency minus that of routing=DimensionOrder()"));
    assert!(table.contains("assume independent runs"), "{table}");

    let (seeds, table) = found("seeds: [1, 2, 3, 4, 5, 6, 7, 8], messages: 20000");
    assert!(table.contains("16-23"), "a load has a point for each seed: {table}");
    assert!(table.contains("means over pairs of runs with the same seed"), "{table}");
    let (replications, _) = found("replications: 8, messages: 20000");
    for (pairs, alone) in seeds.iter().chain(&replications).zip(alone.iter().cycle()) {
        assert!(pairs.paired);
        // Both routings sent the same messages.
        let (half, independent) = (pairs.half.unwrap(), alone.half.unwrap());
        assert!(half < independent, "{half} beside {independent}");
        let off = (pairs.mean - alone.mean).abs();
        assert!(off < 2.0 * independent.hypot(half), "{pairs:?} beside {alone:?}");
    }
}
