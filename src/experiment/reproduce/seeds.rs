//! Reports of several seeds in one text: how many verdicts of each seed are as expected, undecided or
//! a surprise, and which verdicts are not as expected with every seed.

use super::report::Compared;
use super::text::in_columns;
use super::{Report, Verdict};

/// The reports of a batch: of all studies under one seed.
pub type Batch = Vec<Report>;

/// Verdicts.
pub fn verdicts(batch: &[Report]) -> usize {
    batch.iter().flat_map(Report::verdicts).count()
}

/// Verdicts that are known and not the ones expected.
pub fn surprises(batch: &[Report]) -> usize {
    batch.iter().flat_map(Report::verdicts).filter(|it| it.surprises()).count()
}

/// Verdicts that the results do not tell.
pub fn undecided(batch: &[Report]) -> usize {
    let all = batch.iter().flat_map(Report::verdicts);
    all.filter(|it| it.verdict() == Some(Verdict::Undecided)).count()
}

/// The summary for people of at least one batch; all have the same verdicts in the same order.
pub fn summary(batches: &[Batch]) -> String {
    let headings = ["seed", "verdicts", "as expected", "undecided", "surprises"];
    let mut columns = headings.map(|heading| vec![heading.to_owned()]);
    let mut totals = [0; 4];
    for batch in batches {
        let verdicts = verdicts(batch);
        let (undecided, surprises) = (undecided(batch), surprises(batch));
        let figures = [verdicts, verdicts - undecided - surprises, undecided, surprises];
        columns[0].extend(batch.first().map(|report| report.seed.to_string()));
        for (at, figure) in figures.into_iter().enumerate() {
            columns[at + 1].push(figure.to_string());
            totals[at] += figure;
        }
    }
    columns[0].push("all".to_owned());
    for (column, total) in columns[1..].iter_mut().zip(totals) {
        column.push(total.to_string());
    }
    let mut text = in_columns(&columns);
    let unsteady = unsteady(batches);
    if !unsteady.is_empty() {
        text += "\nverdicts that are not as expected with every seed\n";
        text += &unsteady;
    }
    text
}

/// How often each verdict that is not always the one expected came out how.
fn unsteady(batches: &[Batch]) -> String {
    let headings = ["", "expected", "holds", "does not hold", "undecided"];
    let mut columns = headings.map(|heading| vec![heading.to_owned()]);
    let studies = batches.first().map_or(0, Vec::len);
    for study in 0..studies {
        let reports = || batches.iter().map(move |batch| &batch[study]);
        let mut verdicts: Vec<_> = reports().map(Report::verdicts).collect();
        loop {
            let same: Vec<&Compared> = verdicts.iter_mut().filter_map(Iterator::next).collect();
            let Some(first) = same.first() else { break };
            let found = |verdict| same.iter().filter(|it| it.verdict() == Some(verdict)).count();
            if found(first.expected) == same.len() {
                continue;
            }
            let row = &first.row;
            columns[0].push(format!("{}, {}: {}", row.study, row.part, shortened(&row.name)));
            columns[1].push(first.expected.name().to_owned());
            let all = [Verdict::Holds, Verdict::DoesNotHold, Verdict::Undecided];
            for (column, verdict) in columns[2..].iter_mut().zip(all) {
                column.push(found(verdict).to_string());
            }
        }
    }
    if columns[0].len() > 1 { in_columns(&columns) } else { String::new() }
}

/// A name of at most 60 characters.
fn shortened(name: &str) -> String {
    if name.chars().count() <= 60 {
        return name.to_owned();
    }
    name.chars().take(59).chain(['…']).collect()
}
