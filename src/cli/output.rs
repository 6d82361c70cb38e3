//! Prints results to standard output, and remarks to standard error.
//!
//! Commands print only by these functions.

use std::io::{self, IsTerminal, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{self, Path};

use super::Failure;
use crate::experiment::leases::host;
use crate::experiment::report::{Format, Row, csv, json_lines};
use crate::tui::theme::Environment;
use crate::{files, text};

pub(super) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

pub(super) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let printed = out.write_all(bytes).and_then(|()| out.flush());
    Ok(printed.map_err(|error| files::named(Path::new("standard output"), &error))?)
}

/// Prints rows, or the text of `table` in the format for people.
pub(super) fn print_rows<R: Row>(
    format: Format,
    rows: &[R],
    table: impl FnOnce() -> String,
) -> Result<(), Failure> {
    print_more(format, rows, true, table)
}

/// Prints rows incrementally: only the `first` batch of CSV has a heading.
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
                // Column names contain no line break.
                let heading = bytes.iter().position(|&byte| byte == b'\n');
                drop(bytes.drain(..heading.map_or(0, |end| end + 1)));
            }
        }
        Format::Json => json_lines(rows, &mut bytes)?,
    }
    print_bytes(&bytes)
}

/// Prints a remark on standard error, ignoring errors such as a closed stream.
pub(super) fn remark(text: &str) {
    let _ = writeln!(io::stderr(), "flitscope: {}", text::line(text));
}

/// Prints a remark on a scenario, under its name unless the remark is on a file of this name.
pub(super) fn remark_about(scenario: &str, what: &str) {
    let file = Path::new(scenario).file_name().unwrap_or_default().to_string_lossy();
    let begins = what.strip_prefix(&*file).is_some_and(|rest| rest.starts_with(": "));
    if begins { remark(what) } else { remark(&format!("{scenario}: {what}")) }
}

/// Prints a remark starting with a file name.
pub(super) fn remark_on(path: &Path, rest: &str) {
    let name = file_name(path, &io::stderr());
    let _ = writeln!(io::stderr(), "flitscope: {name}{}", text::line(rest));
}

/// A printable file name: a link to the file if `out` is a terminal known to support links, else
/// the plain name.
pub(super) fn file_name(path: &Path, out: &impl IsTerminal) -> String {
    let shown = text::line(&path.display().to_string());
    if !out.is_terminal() || !Environment::read().knows_links() {
        return shown;
    }
    path::absolute(path).map_or(shown.clone(), |path| link(&path, &host(), &shown))
}

/// A link (OSC 8) to a file of this machine, by an absolute path.
fn link(path: &Path, host: &str, shown: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let encoded = |bytes: &[u8]| -> String {
        let one = |&byte: &u8| match byte {
            _ if plain(byte) => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        };
        bytes.iter().map(one).collect()
    };
    let (host, path) = (encoded(host.as_bytes()), encoded(path.as_os_str().as_bytes()));
    format!("\x1b]8;;file://{host}{path}\x1b\\{shown}\x1b]8;;\x1b\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_the_host_and_no_letter_that_could_end_it() {
        let path = Path::new("/tmp/a b;\u{1b}\\\u{7}é.cast");
        let link = link(path, "box 1", "a");
        let wanted = "\x1b]8;;file://box%201/tmp/a%20b%3B%1B%5C%07%C3%A9.cast\x1b\\a\x1b]8;;\x1b\\";
        assert_eq!(link, wanted);
        let file = tempfile::tempfile().unwrap();
        assert_eq!(file_name(Path::new("a\u{7}.cast"), &file), text::line("a\u{7}.cast"));
    }
}
