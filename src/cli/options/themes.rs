//! Finds themes by name, built in or in the user's configuration.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

use super::setting::{Setting, written};
use crate::scenario::names::meant;
use crate::tui::theme::Kind;
use crate::tui::theme::looks::{Look, SCHEMES};

/// The requested theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestedTheme {
    /// Chosen from the terminal's answer.
    Auto,
    /// The default theme for this background.
    Ground(Kind),
    /// A built-in scheme, or a theme of the user.
    Look(&'static Look),
    /// An unresolved name.
    Named(&'static str),
}

const PLAIN: super::Words<RequestedTheme> = &[
    ("auto", "The terminal is asked", RequestedTheme::Auto),
    ("dark", "Dark", RequestedTheme::Ground(Kind::Dark)),
    ("light", "Light", RequestedTheme::Ground(Kind::Light)),
    ("mono", "No colour", RequestedTheme::Ground(Kind::Mono)),
];

impl RequestedTheme {
    /// Resolves a built-in name; other names stay unresolved.
    fn of(name: &str) -> Self {
        let plain = PLAIN.iter().find(|(word, ..)| *word == name).map(|&(.., it)| it);
        let scheme = || SCHEMES.iter().find(|look| look.name == name).map(Self::Look);
        // Leaks a few bytes, to live as long as the program.
        plain.or_else(scheme).unwrap_or_else(|| Self::Named(String::from(name).leak()))
    }

    /// The theme's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Auto | Self::Ground(_) => written(PLAIN, self),
            Self::Look(look) => look.name,
            Self::Named(name) => name,
        }
    }

    /// The names of all built-in themes and of the user's themes.
    pub(in crate::cli) fn names(own: &[&'static Look]) -> Vec<&'static str> {
        let plain = PLAIN.iter().map(|&(word, ..)| word);
        plain.chain(SCHEMES.iter().chain(own.iter().copied()).map(|look| look.name)).collect()
    }

    /// Resolves the name among the user's themes; the error suggests similar names, or lists all.
    pub(in crate::cli) fn among(self, own: &[&'static Look]) -> Result<Self, String> {
        let Self::Named(name) = self else { return Ok(self) };
        let names = Self::names(own);
        let found = own.iter().find(|look| look.name == name).map(|&look| Self::Look(look));
        found.ok_or_else(|| meant(name, &names))
    }
}

/// A theme name in a configuration file.
pub(super) fn theme() -> Setting<RequestedTheme> {
    Setting {
        written: |wanted| format!("{:?}", wanted.name()),
        value: |reader, node, name| {
            Some(RequestedTheme::of(&reader.line_of_text(node, &format!("`{name}`"))?))
        },
    }
}

/// Parses the name of a theme on the command line.
#[derive(Clone, Copy)]
pub(super) struct Themes;

impl TypedValueParser for Themes {
    type Value = RequestedTheme;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<RequestedTheme, clap::Error> {
        StringValueParser::new()
            .parse_ref(command, argument, value)
            .map(|name| RequestedTheme::of(&name))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let plain = PLAIN.iter().map(|&(word, help, _)| (word, help));
        let schemes = SCHEMES.iter().map(|look| (look.name, look.title));
        let all = plain.chain(schemes);
        Some(Box::new(all.map(|(word, help)| PossibleValue::new(word).help(help))))
    }
}
