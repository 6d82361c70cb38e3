//! Reads the user's colours and themes from the configuration.

use crate::cli::options::{RequestedTheme, one_word};
use crate::scenario::names::meant;
use crate::scenario::node::{Node, map};
use crate::scenario::reader::Reader;
use crate::tui::theme::custom::{CustomColours, NAMES, colour};
use crate::tui::theme::looks::{Look, SCHEMES};
use crate::tui::theme::{Kind, Ramp};

const FIELDS: [&str; 4] = ["like", "background", "palette", "colours"];

/// The themes: `{"night": (like: "tritanopia", background: "dark", colours: {"alarm": "#ff7043"})}`.
pub(super) fn themes<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Vec<&'static Look> {
    let mut own: Vec<&'static Look> = Vec::new();
    let Some(entries) = map(node) else {
        let help =
            r##"write `themes: {"night": (background: "dark", colours: {"alarm": "#ff7043"})}`"##;
        reader.problem(node, "the themes must be a map from names to themes", Some(help.into()));
        return own;
    };
    for (at, value) in entries {
        let Some(name) = reader.line_of_text(at, "the theme's name") else { continue };
        let fields = reader.group("", "a theme", value, "Theme", &FIELDS);
        let like = fields.get("like").and_then(|field| {
            one_word(reader, field.value, "like", SCHEMES.iter().map(|look| (look.name, look)))
        });
        let ground = fields.get("background").and_then(|field| {
            let grounds = [("dark", Kind::Dark), ("light", Kind::Light)];
            one_word(reader, field.value, "background", grounds)
        });
        let ramp = fields.get("palette").and_then(|field| {
            one_word(reader, field.value, "palette", Ramp::ALL.map(|ramp| (ramp.name(), ramp)))
        });
        let colours = fields.get("colours").map(|field| colours(reader, field.value));
        if name.is_empty() || RequestedTheme::names(&own).contains(&name.as_str()) {
            let what = format!("there is a theme {name:?} already");
            let help = "give it another name".to_owned();
            reader.problem(at, what, Some(help));
            continue;
        }
        // Leaked, to live as long as the program.
        let inks = colours.unwrap_or_default().0.into_iter().collect::<Vec<_>>().leak();
        let (name, title) = (&*name.leak(), "Of your own");
        own.push(Box::leak(Box::new(Look { name, title, ground, like, ramp, inks: [inks; 2] })));
    }
    own
}

/// The colours: `{"alarm": "#ff7043"}`.
pub(super) fn colours<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> CustomColours {
    let mut own = CustomColours::default();
    let Some(entries) = map(node) else {
        let help = r##"write `colours: {"alarm": "#ff7043"}`"##;
        reader.problem(node, "the colours must be a map from names to colours", Some(help.into()));
        return own;
    };
    for (at, value) in entries {
        let name = ron::from_str::<String>(at.text).unwrap_or_else(|_| at.text.to_owned());
        let known = NAMES.into_iter().find(|known| *known == name);
        if known.is_none() {
            let what = format!("nothing that has a colour is called {name:?}");
            reader.problem(at, what, Some(meant(&name, &NAMES)));
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
