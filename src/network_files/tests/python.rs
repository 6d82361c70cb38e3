//! Files of NetworkX and delays in other units than cycles.

use super::*;

const LINES: &str = "# made by hand\na b {'delay': 4, 'capacity': '10G'}\nb c {}\n\
    (0, 1) c {'weight': 1.5, 'note': 'x, y: z'}\n(0, 1) a\n";

fn mistake(name: &str, text: &str) -> String {
    let found = read(name, text.as_bytes()).expect_err("a mistake");
    let line = |it: &Mistake| format!("{}:{}: {}; {}", it.line, it.column, it.what, it.help);
    found.iter().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

fn delays(text: &str, unit: &str, cycles: f64) -> Result<Vec<u32>, Vec<Mistake>> {
    let unit = DelayUnit { attribute: unit.to_owned(), cycles };
    let draft = read_in("a.csv", text.as_bytes(), Some(unit))?;
    Ok(links(&draft.graph().network()).iter().map(|link| link[2]).collect())
}

#[test]
fn edge_lists_of_networkx_have_attributes_and_tuples() {
    for name in ["a.edgelist", "a.txt", "a"] {
        let draft = drafted(name, LINES);
        let names: Vec<&str> = draft.routers.iter().map(|router| router.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "(0, 1)"], "{name}");
        let found = links(&draft.graph().network());
        assert_eq!(found.len(), 8);
        assert_eq!(found[0], [0, 1, 4, 1, 0]);
        let note = "`note` and `weight` of 1 link are ignored".to_owned();
        assert!(draft.notes.contains(&note), "{:?}", draft.notes);
    }
    let weighted = drafted("a.edgelist", "a b 1.5\nb c 2\n");
    assert_eq!(weighted.notes[0], "`weight` of 2 links is ignored");
    let found = mistake("a.edgelist", "a b {'delay': 0}\na\nb c {'delay'}\nb a {'delay': 3\n");
    let expected = [
        "1:15: `delay` must be a whole number from 1 to 4096, not `0`; write 1 or more",
        "2:1: an edge has two nodes, and this line has 1; write `NODE NODE {'delay': 4}`, or `NODE NODE`",
        "3:6: `'delay'` is no attribute with its value; write `'delay': 4`",
        "4:5: these attributes do not end in `}`; write or copy the whole line",
    ];
    for line in &expected[1..] {
        assert!(found.contains(line), "{found}");
    }
}

#[test]
fn formats_that_are_not_read_are_named_with_their_conversion() {
    let texts = [
        (
            "a.gexf",
            "<?xml version='1.0'?>\n<gexf version='1.2'><graph/></gexf>",
            "GEXF",
            "read_gexf",
        ),
        ("a.xml", "<?xml version='1.0'?>\n<gexf version='1.2'><graph/></gexf>", "GEXF", ""),
        ("a.net", "*Vertices 2\n1 \"a\"\n*Edges\n1 2\n", "Pajek", "read_pajek(\"a.net\")"),
        ("a.txt", "*vertices 2\n", "Pajek", "read_pajek"),
        ("a.adjlist", "a b c\nb c\n", "adjacency list", "\"a.graphml\")`"),
        ("a.txt", "# nodes\na b c\nb c\nc\n", "adjacency list", "read_adjlist"),
        ("a.dot", "graph { a -- b }", "DOT", "read_dot"),
    ];
    for (name, text, format, function) in texts {
        if name == "a.xml" {
            // The extension is that of GraphML.
            assert!(read(name, text.as_bytes()).is_err());
            continue;
        }
        let found = mistake(name, text);
        assert!(found.contains(format) && found.contains("GraphML, node-link JSON"), "{found}");
        assert!(found.contains(function) && found.contains("networkx.write_graphml"), "{found}");
        let extension = name.rsplit_once('.').unwrap().1;
        assert!(is_unread(extension, text), "{name}");
    }
    for text in ["", "hello", "Scenario(", "wait 3\n", "a,b\nc,d\n", "num_ranks 2\n\nrank 0 {\n"] {
        assert!(!is_unread("txt", text) && !has_format(text), "{text}");
    }
}

#[test]
fn delays_in_other_units_are_rounded_to_cycles() {
    let text = "from,to,latency,delay\na,b,2.5,9\nb,c,0.1,9\nc,a,3,9\n";
    assert_eq!(delays(text, "Latency", 2.0).unwrap(), [5, 6, 5, 1, 6, 1]);
    assert_eq!(delays(text, "latency", 100.0).unwrap(), [250, 300, 250, 10, 300, 10]);
    let found = delays(text, "latncy", 2.0).unwrap_err();
    assert_eq!(found[0].what, "no link has an attribute `latncy`");
    assert_eq!(found[0].help, "did you mean `latency`?");
    // The same mistake of many links is one.
    let found = delays(text, "latency", 1e5).unwrap_err();
    assert_eq!(found.len(), 1);
    assert!(found[0].what.ends_with("; 2 more links have such a value"), "{found:?}");
    let graph =
        GRAPHML.replace("attr.name=\"delay\"", "attr.name=\"latency\"").replace("12.0", "1.5");
    let unit = DelayUnit { attribute: "latency".into(), cycles: 4.0 };
    let draft = read_in("a.graphml", graph.as_bytes(), Some(unit)).unwrap();
    assert_eq!(links(&draft.graph().network())[0], [0, 1, 6, 1, 0]);
}

#[test]
fn fractions_of_a_cycle_are_one_mistake_with_the_option_that_converts_them() {
    let csv = "from,to,delay\na,b,2.5\nb,c,1.5\nc,a,3\n";
    let found = mistake("a.csv", csv);
    let line = "2:5: `delay` must be a whole number of cycles, not `2.5`; 1 more link has such a value; write \
                cycles as `delay`: `flitscope network FILE --delay delay --cycles-per-unit N --to csv` \
                converts it\n";
    assert_eq!(found, line);
    let graph = GRAPHML.replace("12.0", "1.5");
    assert!(mistake("a.graphml", &graph).contains("a whole number of cycles, not `1.5`"));
}

#[test]
fn both_ends_of_a_cable_agree() {
    let cut = FABRIC.replace("[2]\t\"S-01\"[22]\t\t# \"leaf 1\" lid 11 4xHDR\n", "");
    assert_ne!(cut, FABRIC);
    assert_eq!(
        mistake("a.ibnetdiscover", &cut),
        "8:1: the section of `S-03`, on line 16, has no port 2, to which this cable leads; add `[2] \
         \"S-01\"[22]` there, or remove this line\n"
    );
    let slow = FABRIC.replace(
        "[3]\t\"S-02\"[23]\t\t# \"leaf 2\" lid 12 4xHDR",
        "[3]\t\"S-02\"[23]\t\t# \"leaf 2\" lid 12 1xHDR",
    );
    assert_ne!(slow, FABRIC);
    assert_eq!(
        mistake("a.ibnetdiscover", &slow),
        "23:35: this cable is 1xHDR here and 4xHDR at its other end, on line 14; correct one of the two \
         lines\n"
    );
}
