//! Every command of the guide's page on the papers runs, and its output has the words that the page names.
//!
//! `reproduce` takes long: but for `.ci/long`, which sets `FLITSCOPE_ALL`, its claims are looked up in the
//! report of the same study without any point run.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use rayon::prelude::*;

/// A row of a table: paper, subject, command, words of the output, result, verdict.
struct Row<'a> {
    command: &'a str,
    words: &'a str,
    result: &'a str,
    verdict: &'a str,
}

impl<'a> Row<'a> {
    /// The row in a line; `None` for other lines.
    fn of(line: &'a str) -> Option<Self> {
        let line = line.strip_prefix("| ")?.strip_suffix(" |")?;
        let cells: Vec<&str> = line.split(" | ").collect();
        let [_, _, command, words, result, verdict] = cells[..] else {
            panic!("six cells: {line}");
        };
        let inside = |cell: &'a str, mark| {
            cell.strip_prefix(mark).and_then(|cell| cell.strip_suffix(mark)).unwrap_or_default()
        };
        let row =
            Self { command: inside(command, '`'), words: inside(words, '*'), result, verdict };
        (command != "command").then_some(row)
    }
}

/// The arguments of a command line whose only quotes are single ones.
fn arguments(command: &str) -> Vec<String> {
    let line = command.strip_prefix("flitscope ").expect("a command of this program");
    let mut all = vec![String::new()];
    for (at, part) in line.split('\'').enumerate() {
        let last = all.last_mut().unwrap();
        if at % 2 == 1 {
            last.push_str(part);
        } else {
            let mut words = part.split(' ');
            last.push_str(words.next().unwrap());
            all.extend(words.map(str::to_owned));
        }
    }
    all
}

/// The exit status and the words of the output of a run.
fn run(arguments: &[String]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flitscope"));
    let output = command.args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Runs a command of the page.
fn run_command(command: &str) -> (Option<i32>, String) {
    let mut own = arguments(command);
    let [name, paper] = &own[..] else { return run(&own) };
    if name != "reproduce" {
        return run(&own);
    }
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("papers").join(paper);
    let out = out.to_str().unwrap();
    if std::env::var_os("FLITSCOPE_ALL").is_some() {
        own.extend(["--out", out].map(str::to_owned));
        return run(&own);
    }
    let _ = std::fs::remove_dir_all(out);
    let study = format!("studies/{paper}");
    let begun = run(&["sweep", &study, "--no-run", "--out", out].map(str::to_owned));
    assert_eq!(begun.0, Some(0), "{}", begun.1);
    run(&["sweep", "merge", out].map(str::to_owned))
}

#[test]
fn commands_of_the_page_on_papers_print_what_it_names() {
    let page = include_str!("../../src/guide/papers.md");
    let rows: Vec<Row<'_>> = page.lines().filter_map(Row::of).collect();
    assert!(rows.len() >= 68, "{} rows", rows.len());
    let mut commands: BTreeMap<&str, Vec<&Row<'_>>> = BTreeMap::new();
    for row in &rows {
        assert_eq!(row.command.is_empty(), row.verdict == "not built", "{}", row.result);
        commands.entry(row.command).or_default().push(row);
    }
    commands.remove("");
    let wrong = |(command, rows): (&str, Vec<&Row<'_>>)| {
        let (status, said) = run_command(command);
        let wanted = i32::from(rows.iter().any(|row| row.result.contains("exit status 1")));
        let mut wrong = Vec::new();
        if status != Some(wanted) {
            wrong.push(format!("{command}: exit status {status:?}: {said}"));
        }
        let missing = rows.iter().filter(|row| row.words.is_empty() || !said.contains(row.words));
        wrong.extend(missing.map(|row| format!("{command}: {:?} is missing", row.words)));
        wrong
    };
    let wrong: Vec<String> = commands.into_par_iter().flat_map_iter(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
