//! The configuration file: found, read, beaten by the command line, and refused with its places.

use std::fmt::Write;
use std::path::PathBuf;

use super::program::{Said, program, run};

/// Runs the program with a configuration of this text.
fn with(name: &str, text: &str, arguments: &[&str]) -> Said {
    let path = folder().join(format!("{name}.ron"));
    std::fs::write(&path, text).unwrap();
    run(&[&["--config", path.to_str().unwrap()], arguments].concat())
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("flitscope-config-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn broken_files_are_told_with_their_places() {
    let mut files: Vec<PathBuf> = std::fs::read_dir("tests/broken-config")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 9);
    let mut all = String::new();
    for path in files {
        let said = run(&["--config", path.to_str().unwrap(), "--print-config"]);
        assert_eq!(said.status, 2, "{path:?}: {}", said.err);
        assert!(said.out.is_empty(), "{path:?}: {}", said.out);
        let _ = writeln!(all, "{}", said.err);
    }
    insta::assert_snapshot!("broken_configurations", all);
    // The screen and the headless table are refused as well.
    let said = run(&["--config", "tests/broken-config/key-twice.ron"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("key-twice.ron:5:9"), "{}", said.err);
}

/// A field, its default, what a file says and how that is shown, what the command line says and how
/// that is shown.
type Case =
    (&'static str, &'static str, &'static str, &'static str, &'static [&'static str], &'static str);

#[test]
fn the_command_line_beats_the_file_and_the_file_the_defaults() {
    let line = |said: &Said, name: &str| -> String {
        assert_eq!(said.status, 0, "{}", said.err);
        let start = format!("    {name}: ");
        let found = said.out.lines().find_map(|line| line.strip_prefix(&start));
        found.unwrap_or_else(|| panic!("{name}: {}", said.out)).trim_end_matches(',').to_owned()
    };
    let cases: &[Case] = &[
        ("theme", r#""auto""#, r#""light""#, r#""light""#, &["--theme", "mono"], r#""mono""#),
        ("color", r#""auto""#, r#""256""#, r#""256""#, &["--color", "16"], r#""16""#),
        (
            "palette",
            r#""auto""#,
            r#""cividis""#,
            r#""cividis""#,
            &["--palette", "viridis"],
            r#""viridis""#,
        ),
        ("ascii", "false", "true", "true", &["--ascii=false"], "false"),
        ("ascii", "false", "false", "false", &["--ascii"], "true"),
        (
            "marker",
            r#""braille""#,
            r#""strokes""#,
            r#""strokes""#,
            &["--marker", "braille"],
            r#""braille""#,
        ),
        (
            "layout",
            r#""balanced""#,
            r#""teaching""#,
            r#""teaching""#,
            &["--layout", "network"],
            r#""network""#,
        ),
        ("fps", "30", "12", "12", &["--fps", "60"], "60"),
        ("mouse", "true", "false", "false", &["--mouse"], "true"),
        ("mouse", "true", "true", "true", &["--no-mouse"], "false"),
        ("history", "256", "10", "10", &["--history", "20"], "20"),
        ("pace", r#""natural""#, "1000.5", "1000.5", &["--pace", "max"], r#""max""#),
        ("pace", r#""natural""#, r#""max""#, r#""max""#, &["--pace", "16"], "16"),
        ("window", "256", "64", "64", &["--window", "4096"], "4096"),
        (
            "scenario",
            r#""torus-8x8""#,
            r#""mesh-8x8""#,
            r#""mesh-8x8""#,
            &["ring-deadlock"],
            r#""ring-deadlock""#,
        ),
    ];
    for (at, (name, default, text, shown, arguments, winner)) in cases.iter().enumerate() {
        let file = format!("Config({name}: {text})");
        let case = format!("case-{at}");
        assert_eq!(line(&run(&["--print-config"]), name), *default);
        assert_eq!(line(&with(&case, &file, &["--print-config"]), name), *shown);
        let given = [&["--print-config"], *arguments].concat();
        assert_eq!(line(&with(&case, &file, &given), name), *winner);
    }
}

#[test]
fn what_is_printed_reads_back_to_the_same() {
    let text =
        r#"Config(theme: "light", pace: 0.25, keys: {"Ctrl-x": "run or pause", "q": "nothing"})"#;
    let first = with("first", text, &["--print-config", "mesh-8x8", "--fps", "12"]);
    assert!(first.out.contains(r#""Ctrl-X": "toggle-run","#), "{}", first.out);
    let again = with("again", &first.out, &["--print-config"]);
    assert_eq!(again.out, first.out);
    // Nothing but comments is no mistake.
    let none = with("none", "// nothing yet\n", &["--print-config"]);
    assert_eq!(none.out, run(&["--print-config"]).out);
}

#[test]
fn the_keys_really_bound_are_printed() {
    let text = r#"(keys: {"F5": "restart", "r": "nothing"})"#;
    let said = with("keys", text, &["--print-keys"]);
    let row = |said: &Said, name: &str| {
        let name = format!(" {name} ");
        said.out.lines().find(|line| line.contains(&name)).unwrap_or_default().trim().to_owned()
    };
    assert!(row(&said, "restart").starts_with("F5 "), "{}", said.out);
    assert!(row(&run(&["--print-keys"]), "restart").starts_with("r "));
}

#[test]
fn the_environment_says_where_the_file_is() {
    let folder = folder();
    let home = folder.join("home");
    std::fs::create_dir_all(home.join(".config/flitscope")).unwrap();
    std::fs::write(home.join(".config/flitscope/config.ron"), "Config(fps: 7)").unwrap();
    std::fs::write(folder.join("other.ron"), "Config(fps: 8)").unwrap();
    let fps = |variables: &[(&str, &str)]| {
        let mut command = program(&["--print-config"]);
        command.env_remove("XDG_CONFIG_HOME").env_remove("FLITSCOPE_CONFIG").env("HOME", &home);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text.lines().find(|line| line.contains("fps")).map(str::trim).map(str::to_owned);
        (output.status.code().unwrap(), line.unwrap_or_default())
    };
    let other = folder.join("other.ron").display().to_string();
    let config = home.join(".config").display().to_string();
    assert_eq!(fps(&[]), (0, "fps: 7,".to_owned()));
    assert_eq!(fps(&[("XDG_CONFIG_HOME", &config)]), (0, "fps: 7,".to_owned()));
    assert_eq!(fps(&[("XDG_CONFIG_HOME", "/nowhere")]), (0, "fps: 30,".to_owned()));
    assert_eq!(fps(&[("FLITSCOPE_CONFIG", &other)]), (0, "fps: 8,".to_owned()));
    assert_eq!(fps(&[("FLITSCOPE_CONFIG", "")]), (0, "fps: 30,".to_owned()));
    assert_eq!(fps(&[("FLITSCOPE_CONFIG", "/nowhere.ron")]).0, 2);
    let said = run(&["--config", "/nowhere.ron", "--print-config"]);
    assert!(said.err.contains("/nowhere.ron") && said.err.contains("help"), "{}", said.err);
}
