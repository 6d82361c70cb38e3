//! The field `switching` of circuits, and its compatibility with routing and network.

use super::checked::Checked;
use super::node::{Field, Node};
use super::plan::Plan;
use super::reader::{Fields, Reader};
use super::rule::Rule;
use crate::ids::{ChannelId, RouterId};
use crate::routing::rows::Contents;
use crate::routing::{Classes, Escape, Rising, Routing, UpLinks};
use crate::switching::Circuit;
use crate::switching::circuit::{Conflict, Duplex, Remedy, TIME_MAX};
use crate::topology::cube::{Cube, ROUTERS_MAX};
use crate::words::{self, Kind, Need, Structure, words};

/// The field that sets all times of a controller.
pub(super) const SERVICE: &[words::Field] = words!(@fields
    /// The time of each controller action that is not given separately.
    service = Need::Default("0.001"),
        Kind::within("the time of a service", "0.001", (0.0, TIME_MAX), "units of time");
);

/// The field that lists failed links.
pub(super) const FAILED: &[words::Field] = words!(@fields
    /// Links that have failed for the whole run, in both directions: the numbers of their two routers, as in
    /// `[(0, 1)]`. A circuit finds them in use.
    failed = Need::Open,
        Kind::Own("a list of links", Structure::List(&LINK, (1, LINKS_MAX)));
);

/// A link by its routers.
const LINK: Kind = Kind::Own(
    "the two routers of a link",
    Structure::Tuple(&[Kind::whole("the number of a router", 0, ROUTERS_MAX as u32 - 1)], (2, 2)),
);
/// Maximum length of a list of failed links.
const LINKS_MAX: usize = 1 << 16;

pub(super) fn read(given: &Checked<'_>) -> Option<Circuit> {
    let service = given.get("service")?;
    let base = Circuit {
        verify: service,
        connect: service,
        release: service,
        acknowledge: service,
        ..Circuit::new(Conflict::Hold)
    };
    given.over(&base)
}

/// Fills in defaults, and checks that conflict rule, routing and network are compatible. The
/// returned routing has the classes implied by the remedy: lanes are the only classes of VCs of
/// circuits.
pub(super) fn fit<'a>(
    reader: &mut Reader<'a>,
    mut machine: Circuit,
    fields: &Fields<'a>,
    rule: Option<Rule<'a>>,
    network: Option<&Plan<'a>>,
) -> Option<(Circuit, Rule<'a>, Vec<ChannelId>)> {
    let (rule, network, conflict) = (rule?, network?, fields.get("conflict")?.value);
    if fields.get("duplex").is_none() {
        let half = network.cube().is_some_and(Cube::is_hypercube);
        machine.duplex = if half { Duplex::Half } else { Duplex::Full };
    }
    if let Some(classes) = rule.classes.filter(|given| given.text != "None") {
        let what = "circuits have no classes of virtual channels";
        return reader.refuse(classes, what, "leave this field out");
    }
    if network.has_paced_links() {
        let what = "circuits are set up over links as fast as the machine's, and these have delays";
        return reader.refuse(network.size, what, "leave out `delays`");
    }
    let routing = law_fits(reader, (&machine, conflict), rule.placement.routing, network)?;
    remedy_fits(reader, fields.get("on_deadlock"), &machine, (network, &routing))?;
    let failed = match fields.get("failed") {
        None => Vec::new(),
        Some(field) => failed(reader, field.value, network)?,
    };
    // Routes found on the network avoid failed links; coordinates know of none.
    let placement = match routing.on(&network.avoiding(&failed)) {
        Ok(placement) => placement,
        Err(why) => return reader.refuse(conflict, why.what, why.help),
    };
    if placement.needs.needed > machine.lanes() {
        let what = format!(
            "this routing ({}) needs {} classes of virtual channels, and circuits have none: {}",
            placement.routing.name(),
            placement.needs.needed,
            placement.needs.why
        );
        let help = if matches!(placement.routing, Routing::Layered { .. }) {
            "write `routing: Layered(layers: 1)`"
        } else {
            WITHOUT_CHOICE[usize::from(network.grid().is_none())]
        };
        return reader.refuse(conflict, what, help);
    }
    Some((machine, Rule { placement, ..rule }, failed))
}

/// Reads failed links; without them, a path must lead from every router to every other.
fn failed<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    network: &Plan<'a>,
) -> Option<Vec<ChannelId>> {
    let help = "write the two routers of each, such as `[(0, 1)]`";
    let parts = reader.list(node, "the failed links", help)?;
    let last = network.routers() as u32 - 1;
    let links = reader.each(&parts, |reader, part| {
        let ends = reader.pair(part, "a failed link joins two routers, `(0, 1)`")?;
        let ends = ends.map(|end| reader.small(end, "the number of a router", 0..=last));
        let [from, to] = [RouterId(ends[0]?), RouterId(ends[1]?)];
        let between = |from: RouterId, to: RouterId| {
            let leads = move |&&link: &&ChannelId| network.channel(link).to == to;
            network.outputs(from).iter().filter(leads).copied()
        };
        let found: Vec<ChannelId> = between(from, to).chain(between(to, from)).collect();
        if found.is_empty() {
            let names = [from, to].map(|at| network.router_name(at));
            let what = format!("no link joins {} and {}", names[0], names[1]);
            return reader.refuse(part, what, "write the routers of a link");
        }
        Some(found)
    })?;
    let failed = links.concat();
    let rest = network.avoiding(&failed);
    let start = RouterId(0);
    let all = rest.distances(start).into_iter().zip(rest.distances_to(start));
    let is_apart = |(there, back): (u32, u32)| there.max(back) == u32::MAX;
    if let Some(apart) = all.into_iter().position(is_apart) {
        let names = [start, RouterId::new(apart)].map(|at| network.router_name(at));
        let what = format!("without these links no path joins {} and {}", names[0], names[1]);
        return reader.refuse(node, what, "remove a link from the list");
    }
    Some(failed)
}

/// Routings without choices on grids, and on other networks.
const WITHOUT_CHOICE: [&str; 2] = ["write `routing: DimensionOrder`", "write `routing: UpDown()`"];

/// The routing required by the conflict rule.
fn law_fits<'a>(
    reader: &mut Reader<'a>,
    (machine, conflict): (&Circuit, Node<'a>),
    routing: Routing,
    network: &Plan<'a>,
) -> Option<Routing> {
    let dimensions = |grid: &Cube| grid.radix().iter().filter(|&&k| k > 1).count();
    let without_choice = WITHOUT_CHOICE[usize::from(network.grid().is_none())];
    let (what, help) = match (machine.conflict, routing) {
        (Conflict::Adaptive { .. }, _) if network.grid().is_some_and(|it| dimensions(it) == 1) => (
            format!(
                "adaptive circuits look for another link that leads closer, and in this {} there \
                 is none",
                network.name()
            ),
            "write `Drop` or `Hold`, with `routing: DimensionOrder`".to_owned(),
        ),
        (Conflict::Adaptive { .. }, Routing::MinimalAdaptive { .. }) => {
            return Some(Routing::minimal_adaptive(Escape::None));
        }
        (Conflict::Adaptive { .. }, Routing::Minimal { .. }) => {
            return Some(Routing::Minimal { classes: Rising::None });
        }
        (
            Conflict::Adaptive { .. },
            routing @ Routing::NearestCommonAncestor { up: UpLinks::Free },
        ) => return Some(routing),
        (Conflict::Adaptive { .. }, other) => {
            let minimal = if network.grid().is_some() { "MinimalAdaptive" } else { "Minimal()" };
            let what = format!(
                "adaptive circuits take any link that leads closer, and this routing ({}) offers \
                 fewer",
                other.name()
            );
            (what, format!("write `routing: {minimal}`, or `Drop`"))
        }
        (law, Routing::DimensionOrder { order, .. }) => {
            let lanes = law == Conflict::Hold && machine.on_deadlock == Remedy::Lanes;
            let classes = if lanes { Classes::Dateline } else { Classes::None };
            return Some(Routing::DimensionOrder { classes, order });
        }
        (_, other) if has_one_way(&other) => return Some(other),
        (_, other) => (
            format!(
                "a circuit that requests one link at a time needs a routing without choices, such \
                 as dimension order, not this one ({})",
                other.name()
            ),
            format!("{without_choice}, or `Adaptive`"),
        ),
    };
    reader.refuse(conflict, what, help)
}

/// True if a message has a single candidate at every router.
fn has_one_way(routing: &Routing) -> bool {
    let Routing::Table { routes } = routing else { return !routing.offers_choice() };
    match routes.contents() {
        Contents::Routes(_) => true,
        Contents::Hops(hops) => {
            let mut heads: Vec<_> = hops.iter().map(|hop| (hop.at, hop.destination)).collect();
            heads.sort_unstable();
            heads.windows(2).all(|two| two[0] != two[1])
        }
    }
}

/// Checks that the remedy against deadlock is necessary and effective.
fn remedy_fits<'a>(
    reader: &mut Reader<'a>,
    field: Option<Field<'a>>,
    machine: &Circuit,
    (network, routing): (&Plan<'a>, &Routing),
) -> Option<()> {
    let Some(field) = field else { return Some(()) };
    let rings = network.grid().filter(|cube| cube.wraps());
    let rings = rings.filter(|_| matches!(routing, Routing::DimensionOrder { .. }));
    let (what, help) = match (machine.conflict, machine.on_deadlock) {
        (Conflict::Drop { .. } | Conflict::Adaptive { .. }, _) => (
            "only circuits that wait for a link while they hold others can deadlock, and these give \
             up instead"
                .to_owned(),
            "leave `on_deadlock` out, or write `conflict: Hold`",
        ),
        (Conflict::Hold, Remedy::Lanes) if rings.is_none() => (
            match network.cube() {
                Some(cube) => format!(
                    "lanes change after a wrap-around link, and this {} has none",
                    cube.name()
                ),
                None => format!(
                    "lanes change after a wrap-around link in dimension order, and there is none in {}",
                    network.pointed_at()
                ),
            },
            "write `Abort` or `Stop`",
        ),
        (Conflict::Hold, Remedy::Lanes)
            if machine.duplex == Duplex::Half && rings.is_some_and(Cube::goes_both_ways_round) =>
        {
            (
                "lanes do not help where both directions share a link: two circuits that meet head \
                 on wait for each other"
                    .to_owned(),
                "write `duplex: Full`, or `on_deadlock: Abort`",
            )
        }
        _ => return Some(()),
    };
    reader.refuse(field.value, what, help)
}
