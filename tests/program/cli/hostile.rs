//! Texts from outside that would steer a terminal or break a format, through everything that comes out.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use flitscope::recording::PICTURES;
use flitscope::text;

use super::program::{Said, objects, program, run, run_with};

/// Colours, a title for the window, C1, marks of direction, characters that are none, and lines.
const NAME: &str =
    "a\u{1b}[31m\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{2066}\u{200f}\u{fffe}\u{ffff}\n\r\tz";
const TITLE: &str = "t\\u{202e}\\u{2066}\\u{200e}\\u{fffe}\\u{ffff}\\u{feff}<&>";

fn clean(what: &str, text: &str) {
    let hostile = text.chars().find(|&letter| letter != '\n' && !text::shows(letter));
    assert_eq!(hostile, None, "{what}: {text:?}");
}

/// What a terminal shows that is sent this.
fn shown(bytes: &str) -> String {
    let mut terminal = avt::Vt::new(80, 24);
    terminal.feed_str(bytes);
    terminal.text().join("\n")
}

/// Every command there is, as the program itself knows them: its words, and its arguments.
fn commands() -> Vec<(Vec<String>, clap::Command)> {
    let mut open = vec![(Vec::new(), flitscope::cli::definition())];
    let mut found = Vec::new();
    while let Some((words, mut command)) = open.pop() {
        command.build();
        for below in command.get_subcommands().filter(|it| it.get_name() != "help") {
            open.push(([&words[..], &[below.get_name().to_owned()]].concat(), below.clone()));
        }
        found.push((words, command));
    }
    found
}

#[test]
fn no_command_says_a_hostile_argument_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut told = 0;
    for (words, command) in commands() {
        let positional = command.get_positionals().count();
        let options = command.get_arguments().filter(|it| it.get_action().takes_values());
        let options = options.filter_map(|it| it.get_long()).map(|it| format!("--{it}={NAME}"));
        for option in options.map(Some).chain([None]) {
            let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
            arguments.extend(option.as_deref());
            arguments.extend([NAME].repeat(positional.max(1)));
            let done = program(&arguments).current_dir(&folder).output().unwrap();
            let said =
                [&done.stdout, &done.stderr].map(|it| String::from_utf8(it.clone()).unwrap());
            let what = format!("{words:?} {option:?}");
            clean(&what, &said.concat());
            assert!(matches!(done.status.code(), Some(1 | 2 | 74)), "{what}: {said:?}");
            told += 1;
        }
    }
    assert!(told > 150, "{told}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "and nothing was written");
}

/// The formats of a command, as it knows them itself.
fn formats(name: &str) -> Vec<String> {
    let (_, command) = commands().into_iter().find(|(words, _)| *words == [name]).unwrap();
    let format = command.get_arguments().find(|it| it.get_id() == "format").unwrap();
    let values = format.get_possible_values();
    values.iter().map(|value| value.get_name().to_owned()).collect()
}

#[test]
fn a_study_of_somebody_else_writes_below_the_folder_alone() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study.ron");
    let (mut run_at_all, out) = (0, folder.path().join("out"));
    for name in ["../../a", "/tmp/a", "..", "a/b", "../out/../b", TITLE] {
        let named = format!("name: \"{name}\"");
        let figure = format!("figures: {{\"{name}\": (y: Latency)}}");
        let case = format!("set: {{\"title\": \"{name}\"}}");
        for more in [named, figure, case] {
            let scenario = "scenario: \"papers/adaptive-torus-4x4\"";
            let text = format!("Study({scenario}, loads: [0.1], cycles: 500, {more})\n");
            fs::write(&study, text).unwrap();
            let said = run(&["sweep", study.to_str().unwrap(), "--out", out.to_str().unwrap()]);
            assert!([0, 2].contains(&said.status), "{more}: {}", said.err);
            clean(&more, &(said.out + &said.err));
            let mut names: Vec<_> =
                fs::read_dir(&folder).unwrap().map(|it| it.unwrap().file_name()).collect();
            names.retain(|name| name != "out");
            assert_eq!(names, ["study.ron"], "{more}");
            if fs::remove_dir_all(&out).is_ok() {
                run_at_all += u32::from(said.status == 0);
            }
        }
    }
    assert!(run_at_all > 3, "{run_at_all}");
}

#[test]
fn nothing_hostile_comes_out_of_any_format() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = folder.path().join(format!("{NAME}.ron")).display().to_string();
    let text = run(&["scenarios", "mesh-8x8"]).out;
    let title = text.lines().find(|line| line.contains("title:")).unwrap();
    let text = text.replace(title, &format!("    title: \"{TITLE}\","));
    fs::write(&scenario, format!("// \u{1b}[7m\u{202e}\n{text}")).unwrap();

    let simulate = |more: &[&str]| {
        let said = run(&[&["simulate", &scenario, "--cycles", "300"][..], more].concat());
        assert_eq!(said.status, 0, "{}", said.err);
        clean("errors", &said.err);
        clean("output", &said.out);
        said.out
    };
    assert!(simulate(&[]).contains("\\u{202e}"), "it is said what there was");
    let table = simulate(&["--format", "csv"]);
    let rows: Vec<_> = csv::Reader::from_reader(table.as_bytes()).into_records().collect();
    assert!(rows.len() == 1 && rows[0].as_ref().unwrap()[0].contains("\\u{1b}[31m"), "{table}");
    let json = simulate(&["--format", "json"]);
    assert!(objects(&json)[0]["scenario"].as_str().unwrap().chars().all(text::shows));
    for command in ["check", "predict", "simulate"] {
        for format in formats(command) {
            let more: &[&str] = if command == "simulate" { &["--cycles=300"] } else { &[] };
            let said = run(&[&[command, &scenario, "--format", &format][..], more].concat());
            assert_eq!(said.status, 0, "{}", said.err);
            well_formed(&format!("{command}.{format}"), &said.out);
            clean(command, &said.err);
        }
    }
    let plain = run(&[&scenario, "--plain", "--cycles", "1200"]);
    clean("plain", &(plain.out + &plain.err));
    for wrong in [&format!("{scenario}x")[..], folder.path().to_str().unwrap()] {
        let said = run(&["simulate", wrong, "--set", &format!("seed={NAME}")]);
        assert_eq!(said.status, 2);
        clean("errors", &said.err);
    }

    let shots = |name: &str| PICTURES.map(|ending| format!("shot {name}{ending}\n")).concat();
    let typed = "size 80x24\nwait 0.2s\nmarker \"\u{1b}]0;x\u{7}\u{202e}\"\nkey o\n\
                 type \"\u{1b}[31m\u{202e}\u{fffe}\u{9b}\"\n";
    let keys = [typed, &shots("typed"), "key esc\n", &shots("a")].concat();
    let cast = folder.path().join("a.cast").display().to_string();
    let said = run_with(&["record", &scenario, "--keys", "-", "-o", &cast], &keys);
    assert_eq!(said.status, 0, "{}", said.err);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    for (name, ending) in ["a", "typed"].into_iter().flat_map(|it| PICTURES.map(|to| (it, to))) {
        let name = format!("{name}{ending}");
        match ending {
            ".png" => pixels_alone(&fs::read(folder.path().join(&name)).unwrap()),
            ".ans" => colours_alone(&read(&name)),
            _ => well_formed(&name, &read(&name)),
        }
    }
    assert!(read("typed.txt").contains('\u{fffd}'), "it is seen that something was typed");
    let mut terminal = avt::Vt::new(80, 24);
    for (number, line) in read("a.cast").lines().enumerate() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        match (number, line[1].as_str()) {
            (0, _) => clean("the header", line["title"].as_str().unwrap()),
            (_, Some("o")) => {
                let data = line[2].as_str().unwrap();
                let bare = data.replace(['\u{1b}', '\n', '\r'], "");
                assert!(bare.chars().all(text::shows) && !data.contains("\u{1b}]"), "{data:?}");
                terminal.feed_str(data);
                clean("the screen", &terminal.text().join("\n"));
            }
            (_, _) => clean("an event", line[2].as_str().unwrap()),
        }
    }
}

/// That a still in a terminal's colours has no other sequence.
fn colours_alone(text: &str) {
    let colour = |rest: &str| {
        let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap();
        rest.starts_with('[') && &rest[end..=end] == "m" && !rest.starts_with("[31m")
    };
    assert!(text.split('\u{1b}').skip(1).all(colour), "{text}");
    clean("colours", &shown(&text.replace('\n', "\r\n")));
}

/// That a PNG has no chunk that holds a text.
fn pixels_alone(picture: &[u8]) {
    let mut rest = picture.strip_prefix(b"\x89PNG\r\n\x1a\n").unwrap();
    while let [a, b, c, d, kind @ ..] = rest {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        assert!(!matches!(&kind[..4], b"tEXt" | b"zTXt" | b"iTXt"));
        // Its name before it, a checksum behind.
        rest = &kind[4 + length + 4..];
    }
}

/// Every file below a folder, with its name.
fn below(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(below(&path));
        } else {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

/// That a file is clean, and well formed for the programs that read its kind.
fn well_formed(name: &str, text: &str) {
    clean(name, text);
    match name.rsplit('.').next() {
        Some("svg") => drop(roxmltree::Document::parse(text).unwrap()),
        Some("csv") => {
            // A figure of which nothing is known yet has no rows.
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            assert!(reader.headers().unwrap().len() > 1, "{name}");
            reader.into_records().for_each(|row| drop(row.unwrap()));
        }
        Some("json") => {
            let whole = serde_json::from_str::<serde_json::Value>(text).is_ok();
            assert!(whole || objects(text).len() > 1, "{name}: {text}");
        }
        _ => {}
    }
}

#[test]
fn nothing_hostile_comes_out_of_studies_sessions_and_comparisons() {
    let folder = tempfile::tempdir().unwrap();
    // A study refuses a name with control characters.
    let name: String = NAME.chars().filter(|letter| !letter.is_control()).collect();
    let scenario = folder.path().join(format!("{name}.ron")).display().to_string();
    let text = run(&["scenarios", "papers/adaptive-torus-4x4"]).out;
    let title = text.lines().find(|line| line.contains("title:")).unwrap();
    let text = text.replace(title, &format!("    title: \"{TITLE}\","));
    fs::write(&scenario, text).unwrap();
    let good = |arguments: &[&str]| {
        let said = run(arguments);
        assert_eq!(said.status, 0, "{arguments:?}: {}", said.err);
        clean("output", &(said.out.clone() + &said.err));
        said.out
    };

    // A comparison, with the same messages and with itself.
    for format in ["table", "csv", "json"] {
        let set = ["--against-set", "switching.buffer_flits=3", "--cycles", "3000"];
        good(&[&["simulate", &scenario, "--format", format][..], &set].concat());
        good(&[
            "simulate",
            &scenario,
            "--against",
            &scenario,
            "--cycles",
            "300",
            "--format",
            format,
        ]);
    }
    // A study, its folder and what is said of it.
    let out = folder.path().join(format!("study{NAME}")).display().to_string();
    good(&["sweep", &scenario, "--loads", "0.1,0.2", "--cycles", "2000", "--out", &out]);
    for told in ["status", "missing", "plot"] {
        good(&["sweep", told, &out]);
    }
    let results: Vec<(String, String)> = below(Path::new(&out))
        .into_iter()
        .filter(|(name, _)| !name.contains("/scenario/"))
        .collect();
    assert!(results.len() > 6, "{results:?}");
    for (name, text) in &results {
        well_formed(name, text);
    }

    // What keys save, and the run made again.
    let keys = "size 100x30\nwait 0.2s\ntype \":set title \\\"\u{1b}[7m\u{202e}\\\"\\n\"\n\
                key esc x3\ntype \":export e.csv\\n\"\ntype \":export e.json\\n\"\n\
                type \":save e.session.ron\\n\"\nwait 0.2s\nkey T x2\nshot e.svg\n";
    let film = folder.path().join("film");
    fs::create_dir(&film).unwrap();
    let cast = film.join("e.cast").display().to_string();
    let said = run_with(&["record", &scenario, "--keys", "-", "-o", &cast], keys);
    assert_eq!(said.status, 0, "{}", said.err);
    let saved = film.join("e.session.ron").display().to_string();
    let session = fs::read_to_string(&saved).unwrap();
    clean("a session", &session);
    for name in ["e.csv", "e.json", "e.svg"] {
        well_formed(name, &fs::read_to_string(film.join(name)).unwrap());
    }
    for format in ["table", "csv", "json"] {
        good(&["replay", &saved, "--format", format]);
    }
}

#[test]
fn a_name_in_a_message_is_one_line_that_shows() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join(NAME);
    let pages = pages.to_str().unwrap();
    let missing: Said = run(&["man", "--out", pages]);
    assert_eq!(missing.status, 74);
    clean("no folder", &missing.err);
    assert!(missing.err.contains("flitscope.1: "), "the file is named: {}", missing.err);
    fs::create_dir(pages).unwrap();
    let written = run(&["man", "--out", pages]);
    assert_eq!(written.status, 0, "{}", written.err);
    clean("the pages", &written.out);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let full = program(&["man"]).stdout(full).output().unwrap();
    assert_eq!(full.status.code(), Some(74));
    assert!(String::from_utf8(full.stderr).unwrap().contains("standard output: No space left"));
}

#[test]
fn a_configuration_whose_name_is_no_text_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(OsStr::from_bytes(b"c\xff.ron"));
    let print = || {
        let output = program(&["--print-config"]).env("FLITSCOPE_CONFIG", &path).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(print().0, Some(2));
    fs::write(&path, "Config(fps: 17)").unwrap();
    let (status, printed) = print();
    assert!(status == Some(0) && printed.contains("fps: 17,"), "{printed}");
}
