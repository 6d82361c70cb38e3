//! The channel utilisations offered in every series: low loads, and closely about saturation.

use super::{Scheme, Traffic};

/// Loads of every series in full runs.
pub(super) fn full(scheme: Scheme, traffic: Traffic) -> &'static [f64] {
    match (scheme, traffic) {
        (Scheme::Ecube, Traffic::Uniform) => {
            &[0.02, 0.05, 0.08, 0.10, 0.12, 0.13, 0.14, 0.145, 0.15, 0.155, 0.16, 0.165, 0.17]
        }
        (Scheme::EcubeStatic, Traffic::Uniform) => {
            &[0.02, 0.05, 0.10, 0.12, 0.15, 0.17, 0.18, 0.185, 0.19, 0.195, 0.20, 0.205]
        }
        (Scheme::NorthLast, Traffic::Uniform) => {
            &[0.02, 0.05, 0.08, 0.10, 0.12, 0.125, 0.13, 0.135, 0.14, 0.145, 0.15]
        }
        (Scheme::NegativeHop, Traffic::Uniform) => {
            &[0.02, 0.05, 0.10, 0.15, 0.20, 0.22, 0.24, 0.25, 0.255, 0.26, 0.265, 0.27]
        }
        (Scheme::Ecube, Traffic::Hotspot) => {
            &[0.02, 0.05, 0.08, 0.10, 0.11, 0.115, 0.12, 0.125, 0.13, 0.135]
        }
        (Scheme::NorthLast, Traffic::Hotspot) => {
            &[0.02, 0.05, 0.08, 0.09, 0.10, 0.105, 0.11, 0.115, 0.12, 0.125]
        }
        (Scheme::NegativeHop, Traffic::Hotspot) => {
            &[0.02, 0.05, 0.10, 0.15, 0.20, 0.22, 0.225, 0.23, 0.235, 0.24, 0.245, 0.25]
        }
        (Scheme::Ecube, Traffic::OnDemand) => &[0.25, 0.27, 0.28, 0.29, 0.30, 0.31, 0.32],
        (Scheme::NorthLast, Traffic::OnDemand) => &[0.20, 0.22, 0.23, 0.24, 0.25, 0.26, 0.27],
        (Scheme::NegativeHop, Traffic::OnDemand) => &[0.55, 0.60, 0.64, 0.68, 0.72, 0.76],
        (Scheme::EcubeStatic, _) => &[],
    }
}

/// The same in quick runs: low loads, and some about saturation.
pub(super) fn quick(scheme: Scheme, traffic: Traffic) -> &'static [f64] {
    match (scheme, traffic) {
        (Scheme::Ecube, Traffic::Uniform) => &[0.02, 0.05, 0.10, 0.12, 0.15, 0.17],
        (Scheme::NorthLast, Traffic::Uniform) => &[0.02, 0.05, 0.10, 0.12, 0.13, 0.15],
        (Scheme::NegativeHop, Traffic::Uniform) => &[0.02, 0.05, 0.20, 0.24, 0.28],
        (Scheme::Ecube, Traffic::Hotspot) => &[0.10, 0.12, 0.14],
        (Scheme::NorthLast, Traffic::Hotspot) => &[0.09, 0.11, 0.13],
        (Scheme::NegativeHop, Traffic::Hotspot) => &[0.20, 0.23, 0.26],
        _ => &[],
    }
}
