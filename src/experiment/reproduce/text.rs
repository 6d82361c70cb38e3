//! What became of a study as text for people.

use super::Verdict;
use super::report::{Report, ReproduceRow, TableReport};
use super::spread::Spread;
use super::study::{Beside, TableOf};
use super::verdict::CONFIDENCE;

/// Columns of the text.
const WIDTH: usize = 100;
/// Columns of the verdicts at the left.
const VERDICTS: usize = 16;

impl Report {
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
            let TableOf { name, title, unit, .. } = &table.of;
            text.extend([format!("\n{name}: {title}, {unit}\n")]);
            text += &table_text(table);
        }
        text += "\nclaims\n";
        for claim in &self.claims {
            let Some(judged) = &claim.judged else { continue };
            let verdict = judged.verdict();
            let known = match (verdict == claim.expected, verdict) {
                (true, Verdict::DoesNotHold) => " (as known)".to_owned(),
                (true, Verdict::Holds | Verdict::Undecided) | (false, Verdict::Undecided) => {
                    String::new()
                }
                (false, Verdict::Holds | Verdict::DoesNotHold) => {
                    format!(" (expected: it {})", claim.expected.name())
                }
            };
            let basis = if judged.is_arithmetic() {
                " (arithmetic: no simulation can change it)"
            } else {
                ""
            };
            text += &entry(verdict.name(), &claim.row.name);
            text += &entry("", &format!("{}{known}{basis}", judged.evidence));
        }
        text
    }
}

/// The lines of a table in columns, those columns left out that no line has, and three figures for
/// each kind of deviation.
fn table_text(table: &TableReport) -> String {
    let decimals = table.of.decimals;
    let figure = |figure: Option<f64>| {
        figure.map_or_else(String::new, |figure| format!("{figure:.decimals$}"))
    };
    let share = |share: Option<f64>| {
        share.map_or_else(String::new, |share| format!("{:+.2} %", 100.0 * share))
    };
    let interval = |row: &ReproduceRow| match (row.simulation, row.simulation_half_width) {
        (None, _) => "-".to_owned(),
        (Some(mean), None) => format!("{mean:.0$}", decimals + 1),
        (Some(mean), Some(half)) => format!("{mean:.0$} ± {half:.0$}", decimals + 1),
    };
    let lines = &table.lines;
    let column = |heading: &str, cell: &dyn Fn(&ReproduceRow) -> String| {
        let cells = lines.iter().map(|line| cell(&line.row));
        std::iter::once(heading.to_owned()).chain(cells).collect::<Vec<String>>()
    };
    let (beside, to_beside) = match table.of.beside {
        Beside::Paper => ("paper", "to paper"),
        Beside::IndependentSimulation => ("independent", "to independent"),
    };
    let to_other =
        |line: &ReproduceRow| line.simulation_to_paper.or(line.simulation_to_independent);
    let columns = [
        column("", &|line| line.name.clone()),
        column(beside, &|line| figure(line.paper.or(line.independent))),
        column("simulation", &interval),
        column(to_beside, &|line| share(to_other(line))),
        column("paper's model", &|line| figure(line.paper_model)),
        column("model", &|line| figure(line.model)),
        column("to paper's", &|line| share(line.model_to_paper)),
        column("to simulation", &|line| share(line.model_to_simulation)),
        column("verdict", &|line| line.verdict.unwrap_or_default().to_owned()),
    ];
    let mut text = in_columns(&columns);
    let spread = |of: &dyn Fn(&ReproduceRow) -> Option<f64>| {
        Spread::of(lines.iter().filter_map(|it| Some((it.row.name.clone(), of(&it.row)?))))
    };
    let simulation_to = format!("simulation {to_beside}");
    let spreads = [
        (simulation_to.as_str(), spread(&to_other)),
        ("model to the paper's", spread(&|line| line.model_to_paper)),
        ("model to simulation", spread(&|line| line.model_to_simulation)),
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
