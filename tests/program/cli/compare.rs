//! `simulate --against`: two runs of the same messages, their rows, and what is refused.

use super::program::{objects, run};
use serde_json::Value;

const CASE: &str = "papers/adaptive-torus-4x4";
const ORDER: &str = "routing=DimensionOrder()";

#[test]
fn two_runs_are_what_each_is_alone_and_their_difference_comes_last() {
    let facts = |row: &Value| {
        let mut row = row.clone();
        row["wall_seconds"] = Value::Null;
        row
    };
    let common = ["--cycles", "30000", "--load", "0.2", "--format", "json"];
    let of = |options: &[&str]| {
        let said = run(&[&["simulate", CASE], options, &common].concat());
        assert_eq!(said.status, 0, "{}", said.err);
        objects(&said.out)
    };
    let both = of(&["--against-set", ORDER]);
    let alone = [of(&[]), of(&["--set", ORDER])];
    assert_eq!(both.len(), 3);
    for (side, alone) in alone.iter().enumerate() {
        assert_eq!(facts(&both[side]), facts(&alone[0]));
    }
    let row = &both[2];
    assert_eq!(row["differs"][0], "routing: MinimalAdaptive, DimensionOrder");
    let number = |key: &str| row[key].as_f64().unwrap();
    let parts = number("earlier") + number("same") + number("later");
    assert!((parts - number("pairs")).abs() < 0.5 && parts > 1000.0, "{row}");
    // What is known message by message is known better than from the two means apart.
    let half = |row: &Value| row["latency_half_width"].as_f64().unwrap();
    let apart = half(&both[0]).hypot(half(&both[1]));
    assert!(number("paired_difference_half_width") < apart, "{row} {apart}");
    let means = number("second_latency_mean") - number("first_latency_mean");
    assert!((number("paired_difference_mean") - means).abs() < apart, "{row}");
    assert_eq!((&row["seed"], &row["cycles"]), (&1.into(), &30_000.into()));
    assert_eq!((&row["saturated"], &row["deadlock"]), (&false.into(), &false.into()));
}

#[test]
fn the_end_is_that_of_the_difference() {
    let row = |options: &[&str]| {
        let common =
            ["simulate", CASE, "--against-set", ORDER, "--load", "0.25", "--format", "json"];
        let said = run(&[&common, options].concat());
        assert_eq!(said.status, 0, "{}", said.err);
        objects(&said.out).pop().unwrap()
    };
    let counted = row(&["--messages", "5000"])["pairs"].as_u64().unwrap();
    assert!((5000..5600).contains(&counted), "{counted}");
    let precise = row(&["--precision", "0.004"]);
    let half = precise["paired_difference_half_width"].as_f64().unwrap();
    assert!(half <= 0.004 * precise["first_latency_mean"].as_f64().unwrap() * 1.02, "{precise}");
    let together = row(&["--cycles", "20000", "--replications", "4"]);
    assert_eq!(together["replication"], Value::Null);
    assert!(together["paired_difference_half_width"].as_f64().unwrap() > 0.0);
    assert!(together["pairs"].as_u64().unwrap() > 4 * 1000, "{together}");
}

#[test]
fn replications_reach_a_precision_of_the_difference_together() {
    let common = ["simulate", CASE, "--against-set", ORDER, "--load", "0.25", "--format", "json"];
    let options = ["--precision", "0.004", "--replications", "4", "--jobs"];
    let row = |jobs| objects(&run(&[&common[..], &options, &[jobs]].concat()).out).pop().unwrap();
    let (together, alone) = (row("2"), objects(&run(&[&common[..], &options[..2]].concat()).out));
    let half = together["paired_difference_half_width"].as_f64().unwrap();
    assert!(half <= 0.004 * together["first_latency_mean"].as_f64().unwrap(), "{together}");
    // All four are shorter than one alone.
    let cycles = |row: &Value| row["cycles"].as_u64().unwrap();
    assert!(cycles(&together) < 4 * cycles(alone.last().unwrap()), "{together}");
    assert_eq!(together, row("1"));
}

#[test]
fn a_given_window_pairs_all_that_was_generated_in_it() {
    let row = |warm_up: &str, cycles: &str| {
        let common = ["simulate", "mesh-8x8", "--load", "0.3", "--format", "json"];
        let against = ["--against-set", "switching.buffer_flits=2"];
        let window = ["--warm-up", warm_up, "--cycles", cycles];
        objects(&run(&[&common[..], &against, &window].concat()).out).pop().unwrap()
    };
    let pairs = |row: &Value| row["pairs"].as_u64().unwrap();
    let (window, all, before) = (row("2048", "4096"), row("0", "4096"), row("0", "2048"));
    assert_eq!((&window["first_only"], &window["second_only"]), (&0.into(), &0.into()));
    assert_eq!(pairs(&window), pairs(&all) - pairs(&before), "{window} {all} {before}");
}

#[test]
fn tables_and_csv_say_how_they_differ() {
    let common = ["simulate", CASE, "--against-set", ORDER, "--cycles", "20000"];
    let table = run(&common);
    assert_eq!(table.status, 0, "{}", table.err);
    for part in [
        "A: ",
        "B: ",
        "differ in            routing: A MinimalAdaptive, B DimensionOrder",
        "in both,",
        "message by message",
        "earlier",
    ] {
        assert!(table.out.contains(part), "{part}: {}", table.out);
    }
    let csv = run(&[&common[..], &["--format", "csv"]].concat());
    let mut lines = csv.out.lines();
    assert!(lines.next().unwrap().starts_with("scenario,against,differs,seed,"));
    assert_eq!(lines.count(), 1);
    // Without a terminal the screen's command prints the same.
    let watch = run(&[CASE, "--against-set", ORDER]);
    assert!(watch.out.contains("message by message"), "{}{}", watch.out, watch.err);
    // Other messages are not paired, and it says so.
    let other =
        run(&["simulate", CASE, "--against-set", "traffic.lengths=Fixed(3)", "--cycles", "9000"]);
    assert!(other.out.contains("not the same in both"), "{}", other.out);
}

#[test]
fn what_cannot_be_compared_says_why() {
    for (options, why) in [
        (&["--against", "mesh-8x8"][..], "is not the same network as"),
        (&["--against", "papers/circuit-hold-8"][..], "is not the same network as"),
        (&["--against", "nonsense"][..], "no such built-in scenario"),
        (&["--against-set", "routing=Nonsense()"][..], "has no choice `Nonsense`"),
        (&["--against-set", "routing"][..], "as in `seed=7`"),
        (&["--against-set", "seed=7"][..], "both runs have the seed of the first"),
        (&["mesh-8x8", "--against-set", ORDER][..], "one scenario is compared with one other"),
    ] {
        let said = run(&[&["simulate", CASE], options].concat());
        assert_eq!(said.status, 2, "{options:?}: {}", said.err);
        assert!(said.err.contains(why), "{options:?}: {}", said.err);
        assert!(said.out.is_empty());
    }
    // Networks are compared by sweeps, and a field may name a file.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.csv");
    std::fs::write(&path, "from,to\na,b\n").unwrap();
    let network = format!("network=File({:?})", path.display().to_string());
    let routing = "routing=UpDown()";
    let said = run(&["simulate", "mesh-8x8", "--against-set", &network, "--against-set", routing]);
    assert!(said.err.contains("--vary 'network=[File("), "{}", said.err);
    // A rate of its own is replaced, and that is said.
    let other =
        ["simulate", CASE, "--against-set", "traffic.arrivals.rate=0.001", "--cycles", "3000"];
    assert!(run(&other).err.contains("instead of 0.001"));
}

#[test]
fn a_deadlock_of_one_is_the_exit_status() {
    let free = [
        "--against-set",
        "routing.classes=Dateline",
        "--against-set",
        "switching.virtual_channels=2",
    ];
    let said =
        run(&[&["simulate", "ring-deadlock", "--cycles", "20000", "--format", "json"], &free[..]]
            .concat());
    assert_eq!(said.status, 3, "{}", said.err);
    let rows = objects(&said.out);
    assert_eq!((&rows[0]["deadlock"], &rows[1]["deadlock"]), (&true.into(), &false.into()));
    // The other one went on to the end.
    assert_eq!((&rows[1]["cycles"], &rows[2]["cycles"]), (&20_000.into(), &20_000.into()));
}

#[test]
fn runs_that_grow_or_stand_are_not_compared_by_means_and_quantiles() {
    let busy = ["--load", "0.95", "--cycles", "16000"];
    let held: &[&str] = &["--against-set", "routing.classes=Dateline"];
    let held = [held, &["--against-set", "switching.virtual_channels=2"]].concat();
    for (scenario, options, why) in [
        (CASE, [&busy[..], &["--against-set", ORDER]].concat(), "B is saturated"),
        ("ring-deadlock", [&["--cycles", "4000"], &held[..]].concat(), "A stands in a deadlock"),
    ] {
        let common = [&["simulate", scenario], &options[..]].concat();
        let table = run(&common).out;
        let below = table.split("B - A").nth(1).unwrap();
        let place = |part: &str| below.find(part).unwrap_or_else(|| panic!("{part}: {below}"));
        assert!(place("accepted load") < place("message by message"), "{below}");
        let told = below.lines().find(|line| line.contains("mean latency, 99 %")).unwrap();
        assert!(told.contains("not compared: ") && told.contains(why), "{told}");
        assert!(below.contains(" so far") && !below.contains('±'), "{below}");
        let rows = objects(&run(&[&common[..], &["--format", "json"]].concat()).out);
        for key in ["latency_p99_difference", "paired_difference_half_width"] {
            assert!(rows[2][key].is_null(), "{key}: {}", rows[2]);
        }
        for key in ["paired_difference_mean", "accepted_difference"] {
            assert!(rows[2][key].is_number(), "{key}: {}", rows[2]);
        }
    }
}

#[test]
fn circuits_are_compared_with_worms_by_one_command() {
    let worms = "switching=Wormhole(virtual_channels: 4, buffer_flits: 4)";
    let common = ["--rate", "0.1", "--cycles", "60", "--warm-up", "20", "--format", "json"];
    let said = run(&[
        &["simulate", "papers/circuit-adaptive-8", "--set", "network.dimensions=6"][..],
        &["--against-set", worms],
        &common,
    ]
    .concat());
    assert_eq!(said.status, 0, "{}", said.err);
    let row = objects(&said.out).pop().unwrap();
    let number = |key: &str| row[key].as_f64().unwrap();
    let ratio = number("first_latency_mean") / number("second_latency_mean");
    assert!((0.8..1.25).contains(&ratio), "{row}");
    assert_eq!(row["time_unit"], "mean transmission times");
}
