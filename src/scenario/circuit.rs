//! The field `switching` of circuits, and its compatibility with routing and network.

use super::checked::Checked;
use super::node::{Field, Node};
use super::plan::Plan;
use super::reader::{Fields, Reader};
use super::rule::Rule;
use crate::routing::rows::Contents;
use crate::routing::{Classes, Escape, Rising, Routing, UpLinks};
use crate::switching::Circuit;
use crate::switching::circuit::{Conflict, Duplex, Remedy, TIME_MAX};
use crate::topology::cube::Cube;
use crate::words::{self, Kind, Need, words};

/// The field that sets all times of a controller.
pub(super) const SERVICE: &[words::Field] = words!(@fields
    /// The time of each controller action that is not given separately.
    service = Need::Default("0.001"),
        Kind::within("the time of a service", "0.001", (0.0, TIME_MAX), "units of time");
);

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
) -> Option<(Circuit, Rule<'a>)> {
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
    let placement = match routing.on(network) {
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
        let help = match placement.routing {
            Routing::Layered { .. } => "write `routing: Layered(layers: 1)`",
            _ => WITHOUT_CHOICE[usize::from(network.grid().is_none())],
        };
        return reader.refuse(conflict, what, help);
    }
    Some((machine, Rule { placement, ..rule }))
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
            return Some(Routing::MinimalAdaptive { escape: Escape::None });
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
            format!(
                "lanes change after a wrap-around link in dimension order, and this {} has none",
                network.name()
            ),
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
