//! The study's figures: simulation with its interval, the refined model and the paper's own equations.

use std::sync::Arc;

use super::case::{All, Case, Condition, Law, Set, Strategy, Theory, values};
use crate::experiment::plot::{Curve, Dot, Origin, Plot};
use crate::experiment::reproduce::{Figure, Results};
use crate::model::circuit::Reading;
use crate::stats::Estimate;

/// Points of a model's curve over the rate.
const MODEL_POINTS: u32 = 80;

/// All of them.
pub fn figures(all: &Arc<All>) -> Vec<Figure> {
    vec![
        figure(all, "figure-6", figure_6),
        figure(all, "figure-7", figure_7),
        figure(all, "figure-8", figure_8),
        figure(all, "figure-9", figure_9),
        figure(all, "figure-10", figure_10),
        figure(all, "figure-11", figure_11),
        figure(all, "service-times", service_times),
        figure(all, "torus", torus),
    ]
}

fn figure(all: &Arc<All>, name: &'static str, draw: fn(&All, &Results) -> Plot) -> Figure {
    let all = Arc::clone(all);
    Figure::new(name, move |results| draw(&all, results))
}

/// Which figure of a case is drawn.
#[derive(Clone, Copy)]
enum Shown {
    Latency,
    Aborts,
}

impl Shown {
    fn simulated(self, case: &Case, results: &Results) -> Option<f64> {
        match self {
            Self::Latency => case.latency(results),
            Self::Aborts => case.aborts(results),
        }
    }

    fn of(self, theory: Theory) -> f64 {
        match self {
            Self::Latency => theory.latency,
            Self::Aborts => theory.aborts,
        }
    }
}

/// Cases that make one line of a figure, over the `x` of their conditions.
struct Series<'a> {
    label: String,
    cases: Vec<&'a Case>,
    x: fn(&Condition) -> f64,
    shown: Shown,
}

impl<'a> Series<'a> {
    fn new(
        label: String,
        cases: impl Iterator<Item = &'a Case>,
        x: fn(&Condition) -> f64,
        shown: Shown,
    ) -> Self {
        let mut cases: Vec<&Case> = cases.collect();
        cases.sort_by(|a, b| x(&a.condition).total_cmp(&x(&b.condition)));
        Self { label, cases, x, shown }
    }

    fn simulated(&self, results: &Results, group: usize) -> Curve {
        let dots = self.cases.iter().filter_map(|case| {
            let shown = results.uncertain(|results| self.shown.simulated(case, results))?;
            let Estimate { mean, half_width } = shown.estimate();
            Some(Dot { x: (self.x)(&case.condition), y: mean, half_width })
        });
        let label = self.label.clone();
        Curve { label, origin: Origin::Simulation, group, dots: dots.collect() }
    }

    /// A model at the cases' own conditions.
    fn modelled(&self, reading: &str, of: fn(&Case) -> Option<Theory>, group: usize) -> Curve {
        let dots = self.cases.iter().filter_map(|case| {
            let y = self.shown.of(of(case)?);
            Some(Dot { x: (self.x)(&case.condition), y, half_width: None })
        });
        let label = format!("{}, {reading}", self.label);
        Curve { label, origin: Origin::Model, group, dots: dots.collect() }
    }
}

/// Simulation and both models of every series; the paper's equations in colours of their own.
fn curves(series: &[Series<'_>], results: &Results) -> Vec<Curve> {
    let mut curves = Vec::new();
    for (group, one) in series.iter().enumerate() {
        curves.push(one.simulated(results, group));
        curves.push(one.modelled("refined", |case| case.refined, group));
        curves.push(one.modelled("text", |case| case.text, group + series.len()));
    }
    curves.retain(|curve| curve.origin == Origin::Simulation || !curve.dots.is_empty());
    curves
}

fn by_rate(condition: &Condition) -> f64 {
    condition.rate
}

fn by_back_off(condition: &Condition) -> f64 {
    condition.back_off.unwrap_or_default()
}

fn by_service(condition: &Condition) -> f64 {
    condition.service
}

fn by_size(condition: &Condition) -> f64 {
    f64::from(condition.size)
}

/// Series of the cases for which `of` gives the same value, one for each value.
fn series_by<'a>(
    all: &'a All,
    set: Set,
    (name, of): (&str, fn(&Condition) -> f64),
    x: fn(&Condition) -> f64,
    shown: Shown,
) -> Vec<Series<'a>> {
    let series = values(all.of(set), of).into_iter().map(|value| {
        let same = all.of(set).filter(move |case| of(&case.condition).total_cmp(&value).is_eq());
        Series::new(format!("{name} {value}"), same, x, shown)
    });
    series.collect()
}

/// A model of hold over the rate up to where it saturates.
fn dense(series: &Series<'_>, reading: Reading, group: usize) -> Curve {
    let mut dots = Vec::new();
    if let Some(case) = series.cases.last() {
        let equations = case.condition.equations(reading);
        let limit = equations.saturation_rate();
        for at in 1..=MODEL_POINTS {
            // Closer together towards saturation.
            let left = 1.0 - f64::from(at) / f64::from(MODEL_POINTS);
            let x = limit * (1.0 - left * left);
            if let Ok(solution) = equations.solve(x) {
                dots.push(Dot { x, y: solution.parts.latency(), half_width: None });
            }
        }
    }
    let label = format!("{}, {}", series.label, reading.name());
    Curve { label, origin: Origin::Model, group, dots }
}

/// Hold over the rate.
fn hold_by_rate(series: &[Series<'_>], results: &Results) -> Vec<Curve> {
    let mut curves = Vec::new();
    for (group, one) in series.iter().enumerate() {
        curves.push(one.simulated(results, group));
        curves.push(dense(one, Reading::Refined, group));
        curves.push(dense(one, Reading::Text, group + series.len()));
    }
    curves
}

fn figure_6(all: &All, results: &Results) -> Plot {
    let series = series_by(all, Set::Figure6, ("services of", by_service), by_rate, Shown::Latency);
    Plot {
        title: "Figure 6: hold in an 8-cube".to_owned(),
        x: "messages per node and mean transmission time".to_owned(),
        y: "mean latency, mean transmission times".to_owned(),
        y_max: Some(14.0),
        curves: hold_by_rate(&series, results),
    }
}

fn figure_7(all: &All, results: &Results) -> Plot {
    let series = Law::ALL.map(|law| {
        let of_law = all.of(Set::Figure7).filter(move |case| case.condition.law == law);
        Series::new(law.name().to_owned(), of_law, by_rate, Shown::Latency)
    });
    Plot {
        title: "Figure 7: drop in an 8-cube, back-off 1.5, by law of the data time".to_owned(),
        x: "messages per node and mean transmission time".to_owned(),
        y: "mean latency, mean transmission times".to_owned(),
        y_max: None,
        curves: curves(&series, results),
    }
}

fn figure_8(all: &All, results: &Results) -> Plot {
    let mut series = series_by(all, Set::Figure8, ("rate", by_rate), by_back_off, Shown::Aborts);
    // Rates at which the back-off was not varied make no line.
    series.retain(|one| one.cases.len() > 1);
    Plot {
        title: "Figure 8: aborts of adaptive in an 8-cube, uniform data times".to_owned(),
        x: "back-off, mean transmission times".to_owned(),
        y: "aborts per message".to_owned(),
        y_max: None,
        curves: curves(&series, results),
    }
}

fn figure_9(all: &All, results: &Results) -> Plot {
    let series = series_by(all, Set::Figure9, ("rate", by_rate), by_back_off, Shown::Latency);
    let mut curves = curves(&series, results);
    // (13) as typeset, at the lowest rate there is.
    if let Some(one) = series.first() {
        curves.push(one.modelled("text-printed", |case| case.text_printed, 2 * series.len()));
    }
    Plot {
        title: "Figure 9: drop in an 8-cube, uniform data times".to_owned(),
        x: "back-off, mean transmission times".to_owned(),
        y: "mean latency, mean transmission times".to_owned(),
        y_max: Some(8.0),
        curves,
    }
}

fn figure_10(all: &All, results: &Results) -> Plot {
    // The highest rate parts the strategies.
    let rate = values(all.of(Set::Figure10), by_rate).last().copied().unwrap_or_default();
    let series = Strategy::ALL.map(|strategy| {
        let cases = all.under(Set::Figure10, strategy);
        let of_rate = cases.filter(move |case| case.condition.rate.total_cmp(&rate).is_eq());
        Series::new(strategy.name().to_owned(), of_rate, by_size, Shown::Latency)
    });
    Plot {
        title: format!("Figure 10: latency by dimensions at rate {rate}, back-off 1.3"),
        x: "dimensions".to_owned(),
        y: "mean latency, mean transmission times".to_owned(),
        y_max: Some(8.0),
        curves: curves(&series, results),
    }
}

fn figure_11(all: &All, results: &Results) -> Plot {
    let series = Strategy::ALL.map(|strategy| {
        let cases = all.under(Set::Figure11, strategy);
        let label = strategy.name().to_owned();
        Series::new(label, cases, |condition| condition.data_mean, Shown::Latency)
    });
    Plot {
        title: "Figure 11: latency in a 10-cube, rate 0.125, back-off 1.3".to_owned(),
        x: "mean data time".to_owned(),
        y: "mean latency".to_owned(),
        y_max: Some(8.0),
        curves: curves(&series, results),
    }
}

fn service_times(all: &All, results: &Results) -> Plot {
    let rate = values(all.of(Set::ServiceTimes), by_rate).last().copied().unwrap_or_default();
    let series = Strategy::ALL.map(|strategy| {
        let cases = all.under(Set::ServiceTimes, strategy);
        let of_rate = cases.filter(move |case| case.condition.rate.total_cmp(&rate).is_eq());
        Series::new(strategy.name().to_owned(), of_rate, by_service, Shown::Latency)
    });
    Plot {
        title: format!("Slower controllers: latency in an 8-cube at rate {rate}, back-off 1.2"),
        x: "service time, mean transmission times".to_owned(),
        y: "mean latency, mean transmission times".to_owned(),
        y_max: Some(20.0),
        curves: curves(&series, results),
    }
}

fn torus(all: &All, results: &Results) -> Plot {
    let series =
        series_by(all, Set::Torus, ("routers on a side:", by_size), by_rate, Shown::Latency);
    Plot {
        title: "Hold in one-way tori, victims of deadlocks aborted".to_owned(),
        x: "messages per node and mean transmission time".to_owned(),
        y: "mean latency, mean transmission times".to_owned(),
        y_max: Some(6.0),
        curves: hold_by_rate(&series, results),
    }
}
