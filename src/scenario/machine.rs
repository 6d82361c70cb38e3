//! The field `switching` (its rules: [`policies`]): whether it fits the routing, the network and the
//! memory.

use std::sync::atomic::{AtomicU64, Ordering};

use super::checked::Checked;
use super::circuit;
use super::node::Node;
use super::plan::Plan;
use super::policies;
use super::reader::Reader;
use crate::routing::{Needs, Routing};
use crate::switching::{Circuit, Switching, Terminals, Wormhole};
use crate::words::{Contents, Kind, Value};

/// Flits in the buffer of each virtual channel where a scenario does not say.
pub const BUFFER_FLITS_DEFAULT: u32 = 4;
/// The most memory that a scenario may need, by estimate, in bytes: 8 GiB.
pub const MEMORY_MAX: u64 = 8 << 30;

/// What a run takes in all, as a multiple of the estimate for its engine: sources, statistics, copies.
const RUN_PER_ENGINE: u64 = 4;
/// The memory that this machine has for a run, in bytes.
static MACHINE: AtomicU64 = AtomicU64::new(u64::MAX);

/// From now on scenarios are refused whose runs need more than this many bytes, by estimate. Must be
/// called before the first scenario is read: an allocation that fails ends the program without a
/// message.
pub fn limit_memory(bytes: u64) {
    MACHINE.store(bytes, Ordering::Relaxed);
}

/// Estimates per item, in bytes.
const BYTES_PER_VC: u64 = 32;
const BYTES_PER_VC_IN_GENERAL: u64 = 72;
const BYTES_PER_CHANNEL: u64 = 40;
const BYTES_PER_TERMINAL: u64 = 150;

/// The field as read; what is left out is decided with the routing and the network.
pub(super) struct Draft<'a> {
    pub given: Checked<'a>,
    /// `None` if something is wrong with it.
    pub machine: Option<Switching>,
    pub circuits: bool,
    name: Node<'a>,
}

const VALUES: &[Value] = &[
    Value {
        name: "Wormhole",
        help: "Messages are worms of flits.",
        contents: Contents::Fields(&[policies::PRESET, Wormhole::FIELDS]),
    },
    Value {
        name: "Circuit",
        help: "Messages are sent over circuits.",
        contents: Contents::Fields(&[circuit::SERVICE, Circuit::FIELDS]),
    },
];

pub(super) const KIND: Kind = Kind::Choice(&[VALUES]);

pub(super) fn switching<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Draft<'a>> {
    let (choice, contents) = reader.pick("switching", node, &[VALUES])?;
    let given = reader.contents("switching", choice, contents)?;
    let circuits = choice.is == "Circuit";
    let machine = if circuits {
        circuit::read(&given).map(Switching::from)
    } else {
        policies::read(reader, &given, BUFFER_FLITS_DEFAULT).map(Switching::from)
    };
    Some(Draft { given, machine, circuits, name: choice.name })
}

/// Fills what was left out and checks that the routing has the VCs it needs, and the machine the
/// memory.
pub(super) fn fit<'a>(
    reader: &mut Reader<'a>,
    switching: &Draft<'a>,
    routing: Option<Routing>,
    network: Option<&Plan<'a>>,
) -> Option<Wormhole> {
    let (routing, network) = (routing?, network?);
    let need = match network.grid() {
        Some((family, radix)) => routing.virtual_channels_needed(family, radix),
        None => Needs { needed: 1, why: "one VC moves any message" },
    };
    let given = switching.given.fields.get("virtual_channels");
    let (at, virtual_channels) = match given {
        None => (switching.name, need.needed),
        Some(field) => (field.value, switching.given.given("virtual_channels")?),
    };
    if virtual_channels < need.needed {
        let what = format!(
            "this routing ({}) needs {} virtual channels on this {}, not {virtual_channels}: {}",
            routing.name(),
            need.needed,
            network.name(),
            need.why
        );
        return reader.refuse(at, what, format!("write {}", need.needed));
    }
    let machine = *switching.machine.as_ref()?.wormhole()?;
    let most = network.nodes_at_most();
    if machine.terminals == Terminals::Direct && most > 1 {
        let what = format!(
            "there are {most} hosts at a switch, and direct terminals have no channel by which a \
             message would go to another host of its own switch"
        );
        let help =
            "write `switching: Wormhole(terminals: Channels, ejection: PerWorm)`, or `hosts: 1`";
        return reader.refuse(network.size, what, help);
    }
    let mut channels = network.channels();
    if machine.terminals == Terminals::Channels {
        channels += 2 * network.nodes();
    }
    let per_vc = if machine.moves_by_default() { BYTES_PER_VC } else { BYTES_PER_VC_IN_GENERAL };
    let rest = channels * BYTES_PER_CHANNEL + network.nodes() * BYTES_PER_TERMINAL;
    let bytes = channels * u64::from(virtual_channels) * per_vc + rest;
    let left = MACHINE.load(Ordering::Relaxed) / RUN_PER_ENGINE;
    let limit = MEMORY_MAX.min(left);
    if bytes > limit {
        let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
        let (needed, limit_is) = if left < MEMORY_MAX {
            let left = gib(left * RUN_PER_ENGINE);
            (bytes * RUN_PER_ENGINE, format!("this machine has {left:.1} GiB for it"))
        } else {
            (bytes, format!("the limit is {:.0} GiB", gib(MEMORY_MAX)))
        };
        let what = format!(
            "{channels} channels of {virtual_channels} VCs would need about {:.1} GiB of memory; \
             {limit_is}",
            gib(needed),
        );
        let at = if given.is_some() { at } else { network.size };
        let most = limit.saturating_sub(rest) / (channels * per_vc);
        let help = if most >= u64::from(need.needed) {
            format!("write {most} VCs or fewer, or make the network smaller")
        } else {
            "make the network smaller".into()
        };
        return reader.refuse(at, what, help);
    }
    Some(Wormhole { virtual_channels, ..machine })
}
