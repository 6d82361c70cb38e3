//! Claims of Boppana and Chalasani on negative-hop routing in a torus.
//!
//! E-cube, north-last and negative-hop routing are simulated on a 16 x 16 torus, under uniform and
//! hotspot traffic.

mod vcs;

use super::truth;
use crate::experiment::reproduce::claim::Paper;
use crate::experiment::reproduce::lookup::{Derived, Lookup};

/// Probability that a message is for the hot node, and for another node: 4 % go to the hot node, the
/// others to all nodes but the sender alike.
const HOT_SHARE: f64 = 0.04 + OTHER_SHARE;
const OTHER_SHARE: f64 = 0.96 / (16.0 * 16.0 - 1.0);

pub(super) const PAPER: Paper = Paper {
    name: "hops",
    derived: Derived {
        numbers: &[
            ("cycles", |it| Some(cycles(it))),
            ("warm_up", |it| Some(cycles(it) / 5.0)),
            // The latency defining saturation, in multiples of the latency without load.
            ("saturation", |it| it.reaches(4.0 * unloaded(it))),
            ("saturated", |it| Some(4.0 * unloaded(it))),
            ("latency at 0_05", |it| it.at(0.05)),
            ("latency at 0_2", |it| it.at(0.2)),
            ("marked", |it| Some((4.0 * unloaded(it)).min(400.0))),
            ("is_moved", |it| truth(is_moved(it))),
            ("is_reading", |it| truth(is_reading(it))),
            ("has_saturation", |it| truth(!is_moved(it) && !is_reading(it))),
            ("vcs", |it| (side(it) < 16.0).then(|| vcs(it))),
            ("independent_off", |it| it.deviation("latency", "independent")),
            ("hot_share", |_| Some(HOT_SHARE)),
            ("other_share", |_| Some(OTHER_SHARE)),
            ("hot_ratio", |_| Some(HOT_SHARE / OTHER_SHARE)),
            ("positive_hop_vcs", |_| Some(f64::from(vcs::positive_hop(16, 2)))),
            ("negative_hop_vcs", |_| Some(f64::from(vcs::negative_hop(16, 2)))),
            ("linder_vcs", |_| Some(f64::from(vcs::linder(2)))),
            ("berman_vcs", |_| Some(f64::from(vcs::berman(2)))),
            ("simulated_vcs", |it| it.virtual_channels().map(f64::from)),
            ("stated_vcs", |it| Some(if it.is("scheme", "negative-hop") { 9.0 } else { 2.0 })),
            ("most_over_berman", |_| vcs::most_over(vcs::berman, |_| 40)),
            ("over_linder_in_3", |_| Some(vcs::over(vcs::linder, 18, 3))),
            ("most_over_linder", |_| vcs::most_over(vcs::linder, vcs::linder_radix)),
            ("is_corner_or_middle", |it| {
                let is_middle = it.is("node", "(8, 8)");
                let is_corner = !it.is("node", "(15, 0)") && !is_middle;
                truth(
                    it.equals("load", if is_corner { 0.09 } else { 0.11 })
                        && is_corner != is_middle,
                )
            }),
            ("most_less", |it| Some(if it.equals("load", 0.11) { -0.1 } else { 0.05 })),
        ],
        texts: &[
            ("scenario", |it| {
                let scheme = it.text("scheme")?;
                let traffic = if it.text("node").is_some() { "hotspot" } else { "uniform" };
                Some(format!("papers/hops-{}-{traffic}", scheme.trim_end_matches(", static VCs")))
            }),
            ("message_rate", |it| {
                Some(format!("{:.9}", it.number("load")? * 4.0 / (length(it) * hops(it))))
            }),
            ("line", |it| {
                it.fill(if is_moved(it) {
                    "{scheme}, {traffic} at {node}"
                } else {
                    "{scheme}, {traffic}"
                })
            }),
        ],
    },
    figures: &[("second gain", |it| {
        Some(it.number("1.saturation")? / it.number("2.saturation")? - 1.0)
    })],
    summaries: &[
        ("radices below Berman", |_| Some(vcs::radices(vcs::berman))),
        ("radices below Linder", |_| Some(vcs::radices(vcs::linder))),
        // The paper does not specify the use of e-cube's two VCs.
        ("saturation of static classes", |all| {
            let text = |load| format!(", with static VC classes at {load:.4}");
            Some(all.first()?.number("1.saturation").map_or_else(String::new, text))
        }),
        ("times static classes", |all| {
            let it = all.first()?;
            let times = it.number("saturation").zip(it.number("2.saturation"));
            Some(times.map_or_else(String::new, |(own, other)| {
                format!("; {:.2} times with static VC classes", own / other)
            }))
        }),
    ],
    claims: include_str!("hops.ron"),
};

/// Messages of negative-hop take four times as long, and queues evolve as slowly.
fn cycles(it: &Lookup<'_>) -> f64 {
    match (it.is("scheme", "negative-hop"), it.is_quick()) {
        (true, true) => 18_000.0,
        (true, false) => 60_000.0,
        (false, true) => 14_000.0,
        (false, false) => 40_000.0,
    }
}

/// Routers on a side, and flits of a message: of figures 1 and 2 unless given.
fn side(it: &Lookup<'_>) -> f64 {
    it.number("side").unwrap_or(16.0)
}

fn length(it: &Lookup<'_>) -> f64 {
    it.number("length").unwrap_or(4.0)
}

/// Mean hops; independent of a hotspot, because all nodes are equivalent.
fn hops(it: &Lookup<'_>) -> f64 {
    let k = side(it);
    k.powf(3.0) / (2.0 * (k * k - 1.0))
}

/// VCs of the scheme.
fn vcs(it: &Lookup<'_>) -> f64 {
    if it.is("scheme", "negative-hop") {
        f64::from(vcs::negative_hop(side(it) as u32, 2))
    } else {
        2.0
    }
}

/// Latency of a message without contention.
fn unloaded(it: &Lookup<'_>) -> f64 {
    // Cycles per flit at fixed bandwidth: the number of VCs.
    let flit = if it.is("traffic", "uniform, on demand") { 1.0 } else { vcs(it) };
    flit * (length(it) + hops(it) - 1.0)
}

/// True if the case is compared with an independent simulator.
fn is_reading(it: &Lookup<'_>) -> bool {
    it.number("independent").is_some()
}

/// True if the hot node is varied at one load.
fn is_moved(it: &Lookup<'_>) -> bool {
    it.text("traffic").is_some_and(|traffic| traffic.starts_with("hot node"))
}
