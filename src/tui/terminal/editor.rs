//! Runs the user's editor on a file.

use std::io;
use std::process::{Command, ExitStatus};

const DEFAULT: &str = "vi";

/// The editor's command: `VISUAL`, otherwise `EDITOR`, otherwise `vi`.
pub(super) fn command() -> String {
    let set = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| DEFAULT.to_owned())
}

/// Runs the editor on a file and waits for its end. A shell splits the command into words, because
/// the command may contain arguments; the file's name is passed unchanged.
pub(super) fn run(command: &str, path: &str) -> io::Result<ExitStatus> {
    // A leading dash would be taken for an option.
    let path = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    Command::new("/bin/sh").args(["-c", &format!("exec {command} \"$1\""), "sh", &path]).status()
}

#[cfg(test)]
mod tests;
