//! Selects cases by the values of their names.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::cases::Value;
use super::lookup::Lookup;

/// A place on an axis: a value for each of its names.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(untagged)]
pub enum Entry {
    One(Value),
    /// One value for each name of the axis.
    Many(Vec<Value>),
}

impl Entry {
    pub fn values(&self) -> &[Value] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Many(values) => values,
        }
    }
}

/// Selects cases by one or several values per name. Without names all cases are selected.
#[derive(Clone, PartialEq, Deserialize, Debug)]
#[serde(untagged)]
pub enum Selection {
    Values(BTreeMap<String, Entry>),
    /// A condition in the syntax of earlier versions, now refused.
    Formula(String),
}

impl Default for Selection {
    fn default() -> Self {
        Self::Values(BTreeMap::new())
    }
}

impl Selection {
    /// The names of the values.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        match self {
            Self::Values(values) => Some(values.keys()),
            Self::Formula(_) => None,
        }
        .into_iter()
        .flatten()
    }

    pub fn holds(&self, case: &Lookup<'_>) -> bool {
        let is = |(name, values): (&String, &Entry)| {
            case.value(name).is_some_and(|value| values.values().contains(&value))
        };
        match self {
            Self::Values(values) => values.iter().all(is),
            Self::Formula(_) => false,
        }
    }
}
