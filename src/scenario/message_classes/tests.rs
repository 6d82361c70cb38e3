//! Tests of message classes in scenarios.

use crate::scenario::{self, Problem};

fn text(switching: &str, traffic: &str) -> String {
    format!(
        "Scenario(network: Mesh(radix: [4]), switching: Wormhole({switching}), \
         routing: DimensionOrder(), traffic: ({traffic}))"
    )
}

fn problems(switching: &str, traffic: &str) -> Vec<String> {
    let found = scenario::parse("test", &text(switching, traffic), &[]);
    let problems: Vec<Problem> = found.err().unwrap_or_default();
    problems.into_iter().map(|it| format!("{}; {}", it.what, it.help.unwrap_or_default())).collect()
}

const OPEN: &str = "arrivals: Poisson(rate: 0.01), destinations: Uniform, lengths: Fixed(1)";

#[test]
fn requests_and_replies_are_read() {
    let traffic = format!(
        "{OPEN}, message_classes: [(name: \"request\"), (name: \"reply\", to: \"request\", after: 10, \
         lengths: Fixed(5), room: 4)]"
    );
    let switching =
        "message_classes: Split([1, 2]), terminals: Channels, ejection: PerWorm, buffer_flits: 4";
    let scenario = scenario::parse("test", &text(switching, &traffic), &[]).unwrap();
    let system = &scenario.system;
    assert_eq!(system.switching.virtual_channels(), 3);
    assert_eq!(system.relation.vcs_of_message_class(1), 0b110);
    assert_eq!(system.traffic.classes.room_after(0), Some(4));
    assert!((system.load().0 - 0.06).abs() < 1e-12);
    assert!((system.length_mean() - 3.0).abs() < 1e-12);
}

#[test]
fn mistakes_in_classes_are_explained() {
    let of = |classes: &str| problems("", &format!("{OPEN}, message_classes: [{classes}]"));
    for (classes, what) in [
        ("", "there may be 1 to 8 classes, not 0"),
        ("(name: \"a\"), (name: \"a\")", "two message classes have the name \"a\""),
        ("(name: \"a\", to: \"b\")", "no class before this one has the name \"b\""),
        ("(name: \"read\"), (name: \"b\", to: \"raed\")", "did you mean \"read\"?"),
        ("(name: \"a\", after: 3)", "this field belongs to replies"),
        ("(name: \"a\", room: 3)", "this field belongs to replies"),
        ("(name: \"a\"), (name: \"b\", to: \"a\", weight: 2)", "this class answers another"),
        ("(name: \"a\"), (name: \"b\", to: \"a\"), (name: \"c\", to: \"a\")", "has one reply"),
        ("(name: \"a\"), (name: \"b\", to: \"a\", room: 0)", "the room for replies must be"),
        ("(name: \"a\"), (name: \"b\", to: \"a\", room: 2)", "direct terminals consume"),
        ("(nme: \"a\")", "name"),
    ] {
        let found = of(classes);
        assert!(found.iter().any(|it| it.contains(what)), "{classes}: {found:?}");
    }
}

#[test]
fn machines_that_do_not_fit_the_classes_are_refused() {
    let classes = "message_classes: [(name: \"a\"), (name: \"b\", to: \"a\")]";
    let both = format!("{OPEN}, {classes}");
    for (switching, traffic, what) in [
        ("message_classes: Split([1, 1])", OPEN, "add `message_classes` to the traffic"),
        ("message_classes: Split([1, 1, 1])", &both, "write 2 numbers"),
        ("message_classes: Split([1, 1]), virtual_channels: 4", &both, "divides 2 among"),
        ("message_classes: Split([40, 1])", &both, "the number of VCs of a message class must be"),
        ("message_classes: Split([20, 20])", &both, "exceed the maximum"),
        ("message_classes: Split([])", &both, "must be 1 to 8 values, not 0"),
        ("message_classes: Split(2)", &both, "must be a list in square brackets"),
        ("message_classes: Ranges([(0, 1)])", &both, "write 2 ranges"),
        (
            "message_classes: Ranges([(0, 1), (2, 1)])",
            &both,
            "the range (2, 1) ends before it begins",
        ),
        (
            "message_classes: Ranges([(0, 1), (1, 32)])",
            &both,
            "a VC of a message class must be 0 to 31",
        ),
        ("message_classes: Ranges([(0, 1), 2])", &both, "two numbers in parentheses"),
        ("injection: Independent()", &both, "independent sources discard messages"),
    ] {
        let found = problems(switching, traffic);
        assert!(found.iter().any(|it| it.contains(what)), "{switching}: {found:?}");
    }
}

#[test]
fn ranges_overlap_with_routing_of_one_class() {
    let both = format!("{OPEN}, message_classes: [(name: \"a\"), (name: \"b\", to: \"a\")]");
    let ranges = |network: &str, ranges: &str| {
        let text = text(&format!("message_classes: Ranges({ranges})"), &both);
        let text = text.replace("Mesh(radix: [4])", network);
        scenario::parse("test", &text, &[]).map(|found| {
            let relation = &found.system.relation;
            [0, 1].map(|class| relation.vcs_of_message_class(class))
        })
    };
    let mesh = "Mesh(radix: [4, 4])";
    assert_eq!(ranges(mesh, "[(0, 2), (1, 3)]").unwrap(), [0b111, 0b1110]);
    let torus = "Torus(radix: [4, 4])";
    assert_eq!(ranges(torus, "[(0, 1), (2, 3)]").unwrap(), [0b11, 0b1100]);
    let found = ranges(torus, "[(0, 2), (1, 3)]").unwrap_err();
    assert!(found[0].what.contains("overlap, and this routing"), "{found:?}");
}

#[test]
fn closed_loops_have_no_rate() {
    let closed =
        "arrivals: ClosedLoop(window: 4, think: 2), destinations: Uniform, lengths: Fixed(3)";
    let scenario = scenario::parse("test", &text("", closed), &[]).unwrap();
    let traffic = &scenario.system.traffic;
    assert!(traffic.has_no_rate());
    assert_eq!(traffic.arrivals(), "ClosedLoop(window: 4, think: 2)");
    assert_eq!(traffic.classes.count(), 1);
    let found =
        problems("", "arrivals: ClosedLoop(window: 0), destinations: Uniform, lengths: Fixed(3)");
    assert!(found.iter().any(|it| it.contains("the window must be")), "{found:?}");
    let many = "arrivals: ClosedLoop(window: 1000000), destinations: Uniform, lengths: Fixed(3)";
    let found = problems("", many);
    assert!(found.iter().any(|it| it.contains("would be outstanding")), "{found:?}");
}

#[test]
fn a_problem_of_the_default_switching_is_reported_in_the_file() {
    let classes = "message_classes: [(name: \"a\"), (name: \"b\", to: \"a\", room: 2)]";
    let text = format!(
        "Scenario(network: Mesh(radix: [4]), routing: DimensionOrder(), traffic: ({OPEN}, {classes}))"
    );
    let found = scenario::parse("test", &text, &[]).unwrap_err();
    let place = found[0].place.as_ref().unwrap();
    assert_eq!((place.text.as_str(), place.column, found.len()), (text.as_str(), 1, 1));
}
