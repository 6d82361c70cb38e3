//! Tests of figures in their columns.

use super::*;

#[test]
fn figures_keep_to_their_columns() {
    for cycles in [0.0, 9.999, 99.99, 100.0, 999.94, 999.96, 12_345.6] {
        let text = time_text(cycles, true, true);
        assert!(text.len() <= 6, "{text}");
    }
    assert_eq!(error_text(-1.62, true), "-1.6 %");
    assert_eq!(error_text(-51.62, false), "-51.6%");
    assert_eq!(error_text(-0.04, true), "0.0 %");
    assert_eq!(error_text(1e9, true), ">999 %");
    assert_eq!(error_text(412.3, false), "+412%");
}
