//! Statements of a configuration: `key = value;`, with comments from `//` to the end of a line.

use std::collections::BTreeMap;

use crate::network_files::mistake::{Report, Span, quoted};

/// The value of a key, with the places of both.
#[derive(Clone, Debug)]
pub(super) struct Statement<'t> {
    pub value: &'t str,
    pub name_at: Span,
    pub value_at: Span,
}

/// Reads all statements; of several for a key, the last counts.
pub(super) fn statements<'t>(report: &mut Report<'t>) -> BTreeMap<&'t str, Statement<'t>> {
    let mut given = BTreeMap::new();
    let text = report.text;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or(line);
        for part in line.split_inclusive(';') {
            let statement = part.trim();
            if statement.is_empty() || statement == ";" {
                continue;
            }
            let at = report.span(statement);
            let Some(body) = statement.strip_suffix(';') else {
                let what = format!("{} does not end with a semicolon", quoted(statement));
                report.add(&at, what, "write `key = value;` in one line");
                continue;
            };
            let Some((name, value)) = body.split_once('=') else {
                let what = format!("{} is not a statement", quoted(statement));
                report.add(&at, what, "write `key = value;`");
                continue;
            };
            let (name, value) = (name.trim(), value.trim());
            let [name_at, value_at] = [name, value].map(|part| report.span(part));
            given.insert(name, Statement { value, name_at, value_at });
        }
    }
    given
}
