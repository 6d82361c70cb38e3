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
//! `class` is a message class of the scenario, by name. Nodes are names, numbers, or coordinates in
//! quotes. Lines that begin with `#`, and empty lines, are skipped.

mod rows;
mod streamed;

use std::borrow::Cow;
use std::collections::HashMap;

use super::cells::lines;
use super::conditions::condition;
use super::ignored::Ignored;
use super::mistake::{Mistake, Report, Span, quoted};
use super::names::Names;
use crate::ids::NodeId;
use crate::text::count;
use crate::topology::Network;
use crate::traffic::Traffic;
use crate::traffic::classes::MessageClasses;
use crate::traffic::script::{Draft, Script};
pub(super) use rows::{BORN_MAX, DELAY_MAX};
use rows::{CLASS, EMPTY, NO_MESSAGES, ONLY_REPLIES, Row, Table};
#[cfg(test)]
pub(crate) use streamed::tests::Text;
pub use streamed::{Store, StreamedDraft, StreamedTable, stream_messages};

/// Messages with remarks on the contents of their file.
#[derive(Debug)]
pub struct MessagesDraft {
    pub script: Script,
    /// True if the table states the classes of the messages.
    pub with_classes: bool,
    /// Contents of the file that are ignored, in sentences.
    pub notes: Vec<String>,
}

/// The messages that a scenario permits in a table.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Permitted {
    /// The message classes. Without any, the classes of the table are ignored; replies are left out,
    /// because nodes send them.
    pub classes: MessageClasses,
    /// True if nodes send to themselves.
    pub to_itself: bool,
}

impl Permitted {
    /// The messages that traffic permits.
    pub fn by(traffic: &Traffic) -> Self {
        Self { classes: traffic.classes.clone(), to_itself: traffic.to_itself }
    }
}

/// Reads a table of messages for a network.
///
/// # Errors
///
/// All mistakes, in the order of the text.
pub fn read_messages(
    text: &str,
    network: &Network,
    permitted: &Permitted,
) -> Result<MessagesDraft, Vec<Mistake>> {
    let mut report = Report::new(text);
    let names = Names::of_nodes(network);
    let ignored = Ignored::default();
    let mut table = Table {
        network,
        names,
        permitted,
        report: &mut report,
        rows: Vec::new(),
        replies: 0,
        ignored,
    };
    let with_classes = read_rows(&mut table, text);
    let notes = table.notes();
    let Table { rows, replies, .. } = table;
    let draft = with_classes.and_then(|with_classes| {
        let script = Order { network, report: &mut report }.script(rows, replies)?;
        Some(MessagesDraft { script, with_classes, notes })
    });
    match draft {
        Some(draft) if report.is_clean() => Ok(draft),
        Some(_) | None => Err(report.finish()),
    }
}

/// Reads all rows; returns true if they have classes.
fn read_rows<'t>(table: &mut Table<'_, '_, 't>, text: &'t str) -> Option<bool> {
    let mut rows = lines(text);
    let Some(header) = rows.next() else {
        table.report.add(&(0..0), EMPTY.0, EMPTY.1);
        return None;
    };
    let columns = table.header(header)?;
    for line in rows {
        table.row(line, &columns);
    }
    Some(columns.contains(&Some(CLASS)) && !table.permitted.classes.is_empty())
}

/// Orders the messages of rows.
struct Order<'n, 'r, 't> {
    network: &'n Network,
    report: &'r mut Report<'t>,
}

impl Order<'_, '_, '_> {
    /// Orders the messages.
    fn script(&mut self, mut rows: Vec<Row<'_>>, replies: u64) -> Option<Script> {
        self.check_serials(&rows);
        // The lower number is the first of a source in a cycle.
        rows.sort_by_key(|row| row.serial.as_ref().map(|(serial, _)| *serial));
        if rows.is_empty() && self.report.is_clean() {
            let (what, help) = if replies == 0 { NO_MESSAGES } else { ONLY_REPLIES };
            self.report.add(&(0..0), what, help);
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
    fn check_serials(&mut self, rows: &[Row<'_>]) {
        let mut known: HashMap<(NodeId, u64), Span> = HashMap::new();
        for row in rows {
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
