//! The one table of keys: dispatch, key bar, help screen and documentation are made from it.

mod keymap;
mod table;

use std::fmt::Write;

use strum::{IntoStaticStr, VariantArray};

pub use super::action::action_name;
use super::action::{Action, Key};
pub use keymap::{Keymap, action_named, bindable, key_name, key_named};
pub use table::BINDINGS;

/// Where a key means something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    /// The main screen.
    Main,
    /// The help screen.
    Help,
    /// The scenario chooser.
    Chooser,
    /// A line that asks for something.
    Prompt,
    /// A question with yes or no for an answer.
    Confirm,
    /// The line that takes commands.
    Palette,
    /// What is wrong with a file.
    Problems,
}

/// The heading under which help shows a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr, VariantArray)]
pub enum Group {
    /// Time and load.
    Run,
    /// Back and forth in time.
    Time,
    /// What the grid shows.
    View,
    /// Moving about.
    Move,
    /// Two runs.
    Compare,
    /// Panes and the program.
    Screen,
    /// Inside dialogs.
    #[strum(serialize = "In dialogs")]
    Dialog,
}

impl Group {
    /// The groups in the order of the help screen.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The heading.
    pub fn title(self) -> &'static str {
        self.into()
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Where it holds.
    pub context: Context,
    /// The keys, any of which does it.
    pub keys: &'static [Key],
    /// What it does.
    pub action: Action,
    /// The heading in the help screen.
    pub group: Group,
    /// What help says.
    pub help: &'static str,
    /// The word in the key bar, for the few that have room there.
    pub bar: Option<&'static str>,
}

/// The table as markdown, for the README.
pub fn markdown() -> String {
    let mut out = String::from("| key | what it does |\n|---|---|\n");
    for &group in Group::ALL {
        let _ = writeln!(out, "| **{}** | |", group.title());
        for binding in BINDINGS.iter().filter(|binding| binding.group == group) {
            let names: Vec<String> =
                binding.keys.iter().map(|&key| format!("`{}`", key_name(key))).collect();
            let _ = writeln!(out, "| {} | {} |", names.join(" "), binding.help);
        }
    }
    out
}

#[cfg(test)]
mod tests;
