//! Reduced deadlocks of tables: rows of other pairs do not keep routers that no message visits.

use super::*;
use crate::routing::Routing;
use crate::routing::rows::Contents;

/// A ring of four routers with a hub, by a table: messages go round the ring by one or two links, and to the
/// router behind over the hub, which has a host of its own.
fn ring_with_hub(as_routes: bool) -> Scenario {
    let mut rows = String::new();
    let ways = (0..4_u32).flat_map(|from| {
        let on = move |hops: u32| (from + hops) % 4;
        let to = [vec![from, on(1)], vec![from, on(1), on(2)], vec![from, 4, on(3)], vec![from, 4]];
        to.into_iter().chain([vec![4, from]])
    });
    for way in ways {
        let [from, .., to] = way[..] else { panic!("a way has two ends") };
        let line = if as_routes {
            let way: Vec<String> = way.iter().map(u32::to_string).collect();
            format!("{from},{to},{},{}\\n", way.join(">"), vec!["0"; way.len() - 1].join(">"))
        } else {
            format!("{from},{to},{}\\n", way[1])
        };
        rows += &line;
    }
    let columns = if as_routes { "source,destination,route,vcs" } else { "at,destination,next" };
    let links = "(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)";
    given(
        &format!("Switches(links: [{links}], hosts: 1)"),
        &format!("Table(routes: \"{columns}\\n{rows}\")"),
        "virtual_channels: 1",
        RANDOM,
    )
}

#[test]
fn routers_that_only_other_rows_need_are_removed() {
    for as_routes in [false, true] {
        let found = shrunk(ring_with_hub(as_routes));
        assert!(found.complete && found.sizes[1].routers <= 4, "{}", found.text);
        is_minimal(&found);
        let scenario = parse("hang.ron", &found.text, &[]).unwrap();
        let Routing::Table { routes } = scenario.system.relation.routing() else {
            panic!("a table")
        };
        let hosts = scenario.system.network.nodes();
        let most = match routes.contents() {
            Contents::Hops(hops) => hops.iter().map(|hop| hop.destination).len(),
            Contents::Routes(routes) => routes.len(),
        };
        // Rows lead between hosts only.
        assert!(most <= hosts * 3, "{most} rows for {hosts} hosts: {}", found.text);
    }
}
