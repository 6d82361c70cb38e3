//! A table of the fields and values of scenarios, from their descriptors.

use std::fmt::Write;

use super::names::join;
use super::schema::FIELDS;
use crate::words::{Contents, Field, Kind, Limits, Need, Value};

/// All fields and values as a table in Markdown.
pub fn table() -> String {
    table_of(FIELDS)
}

/// The given fields and their values as a table in Markdown.
pub fn table_of(all: &[Field]) -> String {
    let mut out = String::from("| field | values | default | description |\n|---|---|---|---|\n");
    fields(&mut out, "", all);
    out
}

fn fields(out: &mut String, path: &str, all: &[Field]) {
    for field in all {
        let path = join(path, field.name);
        let left_out = match field.need {
            Need::Example(example) => format!("required: `{example}`"),
            Need::Default(value) => format!("`{value}`"),
            Need::Open => String::new(),
        };
        row(out, &path, &said(&field.kind), &left_out, field.help);
        match field.kind {
            Kind::Choice(values) => values.iter().for_each(|values| choices(out, &path, values)),
            Kind::Fields(groups) => groups.iter().for_each(|group| fields(out, &path, group)),
            Kind::Whole { .. } | Kind::Number { .. } | Kind::Text(_) | Kind::Own(..) => {}
        }
    }
}

fn choices(out: &mut String, path: &str, values: &[Value]) {
    for value in values {
        let contents = match &value.contents {
            Contents::One(_, kind) => said(kind),
            Contents::Nothing | Contents::Fields(_) => String::new(),
        };
        row(out, &format!("{path}: {}", value.name), &contents, "", value.help);
        if let Contents::Fields(groups) = value.contents {
            for group in groups {
                fields(out, path, group);
            }
        }
    }
}

fn row(out: &mut String, field: &str, may_be: &str, left_out: &str, help: &str) {
    // Links work in the library documentation only.
    let mut parts = help.trim().split("[`");
    let mut help = parts.next().unwrap_or_default().to_owned();
    for link in parts {
        let link = link.trim_start_matches("Self::").replacen("`]", "`", 1);
        let _ = write!(help, "`{link}");
    }
    let _ = writeln!(out, "| `{field}` | {may_be} | {left_out} | {help} |");
}

/// Describes the possible values of a kind.
fn said(kind: &Kind) -> String {
    match *kind {
        Kind::Whole { limits: (least, most), .. } => format!("{least} to {most}"),
        Kind::Number { limits: Limits::Positive(most), .. } if most.is_finite() => {
            format!("above 0, at most {most}")
        }
        Kind::Number { limits: Limits::Positive(_), .. } => "above 0".into(),
        Kind::Number { limits: Limits::Below(limit), .. } => format!("above 0, below {limit}"),
        Kind::Number { limits: Limits::Within(least, most, unit), .. } => {
            format!("{least} to {most} {unit}")
        }
        Kind::Text(_) => "a text".into(),
        Kind::Choice(_) | Kind::Fields(_) => String::new(),
        Kind::Own(what, _) => what.into(),
    }
}

#[cfg(test)]
mod tests;
