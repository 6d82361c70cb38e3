use super::*;
use crate::scenario::parse;

fn stated_for(network: &str, switching: &str, routing: &str, share: f64) -> StatedError {
    let text = format!(
        "Scenario(
            network: {network},
            switching: Wormhole({switching}),
            routing: {routing},
            traffic: (arrivals: Poisson(rate: 0.001), destinations: Uniform, lengths: Fixed(16)),
        )"
    );
    let scenario = parse("test", &text, &[]).unwrap_or_else(|it| panic!("{text} {it:?}"));
    stated(&scenario.system, share)
}

#[test]
fn errors_lie_between_those_that_were_measured() {
    let at = |share| match stated_for(
        "Mesh(radix: [8, 8])",
        "virtual_channels: 2",
        "DimensionOrder()",
        share,
    ) {
        StatedError::Within { part, systems } => {
            assert_eq!(systems, ROWS[1].systems);
            100.0 * part
        }
        other @ StatedError::NotMeasured(_) => panic!("{other:?}"),
    };
    let [quarter, half, ..] = ROWS[1].within;
    assert!((at(0.1) - quarter).abs() < 1e-9 && (at(0.5) - half).abs() < 1e-9);
    assert!((at(0.375) - f64::midpoint(quarter, half)).abs() < 1e-9);
    for row in &ROWS {
        assert!(row.within.is_sorted() && row.within[SHARES.len() - 1].is_finite(), "{row:?}");
    }
}

#[test]
fn what_was_not_measured_is_named() {
    let cases = [
        ("Mesh(radix: [16, 16])", "virtual_channels: 2", "DimensionOrder()", 0.5, "256 nodes"),
        ("Mesh(radix: [8, 8])", "virtual_channels: 16", "DimensionOrder()", 0.5, "16 VCs"),
        ("Mesh(radix: [8, 8])", "buffer_flits: 65", "DimensionOrder()", 0.5, "65 flits"),
        ("Mesh(radix: [8, 8])", "channel_delay: 2", "DimensionOrder()", 0.5, "machine"),
        ("Mesh(radix: [8, 8])", "virtual_channels: 2", "DimensionOrder()", 0.95, "90 %"),
    ];
    for (network, switching, routing, share, why) in cases {
        let said = stated_for(network, switching, routing, share).to_string();
        assert!(said.starts_with("not measured: ") && said.contains(why), "{said}");
    }
}
