//! Tables of a study: figures of the paper beside those found here.

use std::fmt;

use super::{PointId, Results, Verdict};
use crate::stats::Estimate;

/// How far a figure may be from another, beyond the 95 % interval of what is simulated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// Simulation here from the paper's figure, as a share of the latter.
    SimulationToPaper(f64),
    /// Model here from simulation here, as a share of the latter.
    ModelToSimulation(f64),
}

/// Where a simulated figure comes from; `None` while results that it needs are missing.
pub type Source = Box<dyn Fn(&Results) -> Option<Estimate> + Send + Sync>;

/// One line of a table.
pub struct Line {
    /// Which figure it is: `8x8 at 0.005`.
    pub name: String,
    /// What the paper printed as simulated or measured.
    pub paper: Option<f64>,
    /// What the paper printed as computed.
    pub paper_model: Option<f64>,
    /// What the model computes here.
    pub model: Option<f64>,
    /// What is held, if anything.
    pub tolerance: Option<Tolerance>,
    /// What is simulated here.
    pub simulation: Source,
}

impl Line {
    /// A line whose simulated figure is computed from the results.
    pub fn computed(
        name: impl Into<String>,
        simulation: impl Fn(&Results) -> Option<Estimate> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            paper: None,
            paper_model: None,
            model: None,
            tolerance: None,
            simulation: Box::new(simulation),
        }
    }

    /// A line whose simulated figure is the mean latency at a point.
    pub fn latency(name: impl Into<String>, point: PointId) -> Self {
        Self::computed(name, move |results| results.latency(point))
    }

    /// Puts it into numbers.
    pub fn compare(&self, results: &Results) -> Compared {
        let simulation = (self.simulation)(results);
        let mean = simulation.map(|estimate| estimate.mean);
        let deviation = |of: Option<f64>, from: Option<f64>| Some(of? / from? - 1.0);
        let simulation_to_paper = deviation(mean, self.paper);
        let model_to_simulation = deviation(self.model, mean);
        let verdict = self.tolerance.map(|tolerance| {
            let (found, within, base) = match tolerance {
                Tolerance::SimulationToPaper(within) => (simulation_to_paper, within, self.paper),
                Tolerance::ModelToSimulation(within) => (model_to_simulation, within, mean),
            };
            let half_width = simulation.and_then(|estimate| estimate.half_width);
            let uncertain = half_width.zip(base).map_or(0.0, |(half, base)| half / base.abs());
            found.map_or(Verdict::Undecided, |found| Verdict::of(found.abs() <= within + uncertain))
        });
        Compared {
            name: self.name.clone(),
            paper: self.paper,
            simulation,
            simulation_to_paper,
            paper_model: self.paper_model,
            model: self.model,
            model_to_paper: deviation(self.model, self.paper_model),
            model_to_simulation,
            verdict,
        }
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A table.
#[derive(Debug)]
pub struct Table {
    /// Which it is: `tables 1 and 2`.
    pub name: &'static str,
    /// What its figures are.
    pub title: String,
    /// Their unit.
    pub unit: &'static str,
    /// Decimals that are worth showing.
    pub decimals: usize,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// A line in numbers. Deviations are shares: a / b − 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Compared {
    /// Which figure it is.
    pub name: String,
    /// What the paper printed as simulated or measured.
    pub paper: Option<f64>,
    /// What is simulated here.
    pub simulation: Option<Estimate>,
    /// Simulation here from the paper.
    pub simulation_to_paper: Option<f64>,
    /// What the paper printed as computed.
    pub paper_model: Option<f64>,
    /// What the model computes here.
    pub model: Option<f64>,
    /// Model here from the paper's model.
    pub model_to_paper: Option<f64>,
    /// Model here from simulation here.
    pub model_to_simulation: Option<f64>,
    /// Whether the line keeps its tolerance, if it has one.
    pub verdict: Option<Verdict>,
}

/// Deviations of many lines in three figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Spread {
    /// Lines.
    pub count: usize,
    /// Root mean square of the deviations.
    pub root_mean_square: f64,
    /// The deviation that is furthest from 0.
    pub worst: f64,
    /// The line that has it.
    pub worst_at: String,
}

impl Spread {
    /// Of the deviations that `figure` takes from the lines that have one; `None` if none has.
    pub fn of<'a>(
        lines: impl IntoIterator<Item = &'a Compared>,
        figure: impl Fn(&Compared) -> Option<f64>,
    ) -> Option<Self> {
        let mut spread: Option<Self> = None;
        let mut squares = 0.0;
        for (line, deviation) in lines.into_iter().filter_map(|line| Some((line, figure(line)?))) {
            squares += deviation * deviation;
            let spread = spread.get_or_insert_with(|| Self {
                count: 0,
                root_mean_square: 0.0,
                worst: 0.0,
                worst_at: String::new(),
            });
            spread.count += 1;
            if spread.count == 1 || deviation.abs() > spread.worst.abs() {
                (spread.worst, spread.worst_at) = (deviation, line.name.clone());
            }
        }
        let mut spread = spread?;
        spread.root_mean_square = (squares / spread.count as f64).sqrt();
        Some(spread)
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} lines, root mean square {:.2} %, worst {:+.2} % ({})",
            self.count,
            100.0 * self.root_mean_square,
            100.0 * self.worst,
            self.worst_at
        )
    }
}
