//! Reads a configuration file; every problem is found at once, with its place.

use clap::ValueEnum;

use super::File;
use crate::cli::options::Screen;
use crate::live::Pace;
use crate::scenario::Problem;
use crate::scenario::names::{nearest, one_of};
use crate::scenario::node::{Node, map};
use crate::scenario::reader::{Fields, Reader};
use crate::tui::action::Key;
use crate::tui::bindings::{Keymap, action_named, key_name, key_named};

/// What a key is bound to that shall do nothing.
pub(super) const NOTHING: &str = "nothing";

/// The fields of a file, in the order in which they are printed.
pub(super) const FIELDS: [&str; 13] = [
    "scenario", "theme", "color", "palette", "ascii", "marker", "layout", "fps", "mouse",
    "history", "pace", "window", "keys",
];

/// Reads and checks a text; `name` is what problems call it.
pub(super) fn parse(name: &str, text: &str) -> Result<File, Vec<Problem>> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    if body.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with("//")) {
        return Ok(File::default());
    }
    let mut reader = Reader::new(name, body, &[]);
    let Some(document) = reader.document() else { return Err(reader.finish()) };
    let fields = reader.group("", "a configuration", document, "Config", &FIELDS);
    let file = file(&mut reader, &fields);
    let problems = reader.finish();
    if problems.is_empty() { Ok(file) } else { Err(problems) }
}

fn file<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>) -> File {
    let whole = |reader: &mut Reader<'a>, name: &str, limits: std::ops::RangeInclusive<u32>| {
        let field = fields.get(name)?;
        reader.small(field.value, &format!("`{name}`"), limits)
    };
    let fps = whole(reader, "fps", 1..=240).and_then(|fps| u16::try_from(fps).ok());
    let history = whole(reader, "history", 0..=u32::MAX);
    let window = whole(reader, "window", 1..=u32::MAX);
    File {
        scenario: fields
            .get("scenario")
            .and_then(|field| reader.line_of_text(field.value, "the scenario's name")),
        screen: Screen {
            theme: word(reader, fields, "theme"),
            color: word(reader, fields, "color"),
            palette: word(reader, fields, "palette"),
            marker: word(reader, fields, "marker"),
            layout: word(reader, fields, "layout"),
            ascii: truth(reader, fields, "ascii"),
            mouse: truth(reader, fields, "mouse"),
            no_mouse: false,
            fps,
            history,
            pace: pace(reader, fields),
            window,
        },
        keys: fields.get("keys").map(|field| keys(reader, field.value)).unwrap_or_default(),
    }
}

/// A field whose value is one of the words of an option.
fn word<'a, T: ValueEnum>(reader: &mut Reader<'a>, fields: &Fields<'a>, name: &str) -> Option<T> {
    let node = fields.get(name)?.value;
    let words: Vec<String> = T::value_variants()
        .iter()
        .filter_map(|variant| Some(variant.to_possible_value()?.get_name().to_owned()))
        .collect();
    let text = reader.line_of_text(node, &format!("`{name}`"))?;
    if let Ok(value) = T::from_str(&text, false) {
        return Some(value);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let help = match nearest(&text, words.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("it may be {}", one_of(&words)),
    };
    reader.problem(node, format!("`{name}` cannot be {text:?}"), Some(help));
    None
}

/// A field that is true or false.
fn truth<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>, name: &str) -> Option<bool> {
    let node = fields.get(name)?.value;
    let truth = ron::from_str(node.text).ok();
    if truth.is_none() {
        let what = format!("`{name}` must be true or false, not {}", node.text);
        reader.problem(node, what, Some("write `true` or `false`, without quotes".into()));
    }
    truth
}

/// The pace: a number, or a word in quotes.
fn pace<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>) -> Option<Pace> {
    let node = fields.get("pace")?.value;
    let text = ron::from_str::<String>(node.text).unwrap_or_else(|_| node.text.to_owned());
    match text.parse() {
        Ok(pace) => Some(pace),
        Err(why) => {
            reader.problem(node, format!("`pace` cannot be {}", node.text), Some(why));
            None
        }
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
