//! Comparisons: every kind of difference, equal networks in other formats, random changes.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::*;
use crate::network_files::tests::{EDGES, FABRIC, drafted};
use crate::network_files::write::WRITERS;
use crate::network_files::{read, read_in_parts};
use crate::random::mix;

/// Two leaves with two hosts each, and two spines, with two cables between each pair.
const PLAN: &str = "from,to,count\nleaf1,spine1,2\nleaf1,spine2,2\nleaf2,spine1,2\nleaf2,spine2,2\n\
                    host,n1,leaf1\nhost,n2,leaf1\nhost,n3,leaf2\nhost,n4,leaf2\n";

fn inventory(text: &str) -> Inventory {
    let draft = read_in_parts("a.csv", text.as_bytes());
    Inventory::of_draft(&draft.unwrap_or_else(|mistakes| panic!("{mistakes:#?}\n{text}")))
}

fn compared(plan: &str, fabric: &str) -> Comparison {
    Comparison::of(&inventory(plan), &inventory(fabric)).unwrap()
}

/// The kinds and the words of all differences.
fn words(comparison: &Comparison) -> Vec<String> {
    let words = |it: &Difference| format!("{}: {}", it.kind().words()[0], it.words());
    comparison.differences.iter().map(words).collect()
}

/// The differences of a fabric that is the plan with some texts replaced.
fn changed(replaced: &[(&str, &str)]) -> Vec<String> {
    let fabric = replaced.iter().fold(PLAN.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    words(&compared(PLAN, &fabric))
}

#[test]
fn equal_networks_in_other_orders_and_formats_agree() {
    let reversed: Vec<&str> = PLAN.lines().skip(1).collect();
    let reversed: Vec<&str> = reversed.into_iter().rev().collect();
    let reversed = format!("from,to,count\n{}\n", reversed.join("\n"));
    assert_eq!(words(&compared(PLAN, &reversed)), Vec::<String>::new());
    let uneven = "router 0 node 0 node 1 router 1 15\nrouter 1 node 2 router 0 5\n";
    for (name, text) in [("a.csv", EDGES), ("a.ibnetdiscover", FABRIC), ("a.anynet", uneven)] {
        let draft = drafted(name, text);
        let network = draft.graph().network();
        let plan = Inventory::of_draft(&draft);
        let sides = [Inventory::of_network(&network)].into_iter();
        let written = WRITERS.iter().filter(|writer| writer.name != "dot").map(|writer| {
            let text = (writer.write)(&network);
            let name = format!("b.{}", writer.name);
            Inventory::of_draft(&read(&name, text.as_bytes()).unwrap())
        });
        for side in sides.chain(written) {
            for (plan, fabric) in [(&plan, &side), (&side, &plan)] {
                let comparison = Comparison::of(plan, fabric).unwrap();
                assert_eq!(words(&comparison), Vec::<String>::new(), "{name}");
            }
        }
    }
}

#[test]
fn links_are_missing_duplicated_unplanned_or_one_way() {
    assert_eq!(
        changed(&[("leaf1,spine2,2", "leaf1,spine2,1"), ("leaf2,spine2,2\n", "")]),
        [
            "missing link: leaf1 - spine2: 1 of 2 cables",
            "missing link: spine2 - leaf2: 0 of 2 cables"
        ]
    );
    assert_eq!(
        changed(&[("leaf1,spine2,2", "leaf1,spine2,3\nspine1,spine2,1")]),
        [
            "duplicated link: leaf1 - spine2: 3 cables, planned: 2",
            "unplanned link: spine1 - spine2: 1 cable"
        ]
    );
    let one_way = |way: &str| {
        let text = PLAN.replace(",count", ",count,one_way");
        text.replace("leaf1,spine2,2", &format!("leaf1,spine2,2{way}"))
    };
    let missing = ["missing link: spine2 → leaf1: 0 of 2 links"];
    assert_eq!(words(&compared(PLAN, &one_way(",true"))), missing);
    let back = ["unplanned link: spine2 → leaf1: 2 links"];
    assert_eq!(words(&compared(&one_way(",true"), PLAN)), back);
}

#[test]
fn a_cable_with_one_end_elsewhere_is_one_difference() {
    assert_eq!(
        changed(&[("leaf1,spine2,2", "leaf1,spine2,1\nleaf1,leaf2,1")]),
        ["miswired cable: leaf1 is joined to leaf2 in place of spine2"]
    );
    // The end may be at a planned pair of routers, or at an unplanned router.
    assert_eq!(
        changed(&[("leaf1,spine1,2", "leaf1,spine1,4"), ("leaf1,spine2,2\n", "")]),
        ["miswired cable: leaf1 is joined to spine1 in place of spine2 by 2 cables"]
    );
    assert_eq!(
        changed(&[("leaf1,spine1,2", "leaf1,spine1,1\nspine1,x,1")]),
        [
            "unplanned router: x, with 1 cable",
            "miswired cable: spine1 is joined to x in place of leaf1"
        ]
    );
    // Two missing cables may have become the unplanned one.
    assert_eq!(
        changed(&[
            ("leaf1,spine1,2", "leaf1,spine1,1"),
            ("leaf1,spine2,2", "leaf1,spine2,1\nleaf1,leaf2,1")
        ]),
        [
            "missing link: leaf1 - spine1: 1 of 2 cables",
            "missing link: leaf1 - spine2: 1 of 2 cables",
            "unplanned link: leaf1 - leaf2: 1 cable"
        ]
    );
}

#[test]
fn crossed_cables_are_one_difference() {
    let ring = "from,to\na,b\nb,c\nc,d\nd,e\ne,f\nf,a\nhost,x,a\nhost,y,c\n";
    let crossed = ring.replace("a,b", "a,e").replace("d,e", "b,d");
    assert_eq!(
        words(&compared(ring, &crossed)),
        ["crossed cables: a - e and d - b in place of a - b and d - e"]
    );
}

#[test]
fn routers_are_missing_unplanned_or_replaced() {
    let without = PLAN.lines().filter(|line| !line.contains("leaf2"));
    let without: String = without.flat_map(|line| [line, "\n"]).collect();
    assert_eq!(
        words(&compared(PLAN, &without)),
        ["missing router: leaf2, with 4 cables and 2 hosts"]
    );
    assert_eq!(
        words(&compared(&without, PLAN)),
        ["unplanned router: leaf2, with 4 cables and 2 hosts"]
    );
    // Its hosts are at the same router.
    assert_eq!(
        changed(&[("leaf2", "switch-7f3a")]),
        ["replaced router: switch-7f3a has the cables of leaf2, which is missing"]
    );
    assert_eq!(
        changed(&[("spine1", "x"), ("spine2", "y")]),
        [
            "missing router: spine1, with 4 cables",
            "missing router: spine2, with 4 cables",
            "unplanned router: x, with 4 cables",
            "unplanned router: y, with 4 cables"
        ]
    );
}

#[test]
fn hosts_are_missing_unplanned_or_moved() {
    assert_eq!(
        changed(&[("n1,leaf1", "n1,leaf2"), ("n3,", "n9,")]),
        [
            "moved host: n1 is at leaf2 in place of leaf1",
            "missing host: n3 at leaf2",
            "unplanned host: n9 at leaf2"
        ]
    );
    let numbers = "<graphml><key id=\"d\" for=\"node\" attr.name=\"endpoints\"/>\
        <graph edgedefault=\"undirected\"><node id=\"leaf1\"><data key=\"d\">1</data></node>\
        <node id=\"leaf2\"><data key=\"d\">2</data></node>\
        <node id=\"spine1\"><data key=\"d\">0</data></node><edge source=\"leaf1\" target=\"spine1\"/>\
        <edge source=\"leaf2\" target=\"spine1\"/></graph></graphml>";
    let fabric = Inventory::of_draft(&drafted("a.graphml", numbers));
    let comparison = Comparison::of(&inventory(PLAN), &fabric).unwrap();
    assert!(words(&comparison).contains(&"number of hosts: leaf1: 1 host, planned: 2".to_owned()));
    assert!(!words(&comparison).iter().any(|it| it.contains("leaf2: 2")));
    let other = compared(PLAN, &PLAN.replace("host,n", "host,m"));
    assert_eq!((other.differences.len(), other.notes.len()), (0, 1));
    let without: String = PLAN.lines().take(5).flat_map(|line| [line, "\n"]).collect();
    let notes = compared(PLAN, &without).notes;
    assert_eq!(notes, ["hosts are not compared: the fabric has none"]);
}

#[test]
fn paces_differ_by_link() {
    let plan =
        PLAN.replace(",count", ",count,rate,delay").replace("leaf1,spine1,2", "leaf1,spine1,2,1,5");
    let slow = plan
        .replace("2,1,5", "2,1,7")
        .replace("leaf2,spine2,2", "leaf2,spine2,1,1\nleaf2,spine2,1,4");
    assert_eq!(
        words(&compared(&plan, &slow)),
        [
            "link of other pace: leaf1 - spine1: 2 cables, delay 7 cycles, planned: 5",
            "link of other pace: spine2 - leaf2: 1 cable, a flit in 4 cycles, planned: 1"
        ]
    );
    let none = compared(&plan, PLAN);
    assert_eq!((none.differences.len(), none.notes.len()), (0, 1));
}

#[test]
fn networks_without_a_common_name_are_not_compared() {
    let other = PLAN.replace("leaf", "l").replace("spine", "s");
    assert_eq!(Comparison::of(&inventory(PLAN), &inventory(&other)), None);
}

#[test]
fn pairs_without_a_path_are_counted() {
    let pairs = |text: &str| {
        let Pairs { unreachable, all } = inventory(text).pairs();
        (unreachable, all)
    };
    assert_eq!(pairs(PLAN), (0, 12));
    // Each leaf has a spine of its own.
    let apart = PLAN.replace("leaf1,spine2,2\n", "").replace("leaf2,spine1,2\n", "");
    assert_eq!(pairs(&apart), (8, 12));
    let one_way = "from,to,one_way\na,b,true\nb,c,\nhost,x,a\nhost,y,b\nhost,z,c\nhost,w,c\n";
    assert_eq!(pairs(one_way), (3, 12));
}

/// A random network: cables by the ends, hosts by name.
#[derive(Clone, Debug)]
struct Model {
    cables: BTreeMap<(usize, usize), u32>,
    hosts: BTreeMap<String, usize>,
}

const ROUTERS: usize = 9;

struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = mix(self.0, 1);
        (self.0 >> 16) as usize % limit
    }

    fn pair(&mut self) -> (usize, usize) {
        let (one, other) = (self.below(ROUTERS), self.below(ROUTERS - 1));
        let other = if other < one { other } else { other + 1 };
        (one.min(other), one.max(other))
    }
}

impl Model {
    fn random(draws: &mut Draws) -> Self {
        let mut cables = BTreeMap::new();
        for _ in 0..20 {
            *cables.entry(draws.pair()).or_default() += 1;
        }
        let hosts = (0..12).map(|at| (format!("n{at}x"), draws.below(ROUTERS))).collect();
        Self { cables, hosts }
    }

    /// Its edge list, from a random line on.
    fn inventory(&self, draws: &mut Draws) -> Inventory {
        let first = draws.below(ROUTERS);
        let routers = (0..ROUTERS).map(|at| format!("router,r{}", (at + first) % ROUTERS));
        let mut lines = Vec::new();
        for ((from, to), count) in self.cables.iter().filter(|(_, count)| **count > 0) {
            let (from, to) = if draws.below(2) > 0 { (from, to) } else { (to, from) };
            lines.push(format!("r{from},r{to},{count}"));
        }
        lines.extend(self.hosts.iter().map(|(name, at)| format!("host,{name},r{at}")));
        let (start, mut text) = (draws.below(lines.len()), "from,to,count\n".to_owned());
        for line in routers.chain(lines.iter().cycle().skip(start).take(lines.len()).cloned()) {
            writeln!(text, "{line}").unwrap();
        }
        inventory(&text)
    }

    /// Removes, adds or moves cables and hosts.
    fn changed(&self, draws: &mut Draws) -> Self {
        let mut model = self.clone();
        for _ in 0..draws.below(4) {
            let known: Vec<_> = model.cables.keys().copied().collect();
            let mut one = || known[draws.below(known.len())];
            let (removed, other) = (one(), one());
            let added = draws.pair();
            let crossed = [(removed.0, other.1), (other.0, removed.1)];
            let (fewer, more) = match draws.below(4) {
                0 => (vec![removed], vec![]),
                1 => (vec![removed], vec![added]),
                2 => (vec![], vec![added]),
                _ => (vec![removed, other], crossed.to_vec()),
            };
            let fewer = fewer.into_iter().map(|ends| (ends, -1));
            let more = more.into_iter().filter(|(from, to)| from != to).map(|ends| (ends, 1));
            for ((from, to), by) in fewer.chain(more) {
                let count = model.cables.entry((from.min(to), from.max(to))).or_default();
                *count = count.saturating_add_signed(by);
            }
        }
        for _ in 0..draws.below(3) {
            let name = format!("n{}x", draws.below(12));
            match draws.below(3) {
                0 => drop(model.hosts.remove(&name)),
                1 => drop(model.hosts.insert(name, draws.below(ROUTERS))),
                _ => drop(model.hosts.insert(format!("{name}y"), draws.below(ROUTERS))),
            }
        }
        model
    }
}

/// The numbers of cables by which a fabric lacks those of its plan, by the ends, and the routers of hosts in
/// the plan and in the fabric, from the differences.
#[derive(PartialEq, Eq, Default, Debug)]
struct Changes {
    cables: BTreeMap<(String, String), i64>,
    hosts: BTreeMap<String, [Option<String>; 2]>,
}

impl Changes {
    fn between(plan: &Model, fabric: &Model) -> Self {
        let mut changes = Self::default();
        for (sign, model) in [(1, plan), (-1, fabric)] {
            for (&(from, to), &count) in &model.cables {
                changes.lacks(&format!("r{from}"), &format!("r{to}"), sign * i64::from(count));
            }
        }
        for name in plan.hosts.keys().chain(fabric.hosts.keys()) {
            let at = [plan, fabric].map(|it| it.hosts.get(name).map(|at| format!("r{at}")));
            if at[0] != at[1] {
                changes.hosts.insert(name.clone(), at);
            }
        }
        changes
    }

    fn lacks(&mut self, one: &str, other: &str, count: i64) {
        let ends = (one.min(other).to_owned(), one.max(other).to_owned());
        let number = self.cables.entry(ends.clone()).or_default();
        *number += count;
        if *number == 0 {
            self.cables.remove(&ends);
        }
    }

    fn of(comparison: &Comparison) -> Self {
        let mut changes = Self::default();
        for difference in &comparison.differences {
            match difference.clone() {
                Difference::Miswired { router, planned, found, cables, one_way } => {
                    assert!(!one_way);
                    changes.lacks(&router, &planned, cables.into());
                    changes.lacks(&router, &found, -i64::from(cables));
                }
                Difference::Crossed { planned, found, cables } => {
                    for (sign, ends) in [(1, planned), (-1, found)] {
                        for Ends { from, to, .. } in ends {
                            changes.lacks(&from, &to, sign * i64::from(cables));
                        }
                    }
                }
                Difference::Links { ends, planned, found } => {
                    changes.lacks(&ends.from, &ends.to, i64::from(planned) - i64::from(found));
                }
                Difference::MovedHost { name, planned, found } => {
                    changes.hosts.insert(name, [Some(planned), Some(found)]);
                }
                Difference::MissingHost { name, router } => {
                    changes.hosts.insert(name, [Some(router), None]);
                }
                Difference::UnplannedHost { name, router } => {
                    changes.hosts.insert(name, [None, Some(router)]);
                }
                other => panic!("{other:?}"),
            }
        }
        changes
    }
}

#[test]
fn random_changes_are_the_differences() {
    let mut draws = Draws(7);
    let mut kinds = BTreeMap::new();
    for _ in 0..3000 {
        let plan = Model::random(&mut draws);
        let fabric = plan.changed(&mut draws);
        let sides = [&plan, &fabric].map(|model| model.inventory(&mut draws));
        let comparison = Comparison::of(&sides[0], &sides[1]).unwrap();
        assert_eq!(
            Changes::of(&comparison),
            Changes::between(&plan, &fabric),
            "{plan:?}\n{fabric:?}"
        );
        for (kind, number) in comparison.counts() {
            *kinds.entry(kind).or_insert(0) += number;
        }
        // The fabric is the plan of the opposite differences.
        let back = Comparison::of(&sides[1], &sides[0]).unwrap();
        assert_eq!(back.differences.len(), comparison.differences.len());
    }
    assert_eq!(kinds.len(), 8, "{kinds:?}");
}

#[test]
fn one_moved_cable_is_one_difference() {
    let mut draws = Draws(11);
    for _ in 0..1000 {
        let plan = Model::random(&mut draws);
        let mut fabric = plan.clone();
        let known: Vec<_> = plan.cables.keys().copied().collect();
        let (from, to) = known[draws.below(known.len())];
        let others: Vec<usize> = (0..ROUTERS).filter(|at| ![from, to].contains(at)).collect();
        let other = others[draws.below(others.len())];
        *fabric.cables.entry((from, to)).or_default() -= 1;
        *fabric.cables.entry((from.min(other), from.max(other))).or_default() += 1;
        let sides = [&plan, &fabric].map(|model| model.inventory(&mut draws));
        let expected = Difference::Miswired {
            router: format!("r{from}"),
            planned: format!("r{to}"),
            found: format!("r{other}"),
            cables: 1,
            one_way: false,
        };
        assert_eq!(Comparison::of(&sides[0], &sides[1]).unwrap().differences, [expected]);
    }
}
