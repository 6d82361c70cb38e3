//! What became of a study: tables in numbers, figures, verdicts; as rows and as text for people.

use super::table::{Compared, Spread};
use super::{Content, Results, Study, Table, Verdict};
use crate::experiment::plot::Plot;
use crate::experiment::report::{DotRow, ReproduceRow};
use crate::stats::Estimate;

/// Columns of the text.
const WIDTH: usize = 100;
/// Columns of the verdicts at the left.
const VERDICTS: usize = 16;

/// A table in numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct TableReport {
    /// Which it is.
    pub name: &'static str,
    /// What its figures are.
    pub title: String,
    /// Their unit.
    pub unit: &'static str,
    /// Decimals that are worth showing.
    pub decimals: usize,
    /// Its lines.
    pub lines: Vec<Compared>,
}

/// A claim judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimReport {
    /// Where it stands and what it says.
    pub says: String,
    /// The verdict expected.
    pub expected: Verdict,
    /// The verdict found.
    pub verdict: Verdict,
    /// What it rests on.
    pub evidence: String,
}

/// What became of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The study's name.
    pub study: &'static str,
    /// The paper.
    pub paper: &'static str,
    /// Points of the study.
    pub points: usize,
    /// Points without results.
    pub missing: usize,
    /// Tables.
    pub tables: Vec<TableReport>,
    /// Figures by their name.
    pub figures: Vec<(&'static str, Plot)>,
    /// Claims.
    pub claims: Vec<ClaimReport>,
}

impl Report {
    /// What `results` make of a study.
    pub fn new(study: &Study, content: &Content, results: &Results) -> Self {
        let table = |table: &Table| TableReport {
            name: table.name,
            title: table.title.clone(),
            unit: table.unit,
            decimals: table.decimals,
            lines: table.lines.iter().map(|line| line.compare(results)).collect(),
        };
        let claims = content.claims.iter().map(|claim| {
            let judgement = claim.judge(results);
            ClaimReport {
                says: claim.says.clone(),
                expected: claim.expected,
                verdict: judgement.verdict,
                evidence: judgement.evidence,
            }
        });
        Self {
            study: study.name,
            paper: study.paper,
            points: results.points(),
            missing: results.missing(),
            tables: content.tables.iter().map(table).collect(),
            figures: content.figures.iter().map(|it| (it.name, it.plot(results))).collect(),
            claims: claims.collect(),
        }
    }

    /// Whether every verdict is the one expected; a line of a table is expected to keep its
    /// tolerance.
    pub fn as_expected(&self) -> bool {
        let mut lines = self.tables.iter().flat_map(|table| &table.lines);
        lines.all(|line| line.verdict.is_none_or(|verdict| verdict == Verdict::Holds))
            && self.claims.iter().all(|claim| claim.verdict == claim.expected)
    }

    /// Every figure and every claim as a row.
    pub fn rows(&self) -> Vec<ReproduceRow> {
        let empty = ReproduceRow {
            study: self.study.to_owned(),
            part: String::new(),
            name: String::new(),
            unit: None,
            paper: None,
            simulation: None,
            simulation_half_width: None,
            simulation_to_paper: None,
            paper_model: None,
            model: None,
            model_to_paper: None,
            model_to_simulation: None,
            verdict: None,
            expected: None,
            evidence: None,
            partial: false,
        };
        let line = |table: &TableReport, line: &Compared| ReproduceRow {
            part: table.name.to_owned(),
            name: line.name.clone(),
            unit: Some(table.unit.to_owned()),
            paper: line.paper,
            simulation: line.simulation.map(|estimate| estimate.mean),
            simulation_half_width: line.simulation.and_then(|estimate| estimate.half_width),
            simulation_to_paper: line.simulation_to_paper,
            paper_model: line.paper_model,
            model: line.model,
            model_to_paper: line.model_to_paper,
            model_to_simulation: line.model_to_simulation,
            verdict: line.verdict.map(Verdict::name),
            expected: line.verdict.map(|_| Verdict::Holds.name()),
            partial: line.simulation.is_none() && self.missing > 0,
            ..empty.clone()
        };
        let claim = |claim: &ClaimReport| ReproduceRow {
            part: "claims".to_owned(),
            name: claim.says.clone(),
            verdict: Some(claim.verdict.name()),
            expected: Some(claim.expected.name()),
            evidence: Some(claim.evidence.clone()),
            partial: claim.verdict == Verdict::Undecided && self.missing > 0,
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
                    study: self.study.to_owned(),
                    figure: (*figure).to_owned(),
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
            let known = match (claim.verdict == claim.expected, claim.verdict) {
                (true, Verdict::DoesNotHold) => " (as known)".to_owned(),
                (true, _) | (false, Verdict::Undecided) => String::new(),
                (false, _) => format!(" (expected: it {})", claim.expected.name()),
            };
            text += &entry(claim.verdict.name(), &claim.says);
            text += &entry("", &format!("{}{known}", claim.evidence));
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
    let columns = [
        column("", &|line| line.name.clone()),
        column("paper", &|line| figure(line.paper)),
        column("simulation", &|line| interval(line.simulation)),
        column("to paper", &|line| share(line.simulation_to_paper)),
        column("paper's model", &|line| figure(line.paper_model)),
        column("model", &|line| figure(line.model)),
        column("to paper's", &|line| share(line.model_to_paper)),
        column("to simulation", &|line| share(line.model_to_simulation)),
        column("verdict", &|line| line.verdict.map_or("", Verdict::name).to_owned()),
    ];
    let mut text = in_columns(&columns);
    let spreads = [
        ("simulation to paper", Spread::of(lines, |line| line.simulation_to_paper)),
        ("model to the paper's", Spread::of(lines, |line| line.model_to_paper)),
        ("model to simulation", Spread::of(lines, |line| line.model_to_simulation)),
    ];
    for (name, spread) in spreads {
        if let Some(spread) = spread {
            text.extend([format!("{name}: {spread}\n")]);
        }
    }
    text
}

/// Columns with their headings first, right-aligned but for the first; empty ones are left out.
fn in_columns(columns: &[Vec<String>]) -> String {
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
