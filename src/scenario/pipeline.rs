//! Checks the fields of a machine against its pipeline.

use super::reader::{Fields, Reader};
use crate::routing::Needs;
use crate::switching::{
    Allocation, Forwarding, Injection, OnDeadlock, Release, Selection, Wormhole,
};
use crate::topology::Network;
use crate::traffic::Traffic;
use crate::words::Words;

/// The rules that a pipelined router always has.
const FIXED: [&str; 7] =
    ["bandwidth", "injection", "ejection", "terminals", "allocation", "selection", "latency_to"];

/// True if the fields of a machine are compatible with its pipeline.
pub(super) fn fits<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>, machine: &Wormhole) -> bool {
    match machine.pipeline.stages() {
        Some(stages) => {
            let usual = Wormhole::pipelined(1, stages);
            let injection = match machine.injection {
                Injection::RepliesFirst => Injection::RepliesFirst,
                Injection::OneMessage
                | Injection::OneFlitPerCycle
                | Injection::Independent { .. } => usual.injection,
            };
            let allocation = match machine.allocation {
                Allocation::OldestFirst | Allocation::Classes(_) => machine.allocation,
                Allocation::RoundRobin
                | Allocation::FirstComeFirstServed
                | Allocation::FirstAskedFirstServed => usual.allocation,
            };
            has_the_rules(reader, fields, machine, &Wormhole { injection, allocation, ..usual })
        }
        None => needs_no_pipeline(reader, fields, machine),
    }
}

/// True for the rest of a field after its name.
fn is_value(rest: &str) -> bool {
    rest.starts_with(':')
}

fn has_the_rules<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    machine: &Wormhole,
    usual: &Wormhole,
) -> bool {
    let fixed = |name: &str| FIXED.iter().find(|it| name.strip_prefix(**it).is_some_and(is_value));
    let mut pairs = machine.told().into_iter().zip(usual.told());
    let differing = pairs.find_map(|(found, right)| {
        let name = fixed(&found).filter(|_| found != right)?;
        Some((*name, found, right))
    });
    if let Some((name, found, right)) = differing {
        let what = format!("a router with a pipeline has `{right}`, not `{found}`");
        let help = if fields.get(name).is_some() {
            format!("write `{right}`, or `pipeline: Immediate`")
        } else {
            "write `preset: BookSim2`, remove the preset, or write `pipeline: Immediate`".to_owned()
        };
        return refuse(reader, fields, &[name, "preset", "pipeline"], what, help);
    }
    if machine.forwarding == Forwarding::StoreAndForward {
        let what = "a router with a pipeline forwards a head before its tail has arrived";
        let help = "write `forwarding: CutThrough`, or `pipeline: Immediate`";
        return refuse(reader, fields, &["forwarding"], what.into(), help.into());
    }
    if machine.on_deadlock == OnDeadlock::Abort {
        let what = "a router with a pipeline cannot remove messages from the network";
        let help = "write `on_deadlock: Stop` or `Continue`, or `pipeline: Immediate`";
        return refuse(reader, fields, &["on_deadlock"], what.into(), help.into());
    }
    true
}

/// True if a machine without a pipeline has no rule of pipelines.
fn needs_no_pipeline<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>, machine: &Wormhole) -> bool {
    let in_pipelines =
        matches!(machine.allocation, Allocation::RoundRobin | Allocation::Classes(_));
    let (name, value) = if in_pipelines {
        ("allocation", machine.allocation.word())
    } else if machine.selection == Selection::RoundRobin {
        ("selection", machine.selection.word())
    } else if machine.injection == Injection::RepliesFirst {
        ("injection", machine.injection.word())
    } else if machine.release == Release::Credit {
        ("release", machine.release.word())
    } else if machine.forwarding == Forwarding::Bubble {
        ("forwarding", machine.forwarding.word())
    } else {
        return true;
    };
    let what = format!("`{name}: {value}` is a rule of routers with a pipeline");
    let help = format!("add `pipeline: Stages()`, or write another `{name}`");
    refuse(reader, fields, &[name, "pipeline", "preset"], what, help)
}

/// Reports a problem at the first given field. Returns false.
fn refuse<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    names: &[&str],
    what: String,
    help: String,
) -> bool {
    let at = names.iter().find_map(|name| fields.get(name)).map_or(fields.owner, |it| it.value);
    reader.refuse::<()>(at, what, help).is_some()
}

/// Checks the routing against bubble flow control, and the network for rings.
pub(super) fn bubble_fits<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    machine: &Wormhole,
    needs: &Needs,
    network: &Network,
) -> bool {
    if machine.forwarding != Forwarding::Bubble {
        return true;
    }
    let (what, help) = if network.rings().iter().all(Option::is_none) {
        (
            "bubble flow control serves the rings of a torus, and there are none",
            "write `CutThrough`",
        )
    } else if needs.needed > 1 {
        (
            "under bubble flow control all VCs of a ring are alike, and this routing divides them into \
             classes",
            "write `routing: DimensionOrder(classes: None)`, or `forwarding: CutThrough`",
        )
    } else {
        return true;
    };
    refuse(reader, fields, &["forwarding"], what.into(), help.into())
}

/// Checks messages against a pipeline.
pub(super) fn serves<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    machine: &Wormhole,
    traffic: Option<&Traffic>,
) {
    if machine.pipeline.stages().is_none() {
        return;
    }
    let mut problem = |what: String, help: &str| {
        refuse(reader, fields, &["pipeline", "preset"], what, help.to_owned());
    };
    if traffic.is_some_and(|traffic| traffic.classes.have_limited_room()) {
        let what = "nodes behind routers with a pipeline have room for all requests";
        problem(what.into(), "remove `room`, or write `pipeline: Immediate`");
    }
}
