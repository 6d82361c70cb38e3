//! The keys really bound: the table, and what a person bound otherwise; keys by name.

use std::fmt::Write;

use super::action::{Action, Answer, Key, Program};
pub(crate) use super::action::{BINDINGS, Binding, Context, Group};
use crate::scenario::nearest;
use crate::text;

/// The table of keys with a person's own bindings on the main screen over it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Keymap {
    /// A person's own bindings, in their order.
    pub own: Vec<(Key, Option<Action>)>,
}

impl Keymap {
    /// Lets a key of the main screen do something else, or nothing.
    pub fn bind(&mut self, key: Key, action: Option<Action>) {
        self.own.retain(|&(known, _)| known != key);
        self.own.push((key, action));
    }

    /// What `key` does in `context`; characters that mean nothing there are typed into dialogs.
    pub(crate) fn action_of(&self, context: Context, key: Key) -> Option<Action> {
        let mut own = self.own.iter().filter(|_| context == Context::Main);
        if let Some(&(_, action)) = own.find(|&&(own, _)| own == key) {
            return action;
        }
        let bound = |row: &&Binding| row.context == context && row.keys.contains(&key);
        match (BINDINGS.iter().find(bound), context, key) {
            (Some(row), ..) => Some(row.action),
            // There the run is out of sight.
            (None, Context::Studying, _) => {
                let action = self.action_of(Context::Main, key)?;
                let hidden = [Program::Palette, Program::Edit, Program::Back].map(Action::from);
                let shown = matches!(action, Action::Program(_)) && !hidden.contains(&action);
                shown.then_some(action)
            }
            (None, Context::Question, _) => self.action_of(Context::Guided, key),
            (None, Context::Guided, _) => self.action_of(Context::Main, key),
            (
                None,
                Context::Chooser | Context::Palette | Context::Prompt | Context::Search,
                Key::Char(letter),
            ) => Some(Answer::Type(letter).into()),
            _ => None,
        }
    }

    /// The keys that do what a row of the table says, a person's own first.
    pub(crate) fn keys(&self, binding: &Binding) -> Vec<Key> {
        if binding.context != Context::Main {
            return binding.keys.to_vec();
        }
        let own = self.own.iter().filter(|&&(_, action)| action == Some(binding.action));
        let kept = binding.keys.iter().filter(|key| self.own.iter().all(|(own, _)| own != *key));
        let own: Vec<Key> = own.map(|&(key, _)| key).collect();
        let kept: Vec<Key> = kept.filter(|key| !own.contains(key)).copied().collect();
        own.into_iter().chain(kept).collect()
    }

    /// How a person does an action of the main screen: its first key, or its name in the line of
    /// commands where no key is left.
    pub fn way_to(&self, action: impl Into<Action>) -> String {
        let action = action.into();
        let keys = bindable().filter(|row| row.action == action).map(|row| self.names(row, 1));
        let key = keys.into_iter().find(|key| !key.is_empty());
        key.unwrap_or_else(|| format!(":{}", action_name(action)))
    }

    /// The names of the first `most` keys of a row; empty where none is left.
    pub(crate) fn names(&self, binding: &Binding, most: usize) -> String {
        let names: Vec<String> = self.keys(binding).into_iter().take(most).map(key_name).collect();
        names.join(" ")
    }
}

/// The rows whose actions a key of the main screen can be bound to.
pub(crate) fn bindable() -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(|binding| binding.context == Context::Main)
}

/// An action's name in files and on the command line: `toggle-run`, `view-occupancy`, `move-west`.
/// It is made from the action's name in the program, so that every new action has one.
pub fn action_name(action: Action) -> String {
    let debug = format!("{action:?}");
    let what = debug.split_once('(').map_or("", |(_, what)| what);
    let mut name = String::new();
    for letter in what.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
        match letter {
            '(' => name.push('-'),
            letter if letter.is_ascii_alphanumeric() => name.push(letter.to_ascii_lowercase()),
            _ => {}
        }
    }
    name
}

/// The action of this name, or with this line of help; the error is what was probably meant.
pub fn action_named(text: &str) -> Result<Action, Option<String>> {
    let wanted = text.trim();
    let found = bindable()
        .find(|row| row.help == wanted || action_name(row.action).eq_ignore_ascii_case(wanted));
    if let Some(row) = found {
        return Ok(row.action);
    }
    let names: Vec<String> = bindable().map(|row| action_name(row.action)).collect();
    let helps = bindable().map(|row| row.help);
    Err(nearest(wanted, names.iter().map(String::as_str).chain(helps)).map(str::to_owned))
}

/// Keys with names: the first is the one that is shown.
const NAMED: &[(Key, &[&str])] = &[
    (Key::Char(' '), &["Space"]),
    (Key::Enter, &["Enter", "Return"]),
    (Key::Esc, &["Esc", "Escape"]),
    (Key::Tab, &["Tab"]),
    (Key::BackTab, &["S-Tab", "Shift-Tab", "BackTab"]),
    (Key::Backspace, &["Backspace"]),
    (Key::Left, &["Left"]),
    (Key::Right, &["Right"]),
    (Key::Up, &["Up"]),
    (Key::Down, &["Down"]),
    (Key::Home, &["Home"]),
    (Key::End, &["End"]),
    (Key::PageUp, &["PgUp", "PageUp"]),
    (Key::PageDown, &["PgDn", "PageDown"]),
    (Key::Delete, &["Del", "Delete"]),
];

/// The key's name for people.
pub fn key_name(key: Key) -> String {
    let named = NAMED.iter().find(|&&(named, _)| named == key);
    match (named, key) {
        (Some((_, names)), _) => names[0].to_owned(),
        (None, Key::Char(letter)) => letter.to_string(),
        (None, Key::Ctrl(letter)) => format!("Ctrl-{}", letter.to_ascii_uppercase()),
        (None, Key::F(number)) => format!("F{number}"),
        _ => String::new(),
    }
}

/// The key of this name, as [`key_name`] writes it: `x`, `Ctrl-X`, `F5`, `Space`. Only single
/// characters tell capitals from small letters.
pub fn key_named(text: &str) -> Result<Key, String> {
    let mut letters = text.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return if text::shows(letter) {
            Ok(Key::Char(letter))
        } else {
            Err("this shows nothing; with Ctrl, a key is written `Ctrl-` and its letter".to_owned())
        };
    }
    let is = |name: &&str| name.eq_ignore_ascii_case(text);
    if let Some((key, _)) = NAMED.iter().find(|(_, names)| names.iter().any(is)) {
        return Ok(*key);
    }
    let lower = text.to_ascii_lowercase();
    if let Some(letter) = lower.strip_prefix("ctrl-").or_else(|| lower.strip_prefix("c-"))
        && let [letter @ b'a'..=b'z'] = letter.as_bytes()
    {
        return match letter {
            b'i' => Err("terminals send Ctrl-I as Tab".to_owned()),
            b'm' => Err("terminals send Ctrl-M as Enter".to_owned()),
            letter => Ok(Key::Ctrl(char::from(*letter))),
        };
    }
    if let Some(number) = lower.strip_prefix('f').and_then(|number| number.parse().ok())
        && (1..=12).contains(&number)
    {
        return Ok(Key::F(number));
    }
    let names = NAMED.iter().flat_map(|(_, names)| names.iter().copied());
    Err(match nearest(text, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a key is one character, `Ctrl-x`, `F1` to `F12`, or a name such as `Space`, \
                 `Enter`, `Tab`, `Left`, `PgUp`"
            .to_owned(),
    })
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
