//! Summarizes reports with several seeds.
//!
//! The summary counts the expected, undecided and surprising verdicts of each seed, and lists the
//! verdicts not as expected under every seed.

use super::report::Compared;
use super::{Report, Verdict};
use crate::experiment::sheet::{Sheet, Table};

/// The reports of all studies under one seed.
pub type Batch = Vec<Report>;

/// The number of verdicts.
pub fn verdicts(batch: &[Report]) -> usize {
    batch.iter().flat_map(Report::verdicts).count()
}

/// The number of decided, but unexpected verdicts.
pub fn surprises(batch: &[Report]) -> usize {
    batch.iter().flat_map(Report::verdicts).filter(|it| it.surprises()).count()
}

/// The number of undecided verdicts.
pub fn undecided(batch: &[Report]) -> usize {
    let all = batch.iter().flat_map(Report::verdicts);
    all.filter(|it| it.verdict() == Some(Verdict::Undecided)).count()
}

/// Summarises at least one batch for people; all batches have the same verdicts in the same order.
pub fn summary(batches: &[Batch]) -> String {
    let row = |name: String, figures: [usize; 4]| {
        std::iter::once(name).chain(figures.map(|figure| figure.to_string())).collect()
    };
    let (mut rows, mut totals): (Vec<Vec<String>>, _) = (Vec::new(), [0; 4]);
    for batch in batches {
        let (verdicts, undecided, surprises) =
            (verdicts(batch), undecided(batch), surprises(batch));
        let figures = [verdicts, verdicts - undecided - surprises, undecided, surprises];
        totals.iter_mut().zip(figures).for_each(|(total, figure)| *total += figure);
        rows.extend(batch.first().map(|report| row(report.seed.to_string(), figures)));
    }
    rows.push(row("all".to_owned(), totals));
    let headings = ["seed", "verdicts", "as expected", "undecided", "surprises"];
    let mut sheet = Sheet::default();
    sheet.table(Table::new(&headings, rows));
    let unsteady = unsteady(batches);
    if !unsteady.is_empty() {
        sheet.line("");
        sheet.line("verdicts that are not as expected with every seed");
        let headings = ["", "expected", "holds", "does not hold", "undecided"];
        sheet.table(Table::new(&headings, unsteady));
    }
    sheet.text()
}

/// Counts the outcomes of each verdict not as expected under every seed.
fn unsteady(batches: &[Batch]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for study in 0..batches.first().map_or(0, Vec::len) {
        let reports = batches.iter().map(|batch| &batch[study]);
        let mut verdicts: Vec<_> = reports.map(Report::verdicts).collect();
        loop {
            let same: Vec<&Compared> = verdicts.iter_mut().filter_map(Iterator::next).collect();
            let Some(Compared { row, expected, .. }) = same.first() else { break };
            let found = |verdict| same.iter().filter(|it| it.verdict() == Some(verdict)).count();
            if found(*expected) < same.len() {
                let all = [Verdict::Holds, Verdict::DoesNotHold, Verdict::Undecided];
                let name = format!("{}, {}: {}", row.study, row.part, shortened(&row.name));
                let first = [name, expected.name().to_owned()].into_iter();
                rows.push(first.chain(all.map(|it| found(it).to_string())).collect());
            }
        }
    }
    rows
}

/// A name of at most 60 characters.
fn shortened(name: &str) -> String {
    if name.chars().count() <= 60 {
        return name.to_owned();
    }
    name.chars().take(59).chain(['…']).collect()
}
