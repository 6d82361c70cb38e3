//! The messages of a run as lines of a file.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::Failure;
use crate::engine::Delivery;
use crate::experiment::messages::MessageRow;
use crate::files::Draft;
use crate::scenario::Scenario;

/// Where they are written.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct Records {
    /// Write a line for every message that arrives to this file, warm-up included: CSV, or one JSON object
    /// per line if its name ends in `.json` or `.jsonl`
    #[arg(long, value_name = "FILE", value_parser = name)]
    pub(super) messages_to: Option<PathBuf>,
    /// Replace that file, if it exists; without this it is left as it is, and the status is 2
    #[arg(long, requires = "messages_to")]
    force: bool,
}

fn is_json(path: &Path) -> Option<bool> {
    match path.extension()?.to_str()? {
        "csv" => Some(false),
        "json" | "jsonl" => Some(true),
        _ => None,
    }
}

fn name(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let known = is_json(&path).is_some();
    if known { Ok(path) } else { Err("its name must end in .csv, .json or .jsonl".to_owned()) }
}

impl Records {
    /// Begins the file, if one is wanted.
    pub(super) fn begin(&self) -> Result<Option<Messages>, Failure> {
        let Some(path) = &self.messages_to else { return Ok(None) };
        let draft = Draft::begin(path, self.force)?;
        let lines = if is_json(path) == Some(true) {
            Lines::Json(BufWriter::new(draft))
        } else {
            Lines::Csv(Box::new(csv::Writer::from_writer(draft)))
        };
        Ok(Some(Messages { lines, failed: None }))
    }
}

/// A file of messages, which gets its name when it is complete. No message stays in memory.
pub(super) struct Messages {
    lines: Lines,
    failed: Option<io::Error>,
}

enum Lines {
    Csv(Box<csv::Writer<Draft>>),
    Json(BufWriter<Draft>),
}

impl Messages {
    /// Takes a message of a run, which is stopped if it cannot be written.
    pub(super) fn take(&mut self, scenario: &Scenario, delivery: &Delivery, stop: &AtomicBool) {
        if self.failed.is_some() {
            return;
        }
        let row = MessageRow::new(&scenario.system, delivery);
        let written = match &mut self.lines {
            Lines::Csv(lines) => lines.serialize(row).map_err(io::Error::from),
            Lines::Json(lines) => serde_json::to_writer(&mut *lines, &row)
                .map_err(io::Error::from)
                .and_then(|()| lines.write_all(b"\n")),
        };
        if let Err(error) = written {
            self.failed = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Gives the file its name.
    pub(super) fn keep(self) -> io::Result<()> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let draft = match self.lines {
            Lines::Csv(lines) => lines.into_inner().map_err(csv::IntoInnerError::into_error)?,
            Lines::Json(lines) => lines.into_inner().map_err(io::IntoInnerError::into_error)?,
        };
        draft.keep().map(drop)
    }
}
