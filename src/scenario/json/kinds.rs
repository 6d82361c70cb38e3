//! Kinds of values admitted at a place in JSON text, from the descriptors.

use crate::scenario::names::nearest;
use crate::words::{Field, Kind, Structure, Value};

/// The kinds of values admitted at a place; empty for an unknown field.
pub(super) type Admitted<'k> = Vec<&'k Kind>;

pub(super) fn admitted(kind: &Kind) -> Admitted<'_> {
    match kind {
        Kind::Own(_, Structure::Either(kinds)) => kinds.iter().flat_map(admitted).collect(),
        Kind::Whole { .. }
        | Kind::Number { .. }
        | Kind::Text(_)
        | Kind::Choice(_)
        | Kind::Fields(_)
        | Kind::Own(..) => vec![kind],
    }
}

pub(super) fn values_of<'k>(
    admitted: &[&'k Kind],
) -> impl Iterator<Item = &'static Value> + use<'k> {
    let groups = admitted.iter().filter_map(|kind| match kind {
        Kind::Choice(groups) => Some(groups.iter().copied().flatten()),
        Kind::Whole { .. }
        | Kind::Number { .. }
        | Kind::Text(_)
        | Kind::Fields(_)
        | Kind::Own(..) => None,
    });
    groups.collect::<Vec<_>>().into_iter().flatten()
}

/// The fields of a structure, by name.
#[derive(Clone, Copy)]
pub(super) enum Named {
    /// Described fields.
    Fields(&'static [&'static [Field]]),
    /// Fields that `serde` reads.
    Plain(&'static [(&'static str, Kind)]),
}

impl Named {
    /// The kind of the field with an equal or similar name.
    pub fn kind(self, name: &str) -> Option<Kind> {
        match self {
            Self::Fields(groups) => {
                let all = || groups.iter().copied().flatten();
                let is = all().find(|field| field.name == name).or_else(|| {
                    let near = nearest(name, all().map(|field| field.name))?;
                    all().find(|field| field.name == near)
                });
                is.map(|field| field.kind)
            }
            Self::Plain(kinds) => {
                let known = kinds.iter().find(|(known, _)| *known == name);
                Some(known.map_or(Kind::Own("a value", Structure::Plain(&[])), |(_, kind)| *kind))
            }
        }
    }
}

/// The kind of the values of a map, by key.
#[derive(Clone, Copy)]
pub(super) enum Keyed {
    /// The same kind for all keys.
    All(&'static Kind),
    /// Fields of a scenario, each with a value.
    Settings(&'static [Field]),
    /// Fields of a scenario, each with a list of values.
    Axes(&'static [Field]),
}

/// True for a valid identifier of RON.
pub(super) fn is_identifier(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().all(is_letter)
        && !text.starts_with(|first: char| first.is_ascii_digit())
        && !text.is_empty()
}

/// True for text that begins like the name of a variant.
pub(super) fn begins_upper(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_uppercase())
}
