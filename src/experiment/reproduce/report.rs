//! What became of a study: tables in numbers, figures, verdicts; as rows and as text for people.

use super::table::{Beside, Compared, Spread};
use super::verdict::CONFIDENCE;
use super::{Content, Judgement, Results, Study, Table, Verdict};
use crate::experiment::plot::Plot;
use crate::experiment::report::{DotRow, ReproduceRow};
use crate::stats::Estimate;

/// Columns of the text.
const WIDTH: usize = 100;
/// Columns of the verdicts at the left.
const VERDICTS: usize = 16;
/// The part of the claims, beside the tables.
const CLAIMS: &str = "claims";

/// A table in numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct TableReport {
    /// Which it is.
    pub name: String,
    /// What its figures are.
    pub title: String,
    /// Their unit.
    pub unit: String,
    /// Decimals that are worth showing.
    pub decimals: usize,
    /// Where the figures beside simulation are from.
    pub beside: Beside,
    /// Its lines.
    pub lines: Vec<Compared>,
}

/// A claim judged.
#[derive(Clone, PartialEq, Debug)]
pub struct ClaimReport {
    /// Where it stands and what it says.
    pub says: String,
    /// The verdict expected.
    pub expected: Verdict,
    /// What was found.
    pub judged: Judgement,
}

/// A verdict with its place in a report.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// The table, or `claims`.
    pub part: &'a str,
    /// The line, or what is claimed.
    pub name: &'a str,
    /// The verdict expected; a line of a table is expected to keep its tolerance.
    pub expected: Verdict,
    /// What was found.
    pub judged: &'a Judgement,
}

impl Placed<'_> {
    /// Whether it is known and not what was expected.
    pub fn surprises(&self) -> bool {
        let verdict = self.judged.verdict();
        verdict != Verdict::Undecided && verdict != self.expected
    }
}

/// What became of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The study's name.
    pub study: String,
    /// The paper.
    pub paper: String,
    /// The seed of the batch.
    pub seed: u64,
    /// Points of the study.
    pub points: usize,
    /// Points without results.
    pub missing: usize,
    /// Tables.
    pub tables: Vec<TableReport>,
    /// Figures by their name.
    pub figures: Vec<(String, Plot)>,
    /// Claims.
    pub claims: Vec<ClaimReport>,
}

impl Report {
    /// What `results` make of a study.
    pub fn new(study: &Study, content: &Content, seed: u64, results: &Results) -> Self {
        let table = |table: &Table| TableReport {
            name: table.name.clone(),
            title: table.title.clone(),
            unit: table.unit.clone(),
            decimals: table.decimals,
            beside: table.beside,
            lines: table.lines.iter().map(|line| line.compare(results)).collect(),
        };
        let claims = content.claims.iter().map(|claim| ClaimReport {
            says: claim.says.clone(),
            expected: claim.expected,
            judged: claim.judge(results),
        });
        Self {
            study: study.name.clone(),
            paper: study.paper.clone(),
            seed,
            points: results.points(),
            missing: results.missing(),
            tables: content.tables.iter().map(table).collect(),
            figures: content.figures.iter().map(|it| (it.name.clone(), it.plot(results))).collect(),
            claims: claims.collect(),
        }
    }

    /// All verdicts.
    pub fn verdicts(&self) -> impl Iterator<Item = Placed<'_>> {
        let lines = self.tables.iter().flat_map(|table| {
            table.lines.iter().filter_map(|line| {
                let (part, name) = (table.name.as_str(), line.name.as_str());
                let judged = line.judged.as_ref()?;
                Some(Placed { part, name, expected: Verdict::Holds, judged })
            })
        });
        lines.chain(self.claims.iter().map(|claim| {
            let ClaimReport { says, expected, judged } = claim;
            Placed { part: CLAIMS, name: says, expected: *expected, judged }
        }))
    }

    /// Every figure and every claim as a row.
    pub fn rows(&self) -> Vec<ReproduceRow> {
        let empty =
            ReproduceRow { study: self.study.clone(), seed: self.seed, ..ReproduceRow::default() };
        let line = |table: &TableReport, line: &Compared| ReproduceRow {
            part: table.name.clone(),
            name: line.name.clone(),
            unit: Some(table.unit.clone()),
            paper: line.paper.filter(|_| table.beside == Beside::Paper),
            independent: line.paper.filter(|_| table.beside != Beside::Paper),
            simulation: line.simulation.map(|estimate| estimate.mean),
            simulation_half_width: line.simulation.and_then(|estimate| estimate.half_width),
            simulation_to_paper: line.simulation_to_paper.filter(|_| table.beside == Beside::Paper),
            simulation_to_independent: line
                .simulation_to_paper
                .filter(|_| table.beside != Beside::Paper),
            paper_model: line.paper_model,
            model: line.model,
            model_to_paper: line.model_to_paper,
            model_to_simulation: line.model_to_simulation,
            verdict: line.judged.as_ref().map(|judged| judged.verdict().name()),
            expected: line.judged.as_ref().map(|_| Verdict::Holds.name()),
            basis: line.judged.as_ref().map(Judgement::basis),
            partial: line.simulation.is_none() && self.missing > 0,
            ..empty.clone()
        };
        let claim = |claim: &ClaimReport| ReproduceRow {
            part: CLAIMS.to_owned(),
            name: claim.says.clone(),
            verdict: Some(claim.judged.verdict().name()),
            expected: Some(claim.expected.name()),
            basis: Some(claim.judged.basis()),
            evidence: Some(claim.judged.evidence.clone()),
            partial: claim.judged.verdict() == Verdict::Undecided && self.missing > 0,
            ..empty.clone()
        };
        let lines = self.tables.iter().flat_map(|it| it.lines.iter().map(move |one| line(it, one)));
        lines.chain(self.claims.iter().map(claim)).collect()
    }

    /// Every point of every figure as a row.
    pub fn dots(&self) -> Vec<DotRow> {
        let mut rows = Vec::new();
        for (figure, plot) in &self.figures {
            for curve in &plot.curves {
                rows.extend(curve.dots.iter().map(|dot| DotRow {
                    study: self.study.clone(),
                    figure: figure.clone(),
                    curve: curve.label.clone(),
                    origin: curve.origin.name(),
                    x: dot.x,
                    y: dot.y,
                    half_width: dot.half_width,
                }));
            }
        }
        rows
    }

    /// The report for people.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.study, self.paper);
        text.extend([format!(
            "seed {}; ± is half a 95 % interval, verdicts rest on intervals of {:.2} %\n",
            self.seed,
            100.0 * CONFIDENCE
        )]);
        if self.missing > 0 {
            let done = self.points - self.missing;
            text.extend([format!("PARTIAL: {done} of {} points have been run\n", self.points)]);
        }
        for table in &self.tables {
            text.extend([format!("\n{}: {}, {}\n", table.name, table.title, table.unit)]);
            text += &table_text(table);
        }
        text += "\nclaims\n";
        for claim in &self.claims {
            let verdict = claim.judged.verdict();
            let known = match (verdict == claim.expected, verdict) {
                (true, Verdict::DoesNotHold) => " (as known)".to_owned(),
                (true, Verdict::Holds | Verdict::Undecided) | (false, Verdict::Undecided) => {
                    String::new()
                }
                (false, Verdict::Holds | Verdict::DoesNotHold) => {
                    format!(" (expected: it {})", claim.expected.name())
                }
            };
            let basis = if claim.judged.is_arithmetic() {
                " (arithmetic: no simulation can change it)"
            } else {
                ""
            };
            text += &entry(verdict.name(), &claim.says);
            text += &entry("", &format!("{}{known}{basis}", claim.judged.evidence));
        }
        text
    }
}

/// The lines of a table in columns, those columns left out that no line has, and three figures for
/// each kind of deviation.
fn table_text(table: &TableReport) -> String {
    let decimals = table.decimals;
    let figure = |figure: Option<f64>| {
        figure.map_or_else(String::new, |figure| format!("{figure:.decimals$}"))
    };
    let share = |share: Option<f64>| {
        share.map_or_else(String::new, |share| format!("{:+.2} %", 100.0 * share))
    };
    let interval = |estimate: Option<Estimate>| match estimate {
        None => "-".to_owned(),
        Some(Estimate { mean, half_width: None }) => format!("{mean:.0$}", decimals + 1),
        Some(Estimate { mean, half_width: Some(half) }) => {
            format!("{mean:.0$} ± {half:.0$}", decimals + 1)
        }
    };
    let lines = &table.lines;
    let column = |heading: &str, cell: &dyn Fn(&Compared) -> String| {
        let cells = lines.iter().map(cell);
        std::iter::once(heading.to_owned()).chain(cells).collect::<Vec<String>>()
    };
    let (beside, to_beside) = match table.beside {
        Beside::Paper => ("paper", "to paper"),
        Beside::IndependentSimulation => ("independent", "to independent"),
    };
    let columns = [
        column("", &|line| line.name.clone()),
        column(beside, &|line| figure(line.paper)),
        column("simulation", &|line| interval(line.simulation)),
        column(to_beside, &|line| share(line.simulation_to_paper)),
        column("paper's model", &|line| figure(line.paper_model)),
        column("model", &|line| figure(line.model)),
        column("to paper's", &|line| share(line.model_to_paper)),
        column("to simulation", &|line| share(line.model_to_simulation)),
        column("verdict", &|line| {
            line.judged.as_ref().map_or("", |judged| judged.verdict().name()).to_owned()
        }),
    ];
    let mut text = in_columns(&columns);
    let simulation_to = format!("simulation {to_beside}");
    let spreads = [
        (simulation_to.as_str(), Spread::of_lines(lines, |line| line.simulation_to_paper)),
        ("model to the paper's", Spread::of_lines(lines, |line| line.model_to_paper)),
        ("model to simulation", Spread::of_lines(lines, |line| line.model_to_simulation)),
    ];
    for (name, spread) in spreads {
        if let Some(spread) = spread {
            text.extend([format!("{name}: {spread}\n")]);
        }
    }
    text
}

/// Columns with their headings first, right-aligned but for the first; empty ones are left out.
pub(super) fn in_columns(columns: &[Vec<String>]) -> String {
    let width = |column: &[String]| column.iter().map(|cell| cell.chars().count()).max();
    let shown: Vec<(&Vec<String>, usize)> = columns
        .iter()
        .filter(|column| column.iter().skip(1).any(|cell| !cell.is_empty()))
        .map(|column| (column, width(column).unwrap_or_default()))
        .collect();
    let mut text = String::new();
    for at in 0..columns.first().map_or(0, Vec::len) {
        let mut line = String::new();
        for (place, &(column, width)) in shown.iter().enumerate() {
            let cell = &column[at];
            if place == 0 {
                line.extend([format!("{cell:<width$}")]);
            } else {
                line.extend([format!("  {cell:>width$}")]);
            }
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A word at the left and a text beside it, broken into lines.
fn entry(word: &str, text: &str) -> String {
    let mut out = format!("{word:<VERDICTS$}");
    let mut used = VERDICTS;
    for (at, part) in text.split_whitespace().enumerate() {
        let length = part.chars().count();
        if at > 0 && used + 1 + length > WIDTH {
            out.extend([format!("\n{:VERDICTS$}", "")]);
            used = VERDICTS;
        } else if at > 0 {
            out.push(' ');
            used += 1;
        }
        out += part;
        used += length;
    }
    out.push('\n');
    out
}
