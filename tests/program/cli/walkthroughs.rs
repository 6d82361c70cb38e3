//! The walkthroughs of the guide are executed: files are written, commands run in their order.

use std::fs;
use std::path::Path;

use super::program::program;
use flitscope::guide::TOPICS;

/// A file or a command of a page.
#[derive(Debug)]
enum Part<'g> {
    File { name: &'g str, text: String },
    Command(&'g str),
}

/// The files, each a name in a line of its own before a block, and the commands of a page.
fn parts(page: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut before, mut lines) = ("", page.lines());
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if kind == "console" {
                parts.extend(
                    block.iter().filter_map(|line| line.strip_prefix("$ ")).map(Part::Command),
                );
            } else if let Some(name) =
                before.strip_prefix('`').and_then(|name| name.strip_suffix('`'))
            {
                parts.push(Part::File { name, text: block.join("\n") + "\n" });
            }
        }
        before = line;
    }
    parts
}

/// Executes the files and commands of a page in a folder of its own, and counts them. The commands
/// in `statuses` end with a status other than 0; those that name a file in `general` stand for the
/// reader's own.
fn walk(page: &str, statuses: &[(&str, i32)], general: &[&str]) -> (usize, usize) {
    let page = TOPICS.iter().find(|topic| topic.name == page).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (mut files, mut commands) = (0, 0);
    for part in parts(page.text) {
        match part {
            Part::File { name, text } => {
                fs::write(folder.path().join(name), text).unwrap();
                files += 1;
            }
            Part::Command(command) => {
                let words = shlex(command);
                let [first, arguments @ ..] = &words[..] else { panic!("{command}") };
                assert_eq!(first, "flitscope");
                if arguments.iter().any(|word| general.contains(&word.as_str())) {
                    continue;
                }
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                let output =
                    program(&arguments).current_dir(Path::new(folder.path())).output().unwrap();
                let known = statuses.iter().find(|(name, _)| *name == command);
                let expected = known.map_or(0, |&(_, status)| status);
                let said = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(expected), "{command}: {said}");
                commands += 1;
            }
        }
    }
    (files, commands)
}

#[test]
fn the_walkthroughs_of_networks_work_as_written() {
    let statuses = [
        ("flitscope check found.csv --plan plan.csv", 1),
        ("flitscope check found.csv --plan plan.csv --format json", 1),
        ("flitscope check link-failures", 1),
        ("flitscope check ring.ron", 1),
        ("flitscope check ring.ron --witness ring.csv", 1),
        ("flitscope simulate ring.ron --set 'traffic.arrivals=Replay(File(\"ring.csv\"))'", 3),
        ("flitscope simulate hang.ron", 3),
        ("flitscope check hangs/up-down-transition", 1),
        ("flitscope simulate hangs/up-down-transition --cycles 10000", 3),
    ];
    let done = walk("networks", &statuses, &["fabric.graphml"]);
    assert_eq!(done, (6, 31));
}

#[test]
fn the_walkthroughs_of_traffic_work_as_written() {
    assert_eq!(walk("traffic", &[], &[]), (8, 20));
}

#[test]
fn the_commands_of_scripting_work_as_written() {
    assert_eq!(walk("scripting", &[], &[]), (2, 9));
}

/// The words of a command, with single quotes.
fn shlex(command: &str) -> Vec<String> {
    let quoted = command.split('\'').enumerate();
    let parts = quoted.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    });
    parts.collect()
}
