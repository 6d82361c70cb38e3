//! What the README says of the keys is what the program obeys.
//!
//! `FLITSCOPE_UPDATE=1 cargo test --test screen` writes it.

use std::path::Path;

use flitscope::tui::bindings;

const BEGIN: &str =
    "<!-- keys: begin (written from the table in src/tui/bindings/table.rs; a test compares) -->\n";
const END: &str = "<!-- keys: end -->";

#[test]
fn the_readme_has_the_table_of_keys() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let begin = text.find(BEGIN).expect("the README marks where the keys begin") + BEGIN.len();
    let end = text.find(END).expect("and where they end");
    let wanted = format!("\n{}\n", bindings::markdown());
    if std::env::var_os("FLITSCOPE_UPDATE").is_some() {
        let new = format!("{}{wanted}{}", &text[..begin], &text[end..]);
        std::fs::write(&path, new).unwrap();
    } else {
        assert!(text[begin..end] == wanted, "the README's keys are old: see {}", file!());
    }
}

#[test]
fn every_command_and_scenario_of_the_readme_exists() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(path).unwrap();
    let mut seen = 0;
    for line in text.lines().filter(|line| line.starts_with("$ flitscope ")) {
        for word in line.split_whitespace().skip(2) {
            let scenario = flitscope::scenario::builtin::find(word).is_some();
            let command =
                ["simulate", "replay", "record", "predict", "check", "scenarios"].contains(&word);
            seen += usize::from(scenario || command);
        }
    }
    assert!(seen >= 5, "the README's examples are read");
    for picture in text.split("](screenshots/").skip(1) {
        let name = picture.split(')').next().unwrap_or_default();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots").join(name);
        assert!(file.exists(), "{name} is shown and missing");
    }
}
