//! Themes by their names: those of the program, and those that a person's configuration declares.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

use super::setting::{Setting, written};
use crate::scenario::names::meant;
use crate::tui::theme::Kind;
use crate::tui::theme::looks::{Look, SCHEMES};

/// The theme that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// As the terminal answers.
    Auto,
    /// The usual one, for this background.
    Ground(Kind),
    /// A scheme, or a theme of a person's own.
    Look(&'static Look),
    /// One of this name, which is still to be looked for.
    Named(&'static str),
}

const PLAIN: super::Words<Wanted> = &[
    ("auto", "The terminal is asked", Wanted::Auto),
    ("dark", "Dark", Wanted::Ground(Kind::Dark)),
    ("light", "Light", Wanted::Ground(Kind::Light)),
    ("mono", "No colour", Wanted::Ground(Kind::Mono)),
];

impl Wanted {
    /// What a name asks for.
    fn of(name: &str) -> Self {
        let plain = PLAIN.iter().find(|(word, ..)| *word == name).map(|&(.., it)| it);
        let scheme = || SCHEMES.iter().find(|look| look.name == name).map(Self::Look);
        // A few letters for as long as the program runs.
        plain.or_else(scheme).unwrap_or_else(|| Self::Named(String::from(name).leak()))
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Auto | Self::Ground(_) => written(PLAIN, self),
            Self::Look(look) => look.name,
            Self::Named(name) => name,
        }
    }

    /// The names of all themes of the program, and of a person's own.
    pub(in crate::cli) fn names(own: &[&'static Look]) -> Vec<&'static str> {
        let plain = PLAIN.iter().map(|&(word, ..)| word);
        plain.chain(SCHEMES.iter().chain(own.iter().copied()).map(|look| look.name)).collect()
    }

    /// The same, found among a person's own themes if need be; else what is like its name, or what
    /// names there are.
    pub(in crate::cli) fn among(self, own: &[&'static Look]) -> Result<Self, String> {
        let Self::Named(name) = self else { return Ok(self) };
        let names = Self::names(own);
        let found = own.iter().find(|look| look.name == name).map(|&look| Self::Look(look));
        found.ok_or_else(|| meant(name, &names))
    }
}

/// The name of a theme as a configuration file has it.
pub(super) fn theme() -> Setting<Wanted> {
    Setting {
        written: |wanted| format!("{:?}", wanted.name()),
        value: |reader, node, name| {
            Some(Wanted::of(&reader.line_of_text(node, &format!("`{name}`"))?))
        },
    }
}

/// Reads the name of a theme on the command line.
#[derive(Clone, Copy)]
pub(super) struct Themes;

impl TypedValueParser for Themes {
    type Value = Wanted;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Wanted, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value).map(|name| Wanted::of(&name))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let plain = PLAIN.iter().map(|&(word, help, _)| (word, help));
        let schemes = SCHEMES.iter().map(|look| (look.name, look.title));
        let all = plain.chain(schemes);
        Some(Box::new(all.map(|(word, help)| PossibleValue::new(word).help(help))))
    }
}
