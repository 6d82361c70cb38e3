//! The configuration of the screen: the command line beats the file, the file beats the defaults.
//! Every problem of a file is found at once, with its place.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::Failure;
use super::options::Screen;
use crate::files;
use crate::scenario::names::{nearest, one_of};
use crate::scenario::node::{Node, map};
use crate::scenario::reader::{Fields, Reader};
use crate::scenario::{self, Problem};
use crate::tui::action::Key;
use crate::tui::bindings::{
    BINDINGS, Context, Group, Keymap, action_name, action_named, key_name, key_named,
};
use crate::tui::theme::own::{NAMES, Own, colour};

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
    /// A person's own colours.
    pub(super) colours: Own,
}

impl File {
    /// The colours, where there are any, for as long as the program runs.
    pub(super) fn own(&self) -> Option<&'static Own> {
        let own = (!self.colours.0.is_empty()).then(|| Box::new(self.colours.clone()));
        own.map(|own| &*Box::leak(own))
    }
}

/// Where the file is, and whether it must be there.
fn place(given: Option<&Path>, read: impl Fn(&str) -> Option<OsString>) -> Option<(PathBuf, bool)> {
    if let Some(path) = given {
        return Some((path.into(), true));
    }
    if let Some(path) = read(VARIABLE) {
        return (!path.is_empty()).then(|| (path.into(), true));
    }
    let folder = folder(read, "XDG_CONFIG_HOME", ".config")?;
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

/// Whether the screen opens for the first time for this person, which is written down. Where a
/// configuration is named, or nothing can be written, it does not count as that.
pub(super) fn is_first_start() -> bool {
    if std::env::var_os(VARIABLE).is_some() {
        return false;
    }
    let Some(folder) = folder(|name| std::env::var_os(name), "XDG_STATE_HOME", ".local/state")
    else {
        return false;
    };
    let folder = folder.join("flitscope");
    let mark = folder.join("welcomed");
    !mark.exists() && files::make_folder(&folder).is_ok() && files::write(&mark, "", false).is_ok()
}

/// The folder that a variable names, else that below the home folder.
fn folder(read: impl Fn(&str) -> Option<OsString>, variable: &str, usual: &str) -> Option<PathBuf> {
    let absolute = |name| read(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(usual)))
}

fn read(path: &Path) -> Result<File, Vec<Problem>> {
    let text = files::read_file(path).map_err(|problem| vec![problem])?;
    parse(&path.display().to_string(), &text)
}

/// The configuration as a file that reads back to the same.
pub(super) fn text(scenario: &str, screen: &Screen, keys: &Keymap, colours: &Own) -> String {
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
    for &(key, action) in &keys.own {
        let action = action.map_or_else(|| NOTHING.to_owned(), action_name);
        let _ = writeln!(out, "        {}: {},", quoted(&key_name(key)), quoted(&action));
    }
    let _ = writeln!(out, "    }},\n    // Such as \"alarm\": \"#ff7043\".\n    colours: {{");
    for (name, colour) in &colours.0 {
        let _ = writeln!(out, "        {}: \"#{colour:06x}\",", quoted(name));
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

/// What a key is bound to that shall do nothing.
pub(super) const NOTHING: &str = "nothing";

/// Reads and checks a text; `name` is what problems call it.
pub(super) fn parse(name: &str, text: &str) -> Result<File, Vec<Problem>> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    if body.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with("//")) {
        return Ok(File::default());
    }
    let mut reader = Reader::new(name, body, &[]);
    let Some(document) = reader.document() else { return Err(reader.finish()) };
    let names = [&["scenario"], Screen::FIELDS, &["keys", "colours"]].concat();
    let fields = reader.group("", "a configuration", document, "Config", &names);
    let file = file(&mut reader, &fields);
    let problems = reader.finish();
    if problems.is_empty() { Ok(file) } else { Err(problems) }
}

fn file<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>) -> File {
    let screen = Screen::read(reader, fields);
    let scenario = fields.get("scenario");
    File {
        scenario: scenario.and_then(|it| reader.line_of_text(it.value, "the scenario's name")),
        screen,
        keys: fields.get("keys").map(|field| keys(reader, field.value)).unwrap_or_default(),
        colours: fields
            .get("colours")
            .map(|field| colours(reader, field.value))
            .unwrap_or_default(),
    }
}

/// The colours: `{"alarm": "#ff7043"}`.
fn colours<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Own {
    let mut own = Own::default();
    let Some(entries) = map(node) else {
        let help = r##"write `colours: {"alarm": "#ff7043"}`"##;
        reader.problem(node, "the colours must be a map from names to colours", Some(help.into()));
        return own;
    };
    for (at, value) in entries {
        let name = ron::from_str::<String>(at.text).unwrap_or_else(|_| at.text.to_owned());
        let known = NAMES.into_iter().find(|known| *known == name);
        if known.is_none() {
            let help = match nearest(&name, NAMES.into_iter()) {
                Some(near) => format!("did you mean {near:?}?"),
                None => format!("it may be {}", one_of(&NAMES)),
            };
            reader.problem(at, format!("nothing that has a colour is called {name:?}"), Some(help));
        }
        let hex = ron::from_str::<String>(value.text).ok().and_then(|text| colour(&text));
        if hex.is_none() {
            let help = "write it as \"#ff7043\": two digits each for red, green and blue";
            reader.problem(value, format!("{} is no colour", value.text), Some(help.into()));
        }
        if let Some((name, hex)) = known.zip(hex)
            && own.0.insert(name, hex).is_some()
        {
            let what = format!("{name:?} has two colours");
            reader.problem(at, what, Some("remove one of the two".into()));
        }
    }
    own
}

/// The keys: `{"Ctrl-x": "toggle-run"}`.
fn keys<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Keymap {
    let mut keymap = Keymap::default();
    let Some(entries) = map(node) else {
        let help = r#"write `keys: {"Ctrl-x": "toggle-run", "q": "nothing"}`"#;
        reader.problem(node, "the keys must be a map from keys to actions", Some(help.into()));
        return keymap;
    };
    let mut seen: Vec<(Key, Node<'a>)> = Vec::new();
    for (at, value) in entries {
        let Some(key) = key(reader, at) else { continue };
        if let Some((_, first)) = seen.iter().find(|(known, _)| *known == key) {
            let what =
                format!("{} is bound twice, first on line {}", key_name(key), reader.line(*first));
            reader.problem(at, what, Some("remove one of the two".into()));
            continue;
        }
        seen.push((key, at));
        bind(reader, &mut keymap, key, value);
    }
    keymap
}

fn key<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Key> {
    let Ok(text) = ron::from_str::<String>(node.text) else {
        let help = Some("write it between two `\"`, as in \"Ctrl-x\"".into());
        reader.problem(node, "a key must be a text in quotes", help);
        return None;
    };
    match key_named(&text) {
        Ok(Key::Ctrl('c')) => {
            let help = Some("leave it: there must be a way out from everywhere".into());
            reader.problem(node, "Ctrl-C always quits", help);
            None
        }
        Ok(key) => Some(key),
        Err(help) => {
            reader.problem(node, format!("there is no key {text:?}"), Some(help));
            None
        }
    }
}

/// Binds a key to the action that a value names, or to nothing.
fn bind<'a>(reader: &mut Reader<'a>, keymap: &mut Keymap, key: Key, node: Node<'a>) {
    let Ok(text) = ron::from_str::<String>(node.text) else {
        let help = Some("write it between two `\"`, as in \"toggle-run\"".into());
        reader.problem(node, "an action must be a text in quotes", help);
        return;
    };
    match action_named(&text) {
        _ if text == NOTHING => keymap.bind(key, None),
        Ok(action) => keymap.bind(key, Some(action)),
        Err(near) => {
            let help = match near {
                Some(near) => format!("did you mean {near:?}?"),
                None => format!("`flitscope --print-keys` lists them; {NOTHING:?} is none"),
            };
            reader.problem(node, format!("there is no action {text:?}"), Some(help));
        }
    }
}

#[cfg(test)]
mod tests;
