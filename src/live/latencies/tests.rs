//! Tests of `latencies`.

use super::*;

#[test]
fn bins_are_exact_at_first_and_narrow_later() {
    assert_eq!(bin_end(0), 1);
    assert_eq!(bin_end(255), 256);
    assert_eq!(bin_end(256), 258);
    assert_eq!(bin_end(1027), 1032);
}

#[test]
fn parts_of_bins_add_up() {
    let bins = vec![Bin { low: 10, high: 11, count: 4 }, Bin { low: 300, high: 302, count: 6 }];
    let latencies = Latencies { bins, min: 10, max: 301, count: 10 };
    assert!((latencies.between(0.0, 1000.0) - 10.0).abs() < 1e-9);
    assert!((latencies.between(301.0, 500.0) - 3.0).abs() < 1e-9);
    assert!((latencies.between(11.0, 300.0)).abs() < 1e-9);
}
