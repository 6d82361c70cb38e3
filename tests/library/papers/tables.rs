//! Reads the tables of the papers.

use std::collections::BTreeMap;
use std::path::Path;

/// A row, by column name.
pub type Row = BTreeMap<String, String>;

/// The rows of a table in `tests/papers`.
pub fn rows(file: &str) -> Vec<Row> {
    read(&format!("tests/papers/{file}"))
}

/// The rows of a table that belongs to a study, in `scenarios/studies`.
pub fn study_rows(file: &str) -> Vec<Row> {
    read(&format!("scenarios/studies/{file}"))
}

fn read(path: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(path)
        .expect("a table that is part of the project");
    reader.deserialize().map(|row| row.expect("a row with a field per column")).collect()
}

/// A field of a row as a number.
pub fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(row: &Row, of: &str) -> T {
    row[of].parse().expect("a number")
}
