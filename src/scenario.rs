//! A scenario: a RON text, checked into something runnable, or all its problems with their places.

use crate::system::System;

/// A checked scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The built-in name or the path it was read from, for people.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The text as read, without the overrides.
    pub text: String,
    /// What is simulated.
    pub system: System,
    /// Seed of all random choices.
    pub seed: u64,
}

/// One mistake in a scenario, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file, built-in or option in which it stands: `ring.ron`, `--set routing.escape`.
    pub source: String,
    /// Line and column, from 1; `None` where the whole source is meant.
    pub place: Option<Place>,
    /// What is wrong, in numbers.
    pub what: String,
    /// The smallest edit that mends it.
    pub help: Option<String>,
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Characters to underline, at least 1.
    pub length: usize,
    /// The line's text.
    pub text: String,
}
