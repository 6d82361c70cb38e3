//! Tests of `config`.

use super::*;
use crate::cli::options::RequestedTheme;
use crate::tui::action::{Action, Key, Run};

fn found(given: Option<&str>, environment: &[(&str, &str)]) -> Option<(String, bool)> {
    let read = |name: &str| {
        let value = environment.iter().find(|(known, _)| *known == name);
        value.map(|(_, value)| OsString::from(value))
    };
    place(given.map(Path::new), read).map(|(path, needed)| (path.display().to_string(), needed))
}

#[test]
fn the_file_is_looked_for_in_order() {
    let home = ("HOME", "/home/me");
    let path = |path: &str, needed| Some((path.to_owned(), needed));
    assert_eq!(found(None, &[]), None);
    assert_eq!(found(None, &[home]), path("/home/me/.config/flitscope/config.ron", false));
    let xdg = ("XDG_CONFIG_HOME", "/etc/me");
    assert_eq!(found(None, &[home, xdg]), path("/etc/me/flitscope/config.ron", false));
    // A relative one is none, as its standard says.
    let relative = ("XDG_CONFIG_HOME", "me");
    let usual = path("/home/me/.config/flitscope/config.ron", false);
    assert_eq!(found(None, &[home, relative]), usual);
    let own = (VARIABLE, "mine.ron");
    assert_eq!(found(None, &[home, xdg, own]), path("mine.ron", true));
    assert_eq!(found(None, &[home, xdg, (VARIABLE, "")]), None);
    assert_eq!(found(Some("x.ron"), &[home, own]), path("x.ron", true));
}

#[test]
fn what_is_printed_reads_back_to_the_same() {
    let mut keys = Keymap::default();
    keys.bind(Key::Ctrl('x'), Some(Action::Run(Run::ToggleRun)));
    keys.bind(Key::Char('"'), Some(Action::Run(Run::Faster)));
    keys.bind(Key::Char('\\'), None);
    let night = "themes: {\"night\": (like: \"tritanopia\", palette: \"cividis\", colours: {\"dim\": \
                 \"#00000b\"}), \"day \\\"1\\\"\": (background: \"light\")}";
    let themes = parse("c.ron", &format!("Config({night})")).unwrap().themes;
    assert_eq!(themes[0].like.map(|like| like.name), Some("tritanopia"));
    let screen =
        Screen { theme: Some(RequestedTheme::Look(themes[0])), ..Screen::default() }.filled();
    let colours = CustomColours([("alarm", 0xff_70_43), ("hue-7", 0x00_00_0a)].into());
    let scenario = Some("a \"b\".ron".to_owned());
    let file = File { scenario, screen, keys, colours, themes };
    let printed = text("a \"b\".ron", &screen, &file);
    let read = parse("c.ron", &printed).unwrap();
    assert_eq!(read, file);
    assert_eq!(text("a \"b\".ron", &read.screen.filled(), &read), printed);
}

#[test]
fn the_table_shows_the_keys_really_bound() {
    let mut keys = Keymap::default();
    keys.bind(Key::Ctrl('x'), Some(Action::Run(Run::ToggleRun)));
    keys.bind(Key::Char('q'), None);
    let table = key_table(&keys);
    let row = |name: &str| table.lines().find(|line| line.contains(name)).unwrap();
    assert!(row("toggle-run").trim_start().starts_with("Ctrl-X Space "));
    assert!(row(" quit   ").starts_with(&format!("  {:22} quit", "")), "{table}");
    assert_eq!(table.matches("select text").count() + table.matches("selects text").count(), 1);
}

#[test]
fn colours_are_checked_with_their_names() {
    let text = "Config(\n    colours: {\n        \"alrm\": \"#ff7043\",\n        \"focus\": \"blue\",\n\
                \"dim\": \"#000000\",\n\"dim\": \"#000001\",\n    },\n)\n";
    let problems = parse("c.ron", text).unwrap_err();
    let said = scenario::render(&problems);
    for wanted in [
        "c.ron:3:9",
        "nothing that has a colour is called \"alrm\"",
        "did you mean \"alarm\"?",
        "c.ron:4:18",
        "\"blue\" is no colour",
        "\"dim\" has two colours",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    assert_eq!(parse("c.ron", "Config(colours: 3)").unwrap_err().len(), 1);
}

#[test]
fn themes_of_ones_own_are_checked_with_their_fields_and_names() {
    let text = "Config(\n    theme: \"nigth\",\n    themes: {\n        \"night\": (like: \"tritanopa\", \
                background: \"blue\"),\n        \"dark\": (palette: \"magma\", colour: {}),\n        \
                \"night\": (colours: {\"alrm\": \"#000000\"}),\n    },\n)\n";
    let said = scenario::render(&parse("c.ron", text).unwrap_err());
    for wanted in [
        "c.ron:2:12",
        "`theme` cannot be \"nigth\"",
        "did you mean \"night\"?",
        "c.ron:4:25",
        "did you mean \"tritanopia\"?",
        "`background` cannot be \"blue\"",
        "c.ron:5:9",
        "there is a theme \"dark\" already",
        "`palette` cannot be \"magma\"",
        "did you mean `colours`?",
        "c.ron:6:9",
        "there is a theme \"night\" already",
        "did you mean \"alarm\"?",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    assert_eq!(parse("c.ron", "Config(themes: [3])").unwrap_err().len(), 1);
}

#[test]
fn a_theme_is_found_by_its_name_on_the_command_line_too() {
    let file = parse("c.ron", "Config(themes: {\"night\": (background: \"dark\")})").unwrap();
    let asked = |name| Screen { theme: Some(RequestedTheme::Named(name)), ..Screen::default() };
    let found = asked("night").with_themes(&file.themes).unwrap();
    assert_eq!(found.theme, Some(RequestedTheme::Look(file.themes[0])));
    let Err(Failure::Usage(said)) = asked("nihgt").with_themes(&file.themes) else { panic!() };
    assert!(said.contains("there is no theme `nihgt`") && said.contains("\"night\"?"), "{said}");
}
