//! Boppana and Chalasani (004): e-cube, north-last and negative-hop routing on a 16 × 16 torus,
//! under uniform and hotspot traffic, by simulation.
//!
//! The horizontal axis is the paper's channel utilisation ρ = λ m d / 4 (equation (1)): flits that
//! the messages offered need per channel and cycle.

mod claims;
mod loads;

use std::sync::Arc;

use serde::Deserialize;

use super::curve::Sweep;
use super::printed::rows;
use super::table::Beside;
use super::{Content, Effort, Figure, Line, Point, Results, Study, Table, Tolerance};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::experiment::{End, Plan};
use crate::stats::WarmUp;

/// The study.
pub(super) const STUDY: Study = Study {
    name: "hops",
    paper: "R. V. Boppana, S. Chalasani, New Wormhole Routing Algorithms for Multicomputers (1993)",
    about: "figures 1 and 2: e-cube, north-last and negative-hop routing, uniform and hotspot",
    content,
};

/// Routers on a side.
const K: f64 = 16.0;
/// Mean hops, k³ / (2 (k² − 1)); a hotspot does not change it, since all nodes are alike.
const HOPS: f64 = K * K * K / (2.0 * (K * K - 1.0));
/// Flits of a message.
const LENGTH: f64 = 4.0;
/// Channels that leave a router.
const DEGREE: f64 = 4.0;
/// A network is saturated where the latency is so many times that without load.
const SATURATED: f64 = 4.0;
/// Where the vertical axis of the figures ends, in cycles.
const LATENCY_MAX: f64 = 400.0;

/// A routing scheme with its machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scheme {
    NegativeHop,
    /// E-cube whose VC follows from the destination.
    Ecube,
    /// E-cube whose VC follows from whether the way wraps round at all.
    EcubeStatic,
    NorthLast,
}

impl Scheme {
    fn name(self) -> &'static str {
        match self {
            Self::NegativeHop => "negative-hop",
            Self::Ecube => "e-cube",
            Self::EcubeStatic => "e-cube, static VCs",
            Self::NorthLast => "north-last",
        }
    }

    /// The built-in scenario's name.
    fn file(self) -> &'static str {
        match self {
            Self::NegativeHop => "negative-hop",
            Self::Ecube | Self::EcubeStatic => "e-cube",
            Self::NorthLast => "north-last",
        }
    }

    /// Cycles per flit at fixed bandwidth: the number of VCs.
    fn cycles_per_flit(self) -> f64 {
        if self == Self::NegativeHop { 9.0 } else { 2.0 }
    }
}

/// What a series is run with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Traffic {
    Uniform,
    Hotspot,
    /// Uniform, with channels shared on demand.
    OnDemand,
}

impl Traffic {
    fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Hotspot => "hotspot",
            Self::OnDemand => "uniform, on demand",
        }
    }
}

/// One scheme under one traffic at growing load.
struct Series {
    scheme: Scheme,
    traffic: Traffic,
    sweep: Sweep,
}

impl Series {
    fn new(
        content: &mut Content,
        effort: Effort,
        (scheme, traffic, loads): (Scheme, Traffic, &[f64]),
    ) -> Self {
        // Negative-hop's messages take four times as long, and so does what its queues do.
        let cycles = if scheme == Scheme::NegativeHop {
            effort.choose(18_000, 60_000)
        } else {
            effort.choose(14_000, 40_000)
        };
        let plan =
            Plan { end: End::Cycles(cycles), warm_up: WarmUp::Cycles(cycles / 5), replications: 6 };
        let pattern = if traffic == Traffic::Hotspot { "hotspot" } else { "uniform" };
        let builtin = format!("papers/hops-{}-{pattern}", scheme.file());
        let points = loads.iter().map(|&utilisation| {
            let rate = utilisation * DEGREE / (LENGTH * HOPS);
            let mut fields = vec![("traffic.arrivals.rate", format!("{rate:.9}"))];
            if traffic == Traffic::OnDemand {
                fields.push(("switching.bandwidth", "OnDemand".to_owned()));
            }
            if scheme == Scheme::EcubeStatic {
                fields.push(("routing.classes", "Static".to_owned()));
            }
            (utilisation, content.point(Point::new(&builtin, &fields, plan)))
        });
        let points = points.collect();
        Self { scheme, traffic, sweep: Sweep { label: scheme.name().to_owned(), points } }
    }

    /// Latency of a message that meets nobody, (m + d − 1) cycles per flit.
    fn unloaded(&self) -> f64 {
        let flit =
            if self.traffic == Traffic::OnDemand { 1.0 } else { self.scheme.cycles_per_flit() };
        flit * (LENGTH + HOPS - 1.0)
    }

    /// The utilisation at which it saturates.
    fn saturation(&self, results: &Results) -> Option<f64> {
        self.sweep.reaches(results, SATURATED * self.unloaded())
    }
}

/// The series of the study.
struct All(Vec<Series>);

impl All {
    /// The one of this scheme and traffic, if it is run.
    fn find(&self, scheme: Scheme, traffic: Traffic) -> Option<&Series> {
        self.0.iter().find(|one| one.scheme == scheme && one.traffic == traffic)
    }

    fn saturation(&self, scheme: Scheme, traffic: Traffic, results: &Results) -> Option<f64> {
        self.find(scheme, traffic)?.saturation(results)
    }

    fn latency_at(&self, scheme: Scheme, at: f64, results: &Results) -> Option<f64> {
        self.find(scheme, Traffic::Uniform)?.sweep.latency_at(results, at)
    }
}

/// A saturation point that the paper prints.
#[derive(Deserialize)]
struct Printed {
    scheme: String,
    traffic: String,
    /// Channel utilisation.
    utilisation: f64,
    /// How far simulation here may be from it, as a share.
    within: f64,
}

fn content(effort: Effort) -> Content {
    let mut content = Content::default();
    let mut series = Vec::new();
    for traffic in [Traffic::Uniform, Traffic::Hotspot, Traffic::OnDemand] {
        for scheme in [Scheme::NegativeHop, Scheme::Ecube, Scheme::EcubeStatic, Scheme::NorthLast] {
            let loads = effort.choose(loads::quick(scheme, traffic), loads::full(scheme, traffic));
            if !loads.is_empty() {
                series.push(Series::new(&mut content, effort, (scheme, traffic, loads)));
            }
        }
    }
    let all = Arc::new(All(series));
    let printed: Arc<[Printed]> = rows(include_str!("data/hops_saturation.csv")).into();
    content.tables.push(saturations(&all, &printed));
    for (name, traffic) in [("figure-1", Traffic::Uniform), ("figure-2", Traffic::Hotspot)] {
        content.figures.push(figure(&all, &printed, name, traffic));
    }
    content.claims = claims::claims(&all, effort);
    content
}

fn saturations(all: &Arc<All>, printed: &[Printed]) -> Table {
    let mut lines = Vec::new();
    for (at, one) in all.0.iter().enumerate() {
        let found = find_printed(printed, one);
        let own = Arc::clone(all);
        lines.push(Line {
            paper: found.map(|it| it.utilisation),
            tolerance: found.map(|it| Tolerance::SimulationToPaper(it.within)),
            ..Line::computed(
                format!("{}, {}", one.scheme.name(), one.traffic.name()),
                move |results| own.0[at].saturation(results),
            )
        });
    }
    Table {
        name: "saturation",
        title: format!("where latency is {SATURATED} times that without load"),
        unit: "flits per channel and cycle",
        decimals: 4,
        beside: Beside::Paper,
        lines,
    }
}

/// What the paper prints for a series.
fn find_printed<'a>(printed: &'a [Printed], one: &Series) -> Option<&'a Printed> {
    let (scheme, traffic) = (one.scheme.name(), one.traffic.name());
    printed.iter().find(|row| row.scheme == scheme && row.traffic == traffic)
}

fn figure(
    all: &Arc<All>,
    printed: &Arc<[Printed]>,
    name: &'static str,
    traffic: Traffic,
) -> Figure {
    let (all, printed) = (Arc::clone(all), Arc::clone(printed));
    Figure::new(name, move |results| {
        let mut curves = Vec::new();
        for (group, one) in all.0.iter().filter(|one| one.traffic == traffic).enumerate() {
            curves.push(one.sweep.curve(results, group));
            if let Some(row) = find_printed(&printed, one) {
                // All that is printed of a curve is where it rises; it is marked at the criterion.
                let y = (SATURATED * one.unloaded()).min(LATENCY_MAX);
                curves.push(Curve {
                    label: format!("{} saturates", one.scheme.name()),
                    origin: Origin::Paper,
                    group,
                    dots: vec![Dot { x: row.utilisation, y, half_width: None }],
                });
            }
        }
        Plot {
            title: format!("16x16 torus, 4-flit messages, {} traffic", traffic.name()),
            x: "channel utilisation offered, flits per channel and cycle".to_owned(),
            y: "mean latency, cycles".to_owned(),
            y_max: Some(LATENCY_MAX),
            curves,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::reproduce::Verdict;

    #[test]
    fn the_axis_is_the_papers_and_every_printed_figure_has_its_series() {
        // 8.03 hops (004, section 2.1), and 2 x 11.03 cycles for e-cube without load.
        assert!((HOPS - 8.031_37).abs() < 1e-5);
        for effort in [Effort::Quick, Effort::Full] {
            let lines = &content(effort).tables[0].lines;
            assert_eq!(lines.iter().filter(|line| line.paper.is_some()).count(), 6);
        }
        assert_eq!(claims::messages_per_pair().verdict(), Verdict::DoesNotHold);
        let content = content(Effort::Full);
        let rate = content.points[0].scenario().system.traffic.rate.0;
        assert!((rate * HOPS - 0.02).abs() < 1e-8);
    }
}
