//! Tables of next hops and of routes: equal to the rules that they state, or refused.

use std::fmt::Write;
use std::sync::Arc;

use super::{generated, verdict};
use crate::engine::Engine;
use crate::ids::{ChannelId, RouterId};
use crate::network_files::{self, read_routes};
use crate::routing::dependency::{Verdict, prove};
use crate::routing::rows::Contents;
use crate::routing::{Arrival, Relation, Routing, Stop};
use crate::scenario::{self, Scenario};
use crate::topology::Network;
use crate::units::Cycle;

fn scenario(network: &str, vcs: u32, routing: &str) -> Scenario {
    let text = format!(
        "Scenario(network: {network}, switching: Wormhole(virtual_channels: {vcs}), \
         routing: {routing}, traffic: (arrivals: Poisson(rate: 0.01), destinations: Uniform, \
         lengths: Fixed(8)))"
    );
    scenario::parse("test", &text, &[]).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"))
}

/// The next hops of a relation with one candidate for each head, as text.
fn stated(network: &Network, relation: &Relation) -> String {
    let mut text = String::from("at,destination,next,vc\n");
    let routers = || (0..network.routers()).map(RouterId::new);
    let mut found = Vec::new();
    for (at, to) in routers().flat_map(|at| routers().map(move |to| (at, to))) {
        let header = crate::routing::Header::new(at, to, 0);
        relation.candidates(Stop::start(at), &header, &mut found);
        for candidate in &found {
            let next = network.channel(candidate.channel).to;
            let vc = candidate.vcs.trailing_zeros();
            let _ = writeln!(text, "{},{},{},{vc}", at.0, to.0, next.0);
        }
    }
    text
}

#[test]
fn a_table_of_dimension_order_gives_the_same_run() {
    for (network, vcs) in [("Mesh(radix: [5, 4])", 1), ("Torus(radix: [5, 3])", 2)] {
        let rule = scenario(network, vcs, "DimensionOrder()");
        let text = stated(&rule.system.network, &rule.system.relation);
        let table = scenario(network, vcs, &format!("Table(routes: {text:?})"));
        let proofs = [&rule, &table].map(|it| prove(&it.system.network, &it.system.relation));
        assert_eq!(proofs[0].dependencies, proofs[1].dependencies);
        assert!(matches!(proofs[1].verdict, Verdict::Free { .. }));
        let mut runs = [&rule, &table].map(|it| Engine::new(&it.system, 7, 0));
        for cycle in (1..=10).map(|part| part * 1_000) {
            for run in &mut runs {
                run.advance(Cycle(cycle));
                run.audit().unwrap();
            }
            assert_eq!(runs[0].counters(), runs[1].counters(), "cycle {cycle}");
        }
        assert!(runs[1].counters().delivered > 100);
    }
}

#[test]
fn routes_written_by_hand_are_followed_with_their_vcs() {
    let routes = "source,destination,route,vcs\n0,1,0>1,0\n0,2,0>1>2,0>1\n1,0,1 2 0,1 1\n\
                  1,2,1>2,1\n2,0,2>0,0\n2,1,2>0>1,0 0\n2,1,2>1,1\n";
    let network = "Switches(links: [(0, 1), (1, 2), (2, 0)], hosts: 1)";
    let read = scenario(network, 2, &format!("Table(routes: {routes:?})"));
    let relation = &read.system.relation;
    assert_eq!(relation.routes().unwrap().count(RouterId(2), RouterId(1)), 2);
    let mut engine = Engine::new(&read.system, 3, 0);
    engine.advance(Cycle(20_000));
    engine.audit().unwrap();
    assert!(engine.counters().delivered > 300);
}

#[test]
fn rows_for_an_arrival_apply_to_it_alone() {
    let network = generated("Complete(routers: 4, hosts: 1)");
    let rows = "at,destination,next,vc,from,from_vc\n0,3,1,0,,\n1,3,2,1,0,0\n1,3,3,0,1,\n\
                2,3,3,1,1,1\n2,3,3,0,2,\n";
    let others = "1,0,0,0,,\n2,0,0,0,,\n3,0,0,0,,\n0,1,1,0,,\n2,1,1,0,,\n3,1,1,0,,\n0,2,2,0,,\n\
                  1,2,2,0,,\n3,2,2,0,,\n";
    let routes = read_routes(&format!("{rows}{others}"), &network).unwrap().rows;
    let routing = Routing::Table { routes };
    let (needed, verdict) = verdict(&network, &routing);
    assert_eq!(needed, 2);
    assert!(matches!(verdict, Verdict::Free { .. }), "{verdict:?}");
    let relation = Relation::new(routing, Arc::clone(&network), 2);
    assert!(relation.reads_arrival());
    let to_three = |at: u32, came: Option<(u32, u32)>| {
        let link = |from: u32| {
            let links = network.outputs(RouterId(from)).iter().copied();
            links.clone().find(|&link| network.channel(link).to == RouterId(at)).unwrap()
        };
        let came = came.map(|(from, vc)| Arrival::by(link(from), vc));
        let stop = Stop { came, ..Stop::start(RouterId(at)) };
        let header = crate::routing::Header::new(RouterId(0), RouterId(3), 0);
        let mut found = Vec::new();
        relation.candidates(stop, &header, &mut found);
        found.iter().map(|it| (network.channel(it.channel).to.0, it.vcs)).collect::<Vec<_>>()
    };
    assert_eq!(to_three(0, None), [(1, 1)]);
    assert_eq!(to_three(1, Some((0, 0))), [(2, 2)]);
    assert_eq!(to_three(1, Some((0, 1))), []);
    assert_eq!(to_three(1, None), [(3, 1)]);
    assert_eq!(to_three(2, Some((1, 1))), [(3, 2)]);
}

/// The message of a table that does not lead to all destinations.
fn refused(rows: &str) -> String {
    let network = generated("Complete(routers: 3, hosts: 1)");
    let routes = read_routes(&format!("at,destination,next\n{rows}"), &network).unwrap().rows;
    Routing::Table { routes }.on(&network).unwrap_err().to_string()
}

#[test]
fn a_row_for_several_destinations_stands_for_a_row_for_each() {
    let network = generated("Complete(routers: 6, hosts: 1)");
    let rows = |text: &str| {
        let rows = read_routes(&format!("at,destination,next\n{text}"), &network);
        rows.map(|draft| match draft.rows.contents() {
            Contents::Hops(hops) => {
                let row = |hop: &crate::routing::rows::NextHop| (hop.at.0, hop.destination.0);
                hops.iter().map(row).collect::<Vec<_>>()
            }
            Contents::Routes(_) => Vec::new(),
        })
    };
    // A range leaves out the router of the row.
    assert_eq!(rows("s2,s0;s1..3,s4\n").unwrap(), [(2, 0), (2, 1), (2, 3)]);
    assert_eq!(rows("s5, 0..5 ,s4\n").unwrap().len(), 5);
    for (text, what) in [
        ("0,3..1,1", "s3 comes after s1 in the network"),
        ("0,1;;2,1", "there is no router ``"),
        ("0,1..9,1", "there is no router `9`"),
        ("0,0,1", "this row leads on from its destination"),
        ("0,1..3,1\n0,2,1", "the row at s0 to s2 is given twice, on lines 2 and 3"),
    ] {
        let mistakes = rows(text).unwrap_err();
        assert_eq!(mistakes[0].what, what);
    }
}

#[test]
fn tables_that_strand_messages_are_refused() {
    let most = "0,1,1\n0,2,2\n1,0,0\n1,2,2\n2,0,0\n";
    assert_eq!(
        refused(most),
        "the table has no row for messages from s2 to s1 at s2; add a row, or remove the rows that lead \
         there"
    );
    let circle = "0,1,1\n1,0,0\n2,0,0\n2,1,1\n0,2,1\n1,2,0\n";
    assert_eq!(
        refused(circle),
        "the table leads messages from s0 to s2 in a circle, s0 > s1 > s0, by lines 6, 7; correct the \
         next hop of one of these rows"
    );
}

/// The numbers of routes that use each link of a line from s0 over s1 to s2, the first two by two links
/// side by side.
fn uses(rows: &str) -> Vec<usize> {
    let text = "from,to,count\ns0,s1,2\ns1,s2,1\n";
    let network = network_files::read("a.csv", text.as_bytes()).unwrap().graph().network();
    let routes = read_routes(&format!("source,destination,route\n{rows}"), &network).unwrap().rows;
    let Contents::Routes(routes) = routes.contents() else { panic!("routes") };
    let links = network.outputs(RouterId(0)).iter();
    let used = |link: &ChannelId| {
        routes.iter().filter(|route| route.hops.iter().any(|(hop, _)| hop == link)).count()
    };
    links.map(used).collect()
}

#[test]
fn a_route_without_numbers_of_links_uses_all_of_them_equally() {
    assert_eq!(uses("s0,s2,s0>s1>s2\n"), [1, 1]);
    assert_eq!(uses("s0,s2,s0>s1/2>s2\n"), [0, 1]);
    // Two rows have the same share: half of the messages use the second link, the others either.
    assert_eq!(uses("s0,s2,s0>s1>s2\ns0,s2,s0>s1/2>s2\n"), [1, 3]);
}

#[test]
fn a_ring_in_one_direction_can_deadlock() {
    let table = std::fs::read_to_string("tests/networks/ring.noxim").unwrap();
    let network = "Torus(radix: [4], links: Unidirectional)";
    let read = scenario(network, 1, &format!("Table(routes: {table:?})"));
    let proof = prove(&read.system.network, &read.system.relation);
    let rule = scenario(network, 1, "DimensionOrder(classes: None)");
    let expected = prove(&rule.system.network, &rule.system.relation);
    assert_eq!(proof.verdict, expected.verdict);
    assert!(matches!(&proof.verdict, Verdict::Cyclic { cycle } if cycle.len() == 4));
}
