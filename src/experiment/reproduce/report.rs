//! The outcome of a study: tables, figures and verdicts, as rows and as text for people.

use super::content::{Line, Stated, Table, deviation};
use super::parts::{Parts, ReferenceSource, TableOf};
use super::{Content, Judgement, Results, Verdict};
use crate::experiment::plot::Plot;
use crate::experiment::report::row;
use crate::stats::Estimate;

const CLAIMS: &str = "claims";

pub struct Part<'a> {
    study: &'a str,
    seed: u64,
    name: &'a str,
    /// The table's declaration; `None` for claims.
    table: Option<&'a TableOf>,
}

row! {
    /// The result of `reproduce` for one figure or one claim of a paper.
    ReproduceRow from (
        of: &Part<'_>,
        name: &str,
        line: Option<&Line>,
        simulation: Option<Estimate>,
        verdict: (Verdict, Option<&Judgement>),
        partial: bool
    ) {
        let (expected, judged) = verdict;
        let beside = of.table.map_or(ReferenceSource::Paper, |table| table.beside);
        let printed = |figure: Option<f64>| figure.filter(|_| beside == ReferenceSource::Paper);
        let independent = |figure: Option<f64>| figure.filter(|_| beside != ReferenceSource::Paper);
        let paper = line.and_then(|it| it.paper);
        let paper_model = line.and_then(|it| it.paper_model);
        let model = line.and_then(|it| it.model);
        let mean = simulation.map(|it| it.mean);
    } {
        /// The study's name.
        study: String = of.study.to_owned(),
        /// The seed of the batch.
        seed: u64 = of.seed,
        /// The name of the table, or `claims`.
        part: String = of.name.to_owned(),
        /// The figure of the table, or the claim.
        name: String = name.to_owned(),
        /// The unit of the figures.
        unit: Option<String> = of.table.map(|table| table.unit.clone()),
        /// The paper's figure, simulated or measured.
        paper: Option<f64> = printed(paper),
        /// The figure of the simulation.
        simulation: Option<f64> = mean,
        /// Half the width of its 95 % interval.
        simulation_half_width: Option<f64> = simulation.and_then(|it| it.half_width),
        /// Simulation here / paper − 1.
        simulation_to_paper: Option<f64> = printed(deviation(mean, paper)),
        /// The figure of an independent simulation of the same system, where the paper prints nothing.
        independent: Option<f64> = independent(paper),
        /// Simulation here / the independent one − 1.
        simulation_to_independent: Option<f64> = independent(deviation(mean, paper)),
        /// The paper's figure, computed.
        paper_model: Option<f64> = paper_model,
        /// The figure of the model.
        model: Option<f64> = model,
        /// Model here / the paper's model − 1.
        model_to_paper: Option<f64> = deviation(model, paper_model),
        /// Model here / simulation here − 1.
        model_to_simulation: Option<f64> = deviation(model, mean),
        /// `holds`, `does not hold` or `undecided`; `None` where nothing is judged.
        verdict: Option<&'static str> = judged.map(|judged| judged.verdict().name()),
        /// The verdict that is expected.
        expected: Option<&'static str> = judged.map(|_| expected.name()),
        /// The basis of the verdict: `simulation`, or `arithmetic` that no simulation can change.
        basis: Option<&'static str> = judged.map(Judgement::basis),
        /// The figures that the verdict rests on.
        evidence: Option<String> = judged.filter(|_| of.table.is_none()).map(|it| it.evidence.clone()),
        /// The number of messages with which an undecided verdict is expected to be decided, as a multiple of
        /// those of this run.
        messages_to_decide: Option<f64> = judged.and_then(Judgement::times_to_decide),
        /// True if results that this needs are missing; only then it is written.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        partial: bool = partial,
    }
}

/// A table line or a claim in numbers, with its verdict.
#[derive(Clone, PartialEq, Debug)]
pub struct Compared {
    /// The output row.
    pub row: ReproduceRow,
    /// The expected verdict; table lines are expected to keep their tolerance.
    pub expected: Verdict,
    /// The judgement, if any.
    pub judged: Option<Judgement>,
}

impl Compared {
    /// The verdict, if judged.
    pub fn verdict(&self) -> Option<Verdict> {
        self.judged.as_ref().map(Judgement::verdict)
    }

    /// True if the verdict is decided and unexpected.
    pub fn surprises(&self) -> bool {
        self.verdict().is_some_and(|it| it != Verdict::Undecided && it != self.expected)
    }
}

/// The outcome of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    pub study: String,
    pub paper: String,
    /// The seed of the batch.
    pub seed: u64,
    /// Number of points of the study.
    pub points: usize,
    /// Number of points without results.
    pub missing: usize,
    pub tables: Vec<Table<Compared>>,
    /// Figures by name.
    pub figures: Vec<(String, Plot)>,
    pub claims: Vec<Compared>,
}

impl Report {
    /// Evaluates a study with `results`.
    pub fn new(parts: &Parts, content: &Content, seed: u64, results: &Results) -> Self {
        let study = parts.name.as_str();
        let unfinished = results.missing() > 0;
        let table = |Table { of, lines }: &Table| {
            let part = Part { study, seed, name: &of.name, table: Some(of) };
            let line = |line: &Line| {
                let simulation = results.uncertain(|results| content.simulation(line, results));
                let simulation = simulation.map(|figure| figure.estimate());
                let (expected, judged) = (Verdict::Holds, content.kept(line, results));
                let partial = unfinished && simulation.is_none();
                let verdict = (expected, judged.as_ref());
                let row =
                    ReproduceRow::new(&part, &line.name, Some(line), simulation, verdict, partial);
                Compared { row, expected, judged }
            };
            Table { of: of.clone(), lines: lines.iter().map(line).collect() }
        };
        let claim = |stated: &Stated| {
            let part = Part { study, seed, name: CLAIMS, table: None };
            let (expected, judged) = (stated.claim.expected, content.judge(stated, results));
            let partial = unfinished && judged.verdict() == Verdict::Undecided;
            let verdict = (expected, Some(&judged));
            let row = ReproduceRow::new(&part, &stated.claim.says, None, None, verdict, partial);
            Compared { row, expected, judged: Some(judged) }
        };
        Self {
            study: parts.name.clone(),
            paper: parts.paper.clone(),
            seed,
            points: results.points(),
            missing: results.missing(),
            tables: content.tables.iter().map(table).collect(),
            figures: content.plots(results),
            claims: content.claims.iter().map(claim).collect(),
        }
    }

    /// Every figure and every claim.
    pub fn all(&self) -> impl Iterator<Item = &Compared> {
        self.tables.iter().flat_map(|table| &table.lines).chain(&self.claims)
    }

    pub fn verdicts(&self) -> impl Iterator<Item = &Compared> {
        self.all().filter(|it| it.judged.is_some())
    }

    /// Every figure and every claim as a row.
    pub fn rows(&self) -> Vec<ReproduceRow> {
        self.all().map(|it| it.row.clone()).collect()
    }
}
