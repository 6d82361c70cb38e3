//! Scenario files: those that are shipped load, those that are broken say exactly why.

use std::fmt::Write as _;
use std::path::Path;

use flitscope::experiment::reproduce::STUDIES;
use flitscope::recording::demos;
use flitscope::scenario::{Override, Problem, builtin, parse, render};
use flitscope::traffic::{Lengths, Process};
use flitscope::tui::tour;
use proptest::prelude::*;

const GOOD: &str = include_str!("../../scenarios/papers/adaptive-torus-8x8.ron");

fn files(folder: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        let name = path.to_str().expect("names in this repository are ASCII");
        if path.is_dir() {
            files(name, found);
        } else {
            found.push(name.to_string());
        }
    }
    found.sort();
}

fn set(path: &str, value: &str) -> Override {
    let label = format!("--set {path}={value}");
    Override { path: path.into(), value: value.into(), label }
}

fn option(option: &str, path: &str, value: &str) -> Override {
    Override { path: path.into(), value: value.into(), label: format!("{option} {value}") }
}

/// The problems as a person sees them.
fn complaints(text: &str, overrides: &[Override]) -> String {
    match parse("file.ron", text, overrides) {
        Ok(scenario) => format!("no problem: {}\n", scenario.title),
        Err(problems) => render(&problems),
    }
}

#[test]
fn o1turn_is_a_routing_of_meshes_of_two_dimensions() {
    let routed = |network: &str| {
        complaints(
            GOOD,
            &[set("network", network), set("routing", "O1Turn()"), set("switching", "Wormhole()")],
        )
    };
    assert!(routed("Mesh(radix: [8, 8])").starts_with("no problem"));
    assert!(
        routed("Mesh(radix: [4, 4, 4])").contains("O1TURN is defined on meshes of 2 dimensions")
    );
    assert!(routed("Torus(radix: [8, 8])").contains("a torus has rings"));
}

#[test]
fn the_folder_and_the_built_in_list_agree() {
    let mut found = Vec::new();
    files("scenarios", &mut found);
    let paths = found.iter().map(|path| path.strip_prefix("scenarios/").unwrap());
    let (tour, paths): (Vec<&str>, Vec<&str>) = paths.partition(|path| path.starts_with("tour/"));
    let named = |(at, (name, _)): (usize, &(&str, &str))| format!("tour/{at}-{name}.ron");
    let mut stops: Vec<String> = (1..).zip(&tour::texts()).map(named).collect();
    stops.sort();
    assert_eq!(tour, stops);
    let (studies, paths): (Vec<&str>, Vec<&str>) =
        paths.into_iter().partition(|path| path.starts_with("studies/"));
    let mut names: Vec<&str> = STUDIES.to_vec();
    names.sort_unstable();
    let files = studies.iter().filter_map(|path| path.strip_suffix(".ron"));
    assert!(files.eq(names.iter().map(|name| format!("studies/{name}"))));
    let (mut scenarios, others): (Vec<&str>, Vec<&str>) = paths
        .into_iter()
        .partition(|path| Path::new(path).extension().is_some_and(|it| it == "ron"));
    let listed = builtin::ALL.iter().map(|builtin| builtin.name);
    scenarios.sort_by_key(|path| path.strip_suffix(".ron"));
    assert!(scenarios.iter().filter_map(|path| path.strip_suffix(".ron")).eq(listed));
    // Besides them there are the demonstrations' scripts.
    let mut listed: Vec<String> =
        demos::ALL.iter().map(|demo| format!("demos/{}.keys", demo.name)).collect();
    listed.sort();
    assert_eq!(others, listed);
}

#[test]
fn every_shipped_scenario_loads_and_says_what_to_look_for() {
    for builtin in builtin::ALL.iter() {
        let scenario = parse(builtin.name, builtin.text, &[])
            .unwrap_or_else(|problems| panic!("{}", render(&problems)));
        assert!(builtin.text.starts_with("// "), "{}", builtin.name);
        assert!(scenario.description.lines().next().unwrap().len() > 20);
        assert_ne!(scenario.title, scenario.name);
    }
}

#[test]
fn broken_files_say_what_is_wrong_and_where() {
    let mut found = Vec::new();
    files("tests/broken", &mut found);
    assert!(found.len() >= 25);
    let mut all = String::new();
    for file in found {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = Path::new(&file).file_name().unwrap().to_str().unwrap();
        let problems = parse(name, &text, &[]).expect_err(&file);
        assert_inside(&text, &problems);
        writeln!(all, "## {name}\n{}", render(&problems)).unwrap();
    }
    insta::assert_snapshot!("broken", all);
}

#[test]
fn overrides_say_what_is_wrong_in_their_own_words() {
    let cases: &[&[Override]] = &[
        &[option("--rate", "traffic.arrivals.rate", "0.5")],
        &[option("--rate", "traffic.arrivals.rate", "-1")],
        &[option("--load", "traffic.arrivals.load", "1.5")],
        &[option("--load", "traffic.arrivals.load", "NaN")],
        &[option("--seed", "seed", "x")],
        &[option("--seed", "seed", "-1")],
        &[option("--rate", "traffic.arrivals.rate", "")],
        &[option("--rate", "traffic.arrivals.rate", "0.1.2")],
        &[
            option("--rate", "traffic.arrivals.rate", "0.1"),
            option("--load", "traffic.arrivals.load", "0.1"),
        ],
        &[set("traffic.arivals.rate", "0.1")],
        &[set("routing.classes", "Static")],
        &[set("nonsense", "1")],
        &[set("", "1")],
        &[set("seed.more", "1")],
        &[set("set", "1")],
        &[option("--escape", "routing.escapes", "None")],
        &[set("network", "Torus(radix: [4 4])")],
        &[set("network", "Torus(radixes: [0, 4])")],
        &[set("switching.virtual_channels", "2")],
        &[set("routing", "Adaptive"), set("routing.escape", "Datelin")],
        &[set("traffic.destinations", "Hotspot(nodes: [(8, 0)], percent: 4)")],
    ];
    let mut all = String::new();
    for overrides in cases {
        let labels: Vec<&str> = overrides.iter().map(|o| o.label.as_str()).collect();
        writeln!(all, "## {}\n{}", labels.join(" "), complaints(GOOD, overrides)).unwrap();
    }
    insta::assert_snapshot!("overrides", all);
}

const MINE: &str = "Scenario(
    network: Torus(radix: [8, 8]),
    switching: Wormhole(virtual_channels: 2),
    routing: DimensionOrder(),
    traffic: (
        arrivals: Poisson(rate: 0.01),
        destinations: Uniform,
        lengths: Fixed(12),
    ),
)
";

#[test]
fn habits_of_other_notations_and_simulators_are_answered_with_what_is_meant() {
    let mut all = String::new();
    for (right, wrong) in [
        ("rate: 0.01", "load: 1,5"),
        ("rate: 0.01", "rate: 0,01"),
        ("rate: 0.01", "load: 30%"),
        ("rate: 0.01", "rate = 0.01"),
        ("rate: 0.01", "rate: 1/100"),
        ("rate: 0.01", "injection_rate: 0.01"),
        ("Poisson(rate: 0.01)", "Poisson(0.01)"),
        ("Poisson(rate: 0.01)", "0.01"),
        ("Poisson(rate", "Bernoulli(rate"),
        ("DimensionOrder()", "XY"),
        ("DimensionOrder()", "e-cube"),
        ("DimensionOrder()", "\"xy\""),
        ("DimensionOrder()", "Duato()"),
        ("Torus(radix", "Grid(radix"),
        ("Torus(radix", "Mesh2D(radix"),
        ("Torus(radix: [8, 8])", "Torus(k: 8, n: 2)"),
        ("Torus(radix: [8, 8])", "Hypercube(6)"),
        ("Torus(radix: [8, 8])", "'Torus'(radix: [8, 8])"),
        ("(radix: [8, 8])", "{radix: [8, 8]}"),
        ("[8, 8]", "(8, 8)"),
        ("[8, 8]", "8x8"),
        ("Fixed(12)", "5"),
        ("Fixed(12)", "Fixed(1 000)"),
        ("Fixed(12)", "Fixed(true)"),
        ("Fixed(12)", "Uniform(4, 20)"),
        ("lengths: Fixed(12)", "packet_size: Fixed(12)"),
        ("Fixed(12),", "Fixed(12);"),
        ("destinations: Uniform", "pattern: Random"),
        ("virtual_channels: 2", "num_vcs: 2"),
        ("virtual_channels: 2", "vc_buf_size: 2"),
        ("    network", "# mine\n    network"),
        ("traffic: (", "traffic: {"),
    ] {
        let text = MINE.replacen(right, wrong, 1);
        assert_ne!(text, MINE, "{right}");
        let problems = parse("mine.ron", &text, &[]).err().unwrap_or_else(|| panic!("{wrong}"));
        assert!(problems.iter().all(|problem| problem.help.is_some()), "{}", render(&problems));
        writeln!(all, "## {}\n{}", wrong.replace('\n', "~"), render(&problems)).unwrap();
    }
    let vcs = set("switching.vcs", "2");
    writeln!(all, "## {}\n{}", vcs.label, complaints(MINE, std::slice::from_ref(&vcs))).unwrap();
    insta::assert_snapshot!("habits", all);
    // A percentage that looks like a share is right, and worth a remark.
    let hot = |percent: &str| {
        let value = format!("Hotspot(nodes: [(3, 3)], percent: {percent})");
        parse("mine.ron", MINE, &[set("traffic.destinations", &value)]).unwrap().remarks()
    };
    assert!(hot("0.4").join("").contains("a share of 0.4 is `percent: 40`"), "{:?}", hot("0.4"));
    assert!(hot("4").is_empty());
}

fn inside(place: &flitscope::scenario::Place, text: &str) {
    let line = text.split('\n').nth(place.line - 1).expect("the line exists");
    let line = line.strip_suffix('\r').unwrap_or(line);
    assert_eq!(place.text, line);
    assert!(place.column >= 1 && place.column <= line.chars().count() + 1);
    assert!(place.length >= 1);
    let end = place.column - 1 + place.length;
    assert!(end <= line.chars().count() + 1, "{place:?}");
}

fn assert_inside(text: &str, problems: &[Problem]) {
    assert!(!problems.is_empty());
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for problem in problems {
        if let Some(place) = &problem.place {
            inside(place, text);
        }
        assert!(!problem.what.is_empty());
    }
    render(problems);
}

#[test]
fn an_override_is_checked_as_if_it_stood_in_the_file() {
    let with = |overrides: &[Override]| parse("good", GOOD, overrides).unwrap().system;
    let system = with(&[option("--rate", "traffic.arrivals.rate", "0.002")]);
    assert!((system.traffic.rate.0 - 0.002).abs() < f64::EPSILON);
    let system = with(&[option("--load", "traffic.arrivals.load", "0.12")]);
    assert!((system.traffic.rate.0 - 0.01).abs() < 1e-12);
    // The load is meant at the length that the other override sets.
    let system = with(&[
        option("--load", "traffic.arrivals.load", "0.24"),
        set("traffic.lengths", "Fixed(24)"),
    ]);
    assert!((system.traffic.rate.0 - 0.01).abs() < 1e-12);
    // A later override of the same field wins; one below a replaced value applies to it.
    let system = with(&[
        set("network.radix", "[4, 4]"),
        set("network", "Mesh(radix: [5, 5])"),
        set("network.radix", "[3, 3]"),
        set("switching.virtual_channels", "2"),
    ]);
    assert_eq!(system.network.cube().unwrap().name(), "3x3 mesh");
    let system = with(&[set("network.links", "Unidirectional")]);
    assert_eq!(system.network.cube().unwrap().name(), "8x8 one-way torus");
    let scenario = parse("good", GOOD, &[option("--seed", "seed", "18446744073709551615")]);
    assert_eq!(scenario.unwrap().seed, u64::MAX);
    // An override mends what is wrong in the file.
    let broken = GOOD.replace("0.005", "\"often\"").replace("Wormhole(", "Wormhole(buffer: 1, ");
    let problems = parse("broken", &broken, &[set("traffic.arrivals.rate", "0.1")]).unwrap_err();
    assert_eq!(problems.len(), 2, "{}", render(&problems));
    // A load in the file gives way to a rate, and a field that it leaves out can be set.
    let by_load = GOOD.replace("rate: 0.005", "load: 0.1").replace("seed: 1,", "");
    let by_load = by_load.replace("switching: Wormhole(virtual_channels: 4, buffer_flits: 2),", "");
    let scenario = parse(
        "load",
        &by_load,
        &[
            option("--rate", "traffic.arrivals.rate", "0.002"),
            set("seed", "7"),
            set("switching.buffer_flits", "9"),
        ],
    )
    .unwrap();
    assert!((scenario.system.traffic.rate.0 - 0.002).abs() < f64::EPSILON);
    assert_eq!(scenario.seed, 7);
    assert_eq!(scenario.system.switching.buffer_flits(), 9);
    assert_eq!(scenario.system.switching.virtual_channels(), 3);
}

#[test]
fn every_pattern_and_length_can_be_written() {
    for (text, name) in [
        ("Uniform", "uniform"),
        ("Hotspot(nodes: [(3, 3), 4], percent: 4)", "4 % to 2 hot nodes"),
        ("Transpose", "transpose"),
        ("BitReversal", "bit reversal"),
        ("BitComplement", "bit complement"),
        ("Shuffle()", "shuffle"),
        ("Tornado", "tornado"),
        ("Neighbour", "neighbour"),
        ("Sphere(radius: 2, percent: 80)", "80 % within 2 hops"),
        ("Sphere(radius: 99, percent: 100)", "100 % within 99 hops"),
        ("Decreasing(ratio: 0.5)", "falling by 0.5 per hop"),
    ] {
        let scenario = parse("good", GOOD, &[set("traffic.destinations", text)]).unwrap();
        assert_eq!(scenario.system.traffic.destinations.name(), name);
    }
    for (text, lengths) in [
        ("Geometric(mean: 7.5)", Lengths::Geometric { mean: 7.5 }),
        ("Exponential(mean: 7.5)", Lengths::Exponential { mean: 7.5 }),
        ("Uniform(min: 4, max: 20)", Lengths::Uniform { min: 4, max: 20 }),
    ] {
        let scenario = parse("good", GOOD, &[set("traffic.lengths", text)]).unwrap();
        assert_eq!(scenario.system.traffic.lengths, lengths);
    }
}

#[test]
fn arrivals_in_bursts_can_be_written_and_set() {
    let bursts = set("traffic.arrivals", "Bursts(load: 0.24, burst: 8, peak: 4)");
    let traffic = |set: &[Override]| parse("good", GOOD, set).unwrap().system.traffic;
    let written = traffic(std::slice::from_ref(&bursts));
    assert_eq!(written.process, Process::Bursts { burst: 8.0, peak: 4.0 });
    assert!((written.rate.0 - 0.02).abs() < 1e-12);
    let given = GOOD.replace("Poisson(rate:", "Bursts(burst: 8, peak: 4, rate:");
    let longer = [set("traffic.arrivals.burst", "20"), set("traffic.arrivals.rate", "0.003")];
    let traffic = parse("good", &given, &longer).unwrap().system.traffic;
    assert_eq!(traffic.process, Process::Bursts { burst: 20.0, peak: 4.0 });
    assert!((traffic.rate.0 - 0.003).abs() < 1e-15);
}

#[test]
fn token_buckets_can_be_written_and_set() {
    let traffic = |set: &[Override]| parse("good", GOOD, set).unwrap().system.traffic;
    let shaped = traffic(&[set("traffic.arrivals", "TokenBucket(rate: 0.004, burst: 3)")]);
    assert_eq!(shaped.process, Process::TokenBucket { burst: 3, tokens: 1.25 });
    let greedy = set("traffic.arrivals", "GreedyBucket(load: 0.24, burst: 3)");
    let later = set("traffic.arrivals.spread", "0.5");
    let greedy = traffic(&[greedy, later]);
    assert_eq!(greedy.process, Process::GreedyBucket { burst: 3, spread: 0.5 });
    assert!((greedy.rate.0 - 0.02).abs() < 1e-12);
}

#[test]
fn a_load_is_over_all_nodes_and_a_rate_that_of_those_that_send() {
    let transpose = set("traffic.destinations", "Transpose");
    let load = option("--load", "traffic.arrivals.load", "0.84");
    let system = parse("good", GOOD, &[transpose.clone(), load]).unwrap().system;
    // 56 of 64 nodes send, messages of 12 flits.
    assert!((system.traffic.rate.0 - 0.84 / 0.875 / 12.0).abs() < 1e-12);
    assert!((system.load().0 - 0.84).abs() < 1e-12);
    let rate = option("--rate", "traffic.arrivals.rate", "0.02");
    let system = parse("good", GOOD, &[transpose, rate]).unwrap().system;
    assert!((system.load().0 - 0.02 * 12.0 * 0.875).abs() < 1e-12);
}

#[test]
fn comments_and_attributes_may_stand_anywhere() {
    let text = "\u{feff}/* a */ #![enable(implicit_some)] // b
        Scenario /* c */ ( // d
            network /* e */ : /* f */ Torus /* g */ ( radix /* h */ : [ /* i */ 4 /* j */ , 4 ] ) ,
            routing : DimensionOrder /* k */ , // l
            traffic : ( arrivals : Geometric ( load : 1e-2 /* m */ ) ,
                destinations : Uniform ( ) , lengths : Geometric ( mean : 8.5 ) ) // n
        ) // o";
    let scenario = parse("comments", text, &[]).unwrap_or_else(|p| panic!("{}", render(&p)));
    assert_eq!(scenario.title, "comments");
    assert_eq!(scenario.seed, 1);
    let wrong = text.replace("mean : 8.5", "mean : /* x */ 0.5 /* y */");
    let problems = parse("comments", &wrong, &[]).unwrap_err();
    let place = problems[0].place.as_ref().unwrap();
    let column = place.text.find("0.5").unwrap() + 1;
    assert_eq!((place.line, place.column, place.length), (6, column, 3));
}

#[test]
fn nesting_ends_in_a_problem() {
    for open in ["(", "[", "{", "a(", "Some(", "(a:", "{0:", "/*", "[(", "(a:Some("] {
        for prefix in ["", "Scenario(network: ", "#![enable(unwrap_variant_newtypes)]"] {
            let text = format!("{prefix}{}", open.repeat(100_000));
            let problems = parse("nested", &text, &[]).unwrap_err();
            assert_eq!(problems.len(), 1);
            assert_inside(&text, &problems);
            let problems = parse("good", GOOD, &[set("network", &text)]).unwrap_err();
            assert_eq!(problems.len(), 1);
        }
    }
}

#[test]
fn many_problems_are_counted_not_listed() {
    let text = GOOD.replace("seed: 1,", &"x: 1, ".repeat(1000));
    let problems = parse("many", &text, &[]).unwrap_err();
    assert_eq!(problems.len(), 51);
    assert_eq!(problems[50].what, "there are 950 more problems");
}

#[test]
fn floods_of_mistakes_end_soon() {
    let hotspot = |node: &str| {
        let nodes = format!("Hotspot(percent: 4, nodes: [{}])", node.repeat(30_000));
        GOOD.replace("Uniform", &nodes)
    };
    for text in [
        GOOD.replace("seed: 1,", &"seed: 1,\n".repeat(30_000)),
        GOOD.replace("seed: 1,", &"sead: 1,".repeat(30_000)),
        GOOD.replace("seed: 1,", &"x: 1,\n".repeat(30_000)),
        GOOD.replace("[8, 8]", &format!("[{}]", "8, ".repeat(30_000))),
        hotspot("1, "),
        hotspot("(9, 9, 9), "),
        hotspot("\"a\", "),
        GOOD.replace("seed", &"x".repeat(1 << 20)),
        GOOD.replace("\"Adaptive", &format!("\"{}\u{7}", "宽".repeat(1 << 18))),
    ] {
        let problems = parse("flood", &text, &[]).unwrap_err();
        assert!(problems.len() <= 51);
        assert_inside(&text, &problems);
    }
}

#[test]
fn the_documented_scenario_loads() {
    let guide = include_str!("../../src/guide/scenarios.md");
    let (_, example) = guide.split_once("```ron\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let scenario = parse("example", example, &[]).unwrap();
    assert!(scenario.description.starts_with("The tree of blocked worms"));
}

#[test]
fn virtual_channels_default_to_the_fewest_that_serve() {
    for (network, routing, fewest) in [
        ("Torus(radix: [4, 4])", "DimensionOrder", 2),
        ("Torus(radix: [4, 4])", "DimensionOrder(classes: None)", 1),
        ("Torus(radix: [4, 4])", "DimensionOrder(classes: Static)", 2),
        ("Torus(radix: [4], links: Unidirectional)", "DimensionOrder(classes: Dateline)", 2),
        ("Torus(radix: [4, 4], links: Unidirectional)", "MinimalAdaptive", 3),
        ("Torus(radix: [4, 4])", "MinimalAdaptive(escape: None)", 1),
        ("Mesh(radix: [4, 4])", "DimensionOrder(classes: Static)", 1),
        ("Mesh(radix: [2])", "MinimalAdaptive(escape: Dateline)", 2),
        ("Hypercube(dimensions: 1)", "DimensionOrder", 1),
    ] {
        let overrides =
            [set("network", network), set("routing", routing), set("switching", "Wormhole")];
        let scenario = parse("good", GOOD, &overrides).unwrap();
        assert_eq!(scenario.system.switching.virtual_channels(), fewest, "{network} {routing}");
        assert_eq!(scenario.system.switching.buffer_flits(), 4);
    }
}

/// Pieces of a scenario's text that edits move about.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for letter in text.chars() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if word(letter) && last.chars().all(word) => last.push(letter),
            _ => tokens.push(letter.to_string()),
        }
    }
    tokens
}

#[derive(Clone, Debug)]
enum Edit {
    Remove(usize),
    Repeat(usize),
    Swap(usize, usize),
    Replace(usize, String),
}

fn edit() -> impl Strategy<Value = Edit> {
    let odd = prop_oneof![
        Just("-1"),
        Just("0"),
        Just("1"),
        Just("99999999999999999999"),
        Just("NaN"),
        Just("inf"),
        Just("1e308"),
        Just("8.0"),
        Just("\"8\""),
        Just("[]"),
        Just("()"),
        Just("{}"),
        Just("Some(1)"),
        Just("("),
        Just(")"),
        Just(","),
        Just(":"),
        Just("\""),
        Just("/*"),
        Just("//"),
        Just("\t"),
        Just("Mesh"),
        Just("Static"),
        Just("Transpose"),
        Just("Sphere(radius: 3, percent: 50)"),
        Just("Unidirectional"),
        Just("Hotspot(nodes: [(1, 1), 9], percent: 4)"),
        Just("r#radix"),
        Just("b'a'"),
        Just("1..2"),
        Just("é"),
        Just("宽"),
        Just("\u{0}"),
        Just("#![enable(x)]"),
        Just("true"),
        Just("None"),
        Just("'c'"),
        Just("0x8"),
        Just("1_0"),
        Just("8u8"),
        Just("[[4]]"),
    ];
    prop_oneof![
        any::<usize>().prop_map(Edit::Remove),
        any::<usize>().prop_map(Edit::Repeat),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Swap(a, b)),
        (any::<usize>(), odd).prop_map(|(at, odd)| Edit::Replace(at, odd.to_string())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn edited_scenarios_load_or_say_where_they_are_wrong(
        which in 0..builtin::ALL.len(),
        edits in prop::collection::vec(edit(), 1..6),
    ) {
        let mut tokens = tokens(builtin::ALL[which].text);
        for edit in edits {
            let length = tokens.len();
            match edit {
                Edit::Remove(at) => drop(tokens.remove(at % length)),
                Edit::Repeat(at) => tokens.insert(at % length, tokens[at % length].clone()),
                Edit::Swap(a, b) => tokens.swap(a % length, b % length),
                Edit::Replace(at, text) => tokens[at % length] = text,
            }
        }
        let text = tokens.concat();
        if let Err(problems) = parse("edited", &text, &[]) {
            assert_inside(&text, &problems);
        }
    }

    #[test]
    fn any_override_is_used_or_refused(
        path in "(network|traffic|routing|switching|seed|title)?(\\.(radix|arrivals|rate|é))?(\\.rate)?",
        value in "\\PC{0,12}",
    ) {
        let overrides = [set(&path, &value)];
        if let Err(problems) = parse("good", GOOD, &overrides) {
            prop_assert!(!problems.is_empty());
            render(&problems);
            for place in problems.iter().filter_map(|problem| problem.place.as_ref()) {
                prop_assert!(place.column <= place.text.chars().count() + 1);
            }
        }
    }

    #[test]
    fn any_bytes_that_are_text_are_survived(text in "\\PC*") {
        if let Err(problems) = parse("text", &text, &[]) {
            assert_inside(&text, &problems);
        }
    }
}

#[test]
fn networks_of_switches_can_be_written() {
    let text = builtin::find("switches-random-24").unwrap().text;
    for (network, switches, hosts, links, name) in [
        ("Switches(links: [], hosts: 5)", 1, 5, 0, "1 switch, 5 hosts"),
        ("Switches(links: [(0, 1), (2, 1)], hosts: [2, 0, 2])", 3, 3, 4, "3 switches, 3 hosts"),
        (
            "SwitchGrid(kind: Torus, radix: [3, 3], hosts: 4)",
            9,
            36,
            36,
            "3x3 torus of switches, 36 hosts",
        ),
        ("SwitchGrid(kind: Mesh, radix: [4], hosts: 1)", 4, 4, 6, "4 mesh of switches, 4 hosts"),
        (
            "RandomSwitches(switches: 9, links: 12, hosts: 1)",
            9,
            9,
            24,
            "9 random switches, 9 hosts",
        ),
        ("RandomSwitches(switches: 2, degree: 1, hosts: 2)", 2, 4, 2, "2 random switches, 4 hosts"),
    ] {
        let scenario = parse("file.ron", text, &[set("network", network)])
            .unwrap_or_else(|problems| panic!("{}", render(&problems)));
        let found = &scenario.system.network;
        assert_eq!((found.routers(), found.nodes()), (switches, hosts), "{network}");
        assert_eq!((found.links(), found.name().as_str()), (links, name));
        // A load is over all hosts.
        assert!((scenario.system.load().0 - 0.1).abs() < 1e-12);
    }
    let seeds = [1, 1, 2].map(|seed| {
        let network = format!("RandomSwitches(switches: 9, degree: 3, hosts: 1, seed: {seed})");
        parse("file.ron", text, &[set("network", &network)]).unwrap().system.network
    });
    assert!(seeds[0] == seeds[1] && seeds[0] != seeds[2]);
}

#[test]
fn a_study_is_no_scenario_and_what_runs_it_is_said() {
    let problems = parse("a.ron", "// One.\nStudy(scenario: \"mesh-8x8\")", &[]).unwrap_err();
    let said = render(&problems);
    assert!(said.contains("this is a study") && said.contains("flitscope sweep a.ron"), "{said}");
    assert_eq!(problems.len(), 1);
}
