//! Tables of weights in files: messages from every node to every other, as CSV and of Noxim.
//!
//! ```text
//! from,to,weight        ,a,b,c        0,2,1        % node, destination, packets per cycle
//! a,b,2                 a,0,2,1       2,0,0        0 15 0.02
//! a,c,1                 b,2,0,0       1,0,0        1 15 0.02
//! ```
//!
//! Columns are named `from`, `to` and `weight` (1 if omitted), or there is a row and a column for every
//! node, in the order of the nodes or under their names. Nodes are names, numbers, or coordinates in
//! quotes. Lines that begin with `#`, and empty lines, are skipped.

use std::collections::HashSet;

use super::cells::{Cell, cells, lines};
use super::ignored::Ignored;
use super::mistake::{Mistake, Report, nearest, quoted};
use super::names::Names;
use crate::ids::NodeId;
use crate::text::count;
use crate::topology::Network;
use crate::traffic::destinations::{WEIGHTS_MAX, Weight};

const COLUMNS: &[&str] = &["from", "to", "weight"];
/// Other names of these columns.
const SYNONYMS: &[(&[&str], &str)] = &[
    (&["source", "src", "origin", "sender"], "from"),
    (&["destination", "dest", "dst", "target", "receiver"], "to"),
    (&["rate", "load", "amount", "flits", "bytes", "messages", "volume"], "weight"),
];

/// Weights with remarks on the contents of their file.
#[derive(Debug)]
pub struct WeightsDraft {
    pub weights: Vec<Weight>,
    /// Contents of the file that are ignored, in sentences.
    pub notes: Vec<String>,
}

/// Reads a table of weights for a network; `to_itself` permits weights from a node to itself.
///
/// # Errors
///
/// All mistakes, in the order of the text.
pub fn read_weights(
    text: &str,
    network: &Network,
    to_itself: bool,
) -> Result<WeightsDraft, Vec<Mistake>> {
    let mut report = Report::new(text);
    let names = Names::of_nodes(network);
    let mut table = Table {
        network,
        names,
        to_itself,
        report: &mut report,
        weights: Vec::new(),
        seen: HashSet::new(),
        notes: Vec::new(),
    };
    table.read(text);
    table.complete();
    let Table { weights, notes, .. } = table;
    if report.is_clean() { Ok(WeightsDraft { weights, notes }) } else { Err(report.finish()) }
}

struct Table<'n, 'r, 't> {
    network: &'n Network,
    names: Names<'n, NodeId>,
    to_itself: bool,
    report: &'r mut Report<'t>,
    weights: Vec<Weight>,
    /// The pairs with a weight so far.
    seen: HashSet<(NodeId, NodeId)>,
    notes: Vec<String>,
}

impl Table<'_, '_, '_> {
    fn read(&mut self, text: &str) {
        let mut rows = lines(text).filter(|line| !line.trim_start().starts_with('%')).peekable();
        let Some(&first) = rows.peek() else {
            let help = "write `from,to,weight` and a row for each pair";
            return self.report.add(&(0..0), "the table is empty", help);
        };
        if !first.contains(',') {
            return rows.for_each(|line| self.noxim(line));
        }
        let Some(header) = cells(first, self.report) else { return };
        let is_number = |cell: &Cell<'_>| cell.value.parse::<f64>().is_ok();
        if header.iter().all(is_number) {
            return self.square(rows, None);
        }
        let columns = Self::columns(&header);
        if columns.iter().flatten().any(|&column| column < 2) {
            rows.next();
            return self.listed(rows, &columns);
        }
        rows.next();
        let columns: Option<Vec<NodeId>> = (header.iter().skip(1))
            .map(|cell| self.names.find(&cell.value, &cell.at, self.report))
            .collect();
        if let Some(columns) = columns {
            self.square(rows, Some(&columns));
        }
    }

    /// The meaning of each column, if its name is known.
    fn columns(header: &[Cell<'_>]) -> Vec<Option<usize>> {
        let meaning = |cell: &Cell<'_>| {
            let name = cell.value.to_lowercase();
            let synonym = SYNONYMS.iter().find(|(names, _)| names.contains(&name.as_str()));
            let name = synonym.map_or(name.as_str(), |(_, name)| name);
            COLUMNS.iter().position(|known| *known == name)
        };
        header.iter().map(meaning).collect()
    }

    /// Rows with a source, a destination and a weight.
    fn listed<'l>(&mut self, rows: impl Iterator<Item = &'l str>, columns: &[Option<usize>]) {
        for (column, name) in COLUMNS.iter().enumerate().take(2) {
            if !columns.contains(&Some(column)) {
                let what = format!("the first line has no column `{name}`");
                return self.report.add(&(0..0), what, "write `from,to,weight`");
            }
        }
        let mut ignored = Ignored::default();
        let header = lines(self.report.text).find(|line| !line.trim_start().starts_with('%'));
        for (cell, column) in
            header.and_then(|line| cells(line, self.report)).iter().flatten().zip(columns)
        {
            match nearest(&cell.value, COLUMNS.iter().copied()) {
                Some(near) if column.is_none() => {
                    let what = format!("there is no column {}", quoted(&cell.value));
                    self.report.add(&cell.at, what, format!("did you mean `{near}`?"));
                }
                None if column.is_none() => ignored.add("", &cell.value),
                Some(_) | None => {}
            }
        }
        self.notes = ignored.notes(COLUMNS);
        for line in rows {
            let Some(cells) = cells(line, self.report) else { continue };
            if let Some(more) = cells.get(columns.len()) {
                let what = "this row has more values than columns";
                self.report.add(&more.at, what, "remove this one");
                continue;
            }
            let value = |column| {
                let at = columns.iter().position(|known| *known == Some(column))?;
                cells.get(at).filter(|cell| !cell.value.is_empty())
            };
            let (Some(from), Some(to)) = (value(0), value(1)) else {
                let span = self.report.span(line);
                let what = "this row is not complete";
                self.report.add(&span, what, "write a source and a destination");
                continue;
            };
            let [source, destination] =
                [from, to].map(|cell| self.names.find(&cell.value, &cell.at, self.report));
            let weight = match value(2) {
                None => Some(1.0),
                Some(cell) => self.weight(cell),
            };
            if let (Some(source), Some(destination), Some(weight)) = (source, destination, weight) {
                self.add([source, destination], weight, &self.report.span(line));
            }
        }
    }

    /// A row for each source, with a weight for each node; with names of columns, each row begins with a
    /// name.
    fn square<'l>(&mut self, rows: impl Iterator<Item = &'l str>, columns: Option<&[NodeId]>) {
        let nodes = self.network.nodes();
        let mut sources = 0;
        for line in rows {
            let Some(cells) = cells(line, self.report) else { continue };
            let span = self.report.span(line);
            let (source, values) = match columns {
                None if sources >= nodes => {
                    let what = format!("the table has more rows than the {nodes} nodes");
                    return self.report.add(&span, what, "remove the row");
                }
                None => (Some(NodeId::new(sources)), &cells[..]),
                Some(_) => {
                    let name = &cells[0];
                    (self.names.find(&name.value, &name.at, self.report), &cells[1..])
                }
            };
            sources += 1;
            let expected = columns.map_or(nodes, <[NodeId]>::len);
            if values.len() != expected {
                let values = count(values.len(), "weight", "weights");
                let what = format!("this row has {values}, not {expected}");
                self.report.add(&span, what, "write a weight for each node, or 0");
                continue;
            }
            for (index, cell) in values.iter().enumerate() {
                let to = columns.map_or_else(|| NodeId::new(index), |columns| columns[index]);
                if let (Some(source), Some(weight)) = (source, self.weight(cell)) {
                    self.add([source, to], weight, &cell.at);
                }
            }
        }
        if columns.is_none() && sources < nodes {
            let what = format!("the table has {sources} rows, and the network {nodes} nodes");
            self.report.add(&(0..0), what, "write a row for each node, or `from,to,weight`");
        }
    }

    /// A line of Noxim: source, destination, and a rate in packets per cycle.
    fn noxim(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let span = self.report.span(line);
        let cell = |word: &str| Cell { value: word.to_owned().into(), at: span.clone() };
        match words[..] {
            [_, _, _, _, _, ..] => {
                let what = "this line has times at which the source starts and stops, which a matrix has not";
                self.report.add(&span, what, "write the mean rate alone, such as `0 15 0.02`");
            }
            // The second rate is for messages after the first in the source's queue.
            [from, to, rate] | [from, to, rate, _] => {
                let [source, destination] =
                    [from, to].map(|name| self.names.find(name, &span, self.report));
                let weight = self.weight(&cell(rate));
                if let (Some(source), Some(destination), Some(weight)) =
                    (source, destination, weight)
                {
                    self.add([source, destination], weight, &span);
                }
            }
            _ => {
                let what = "this line is neither CSV nor a line of Noxim";
                let help = "write `0,15,0.02` below `from,to,weight`, or `0 15 0.02`";
                self.report.add(&span, what, help);
            }
        }
    }

    fn weight(&mut self, cell: &Cell<'_>) -> Option<f64> {
        let number: Option<f64> =
            if cell.value.is_empty() { Some(0.0) } else { cell.value.parse().ok() };
        if let Some(weight) = number.filter(|it| it.is_finite() && *it >= 0.0) {
            return Some(weight);
        }
        let what = format!("a weight must be a number of 0 or more, not {}", quoted(&cell.value));
        self.report.add(&cell.at, what, "write a number, such as 1");
        None
    }

    fn add(
        &mut self,
        [source, destination]: [NodeId; 2],
        weight: f64,
        at: &std::ops::Range<usize>,
    ) {
        if weight <= 0.0 {
            return;
        }
        if source == destination && !self.to_itself {
            let what = format!("{} sends to itself", self.network.node_name(source));
            let help = "leave the weight out, or write `to_itself: true` in the scenario";
            self.report.add(at, what, help);
        } else if !self.seen.insert((source, destination)) {
            let names = [source, destination].map(|node| self.network.node_name(node));
            let what = format!("the weight from {} to {} is given twice", names[0], names[1]);
            self.report.add(at, what, "remove one of the two, or add them up");
        } else if self.weights.len() < WEIGHTS_MAX {
            self.weights.push(Weight { source, destination, weight });
        } else if self.weights.len() == WEIGHTS_MAX && self.report.is_clean() {
            let what = format!("the table has more than {WEIGHTS_MAX} weights");
            self.report.add(at, what, "leave out the smallest");
        }
    }

    /// Reports a table without weights.
    fn complete(&mut self) {
        if !self.report.is_clean() {
            return;
        }
        if self.weights.is_empty() {
            let what = "all weights are 0: nobody would send";
            self.report.add(&(0..0), what, "write a weight above 0");
        }
    }
}
