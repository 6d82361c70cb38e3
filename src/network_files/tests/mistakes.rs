//! Mistakes: all of a file at once, each with its place and a correction.

use super::*;

/// The mistakes of a text: line, column, mistake and correction.
fn mistakes(name: &str, text: &str) -> Vec<String> {
    let found = read(name, text.as_bytes()).expect_err("a mistake");
    found.iter().map(|it| format!("{}:{}: {}; {}", it.line, it.column, it.what, it.help)).collect()
}

#[test]
fn all_mistakes_of_an_edge_list_are_listed() {
    let text = "from,to,delay,rate\na,b,0,65\na,b,x,\nhost,h,c\nc\nb,a,1,2,3,4\n\"a,b\n";
    assert_eq!(
        mistakes("a.csv", text),
        [
            "2:5: `delay` must be a whole number from 1 to 4096, not `0`; write 1 or more",
            "2:7: `rate` must be a whole number from 1 to 64, not `65`; write 64 or less",
            "3:5: `delay` must be a whole number from 1 to 4096, not `x`; write a number, such as 1",
            "5:1: a link has two ends; write `FROM,TO`, separated by a comma",
            "6:9: this line has at most 4 values; remove this one",
            "7:1: this quote has no end on its line; write a second `\"`",
        ]
    );
    assert_eq!(
        mistakes("a.csv", "from,to\na,b\nb,a\n"),
        ["3:1: this link is given twice, first on line 2: a line is a link each way; remove one, \
          write a `count`, or add a column `one_way` with `true`"]
    );
    assert_eq!(
        mistakes("a.csv", "from,to\nrouter,a,,,core,x\nrouter,b,0,0,core,1,2\na,b\n"),
        [
            "2:17: `level` must be a whole number from 0 to 16383, not `x`; write a number, such as 0",
            "3:21: this line has at most 6 values; remove this one",
        ]
    );
    assert_eq!(
        mistakes("a.csv", "from,to,dealy\na,b,1\n"),
        ["1:9: there is no column `dealy`; did you mean `delay`?"]
    );
    assert_eq!(
        mistakes("a.csv", "from;to\na;b\n"),
        [
            "1:5: values are separated by commas, and this line has semicolons; replace them by commas, \
          in all lines"
        ]
    );
    let header = mistakes("a.csv", "0,1\n1,2\n");
    assert!(header[0].starts_with("1:1: the first line must name the columns"), "{header:?}");
}

#[test]
fn numbers_that_are_none_are_refused_in_all_attributes() {
    for value in ["NaN", "-1", "1e300", "inf", "99999999999999999999999", "1.5", "5ns", "0x10"] {
        let text = format!("from,to,delay\na,b,{value}\n");
        assert!(mistakes("a.csv", &text)[0].starts_with("2:5: `delay` must be"), "{value}");
        let text = GRAPHML.replace("12.0", value);
        assert!(mistakes("a.graphml", &text)[0].starts_with("10:"), "{value}");
        let text = JSON.replace("\"delay\": 5, ", &format!("\"delay\": \"{value}\", "));
        assert!(mistakes("a.json", &text)[0].contains("`delay` must be"), "{value}");
        let text = ANYNET.replace("15", value);
        assert!(mistakes("a.anynet", &text)[0].contains("1:"), "{value}");
    }
    let text = JSON.replace("1.5", "1e999");
    assert!(!mistakes("a.json", &text).is_empty());
    let text = GML.replace("2500000000.0", "-3");
    assert!(mistakes("a.gml", &text)[0].contains("must be a speed above 0"));
}

#[test]
fn unknown_nodes_and_loops_and_parts_apart_have_places() {
    assert_eq!(
        mistakes("a.graphml", &GRAPHML.replace("target=\"b\"", "target=\"x\"")),
        ["10:36: there is no node `x`; did you mean `b`?"]
    );
    let text = GML.replace("source 0 target 1", "source 1 target 1");
    assert_eq!(mistakes("a.gml", &text), ["9:3: a link joins `B` to itself; remove it"]);
    assert_eq!(
        mistakes("a.csv", "from,to,one_way\na,b,true\nb,c,false\n"),
        ["2:3: no way leads from `b` to `a` (2 routers are so apart); add a link back"]
    );
    assert_eq!(
        mistakes("a.csv", "from,to\na,b\nc,d\n"),
        [
            "3:1: no way leads from `a` to `c` (2 routers are so apart); add a link, or remove the router"
        ]
    );
}

#[test]
fn names_given_twice_refer_to_the_first() {
    let text = GML.replace("id 2", "id 1");
    let found = mistakes("a.gml", &text);
    assert_eq!(
        found[0],
        "8:13: node `1` is given twice, first on line 7; give the node another name"
    );
    let found = mistakes("a.csv", "from,to\na,b\nhost,h,a\nhost,h,b\n");
    assert_eq!(
        found,
        ["4:6: host `h` is given twice, first on line 3; give the host another name"]
    );
    let found = mistakes("a.json", &JSON.replace("\"multigraph\": true", "\"multigraph\": false"));
    assert!(found[0].contains("this link is given twice, first on line 5"), "{found:?}");
}

#[test]
fn misspelt_words_of_anynet_are_found_where_they_stand() {
    assert_eq!(
        mistakes("a.anynet", "router 0 node 0 ruter 1 5\nrouter 1 node 1 router 0 4 nod 2\n"),
        [
            "1:17: `router` or `node` must stand here, not `ruter`; did you mean `router`?",
            "2:28: `router` or `node` must stand here, not `nod`; did you mean `node`?",
        ]
    );
}

#[test]
fn a_latency_is_refused_and_a_document_type() {
    let text = GRAPHML.replace("attr.name=\"delay\"", "attr.name=\"latency\"");
    let found = mistakes("a.graphml", &text);
    assert!(found[0].starts_with("10:") && found[0].contains("`delay`"), "{found:?}");
    let laughs = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE g [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]>\n{}",
        GRAPHML.split_once('\n').unwrap().1
    );
    assert!(mistakes("a.graphml", &laughs)[0].contains("a document type is not read"));
}

#[test]
fn a_file_that_is_cut_off_is_never_read() {
    for (name, text) in SAMPLES {
        let (mut refused, lines) = (0, text.lines().count());
        for (at, _) in text.char_indices() {
            refused += usize::from(read(name, &text.as_bytes()[..at]).is_err());
        }
        assert!(refused > text.len() / 4, "{name}: {refused} of {lines} lines");
    }
    let json = mistakes("a.json", &JSON[..JSON.len() - 5]);
    assert!(json[0].contains("write or copy the whole file"), "{json:?}");
    let fabric = FABRIC.split("Switch	41 \"S-04\"").next().unwrap();
    let fabric = mistakes("a.ibnetdiscover", fabric);
    assert!(fabric[0].contains("switch `S-04` has no section"), "{fabric:?}");
}

#[test]
fn deep_and_large_files_end_in_a_mistake() {
    let deep = 200_000;
    let texts = [
        ("a.json", format!("{{\"nodes\": {}", "[".repeat(deep))),
        ("a.gml", format!("graph {}", "[ a ".repeat(deep))),
        ("a.graphml", format!("<graphml>{}", "<node>".repeat(deep))),
        ("a.csv", format!("from,to\n{}", "\"".repeat(deep))),
    ];
    for (name, text) in texts {
        assert!(read(name, text.as_bytes()).is_err(), "{name}");
    }
    let large = vec![b' '; FILE_MAX + 1];
    let found = read("a.csv", &large).unwrap_err();
    assert!(found[0].what.contains("the limit is 67108864"));
    let many = format!("from,to\n{}", "a,a\n".repeat(10_000));
    assert_eq!(read("a.csv", many.as_bytes()).unwrap_err().len(), MISTAKES_MAX + 1);
}
