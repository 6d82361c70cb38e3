//! The field `switching` of circuits, and its compatibility with routing and network.

use super::checked::Checked;
use super::node::{Field, Node};
use super::plan::Plan;
use super::reader::{Fields, Reader};
use super::rule::Rule;
use crate::routing::{Classes, Escape, Routing};
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
    let Some(cube) = network.cube() else {
        let what = format!(
            "circuits are set up on tori, meshes and hypercubes, not on {}",
            network.pointed_at()
        );
        let help = "write `switching: Wormhole()`, or another network";
        return reader.refuse(conflict, what, help);
    };
    if fields.get("duplex").is_none() {
        machine.duplex = if cube.is_hypercube() { Duplex::Half } else { Duplex::Full };
    }
    if let Some(classes) = rule.classes {
        let what = "circuits have no classes of virtual channels";
        return reader.refuse(classes, what, "leave this field out");
    }
    if network.has_paced_links() {
        let what = "circuits are set up over links as fast as the machine's, and these have delays";
        return reader.refuse(network.size, what, "leave out `delays`");
    }
    let dimensions = cube.radix().iter().filter(|&&k| k > 1).count();
    let routing = rule.placement.routing;
    let routing = law_fits(reader, (&machine, conflict), routing, network, dimensions)?;
    remedy_fits(reader, fields.get("on_deadlock"), &machine, cube)?;
    let placement = routing.on(network).ok()?;
    Some((machine, Rule { placement, ..rule }))
}

/// The routing required by the conflict rule.
fn law_fits<'a>(
    reader: &mut Reader<'a>,
    (machine, conflict): (&Circuit, Node<'a>),
    routing: Routing,
    network: &Plan<'a>,
    dimensions: usize,
) -> Option<Routing> {
    let (what, help) = match (machine.conflict, routing) {
        (Conflict::Adaptive { .. }, _) if dimensions == 1 => (
            format!(
                "adaptive circuits look for another link that leads closer, and in this {} there \
                 is none",
                network.name()
            ),
            "write `Drop` or `Hold`, with `routing: DimensionOrder`",
        ),
        (Conflict::Adaptive { .. }, Routing::MinimalAdaptive { .. }) => {
            return Some(Routing::minimal_adaptive(Escape::None));
        }
        (Conflict::Adaptive { .. }, other) => (
            format!(
                "adaptive circuits take any link that leads closer, and this routing ({}) offers \
                 fewer",
                other.name()
            ),
            "write `routing: MinimalAdaptive`, or `Drop`",
        ),
        (law, Routing::DimensionOrder { order, .. }) => {
            let lanes = law == Conflict::Hold && machine.on_deadlock == Remedy::Lanes;
            let classes = if lanes { Classes::Dateline } else { Classes::None };
            return Some(Routing::DimensionOrder { classes, order });
        }
        (_, other) => (
            format!(
                "a circuit that requests one link at a time needs dimension order, not this \
                 routing ({})",
                other.name()
            ),
            "write `routing: DimensionOrder`, or `Adaptive`",
        ),
    };
    reader.refuse(conflict, what, help)
}

/// Checks that the remedy against deadlock is necessary and effective.
fn remedy_fits<'a>(
    reader: &mut Reader<'a>,
    field: Option<Field<'a>>,
    machine: &Circuit,
    cube: &Cube,
) -> Option<()> {
    let Some(field) = field else { return Some(()) };
    let (what, help) = match (machine.conflict, machine.on_deadlock) {
        (Conflict::Drop { .. } | Conflict::Adaptive { .. }, _) => (
            "only circuits that wait for a link while they hold others can deadlock, and these give \
             up instead"
                .to_owned(),
            "leave `on_deadlock` out, or write `conflict: Hold`",
        ),
        (Conflict::Hold, Remedy::Lanes) if !cube.wraps() => (
            format!(
                "lanes change after a wrap-around link, and this {} has none",
                cube.name()
            ),
            "write `Abort` or `Stop`",
        ),
        (Conflict::Hold, Remedy::Lanes)
            if machine.duplex == Duplex::Half && cube.goes_both_ways_round() =>
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
