//! Rows of a table of messages.

use super::Permitted;
use crate::ids::NodeId;
use crate::network_files::cells::{Cell, cells};
use crate::network_files::ignored::Ignored;
use crate::network_files::mistake::{Report, Span, meant, nearest, quoted};
use crate::network_files::names::Names;
use crate::text::count;
use crate::topology::Network;
use crate::traffic::lengths::LENGTH_MAX;

pub(super) const COLUMNS: &[&str] =
    &["born", "source", "destination", "length", "id", "after", "delay", "serial", "class"];
pub(super) const BORN: usize = 0;
const SOURCE: usize = 1;
const DESTINATION: usize = 2;
const LENGTH: usize = 3;
const ID: usize = 4;
pub(super) const AFTER: usize = 5;
const DELAY: usize = 6;
const SERIAL: usize = 7;
pub(super) const CLASS: usize = 8;
/// Other names of these columns.
const SYNONYMS: &[(&[&str], usize)] = &[
    (&["time", "cycle", "start", "arrival"], BORN),
    (&["from", "src", "origin", "sender"], SOURCE),
    (&["to", "dest", "dst", "target", "receiver"], DESTINATION),
    (&["flits", "size"], LENGTH),
    (&["message"], ID),
    (&["depends", "requires", "deps"], AFTER),
    (&["wait", "compute"], DELAY),
];
/// Columns of `simulate --messages-to` that say nothing about the messages.
const RESULTS: &[&str] = &[
    "hops",
    "started",
    "delivered",
    "lost",
    "source_wait",
    "blocking",
    "transfer",
    "longest_wait",
    "waited_for",
    "buffer_wait",
    "vc_wait",
    "crossbar_wait",
    "credit_wait",
    "aborts",
];
/// Mistakes of tables without rows, with their corrections.
pub(super) const EMPTY: (&str, &str) =
    ("the table is empty", "write `born,source,destination,length` and a row for each message");
pub(super) const NO_MESSAGES: (&str, &str) =
    ("the table has no messages", "write a row for each message");
pub(super) const ONLY_REPLIES: (&str, &str) = (
    "the table has only replies, and nodes send those themselves",
    "add the messages that they answer",
);
/// Maximum cycle of generation, and maximum delay.
pub(in crate::network_files) const BORN_MAX: u64 = 1 << 40;
pub(in crate::network_files) const DELAY_MAX: u64 = u32::MAX as u64;

/// A row, with the texts of its identity and of the messages awaited.
pub(super) struct Row<'t> {
    pub born: u64,
    pub ends: [NodeId; 2],
    pub length: u32,
    pub class: u8,
    pub delay: u32,
    pub id: Option<Cell<'t>>,
    pub after: Option<Cell<'t>>,
    pub serial: Option<(u64, Span)>,
    pub at: Span,
}

pub(super) struct Table<'n, 'r, 't> {
    pub network: &'n Network,
    pub names: Names<'n, NodeId>,
    pub permitted: &'n Permitted,
    pub report: &'r mut Report<'t>,
    pub rows: Vec<Row<'t>>,
    /// The number of replies, which are left out.
    pub replies: u64,
    /// Contents that are ignored.
    pub ignored: Ignored,
}

impl<'t> Table<'_, '_, 't> {
    /// Contents that are ignored, in sentences.
    pub fn notes(&self) -> Vec<String> {
        notes(&self.ignored, self.replies)
    }

    /// Reads the names of the columns.
    pub fn header(&mut self, line: &str) -> Option<Vec<Option<usize>>> {
        let header = cells(line, self.report)?;
        let columns: Vec<Option<usize>> = header.iter().map(|cell| self.column(cell)).collect();
        if !self.report.is_clean() {
            return None;
        }
        for needed in [SOURCE, DESTINATION, LENGTH] {
            if !columns.contains(&Some(needed)) {
                let what = format!("the first line has no column `{}`", COLUMNS[needed]);
                let help = "write `born,source,destination,length`";
                self.report.add(&self.report.span(line), what, help);
                return None;
            }
        }
        Some(columns)
    }

    /// The meaning of a column; `None` if it is skipped.
    fn column(&mut self, cell: &Cell<'_>) -> Option<usize> {
        let name = cell.value.to_lowercase();
        let known = COLUMNS.iter().position(|known| *known == name);
        let synonym = SYNONYMS.iter().find(|(names, _)| names.contains(&name.as_str()));
        let found = known.or_else(|| synonym.map(|(_, column)| *column));
        if found.is_some() || RESULTS.contains(&name.as_str()) {
            return found;
        }
        match nearest(&name, COLUMNS.iter().copied()).filter(|_| name.len() > 2) {
            Some(near) => {
                let what = format!("there is no column {}", quoted(&cell.value));
                self.report.add(&cell.at, what, format!("did you mean `{near}`?"));
            }
            None => self.ignored.add("", &cell.value),
        }
        None
    }

    pub fn row(&mut self, line: &'t str, columns: &[Option<usize>]) {
        let Some(cells) = cells(line, self.report) else { return };
        if let Some(more) = cells.get(columns.len()) {
            let what = "this row has more values than columns";
            return self.report.add(&more.at, what, "remove this one");
        }
        let at = self.report.span(line);
        let mut values: [Option<Cell<'t>>; COLUMNS.len()] = Default::default();
        for (cell, column) in cells.into_iter().zip(columns) {
            if let Some(column) = column.filter(|_| !cell.value.is_empty()) {
                values[column] = Some(cell);
            }
        }
        let with_classes = columns.contains(&Some(CLASS));
        let [born, source, destination, length, id, after, delay, serial, class] = values;
        let (Some(source), Some(destination), Some(length)) = (source, destination, length) else {
            let help = "write a source, a destination and a length";
            return self.report.add(&at, "this row is not complete", help);
        };
        if born.is_none() && after.is_none() {
            let what = "this message has no time of birth";
            return self.report.add(&at, what, "write its cycle in column `born`");
        }
        let [from, to] =
            [&source, &destination].map(|cell| self.names.find(&cell.value, &cell.at, self.report));
        let mut whole = |column: usize, cell: Option<&Cell<'_>>, least: u64, most: u64| match cell {
            None => Some(0),
            Some(cell) => self.report.whole(COLUMNS[column], &cell.value, &cell.at, least..=most),
        };
        let length = whole(LENGTH, Some(&length), 1, LENGTH_MAX.into());
        let born = whole(BORN, born.as_ref(), 0, BORN_MAX);
        let delay_cycles = whole(DELAY, delay.as_ref(), 0, DELAY_MAX);
        let number = whole(SERIAL, serial.as_ref(), 0, u64::MAX);
        let class = if with_classes { self.class(class.as_ref(), &at) } else { Some(0) };
        let (Some(from), Some(to), Some(length)) = (from, to, length) else { return };
        let (Some(born), Some(delay_cycles), Some(number), Some(class)) =
            (born, delay_cycles, number, class)
        else {
            return;
        };
        if from == to && !self.permitted.to_itself {
            let what = format!("{} sends to itself", self.network.node_name(from));
            let help = "leave the message out, or write `to_itself: true` in the scenario";
            return self.report.add(&at, what, help);
        }
        if let (Some(delay), None) = (delay, &after) {
            let what = "a delay counts from other messages, and this message awaits none";
            return self.report.add(&delay.at, what, "write their `id`s in column `after`");
        }
        if self.permitted.classes.is_reply(class) {
            self.replies += 1;
            return;
        }
        let serial = serial.map(|cell| (number, cell.at));
        let (ends, length, delay) = ([from, to], length as u32, delay_cycles as u32);
        self.rows.push(Row { born, ends, length, class, delay, id, after, serial, at });
    }

    /// The number of a class in a row with a column for it.
    fn class(&mut self, cell: Option<&Cell<'_>>, row: &Span) -> Option<u8> {
        let Some(cell) = cell else {
            if let Some(first) = self.permitted.classes.0.first() {
                let help = format!("write {} in column `class`", quoted(&first.name));
                self.report.add(row, "this message has no class", help);
                return None;
            }
            return Some(0);
        };
        if self.permitted.classes.is_empty() {
            self.ignored.add("", COLUMNS[CLASS]);
            return Some(0);
        }
        let known = || self.permitted.classes.0.iter().map(|class| class.name.as_str());
        let found = known().position(|name| name == cell.value);
        if found.is_none() {
            let names: Vec<String> = known().map(quoted).collect();
            let what = format!("there is no message class {}", quoted(&cell.value));
            let instead = format!("the scenario has {}", names.join(", "));
            self.report.add(&cell.at, what, meant(&cell.value, known(), &instead));
        }
        found.map(|number| number as u8)
    }
}

/// Contents that are ignored, in sentences, and the number of replies that are left out.
pub(super) fn notes(ignored: &Ignored, replies: u64) -> Vec<String> {
    let mut notes = ignored.notes(COLUMNS);
    if replies > 0 {
        let replies = count(replies as usize, "reply is", "replies are");
        notes.push(format!("{replies} left out: nodes answer messages"));
    }
    notes
}
