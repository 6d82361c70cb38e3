//! The formats: JSON keys and their order, CSV columns, closed pipes, full disks.

use std::io::Read;
use std::process::Stdio;

use super::program::{SIMULATE, keys, objects, program, run};

const QUICK: [&str; 4] = ["simulate", "papers/adaptive-torus-4x4", "--messages", "1000"];

#[test]
fn the_keys_of_simulate_stand_in_their_order() {
    let said = run(&[&QUICK[..], &["--format", "json"]].concat());
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(keys(&said.out), SIMULATE);
    let row = &objects(&said.out)[0];
    assert_eq!(row["time_unit"], "cycles");
    assert!(row["aborts_mean"].is_null());
    assert_eq!(row["version"], env!("CARGO_PKG_VERSION"));
    assert!(said.err.is_empty(), "no progress without a terminal: {}", said.err);
}

#[test]
fn csv_has_one_heading_and_the_same_figures() {
    let arguments = [&QUICK[..], &["mesh-8x8", "--replications", "2", "--format"]].concat();
    let text = run(&[&arguments[..], &["csv"]].concat()).out;
    let rows = objects(&run(&[&arguments[..], &["json"]].concat()).out);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<&str>>(), SIMULATE);
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), rows.len());
    for (record, row) in records.iter().zip(&rows) {
        for (column, cell) in SIMULATE.iter().zip(record) {
            let same = match &row[*column] {
                serde_json::Value::Null => cell.is_empty(),
                serde_json::Value::String(text) => cell == text,
                serde_json::Value::Number(number) => {
                    let (here, there) = (cell.parse::<f64>().unwrap(), number.as_f64().unwrap());
                    (here - there).abs() <= 1e-12 * there || *column == "wall_seconds"
                }
                serde_json::Value::Bool(flag) => cell == if *flag { "true" } else { "false" },
                list @ serde_json::Value::Array(_) => {
                    serde_json::from_str::<serde_json::Value>(cell).unwrap() == *list
                }
                other => panic!("{column} is {other}"),
            };
            assert!(same, "{column}: {cell} and {}", row[*column]);
        }
    }
}

#[test]
fn rows_of_two_machines_can_be_told_apart_and_say_how_they_came_about() {
    let row = |options: &[&str]| {
        let said = run(&[&QUICK[..], options, &["--format", "json"]].concat());
        assert_eq!(said.status, 0, "{}", said.err);
        objects(&said.out).remove(0)
    };
    let four = row(&["--set", "switching.buffer_flits=4"]);
    let eight = row(&["--set", "switching.buffer_flits=8"]);
    assert_eq!(four["overrides"], serde_json::json!(["switching.buffer_flits=4"]));
    assert_eq!(eight["overrides"], serde_json::json!(["switching.buffer_flits=8"]));
    assert_ne!(four["scenario_hash"], eight["scenario_hash"]);
    let reseeded = row(&["--set", "switching.buffer_flits=4", "--seed", "2"]);
    assert_eq!(reseeded["scenario_hash"], four["scenario_hash"], "the seed has its own column");

    assert_eq!(four["ended"], "reached");
    assert_eq!(row(&["--cycles", "999"])["ended"], "limit");
    assert_eq!(row(&["--load", "0.99"])["ended"], "reached", "too short to be found saturated");
    assert_eq!(row(&["--cycles", "999"])["warm_up_cycles"], serde_json::Value::Null);
    assert_eq!(row(&["--warm-up", "2048"])["warm_up_cycles"], 2048);
    let parts = ["source_wait_mean", "blocking_mean", "transfer_mean"];
    let sum: f64 = parts.iter().map(|part| four[*part].as_f64().unwrap()).sum();
    assert!((sum - four["latency_mean"].as_f64().unwrap()).abs() < 1e-9);
}

#[test]
fn every_mean_has_an_interval_where_the_latency_has_one() {
    const WIDTHS: [(&str, &str); 5] = [
        ("accepted_half_width", "accepted_flits_per_node_cycle"),
        ("latency_p99_half_width", "latency_p99"),
        ("source_wait_half_width", "source_wait_mean"),
        ("blocking_half_width", "blocking_mean"),
        ("transfer_half_width", "transfer_mean"),
    ];
    let rows = |options: &[&str]| {
        let case = ["simulate", "mesh-8x8", "--format", "json"];
        objects(&run(&[&case[..], options].concat()).out)
    };
    let one = rows(&["--messages", "100000"]).remove(0);
    let five = rows(&["--messages", "20000", "--replications", "5"]).pop().unwrap();
    for row in [&one, &five] {
        assert!(row["latency_half_width"].is_f64(), "{row}");
        for (width, figure) in WIDTHS {
            let share = row[width].as_f64().unwrap() / row[figure].as_f64().unwrap();
            assert!(share > 0.0 && share < 0.1, "{width}: {row}");
        }
    }
    let none = rows(&["--load", "0.5", "--messages", "20000"]).remove(0);
    assert!(none["latency_half_width"].is_null());
    assert!(WIDTHS.iter().all(|(width, _)| none[*width].is_null()), "{none}");
}

#[test]
fn the_keys_of_predict_stand_in_their_order() {
    let said = run(&["predict", "papers/adaptive-torus-8x8", "--format", "json"]);
    assert_eq!(said.status, 0, "{}", said.err);
    let wanted = [
        "scenario",
        "model",
        "reading",
        "applies",
        "why_not",
        "rate",
        "latency_mean",
        "latency_p50",
        "latency_p95",
        "latency_p99",
        "saturated",
        "saturation_rate",
        "terms",
        "channels",
        "time_unit",
        "set_up_mean",
        "aborts_mean",
        "conflict_probability",
        "link_utilisation",
        "controller_utilisation",
        "run_latency_mean",
        "run_accepted_flits_per_node_cycle",
        "run_steadiness",
        "wrong_here",
        "error_within",
        "error_systems",
        "error_stated",
        "saturation_error_within",
        "saturation_error_systems",
        "saturation_error_stated",
        "capacity_load",
        "capacity_kind",
        "capacity_channel",
        "channel_loads",
        "error_within_nine_of_ten",
        "saturation_error_within_nine_of_ten",
        "saturation_at_source",
        "saturation_why_not",
        "latency_half_width",
    ];
    assert!(said.out.lines().all(|line| keys(line) == wanted));
    let mut rows = objects(&said.out);
    let before_run: Vec<_> = rows.drain(..2).collect();
    for (row, kind) in before_run.iter().zip(["bound", "estimate"]) {
        assert_eq!((&row["model"], &row["capacity_kind"]), (&"capacity".into(), &kind.into()));
        assert_eq!(
            (&row["saturated"], &row["latency_mean"]),
            (&false.into(), &serde_json::Value::Null)
        );
        // An 8x8 torus carries k/8 flits per node and cycle, a little more since none go to themselves.
        assert!((row["capacity_load"].as_f64().unwrap() - 63.0 / 64.0).abs() < 1e-6, "{row}");
    }
    // Heads choose, so that a short simulation stands before the models.
    let short = rows.remove(0);
    assert_eq!(short["model"], "short simulation");
    assert!(short["latency_half_width"].is_f64() && short["saturation_rate"].is_null(), "{short}");
    // Last a model without equations where heads choose.
    let flow = rows.pop().unwrap();
    assert_eq!((&flow["model"], &flow["applies"]), (&"channel flow".into(), &false.into()));
    for row in &rows {
        // Those for dimension order are told beside it.
        let model = row["model"].as_str().unwrap();
        let adaptive = model.starts_with("adaptive torus");
        assert_eq!((&row["applies"], &row["saturated"]), (&adaptive.into(), &false.into()));
        let terms = row["terms"].as_array().unwrap();
        let sum: f64 = terms.iter().map(|term| term["cycles"].as_f64().unwrap()).sum();
        assert!((sum - row["latency_mean"].as_f64().unwrap()).abs() < 1e-9);
    }
    assert!(rows[0]["model"].as_str().unwrap().starts_with("adaptive torus"), "{}", rows[0]);
    let beyond =
        run(&["predict", "papers/adaptive-torus-8x8", "--rate", "0.06", "--format", "json"]);
    let row = &objects(&beyond.out)[3];
    assert_eq!((beyond.status, &row["saturated"]), (0, &true.into()));
    assert!(row["latency_mean"].is_null() && row["why_not"].is_string());
    // Where the paper's model has no equations its row says why, at the end.
    let radix = ["--set", "network.radix=[4, 4, 4]", "--format", "json"];
    let other = run(&[&["predict", "papers/adaptive-torus-8x8"][..], &radix].concat());
    let other = objects(&other.out);
    let row = other.iter().find(|row| row["model"].as_str().unwrap().starts_with("adaptive torus"));
    let row = row.unwrap();
    assert_eq!((&row["applies"], &row["saturated"]), (&false.into(), &serde_json::Value::Null));
    assert!(row["why_not"].as_str().unwrap().ends_with("not 4x4x4 torus"), "{row}");
    let none = run(&["predict", "one-way-torus-8x8", "--format", "json"]);
    let row = &objects(&none.out)[0];
    assert_eq!(none.status, 0);
    if row["model"].is_null() {
        assert_eq!(row["applies"], false);
        assert!(row["why_not"].is_string());
    }
}

#[test]
fn the_keys_of_check_stand_in_their_order() {
    let wanted = [
        "scenario",
        "valid",
        "routing",
        "deadlock_free",
        "method",
        "replies",
        "virtual_channels_used",
        "dependencies",
        "cycle",
        "cycle_messages",
        "witness_messages",
        "witness_members",
        "witness_closed",
        "failures",
        "failures_unexamined",
        "mended_changed",
        "mended_entries",
        "mended_of",
        "mended_turns",
        "mended_links_before",
        "capacity_load",
        "capacity_kind",
        "capacity_channel",
        "capacity_estimate_load",
        "busiest_channels",
        "route_links_mean",
        "route_delay_mean",
        "empty_latency_mean",
        "time_unit",
    ];
    let said = run(&["check", "mesh-8x8", "nosuch", "--format", "json"]);
    assert_eq!(said.status, 2);
    let rows = objects(&said.out);
    assert!(said.out.lines().all(|line| keys(line) == wanted));
    assert_eq!((&rows[0]["valid"], &rows[1]["valid"]), (&true.into(), &false.into()));
    assert_eq!(rows[0]["capacity_kind"], "proven");
    assert!((rows[0]["capacity_load"].as_f64().unwrap() - 63.0 / 128.0).abs() < 1e-9);
    assert_eq!(rows[0]["busiest_channels"].as_array().unwrap().len(), 3);
    assert!(rows[1]["capacity_load"].is_null());
    assert_eq!(run(&["check", "mesh-8x8"]).status, 0);
}

#[test]
fn the_table_stands_beside_the_model() {
    let said = run(&QUICK);
    for name in ["simulation", "model", "latency quantiles", "warm-up", "saturated", "deadlock"] {
        assert!(said.out.contains(name), "{name}: {}", said.out);
    }
    let torus = run(&["simulate", "ring-deadlock"]);
    assert!(torus.out.contains("it assumes minimal adaptive routing"), "{}", torus.out);
}

#[test]
fn scenarios_are_listed_and_printed() {
    let list = run(&["scenarios"]);
    assert_eq!(list.status, 0);
    assert!(list.out.lines().count() >= 10);
    for line in list.out.lines() {
        let (name, about) = line.split_once("  ").unwrap();
        assert!(about.trim().len() > 20, "{line}");
        let printed = run(&["scenarios", name]);
        assert!(printed.out.contains("Scenario("), "{name}");
    }
}

#[test]
fn lists_are_objects_for_scripts() {
    let scenarios = run(&["scenarios", "--format", "json"]);
    let listed = run(&["scenarios"]).out;
    let rows = objects(&scenarios.out);
    assert_eq!(rows.len(), listed.lines().count());
    assert!(rows.iter().all(|row| row["description"].as_str().unwrap().len() > 20));
    let papers = objects(&run(&["reproduce", "--list", "--format", "json"]).out);
    assert_eq!((papers.len(), keys(&papers[0].to_string()).len()), (5, 3));
}

#[test]
fn topics_of_the_guide_are_listed_and_printed() {
    let list = run(&["guide"]);
    assert_eq!(list.status, 0);
    assert_eq!(list.out.lines().count(), 12);
    for line in list.out.lines() {
        let (name, title) = line.split_once(' ').unwrap();
        let printed = run(&["guide", name]);
        assert_eq!(printed.status, 0);
        assert!(printed.out.starts_with(&format!("# {}\n\n", title.trim())), "{line}");
    }
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = run(&["completions", shell]);
        assert_eq!(said.status, 0);
        assert!(said.out.contains("simulate") && said.out.contains("replications"), "{shell}");
    }
}

#[test]
fn a_bench_case_counts_the_same_every_time() {
    let said = run(&["bench-case", "8x8", "--cycles", "5000"]);
    assert_eq!(said.status, 0);
    assert!(said.out.starts_with("case 8x8 cycles 5000 flit_hops "), "{}", said.out);
    assert_eq!(said.out, run(&["bench-case", "8x8", "--cycles", "5000"]).out);
}

#[test]
fn a_reader_that_goes_away_is_no_mistake() {
    let simulate = ["simulate", "mesh-8x8", "--cycles", "20000", "--replications", "4"];
    for arguments in [&simulate[..], &["guide", "screen"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut child = program(arguments).stdout(writer).spawn().unwrap();
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(141), "{said}");
        assert!(said.is_empty(), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program(&QUICK).stdout(Stdio::from(full)).output().unwrap();
    assert_eq!(output.status.code(), Some(74));
    assert!(String::from_utf8(output.stderr).unwrap().contains("No space left"));
}

#[test]
fn a_configuration_is_converted_to_json_as_to_ron() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(place("mesh.cfg"), "topology = mesh; k = 4; n = 2; routing_function = dor;\n")
        .unwrap();
    let import = |options: &[&str]| {
        let said = run(&[&["import", "booksim", &place("mesh.cfg")], options].concat());
        assert_eq!(said.status, 0, "{}", said.err);
        said.out
    };
    let printed = import(&["--format", "json"]);
    let (ron, json) = (place("mesh.ron"), place("mesh.json"));
    import(&["-o", &ron]);
    import(&["-o", &json]);
    assert_eq!(std::fs::read_to_string(&json).unwrap(), printed);
    let said = run(&["simulate", &ron, &json, "--cycles", "2000", "--format", "json"]);
    assert_eq!(said.status, 0, "{}", said.err);
    let rows = objects(&said.out);
    assert_eq!(rows[0]["fingerprint"], rows[1]["fingerprint"]);
}

#[test]
fn a_configuration_names_its_network_relative_to_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let network = "router 0 node 0 router 1 3\nrouter 1 node 1 router 0 2\n";
    std::fs::write(place("pair.anynet"), network).unwrap();
    let configuration =
        "topology = anynet; network_file = pair.anynet; routing_function = min; num_vcs = 2;\n";
    std::fs::write(place("pair.cfg"), configuration).unwrap();
    let ron = place("pair.ron");
    let said = run(&["import", "booksim", &place("pair.cfg"), "-o", &ron]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.err.contains("relative to the folder of the scenario"), "{}", said.err);
    let said = run(&["check", &ron, "--format", "json"]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(objects(&said.out)[0]["deadlock_free"], true);
    std::fs::create_dir(place("elsewhere")).unwrap();
    let other = place("elsewhere/pair.ron");
    let said = run(&["import", "booksim", &place("pair.cfg"), "-o", &other]);
    assert_eq!(said.status, 2, "{}", said.err);
    assert!(said.err.contains("pair.anynet"), "{}", said.err);
}

#[test]
fn remarks_on_network_files_are_left_out_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.csv").display().to_string();
    std::fs::write(&path, "from,to,colour\na,b,red\nb,c,\nc,a,\n").unwrap();
    for command in [&["network", &path, "--to", "csv"][..], &["scenarios", &path]] {
        let [told, quiet] = [run(command), run(&[command, &["-q"]].concat())];
        assert!(told.err.contains("`colour` is ignored"), "{}", told.err);
        assert!(quiet.err.is_empty() && quiet.out == told.out, "{}", quiet.err);
    }
    let converted =
        ["network", &path, "--to", "csv", "--delay", "colour", "--cycles-per-unit", "2"];
    assert!(run(&converted).err.contains("`colour` must be a number, not `red`"));
    let half =
        run(&["network", "mesh-8x8", "--to", "csv", "--delay", "x", "--cycles-per-unit", "2"]);
    assert!(half.status == 2 && half.err.contains("this is a scenario"), "{}", half.err);
}

#[test]
fn a_broken_assumption_is_stated_once() {
    let settings = [
        "traffic.destinations=Transpose",
        "traffic.lengths=Geometric(mean: 8)",
        "switching=Wormhole(virtual_channels: 2, terminals: Channels, ejection: OneFlitPerCycle, \
         channel_delay: 3)",
    ];
    let mut arguments = vec!["simulate", "mesh-8x8", "--messages", "300", "-q"];
    arguments.extend(settings.iter().flat_map(|setting| ["--set", setting]));
    let said = run(&arguments).out;
    assert!(
        said.contains("likely because it assumes messages without conflicts in the network\n"),
        "{said}"
    );
    assert_eq!(said.matches("but here: channels shared by messages").count(), 1, "{said}");
}
