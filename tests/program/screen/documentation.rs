//! What README, CONTRIBUTING and the guide say is what the program does: tables, scenarios,
//! commands, scripts and pictures.
//!
//! `FLITSCOPE_UPDATE=1 cargo test --test program documentation` writes the generated tables.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{ArgMatches, FromArgMatches};
use flitscope::cli::options::Fields;
use flitscope::experiment::messages::MessageRow;
use flitscope::experiment::report::{
    BoundRow, CheckRow, ComparisonRow, DifferenceRow, LinkRow, PathRow, PlanRow, PredictRow,
    RankRow, RouteRow, Row, ShrinkRow, SimulateRow,
};
use flitscope::experiment::reproduce::ReproduceRow;
use flitscope::experiment::sweep::{self, DesignRow, Study, is_study};
use flitscope::guide::TOPICS;
use flitscope::model::channel_flow::errors;
use flitscope::recording::script::Script;
use flitscope::scenario::{self, Override, builtin};
use flitscope::tui::{bindings, tour};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap()
}

fn topic_file(topic: &str) -> String {
    format!("src/guide/{topic}.md")
}

/// Names and texts of all documents.
fn documents() -> Vec<(String, String)> {
    let topics = TOPICS.iter().map(|topic| topic_file(topic.name));
    let names = ["README.md".to_owned(), "CONTRIBUTING.md".to_owned()].into_iter().chain(topics);
    names.map(|name| (name.clone(), read(&name))).collect()
}

/// The code blocks of a document in this language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let (mut blocks, mut inside) = (Vec::new(), None);
    for line in text.lines().map(str::trim_end) {
        match (line.trim_start().strip_prefix("```"), inside) {
            (Some(found), None) => {
                inside = Some(found == language);
                if found == language {
                    blocks.push(String::new());
                }
            }
            (Some(_), Some(_)) => inside = None,
            (None, Some(true)) => blocks.last_mut().unwrap().extend([line, "\n"]),
            (None, _) => {}
        }
    }
    blocks
}

/// The first table below a heading: where it stands in the text.
fn table_below(text: &str, heading: &str) -> std::ops::Range<usize> {
    let heading = text.find(&format!("# {heading}\n")).expect("the heading is there");
    let begin = heading + text[heading..].find("\n|").expect("a table follows") + 1;
    let lines = text[begin..].split_inclusive('\n').take_while(|line| line.starts_with('|'));
    begin..begin + lines.map(str::len).sum::<usize>()
}

/// The columns of a row of results with what they mean, those in `known` left out.
fn columns<R: Row>(meanings: &[&str], known: &[&str]) -> String {
    let lines = R::COLUMNS.iter().zip(meanings).filter(|(column, _)| !known.contains(column));
    let lines = lines.map(|(column, meaning)| {
        format!("| `{column}` | {} |\n", meaning.trim().replace("`None`", "`null`"))
    });
    format!("| column | meaning |\n|---|---|\n{}", lines.collect::<String>())
}

#[test]
fn the_guides_tables_are_what_the_program_says() {
    // Dialogs are in the help of the screen only.
    let keys = bindings::markdown();
    let (keys, _) = keys.split_once("| **In dialogs** | |\n").unwrap();
    let tables = [
        ("screen", "Keys", keys.to_owned()),
        ("tour", "States", tour::table()),
        ("scenarios", "Fields", scenario::table()),
        ("studies", "What a study may say", scenario::table_of(sweep::FIELDS)),
        ("studies", "Designs", columns::<DesignRow>(DesignRow::MEANINGS, &[])),
        ("theory", "Stated errors", errors::table()),
        ("simulate", "Columns", columns::<SimulateRow>(SimulateRow::MEANINGS, &[])),
        ("simulate", "Every message", columns::<MessageRow>(MessageRow::MEANINGS, &[])),
        ("simulate", "Every channel", columns::<LinkRow>(LinkRow::MEANINGS, &[])),
        (
            "simulate",
            "Two runs of the same messages",
            columns::<ComparisonRow>(ComparisonRow::MEANINGS, SimulateRow::COLUMNS),
        ),
        (
            "simulate",
            "Which value is best",
            columns::<RankRow>(RankRow::MEANINGS, SimulateRow::COLUMNS),
        ),
    ];
    for (topic, heading, table) in tables {
        let file = topic_file(topic);
        let mut text = read(&file);
        let place = table_below(&text, heading);
        if std::env::var_os("FLITSCOPE_UPDATE").is_some() {
            text.replace_range(place, &table);
            std::fs::write(path(&file), text).unwrap();
        } else {
            assert!(text[place] == table, "{file}, {heading}: an old table, see {}", file!());
        }
    }
}

#[test]
fn the_guide_lists_the_columns_of_predictions() {
    let text = read(&topic_file("simulate"));
    let section = text.split("\n## Predictions\n").nth(1).unwrap();
    let list =
        section.split_once("Its columns are").unwrap().1.split_once("The library").unwrap().0;
    assert_eq!(spans(list).collect::<Vec<_>>(), PredictRow::COLUMNS);
}

#[test]
fn the_guide_lists_the_keys_of_all_other_rows() {
    let text = read(&topic_file("scripting"));
    for (command, columns) in [
        ("check", CheckRow::COLUMNS),
        ("check --plan", PlanRow::COLUMNS),
        ("differences", DifferenceRow::COLUMNS),
        ("predict --bound", BoundRow::COLUMNS),
        ("predict --paths", PathRow::COLUMNS),
        ("route", RouteRow::COLUMNS),
        ("shrink", ShrinkRow::COLUMNS),
        ("reproduce", ReproduceRow::COLUMNS),
    ] {
        let (_, row) = text.split_once(&format!("\n| `{command}` |")).unwrap();
        let (_, keys) = row.lines().next().unwrap().split_once('|').unwrap();
        assert_eq!(spans(keys).collect::<Vec<_>>(), columns, "{command}");
    }
}

#[test]
fn the_guides_exit_statuses_are_those_of_the_help() {
    let text = read(&topic_file("simulate"));
    let table = &text[table_below(&text, "Exit statuses")];
    let rows = table.lines().skip(2).map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        cells.join(" ")
    });
    let said = format!("Exit status: {}.", rows.collect::<Vec<_>>().join(", "));
    assert_eq!(flitscope::cli::definition().get_after_help().unwrap().to_string(), said);
}

/// The block of a document under the name of a file.
fn file_of(text: &str, file: &str) -> Option<Vec<u8>> {
    let (_, block) = text.split_once(&format!("`{file}`\n```"))?;
    let (_, block) = block.split_once('\n')?;
    Some(block.split_once("```")?.0.as_bytes().to_vec())
}

/// Whether the program reads this configuration.
fn configures(text: &str) -> bool {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_flitscope"));
    program.arg("--config").arg(file.path()).arg("--print-config").stdout(Stdio::null());
    program.status().unwrap().success()
}

#[test]
fn every_scenario_configuration_and_script_of_the_documents_is_right() {
    let mut seen = 0;
    for (name, text) in documents() {
        for block in blocks(&text, "ron") {
            seen += 1;
            if block.starts_with("Config(") {
                assert!(configures(&block), "{name}:\n{block}");
                continue;
            }
            if block.starts_with("Stop(") {
                assert!(tour::parse(&name, &block).is_ok(), "{name}:\n{block}");
                continue;
            }
            if is_study(&block) {
                let study = Study::read(&name, &block, Path::new(""), &[]);
                assert!(study.is_ok(), "{}", scenario::render(&study.unwrap_err()));
                continue;
            }
            let whole = if block.contains("Scenario(") {
                block
            } else {
                let rest = [
                    ("network", "Torus(radix: [8, 8])"),
                    ("routing", "DimensionOrder()"),
                    (
                        "traffic",
                        "(arrivals: Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(12))",
                    ),
                ];
                let missing = |field: &&(&str, &str)| !block.contains(&format!("{}:", field.0));
                let rest = rest
                    .iter()
                    .filter(missing)
                    .map(|(field, value)| format!("{field}: {value},\n"));
                format!("Scenario(\n{block}{})", rest.collect::<String>())
            };
            let load = |file: &str| file_of(&text, file).ok_or_else(|| "no such file".to_owned());
            if let Err(problems) = scenario::parse_with(&name, &whole, &[], &load) {
                panic!("{}", scenario::render(&problems));
            }
        }
        for block in blocks(&text, "text").iter().filter(|block| block.starts_with("scenario ")) {
            seen += 1;
            if let Err(problems) = Script::parse(&name, block, bindings::key_named) {
                panic!("{}", scenario::render(&problems));
            }
        }
    }
    assert!(seen >= 4, "{seen} blocks are read");
}

/// The code spans of a cell of a table.
fn spans(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Whether some network takes this value.
fn taken(path: &str, value: &str) -> bool {
    let bases = [
        "uniform-torus-16x16",
        "mesh-8x8",
        "hypercube-6",
        "switches-campus",
        "dragonfly-72",
        "fat-tree-64",
        "papers/switch-torus-3x3-200",
        "papers/circuit-hold-8",
        "papers/circuit-adaptive-8",
        "papers/circuit-torus-hold-8x8",
    ];
    let one = |(path, value): (&str, &str)| Override {
        path: path.to_owned(),
        value: value.to_owned(),
        label: format!("--set {path}={value}"),
    };
    // The default machine has as many VCs as a routing needs.
    let machines = [
        "Wormhole(buffer_flits: 64)",
        "Wormhole(buffer_flits: 64, terminals: Channels, ejection: Shared)",
    ];
    let mut ways = vec![vec![(path, value)]];
    ways.extend(machines.map(|machine| vec![("switching", machine), (path, value)]));
    bases.iter().any(|base| {
        let text = builtin::find(base).unwrap().text;
        ways.iter().any(|set| {
            let set: Vec<Override> = set.iter().copied().map(one).collect();
            let load = |_: &str| Ok(b"from,to\n0,1\n".to_vec());
            scenario::parse_with(base, text, &set, &load).is_ok()
        })
    })
}

#[test]
fn every_value_in_the_guides_tables_of_fields_is_one() {
    let text = read(&topic_file("scenarios"));
    let (mut column, mut seen) = (None, 0);
    for row in text.lines() {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let heading = cells[0].trim();
        if !row.starts_with('|') {
            column = None;
        } else if column.is_none() {
            column = Some(heading.trim_matches('`').to_owned());
        } else if let Some(column) = column.as_deref().filter(|_| !heading.starts_with("---")) {
            let values = spans(if column == "field" { cells[1] } else { heading });
            // A table of routes belongs to one network.
            let values = values.filter(|value| !value.starts_with("Table("));
            for value in values.filter(|value| value.starts_with(char::is_uppercase)) {
                let fields: Vec<String> = match column {
                    "field" => spans(heading).map(|field| format!("switching.{field}")).collect(),
                    "arrivals" | "destinations" => vec![format!("traffic.{column}")],
                    field => vec![field.to_owned()],
                };
                for field in fields {
                    assert!(taken(&field, value), "{field}={value}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen >= 25, "{seen} values are read");
}

/// The words of a command as a shell reads them.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut quoted, mut word) = (Vec::new(), false, String::new());
    for letter in command.chars().chain([' ']) {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => {
                words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
            }
            _ => word.push(letter),
        }
    }
    words
}

/// What stands where a scenario could, and is made by a reader.
const MADE: [&str; 18] = [
    "mine.ron",
    "mine.json",
    "study.json",
    "my-sweep",
    "fabric.graphml",
    "fabric.ibnetdiscover",
    "plan.csv",
    "ring.ron",
    "uneven.anynet",
    "matrix.ron",
    "messages.csv",
    "ping-pong.csv",
    "table.csv",
    "tasks.ron",
    "all-reduce.ron",
    "memory.ron",
    "classes.csv",
    "hang.ron",
];

/// The scenarios that a command names.
fn named(matches: &ArgMatches) -> Vec<String> {
    let values = ["scenario", "scenarios", "name"].into_iter().filter_map(|id| {
        Some(matches.try_get_many::<String>(id).ok()??.cloned().collect::<Vec<_>>())
    });
    values.flatten().collect()
}

#[test]
fn every_command_of_the_documents_is_understood() {
    let mut seen = 0;
    for (name, text) in documents() {
        let examples = blocks(&text, "console").concat();
        let lines = examples.lines().filter_map(|line| line.trim_start().strip_prefix("$ "));
        let commands = lines.flat_map(|line| line.split("&&")).map(str::trim);
        for command in commands.filter(|command| command.starts_with("flitscope")) {
            let command = command.split(" >").next().unwrap();
            let given = words(command);
            let matches = flitscope::cli::definition()
                .try_get_matches_from(&given)
                .unwrap_or_else(|answer| panic!("{name}: {command}\n{answer}"));
            let matches = matches.subcommand().map_or(&matches, |(_, matches)| matches);
            seen += 1;
            let made = MADE.iter().any(|made| command.contains(made));
            for scenario in named(matches).iter().filter(|_| !made) {
                // Commands without fields have no ids of theirs to be asked for.
                let fields = if matches.ids().any(|id| id == "Fields") {
                    Fields::from_arg_matches(matches).unwrap()
                } else {
                    Fields::default()
                };
                fields
                    .open(scenario)
                    .unwrap_or_else(|error| panic!("{name}: {command}\n{error:?}"));
            }
            let against = matches.try_get_many::<(String, String)>("against_set");
            for (field, value) in against.ok().flatten().into_iter().flatten() {
                assert!(taken(field, value), "{name}: {command}");
            }
        }
    }
    assert!(seen >= 12, "{seen} examples are read");
}

#[test]
fn every_file_that_the_documents_link_to_is_there() {
    for (name, text) in documents() {
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap_or_default();
            if !link.contains("://") {
                assert!(path(link).exists(), "{name} links to {link}, which is missing");
            }
        }
    }
}

#[test]
fn the_readme_is_short() {
    assert!(read("README.md").len() <= 8 * 1024);
}
