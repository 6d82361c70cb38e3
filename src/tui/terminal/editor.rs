//! The editor that a person has chosen, on a file.

use std::io;
use std::process::{Command, ExitStatus};

/// What is run where neither `VISUAL` nor `EDITOR` says.
const DEFAULT: &str = "vi";

/// The editor's command: `VISUAL`, else `EDITOR`, else `vi`.
pub(super) fn command() -> String {
    let set = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| DEFAULT.to_owned())
}

/// Runs the editor on a file and waits for its end. The command may have arguments of its own, so a
/// shell takes it apart and then is it; the file's name reaches it as it is.
pub(super) fn run(command: &str, path: &str) -> io::Result<ExitStatus> {
    // A name that begins with a dash is no option.
    let path = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    Command::new("/bin/sh").args(["-c", &format!("exec {command} \"$1\""), "sh", &path]).status()
}

#[cfg(test)]
mod tests;
