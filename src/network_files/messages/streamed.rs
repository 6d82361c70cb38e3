//! Tables of messages too large for memory, read from their files in blocks.
//!
//! One pass checks all rows, counts them and notes the beginnings of blocks. Messages are in order of
//! birth in the file; a block consists of all messages of its cycles. The blocks are read again when
//! they are due.

use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;

use super::Permitted;
use super::rows::{AFTER, BORN, CLASS, EMPTY, NO_MESSAGES, ONLY_REPLIES, Row, Table, notes};
use crate::ids::NodeId;
use crate::network_files::cells::{cells, lines};
use crate::network_files::ignored::Ignored;
use crate::network_files::mistake::{Mistake, Report};
use crate::network_files::names::Names;
use crate::random::mix;
use crate::text::count;
use crate::topology::Network;
use crate::traffic::script::{Blocks, Script, ScriptMessage, Tally, Unreadable};

/// Minimum number of messages of a block, except for the last.
const BLOCK: usize = 1 << 12;
/// Maximum number of messages of a block, and so of a cycle.
const BLOCK_MAX: usize = 1 << 18;
/// Bytes that are read at a time, and maximum length of a line.
const CHUNK: usize = 1 << 20;

/// A file that is read in parts.
pub trait Store: Debug + Send + Sync {
    /// The path of the file from the root.
    fn name(&self) -> &str;

    /// Fills `bytes` from a position of the file on; returns the number of bytes, which is less only at
    /// the end.
    ///
    /// # Errors
    /// The reason why the file cannot be read.
    fn read(&self, from: u64, bytes: &mut [u8]) -> Result<usize, String>;
}

/// A table of messages in a file.
#[derive(Debug)]
pub struct StreamedTable {
    store: Arc<dyn Store>,
    network: Arc<Network>,
    permitted: Permitted,
    columns: Vec<Option<usize>>,
    /// The nodes by all names that the table uses.
    known: Arc<HashMap<String, NodeId>>,
    blocks: Vec<Block>,
    hash: u64,
}

/// Rows of the file that are read together.
#[derive(Clone, Debug)]
struct Block {
    bytes: Range<u64>,
    hash: u64,
}

/// Messages read in blocks, with remarks on the contents of their file.
#[derive(Clone, Debug)]
pub struct StreamedDraft {
    pub table: Arc<StreamedTable>,
    pub script: Script,
    /// True if the table states the classes of the messages.
    pub with_classes: bool,
    /// Contents of the file that are ignored, in sentences.
    pub notes: Vec<String>,
}

/// Checks a table of messages in order of birth, for a network.
///
/// # Errors
///
/// The mistakes of the first part of the file that has any.
pub fn stream_messages(
    store: Arc<dyn Store>,
    network: &Arc<Network>,
    permitted: &Permitted,
) -> Result<StreamedDraft, Vec<Mistake>> {
    let ignored = Ignored::default();
    let mut pass = Pass { rows: Rows::default(), header: None, ignored, replies: 0 };
    let mut known = Names::of_nodes(network).into_known();
    let (mut at, mut line) = (0, 0);
    while let Some(text) = chunk(&*store, at)? {
        let mut report = Report::new(&text);
        let names = Names::with(network, known);
        known = pass.chunk((&mut report, at), (names, permitted), store.name());
        if !report.is_clean() {
            return Err(report.finish().into_iter().map(|it| it.below(line)).collect());
        }
        at += text.len() as u64;
        line += text.matches('\n').count();
    }
    let Pass { mut rows, header, ignored, replies } = pass;
    let whole = |(what, help)| vec![Mistake::whole(what, help)];
    let Some((columns, header)) = header else { return Err(whole(EMPTY)) };
    rows.close();
    if rows.tally.messages() == 0 {
        return Err(whole(if replies == 0 { NO_MESSAGES } else { ONLY_REPLIES }));
    }
    let table = Arc::new(StreamedTable {
        store,
        network: Arc::clone(network),
        permitted: permitted.clone(),
        known,
        hash: rows.blocks.iter().fold(header, |hash, block| mix(hash, block.hash)),
        blocks: rows.blocks,
        columns,
    });
    let with_classes = table.columns.contains(&Some(CLASS)) && !permitted.classes.is_empty();
    let blocks: Arc<dyn Blocks> = Arc::clone(&table) as _;
    let script = Script::in_blocks(blocks, rows.tally);
    Ok(StreamedDraft { table, script, with_classes, notes: notes(&ignored, replies) })
}

/// The whole lines from a position on, as many as are read at a time; `None` at the end.
fn chunk(store: &dyn Store, from: u64) -> Result<Option<String>, Vec<Mistake>> {
    let whole = |what: String, help: &str| vec![Mistake::whole(what, help)];
    let mut bytes = vec![0; CHUNK];
    let read = store.read(from, &mut bytes);
    let read = read.map_err(|why| whole(format!("the file cannot be read: {why}"), "try again"))?;
    bytes.truncate(read);
    if read == CHUNK {
        let Some(last) = bytes.iter().rposition(|&byte| byte == b'\n') else {
            let what = format!("the line at byte {from} has more than {CHUNK} bytes");
            return Err(whole(what, "write a row for each message"));
        };
        bytes.truncate(last + 1);
    }
    match String::from_utf8(bytes) {
        Ok(text) if text.is_empty() => Ok(None),
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            let at = from + error.utf8_error().valid_up_to() as u64;
            let what = format!("byte {at} is not UTF-8 text");
            Err(whole(what, "save the file as UTF-8"))
        }
    }
}

/// A hash of the bytes of a line.
fn hash_of(line: &str) -> u64 {
    line.as_bytes().chunks(8).fold(line.len() as u64, |hash, part| {
        mix(hash, part.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)))
    })
}

/// The pass over all rows.
struct Pass {
    rows: Rows,
    /// The columns, and the hash of the first line.
    header: Option<(Vec<Option<usize>>, u64)>,
    ignored: Ignored,
    /// The number of replies, which are left out.
    replies: u64,
}

impl Pass {
    /// Reads a chunk at a position of the file; returns the names known then.
    fn chunk<'n>(
        &mut self,
        (report, at): (&mut Report<'_>, u64),
        (names, permitted): (Names<'n, NodeId>, &'n Permitted),
        file: &str,
    ) -> Arc<HashMap<String, NodeId>> {
        let text = report.text;
        let ignored = std::mem::take(&mut self.ignored);
        let mut table = Table {
            network: names.network(),
            names,
            permitted,
            report,
            rows: Vec::new(),
            replies: self.replies,
            ignored,
        };
        let mut all = lines(text.strip_prefix('\u{feff}').filter(|_| at == 0).unwrap_or(text));
        if self.header.is_none()
            && let Some(line) = all.next()
        {
            self.header = table.header(line).map(|columns| (columns, hash_of(line)));
        }
        if let Some((columns, _)) = &self.header {
            for line in all {
                table.row(line, columns);
            }
            for row in std::mem::take(&mut table.rows) {
                if let Err((what, help)) = self.rows.add(&row, text, at) {
                    let (place, help) = place_of(&row, table.report, columns, help, file);
                    table.report.add(&place, what, help);
                    break;
                }
            }
        }
        self.ignored = std::mem::take(&mut table.ignored);
        self.replies = table.replies;
        table.names.into_known()
    }
}

/// The correction of a mistake in the order of rows.
#[derive(Clone, Copy)]
enum Help {
    /// Sorting by the births.
    Sort,
    Plain(&'static str),
}

/// The place of a mistake about a row, and the correction.
fn place_of(
    row: &Row<'_>,
    report: &mut Report<'_>,
    columns: &[Option<usize>],
    help: Help,
    file: &str,
) -> (Range<usize>, String) {
    let line = &report.text[row.at.clone()];
    let found = cells(line, report).unwrap_or_default();
    let at = |wanted: usize| {
        let cell = columns.iter().position(|column| *column == Some(wanted));
        cell.and_then(|cell| found.get(cell)).map(|cell| cell.at.clone())
    };
    match help {
        Help::Plain(help) => (at(AFTER).unwrap_or_else(|| row.at.clone()), help.to_owned()),
        Help::Sort => {
            let born = at(BORN).unwrap_or_else(|| row.at.clone());
            // The field as `sort` counts it: names of nodes may contain commas.
            let field = 1 + report.text[row.at.start..born.start].matches(',').count();
            let help = format!(
                "sort the rows: `(head -n 1 '{file}'; tail -n +2 '{file}' | sort -s -t, -k{field},{field}n) \
                 > sorted.csv`"
            );
            (born, help)
        }
    }
}

/// The rows counted so far.
#[derive(Default)]
struct Rows {
    tally: Tally,
    blocks: Vec<Block>,
    /// The block under construction: its messages, and the bytes so far.
    open: Vec<Pending>,
    bytes: Range<u64>,
    hash: u64,
}

/// A message of a block, ordered as in a script.
#[derive(Debug)]
struct Pending {
    serial: Option<u64>,
    message: ScriptMessage,
}

impl Pending {
    fn of(row: &Row<'_>) -> Self {
        let message = ScriptMessage::alone(row.born, row.ends, row.length, row.class);
        Self { serial: row.serial.as_ref().map(|(serial, _)| *serial), message }
    }

    /// Orders the messages of a block.
    fn sort(all: &mut [Self]) {
        all.sort_by_key(|it| (it.message.born, it.message.source, it.serial));
    }
}

impl Rows {
    /// Adds a row of a text at a position of the file.
    fn add(&mut self, row: &Row<'_>, text: &str, at: u64) -> Result<(), (String, Help)> {
        if row.after.is_some() {
            let what =
                "this file is too large for messages that await others, which are kept in memory";
            let help = "leave out column `after`, or write a file of up to 64 MiB";
            return Err((what.into(), Help::Plain(help)));
        }
        let last = self.open.last().map_or(0, |last| last.message.born);
        if row.born < last {
            let born = row.born;
            let what = format!(
                "this message is born in cycle {born}, before the one above, of cycle {last}; a file of \
                 this size is read in order of birth"
            );
            return Err((what, Help::Sort));
        }
        if self.open.len() >= BLOCK && row.born > last {
            self.close();
        }
        if self.open.len() >= BLOCK_MAX {
            let most = count(BLOCK_MAX, "message", "messages");
            let what = format!("there are more than {most} around cycle {last}");
            return Err((
                what,
                Help::Plain("distribute their times, or write a file of up to 64 MiB"),
            ));
        }
        let end = at + row.at.end as u64;
        if self.open.is_empty() {
            self.bytes = at + row.at.start as u64..end;
            self.hash = 0;
        }
        self.bytes.end = end;
        self.hash = mix(self.hash, hash_of(&text[row.at.clone()]));
        self.open.push(Pending::of(row));
        Ok(())
    }

    /// Completes the open block.
    fn close(&mut self) {
        Pending::sort(&mut self.open);
        self.open.iter().for_each(|it| self.tally.add(&it.message));
        if !self.open.is_empty() {
            self.blocks.push(Block { bytes: self.bytes.clone(), hash: self.hash });
        }
        self.open.clear();
    }
}

impl StreamedTable {
    /// The file.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// A hash of all rows.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// True if the table was read for nodes of the same names and the same messages.
    pub fn is_for(&self, network: &Network, permitted: &Permitted) -> bool {
        let name =
            |at| (self.network.node_name(NodeId::new(at)), network.node_name(NodeId::new(at)));
        let nodes = self.network.nodes();
        let alike = |at| {
            let (ours, theirs) = name(at);
            ours == theirs
        };
        self.permitted == *permitted && nodes == network.nodes() && (0..nodes).all(alike)
    }

    /// Reads the rows of a block again.
    fn read(&self, block: &Block) -> Result<Arc<[ScriptMessage]>, String> {
        let mut bytes = vec![0; (block.bytes.end - block.bytes.start) as usize];
        let read = self.store.read(block.bytes.start, &mut bytes)?;
        bytes.truncate(read);
        let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        let mut report = Report::new(&text);
        let mut table = Table {
            network: &self.network,
            names: Names::with(&self.network, Arc::clone(&self.known)),
            permitted: &self.permitted,
            report: &mut report,
            rows: Vec::new(),
            replies: 0,
            ignored: Ignored::default(),
        };
        lines(&text).for_each(|line| table.row(line, &self.columns));
        let rows = std::mem::take(&mut table.rows);
        let hash = rows.iter().fold(0, |hash, row| mix(hash, hash_of(&text[row.at.clone()])));
        if hash != block.hash || !report.is_clean() {
            return Err("it has changed".into());
        }
        let mut all: Vec<Pending> = rows.iter().map(Pending::of).collect();
        Pending::sort(&mut all);
        Ok(all.into_iter().map(|it| it.message).collect())
    }
}

impl Blocks for StreamedTable {
    fn block(&self, number: usize) -> Option<Arc<[ScriptMessage]>> {
        let block = self.blocks.get(number)?;
        match self.read(block) {
            Ok(messages) => Some(messages),
            Err(why) => {
                let file = self.store.name();
                let why = format!("the messages of {file} can no longer be read: {why}");
                // Without the report of a bug.
                resume_unwind(Box::new(Unreadable(why)))
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
