//! What `simulate` and the command without a name measure: ends, replications, seeds, deadlocks.

use super::program::{objects, run, run_with};
use serde_json::Value;

const CASE: &str = "papers/adaptive-torus-4x4";

#[test]
fn without_a_terminal_one_table_is_printed() {
    let said = run(&[]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.err.contains("not a terminal"));
    assert!(said.out.contains("torus-8x8"));
    assert!(said.out.contains("channel flow"));
    let other = run(&["mesh-8x8", "--load", "0.1", "--ascii", "--theme", "mono", "--no-mouse"]);
    assert_eq!(other.status, 0, "{}", other.err);
    assert!(other.out.contains("offered load         0.1000"), "{}", other.out);
    assert!(other.out.contains("channel flow"), "{}", other.out);
    let chosen = ["torus-4x4x4", "--ascii"];
    let bound = run(&chosen);
    assert!(bound.out.contains("zero load and M/D/1"), "{}", bound.out);
    let independent = ["--set", "switching.injection=Independent()"];
    let unknown = run(&[&chosen[..], &independent].concat());
    assert!(unknown.out.contains("no model has equations"), "{}", unknown.out);
}

#[test]
fn a_run_ends_where_it_was_told_to() {
    let row = |options: &[&str]| {
        let arguments = [&["simulate", CASE, "--format", "json"], options].concat();
        let said = run(&arguments);
        assert_eq!(said.status, 0, "{}", said.err);
        objects(&said.out).remove(0)
    };
    assert_eq!(row(&["--cycles", "12345"])["cycles"], 12_345);
    let messages = row(&["--messages", "5000"])["messages"].as_u64().unwrap();
    assert!((5000..5400).contains(&messages), "{messages}");
    let precise = row(&["--precision", "0.005"]);
    let share =
        precise["latency_half_width"].as_f64().unwrap() / precise["latency_mean"].as_f64().unwrap();
    assert!(share <= 0.005, "{share}");
    assert_eq!(row(&["--precision", "0.000001", "--cycles", "9999"])["cycles"], 9999);
    assert_eq!(row(&["--messages", "5000", "--cycles", "999"])["cycles"], 999);
    let saturated = row(&["--load", "0.99", "--messages", "1000000"]);
    assert_eq!(saturated["saturated"], true);
    assert!(saturated["messages"].as_u64().unwrap() < 1_000_000);
    let all = row(&["--warm-up", "0", "--cycles", "4096"])["messages"].as_u64().unwrap();
    let late = row(&["--warm-up", "2048", "--cycles", "4096"])["messages"].as_u64().unwrap();
    assert!(late < all && late > all / 3, "{late} of {all}");
}

#[test]
fn the_same_seed_is_the_same_run_however_many_go_on_at_a_time() {
    let rows = |options: &[&str]| {
        let common = ["simulate", CASE, "mesh-8x8", "--messages", "3000", "--format", "json"];
        let said = run(&[&common, options].concat());
        assert_eq!(said.status, 0, "{}", said.err);
        objects(&said.out)
    };
    let facts = |rows: &[Value]| -> Vec<Value> {
        rows.iter()
            .map(|row| {
                let mut row = row.clone();
                row["wall_seconds"] = Value::Null;
                row
            })
            .collect()
    };
    let one = rows(&["--replications", "3", "--jobs", "1"]);
    let four = rows(&["--replications", "3", "--jobs", "4"]);
    assert_eq!(facts(&one), facts(&four));
    let numbers: Vec<&Value> = one.iter().map(|row| &row["replication"]).collect();
    let expected: Vec<Value> = [Some(0), Some(1), Some(2), None]
        .into_iter()
        .chain([Some(0), Some(1), Some(2), None])
        .map(|number| number.map_or(Value::Null, Value::from))
        .collect();
    assert_eq!(numbers, expected.iter().collect::<Vec<&Value>>());
    assert_eq!((&one[0]["scenario"], &one[4]["scenario"]), (&CASE.into(), &"mesh-8x8".into()));

    let fingerprints: Vec<&str> =
        one.iter().map(|row| row["fingerprint"].as_str().unwrap()).collect();
    for fingerprint in &fingerprints {
        assert_eq!(fingerprint.len(), 16);
        assert!(fingerprint.chars().all(|digit| digit.is_ascii_hexdigit()));
        assert_eq!(fingerprints.iter().filter(|other| *other == fingerprint).count(), 1);
    }
    let single = rows(&[]);
    assert_eq!(single.len(), 2);
    assert_eq!(single[0]["fingerprint"], one[0]["fingerprint"]);
    let other = rows(&["--seed", "2"]);
    assert_ne!(other[0]["fingerprint"], one[0]["fingerprint"]);
    assert_eq!(other[0]["seed"], 2);
}

#[test]
fn links_are_used_for_what_crosses_them_and_not_for_terminals() {
    let one = ["simulate", "switches-campus", "--cycles", "40000", "--warm-up", "0"];
    let said = run(&[&one[..], &["--format", "json"]].concat());
    let row = &objects(&said.out)[0];
    let of = |key: &str| row[key].as_f64().unwrap();
    let used = of("flit_hops") / 38.0 / of("cycles");
    let told = of("channel_utilisation_mean");
    assert!((told - used).abs() < 0.01 * used, "{told} {used}");
}

#[test]
fn a_short_window_counts_its_slow_messages_and_one_that_cannot_says_so() {
    let row = |load: &str, options: &[&str]| {
        let common = ["simulate", "mesh-8x8", "--load", load, "--cycles", "5000"];
        let said = run(&[&common, options, &["--format", "json", "-q"]].concat());
        objects(&said.out).remove(0)
    };
    let window = row("0.32", &["--warm-up", "4950"]);
    assert_eq!(window["ended"], "reached");
    assert!(window["latency_mean"].as_f64().unwrap() > 60.0, "{window}");
    let flooded = row("0.9", &["--warm-up", "10"]);
    assert_eq!(flooded["ended"], "limit", "{flooded}");
}

#[test]
fn a_deadlock_is_not_told_to_run_longer() {
    let said = run(&["simulate", "ring-deadlock", "-q"]);
    assert_eq!(said.status, 3);
    assert!(said.out.contains("in a deadlock") && !said.out.contains("would tell"), "{}", said.out);
}

#[test]
fn a_deadlocked_run_is_neither_steady_nor_saturated_and_has_no_interval() {
    let run_of = |command: &[&str]| {
        let common = ["--load", "0.1", "--messages", "30000", "-q"];
        run(&[command, &common[..]].concat())
    };
    let text = run_of(&["simulate", "ring-deadlock"]);
    assert_eq!(text.status, 3);
    assert!(text.out.contains("saturated            stands still"), "{}", text.out);
    assert!(!text.out.contains('±'), "{}", text.out);
    let said = run_of(&["simulate", "ring-deadlock", "--format", "json"]);
    let row = &objects(&said.out)[0];
    assert_eq!((&row["deadlock"], &row["steadiness"]), (&true.into(), &"deadlocked".into()));
    for key in ["saturated", "latency_half_width", "accepted_half_width", "blocking_half_width"] {
        assert!(row[key].is_null(), "{key}: {row}");
    }
    assert!(row["latency_mean"].as_f64().unwrap() > 20.0);
    // Nobody looks, and all stands still for ever.
    let on = ["--set", "switching.on_deadlock=Continue", "--cycles", "60000", "--format", "json"];
    let said = run(&[&["simulate", "ring-deadlock", "--load", "0.1", "-q"], &on[..]].concat());
    let row = &objects(&said.out)[0];
    assert!(row["steadiness"] != "steady" && row["latency_half_width"].is_null(), "{row}");
}

#[test]
fn models_name_the_machines_that_they_do_not_know() {
    for (scenario, set, found) in [
        ("torus-8x8", "switching.channel_delay=5", "which pass 4 flits in 6 cycles"),
        ("torus-8x8", "switching.injection=Independent()", "independently"),
    ] {
        let said = run(&["predict", scenario, "--rate", "0.001", "--set", set, "--format", "json"]);
        let rows = objects(&said.out);
        let of = |name: &str| {
            let rows = rows.iter().filter(|row| row["model"].as_str().unwrap().starts_with(name));
            rows.map(|row| row["why_not"].to_string()).collect::<Vec<String>>()
        };
        for name in ["deterministic torus", "channel flow"] {
            let all = of(name);
            assert!(
                !all.is_empty() && all.iter().all(|why| why.contains(found)),
                "{name}: {all:?}"
            );
        }
    }
}

#[test]
fn what_sources_remember_is_longer_than_a_short_run() {
    let bucket = "traffic.arrivals=TokenBucket(load: 0.4, burst: 50, tokens: 1.02)";
    let grid = ["simulate", "mesh-8x8", "--set", "network=Mesh(radix: [4, 4])"];
    let run_of = |set: &str, messages: &str| {
        let more = ["--set", set, "--messages", messages, "--format", "json", "-q"];
        objects(&run(&[&grid[..], &more].concat()).out).remove(0)
    };
    let short = run_of(bucket, "20000");
    assert!(short["saturated"].is_null() && short["latency_half_width"].is_null(), "{short}");
    let quick = run_of("traffic.arrivals=TokenBucket(load: 0.4, burst: 4)", "60000");
    assert_eq!(quick["saturated"], false, "{quick}");
}

#[test]
fn all_replications_together_add_up() {
    let said =
        run(&["simulate", CASE, "--messages", "3000", "--replications", "4", "--format", "json"]);
    let rows = objects(&said.out);
    let (together, each) = rows.split_last().unwrap();
    assert_eq!(each.len(), 4);
    for key in ["messages", "cycles", "flit_hops"] {
        let sum: u64 = each.iter().map(|row| row[key].as_u64().unwrap()).sum();
        assert_eq!(together[key], sum, "{key}");
    }
    let means: Vec<f64> = each.iter().map(|row| row["latency_mean"].as_f64().unwrap()).collect();
    let mean = together["latency_mean"].as_f64().unwrap();
    assert!(means.iter().any(|&x| x < mean) && means.iter().any(|&x| x > mean));
    assert!(together["latency_half_width"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_precision_of_replications_is_that_of_all_together() {
    let rows = |options: &[&str]| {
        let common = ["simulate", CASE, "--load", "0.25", "--replications", "4"];
        let said = run(&[&common, options, &["--precision", "0.01", "--format", "json"]].concat());
        assert_eq!(said.status, 0, "{}", said.err);
        let mut rows = objects(&said.out);
        for row in &mut rows {
            row["wall_seconds"] = Value::Null;
        }
        rows
    };
    let all = rows(&["--jobs", "1"]);
    assert_eq!(all, rows(&["--jobs", "3"]));
    let (together, each) = all.split_last().unwrap();
    let share = |row: &Value| {
        row["latency_half_width"].as_f64().unwrap() / row["latency_mean"].as_f64().unwrap()
    };
    assert!(share(together) <= 0.01, "{together}");
    // Each by itself is not so precise: four of them need a quarter of the length.
    assert!(each.iter().all(|row| share(row) > 0.01), "{all:?}");
    assert!(each.iter().all(|row| row["cycles"] == each[0]["cycles"] && row["ended"] == "reached"));
    let limited = rows(&["--cycles", "5000"]);
    assert!(limited.iter().all(|row| row["ended"] == "limit"), "{limited:?}");
    assert_eq!((&limited[0]["cycles"], &limited[4]["cycles"]), (&5000.into(), &20_000.into()));
}

#[test]
fn a_precision_is_reached_at_two_looks_in_a_row() {
    let (mut seen, precision) = (Vec::new(), 0.01);
    for seed in ["1", "2", "3", "4"] {
        let row = |options: &[&str]| {
            let common = ["simulate", CASE, "--load", "0.25", "--seed", seed, "--format", "json"];
            objects(&run(&[&common, options].concat()).out).remove(0)
        };
        let end = row(&["--precision", "0.01"])["cycles"].as_u64().unwrap();
        // Looks lie a sixteenth of the run apart, at multiples of 1,024 cycles.
        let next = |&look: &u64| Some((look + look / 16).next_multiple_of(1024));
        let looks = std::iter::successors(Some(16 * 1024), next);
        let looks: Vec<u64> = looks.take_while(|&look| look <= end).collect();
        assert_eq!(looks.last(), Some(&end));
        let narrow = |look: &u64| {
            let row = row(&["--cycles", &look.to_string()]);
            let half = row["latency_half_width"].as_f64();
            half.is_some_and(|half| half <= precision * row["latency_mean"].as_f64().unwrap())
        };
        seen.extend(looks.len().checked_sub(2).map(|before| narrow(&looks[before])));
    }
    assert_eq!(seen, [true; 4]);
}

#[test]
fn a_given_window_counts_all_that_was_generated_in_it() {
    let row = |warm_up: &str, cycles: &str| {
        let common = ["simulate", "mesh-8x8", "--load", "0.3", "--format", "json"];
        let window = ["--warm-up", warm_up, "--cycles", cycles];
        objects(&run(&[&common[..], &window].concat()).out).remove(0)
    };
    let messages = |row: &Value| row["messages"].as_u64().unwrap();
    let (window, all, before) = (row("2048", "4096"), row("0", "4096"), row("0", "2048"));
    assert_eq!(messages(&window), messages(&all) - messages(&before));
    let cycles = window["cycles"].as_u64().unwrap();
    assert!((4097..6144).contains(&cycles), "it runs on to deliver: {cycles}");
    assert_eq!(window["ended"], "reached");
}

#[test]
fn accepting_less_than_is_offered_is_remarked() {
    let said = |options: &[&str]| run(&[&["simulate", "mesh-8x8"], options].concat()).err;
    let short = ["--load", "0.5", "--messages", "10000"];
    let remark = said(&short);
    assert!(
        remark.contains("mesh-8x8: accepts 7") && remark.contains("of what is offered"),
        "{remark}"
    );
    assert!(!said(&[&short[..], &["--quiet"]].concat()).contains("accepts"));
    assert!(!said(&["--load", "0.2", "--messages", "10000"]).contains("accepts"));
}

#[test]
fn a_deadlock_is_told_and_has_a_status() {
    let said = run(&["simulate", "ring-deadlock"]);
    assert_eq!(said.status, 3);
    let told =
        "deadlock             yes: 5 worms wait for each other in a circle since cycle 309, closed";
    assert!(said.out.contains(told) && said.out.contains("found at cycle 320"), "{}", said.out);
    assert!(said.err.contains("deadlock"));
    let both = run(&["simulate", "ring-deadlock", CASE, "--format", "json"]);
    assert_eq!(both.status, 3);
    let rows = objects(&both.out);
    assert_eq!((&rows[0]["deadlock"], &rows[1]["deadlock"]), (&true.into(), &false.into()));
    let facts = |row: &Value| ["deadlock_closed", "deadlock_members"].map(|key| row[key].as_u64());
    assert_eq!((facts(&rows[0]), facts(&rows[1])), ([Some(309), Some(5)], [None, None]));
    assert_eq!(run(&["ring-deadlock"]).status, 3);
}

#[test]
fn shortest_paths_on_a_ring_of_switches_are_refused_and_up_down_is_proven() {
    let said = run(&["check", "switch-ring-deadlock"]);
    assert_eq!(said.status, 1, "{}", said.err);
    assert!(said.out.contains("s0→s1 VC 0 -> s1→s2 VC 0"), "{}", said.out);
    assert!(said.out.contains("dependency graph has a cycle"), "{}", said.out);
    let said =
        run(&["check", "switch-ring-deadlock", "--set", "routing=UpDown()", "--format", "json"]);
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(objects(&said.out)[0]["deadlock_free"], true);
    let said = run(&["simulate", "switches-campus", "--messages", "2000", "--format", "json"]);
    assert_eq!(said.status, 0, "{}", said.err);
    let row = &objects(&said.out)[0];
    assert!((row["offered_flits_per_node_cycle"].as_f64().unwrap() - 0.08).abs() < 1e-9);
    // Every way counts the channels of its two hosts.
    assert!(row["hops_mean"].as_f64().unwrap() > 2.0);
}

#[test]
fn scenarios_come_from_files_standard_input_and_overrides() {
    let text = run(&["scenarios", CASE]).out;
    let options = ["--messages", "1000", "--format", "json"];
    let piped = run_with(&[&["simulate", "-"], &options[..]].concat(), &text);
    assert_eq!(piped.status, 0, "{}", piped.err);
    let file = "scenarios/papers/adaptive-torus-4x4.ron";
    let read = run(&[&["simulate", file], &options[..]].concat());
    let built_in = run(&[&["simulate", CASE], &options[..]].concat());
    let [piped, read, built_in] = [piped, read, built_in].map(|said| objects(&said.out).remove(0));
    assert_eq!(piped["fingerprint"], built_in["fingerprint"]);
    assert_eq!(read["fingerprint"], built_in["fingerprint"]);
    assert_eq!(piped["scenario"], "standard input");
    assert_eq!(read["scenario"], file);
    let set =
        run(&[&["simulate", CASE, "--set", "traffic.arrivals.rate=0.02"], &options[..]].concat());
    assert_eq!(objects(&set.out)[0]["rate"], 0.02);
    let set = run(&[&["simulate", CASE, "--set", "network.radix=[8, 8]"], &options[..]].concat());
    assert!(objects(&set.out)[0]["hops_mean"].as_f64().unwrap() > 3.0);
}

#[test]
fn a_run_beside_the_models_says_which_of_them_it_contradicts_and_why() {
    // The model of the paper saturates at a load of 0.243; the network carries 0.334.
    let beside = ["predict", "papers/adaptive-torus-8x8", "--load", "0.334", "--beside-run"];
    let arguments = [&beside[..], &["--cycles", "40000", "--format"]].concat();
    let said = run(&[&arguments[..], &["json"]].concat());
    assert_eq!(said.status, 0, "{}", said.err);
    let of_model = |row: &Value| row["model"] != "capacity";
    for row in objects(&said.out).into_iter().filter(of_model) {
        assert_eq!(row["run_steadiness"], "steady", "{row}");
        let accepted = row["run_accepted_flits_per_node_cycle"].as_f64().unwrap();
        assert!((accepted / 0.334 - 1.0).abs() < 0.02, "{accepted}");
        assert!(row["run_latency_mean"].is_f64());
        let wrong = row["wrong_here"].as_str();
        let begins = "it says saturated, the run accepts 0.33";
        // A tenth where no error is stated, and a hundredth for the run's own interval.
        let stated = row["error_within_nine_of_ten"].as_f64().unwrap_or(0.1) + 0.01;
        let far = row["latency_mean"].as_f64().is_some_and(|model| {
            (model / row["run_latency_mean"].as_f64().unwrap() - 1.0).abs() > stated
        });
        assert_eq!(wrong.is_some(), row["saturated"] == true || far, "{row}");
        assert!(wrong.is_none_or(|words| words.starts_with(begins) != far), "{row}");
        let explained = |words: &str| words.contains("; likely ") || words.ends_with("unknown");
        assert!(wrong.is_none_or(explained), "{row}");
    }
    let rows: Vec<Value> = objects(&said.out).into_iter().filter(of_model).collect();
    let calibrated = rows.iter().find(|row| row["reading"] == "calibrated").unwrap();
    assert_eq!(calibrated["saturated"], true);
    // It breaks no assumption of that model, and nothing of the run shows why it is wrong.
    assert!(calibrated["wrong_here"].as_str().unwrap().ends_with("; the cause is unknown"));
    // Last a model without equations where heads choose, which a run cannot contradict.
    let flow = rows.last().unwrap();
    assert_eq!((&flow["model"], &flow["wrong_here"]), (&"channel flow".into(), &Value::Null));

    let table = run(&[&arguments[..], &["table"]].concat()).out;
    assert!(table.contains("run                  steady, accepted 0.33"), "{table}");
    assert!(table.contains("wrong here: it says saturated, the run accepts 0.33"), "{table}");
    // The first of them stands in the table of the run itself.
    let simulated = ["simulate", "papers/adaptive-torus-8x8", "--load", "0.334"];
    let simulated = run(&[&simulated[..], &["--cycles", "40000"]].concat()).out;
    assert!(simulated.contains("model                adaptive torus"), "{simulated}");
    assert!(simulated.contains("it says saturated"), "{simulated}");

    let without = run(&["predict", "papers/adaptive-torus-8x8", "--format", "json"]);
    let keys = ["run_latency_mean", "run_accepted_flits_per_node_cycle", "run_steadiness"];
    for key in keys.into_iter().chain(["wrong_here"]) {
        assert!(objects(&without.out)[0][key].is_null(), "{key}");
    }
    let unasked = run(&["predict", "papers/adaptive-torus-8x8", "--cycles", "1000"]);
    assert_eq!(unasked.status, 2);
    assert!(unasked.err.contains("--beside-run"), "{}", unasked.err);
}

#[test]
fn paths_are_printed_one_by_one_beside_a_run() {
    let short = ["--beside-run", "--cycles", "60000", "--warm-up", "10000"];
    let of = |more: &[&str]| {
        run(&[&["predict", "papers/switch-torus-3x3-200", "--paths"][..], more].concat())
    };
    let rows = objects(&of(&[&short[..], &["--format", "json"]].concat()).out);
    let (paths, others): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row["why_not"].is_null());
    assert!(!paths.is_empty() && others.iter().all(|row| row["channels"].is_null()));
    for row in paths {
        assert!(row["model"].as_str().unwrap().starts_with("finite input buffers"), "{row}");
        let channels = row["channels"].as_array().unwrap();
        assert!(channels.len() >= 2 && row["source"] != row["destination"], "{row}");
        // A worm of 200 flits and 10 cycles for each channel, at least.
        let alone = 199.0 + 10.0 * channels.len() as f64;
        assert!(row["latency_mean"].as_f64() > Some(alone), "{row}");
        assert!(row["run_messages"].is_null() == row["run_latency_mean"].is_null(), "{row}");
    }
    assert!(rows.iter().any(|row| row["run_messages"].as_u64() > Some(0)));
    let table = of(&short).out;
    for heading in ["channels", "paths", "mean", "least", "most", "simulated", "to simulation"] {
        assert!(table.contains(heading), "{table}");
    }
    let none = run(&["predict", "mesh-8x8", "--paths"]);
    assert!(none.out.contains("no model distinguishes them"), "{}", none.out);
    assert_eq!(of(&["--channels"]).status, 2);
}

#[test]
fn the_bound_is_printed_pair_by_pair_or_why_there_is_none() {
    let shaped = |arrivals: &str, more: &[&str]| {
        let set = format!("traffic.arrivals={arrivals}");
        run(&[&["predict", "transpose-mesh-8x8", "--bound", "--set", &set], more].concat())
    };
    let greedy = "GreedyBucket(rate: 0.00001, burst: 1)";
    let rows = objects(&shaped(greedy, &["--format", "json"]).out);
    assert_eq!(rows.len(), 56);
    let worst = rows.iter().map(|row| row["latency_bound"].as_u64().unwrap()).max().unwrap();
    assert!(rows.iter().all(|row| row["why_not"].is_null() && row["hops"].as_u64() > Some(0)));
    let table = shaped(greedy, &[]);
    assert_eq!(table.status, 0, "{}", table.err);
    let said = format!("no message takes more than {worst} cycles");
    assert!(table.out.contains(&said), "{}", table.out);
    assert!(table.out.contains("the longest\n2"), "{}", table.out);

    let set = ["--set", "traffic.arrivals=GreedyBucket(rate: 0.00001, burst: 1)"];
    let run_of = ["simulate", "transpose-mesh-8x8", "--cycles", "2000000", "--format", "json"];
    let simulated = objects(&run(&[&run_of[..], &set].concat()).out).remove(0);
    assert!(simulated["latency_p99"].as_u64().unwrap() <= worst, "{simulated}");

    let none = objects(&shaped("Poisson(rate: 0.001)", &["--format", "json"]).out);
    assert_eq!(none.len(), 1);
    assert!(none[0]["latency_bound"].is_null());
    assert!(
        none[0]["why_not"].as_str().unwrap().contains("sources may send any number of messages"),
        "{}",
        none[0]
    );
    assert!(
        shaped("Poisson(rate: 0.001)", &[]).out.contains("bound                none: sources may")
    );
    let both = shaped(greedy, &["--channels"]);
    assert_eq!(both.status, 2, "{}", both.out);
}

#[test]
fn a_model_of_another_transfer_has_no_figures_beside_a_run() {
    let name = "papers/hops-e-cube-uniform";
    let table = run(&["simulate", name, "--rate", "0.0005", "--cycles", "4000", "-q"]).out;
    let line = |begin: &str| table.lines().find(|line| line.starts_with(begin)).unwrap();
    assert!(line("  transfer").ends_with('-') && line("latency, cycles").ends_with('-'), "{table}");
    assert!(table.contains("but here: a flit in "), "{table}");
    assert!(table.contains("not comparable: it assumes 14.0 cycles of transfer"), "{table}");
    let rows = objects(&run(&["predict", name, "--rate", "0.0005", "--format", "json"]).out);
    let row = rows.iter().find(|row| row["model"] != "capacity").unwrap();
    assert!(row["latency_mean"].is_f64() && row["why_not"].is_string(), "{row}");
}

/// Results of a run come before a model that takes long, which stops at the same step everywhere.
#[test]
fn results_do_not_wait_for_a_model() {
    let large = ["simulate", "mesh-8x8", "--set", "network=Mesh(radix: [32, 32])"];
    let few = ["--load", "0.02", "--messages", "300", "--quiet"];
    let said = run(&[&large[..], &few].concat());
    assert_eq!(said.status, 0, "{}", said.err);
    let place =
        |words: &str| said.out.find(words).unwrap_or_else(|| panic!("{words}: {}", said.out));
    let measured = place("ended                as asked");
    let follows = place("model                at work; what it says follows");
    let model = place("model                channel flow, reading: direct terminals");
    let stopped =
        place("stopped after 1500000 steps of work: beyond the budget; `predict` goes on");
    assert!(measured < follows && follows < model && model < stopped, "{}", said.out);
}

#[test]
fn a_short_simulation_stands_before_the_models_where_heads_choose() {
    let small = ["mesh-odd-even", "--set", "network=Mesh(radix: [4, 4])", "--load", "0.1"];
    let rows = |asked: &[&str]| {
        let said = run(&[asked, &small[..], &["--format", "json"]].concat());
        assert_eq!(said.status, 0, "{}", said.err);
        let rows = said.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.collect::<Vec<Value>>()
    };
    let predicted = rows(&["predict"]);
    let named = |name: &str| predicted.iter().position(|row| row["model"] == name).unwrap();
    let (short, flow) = (named("short simulation"), named("channel flow"));
    assert!(short < flow, "{predicted:?}");
    let figure =
        |row: &Value, key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"));
    let mean = figure(&predicted[short], "latency_mean");
    let half = figure(&predicted[short], "latency_half_width");
    assert!(half < 0.05 * mean, "{mean} ± {half}");
    let why = predicted[flow]["why_not"].as_str().unwrap();
    assert!(why.contains("routes that are fixed when a message is sent"), "{why}");
    assert!(why.ends_with("but here: odd-even"), "{why}");
    let long = &rows(&["simulate"])[0];
    let apart = (figure(long, "latency_mean") - mean).abs();
    assert!(apart < 2.0 * (half + figure(long, "latency_half_width")), "{long}");
    assert_eq!(predicted, rows(&["predict"]), "the scenario's seed decides");
}
