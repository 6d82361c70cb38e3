//! Standard output, and remarks on standard error. All that is printed goes through here.

use std::io::{self, Write};
use std::path::Path;

use super::Failure;
use crate::experiment::report::{Format, Row, csv, json_lines};
use crate::{files, text};

pub(super) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

pub(super) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let printed = out.write_all(bytes).and_then(|()| out.flush());
    Ok(printed.map_err(|error| files::named(Path::new("standard output"), &error))?)
}

/// Prints rows, or for people the text made by `table`.
pub(super) fn print_rows<R: Row>(
    format: Format,
    rows: &[R],
    table: impl FnOnce() -> String,
) -> Result<(), Failure> {
    print_more(format, rows, true, table)
}

/// Prints rows as they come: the heading of CSV stands above the `first` ones alone.
pub(super) fn print_more<R: Row>(
    format: Format,
    rows: &[R],
    first: bool,
    table: impl FnOnce() -> String,
) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    match format {
        Format::Table => bytes = table().into_bytes(),
        Format::Csv => {
            csv(rows, &mut bytes)?;
            if !first {
                // No name of a column has a line break in it.
                let heading = bytes.iter().position(|&byte| byte == b'\n');
                drop(bytes.drain(..heading.map_or(0, |end| end + 1)));
            }
        }
        Format::Json => json_lines(rows, &mut bytes)?,
    }
    print_bytes(&bytes)
}

/// A remark on standard error. If that is closed, there is nobody to miss it.
pub(super) fn remark(text: &str) {
    let _ = writeln!(io::stderr(), "flitscope: {}", text::line(text));
}
