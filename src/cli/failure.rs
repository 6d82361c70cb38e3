//! Why the program did not do what was asked, with the exit status that says so.

use std::any::Any;
use std::io::{self, IsTerminal, Write};

use crate::experiment::Crash;
use crate::scenario::{self, Problem};
use crate::text;

/// What each exit status means.
pub(super) const STATUSES: &[(u8, &str)] = &[
    (0, "done"),
    (1, "a check or verdict failed"),
    (2, "wrong usage, scenario or configuration, or a file that exists"),
    (3, "a run was stopped by a deadlock"),
    (70, "a mistake of the program"),
    (74, "input or output failed"),
    (130, "interrupted"),
];

/// A failure.
#[derive(Debug)]
pub enum Failure {
    /// Wrong arguments: a text that says so, ready to be shown.
    Usage(String),
    /// Scenarios that cannot be run: their problems, rendered.
    Scenario(String),
    /// `check` found a cycle of virtual channels that depend on each other.
    Cycle,
    /// A session made again came to another state than the one saved.
    Differs {
        /// The fingerprint in the file.
        saved: u64,
        /// That of the run.
        found: u64,
    },
    /// A verdict of `reproduce` differs from the one expected.
    Verdict,
    /// A deadlock stopped a run.
    Deadlock,
    /// A signal of this number stopped the work.
    Interrupted(u8),
    /// A mistake of the program itself.
    Internal(String),
    /// Input or output failed.
    Io(io::Error),
    /// Nobody reads the output any more. That is no failure, but there is no use going on.
    OutputClosed,
}

impl Failure {
    /// The exit status.
    pub fn status(&self) -> u8 {
        match self {
            Self::OutputClosed => 0,
            Self::Cycle | Self::Verdict | Self::Differs { .. } => 1,
            Self::Usage(_) | Self::Scenario(_) => 2,
            Self::Deadlock => 3,
            Self::Internal(_) => 70,
            Self::Io(_) => 74,
            Self::Interrupted(signal) => 128u8.saturating_add(*signal),
        }
    }

    /// Says on standard error what happened.
    pub fn tell(&self) {
        let text = match self {
            Self::OutputClosed => return,
            Self::Usage(text) | Self::Scenario(text) => text.trim_end().to_owned(),
            Self::Cycle => "flitscope: a cycle of dependencies was found".to_owned(),
            Self::Differs { saved, found } => format!(
                "flitscope: the state is {found:016x}, saved was {saved:016x}: the file was changed, \
                 or another version of the program wrote it"
            ),
            Self::Verdict => "flitscope: a verdict differs from the one expected".to_owned(),
            Self::Deadlock => "flitscope: a run was stopped by a deadlock".to_owned(),
            Self::Interrupted(_) => "flitscope: interrupted".to_owned(),
            Self::Internal(what) => format!(
                "flitscope: {}\nThis is a mistake of the program, not of the scenario. Please \
                 report it with the scenario, the seed and the cycle.",
                text::lines(what)
            ),
            Self::Io(error) => format!("flitscope: {}", text::line(&error.to_string())),
        };
        // With standard error gone too, the exit status alone must say it.
        let _ = writeln!(io::stderr(), "{text}");
    }

    /// Arguments that were not understood, in colour where a person reads it.
    pub(super) fn of_usage(answer: &clap::Error) -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let text = answer.render();
        Self::Usage(if io::stderr().is_terminal() && !plain {
            text.ansi().to_string()
        } else {
            text.to_string()
        })
    }

    /// A panic that reached the top.
    pub(super) fn of_panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Self::Internal(text.unwrap_or("a panic without a message").to_owned())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::OutputClosed
        } else if error.kind() == io::ErrorKind::AlreadyExists {
            Self::Usage(format!("error: {error}\n = help: `--force` replaces it"))
        } else {
            Self::Io(error)
        }
    }
}

impl From<Crash> for Failure {
    fn from(crash: Crash) -> Self {
        Self::Internal(crash.to_string())
    }
}

impl From<Vec<Problem>> for Failure {
    fn from(problems: Vec<Problem>) -> Self {
        Self::Scenario(scenario::render(&problems))
    }
}
