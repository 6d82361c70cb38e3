//! The configuration of the screen: the command line beats the file, the file beats the defaults.

mod file;

use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::Failure;
use super::options::Screen;
use crate::files;
use crate::scenario;
use crate::tui::bindings::{BINDINGS, Context, Group, Keymap, action_name, key_name};

/// The variable that names the file; empty: no file at all.
pub(super) const VARIABLE: &str = "FLITSCOPE_CONFIG";

/// What a file says.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct File {
    /// The scenario to start with.
    pub(super) scenario: Option<String>,
    /// How the screen looks.
    pub(super) screen: Screen,
    /// A person's own keys.
    pub(super) keys: Keymap,
}

/// Where the file is, and whether it must be there.
fn place(given: Option<&Path>, read: impl Fn(&str) -> Option<OsString>) -> Option<(PathBuf, bool)> {
    if let Some(path) = given {
        return Some((path.into(), true));
    }
    if let Some(path) = read(VARIABLE) {
        return (!path.is_empty()).then(|| (path.into(), true));
    }
    let absolute = |name| read(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".config")))?;
    Some((folder.join("flitscope").join("config.ron"), false))
}

/// Reads the file named on the command line, by the environment, or where it usually is.
pub(super) fn load(given: Option<&Path>) -> Result<File, Failure> {
    let found = place(given, |name| std::env::var_os(name));
    let Some((path, needed)) = found.filter(|(path, needed)| *needed || path.exists()) else {
        return Ok(File::default());
    };
    read(&path).map_err(|problems| {
        let mut text = scenario::render(&problems);
        if needed && !path.exists() {
            text += " = help: name a file that is there, or set FLITSCOPE_CONFIG= for none\n";
        }
        Failure::Usage(text)
    })
}

fn read(path: &Path) -> Result<File, Vec<scenario::Problem>> {
    let text = files::read_file(path).map_err(|problem| vec![problem])?;
    file::parse(&path.display().to_string(), &text)
}

/// The configuration as a file that reads back to the same.
pub(super) fn text(scenario: &str, screen: &Screen, keys: &Keymap) -> String {
    let quoted = |text: &str| ron::to_string(text).unwrap_or_default();
    let mut out = String::from(
        "// The configuration of flitscope. What is left out keeps its default; options on the\n\
         // command line win over what stands here.\nConfig(\n",
    );
    let _ = writeln!(out, "    scenario: {},", quoted(scenario));
    for (name, value) in screen.fields() {
        let _ = writeln!(out, "    {name}: {value},");
    }
    let _ =
        writeln!(out, "    // The names of actions and keys: flitscope --print-keys\n    keys: {{");
    for &(key, action) in keys.own() {
        let action = action.map_or_else(|| file::NOTHING.to_owned(), action_name);
        let _ = writeln!(out, "        {}: {},", quoted(&key_name(key)), quoted(&action));
    }
    out.push_str("    },\n)\n");
    out
}

/// The table of keys as they are bound, for people: keys, name of the action, what it does.
pub(super) fn key_table(keys: &Keymap) -> String {
    let mut out = String::new();
    for &group in Group::ALL {
        let _ = writeln!(out, "{}{}", if out.is_empty() { "" } else { "\n" }, group.title());
        for binding in BINDINGS.iter().filter(|binding| binding.group == group) {
            // Only keys of the main screen can be bound otherwise.
            let main = binding.context == Context::Main;
            let name = if main { action_name(binding.action) } else { String::new() };
            let keys = keys.names(binding, usize::MAX);
            let _ = writeln!(out, "  {keys:<22} {name:<22} {}", binding.help);
        }
    }
    out
}

#[cfg(test)]
mod tests;
