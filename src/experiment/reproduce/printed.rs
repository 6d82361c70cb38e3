//! Reads the figures of papers that are embedded in the program (`data/*.csv`).

use serde::de::DeserializeOwned;

/// The rows of an embedded table; lines that begin with `#` say where it comes from.
///
/// # Panics
///
/// If the text is no such table: a mistake in the program, found by every test of the study.
pub(super) fn rows<R: DeserializeOwned>(text: &str) -> Vec<R> {
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes())
        .deserialize()
        .map(|row| row.expect("an embedded table is well formed"))
        .collect()
}
