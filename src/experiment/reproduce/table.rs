//! Tables of a study: figures of the paper beside those found here.

use std::fmt;

use super::study::{Beside, TableOf};
use super::{Judgement, PointId, Results, Verdict};
use crate::experiment::report::ReproduceRow;

/// How far a figure may be from another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// Simulation here from the paper's figure, as a share of the latter.
    SimulationToPaper(f64),
    /// Model here from simulation here, as a share of the latter.
    ModelToSimulation(f64),
}

/// Where a simulated figure comes from; `None` while results that it needs are missing.
pub type Source = Box<dyn Fn(&Results) -> Option<f64> + Send + Sync>;

/// One line of a table.
pub struct Line {
    /// Which figure it is: `8x8 at 0.005`.
    pub name: String,
    /// What the paper printed as simulated or measured, or an independent simulation found.
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
        simulation: impl Fn(&Results) -> Option<f64> + Send + Sync + 'static,
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

    /// Puts it into numbers, beside figures of this origin.
    pub fn compare(&self, beside: Beside, results: &Results) -> Compared {
        let simulation = results.uncertain(&self.simulation).map(|figure| figure.estimate());
        let mean = simulation.map(|estimate| estimate.mean);
        let printed = |figure: Option<f64>| figure.filter(|_| beside == Beside::Paper);
        let independent = |figure: Option<f64>| figure.filter(|_| beside != Beside::Paper);
        let row = ReproduceRow {
            name: self.name.clone(),
            paper: printed(self.paper),
            simulation: mean,
            simulation_half_width: simulation.and_then(|estimate| estimate.half_width),
            simulation_to_paper: printed(deviation(mean, self.paper)),
            independent: independent(self.paper),
            simulation_to_independent: independent(deviation(mean, self.paper)),
            paper_model: self.paper_model,
            model: self.model,
            model_to_paper: deviation(self.model, self.paper_model),
            model_to_simulation: deviation(self.model, mean),
            ..ReproduceRow::default()
        };
        Compared::new(row, Verdict::Holds, self.judged(results))
    }

    /// Whether the tolerance is kept, if there is one.
    pub fn judged(&self, results: &Results) -> Option<Judgement> {
        let tolerance = self.tolerance?;
        let within = match tolerance {
            Tolerance::SimulationToPaper(within) | Tolerance::ModelToSimulation(within) => within,
        };
        let found = results.uncertain(|results| {
            let simulation = (self.simulation)(results);
            match tolerance {
                Tolerance::SimulationToPaper(_) => deviation(simulation, self.paper),
                Tolerance::ModelToSimulation(_) => deviation(self.model, simulation),
            }
        });
        Some(found.map_or_else(Judgement::missing, |found| {
            Judgement::all([found.judge(-within..=within)], String::new())
        }))
    }
}

/// One figure from another, as a share of the latter.
pub(super) fn deviation(of: Option<f64>, from: Option<f64>) -> Option<f64> {
    Some(of? / from? - 1.0)
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A table.
#[derive(Debug)]
pub struct Table {
    /// What the study's file says of it.
    pub of: TableOf,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// A line of a table or a claim in numbers, with the verdict on it.
#[derive(Clone, PartialEq, Debug)]
pub struct Compared {
    /// What is told of it.
    pub row: ReproduceRow,
    /// The verdict expected; a line of a table is expected to keep its tolerance.
    pub expected: Verdict,
    /// What was found, if anything is judged.
    pub judged: Option<Judgement>,
}

impl Compared {
    /// A row with the verdict on it.
    pub fn new(row: ReproduceRow, expected: Verdict, judged: Option<Judgement>) -> Self {
        let row = ReproduceRow {
            verdict: judged.as_ref().map(|judged| judged.verdict().name()),
            expected: judged.as_ref().map(|_| expected.name()),
            basis: judged.as_ref().map(Judgement::basis),
            ..row
        };
        Self { row, expected, judged }
    }

    /// The verdict, if anything is judged.
    pub fn verdict(&self) -> Option<Verdict> {
        self.judged.as_ref().map(Judgement::verdict)
    }

    /// Whether the verdict is known and not what was expected.
    pub fn surprises(&self) -> bool {
        self.verdict().is_some_and(|it| it != Verdict::Undecided && it != self.expected)
    }
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
    /// Of the deviations of the lines of these names; `None` without any.
    pub fn of(deviations: impl IntoIterator<Item = (String, f64)>) -> Option<Self> {
        let mut spread =
            Self { count: 0, root_mean_square: 0.0, worst: 0.0, worst_at: String::new() };
        let mut squares = 0.0;
        for (name, deviation) in deviations {
            squares += deviation * deviation;
            spread.count += 1;
            if spread.count == 1 || deviation.abs() > spread.worst.abs() {
                (spread.worst, spread.worst_at) = (deviation, name);
            }
        }
        spread.root_mean_square = (squares / spread.count as f64).sqrt();
        (spread.count > 0).then_some(spread)
    }

    /// Of the deviations that `figure` takes from the lines that have one.
    pub fn of_lines<'a>(
        lines: impl IntoIterator<Item = &'a Compared>,
        figure: impl Fn(&ReproduceRow) -> Option<f64>,
    ) -> Option<Self> {
        Self::of(lines.into_iter().filter_map(|it| Some((it.row.name.clone(), figure(&it.row)?))))
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
