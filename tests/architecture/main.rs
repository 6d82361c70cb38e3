//! The walls of the house, read off the source tree.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

mod constants;
mod cycles;
mod documented;
mod english;
mod supply;
mod tree;

use std::path::Path;

use tree::{Source, Tree};

/// The layers from the bottom up; a module may use what stands in a lower layer, never a sibling.
const LAYERS: &[&[&str]] = &[
    &["ids", "units", "random", "memory", "text", "words", "guide"],
    &["topology"],
    &["routing", "switching", "traffic"],
    &["network_files"],
    &["system"],
    &["flows"],
    &["capacity"],
    &["engine", "stats", "model"],
    &["scenario"],
    &["session"],
    &["files"],
    &["live", "experiment", "recording"],
    &["report"],
    &["tui"],
    &["cli"],
];

/// The top-level module that a file belongs to.
fn room(source: &Source) -> &str {
    let binary = source.path.ends_with("main.rs");
    source.module.first().map_or(if binary { "main" } else { "lib" }, String::as_str)
}

/// The longest that a file may be.
const LINES_MAX: usize = 400;

fn layer(module: &str) -> usize {
    LAYERS
        .iter()
        .position(|layer| layer.contains(&module))
        .unwrap_or_else(|| panic!("src/{module} stands in no layer: give it one in this test"))
}

#[test]
fn lower_layers_never_know_higher_ones_and_siblings_do_not_see_each_other() {
    let tree = Tree::read();
    let mut seen = 0;
    for (at, source) in tree.sources.iter().enumerate() {
        let here = room(source);
        if ["lib", "main"].contains(&here) {
            continue;
        }
        for (other, name) in tree.used_by(at) {
            let there = room(&tree.sources[other]);
            if there == here || there == "lib" {
                continue;
            }
            seen += 1;
            assert!(
                layer(there) < layer(here),
                "src/{}: {here} uses {there} ({name}), which does not stand below it",
                source.path.display()
            );
        }
    }
    assert!(seen > 500, "uses are found: {seen}");
}

#[test]
fn only_what_builds_cubes_asks_for_their_family() {
    let builds = ["scenario/network.rs", "scenario/switches.rs"];
    for source in Tree::read().sources.iter().filter(|source| source.words.contains("Family")) {
        let file = source.path.display().to_string();
        let built = room(source) == "topology" || builds.contains(&file.as_str());
        assert!(built, "src/{file}: cubes answer for themselves, as by `Cube::wraps`");
    }
}

#[test]
fn on_the_screen_what_acts_draws_nothing_and_what_draws_changes_nothing() {
    let (mut acting, mut drawing) = (0, 0);
    for source in Tree::read().sources.iter().filter(|source| room(source) == "tui") {
        let file = source.path.display();
        let names = |word: &str| source.words.contains(word);
        let part = source.module.get(1).map_or("", String::as_str);
        let draws = names("Pen") || names("Buffer");
        match part {
            "app" => {
                acting += 1;
                assert!(!draws, "src/{file} draws");
            }
            // The network and the panes are drawn from a run as it is shown, be it the active one or not.
            "grid" | "panes" => assert!(!names("App"), "src/{file} knows the whole screen"),
            _ => {}
        }
        if draws {
            drawing += 1;
            assert!(
                !source.text.contains("&mut App"),
                "src/{file} draws and changes what it draws"
            );
        }
    }
    assert!(acting > 12 && drawing > 20, "{acting} files act, {drawing} draw");
}

#[test]
fn inside_the_engine_tables_stand_below_steps_kinds_do_not_meet_and_audits_only_read() {
    let tables =
        ["buffers", "closed", "pace", "ports", "records", "rules", "state", "table", "wheel"];
    let readers = ["audit", "audit_channels", "fingerprint", "stuck", "waits"];
    let tree = Tree::read();
    let place = |at: usize| {
        let module: Vec<&str> = tree.sources[at].module.iter().map(String::as_str).collect();
        match module[..] {
            ["engine", kind @ ("wormhole" | "circuit"), file] => Some((kind, file.to_owned())),
            _ => None,
        }
    };
    let mut seen = 0;
    for at in 0..tree.sources.len() {
        let Some((kind, file)) = place(at) else { continue };
        let source = &tree.sources[at];
        let path = source.path.display();
        let writes = source.text.contains("&mut self");
        assert!(!readers.contains(&&*file) || kind == "circuit" || !writes, "src/{path} writes");
        for (other_kind, other) in tree.used_by(at).into_keys().filter_map(place) {
            seen += 1;
            assert_eq!(other_kind, kind, "src/{path} knows {other_kind}/{other}");
            let climbs = kind == "wormhole" && tables.contains(&&*file);
            assert!(!climbs || tables.contains(&&*other), "src/{path} stands below {other}");
        }
    }
    assert!(seen > 40, "uses are found: {seen}");
}

#[test]
fn libraries_of_the_surface_stay_at_the_surface() {
    for source in &Tree::read().sources {
        let here = room(source);
        for (library, home) in [("ratatui", "tui"), ("crossterm", "tui"), ("clap", "cli")] {
            let named = source.names_path(&[library]);
            // main.rs hands its arguments over and nothing more.
            assert!(
                !named || here == home,
                "src/{}: {library} is named outside {home}",
                source.path.display()
            );
        }
    }
}

#[test]
fn below_the_session_nothing_prints_sleeps_reads_files_or_knows_threads() {
    let session = layer("session");
    let paths: [&[&str]; 9] = [
        &["std", "fs"],
        &["std", "io"],
        &["std", "thread"],
        &["std", "time"],
        &["std", "env"],
        &["std", "process"],
        &["std", "sync", "mpsc"],
        &["std", "sync", "Mutex"],
        &["rayon"],
    ];
    for source in &Tree::read().sources {
        let here = room(source);
        if ["lib", "main"].contains(&here) || layer(here) > session {
            continue;
        }
        let file = source.path.display();
        for path in paths {
            assert!(!source.names_path(path), "src/{file}: {} below the session", path.join("::"));
        }
        for word in ["println", "eprintln", "print", "eprint", "dbg"] {
            assert!(!source.calls_macro(word), "src/{file}: {word}! below the session");
        }
    }
}

#[test]
fn files_are_written_through_one_door() {
    let calls = [
        ("fs", "write"),
        ("fs", "rename"),
        ("fs", "copy"),
        ("fs", "hard_link"),
        ("fs", "create_dir"),
        ("fs", "create_dir_all"),
        ("fs", "set_permissions"),
        ("fs", "remove_file"),
        ("fs", "remove_dir_all"),
        ("File", "create"),
        ("File", "create_new"),
        ("File", "options"),
        ("OpenOptions", "new"),
    ];
    let mut doors = Vec::new();
    for source in &Tree::read().sources {
        let opened = calls.iter().filter(|(of, call)| source.names_path(&[of, call])).count();
        if opened > 0 {
            doors.push(source.path.display().to_string());
        }
    }
    // Leases are locks: they are gone soon after the program is.
    assert_eq!(doors, ["experiment/leases.rs", "files/write.rs"]);
}

#[test]
fn every_file_says_its_job_first_and_keeps_to_it() {
    for source in &Tree::read().sources {
        let file = source.path.display();
        let first = source.text.lines().next().unwrap_or_default();
        assert!(first.starts_with("//! "), "src/{file}: no first line that says its job");
        assert!(
            !source.path.ends_with("mod.rs"),
            "src/{file}: modules are named by their own file"
        );
        let lines = source.text.lines().count();
        assert!(lines <= LINES_MAX, "src/{file}: {lines} lines: has it two jobs?");
    }
}

#[test]
fn only_the_tables_of_the_engine_are_unsafe() {
    for source in &Tree::read().sources {
        let uses = source.words.contains("unsafe");
        let may = source.path == Path::new("engine/wormhole/table.rs");
        assert_eq!(uses, may, "src/{}", source.path.display());
    }
}

#[test]
fn the_page_on_architecture_names_files_that_exist() {
    let page = std::fs::read_to_string("src/lib.rs").unwrap();
    let is_file = |it: &&Path| it.extension().is_some_and(|it| it == "rs");
    let named: Vec<&Path> = page.split('`').map(Path::new).filter(is_file).collect();
    assert!(named.len() > 8, "{named:?}");
    for file in named {
        assert!(Path::new("src").join(file).is_file(), "no such file: {}", file.display());
    }
}
