//! The outcome of a study as text for people.

use super::parts::{ReferenceSource, TableOf};
use super::report::{Compared, Report, ReproduceRow};
use super::verdict::{CONFIDENCE, Spread};
use super::{Table, Verdict};
use crate::experiment::sheet::{self, Column, Sheet};
use crate::stats::{Estimate, Steadiness};

const WIDTH: usize = 100;
const VERDICTS: usize = 16;

impl Report {
    /// The report for people.
    pub fn text(&self) -> String {
        let mut sheet = Sheet::default();
        let about = if self.paper.is_empty() { String::new() } else { format!(": {}", self.paper) };
        sheet.line(&format!("{}{about}", self.study));
        sheet.line(&format!(
            "seed {}; ± is half a 95 % interval, verdicts rest on intervals of {:.2} %",
            self.seed,
            100.0 * CONFIDENCE
        ));
        if self.missing > 0 {
            let done = self.points - self.missing;
            sheet.line(&format!("PARTIAL: {done} of {} points have been run", self.points));
        }
        for table in &self.tables {
            sheet.line("");
            sheet.table(lines_of(table));
        }
        if !self.claims.is_empty() {
            sheet.line("");
            sheet.line("claims");
        }
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
            sheet.line(&entry(verdict.name(), &claim.row.name));
            let more = claim.row.messages_to_decide.map_or_else(String::new, |times| {
                format!(" ({} as many messages would decide it)", times_in_words(times))
            });
            sheet.line(&entry("", &format!("{}{known}{basis}{more}", judged.evidence)));
        }
        sheet.text()
    }
}

/// The table's lines in columns, without empty columns, and a summary of each kind of deviation.
fn lines_of(table: &Table<Compared>) -> sheet::Table {
    let decimals = table.of.decimals;
    let figure = |figure: Option<f64>| {
        figure.map_or_else(String::new, |figure| format!("{figure:.decimals$}"))
    };
    let share = |share: Option<f64>| {
        share.map_or_else(String::new, |share| format!("{:+.2} %", 100.0 * share))
    };
    let interval = |row: &ReproduceRow| {
        let Some(mean) = row.simulation else { return "-".to_owned() };
        let simulation = Estimate { mean, half_width: row.simulation_half_width };
        match simulation.half_width {
            _ if simulation.is_too_wide() => Steadiness::TooShort.name().to_owned(),
            Some(half) => format!("{mean:.0$} ± {half:.0$}", decimals + 1),
            None => format!("{mean:.0$}", decimals + 1),
        }
    };
    let lines = &table.lines;
    let (beside, to_beside) = match table.of.beside {
        ReferenceSource::Paper => ("paper", "to paper"),
        ReferenceSource::IndependentSimulation => ("independent", "to independent"),
    };
    let to_other =
        |line: &ReproduceRow| line.simulation_to_paper.or(line.simulation_to_independent);
    let columns = [
        Column::new("", |it: &Compared| it.row.name.clone()),
        Column::new(beside, |it: &Compared| figure(it.row.paper.or(it.row.independent))),
        Column::new("simulation", |it: &Compared| interval(&it.row)),
        Column::new(to_beside, |it: &Compared| share(to_other(&it.row))),
        Column::new("paper's model", |it: &Compared| figure(it.row.paper_model)),
        Column::new("model", |it: &Compared| figure(it.row.model)),
        Column::new("to paper's", |it: &Compared| share(it.row.model_to_paper)),
        Column::new("to simulation", |it: &Compared| share(it.row.model_to_simulation)),
        Column::new("verdict", |it: &Compared| it.row.verdict.unwrap_or_default().to_owned()),
    ];
    let spread = |of: &dyn Fn(&ReproduceRow) -> Option<f64>| {
        Spread::of(lines.iter().filter_map(|it| Some((it.row.name.clone(), of(&it.row)?))))
    };
    let simulation_to = format!("simulation {to_beside}");
    let spreads = [
        (simulation_to.as_str(), spread(&to_other)),
        ("model to the paper's", spread(&|line| line.model_to_paper)),
        ("model to simulation", spread(&|line| line.model_to_simulation)),
    ];
    let note = |(name, spread): (&str, Option<Spread>)| Some(format!("{name}: {}", spread?));
    let open = lines.iter().filter_map(|it| it.row.messages_to_decide);
    let open = open.reduce(f64::max).map(|times| {
        format!("undecided: {} as many messages would decide every line", times_in_words(times))
    });
    let TableOf { name, title, unit, .. } = &table.of;
    sheet::Table {
        label: format!("{name}: {title}, {unit}"),
        notes: spreads.into_iter().filter_map(note).chain(open).collect(),
        ..sheet::Table::of(&columns, lines)
    }
}

/// A factor in words, rounded up.
fn times_in_words(times: f64) -> String {
    const MOST: f64 = 1e4;
    match times {
        _ if times > MOST => format!("more than {MOST:.0} times"),
        _ if times >= 10.0 => format!("about {:.0} times", times.ceil()),
        _ => format!("about {:.1} times", (10.0 * times).ceil().max(11.0) / 10.0),
    }
}

/// A word at the left, followed by a text wrapped into lines.
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
    out
}
