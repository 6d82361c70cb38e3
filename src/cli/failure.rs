//! Why the program failed, with the exit status that says so.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use super::memory;
use crate::experiment::Crash;
use crate::experiment::sweep::OpenError;
use crate::scenario::{self, Override, Problem};
use crate::text;

/// The number of the signal that ends a program whose output nobody reads.
const SIGPIPE: u8 = 13;

/// What each exit status means.
pub(super) const STATUSES: &[(u8, &str)] = &[
    (0, "done"),
    (1, "a check or verdict failed"),
    (2, "wrong usage, scenario or configuration, or a file that exists"),
    (3, "a run was stopped by a deadlock"),
    (70, "a mistake of the program"),
    (74, "input or output failed"),
    (75, "points of a study are missing: its time was over"),
    (130, "interrupted"),
    (141, "the reader of its output went away (as SIGPIPE says it)"),
    (143, "asked to end (SIGTERM)"),
];

/// A failure, and what is said of it on standard error.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Wrong arguments, or scenarios that cannot be run: a text that says so, ready to be shown.
    #[error("{0}")]
    Usage(String),
    /// `check` found virtual channels that depend on each other in a ring.
    #[error("a cycle of dependencies was found")]
    Cycle,
    /// A session made again came to another state than the one saved.
    #[error(
        "the state is {found:016x}, saved was {saved:016x}: the file was changed, or another version \
         of the program wrote it"
    )]
    Differs {
        /// The fingerprint in the file.
        saved: u64,
        /// That of the run.
        found: u64,
    },
    /// One of `reproduce`.
    #[error("a verdict differs from the one expected")]
    Verdict,
    /// Its wait can never end.
    #[error("a run was stopped by a deadlock")]
    Deadlock,
    /// This many files of a study are damaged.
    #[error(
        "{} damaged: `flitscope sweep run` makes them again",
        text::count(*.0, "file is", "files are")
    )]
    Damaged(usize),
    /// So many points of a study are missing, since its time was over.
    #[error("{} missing: the time is over", text::count(*.0, "point is", "points are"))]
    Missing(usize),
    /// Saturation was not found on this many curves of a study, so none of its shares was run.
    #[error(
        "saturation was not found on {}, so no share of it was run: longer runs may find it",
        text::count(*.0, "curve", "curves")
    )]
    Unfound(usize),
    /// By a signal of this number.
    #[error("{}", if memory::ran_out() { "this machine has no more memory for it" } else { "interrupted" })]
    Interrupted(u8),
    /// A mistake of the program itself.
    #[error(
        "{}\nThis is a mistake of the program, not of the scenario. Please report it with the \
         scenario, the seed and the cycle.",
        text::lines(.0)
    )]
    Internal(String),
    /// Input or output failed.
    #[error("{}", text::line(&.0.to_string()))]
    Io(io::Error),
    /// The reader of the output has gone away. Nothing is said of it, and the status is that of a program
    /// which the system ends by SIGPIPE, as it ends `cat` and `sort`.
    #[error("the output is closed")]
    OutputClosed,
}

impl Failure {
    /// What a person did wrong, and what would be right.
    pub(super) fn usage(what: impl Display, help: impl Display) -> Self {
        Self::Usage(format!("error: {what}\n = help: {help}"))
    }

    /// An option beside a study that sets the same field.
    pub(super) fn beside_study(option: &Override) -> Self {
        let what = format!("`{}` is given beside a study, which says that itself", option.label);
        Self::usage(what, "leave it out, or change the study's file")
    }

    /// A name that there is not: what there is none of, what was probably meant, or else where it is
    /// looked up.
    pub(super) fn unknown(what: &str, near: Option<&str>, list: &str) -> Self {
        match near {
            Some(near) => Self::usage(what, format!("did you mean `{near}`?")),
            None => Self::usage(what, list),
        }
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        match self {
            Self::Cycle
            | Self::Verdict
            | Self::Differs { .. }
            | Self::Unfound(_)
            | Self::Damaged(_) => 1,
            Self::Usage(_) => 2,
            Self::Deadlock => 3,
            Self::Internal(_) => 70,
            Self::Io(_) => 74,
            Self::Missing(_) => 75,
            Self::OutputClosed => 128 + SIGPIPE,
            Self::Interrupted(signal) => 128u8.saturating_add(*signal),
        }
    }

    /// Says on standard error what happened, once: the thread that watches for signals and the main
    /// one may come to it at the same time.
    pub fn tell(&self) {
        static TOLD: Mutex<bool> = Mutex::new(false);
        let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *told, true) {
            return;
        }
        // With standard error gone too, the exit status alone must say it.
        let _ = if let Self::Usage(text) = self {
            writeln!(io::stderr(), "{}", text.trim_end())
        } else if matches!(self, Self::OutputClosed) {
            Ok(())
        } else {
            writeln!(io::stderr(), "flitscope: {self}")
        };
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
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::OutputClosed
        } else if error.kind() == io::ErrorKind::AlreadyExists {
            Self::usage(error, "`--force` replaces it")
        } else {
            Self::Io(error)
        }
    }
}

impl From<rayon::ThreadPoolBuildError> for Failure {
    fn from(error: rayon::ThreadPoolBuildError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<Crash> for Failure {
    fn from(crash: Crash) -> Self {
        Self::Internal(crash.to_string())
    }
}

impl From<Vec<Problem>> for Failure {
    fn from(problems: Vec<Problem>) -> Self {
        Self::Usage(scenario::render(&problems))
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Study(problems) => problems.into(),
            OpenError::Io(error) => error.into(),
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Usage(problem.to_string())
    }
}
