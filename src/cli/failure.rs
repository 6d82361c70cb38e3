//! Failures of the program, with their exit status.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use super::memory;
use crate::experiment::Crash;
use crate::experiment::sweep::OpenError;
use crate::scenario::{self, Override, Problem};
use crate::session::fault::Fault;
use crate::text;

/// The number of the signal ending a program with a closed output pipe.
const SIGPIPE: u8 = 13;

/// The meaning of each exit status.
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

/// A failure, with the message for standard error.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Wrong arguments, or invalid scenarios: the rendered message.
    #[error("{0}")]
    Usage(String),
    /// `check` found a cyclic dependency of virtual channels.
    #[error("a cycle of dependencies was found")]
    Cycle,
    /// `check` found neither a cycle nor a proof.
    #[error("freedom of deadlock is not proven")]
    Unproven,
    /// A stop of the tour cannot be done by its keys: the rendered message.
    #[error("{0}")]
    Undone(String),
    /// A fabric differs from its plan.
    #[error("the fabric differs from its plan")]
    Unplanned,
    /// A replayed session ended in a state different from the saved state.
    #[error(
        "the state is {found:016x}, saved was {saved:016x}: the file was changed, or another version \
         of the program wrote it"
    )]
    Differs {
        /// The fingerprint in the file.
        saved: u64,
        /// The fingerprint of the run.
        found: u64,
    },
    /// A verdict of `reproduce` failed.
    #[error("a verdict differs from the one expected")]
    Verdict,
    /// A run was stopped by a deadlock.
    #[error("a run was stopped by a deadlock")]
    Deadlock,
    /// The number of damaged files of a study.
    #[error(
        "{} damaged: `flitscope sweep run` makes them again",
        text::count(*.0, "file is", "files are")
    )]
    Damaged(usize),
    /// The number of points still missing at the end of a study's time limit.
    #[error("{} missing: the time is over", text::count(*.0, "point is", "points are"))]
    Missing(usize),
    /// The number of curves of a study without a known saturation, and therefore without results at
    /// shares of saturation.
    #[error(
        "saturation was not found on {}, so no share of it was run: longer runs may find it",
        text::count(*.0, "curve", "curves")
    )]
    Unfound(usize),
    /// Interrupted by a signal, with the signal's number.
    #[error("{}", if memory::ran_out() { "this machine has no more memory for it" } else { "interrupted" })]
    Interrupted(u8),
    /// A bug in the program.
    #[error(
        "{}\nThis is a mistake of the program, not of the scenario. Please report it with the \
         scenario, the seed and the cycle.",
        text::lines(.0)
    )]
    Internal(String),
    /// Input or output failed.
    #[error("{}", text::line(&.0.to_string()))]
    Io(io::Error),
    /// The reader of the output has closed the pipe. No message is printed, and the status equals
    /// that of a program ended by SIGPIPE, such as `cat` and `sort`.
    #[error("the output is closed")]
    OutputClosed,
}

impl Failure {
    /// A usage error with its help.
    pub(super) fn usage(what: impl Display, help: impl Display) -> Self {
        Self::Usage(format!("error: {what}\n = help: {help}"))
    }

    /// An option given with a study file that sets the same field.
    pub(super) fn beside_study(option: &Override) -> Self {
        let what = format!("`{}` is given beside a study, which says that itself", option.label);
        Self::usage(what, "leave it out, or change the study's file")
    }

    /// An unknown name: `what` describes the error, followed by the nearest name or else the
    /// command that lists the names.
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
            | Self::Unproven
            | Self::Undone(_)
            | Self::Unplanned
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

    /// Prints the failure on standard error, only once: the signal thread and the main thread may
    /// fail at the same time.
    pub fn print(&self) {
        static TOLD: Mutex<bool> = Mutex::new(false);
        let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *told, true) {
            return;
        }
        // If standard error is closed too, only the exit status remains.
        let _ = if let Self::Usage(text) | Self::Undone(text) = self {
            writeln!(io::stderr(), "{}", text.trim_end())
        } else if matches!(self, Self::OutputClosed) {
            Ok(())
        } else {
            writeln!(io::stderr(), "flitscope: {self}")
        };
    }

    /// A parse error of clap, coloured if standard error is a terminal.
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
        let what = crash.to_string();
        Fault { what, ..crash.fault }.into()
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        let Fault { what, is_of_input } = fault;
        if is_of_input { Self::Io(io::Error::other(what)) } else { Self::Internal(what) }
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
