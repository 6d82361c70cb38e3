//! Reads a configuration file; every problem is found at once, with its place.

use super::File;
use crate::cli::options::Screen;
use crate::scenario::Problem;
use crate::scenario::node::{Node, map};
use crate::scenario::reader::{Fields, Reader};
use crate::tui::action::Key;
use crate::tui::bindings::{Keymap, action_named, key_name, key_named};

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
    let names = [&["scenario"], Screen::FIELDS, &["keys"]].concat();
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
