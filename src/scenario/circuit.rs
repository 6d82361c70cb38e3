//! The field `switching` of circuits, its fit with routing and network, and lengths as transmission
//! times.

use super::names::shown;
use super::network::{Form, Plan};
use super::node::{Field, Node};
use super::reader::{Choice, Fields, Reader};
use super::rule::Rule;
use crate::routing::{Classes, Escape, Routing};
use crate::switching::Circuit;
use crate::switching::circuit::{BACK_OFF_DEFAULT, Conflict, Duplex, Remedy, SERVICE_DEFAULT};
use crate::topology::cube::Family;
use crate::traffic::Lengths;
use crate::units::FLITS_PER_TIME;

/// The fields, in the order in which messages list them.
const NAMES: [&str; 8] =
    ["conflict", "service", "verify", "connect", "release", "acknowledge", "duplex", "on_deadlock"];

/// The longest service, back-off or transmission in units of time.
const TIME_MAX: f64 = 100.0;
/// The longest mean of exponential transmission times: their longest are twenty times as long.
const EXPONENTIAL_MAX: f64 = 5.0;

/// The field as read; what is left out is decided with the network.
pub(super) struct Draft<'a> {
    machine: Circuit,
    conflict: Node<'a>,
    duplex: Option<(Field<'a>, Duplex)>,
    on_deadlock: Option<Field<'a>>,
}

/// Reads the fields; `None` if one of them is wrong.
pub(super) fn read<'a>(reader: &mut Reader<'a>, choice: Choice<'a>) -> Option<Draft<'a>> {
    let fields = reader.choice_fields("switching", choice, &NAMES);
    let conflict = reader.required(&fields, "conflict", "Hold");
    let law = conflict.and_then(|field| self::conflict(reader, field.value));
    let all = service(reader, &fields, "service", "the time of a service", SERVICE_DEFAULT);
    let usual = all.unwrap_or(SERVICE_DEFAULT);
    let verify = service(reader, &fields, "verify", "the time to verify a link", usual);
    let connect = service(reader, &fields, "connect", "the time to connect a link", usual);
    let release = service(reader, &fields, "release", "the time to release a link", usual);
    let name = "the time of the acknowledgement";
    let acknowledge = service(reader, &fields, "acknowledge", name, usual);
    let duplex = fields.get("duplex").map(|field| {
        let word = reader.word("switching.duplex", field.value, &["Half", "Full"]);
        word.map(|word| (field, if word == "Full" { Duplex::Full } else { Duplex::Half }))
    });
    let on_deadlock = fields.get("on_deadlock");
    let remedy = on_deadlock.map(|field| remedy(reader, field.value));
    all?;
    let mut machine = Circuit {
        verify: verify?,
        connect: connect?,
        release: release?,
        acknowledge: acknowledge?,
        ..Circuit::new(law?)
    };
    if let Some(remedy) = remedy {
        machine.on_deadlock = remedy?;
    }
    let duplex = match duplex {
        Some(read) => Some(read?),
        None => None,
    };
    Some(Draft { machine, conflict: conflict?.value, duplex, on_deadlock })
}

/// A time that may be 0; `None` where it is wrong.
fn service<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    field: &str,
    name: &str,
    usual: f64,
) -> Option<f64> {
    let Some(Field { value, .. }) = fields.get(field) else { return Some(usual) };
    let time = reader.number(value, name, "0.001")?;
    limited(reader, value, name, time, 0.0..=TIME_MAX)
}

/// A time within limits, in units of time.
fn limited<'a>(
    reader: &mut Reader<'a>,
    at: Node<'a>,
    name: &str,
    time: f64,
    limits: std::ops::RangeInclusive<f64>,
) -> Option<f64> {
    if limits.contains(&time) {
        return Some(time);
    }
    let (low, high) = limits.into_inner();
    let what = format!("{name} must be {low} to {high} units of time, not {}", shown(at.text));
    let help =
        if time < low { format!("write {low} or more") } else { format!("write {high} or less") };
    reader.problem(at, what, Some(help));
    None
}

/// The field `back_off` of a law or remedy.
fn back_off<'a>(reader: &mut Reader<'a>, path: &str, choice: Choice<'a>) -> Option<f64> {
    let fields = reader.choice_fields(path, choice, &["back_off"]);
    let Some(Field { value, .. }) = fields.get("back_off") else { return Some(BACK_OFF_DEFAULT) };
    let time = reader.positive(value, "the back-off", "1.5")?;
    let least = 1.0 / f64::from(FLITS_PER_TIME);
    limited(reader, value, "the back-off", time, least..=TIME_MAX)
}

fn conflict<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Conflict> {
    let path = "switching.conflict";
    let choice = reader.choice(path, node, &["Hold", "Drop", "Adaptive"])?;
    match choice.is {
        "Drop" => Some(Conflict::Drop { back_off: back_off(reader, path, choice)? }),
        "Adaptive" => Some(Conflict::Adaptive { back_off: back_off(reader, path, choice)? }),
        _ => {
            reader.no_contents(choice);
            Some(Conflict::Hold)
        }
    }
}

fn remedy<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Remedy> {
    let path = "switching.on_deadlock";
    let choice = reader.choice(path, node, &["Abort", "Stop", "Lanes"])?;
    if choice.is == "Abort" {
        return Some(Remedy::Abort { back_off: back_off(reader, path, choice)? });
    }
    reader.no_contents(choice);
    Some(if choice.is == "Stop" { Remedy::Stop } else { Remedy::Lanes })
}

/// Fills what was left out, and checks that law, routing and network fit. The rule that comes back
/// is the one meant: circuits know no classes of VCs but their lanes.
pub(super) fn fit<'a>(
    reader: &mut Reader<'a>,
    draft: &Draft<'a>,
    rule: Option<Rule<'a>>,
    network: Option<&Plan<'a>>,
) -> Option<(Circuit, Rule<'a>)> {
    let (rule, network) = (rule?, network?);
    let Form::Cube { family, radix } = &network.form else {
        let what = format!(
            "circuits are set up on tori, meshes and hypercubes, not on this {}",
            network.name()
        );
        let help = "write `switching: Wormhole()`, or another network";
        reader.problem(draft.conflict, what, Some(help.into()));
        return None;
    };
    let (family, dimensions) = (*family, radix.len());
    let mut machine = draft.machine;
    let usual = if family == Family::Hypercube { Duplex::Half } else { Duplex::Full };
    machine.duplex = draft.duplex.map_or(usual, |(_, duplex)| duplex);
    if let Some(classes) = rule.classes {
        let what = "circuits have no classes of virtual channels";
        reader.problem(classes, what, Some("leave this field out".into()));
        return None;
    }
    let routing = law_fits(reader, draft, rule.routing, network, dimensions)?;
    remedy_fits(reader, draft, &machine, network, family)?;
    Some((machine, Rule { routing, ..rule }))
}

/// The rule that a law needs.
fn law_fits<'a>(
    reader: &mut Reader<'a>,
    draft: &Draft<'a>,
    routing: Routing,
    network: &Plan<'a>,
    dimensions: usize,
) -> Option<Routing> {
    let (what, help) = match (draft.machine.conflict, routing) {
        (Conflict::Adaptive { .. }, _) if dimensions == 1 => (
            format!(
                "adaptive circuits look for another link that leads closer, and in this {} there \
                 is none",
                network.name()
            ),
            "write `Drop` or `Hold`, with `routing: DimensionOrder`",
        ),
        (Conflict::Adaptive { .. }, Routing::MinimalAdaptive { .. }) => {
            return Some(Routing::MinimalAdaptive { escape: Escape::None });
        }
        (Conflict::Adaptive { .. }, other) => (
            format!(
                "adaptive circuits take any link that leads closer, and this routing ({}) offers \
                 fewer",
                other.name()
            ),
            "write `routing: MinimalAdaptive`, or `Drop`",
        ),
        (law, Routing::DimensionOrder { .. }) => {
            let lanes = law == Conflict::Hold && draft.machine.on_deadlock == Remedy::Lanes;
            let classes = if lanes { Classes::Dateline } else { Classes::None };
            return Some(Routing::DimensionOrder { classes });
        }
        (_, other) => (
            format!(
                "a circuit that asks for one link at a time needs dimension order, not this \
                 routing ({})",
                other.name()
            ),
            "write `routing: DimensionOrder`, or `Adaptive`",
        ),
    };
    reader.problem(draft.conflict, what, Some(help.into()));
    None
}

/// Whether the remedy against deadlock has anything to cure, and can.
fn remedy_fits<'a>(
    reader: &mut Reader<'a>,
    draft: &Draft<'a>,
    machine: &Circuit,
    network: &Plan<'a>,
    family: Family,
) -> Option<()> {
    let Some(field) = draft.on_deadlock else { return Some(()) };
    let rings = matches!(family, Family::Torus { .. });
    let (what, help) = match (machine.conflict, machine.on_deadlock) {
        (Conflict::Drop { .. } | Conflict::Adaptive { .. }, _) => (
            "only circuits that wait for a link while they hold others can deadlock, and these give \
             up instead"
                .to_owned(),
            "leave `on_deadlock` out, or write `conflict: Hold`",
        ),
        (Conflict::Hold, Remedy::Lanes) if !rings => (
            format!(
                "a lane is changed behind a wrap-around link, and this {} has none",
                network.name()
            ),
            "write `Abort` or `Stop`",
        ),
        (Conflict::Hold, Remedy::Lanes)
            if machine.duplex == Duplex::Half
                && family == (Family::Torus { unidirectional: false }) =>
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
    reader.problem(field.value, what, Some(help.into()));
    None
}

/// Reads lengths as transmission times; they are kept in flits of 1/[`FLITS_PER_TIME`] of the unit.
pub(super) fn times<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Lengths> {
    let path = "traffic.lengths";
    let choice = reader.choice(path, node, &["Fixed", "Exponential", "Uniform"])?;
    match choice.is {
        "Fixed" => {
            let at = reader.single(choice, "Fixed(1)")?;
            time(reader, at, "a transmission time", TIME_MAX)
                .map(|time| Lengths::Fixed(flits(time)))
        }
        "Uniform" => {
            let fields = reader.choice_fields(path, choice, &["min", "max"]);
            let low = reader.required(&fields, "min", "0.1");
            let name = "the shortest transmission time";
            let min = low.and_then(|field| time(reader, field.value, name, TIME_MAX));
            let high = reader.required(&fields, "max", "1.9");
            let name = "the longest transmission time";
            let max = high.and_then(|field| time(reader, field.value, name, TIME_MAX));
            let (min, max) = (min?, max?);
            if min > max {
                let what =
                    format!("the longest transmission time, {max}, is below the shortest, {min}");
                reader.problem(high?.value, what, Some(format!("write {min} or more")));
                return None;
            }
            Some(Lengths::Uniform { min: flits(min), max: flits(max) })
        }
        _ => {
            let fields = reader.choice_fields(path, choice, &["mean"]);
            let at = reader.required(&fields, "mean", "1")?.value;
            let mean = time(reader, at, "the mean transmission time", EXPONENTIAL_MAX)?;
            Some(Lengths::Exponential(mean * f64::from(FLITS_PER_TIME)))
        }
    }
}

fn time<'a>(reader: &mut Reader<'a>, at: Node<'a>, name: &str, most: f64) -> Option<f64> {
    let time = reader.number(at, name, "1")?;
    limited(reader, at, name, time, 1.0 / f64::from(FLITS_PER_TIME)..=most)
}

fn flits(time: f64) -> u32 {
    (time * f64::from(FLITS_PER_TIME)).round() as u32
}
