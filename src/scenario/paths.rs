//! Finds fields by their path, such as `traffic.arrivals.rate`.

use crate::words::{Contents, Field, Kind, Need, Value};

/// The field of a path; the first field if several variants have fields of the same name.
fn field(whole: &[Field], path: &str) -> Option<Field> {
    let (mut open, mut found) = (whole.to_vec(), None);
    for name in path.split('.') {
        let field = open.into_iter().find(|field| field.name == name)?;
        open = fields(field.kind);
        found = Some(field);
    }
    found
}

/// The kind of the field at a path.
pub(super) fn kind(whole: &[Field], path: &str) -> Option<Kind> {
    field(whole, path).map(|field| field.kind)
}

/// The example or default of the field at a path.
pub(super) fn example(whole: &[Field], path: &str) -> Option<&'static str> {
    match field(whole, path)?.need {
        Need::Example(value) | Need::Default(value) => Some(value),
        Need::Open => None,
    }
}

fn fields(kind: Kind) -> Vec<Field> {
    let within = |value: &Value| match value.contents {
        Contents::Fields(groups) => groups.concat(),
        Contents::One(_, kind) => fields(kind),
        Contents::Nothing => Vec::new(),
    };
    match kind {
        Kind::Fields(groups) => groups.concat(),
        Kind::Choice(groups) => groups.iter().copied().flatten().flat_map(within).collect(),
        Kind::Whole { .. } | Kind::Number { .. } | Kind::Text(_) | Kind::Own(..) => Vec::new(),
    }
}
