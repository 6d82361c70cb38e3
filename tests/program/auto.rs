//! `flitscope sweep --auto`: loads that are searched, in one command or round by round.

use std::fs;
use std::path::Path;

use super::sweep::{folder, said, sweep, text, timeless};

/// A small study whose loads are searched, in this folder.
fn study<'a>(out: &'a str, loads: &[&'a str]) -> Vec<&'a str> {
    let routings = "routing=[DimensionOrder(), MinimalAdaptive(escape: Destination)]";
    let what = ["papers/adaptive-torus-4x4", "--vary", routings, "--bracket", "0.1"];
    let runs = ["--precision", "0.1", "--messages", "100000", "--out", out];
    [&what, loads, &runs].concat()
}

#[test]
fn one_command_finds_saturation_and_rounds_run_one_by_one_find_the_same() {
    let (whole, whole_out) = folder("sweep-auto");
    let table = said(&study(&whole_out, &["--auto"]));
    assert_eq!(table.matches("\nsaturates between ").count(), 2, "{table}");
    // A point that is too much has a load that it accepts, and no latency.
    let beyond = table.lines().find(|line| line.contains("  saturated")).unwrap();
    assert!(!beyond.contains('±'), "{beyond}");
    assert!(said(&["status", &whole_out]).contains("missing   0"), "{table}");
    // Pictures, in pixels where they are asked for, their points beside them, and a page with all.
    let names =
        ["latency", "latency-by-accepted", "accepted", "quantiles", "utilisation", "differences"];
    assert!(!whole.join("latency.png").exists());
    said(&["plot", &whole_out, "--png"]);
    for name in names {
        let file = |kind: &str| fs::read(whole.join(format!("{name}.{kind}"))).unwrap();
        assert!(file("png").starts_with(b"\x89PNG"), "{name}");
        let dots = String::from_utf8(file("csv")).unwrap();
        assert!(dots.starts_with("study,figure,curve,origin,x,y,half_width\n"), "{dots}");
        assert!(dots.lines().count() > 4 || name == "differences", "{dots}");
    }
    let page = || fs::read_to_string(whole.join("report.html")).unwrap();
    let before = page();
    assert_eq!(before.matches("<svg").count(), names.len());
    said(&["report", &whole_out]);
    assert_eq!(page(), before);
    assert!(said(&["plan", &whole_out]).starts_with("0 points: finished after round "));

    let (parts, out) = folder("sweep-auto-rounds");
    fs::create_dir_all(&parts).unwrap();
    fs::copy(whole.join("study.ron"), parts.join("study.ron")).unwrap();
    fs::create_dir(parts.join("points")).unwrap();
    assert_eq!(said(&["plan", &out]), "10 points missing in round 1: 0-9\n");
    let mut rounds = 1;
    loop {
        said(&["run", &out, "--shard", "2/2"]);
        let unfinished = said(&["plan", &out]);
        assert!(unfinished.contains(&format!("missing in round {rounds}: ")), "{unfinished}");
        said(&["run", &out, "--shard", "1/2"]);
        let next = said(&["plan", &out]);
        if next.starts_with("0 points") {
            break;
        }
        rounds += 1;
        assert!(next.contains(&format!(" in round {rounds}: ")), "{next}");
        let list = next.trim_end().rsplit(' ').next().unwrap();
        assert_eq!(said(&["missing", &out]), format!("{list}\n"));
        if list.parse::<usize>().is_ok() {
            // One point has no two shards.
            said(&["run", &out, "--point", list]);
            if said(&["plan", &out]).starts_with("0 points") {
                break;
            }
            rounds += 1;
        }
    }
    assert!(rounds > 3);
    let csv = |path: &Path| timeless(&fs::read_to_string(path.join("table.csv")).unwrap());
    said(&["merge", &out]);
    assert_eq!(csv(&parts), csv(&whole));
    // The same again runs nothing.
    assert_eq!(said(&study(&whole_out, &["--auto"])), table);
}

#[test]
fn shares_of_saturation_are_run_and_options_that_contradict_are_named() {
    let (_, out) = folder("sweep-shares");
    let table = said(&study(&out, &["--of-saturation", "0.3,0.9"]));
    let ends = table.lines().find(|line| line.starts_with("saturates between ")).unwrap();
    let ends: Vec<f64> = ends.split(' ').filter_map(|word| word.parse().ok()).collect();
    let load = 0.3 * f64::midpoint(ends[0], ends[1]);
    let offered =
        table.lines().filter_map(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    let nearest = offered.map(|it| (it - load).abs()).fold(1.0, f64::min);
    assert!(nearest < 0.02 * load, "{load} {table}");

    // Runs that are too short to find it, where the capacity is all that sources can send.
    let (_, out) = folder("sweep-shares-unfound");
    let short =
        ["mesh-8x8", "--set", "network=Hypercube(dimensions: 6)", "--messages", "3000", "-q"];
    let done = sweep(&[&short[..], &["--of-saturation", "0.5", "--out", &out]].concat());
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stdout).contains("no saturation up to "), "{}", text(&done.stdout));
    assert!(text(&done.stderr).contains("no share of it was run"), "{}", text(&done.stderr));

    for (arguments, part) in [
        (&["--auto", "--loads", "0.1"][..], "--loads"),
        (&["--auto", "--load", "0.1"], "--load"),
        (&["--auto", "--bracket", "3"], "0.5 or less"),
        (&["--loads", "0.1", "--bracket", "0.1"], "`loads: Auto`"),
        (&["--of-saturation", "0.3,x"], "--of-saturation"),
        (&["--seeds", "1,1"], "given twice"),
        (&["--seeds", "1,2", "--seed", "3"], "--seed"),
    ] {
        let done = sweep(&[&["mesh-8x8", "--out", &out], arguments].concat());
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        assert!(text(&done.stderr).contains(part), "{}", text(&done.stderr));
    }
}
