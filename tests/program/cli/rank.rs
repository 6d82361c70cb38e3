//! `simulate --rank`: the values of a field in their order, and what is refused.

use super::program::{objects, run};

const CASE: [&str; 4] = ["simulate", "mesh-8x8", "--load", "0.2"];
const SHORT: [&str; 5] = ["--replications", "4", "--messages", "12000", "--quiet"];

fn rank(more: &[&str]) -> super::program::Said {
    run(&[&CASE[..], &SHORT, &["--rank"], more].concat())
}

#[test]
fn one_command_says_which_is_fastest_how_sure_that_is_and_what_cannot_run() {
    let values = "routing=DimensionOrder(classes: None), WestFirst, NorthLast(classes: TwoNetwork), \
                  MinimalAdaptive(escape: None), MinimalAdaptive(escape: Destination), NegativeHop";
    let table = rank(&[values]);
    assert_eq!(table.status, 0, "{}", table.err);
    for part in [
        "8x8 mesh, load 0.2000 flits/node/cycle; 4 runs of each, the seeds and messages the same",
        "1  MinimalAdaptive(escape: Destination)",
        "2 of 2",
        "none",
        "not ruled out",
        "1 is the fastest; the other 4 that carry the load are slower, and the differences are",
        "cannot run here: NegativeHop: this routing (negative-hop) needs 8 virtual channels",
    ] {
        assert!(table.out.contains(part), "{part}:\n{}", table.out);
    }
    let close = rank(&["routing=NorthLast(classes: TwoNetwork), WestFirst"]).out;
    for part in [
        "1 came out first, but no difference is significant (95 %)",
        "2: too close to 1 to tell, +",
        " runs of each would",
    ] {
        assert!(close.contains(part), "{part}:\n{close}");
    }
    let lengths = rank(&["traffic.lengths=Fixed(6), Fixed(24)"]).out;
    assert!(lengths.contains("8x8 mesh, rate 0.0166"), "{lengths}");
    let rows = objects(&rank(&[values, "--format", "json"]).out);
    assert_eq!(rows.len(), 6);
    let number = |at: usize, key: &str| rows[at][key].as_f64().unwrap();
    assert!((1..5).all(|at| number(at, "latency_mean") >= number(at - 1, "latency_mean")));
    assert!((1..5).all(|at| {
        let (mean, half) = (number(at, "difference_mean"), number(at, "difference_half_width"));
        rows[at]["told_from_first"] == (mean.abs() > half)
    }));
    assert_eq!(
        (&rows[0]["deadlock_free"], &rows[5]["standing"]),
        (&true.into(), &"cannot run".into())
    );
    assert!(rows[5]["why_not"].as_str().unwrap().contains("write 8"));
    let csv = rank(&[values, "--format", "csv"]).out;
    assert!(csv.starts_with("scenario,value,rank,standing,") && csv.lines().count() == 7);
}

#[test]
fn a_field_that_is_none_or_has_one_value_is_refused() {
    for (given, says) in [
        ("ruoting", "did you mean `routing`?"),
        ("nonsense", "there is no field `nonsense`"),
        ("routing=WestFirst", "at least two values"),
        ("routing=", "at least two values"),
        ("routing=WestFirst,Nonsense", "fewer than two values of `routing` can be run here"),
        ("routing=WestFirst,Nonsense", "has no choice `Nonsense`"),
        ("traffic", "fewer than two values"),
    ] {
        let said = rank(&[given]);
        assert_eq!(said.status, 2, "{given}");
        assert!(said.err.contains(says), "{given}: {}", said.err);
    }
    let two = run(&["simulate", "mesh-8x8", "torus-8x8", "--rank", "routing"]);
    assert!(two.status == 2 && two.err.contains("ranked in one scenario"), "{}", two.err);
    let both = run(&["simulate", "mesh-8x8", "--rank", "routing", "--against", "mesh-8x8"]);
    assert!(both.status == 2 && both.err.contains("cannot be used with"), "{}", both.err);
}

#[test]
fn who_asks_for_a_comparison_by_another_name_is_led_here() {
    for command in ["compare", "rank"] {
        let said = run(&[command, "mesh-8x8", "routing"]);
        assert!(
            said.status == 2 && said.err.contains("values of a field with `--rank`"),
            "{}",
            said.err
        );
    }
}
