//! `simulate --messages-to`: a line for every message, of worms and of circuits; what cannot be written.

use std::fs;
use std::path::{Path, PathBuf};

use super::program::{objects, program};

fn place(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Runs a scenario from its first message on, with more arguments, and returns its row.
fn run(scenario: &str, cycles: &str, more: &[&str]) -> serde_json::Value {
    let fixed = ["simulate", scenario, "--warm-up", "0", "--cycles", cycles, "--format", "json"];
    let said = program(&[&fixed[..], more].concat()).output().unwrap();
    let error = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(0), "{error}");
    objects(&String::from_utf8(said.stdout).unwrap()).remove(0)
}

#[test]
fn the_means_over_all_lines_are_those_of_the_run() {
    for (scenario, cycles) in [
        ("papers/adaptive-torus-4x4", 20_000_u32),
        ("papers/circuit-hold-8", 300),
        ("pipelined-mesh-8x8", 1_500),
    ] {
        let plain = run(scenario, &cycles.to_string(), &[]);
        let path = place(&format!("messages-{cycles}.jsonl"));
        let to = ["--messages-to", path.to_str().unwrap()];
        let row = run(scenario, &cycles.to_string(), &to);
        assert_eq!(row["fingerprint"], plain["fingerprint"]);
        let text = fs::read_to_string(&path).unwrap();
        let every = objects(&text);
        let (all, late): (Vec<_>, Vec<_>) =
            every.iter().cloned().partition(|it| !it["delivered"].is_null());
        // Those under way at the end are the last lines.
        assert!(every[all.len()..] == late, "{late:?}");
        let number = |row: &serde_json::Value, column: &str| row[column].as_f64().unwrap();
        // What was generated in the drain at the end does not count.
        let counted: Vec<_> =
            all.iter().filter(|it| number(it, "born") < f64::from(cycles)).collect();
        assert_eq!(counted.len() as u64, row["messages"].as_u64().unwrap());
        assert!(counted.len() > 300, "{}", counted.len());
        let mean = |column: &str| {
            let sum: f64 = counted.iter().map(|it| number(it, column)).sum();
            sum / counted.len() as f64
        };
        let means = [
            ("latency_mean", mean("delivered") - mean("born")),
            ("hops_mean", mean("hops")),
            ("source_wait_mean", mean("source_wait")),
            ("blocking_mean", mean("blocking")),
            ("transfer_mean", mean("transfer")),
        ];
        for (column, own) in means {
            let runs = number(&row, column);
            assert!((own - runs).abs() < 1e-6 * runs.max(1.0), "{scenario} {column}: {own} {runs}");
        }
        let waits = ["buffer_wait", "vc_wait", "crossbar_wait", "credit_wait"];
        for column in waits.into_iter().filter(|_| scenario.starts_with("pipelined")) {
            let (own, runs) = (mean(column), number(&row, &format!("{column}_mean")));
            assert!((own - runs).abs() < 1e-9 && own > 0.0, "{column}: {own} {runs}");
        }
        for it in &all {
            let sum = ["source_wait", "blocking", "transfer"].map(|part| number(it, part));
            let latency = number(it, "delivered") - number(it, "born");
            assert!((sum.iter().sum::<f64>() - latency).abs() < 1e-9, "{it}");
            assert!(it["source"] != it["destination"] || scenario.starts_with("pipelined"));
            let waited = it["longest_wait"].as_f64();
            assert_eq!(waited.is_none(), scenario.contains("circuit"), "{it}");
            assert_eq!(it["waited_for"].is_string(), waited.is_some_and(|it| it > 0.0), "{it}");
        }
        // In the order of their arrival, and the same as CSV.
        assert!(all.is_sorted_by_key(|it| number(it, "delivered").to_bits()));
        let table = path.with_extension("csv");
        let _ = fs::remove_file(&table);
        run(scenario, &cycles.to_string(), &["--messages-to", table.to_str().unwrap()]);
        let mut reader = csv::Reader::from_path(&table).unwrap();
        let columns: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        assert_eq!(columns[..4], ["source", "serial", "destination", "length"]);
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), every.len());
        for (row, it) in rows.iter().zip(&every) {
            for (cell, column) in row.iter().zip(&columns) {
                let value = &it[column.as_str()];
                let text = if value.is_null() { String::new() } else { value.to_string() };
                assert_eq!(cell, value.as_str().map_or(text, str::to_owned));
            }
        }
    }
}

#[test]
fn messages_written_to_a_file_and_replayed_are_delivered_as_before() {
    // The queues of the third are longer than the window; replies of the fourth have their own channels.
    let answering = [
        "--set",
        "traffic.message_classes=[(name: \"request\"), (name: \"reply\", to: \"request\", \
         after: 10, lengths: Fixed(5))]",
    ];
    let given = ["--set", "traffic.message_classes=[(name: \"request\"), (name: \"reply\")]"];
    let closed = ["--set", "traffic.arrivals=ClosedLoop(window: 4)"];
    let own = ["--set", "traffic.to_itself=true"];
    // The replies are in the table, or the nodes send them, for which they may need room.
    for (scenario, cycles, classes, names) in [
        ("mesh-8x8", "3000", &[][..], &[][..]),
        ("north-last-deadlock", "1200", &[], &[]),
        ("dragonfly-72", "1000", &[], &[]),
        ("dragonfly-72", "1001", &own, &own),
        ("request-reply", "3000", &answering, &given),
        ("request-reply", "3001", &[], &[]),
        ("request-reply", "3002", &closed, &[]),
        ("request-reply-deadlock", "2500", &[], &[]),
    ] {
        let [first, again] =
            ["first", "again"].map(|name| place(&format!("{name}-{scenario}-{cycles}.csv")));
        let replay = format!("traffic.arrivals=Replay(File({first:?}))");
        let load = if scenario == "dragonfly-72" { "0.9" } else { "0.3" };
        let rows = |path: &Path| -> Vec<Vec<String>> {
            let mut reader = csv::Reader::from_path(path).unwrap();
            let row = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
            reader.records().map(|it| row(it.unwrap())).collect()
        };
        let to = |path: &Path| ["--messages-to".to_owned(), path.display().to_string()];
        let fixed = ["simulate", scenario, "--warm-up", "0", "--cycles", cycles, "--load", load];
        let answers = scenario.starts_with("request") && names.is_empty();
        let fixed = if scenario == "request-reply" { &fixed[..6] } else { &fixed[..] };
        let more = to(&first);
        let said = program(&[fixed, classes, &[&more[0], &more[1]]].concat()).output().unwrap();
        assert!(matches!(said.status.code(), Some(0 | 3)), "{said:?}");
        let more = to(&again);
        let fixed = ["simulate", scenario, "--set", &replay, "--format", "json"];
        let said = program(&[&fixed[..], names, &[&more[0], &more[1]]].concat()).output().unwrap();
        let row = objects(&String::from_utf8(said.stdout).unwrap()).remove(0);
        let (first, again) = (rows(&first), rows(&again));
        assert!(answers || first.len() == again.len(), "{scenario}");
        let is_reply = |row: &&Vec<String>| row.last().unwrap() == "reply";
        assert_eq!(first.iter().any(|row| is_reply(&row)), scenario.starts_with("request"));
        let delivered = first.iter().filter(|row| !row[7].is_empty()).count();
        assert!(delivered > 500 && first[..delivered] == again[..delivered], "{scenario}");
        assert_eq!(first.iter().any(|row| row[0] == row[2]), cycles == "1001");
        if row["deadlock"] == false {
            assert_eq!(
                (&row["ended"], &row["saturated"]),
                (&"delivered".into(), &serde_json::Value::Null)
            );
            assert!(again.iter().all(|row| !row[7].is_empty()));
            let mut done = std::collections::BTreeMap::new();
            for it in &again {
                for node in [&it[0], &it[2]] {
                    let last: &mut u64 = done.entry(node.clone()).or_default();
                    *last = it[7].parse().unwrap_or(0).max(*last);
                }
            }
            let mut done: Vec<u64> = done.into_values().collect();
            let cycles = row["node_completion_cycles"].as_array().unwrap();
            let mut told: Vec<u64> = cycles.iter().filter_map(serde_json::Value::as_u64).collect();
            done.sort_unstable();
            told.sort_unstable();
            assert_eq!(done, told, "{scenario}");
            let interval = row["in_flight_interval_cycles"].as_f64().unwrap();
            let means = row["in_flight_messages"].as_array().unwrap();
            assert_eq!(means.len(), (*told.last().unwrap() as f64 / interval).ceil() as usize);
            let least = row["completion_alone_cycles"].as_u64().unwrap();
            assert!(row["completion_cycles"].as_u64().unwrap() >= least);
        }
    }
}

#[test]
fn traces_are_converted_and_run_in_their_order() {
    let (trace, table) = (place("ping-pong.goal"), place("ping-pong.csv"));
    let text = "num_ranks 4\nrank 0 {\na: send 64b to 3 tag 1\nb: recv 640b from 3 tag 2\nb requires a\n\
        c: calc 100\nc requires b\nd: send 64b to 1 tag 3\nd requires c\n}\nrank 1 {\n\
        a: recv 64b from 0 tag 3\n}\nrank 3 {\na: recv 64b from 0 tag 1\nb: send 640b to 0 tag 2\n\
        b requires a\n}\n";
    fs::write(&trace, text).unwrap();
    let [trace, table] = [&trace, &table].map(|path| path.to_str().unwrap());
    let import = ["import", "goal", trace];
    let printed = program(&import).output().unwrap();
    let written = program(&[&import[..], &["--output", table]].concat()).output().unwrap();
    assert!(printed.status.success() && written.status.success() && written.stdout.is_empty());
    assert_eq!(fs::read(table).unwrap(), printed.stdout);
    let again = program(&[&import[..], &["--output", table]].concat()).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    let replay = format!("traffic.arrivals=Replay(File({table:?}))");
    let run = ["simulate", "mesh-8x8", "--set", "network.radix=[2, 2]", "--set", &replay];
    let said = program(&[&run[..], &["--format", "json"]].concat()).output().unwrap();
    let row = objects(&String::from_utf8(said.stdout).unwrap()).remove(0);
    // 2 flits over 2 channels, 20 back, a calculation, and 2 flits over a channel.
    let end = 3 + 21 + 100 + 2;
    assert_eq!(row["completion_cycles"], end);
    assert_eq!(row["completion_alone_cycles"], end);
    assert_eq!(row["node_completion_cycles"], serde_json::json!([end, end, null, 24]));
    let said = program(&run).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    for line in ["first node done", "after 24 cycles: (1,1)", "after 126 cycles: (0,0), (1,0)"] {
        assert!(said.contains(line), "{said}");
    }
    fs::write(trace, "num_ranks 2\nrank 0 { send 8b to 1 }\n").unwrap();
    let said = program(&import).output().unwrap();
    let error = String::from_utf8(said.stderr).unwrap();
    assert!(said.status.code() == Some(2) && error.contains("ping-pong.goal:2:10"), "{error}");
}

#[test]
fn what_cannot_be_written_is_said() {
    let path = place("messages-kept.csv");
    fs::write(&path, "mine").unwrap();
    let ask = |more: &[&str]| {
        let fixed = ["simulate", "papers/adaptive-torus-4x4", "--cycles", "3000", "--quiet"];
        let said = program(&[&fixed[..], more].concat()).output().unwrap();
        (said.status.code().unwrap(), String::from_utf8(said.stderr).unwrap())
    };
    let file = path.to_str().unwrap();
    let (status, error) = ask(&["--messages-to", file]);
    assert!(status == 2 && error.contains("`--force`"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    assert_eq!(ask(&["--messages-to", file, "--force"]).0, 0);
    assert!(fs::read_to_string(&path).unwrap().starts_with("source,serial,"));
    let cases: [(&[&str], &str); 3] = [
        (&["--messages-to", "it.txt"], "must end in .csv, .json or .jsonl"),
        (&["--messages-to", "it.csv", "--replications", "2"], "of one run"),
        (&["--messages-to", "it.csv", "mesh-8x8"], "of one run"),
    ];
    for (more, part) in cases {
        let (status, error) = ask(more);
        assert!(status == 2 && error.contains(part), "{error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_the_run_stops() {
    let link = place("messages-full.csv");
    std::os::unix::fs::symlink("/dev/full", &link).unwrap();
    let endless = ["simulate", "papers/adaptive-torus-4x4", "--cycles", "1000000000000"];
    let to = ["--messages-to", link.to_str().unwrap(), "--force"];
    let said = program(&[&endless[..], &to].concat()).output().unwrap();
    let error = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(74), "{error}");
    assert!(error.contains("messages-full.csv: No space left on device"), "{error}");
}

#[test]
fn the_channels_of_runs_are_written_each_with_its_vcs() {
    let path = place("links.jsonl");
    let to = ["--links-to", path.to_str().unwrap(), "--replications", "2"];
    let row = run("papers/adaptive-torus-4x4", "4000", &to);
    let lines = objects(&fs::read_to_string(&path).unwrap());
    // Two replications and both together: 64 links, each as a whole and by its VCs.
    let [vcs, replications] = [4, 3];
    let all = lines.iter().filter(|line| line["vc"].is_null()).count();
    assert_eq!((all, lines.len()), (64 * replications, 64 * replications * (1 + vcs)));
    let number = |line: &serde_json::Value, column: &str| line[column].as_f64().unwrap();
    let together = |line: &&serde_json::Value| line["replication"].is_null();
    let sum = |column: &str, of_vcs: bool| {
        let lines = lines.iter().filter(together).filter(|line| line["vc"].is_null() != of_vcs);
        lines.map(|line| number(line, column)).sum::<f64>()
    };
    for column in ["flits", "waited_cycles"] {
        assert!((sum(column, true) - sum(column, false)).abs() < 1e-6, "{column}");
    }
    let mean = sum("utilisation", false) / 64.0;
    // The row is that of the first replication.
    let first = |line: &&serde_json::Value| line["replication"] == 0 && line["vc"].is_null();
    let first =
        lines.iter().filter(first).map(|line| number(line, "utilisation")).sum::<f64>() / 64.0;
    assert!(
        (first / number(&row, "channel_utilisation_mean") - 1.0).abs() < 0.03,
        "{first}: {row}"
    );
    // Steady, and flits take what routing gives them.
    let routed = sum("routed_utilisation", false) / 64.0;
    assert!((routed / mean - 1.0).abs() < 0.12, "{routed}, {mean}");
    // In CSV too; a run that ends in a deadlock has what came before.
    let path = place("links.csv");
    let arguments = ["simulate", "ring-deadlock", "-q", "--links-to", path.to_str().unwrap()];
    assert_eq!(program(&arguments).output().unwrap().status.code(), Some(3));
    let text = fs::read_to_string(&path).unwrap();
    let columns = "scenario,seed,replication,channel,kind,from,to,from_group,to_group,from_level,\
                   to_level,vc,flits,cycles,";
    assert!(text.starts_with(columns), "{text}");
    assert_eq!(text.lines().count(), 1 + 2 * 256);
    assert!(
        text.lines().skip(1).all(|line| line.contains(",,,,,")),
        "a ring has no groups: {text}"
    );
}

#[test]
fn channels_have_the_groups_and_levels_of_their_routers() {
    let lines = |name: &str, scenario: &str| {
        let path = place(name);
        run(scenario, "200", &["--links-to", path.to_str().unwrap()]);
        objects(&fs::read_to_string(&path).unwrap())
    };
    let whole = |line: &&serde_json::Value| line["vc"].is_null();
    let dragonfly = lines("links-of-groups.jsonl", "dragonfly-72");
    let links: Vec<_> = dragonfly.iter().filter(whole).collect();
    let between = |line: &&&serde_json::Value| line["from_group"] != line["to_group"];
    // A link each way between every two of nine groups.
    assert_eq!(links.iter().filter(between).count(), 9 * 8);
    for line in &links {
        let from = line["from"].as_str().unwrap();
        if let Some(router) = from.strip_prefix('s') {
            let group = router.parse::<u32>().unwrap() / 4;
            assert_eq!(line["from_group"], group.to_string(), "{line}");
        }
        assert!(line["to_group"].is_string() && line["to_level"].is_null(), "{line}");
    }
    let tree = lines("links-of-levels.jsonl", "fat-tree-64");
    let up = |line: &&serde_json::Value| {
        line["to_level"].as_u64() == line["from_level"].as_u64().map(|level| level + 1)
    };
    assert_eq!(tree.iter().filter(whole).filter(up).count(), 2 * 64);
}

#[test]
fn a_trace_has_an_event_for_every_delivered_message_from_its_generation_to_its_delivery() {
    let rows = place("messages-traced.jsonl");
    let trace = place("messages.trace.json");
    for path in [&rows, &trace] {
        run("mesh-8x8", "1000", &["--messages-to", path.to_str().unwrap()]);
    }
    let mut rows = objects(&fs::read_to_string(rows).unwrap());
    rows.retain(|row| !row["delivered"].is_null());
    let events: Vec<serde_json::Value> =
        serde_json::from_str(&fs::read_to_string(trace).unwrap()).unwrap();
    let of = |phase: &str| {
        let found = events.iter().filter(|it| it["ph"] == phase && it["name"] != "source wait");
        found.collect::<Vec<_>>()
    };
    let (begun, ended, named) = (of("b"), of("e"), of("M"));
    assert_eq!((begun.len(), ended.len(), named.len()), (rows.len(), rows.len(), 64));
    for ((row, begun), ended) in rows.iter().zip(begun).zip(ended) {
        assert_eq!(begun["ts"].as_f64(), row["born"].as_f64());
        assert_eq!(ended["ts"].as_f64(), row["delivered"].as_f64());
        assert_eq!(begun["args"]["hops"], row["hops"]);
        assert_eq!(begun["name"], format!("to {}", row["destination"].as_str().unwrap()));
    }
    let waits = events.iter().filter(|it| it["name"] == "source wait").count();
    let waited = rows.iter().filter(|row| row["source_wait"].as_f64() > Some(0.0)).count();
    assert_eq!(waits, 2 * waited);
}

#[test]
fn the_witness_of_a_cycle_is_a_table_under_which_the_scenario_deadlocks() {
    let file = place("witness.csv");
    let file = file.to_str().unwrap();
    let check = ["check", "ring-deadlock", "--format", "json", "--witness", file];
    let said = program(&check).output().unwrap();
    assert_eq!(said.status.code(), Some(1), "{}", String::from_utf8_lossy(&said.stderr));
    let row = objects(&String::from_utf8(said.stdout).unwrap()).remove(0);
    let rows = fs::read_to_string(file).unwrap().lines().count();
    assert_eq!(row["witness_messages"], rows - 1);
    assert_eq!(row["deadlock_free"], false);
    let replay = format!("traffic.arrivals=Replay(File({file:?}))");
    let run = ["simulate", "ring-deadlock", "--set", &replay, "--format", "json"];
    let said = program(&run).output().unwrap();
    assert_eq!(said.status.code(), Some(3));
    // The same as a session.
    let file_of_session = place("hang.ron");
    let name = file_of_session.to_str().unwrap();
    let said = program(&["check", "ring-deadlock", "--witness", name]).output().unwrap();
    assert_eq!(said.status.code(), Some(1), "{}", String::from_utf8_lossy(&said.stderr));
    let said = program(&["replay", name, "--format", "json"]).output().unwrap();
    let row = objects(&String::from_utf8(said.stdout).unwrap()).remove(0);
    assert_eq!(row["deadlock"], true);
    let routes = ["check", "ring-deadlock", "--routes", file, "--witness", name];
    assert_eq!(program(&routes).output().unwrap().status.code(), Some(2));
    // Existing files, and scenarios without a cycle.
    let said = program(&check).output().unwrap();
    assert!(
        said.status.code() == Some(2) && String::from_utf8_lossy(&said.stderr).contains("--force")
    );
    let none = place("none.csv");
    let said =
        program(&["check", "mesh-8x8", "--witness", none.to_str().unwrap()]).output().unwrap();
    assert!(said.status.success() && !none.exists());
    assert!(String::from_utf8_lossy(&said.stderr).contains("no cycle"));
    let two = ["check", "mesh-8x8", "ring-deadlock", "--witness", file];
    assert_eq!(program(&two).output().unwrap().status.code(), Some(2));
}
