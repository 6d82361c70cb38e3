//! The effective key bindings: default table and user bindings; names of keys.

use std::fmt::Write;

use super::action::{Action, Answer, Key, Program};
pub(crate) use super::action::{BINDINGS, Binding, Context, Group};
use crate::scenario::nearest;
use crate::text;

/// The table of keys, overridden on the main screen by the user's bindings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Keymap {
    /// The user's bindings, in order of definition.
    pub own: Vec<(Key, Option<Action>)>,
}

impl Keymap {
    /// Binds a key of the main screen to another action, or to none.
    pub fn bind(&mut self, key: Key, action: Option<Action>) {
        self.own.retain(|&(known, _)| known != key);
        self.own.push((key, action));
    }

    /// Returns the action of `key` in `context`; unbound characters are typed into dialogs.
    pub(crate) fn action_of(&self, context: Context, key: Key) -> Option<Action> {
        let mut own = self.own.iter().filter(|_| context == Context::Main);
        if let Some(&(_, action)) = own.find(|&&(own, _)| own == key) {
            return action;
        }
        let bound = |row: &&Binding| row.context == context && row.keys.contains(&key);
        match (BINDINGS.iter().find(bound), context, key) {
            (Some(row), ..) => Some(row.action),
            // The run is hidden, so only actions on the whole program are available.
            (None, Context::Studying, _) => {
                let action = self.action_of(Context::Main, key)?;
                let hidden = [Program::Palette, Program::Edit, Program::Back].map(Action::from);
                let shown = matches!(action, Action::Program(_)) && !hidden.contains(&action);
                shown.then_some(action)
            }
            (None, Context::Question, _) => self.action_of(Context::Guided, key),
            (None, Context::Guided, _) => self.action_of(Context::Main, key),
            (None, Context::Line, Key::Char(letter)) => Some(Answer::typed(letter).into()),
            (None, context, _) if context.has_line() => self.action_of(Context::Line, key),
            _ => None,
        }
    }

    /// The keys of a row of the table, the user's own first.
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

    /// Names the first key of an action of the main screen, or the action's command if no key is
    /// left.
    pub fn way_to(&self, action: impl Into<Action>) -> String {
        let action = action.into();
        let keys = bindable().filter(|row| row.action == action).map(|row| self.names(row, 1));
        let key = keys.into_iter().find(|key| !key.is_empty());
        key.unwrap_or_else(|| format!(":{}", action_name(action)))
    }

    /// The names of the first `most` keys of a row; empty if no key is left.
    pub(crate) fn names(&self, binding: &Binding, most: usize) -> String {
        let names: Vec<String> = self.keys(binding).into_iter().take(most).map(key_name).collect();
        names.join(" ")
    }
}

/// All bindable rows: the actions of the main screen.
pub(crate) fn bindable() -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(|binding| binding.context == Context::Main)
}

/// The name of an action in files and on the command line: `toggle-run`, `view-occupancy`,
/// `move-west`. Derived from the `Debug` name, so that every new action has a name.
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

/// Finds an action by name or help text; the error is the most similar name.
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

/// Named keys with the displayed name first.
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

/// The display name of a key.
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

/// Parses a key in the format of [`key_name`]: `x`, `Ctrl-X`, `F5`, `Space`. Only single characters
/// are case-sensitive.
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

/// The table as markdown for the README.
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
