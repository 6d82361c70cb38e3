//! Traffic tables of Noxim as tables of messages.
//!
//! ```text
//! % source destination [rate [rate again [on [off [period]]]]]
//! 0 15 0.02
//! 12 3 0.05 0.05 1000 2000 4000
//! ```
//!
//! In every cycle a source sends a message with the probability of its rows together, to the
//! destination of one of them. A row counts from cycle `on` to cycle `off` of every period; in the
//! cycle after a message of the source, its `rate again` counts. Lines that begin with `%`, `#` or
//! `//`, and empty lines, are skipped.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use super::mistake::{Mistake, Report, quoted};
use crate::random::{Purpose, Streams};

/// Maximum numbers of a node and of a cycle.
const NODE_MAX: u64 = 1 << 20;
const CYCLE_MAX: u64 = 1 << 40;

/// A number of cycles with messages of a length in flits, and the seed of the sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    pub cycles: u64,
    pub flits: u32,
    pub seed: u64,
}

/// A row of the table.
#[derive(Clone, PartialEq, Debug)]
struct Flow {
    destination: u64,
    /// Probabilities of a message in a cycle: after a cycle without a message, and with.
    rates: [f64; 2],
    on: Range<u64>,
    period: u64,
}

/// Draws the messages of a traffic table, as [`super::read_messages`] reads them.
///
/// # Errors
///
/// All mistakes, in the order of the text.
pub fn read_traffic_table(text: &str, sample: Sample) -> Result<String, Vec<Mistake>> {
    let mut report = Report::new(text);
    let flows = flows(&mut report);
    let table = report.is_clean().then(|| messages(&flows, sample));
    if table.as_ref().is_some_and(|table| !table.contains('\n')) {
        let help = "draw more cycles, or write a row `source destination rate`";
        report.add(&(0..0), "no message is drawn from this table", help);
    }
    match table.filter(|_| report.is_clean()) {
        Some(messages) => Ok(format!("born,source,destination,length{messages}")),
        None => Err(report.finish()),
    }
}

/// The rows of each source.
fn flows(report: &mut Report<'_>) -> BTreeMap<u64, Vec<Flow>> {
    let mut flows: BTreeMap<u64, Vec<Flow>> = BTreeMap::new();
    for line in report.text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first().is_none_or(|word| ["%", "#", "//"].iter().any(|it| word.starts_with(it))) {
            continue;
        }
        if let Some((source, flow)) = flow(&words, line, report) {
            flows.entry(source).or_default().push(flow);
        }
    }
    for (source, rows) in &flows {
        let sum = |which: usize| rows.iter().map(|row| row.rates[which]).sum::<f64>();
        let highest = sum(0).max(sum(1));
        let always = rows.iter().all(|row| row.on.end - row.on.start == row.period);
        if highest > 1.0 && always {
            let what = format!("node {source} would send {highest} messages in a cycle");
            report.add(&(0..0), what, "write rates with a sum of 1 or less for each source");
        }
    }
    flows
}

/// The source and the flow of a row.
fn flow(words: &[&str], line: &str, report: &mut Report<'_>) -> Option<(u64, Flow)> {
    let whole_line = report.span(line);
    if words.len() < 3 || words.len() > 7 {
        let what = format!("a row has 3 to 7 values, not {}", words.len());
        let help = "write `source destination rate`, and `again on off period` if needed";
        report.add(&whole_line, what, help);
        return None;
    }
    let names = ["source", "destination", "rate", "rate again", "on", "off", "period"];
    let whole = |report: &mut Report<'_>, at: usize, most: u64, instead: u64| {
        let Some(word) = words.get(at) else { return Some(instead) };
        report.whole(names[at], word, &report.span(word), 0..=most)
    };
    let ends = [0, 1].map(|at| whole(report, at, NODE_MAX, 0));
    let rate = |report: &mut Report<'_>, at: usize, instead: f64| {
        let Some(word) = words.get(at) else { return Some(instead) };
        let number = word.parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
        if number.is_none() {
            let what = format!("the {} must be from 0 to 1, not {}", names[at], quoted(word));
            report.add(&report.span(word), what, "write messages per cycle");
        }
        number
    };
    let first = rate(report, 2, 0.0)?;
    let again = rate(report, 3, first)?;
    let on = whole(report, 4, CYCLE_MAX, 0)?;
    let off = whole(report, 5, CYCLE_MAX, CYCLE_MAX)?;
    let period = whole(report, 6, CYCLE_MAX, off.max(1))?;
    let [source, destination] = [ends[0]?, ends[1]?];
    if source == destination {
        let what = format!("node {source} sends to itself");
        report.add(&whole_line, what, "leave the row out: it needs no network");
        return None;
    }
    if on >= off || off > period {
        let what = format!("a row counts from cycle {on} to {off} of {period}");
        report.add(&whole_line, what, "write times in their order: on, off, period");
        return None;
    }
    Some((source, Flow { destination, rates: [first, again], on: on..off, period }))
}

/// The messages by birth, each behind a line break.
fn messages(flows: &BTreeMap<u64, Vec<Flow>>, sample: Sample) -> String {
    let mut streams = Streams::new(sample.seed, 0, Purpose::Arrivals);
    let mut sources: Vec<_> =
        flows.iter().map(|(source, rows)| (source, rows, streams.next_node(), 0)).collect();
    let mut table = String::new();
    for cycle in 0..sample.cycles {
        for (source, rows, stream, sent) in &mut sources {
            // 53 bits in [0, 1).
            let mut draw = (stream.bits() >> 11) as f64 / (1u64 << 53) as f64;
            let counts = |row: &&Flow| row.on.contains(&(cycle % row.period));
            let drawn = rows.iter().filter(counts).find(|row| {
                draw -= row.rates[*sent];
                draw < 0.0
            });
            *sent = usize::from(drawn.is_some());
            if let Some(Flow { destination, .. }) = drawn {
                let _ = write!(table, "\n{cycle},{source},{destination},{}", sample.flits);
            }
        }
    }
    table
}

#[cfg(test)]
mod tests;
