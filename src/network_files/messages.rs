//! Tables of messages in files, as CSV.
//!
//! ```text
//! born,source,destination,length        id,source,destination,length,after,delay,born
//! 0,a,b,5                               m1,a,b,5,,,0
//! 12,b,c,1                              m2,b,c,5,m1,10,
//!                                       m3,c,a,1,m1:sent+5 m2,,
//! ```
//!
//! Columns are named; those that `simulate --messages-to` writes besides are skipped. `born` is the
//! cycle of generation, and `length` is in flits. A message with `after` is generated `delay`
//! cycles after the last of its conditions, or in cycle `born` if that is later. A condition is the
//! `id` of a message and an event, `:delivered` (the default), `:sent` or `:started`; cycles may
//! follow. Messages of a source in one cycle are in the order of `serial`, or of the rows.
//! `class` is a message class of the scenario, by name. Nodes are names, numbers, or coordinates in quotes. Lines that begin with `#`, and empty lines,
//! are skipped.

use std::borrow::Cow;
use std::collections::HashMap;

use super::cells::{Cell, cells, lines};
use super::conditions::condition;
use super::ignored::Ignored;
use super::mistake::{Mistake, Report, Span, meant, nearest, quoted};
use super::names::Names;
use crate::ids::NodeId;
use crate::text::count;
use crate::topology::Network;
use crate::traffic::classes::MessageClasses;
use crate::traffic::lengths::LENGTH_MAX;
use crate::traffic::script::{Draft, Script};

const COLUMNS: &[&str] =
    &["born", "source", "destination", "length", "id", "after", "delay", "serial", "class"];
const BORN: usize = 0;
const SOURCE: usize = 1;
const DESTINATION: usize = 2;
const LENGTH: usize = 3;
const ID: usize = 4;
const AFTER: usize = 5;
const DELAY: usize = 6;
const SERIAL: usize = 7;
const CLASS: usize = 8;
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
    "source_wait",
    "blocking",
    "transfer",
    "longest_wait",
    "waited_for",
    "aborts",
];
/// Maximum cycle of generation, and maximum delay.
pub(super) const BORN_MAX: u64 = 1 << 40;
pub(super) const DELAY_MAX: u64 = u32::MAX as u64;

/// Messages with remarks on the contents of their file.
#[derive(Debug)]
pub struct MessagesDraft {
    pub script: Script,
    /// True if the table states the classes of the messages.
    pub with_classes: bool,
    /// Contents of the file that are ignored, in sentences.
    pub notes: Vec<String>,
}

/// Reads a table of messages for a network and these message classes. Without any, the classes of the
/// table are ignored; replies are left out, because nodes send them.
///
/// # Errors
///
/// All mistakes, in the order of the text.
pub fn read_messages(
    text: &str,
    network: &Network,
    classes: &MessageClasses,
) -> Result<MessagesDraft, Vec<Mistake>> {
    let mut report = Report::new(text);
    let names = Names::of_nodes(network);
    let ignored = Ignored::default();
    let mut table = Table {
        network,
        names,
        classes,
        report: &mut report,
        rows: Vec::new(),
        replies: 0,
        ignored,
    };
    let draft = table.read(text).and_then(|with_classes| {
        let mut notes = table.ignored.notes(COLUMNS);
        if table.replies > 0 {
            let replies = count(table.replies, "reply is", "replies are");
            notes.push(format!("{replies} left out: nodes answer messages"));
        }
        Some(MessagesDraft { script: table.finish()?, with_classes, notes })
    });
    match draft {
        Some(draft) if report.is_clean() => Ok(draft),
        Some(_) | None => Err(report.finish()),
    }
}

/// A row, with the texts of its identity and of the messages awaited.
struct Row<'t> {
    born: u64,
    ends: [NodeId; 2],
    length: u32,
    class: u8,
    delay: u32,
    id: Option<Cell<'t>>,
    after: Option<Cell<'t>>,
    serial: Option<(u64, Span)>,
    at: Span,
}

struct Table<'n, 'r, 't> {
    network: &'n Network,
    names: Names<'n, NodeId>,
    classes: &'n MessageClasses,
    report: &'r mut Report<'t>,
    rows: Vec<Row<'t>>,
    /// The number of replies, which are left out.
    replies: usize,
    /// Contents that are ignored.
    ignored: Ignored,
}

impl<'t> Table<'_, '_, 't> {
    /// Reads all rows; returns true if they have classes.
    fn read(&mut self, text: &'t str) -> Option<bool> {
        let mut rows = lines(text);
        let Some(header) = rows.next() else {
            let help = "write `born,source,destination,length` and a row for each message";
            self.report.add(&(0..0), "the table is empty", help);
            return None;
        };
        let header = cells(header, self.report)?;
        let columns: Vec<Option<usize>> = header.iter().map(|cell| self.column(cell)).collect();
        if !self.report.is_clean() {
            return None;
        }
        for needed in [SOURCE, DESTINATION, LENGTH] {
            if !columns.contains(&Some(needed)) {
                let what = format!("the first line has no column `{}`", COLUMNS[needed]);
                let help = "write `born,source,destination,length`";
                self.report.add(&self.report.span(text.lines().next().unwrap_or("")), what, help);
                return None;
            }
        }
        for line in rows {
            self.row(line, &columns);
        }
        Some(columns.contains(&Some(CLASS)) && !self.classes.is_empty())
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

    fn row(&mut self, line: &'t str, columns: &[Option<usize>]) {
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
        if from == to {
            let what = format!("{} sends to itself", self.network.node_name(from));
            return self.report.add(&at, what, "leave the message out: it needs no network");
        }
        if let (Some(delay), None) = (delay, &after) {
            let what = "a delay counts from other messages, and this message awaits none";
            return self.report.add(&delay.at, what, "write their `id`s in column `after`");
        }
        if self.classes.is_reply(class) {
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
            if let Some(first) = self.classes.0.first() {
                let help = format!("write {} in column `class`", quoted(&first.name));
                self.report.add(row, "this message has no class", help);
                return None;
            }
            return Some(0);
        };
        if self.classes.is_empty() {
            self.ignored.add("", COLUMNS[CLASS]);
            return Some(0);
        }
        let known = || self.classes.0.iter().map(|class| class.name.as_str());
        let found = known().position(|name| name == cell.value);
        if found.is_none() {
            let names: Vec<String> = known().map(quoted).collect();
            let what = format!("there is no message class {}", quoted(&cell.value));
            let instead = format!("the scenario has {}", names.join(", "));
            self.report.add(&cell.at, what, meant(&cell.value, known(), &instead));
        }
        found.map(|number| number as u8)
    }

    /// Orders the messages.
    fn finish(&mut self) -> Option<Script> {
        self.check_serials();
        let mut rows = std::mem::take(&mut self.rows);
        // Of one source in one cycle, the lower number is the first.
        rows.sort_by_key(|row| row.serial.as_ref().map(|(serial, _)| *serial));
        if rows.is_empty() && self.report.is_clean() {
            let what = if self.replies == 0 {
                "the table has no messages"
            } else {
                "the table has only replies, and nodes send those themselves"
            };
            self.report.add(&(0..0), what, "write a row for each message");
        }
        let known = self.identities(&rows);
        let mut draft = Draft::default();
        for (index, row) in rows.iter().enumerate() {
            draft.add(row.born, row.ends, row.length);
            draft.set_class(row.class);
            let Some(after) = &row.after else { continue };
            for text in after.value.split_whitespace() {
                let at = match after.value {
                    Cow::Borrowed(_) => self.report.span(text),
                    Cow::Owned(_) => after.at.clone(),
                };
                match condition(text, &known) {
                    Ok((other, ..)) if other == index => {
                        let what = "this message awaits itself";
                        self.report.add(&at, what, "remove its `id` from `after`");
                    }
                    Ok((other, event, delay)) => {
                        if let Some(delay) = delay.checked_add(row.delay) {
                            draft.await_event(other, event, delay);
                        } else {
                            let what = "the delays of this condition and the row are too long";
                            self.report.add(&at, what, format!("write {DELAY_MAX} or less"));
                        }
                    }
                    Err((what, help)) => self.report.add(&at, what, help),
                }
            }
        }
        if !self.report.is_clean() {
            return None;
        }
        match draft.finish() {
            Ok(script) => Some(script),
            Err(circle) => {
                let rows = circle.0.iter().map(|&at| &rows[at]);
                let names: Vec<&str> =
                    rows.clone().filter_map(|row| Some(&*row.id.as_ref()?.value)).collect();
                let first = rows.clone().next().map_or(0..0, |row| row.at.clone());
                let what = format!(
                    "{} await each other: {} after {}",
                    count(names.len(), "message", "messages"),
                    names.join(" after "),
                    names.first().unwrap_or(&"")
                );
                self.report.add(&first, what, "remove one from the column `after` of another");
                None
            }
        }
    }

    /// The index of every identity; a repeated identity is reported.
    fn identities(&mut self, rows: &[Row<'_>]) -> HashMap<String, usize> {
        let mut known = HashMap::new();
        for (index, row) in rows.iter().enumerate() {
            let Some(id) = &row.id else { continue };
            if id.value.contains(char::is_whitespace) {
                let what = format!("the id {} contains a space", quoted(&id.value));
                self.report.add(&id.at, what, "write an id without spaces");
            }
            if let Some(first) = known.insert(id.value.to_string(), index) {
                let line = self.report.line(&rows[first].at);
                let what = format!("id {} is given twice, first on line {line}", quoted(&id.value));
                self.report.add(&id.at, what, "give every message its own id");
            }
        }
        known
    }

    /// Reports serial numbers that a source uses twice.
    fn check_serials(&mut self) {
        let mut known: HashMap<(NodeId, u64), Span> = HashMap::new();
        for row in &self.rows {
            let Some((serial, at)) = &row.serial else { continue };
            if let Some(first) = known.insert((row.ends[0], *serial), row.at.clone()) {
                let node = self.network.node_name(row.ends[0]);
                let line = self.report.line(&first);
                let what = format!("{node} has two messages {serial}, the first on line {line}");
                self.report.add(at, what, "number the messages of a source from 0");
            }
        }
    }
}
