//! Tells a release which commit it is built from, for `--version`. Other builds do not depend on it, so
//! that a commit builds nothing anew.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if release { packaged().or_else(checked_out) } else { None };
    let commit = commit.map(|commit| format!(" (commit {commit})")).unwrap_or_default();
    println!("cargo::rustc-env=FLITSCOPE_VERSION={version}{commit}");
}

/// The commit that cargo noted in a crate's archive.
fn packaged() -> Option<String> {
    let note = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = note.split_once("\"sha1\"")?;
    short(rest.split('"').nth(1)?)
}

/// The commit that is checked out, where this folder is the repository's own and not below another's.
fn checked_out() -> Option<String> {
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != Path::new(".").canonicalize().ok()? {
        return None;
    }
    for file in ["HEAD", "logs/HEAD"] {
        println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", file])?);
    }
    short(&git(&["rev-parse", "HEAD"])?)
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// The first twelve digits of a commit.
fn short(commit: &str) -> Option<String> {
    let digits = commit.get(..12)?;
    digits.chars().all(|digit| digit.is_ascii_hexdigit()).then(|| digits.to_owned())
}
