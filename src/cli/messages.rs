//! Writes files of messages and channels, one line per message or channel.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::Failure;
use super::row_file::{RowFile, name};
use super::trace_file::{TraceFile, is_trace};
use crate::experiment::Outcome;
use crate::experiment::messages::{MessageRow, Record};
use crate::experiment::report::link_rows;
use crate::scenario::Scenario;

/// Names of the files.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct Records {
    /// Write a line for every message to this file, warm-up included, lost ones with the cycle of their loss,
    /// those that remain last: CSV, or one JSON object per line if its name ends in `.json` or `.jsonl`; Chrome trace JSON of delivered messages,
    /// which opens in Perfetto, if it ends in `.trace.json`. `arrivals: Replay(File("..."))` sends the messages
    /// of a CSV again
    #[arg(long, value_name = "FILE", value_parser = name)]
    pub(super) messages_to: Option<PathBuf>,
    /// Write a line for every channel and each of its VCs to this file, in the same formats: flits, shares
    /// of the time and waits since the warm-up, beside what routing alone would load it with
    #[arg(long, value_name = "FILE", value_parser = name)]
    pub(super) links_to: Option<PathBuf>,
    /// Replace these files, if they exist; without this they are left as they are, and the status is 2
    #[arg(long)]
    force: bool,
}

/// The open output files.
#[derive(Default)]
pub(super) struct Files {
    /// The file of messages.
    pub(super) messages: Option<Messages>,
    /// The file of channels.
    pub(super) links: Option<RowFile>,
}

impl Records {
    /// Creates the requested files.
    pub(super) fn begin(&self) -> Result<Files, Failure> {
        if self.force && self.messages_to.is_none() && self.links_to.is_none() {
            let help = "add --messages-to FILE or --links-to FILE, or leave it out";
            return Err(Failure::usage("--force replaces no file without the name of one", help));
        }
        if self.messages_to.is_some() && self.messages_to == self.links_to {
            let help = "give --links-to another name";
            return Err(Failure::usage("messages and links go to two files", help));
        }
        let messages = self.messages_to.as_ref().map(|path| Messages::begin(path, self.force));
        let links = self.links_to.as_ref().map(|path| RowFile::begin(path, self.force));
        Ok(Files { messages: messages.transpose()?, links: links.transpose()? })
    }
}

/// A file of messages.
pub(super) struct Messages {
    file: MessageFile,
    failed: Option<io::Error>,
}

/// The format of a file of messages.
enum MessageFile {
    Rows(RowFile),
    Trace(TraceFile),
}

impl Messages {
    fn begin(path: &Path, force: bool) -> Result<Self, Failure> {
        let file = if is_trace(path) {
            MessageFile::Trace(TraceFile::begin(path, force)?)
        } else {
            MessageFile::Rows(RowFile::begin(path, force)?)
        };
        Ok(Self { file, failed: None })
    }

    /// Writes a message of a run; a failed write stops the run.
    pub(super) fn take(&mut self, scenario: &Scenario, record: Record<'_>, stop: &AtomicBool) {
        if self.failed.is_some() {
            return;
        }
        let system = &scenario.system;
        let written = match (&mut self.file, record) {
            (MessageFile::Rows(rows), _) => rows.write(&MessageRow::new(system, record)),
            (MessageFile::Trace(trace), Record::Delivered(delivery)) => {
                trace.write(system, delivery)
            }
            (MessageFile::Trace(_), Record::Lost(_) | Record::Undelivered(_)) => Ok(()),
        };
        if let Err(error) = written {
            self.failed = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Completes the file under its final name.
    pub(super) fn keep(self) -> io::Result<()> {
        match (self.failed, self.file) {
            (Some(error), _) => Err(error),
            (None, MessageFile::Rows(rows)) => rows.keep(),
            (None, MessageFile::Trace(trace)) => trace.keep(),
        }
    }
}

/// Writes a line for every channel and virtual channel of a run.
pub(super) fn write_links(file: &mut RowFile, outcome: &Outcome) -> io::Result<()> {
    link_rows(outcome).try_for_each(|row| file.write(&row))
}
