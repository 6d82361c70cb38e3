//! Writes files of rows, renamed to their final name when complete.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Failure;
use crate::files::Draft;

/// Rows as CSV, or as one JSON object per line. Rows are not kept in memory.
pub(super) enum RowFile {
    /// A line of column names, followed by a line per row.
    Csv(Box<csv::Writer<Draft>>),
    /// One object per line.
    Json(BufWriter<Draft>),
}

fn is_json(path: &Path) -> Option<bool> {
    match path.extension()?.to_str()? {
        "csv" => Some(false),
        "json" | "jsonl" => Some(true),
        _ => None,
    }
}

/// Parses a file name; the extension determines the format.
pub(super) fn name(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let known = is_json(&path).is_some();
    if known { Ok(path) } else { Err("its name must end in .csv, .json or .jsonl".to_owned()) }
}

impl RowFile {
    /// Creates the file; `force` permits replacing an existing file.
    pub(super) fn begin(path: &Path, force: bool) -> Result<Self, Failure> {
        let draft = Draft::begin(path, force)?;
        Ok(if is_json(path) == Some(true) {
            Self::Json(BufWriter::new(draft))
        } else {
            Self::Csv(Box::new(csv::Writer::from_writer(draft)))
        })
    }

    /// Writes a row.
    pub(super) fn write(&mut self, row: &impl Serialize) -> io::Result<()> {
        match self {
            Self::Csv(lines) => lines.serialize(row).map_err(io::Error::from),
            Self::Json(lines) => {
                serde_json::to_writer(&mut *lines, row).map_err(io::Error::from)?;
                lines.write_all(b"\n")
            }
        }
    }

    /// Completes the file under its final name.
    pub(super) fn keep(self) -> io::Result<()> {
        let draft = match self {
            Self::Csv(lines) => lines.into_inner().map_err(csv::IntoInnerError::into_error)?,
            Self::Json(lines) => lines.into_inner().map_err(io::IntoInnerError::into_error)?,
        };
        draft.keep().map(drop)
    }
}
