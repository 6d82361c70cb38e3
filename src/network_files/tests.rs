//! Readers: meanings, mistakes with their places, and texts with random changes.

mod arranged;
mod changes;
mod mistakes;
mod python;

use super::*;
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;

/// Two leaves, two spines, two cables between each pair.
pub(super) const FABRIC: &str = r#"#
vendid=0x2c9
switchguid=0x1(1)
Switch	41 "S-01"		# "leaf 1" enhanced port 0 lid 11 lmc 0
[1]	"H-01"[1](c1) 		# "n01 HCA-1" lid 1 4xHDR
[2]	"H-02"[1](c2) 		# "n02 HCA-1" lid 2 4xHDR
[21]	"S-03"[1]		# "spine 1" lid 13 4xHDR
[22]	"S-03"[2]		# "spine 1" lid 13 4xHDR
[23]	"S-04"[1]		# "spine 2" lid 14 4xEDR

Switch	41 "S-02"		# "leaf 2" enhanced port 0 lid 12 lmc 0
[1]	"H-03"[1](c3) 		# "n03 HCA-1" lid 3 4xHDR
[21]	"S-03"[3]		# "spine 1" lid 13 4xHDR
[23]	"S-04"[3]		# "spine 2" lid 14 4xHDR

Switch	41 "S-03"		# "spine 1" enhanced port 0 lid 13 lmc 0
[1]	"S-01"[21]		# "leaf 1" lid 11 4xHDR
[2]	"S-01"[22]		# "leaf 1" lid 11 4xHDR
[3]	"S-02"[21]		# "leaf 2" lid 12 4xHDR

Switch	41 "S-04"		# "spine 2" enhanced port 0 lid 14 lmc 0
[1]	"S-01"[23]		# "leaf 1" lid 11 4xEDR
[3]	"S-02"[23]		# "leaf 2" lid 12 4xHDR

Ca	1 "H-01"		# "n01 HCA-1"
[1](c1) 	"S-01"[1]		# lid 1 lmc 0 "leaf 1" lid 11 4xHDR
"#;

pub(super) const EDGES: &str = "from,to,delay,rate,count,kind,one_way\n\
    router,a,0,1.5\nrouter,b,2,0\nrouter,c,4,1\n\
    a,b,10,2,3,1,\nb,c,,,,,\nc,a,7,,,,true\n\
    host,\"the first\",a\nhost,second,a\nhost,third,c\n";

pub(super) const GRAPHML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="endpoints" attr.type="int"><default>1</default></key>
  <key id="d1" for="edge" attr.name="delay" attr.type="double"/>
  <key id="d2" for="node" attr.name="colour" attr.type="string"/>
  <graph edgedefault="undirected">
    <node id="a&amp;b"><data key="d0">2</data><data key="d2">red</data></node>
    <node id="b"/>
    <node id="c"><data key="d0">0</data></node>
    <edge source="a&amp;b" target="b"><data key="d1">12.0</data></edge>
    <edge source="b" target="c"/>
    <edge source="c" target="a&amp;b" directed="true"/>
  </graph>
</graphml>
"#;

pub(super) const JSON: &str = r#"{
  "directed": false, "multigraph": true, "graph": {"made by": "hand"},
  "nodes": [{"id": 0, "x": 1.5, "y": 2}, {"id": 1, "x": 0, "y": 0}, {"id": "h", "type": "host"},
            {"id": "i", "role": "host"}],
  "links": [{"source": 0, "target": 1, "key": 0, "delay": 5, "weight": 2},
            {"source": 1, "target": 0, "key": 1, "delay": 5}, {"source": "h", "target": 1},
            {"source": 0, "target": "i"}]
}
"#;

pub(super) const GML: &str = r#"# A network of three cities.
Creator "Topology Zoo"
graph [
  directed 0
  Network "Three"
  node [ id 0 label "Caf&#233;" Longitude 4.5 Latitude 50.5 Internal 1 ]
  node [ id 1 label "B" Longitude 4 Latitude 51 Internal 1 ]
  node [ id 2 label "B" Longitude 3 Latitude 50 Internal 1 ]
  edge [ source 0 target 1 LinkSpeed "10" LinkLabel "10 Gbps" LinkSpeedRaw 10000000000.0 ]
  edge [ source 1 target 2 LinkSpeedRaw 2500000000.0 ]
  edge [ source 1 target 2 LinkSpeedRaw 2500000000.0 ]
]
"#;

pub(super) const ANYNET: &str = "router 0 node 0 node 1 router 1 15\r\n\
    router 1 node 2 node 3 router 0 5 router 2\r\nrouter 2 node 4 node 5 router 0 3\r\n";

/// A ring of tuples as NetworkX writes it.
const EDGE_LINES: &str = "# a ring\n(0, 0) (0, 1) {'delay': 4, 'kind': 2, 'capacity': '10G'}\n\
    (0, 1) (1, 1) {'delay': 4, 'kind': 1, 'capacity': '40G'}\n(1, 1) (1, 0) {'delay': 12}\n\
    (1, 0) (0, 0) {'capacity': '10G'}\n";

/// A text for each reader, with the name of a file.
pub(super) const SAMPLES: [(&str, &str); 7] = [
    ("a.csv", EDGES),
    ("a.graphml", GRAPHML),
    ("a.json", JSON),
    ("a.gml", GML),
    ("a.anynet", ANYNET),
    ("a.ibnetdiscover", FABRIC),
    ("a.edgelist", EDGE_LINES),
];

pub(super) fn drafted(name: &str, text: &str) -> Draft {
    read(name, text.as_bytes()).unwrap_or_else(|mistakes| panic!("{name}: {mistakes:#?}"))
}

/// The links of a network: ends, delay, rate and kind.
fn links(network: &Network) -> Vec<[u32; 5]> {
    let all = (0..network.links()).map(|link| network.channel(ChannelId::new(link)));
    all.map(|link| {
        let it = link.attributes;
        let delay = it.delay.map_or(0, |delay| u32::from(delay.get()));
        [link.from.0, link.to.0, delay, it.cycles_per_flit.into(), it.kind.into()]
    })
    .collect()
}

#[test]
fn an_edge_list_carries_everything() {
    let network = drafted("a.csv", EDGES).graph().network();
    let three = |from, to| [[from, to, 10, 2, 1]; 3];
    let mut expected = three(0, 1).to_vec();
    expected.extend(three(1, 0));
    expected.extend([[1, 2, 0, 1, 0], [2, 0, 7, 1, 0], [2, 1, 0, 1, 0]]);
    assert_eq!(links(&network), expected);
    assert_eq!([0, 1, 2].map(|router| network.terminals_at(RouterId(router))), [2, 0, 1]);
    assert_eq!(network.switches().unwrap().place(RouterId(0)).y, 1500);
    let draft = drafted("a.csv", EDGES);
    assert_eq!(draft.hosts[0].name.as_deref(), Some("the first"));
    assert!(draft.notes.is_empty(), "{:?}", draft.notes);
}

#[test]
fn graphml_has_defaults_entities_and_a_direction_for_each_edge() {
    let draft = drafted("a.graphml", GRAPHML);
    assert_eq!(draft.routers[0].name, "a&b");
    assert_eq!(draft.hosts.iter().map(|host| host.router).collect::<Vec<_>>(), [0, 0, 1]);
    assert_eq!(draft.notes, ["`colour` of 1 node is ignored"]);
    let expected =
        [[0, 1, 12, 1, 0], [1, 0, 12, 1, 0], [1, 2, 0, 1, 0], [2, 0, 0, 1, 0], [2, 1, 0, 1, 0]];
    assert_eq!(links(&draft.graph().network()), expected);
}

#[test]
fn node_link_json_has_edges_or_links_and_nodes_that_are_hosts() {
    let draft = drafted("a.json", JSON);
    let expected = [[0, 1, 5, 1, 0], [0, 1, 5, 1, 0], [1, 0, 5, 1, 0], [1, 0, 5, 1, 0]];
    assert_eq!(links(&draft.graph().network()), expected);
    assert_eq!(draft.hosts.iter().map(|host| host.router).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(draft.notes, ["`graph` is ignored", "`weight` of 1 link is ignored"]);
    assert_eq!(drafted("a.json", &JSON.replace("\"links\"", "\"edges\"")), draft);
}

#[test]
fn speeds_of_the_topology_zoo_become_rates() {
    let draft = drafted("a.gml", GML);
    assert_eq!(draft.routers[0].name, "Café");
    let four = [[1, 2, 0, 4, 0]; 2];
    assert_eq!(links(&draft.graph().network())[..2], [[0, 1, 0, 1, 0], [1, 0, 0, 1, 0]]);
    assert_eq!(links(&draft.graph().network())[2..4], four);
    assert!(draft.notes.iter().any(|note| note.starts_with("`LinkSpeedRaw` of 3 links becomes")));
    assert!(draft.notes.contains(&"no hosts are named: each router has one".to_owned()));
}

#[test]
fn latencies_of_anynet_are_for_each_direction_and_one_where_none_is_stated() {
    let draft = drafted("a.anynet", ANYNET);
    let delays = [[0, 1, 15], [0, 2, 1], [1, 0, 5], [1, 2, 1], [2, 0, 3], [2, 1, 1]];
    let expected = delays.map(|[from, to, delay]| [from, to, delay, 1, 0]);
    assert_eq!(links(&draft.graph().network()), expected);
    assert_eq!(draft.hosts.len(), 6);
    assert_eq!(draft.notes, ["2 ways back are not mentioned: the delay is 1 cycle"]);
}

#[test]
fn cables_of_a_fabric_count_once_and_side_by_side() {
    let draft = drafted("a.ibnetdiscover", FABRIC);
    let names: Vec<&str> = draft.routers.iter().map(|router| router.name.as_str()).collect();
    assert_eq!(names, ["leaf 1", "leaf 2", "spine 1", "spine 2"]);
    let network = draft.graph().network();
    assert_eq!(links(&network)[..3], [[0, 2, 0, 1, 0], [0, 2, 0, 1, 0], [0, 3, 0, 2, 0]]);
    assert_eq!((network.links(), network.nodes()), (10, 3));
    // Two have no section of their own.
    let names: Vec<_> = draft.hosts.iter().filter_map(|host| host.name.as_deref()).collect();
    assert_eq!(names, ["n01 HCA-1", "n02 HCA-1", "n03 HCA-1"]);
}

#[test]
fn numbers_in_names_give_the_order() {
    let draft = drafted("a.csv", "from,to\ns10,s2\ns2,s0\nhost,2,s10\nhost,1,s0\n");
    let names: Vec<&str> = draft.routers.iter().map(|router| router.name.as_str()).collect();
    assert_eq!(names, ["s0", "s2", "s10"]);
    assert_eq!(draft.hosts.iter().map(|host| host.router).collect::<Vec<_>>(), [0, 2]);
    let draft = drafted("a.csv", "from,to\nz,b\nb,a\n");
    assert_eq!(draft.routers[0].name, "z");
}

#[test]
fn contents_count_more_than_the_extension() {
    for (name, text) in SAMPLES {
        assert_eq!(drafted("network.txt", text), drafted(name, text), "{name}");
        assert_eq!(drafted("network.csv", text), drafted(name, text), "{name}");
    }
    assert!(read("a.txt", b"hello").is_err());
}

#[test]
fn encodings_with_a_mark_or_a_declaration_are_read() {
    let expected = drafted("a.gml", GML);
    let utf16 = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(GML.encode_utf16()).flat_map(unit).collect()
    };
    for bytes in [utf16(u16::to_le_bytes), utf16(u16::to_be_bytes)] {
        assert_eq!(read("a.gml", &bytes).unwrap().routers[0].name, expected.routers[0].name);
    }
    assert!(read("a.gml", format!("\u{feff}{GML}").as_bytes()).is_ok());
    let latin = GRAPHML.replace("UTF-8", "ISO-8859-1").replace("\"b\"", "\"\u{e9}\"");
    let bytes: Vec<u8> = latin.chars().map(|letter| letter as u8).collect();
    assert_eq!(read("a.graphml", &bytes).unwrap().routers[1].name, "é");
    let mistakes = read("a.csv", b"from,to\na,\xe9\n").unwrap_err();
    assert_eq!((mistakes[0].line, mistakes[0].column), (2, 3));
}

#[test]
fn line_ends_do_not_matter() {
    for (name, text) in SAMPLES {
        let windows = text.replace("\r\n", "\n").replace('\n', "\r\n");
        let (one, other) = (drafted(name, text), drafted(name, &windows));
        assert_eq!(one.graph(), other.graph(), "{name}");
        assert_eq!((one.hosts, one.notes), (other.hosts, other.notes), "{name}");
    }
}
