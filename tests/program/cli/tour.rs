//! `tour` without a terminal: what is listed, printed, checked and refused.

use std::fs;
use std::path::PathBuf;

use super::program::run;

/// A file of this text.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("flitscope-tour-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn stops_are_listed_printed_and_played_by_name_and_number() {
    let list = run(&["tour", "--list"]);
    assert_eq!((list.status, list.out.lines().count()), (0, 11), "{}", list.err);
    let printed = run(&["tour", "deadlock", "--print"]).out;
    assert_eq!(printed, run(&["tour", "3", "--print"]).out);
    let own = file("own.ron", &printed);
    let played = run(&["tour", own.to_str().unwrap(), "--check"]);
    assert!(played.status == 0 && played.out.contains("all 4 steps can be done"), "{}", played.err);
}

#[test]
fn a_stop_whose_keys_lead_nowhere_is_told() {
    let text = run(&["tour", "deadlock", "--print"]).out;
    let never = text.replace("until state deadlocked", "until cycle 100");
    let early = text.replacen("until: [Deadlock]", "until: [LoadAbove(0.1)]", 1);
    for (name, text, what) in [
        ("never.ron", never, "its keys do not bring about a deadlock"),
        ("early.ron", early, "it is done before anything was pressed"),
    ] {
        let said = run(&["tour", file(name, &text).to_str().unwrap(), "--check"]);
        assert!(said.status == 1 && said.err.contains(what), "{}", said.err);
        assert!(said.err.contains("step 2 (Watch)"), "{}", said.err);
    }
}

#[test]
fn mistakes_in_a_stop_are_told_with_their_places() {
    let text = r#"Stop(
    titel: "x",
    scenario: Scenario(network: Toris(radix: [4, 4])),
    steps: [
        Whatch(text: "a", until: [Cycle(10), Chain(0), Dedlock], keys: ["key spacce"]),
        Predict(text: "q", choices: ["a"], rihgt: 1),
        Check(text: 3, choices: ["a", "b"], right: 3, why: "c", wrong: ["d", "e"]),
        Watch(text: "q", until: [], scenario: "ring-deadlok"),
    ],
)
"#;
    let said = run(&["tour", file("broken.ron", text).to_str().unwrap()]);
    assert_eq!(said.status, 2);
    for (place, what) in [
        (":2:5", "did you mean `title`?"),
        (":3:33", "did you mean `Torus`?"),
        (":5:9", "did you mean `Watch`?"),
        (":5:52", "the chain must be 1 to 1000000"),
        (":5:56", "did you mean `Deadlock`?"),
        (":5:73", "did you mean `Space`?"),
        (":6:37", "2 to 4 answers, not 1"),
        (":6:44", "did you mean `right`?"),
        (":7:21", "must be a text in quotes"),
        (":7:52", "there is no answer 3"),
        (":7:72", "2 reasons for 1 wrong answer"),
        (":8:33", "a task ends in some state"),
        (":8:47", "did you mean `ring-deadlock`?"),
    ] {
        assert!(said.err.contains(&format!("broken.ron{place}\n")), "{place}\n{}", said.err);
        assert!(said.err.contains(what), "{what}\n{}", said.err);
    }
    let said = run(&["tour", "dedlock"]);
    assert!(said.status == 2 && said.err.contains("did you mean `deadlock`?"), "{}", said.err);
    let said = run(&["tour"]);
    assert!(said.status == 2 && said.err.contains("needs a terminal"), "{}", said.err);
}
