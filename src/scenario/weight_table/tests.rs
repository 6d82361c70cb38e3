//! Weights of a scenario: forms of tables, inserted texts, and problems with their places.

use crate::ids::NodeId;
use crate::scenario::{self, Override, Problem, Scenario};

const TEXT: &str = "Scenario(\n    network: Mesh(radix: [2, 2]),\n    routing: DimensionOrder(),\n    \
    traffic: (arrivals: Poisson, destinations: Matrix(File(\"m.csv\")), lengths: Fixed(4)),\n)\n";

fn read(text: &str, table: &str) -> Result<Scenario, Vec<Problem>> {
    let load = |_: &str| Ok(table.as_bytes().to_vec());
    scenario::parse_with("a.ron", text, &[], &load)
}

/// The rate of each node in messages per 100,000 cycles, and the shares of node 0 in hundredths.
fn traffic(scenario: &Scenario) -> ([u32; 4], Vec<(u32, u32)>) {
    let draw = scenario.system.draw();
    let whole = |number: f64| number.round() as u32;
    let rate = |node| draw.rates().at(NodeId(node)) * scenario.system.traffic.rate.0;
    let shares = draw.shares(NodeId(0)).into_iter();
    let shares = shares.map(|(node, share)| (node.0, whole(100.0 * share)));
    ([0, 1, 2, 3].map(|node| whole(1e5 * rate(node))), shares.collect())
}

#[test]
fn all_forms_of_a_table_are_the_same_weights() {
    let expected = ([8000, 0, 0, 2000], vec![(1, 75), (3, 25)]);
    for table in [
        "from,to,weight\n0,1,0.06\n0,3,0.02\n3,0,0.02\n",
        "# By name.\nrate,destination,source\n0.06,\"(1,0)\",\"(0,0)\"\n0.02,\"(1,1)\",0\n0.02,0,3\n",
        "0,0.06,0,0.02\n0,0,0,0\n0,0,0,0\n0.02,0,0,0\n",
        ",3,1\n0,0.02,0.06\n",
        "% of Noxim\n0 1 0.06\n0 3 0.02 0.02\n3 0 0.02\n",
    ] {
        let scenario = read(TEXT, table).unwrap_or_else(|found| panic!("{table}: {found:?}"));
        let (rates, shares) = traffic(&scenario);
        if table.starts_with(",3") {
            assert_eq!((rates, &shares), ([8000, 0, 0, 0], &expected.1));
            continue;
        }
        assert_eq!((rates, shares), expected, "{table}");
        assert!((scenario.system.load().0 - 0.1).abs() < 1e-12);
    }
}

#[test]
fn the_text_then_contains_the_table_and_a_rate_scales_it() {
    let table = "from,to,weight,colour\n0,1,3,red\n1,0,1,\n";
    let text = TEXT.replace("Poisson,", "Poisson(rate: 0.01),");
    let scenario = read(&text, table).unwrap();
    assert_eq!(scenario.notes, ["m.csv: `colour` is ignored"]);
    let alone = scenario::parse("b.ron", &scenario.text, &[]).unwrap();
    assert_eq!(alone.system.traffic, scenario.system.traffic);
    assert_eq!(traffic(&alone).0, [1500, 500, 0, 0]);
    let json = r#"{"network": {"Mesh": {"radix": [2, 2]}}, "routing": "DimensionOrder", "traffic": {
        "arrivals": {"Poisson": {"rate": 0.01}}, "destinations": {"Matrix": {"File": "m.csv"}},
        "lengths": {"Fixed": 4}}}"#;
    assert_eq!(read(json, table).unwrap().system.traffic, scenario.system.traffic);
}

#[test]
fn problems_of_a_table_have_its_name_and_places() {
    let found = |table: &str| {
        let problems = read(TEXT, table).expect_err(table);
        let first = &problems[0];
        let place = first.place.as_ref().map_or((0, 0), |place| (place.line, place.column));
        assert_eq!(first.source, "m.csv", "{table}");
        format!("{}:{} {}; {}", place.0, place.1, first.what, first.help.as_deref().unwrap())
    };
    let mut others = Vec::new();
    for (table, expected) in [
        ("", "1:1 the table is empty; write `from,to,weight` and a row for each pair"),
        ("from,to\n0,7\n", "2:3 there is no node `7`; write the name or number of a node"),
        ("from,to,weigth\n0,1,2\n", "1:9 there is no column `weigth`; did you mean `weight`?"),
        ("from,to,weight\n0,1,-2\n", "2:5 a weight must be a number of 0 or more, not `-2`; write"),
        ("from,to\n2,2\n", "2:1 (0,1) sends to itself; leave the weight out"),
        ("from,to\n0,1\n0,1\n", "3:1 the weight from (0,0) to (1,0) is given twice; remove"),
        ("from,to\n0\n", "2:1 this row is not complete; write a source and a destination"),
        ("from,to\n0,1,2\n", "2:5 this row has more values than columns; remove this one"),
        ("from,weight\n0,1\n", "1:1 the first line has no column `to`; write"),
        ("0,1\n1,0\n", "1:1 this row has 2 weights, not 4; write a weight for each node"),
        ("0,0,0,0\n", "1:1 the table has 1 rows, and the network 4 nodes; write a row"),
        ("from,to,weight\n0,1,0\n", "1:1 all weights are 0: nobody would send; write"),
        ("12 3 0.05 0.05 1000 2000\n", "1:1 this line has times at which the source starts"),
        ("0 1\n", "1:1 this line is neither CSV nor a line of Noxim; write"),
    ] {
        if !found(table).starts_with(expected) {
            others.push(found(table));
        }
    }
    assert!(others.is_empty(), "{others:#?}");
    let fast = read(TEXT, "from,to,weight\n0,1,0.3\n1,2,0.1\n").unwrap_err();
    assert!(fast[0].what.contains("one node sends 1.5 times as much"), "{fast:?}");
    assert_eq!(fast[0].help.as_deref(), Some("write `rate: 0.16666` or less, or smaller weights"));
}

#[test]
fn pairs_offsets_and_senders_are_read_and_refused() {
    let with = |destinations: &str, more: &str| {
        let text = TEXT.replace("Poisson,", "Poisson(rate: 0.01),");
        let text = text.replace("Matrix(File(\"m.csv\"))", destinations);
        scenario::parse("a.ron", &text.replace("lengths:", &format!("{more} lengths:")), &[])
    };
    let pairs = with("Pairs([(0, 1, 3), ((0, 1), (1, 1)), (0, \"(1,1)\")])", "").unwrap();
    assert_eq!(traffic(&pairs), ([1600, 0, 400, 0], vec![(1, 75), (3, 25)]));
    let offset = with("Offset([0, -1])", "senders: [0, (1, 1)],").unwrap();
    assert_eq!(traffic(&offset), ([1000, 0, 0, 1000], vec![(2, 100)]));
    assert!((offset.system.load().0 - 0.02).abs() < 1e-12);
    let channels = "switching: Wormhole(terminals: Channels, ejection: PerWorm),";
    let own = |destinations: &str| {
        let text = TEXT
            .replace("Poisson,", "Poisson(rate: 0.01),")
            .replace("Matrix(File(\"m.csv\"))", destinations);
        scenario::parse(
            "a.ron",
            &text.replace("traffic: (", &format!("{channels} traffic: (to_itself: true, ")),
            &[],
        )
    };
    let itself = own("Pairs([(0, 0), (0, 1, 3)])").unwrap();
    assert_eq!(traffic(&itself), ([1000, 0, 0, 0], vec![(0, 25), (1, 75)]));
    let itself = own("Matrix(\"from,to\\n1,0\\n0,0\\n\")").unwrap();
    assert_eq!(traffic(&itself), ([1000, 1000, 0, 0], vec![(0, 100)]));
    assert_eq!(traffic(&own("Transpose").unwrap()), ([1000; 4], vec![(0, 100)]));
    for (destinations, more, expected) in [
        ("Pairs([(0, 0)])", "", "this pair is a node and itself"),
        ("Sphere(radius: 1, percent: 50)", "to_itself: true,", "no node sends to itself"),
        ("Uniform", "to_itself: true,", "direct terminals have no channels for messages of a node"),
        ("Uniform", "to_itself: 1,", "this must be `true` or `false`"),
        ("Pairs([(0, 1), (0, 1, 2)])", "", "this pair is given twice, first as `(0, 1)`"),
        ("Pairs([(0, 4)])", "", "must be 0 to 3, not 4"),
        ("Pairs([(0, \"(1,2)\")])", "", "there is no node \"(1,2)\""),
        ("Pairs([(0, 1, 0)])", "", "the weight of a pair must be above 0"),
        ("Pairs([0, 1])", "", "a pair is `(source, destination)`; this is 0"),
        ("Pairs([])", "", "nobody sends: there is no pair"),
        ("Offset([2, 2])", "", "this offset leads every node back to itself"),
        ("Offset([0.5])", "", "a step must be a whole number from -65536 to 65536, not 0.5"),
        ("Transpose", "senders: [0, 3],", "none of these nodes has a destination"),
        ("Uniform", "senders: [],", "no node is named: nobody would send"),
        ("Uniform", "senders: [1, (1, 0)],", "this node is named twice, first as `1`"),
        ("Matrix(5)", "", "a matrix is a file or a text"),
        ("Matrix(\"0,1\")", "", "line 1 of the table: this row has 2 weights, not 4"),
    ] {
        let found = with(destinations, more).expect_err(destinations);
        assert!(found[0].what.contains(expected), "{destinations}: {:?}", found[0].what);
    }
}

#[test]
fn a_rate_may_be_left_out_with_a_matrix_only() {
    let given = |destinations: &str| {
        let text = TEXT.replace("Matrix(File(\"m.csv\"))", destinations);
        let load = Override {
            path: "traffic.arrivals.load".into(),
            value: "0.1".into(),
            label: String::new(),
        };
        [
            scenario::parse("a.ron", &text, &[]).is_ok(),
            scenario::parse("a.ron", &text, &[load]).is_ok(),
        ]
    };
    assert_eq!(given("Matrix(\"from,to,weight\\n0,1,0.1\")"), [true, true]);
    assert_eq!(given("Matrix(\"from,to\\n0,1\")"), [false, true]);
    assert_eq!(given("Pairs([(0, 1, 0.1)])"), [false, true]);
    assert_eq!(given("Uniform"), [false, true]);
}
