//! The one table of keys: dispatch, key bar, help screen and documentation are made from it.

mod keymap;
mod table;

use std::fmt::Write;

use strum::{IntoStaticStr, VariantArray};

pub use super::action::action_name;
use super::action::{Action, Answer, Key};
use Context::{Chooser, Palette, Prompt};
use Key::{Char, Ctrl};
pub use keymap::{Keymap, action_named, bindable, key_named};
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

/// What `key` does in `context`; characters that mean nothing there are typed into dialogs.
pub fn action_of(context: Context, key: Key) -> Option<Action> {
    let bound = BINDINGS
        .iter()
        .find(|binding| binding.context == context && binding.keys.contains(&key))
        .map(|binding| binding.action);
    match (bound, context, key) {
        (None, Chooser | Palette | Prompt, Char(letter)) => Some(Answer::Type(letter).into()),
        _ => bound,
    }
}

/// The key's name for people.
pub fn key_name(key: Key) -> String {
    match key {
        Char(' ') => "Space".to_owned(),
        Char(letter) => letter.to_string(),
        Ctrl(letter) => format!("Ctrl-{}", letter.to_ascii_uppercase()),
        Key::F(number) => format!("F{number}"),
        Key::Enter => "Enter".to_owned(),
        Key::Esc => "Esc".to_owned(),
        Key::Tab => "Tab".to_owned(),
        Key::BackTab => "S-Tab".to_owned(),
        Key::Backspace => "Backspace".to_owned(),
        Key::Left => "Left".to_owned(),
        Key::Right => "Right".to_owned(),
        Key::Up => "Up".to_owned(),
        Key::Down => "Down".to_owned(),
        Key::Home => "Home".to_owned(),
        Key::End => "End".to_owned(),
        Key::PageUp => "PgUp".to_owned(),
        Key::PageDown => "PgDn".to_owned(),
    }
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
