//! Merges the command line, the configuration file and the defaults of the screen.
//!
//! The command line overrides the file, and the file overrides the defaults. All problems of a file
//! are reported at once, with positions.

mod themes;

use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::Failure;
use super::options::Screen;
use crate::files;
use crate::scenario::node::{Node, map};
use crate::scenario::reader::{Fields, Reader};
use crate::scenario::{self, Problem};
use crate::tui::Shelf;
use crate::tui::action::Key;
use crate::tui::bindings::{
    BINDINGS, Context, Group, Keymap, action_name, action_named, key_name, key_named,
};
use crate::tui::theme::Ramp;
use crate::tui::theme::custom::CustomColours;
use crate::tui::theme::looks::Look;

/// Environment variable naming the file; an empty value means no file at all.
pub(super) const VARIABLE: &str = "FLITSCOPE_CONFIG";

/// The content of a configuration file.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct File {
    /// The scenario to start with.
    pub(super) scenario: Option<String>,
    /// Options of the screen.
    pub(super) screen: Screen,
    /// The user's key bindings.
    pub(super) keys: Keymap,
    /// The user's colours, applied to every theme.
    pub(super) colours: CustomColours,
    /// The user's themes.
    pub(super) themes: Vec<&'static Look>,
}

impl File {
    /// The colours if any, leaked to live as long as the program.
    pub(super) fn own(&self) -> Option<&'static CustomColours> {
        let own = (!self.colours.0.is_empty()).then(|| Box::new(self.colours.clone()));
        own.map(|own| &*Box::leak(own))
    }
}

/// The path of the file, and true if the file is required.
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

/// Reads the file named on the command line, by the environment, or at the default path.
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

/// True on the user's first start, recorded by a file. Always false if the environment names a
/// configuration or nothing can be written.
pub(super) fn is_first_start() -> bool {
    if std::env::var_os(VARIABLE).is_some() {
        return false;
    }
    let Some(folder) = state() else { return false };
    let mark = folder.join("welcomed");
    !mark.exists() && files::make_folder(&folder).is_ok() && files::write(&mark, "", false).is_ok()
}

/// The folder of the program's state.
fn state() -> Option<PathBuf> {
    let folder = folder(|name| std::env::var_os(name), "XDG_STATE_HOME", ".local/state")?;
    Some(folder.join("flitscope"))
}

/// The folders of openable files, and the list of recent files unless the environment disables
/// configuration altogether.
pub(super) fn shelf() -> Shelf {
    let none = std::env::var_os(VARIABLE).is_some_and(|file| file.is_empty());
    let recent = state().filter(|_| !none).map(|folder| folder.join("recent"));
    Shelf { folders: vec!["scenarios".into(), ".".into()], recent }
}

/// The folder named by a variable, or else a folder below home.
fn folder(read: impl Fn(&str) -> Option<OsString>, variable: &str, usual: &str) -> Option<PathBuf> {
    let absolute = |name| read(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(usual)))
}

fn read(path: &Path) -> Result<File, Vec<Problem>> {
    let text = files::read_file(path).map_err(|problem| vec![problem])?;
    parse(&path.display().to_string(), &text)
}

/// Writes a configuration as a file; parsing returns the same configuration.
pub(super) fn text(scenario: &str, screen: &Screen, file: &File) -> String {
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
    for &(key, action) in &file.keys.own {
        let action = action.map_or_else(|| NOTHING.to_owned(), action_name);
        let _ = writeln!(out, "        {}: {},", quoted(&key_name(key)), quoted(&action));
    }
    let _ = writeln!(out, "    }},\n    // Such as \"alarm\": \"#ff7043\".\n    colours: {{");
    for (name, colour) in &file.colours.0 {
        let _ = writeln!(out, "        {}: \"#{colour:06x}\",", quoted(name));
    }
    let example = r##"    // Such as "night": (like: "tritanopia", background: "dark", palette: "cividis",
    // colours: {"alarm": "#ff7043"})."##;
    let _ = writeln!(out, "    }},\n{example}\n    themes: {{");
    for look in &file.themes {
        let said = [
            ("like", look.like.map(|like| like.name)),
            ("background", look.ground.map(Into::into)),
            ("palette", look.ramp.map(Ramp::name)),
        ];
        let said = said.into_iter().filter_map(|(field, value)| Some((field, value?)));
        let said = said.map(|(field, value)| format!("{field}: {}", quoted(value)));
        let inks = look.inks[0].iter();
        let inks = inks.map(|(name, hex)| format!("{}: \"#{hex:06x}\"", quoted(name)));
        let inks = format!("colours: {{{}}}", inks.collect::<Vec<_>>().join(", "));
        let said: Vec<String> = said.chain([inks]).collect();
        let _ = writeln!(out, "        {}: ({}),", quoted(look.name), said.join(", "));
    }
    out.push_str("    },\n)\n");
    out
}

/// The configuration in `text`, written anew with every field; `name` is the text's name in problems.
pub fn rewritten(name: &str, text: &str) -> Result<String, Vec<Problem>> {
    let file = parse(name, text)?;
    Ok(self::text(file.scenario.as_deref().unwrap_or("mesh-8x8"), &file.screen, &file))
}

/// The table of key bindings in text: keys, action name, help.
pub(super) fn key_table(keys: &Keymap) -> String {
    let mut out = String::new();
    for &group in Group::ALL {
        let _ = writeln!(out, "{}{}", if out.is_empty() { "" } else { "\n" }, group.title());
        for binding in BINDINGS.iter().filter(|binding| binding.group == group) {
            // Only keys of the main screen can be rebound.
            let main = binding.context == Context::Main;
            let name = if main { action_name(binding.action) } else { String::new() };
            let keys = keys.names(binding, usize::MAX);
            let _ = writeln!(out, "  {keys:<22} {name:<22} {}", binding.help);
        }
    }
    out
}

/// The action name for keys without effect.
pub(super) const NOTHING: &str = "nothing";

/// Parses and checks a configuration; `name` identifies the text in problems.
pub(super) fn parse(name: &str, text: &str) -> Result<File, Vec<Problem>> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    if body.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with("//")) {
        return Ok(File::default());
    }
    let mut reader = Reader::new(name, body, &[]);
    let Some(document) = reader.document() else { return Err(reader.finish()) };
    let names = [&["scenario"], Screen::FIELDS, &["keys", "colours", "themes"]].concat();
    let fields = reader.group("", "a configuration", document, "Config", &names);
    let file = file(&mut reader, &fields);
    let problems = reader.finish();
    if problems.is_empty() { Ok(file) } else { Err(problems) }
}

fn file<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>) -> File {
    let mut screen = Screen::read(reader, fields);
    let own = fields.get("themes").map(|field| themes::themes(reader, field.value));
    let themes = own.unwrap_or_default();
    if let Some((wanted, field)) = screen.theme.zip(fields.get("theme")) {
        match wanted.among(&themes) {
            Ok(found) => screen.theme = Some(found),
            Err(help) => {
                let what = format!("`theme` cannot be {}", field.value.text);
                reader.problem(field.value, what, Some(help));
            }
        }
    }
    let scenario = fields.get("scenario");
    File {
        scenario: scenario.and_then(|it| reader.line_of_text(it.value, "the scenario's name")),
        screen,
        keys: fields.get("keys").map(|field| keys(reader, field.value)).unwrap_or_default(),
        colours: fields
            .get("colours")
            .map(|field| themes::colours(reader, field.value))
            .unwrap_or_default(),
        themes,
    }
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

/// Binds a key to the action named by a value, or to nothing.
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
