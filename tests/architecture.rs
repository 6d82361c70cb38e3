//! The walls of the house, read off the source tree.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the bottom up; a module may use what stands in a lower layer, never a sibling.
const LAYERS: &[&[&str]] = &[
    &["ids", "units", "random", "text", "words"],
    &["topology"],
    &["routing", "switching", "traffic"],
    &["system"],
    &["engine", "stats", "model"],
    &["scenario"],
    &["session"],
    &["files"],
    &["live", "experiment", "recording"],
    &["report"],
    &["tui"],
    &["cli"],
];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// Every source file with its path below `src` and its text without comments and tests.
fn files() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    assert!(paths.len() > 20, "the tree is read");
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path.strip_prefix(&root).unwrap().to_path_buf(), text)
        })
        .collect()
}

/// The code of a file: no comment lines, nothing behind its tests.
fn code(text: &str) -> String {
    let production = text.split("#[cfg(test)]").next().unwrap_or_default();
    production
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The top-level module that a file belongs to.
fn module(path: &Path) -> String {
    let first = path.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.strip_suffix(".rs").map_or(first.clone(), str::to_owned)
}

fn layer(module: &str) -> usize {
    LAYERS
        .iter()
        .position(|layer| layer.contains(&module))
        .unwrap_or_else(|| panic!("src/{module} stands in no layer: give it one in this test"))
}

/// The modules that a text names as `crate::NAME` or `crate::{NAME, ...}`.
fn used(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let name = |text: &str| -> String {
            text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        };
        match rest.strip_prefix('{') {
            Some(list) => {
                let list = list.split('}').next().unwrap_or_default();
                names.extend(list.split(',').map(|item| name(item.trim())));
            }
            None => names.push(name(rest)),
        }
    }
    names
}

#[test]
fn lower_layers_never_know_higher_ones_and_siblings_do_not_see_each_other() {
    let mut seen = 0;
    for (path, text) in files() {
        let here = module(&path);
        if ["lib", "main"].contains(&here.as_str()) {
            continue;
        }
        for other in used(&code(&text)) {
            if other == here || !LAYERS.iter().any(|layer| layer.contains(&other.as_str())) {
                continue;
            }
            seen += 1;
            assert!(
                layer(&other) < layer(&here),
                "src/{}: {here} uses {other}, which does not stand below it",
                path.display()
            );
        }
    }
    assert!(seen > 50, "uses are found");
}

#[test]
fn libraries_of_the_surface_stay_at_the_surface() {
    for (path, text) in files() {
        let here = module(&path);
        let code = code(&text);
        for (library, home) in [("ratatui", "tui"), ("crossterm", "tui"), ("clap", "cli")] {
            let named =
                code.contains(&format!("{library}::")) || code.contains(&format!("use {library}"));
            // main.rs hands its arguments over and nothing more.
            assert!(
                !named || here == home,
                "src/{}: {library} is named outside {home}",
                path.display()
            );
        }
    }
}

#[test]
fn below_the_session_nothing_prints_sleeps_reads_files_or_knows_threads() {
    let session = layer("session");
    let forbidden = [
        "println!",
        "eprintln!",
        "print!(",
        "std::fs",
        "std::io",
        "std::thread",
        "std::time",
        "std::env",
        "std::process",
        "std::sync::mpsc",
        "std::sync::Mutex",
        "rayon",
    ];
    for (path, text) in files() {
        let here = module(&path);
        if ["lib", "main"].contains(&here.as_str()) || layer(&here) > session {
            continue;
        }
        let code = code(&text);
        for word in forbidden {
            assert!(!code.contains(word), "src/{}: {word} below the session", path.display());
        }
    }
}

#[test]
fn every_file_says_its_job_first_and_keeps_to_it() {
    for (path, text) in files() {
        let first = text.lines().next().unwrap_or_default();
        assert!(
            first.starts_with("//! "),
            "src/{}: no first line that says its job",
            path.display()
        );
        assert!(
            !path.ends_with("mod.rs"),
            "src/{}: modules are named by their own file",
            path.display()
        );
        let lines = code(&text).lines().count();
        assert!(lines <= 450, "src/{}: {lines} lines of code: has it two jobs?", path.display());
    }
}

#[test]
fn nothing_is_unsafe() {
    for (path, text) in files() {
        assert!(!code(&text).contains("unsafe "), "src/{}", path.display());
    }
}
