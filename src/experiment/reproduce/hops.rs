//! Boppana and Chalasani (004): e-cube, north-last and negative-hop routing on a 16 × 16 torus,
//! under uniform and hotspot traffic, by simulation.
//!
//! The horizontal axis is the paper's channel utilisation ρ = λ m d / 4 (equation (1)): flits that
//! the messages offered need per channel and cycle.

mod loads;

use std::sync::Arc;

use serde::Deserialize;

use super::curve::Sweep;
use super::printed::rows;
use super::{
    Claim, Content, Effort, Figure, Judgement, Line, Point, Results, Study, Table, Tolerance,
};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::experiment::{End, Plan};
use crate::stats::{Estimate, WarmUp};

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
            effort.choose(60_000, 200_000)
        } else {
            effort.choose(20_000, 100_000)
        };
        let plan =
            Plan { end: End::Cycles(cycles), warm_up: WarmUp::Cycles(cycles / 5), replications: 1 };
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
    content.claims = claims(&all, effort);
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
                move |results| {
                    Some(Estimate { mean: own.0[at].saturation(results)?, half_width: None })
                },
            )
        });
    }
    Table {
        name: "saturation",
        title: format!("where latency is {SATURATED} times that without load"),
        unit: "flits per channel and cycle",
        decimals: 4,
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

/// How a ratio of saturation loads is judged.
#[derive(Clone, Copy)]
struct Ratio {
    traffic: Traffic,
    /// Above.
    more: Scheme,
    /// Below.
    less: Scheme,
    /// What the paper says.
    printed: f64,
    /// How far from it the ratio may be, as a share.
    within: f64,
}

impl Ratio {
    /// Whether it is near enough to what is printed.
    fn judge(self, all: &All, results: &Results) -> Option<Judgement> {
        let more = all.saturation(self.more, self.traffic, results)?;
        let less = all.saturation(self.less, self.traffic, results)?;
        let mut evidence = format!(
            "{:.2} times, {more:.4} against {less:.4}; {:.2} in print",
            more / less,
            self.printed
        );
        if let (Scheme::Ecube, Some(other)) =
            (self.less, all.saturation(Scheme::EcubeStatic, self.traffic, results))
        {
            evidence.extend([format!("; {:.2} times with static VC classes", more / other)]);
        }
        Some(Judgement::of((more / less / self.printed - 1.0).abs() <= self.within, evidence))
    }
}

fn claims(all: &Arc<All>, effort: Effort) -> Vec<Claim> {
    let judged = |judge: fn(&All, &Results) -> Option<Judgement>| {
        let all = Arc::clone(all);
        move |results: &Results| judge(&all, results)
    };
    let mut claims = vec![
        Claim::holds(
            "Figure 1: under uniform traffic negative-hop saturates last and north-last first",
            order(all, Traffic::Uniform),
        ),
        Claim::holds(
            "Figure 2: under 4 % hotspot traffic negative-hop saturates last and north-last first",
            order(all, Traffic::Hotspot),
        ),
        Claim::holds(
            "Section 2.1: up to a utilisation of 0.12 north-last is slightly better than e-cube (by \
             less than 4 %)",
            judged(slightly_better),
        ),
        Claim::holds(
            "Section 2.1: at low load negative-hop's latency is about 4.5 times that of e-cube \
             (within 5 %)",
            judged(|all, results| {
                let at = |scheme, load| all.latency_at(scheme, load, results);
                let low = at(Scheme::NegativeHop, 0.02)? / at(Scheme::Ecube, 0.02)?;
                let higher = at(Scheme::NegativeHop, 0.05)? / at(Scheme::Ecube, 0.05)?;
                let evidence = format!("{low:.2} times at 0.02, {higher:.2} times at 0.05");
                Some(Judgement::of((low / 4.5 - 1.0).abs() <= 0.05, evidence))
            }),
        ),
        Claim::holds(
            "Section 2.1: at a utilisation of about 0.2 negative-hop performs better than both",
            judged(|all, results| {
                let latency = all.latency_at(Scheme::NegativeHop, 0.2, results)?;
                let ecube = all.saturation(Scheme::Ecube, Traffic::Uniform, results)?;
                let nlast = all.saturation(Scheme::NorthLast, Traffic::Uniform, results)?;
                let evidence = format!(
                    "negative-hop takes {latency:.0} cycles there; e-cube is saturated from \
                     {ecube:.4} on and north-last from {nlast:.4} on"
                );
                let unloaded = all.find(Scheme::NegativeHop, Traffic::Uniform)?.unloaded();
                let holds = latency < SATURATED * unloaded && ecube.max(nlast) < 0.2;
                Some(Judgement::of(holds, evidence))
            }),
        ),
        Claim::holds(
            "Section 2.1: every scheme saturates earlier under hotspot than under uniform traffic",
            judged(|all, results| {
                let (mut holds, mut evidence) = (true, Vec::new());
                for scheme in [Scheme::NegativeHop, Scheme::Ecube, Scheme::NorthLast] {
                    let uniform = all.saturation(scheme, Traffic::Uniform, results)?;
                    let hotspot = all.saturation(scheme, Traffic::Hotspot, results)?;
                    holds &= hotspot < uniform;
                    evidence
                        .push(format!("{} at {hotspot:.4} instead of {uniform:.4}", scheme.name()));
                }
                Some(Judgement::of(holds, evidence.join(", ")))
            }),
        ),
        Claim::fails(
            "Section 2.1: in a million cycles at least 6000 messages were generated for each pair of \
             source and destination",
            |_| Some(messages_per_pair()),
        ),
    ];
    claims.extend(ratios(all));
    if effort == Effort::Full {
        claims.push(Claim::holds(
            "Section 3: with bandwidth shared on demand the order of the schemes is the same",
            order(all, Traffic::OnDemand),
        ));
    }
    claims
}

/// Judges whether negative-hop, e-cube and north-last saturate in this order, the last first.
fn order(
    all: &Arc<All>,
    traffic: Traffic,
) -> impl Fn(&Results) -> Option<Judgement> + Send + Sync + use<> {
    let all = Arc::clone(all);
    move |results| {
        let [first, second, third] = [Scheme::NegativeHop, Scheme::Ecube, Scheme::NorthLast]
            .map(|scheme| all.saturation(scheme, traffic, results));
        let (first, second, third) = (first?, second?, third?);
        let evidence =
            format!("negative-hop at {first:.4}, e-cube at {second:.4}, north-last at {third:.4}");
        Some(Judgement::of(first > second && second > third, evidence))
    }
}

/// Claims about saturation loads in units of each other.
fn ratios(all: &Arc<All>) -> Vec<Claim> {
    let ratio = |traffic, more, less, printed| {
        let all = Arc::clone(all);
        // Near a hotspot the loads scatter more from seed to seed, north-last's by 5 %.
        let within = if traffic == Traffic::Hotspot { 0.15 } else { 0.10 };
        let ratio = Ratio { traffic, more, less, printed, within };
        move |results: &Results| ratio.judge(&all, results)
    };
    vec![
        Claim::holds(
            "Section 2.1, uniform: negative-hop saturates at about twice north-last's load (within \
             10 %)",
            ratio(Traffic::Uniform, Scheme::NegativeHop, Scheme::NorthLast, 2.0),
        ),
        Claim::fails(
            "Section 2.1, uniform: negative-hop saturates at 1.46 times e-cube's load (within 10 %; \
             the paper does not say how e-cube uses its two VCs)",
            ratio(Traffic::Uniform, Scheme::NegativeHop, Scheme::Ecube, 1.46),
        ),
        Claim::fails(
            "Section 2.1, uniform: north-last saturates a quarter below e-cube, which is at 1.33 times \
             its load (within 10 %)",
            ratio(Traffic::Uniform, Scheme::Ecube, Scheme::NorthLast, 1.0 / 0.75),
        ),
        Claim::holds(
            "Section 2.1, hotspot: negative-hop saturates at 2.06 times north-last's load (within \
             15 %)",
            ratio(Traffic::Hotspot, Scheme::NegativeHop, Scheme::NorthLast, 2.06),
        ),
        Claim::holds(
            "Section 2.1, hotspot: negative-hop saturates at 1.93 times e-cube's load (within 15 %)",
            ratio(Traffic::Hotspot, Scheme::NegativeHop, Scheme::Ecube, 1.93),
        ),
    ]
}

/// North-last from e-cube at the low loads that both are run at.
fn slightly_better(all: &All, results: &Results) -> Option<Judgement> {
    let (mut holds, mut evidence) = (true, Vec::new());
    for load in [0.02, 0.05, 0.10, 0.12] {
        let nlast = all.latency_at(Scheme::NorthLast, load, results)?;
        let gain = nlast / all.latency_at(Scheme::Ecube, load, results)? - 1.0;
        holds &= gain < 0.0 && gain > -0.04;
        evidence.push(format!("{:+.1} % at {load}", 100.0 * gain));
    }
    let evidence = format!("north-last from e-cube: {}", evidence.join(", "));
    Some(Judgement::of(holds, evidence))
}

/// Plain arithmetic: what so many messages per pair would load the channels with.
fn messages_per_pair() -> Judgement {
    let destinations = K * K - 1.0;
    let rate = 6000.0 * destinations / 1e6;
    let utilisation = rate * LENGTH * HOPS / DEGREE;
    let per_source = 6000.0 / 1e6 * LENGTH * HOPS / DEGREE;
    Judgement::of(
        utilisation <= 1.0,
        format!(
            "that is {rate:.2} messages per node and cycle, a utilisation of {utilisation:.1}; 6000 \
             to 25000 per source node would be one of {per_source:.3} to {:.3}, the range of the \
             figures",
            per_source * 25.0 / 6.0
        ),
    )
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
        assert_eq!(messages_per_pair().verdict, Verdict::DoesNotHold);
        let content = content(Effort::Full);
        let rate = content.points[0].scenario().system.traffic.rate.0;
        assert!((rate * HOPS - 0.02).abs() < 1e-8);
    }
}
