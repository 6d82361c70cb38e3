//! The field `switching`: checks a machine against routing, network, messages and memory.

use super::checked::Checked;
use super::node::{Field, Node};
use super::plan::Plan;
use super::reader::{Fields, Reader};
use super::{circuit, pipeline};
use crate::memory;
use crate::routing::Placement;
use crate::switching::{
    BUFFER_FLITS_MAX, Circuit, Ejection, Forwarding, Injection, MessageVcs, Pipeline, Preset,
    Switching, Terminals, VIRTUAL_CHANNELS_MAX, Wormhole,
};
use crate::traffic::{Lengths, Traffic};
use crate::words::{self, Contents, Kind, Need, Value, Words, words};

/// The default size of the buffer of each virtual channel, in flits.
pub const BUFFER_FLITS_DEFAULT: u32 = 4;
/// The maximal memory of a scenario, by estimate, in bytes: 8 GiB.
pub const MEMORY_MAX: u64 = 8 << 30;

/// The memory of a run as a multiple of the estimate for its engine; includes sources, statistics
/// and copies.
const RUN_PER_ENGINE: u64 = 4;
/// Estimates per item, in bytes.
const BYTES_PER_VC: u64 = 32;
const BYTES_PER_VC_IN_GENERAL: u64 = 72;
const BYTES_PER_CHANNEL: u64 = 40;
const BYTES_PER_TERMINAL: u64 = 150;

/// The field as read; defaults depend on routing and network.
pub(super) struct Draft<'a> {
    pub given: Checked<'a>,
    /// `None` after a mistake.
    pub machine: Option<Switching>,
    pub circuits: bool,
    name: Node<'a>,
}

/// The field that chooses a published machine.
const PRESET: &[words::Field] = words!(@fields
    /// A published machine, with buffers of one flit; `FiniteBuffers1997` has buffers of 200 flits
    /// and delays of 10 cycles. Other given fields override those of the preset.
    preset = Need::Open, Preset::KIND;
);

const VALUES: &[Value] = &[
    Value {
        name: "Wormhole",
        help: "Messages are worms of flits.",
        contents: Contents::Fields(&[PRESET, Wormhole::FIELDS]),
    },
    Value {
        name: "Circuit",
        help: "Messages are sent over circuits.",
        contents: Contents::Fields(&[circuit::SERVICE, Circuit::FIELDS, circuit::FAILED]),
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
        read(reader, &given).map(Switching::from)
    };
    Some(Draft { given, machine, circuits, name: choice.name })
}

/// Fills in defaults; checks that the number of VCs suffices for the routing, and that the memory
/// suffices.
pub(super) fn fit<'a>(
    reader: &mut Reader<'a>,
    switching: &Draft<'a>,
    placement: Option<&Placement>,
    network: Option<&Plan<'a>>,
) -> Option<Wormhole> {
    let (Placement { routing, needs: need, .. }, network) = (placement?, network?);
    let machine = *switching.machine.as_ref()?.wormhole()?;
    let given = switching.given.fields.get("virtual_channels");
    let split = split(reader, switching, &machine, placement?)?;
    let (at, virtual_channels) = match given {
        None => (switching.name, split.unwrap_or(need.needed)),
        Some(field) => (field.value, switching.given.given("virtual_channels")?),
    };
    if let (Some(all), Some(field)) = (split, given)
        && all != virtual_channels
    {
        let name = if matches!(machine.message_classes, MessageVcs::Ranges(_)) {
            "Ranges"
        } else {
            "Split"
        };
        let what = format!(
            "there are {virtual_channels} virtual channels, and `{name}` divides {all} among the message \
             classes"
        );
        return reader.refuse(field.value, what, format!("write {all}, or remove the field"));
    }
    if virtual_channels < need.needed {
        let what = format!(
            "this routing ({}) needs {} virtual channels on {}, not {virtual_channels}: {}",
            routing.name(),
            need.needed,
            network.pointed_at(),
            need.why
        );
        return reader.refuse(at, what, format!("write {}", need.needed));
    }
    if !pipeline::bubble_fits(reader, &switching.given.fields, &machine, need, network) {
        return None;
    }
    let most = network.terminals_at_most();
    if machine.terminals == Terminals::Direct && most > 1 {
        let what = format!(
            "there are {most} hosts at a switch, and direct terminals have no channel for messages \
             to another host of the same switch"
        );
        let help =
            "write `switching: Wormhole(terminals: Channels, ejection: PerWorm)`, or `hosts: 1`";
        return reader.refuse(network.size, what, help);
    }
    let at_once = machine.credit_delay == 0 && machine.pipeline == Pipeline::Immediate;
    if at_once && network.has_paced_links() {
        let what = "with `credit_delay: 0` a slot is refilled in the cycle in which it is emptied, but credits \
                    of links with their own delay or rate take time";
        return reader.refuse(at, what, "write `credit_delay: 1`");
    }
    let (links, nodes) = (network.links() as u64, network.nodes() as u64);
    let terminals = if machine.terminals == Terminals::Channels { 2 * nodes } else { 0 };
    let per_vc = if machine.moves_by_default() { BYTES_PER_VC } else { BYTES_PER_VC_IN_GENERAL };
    let vcs = Vcs { bytes: per_vc, given: virtual_channels, needed: need.needed };
    let at = if given.is_some() { at } else { network.size };
    memory_suffices(reader, nodes, links + terminals, Some(vcs), at)?;
    Some(Wormhole { virtual_channels, ..machine })
}

/// The number of VCs of all message classes together, if each class has its own: `Some(None)` if all
/// share them, `None` if a class has fewer than the routing needs.
#[expect(clippy::option_option, reason = "absence and mistakes differ")]
fn split<'a>(
    reader: &mut Reader<'a>,
    switching: &Draft<'a>,
    machine: &Wormhole,
    placement: &Placement,
) -> Option<Option<u32>> {
    let Some(field) = switching.given.fields.get("message_classes") else { return Some(None) };
    let at = field.value;
    let (counts, all): (Vec<u32>, u32) = match machine.message_classes {
        MessageVcs::Shared => return Some(None),
        MessageVcs::Split(counts) => (counts.all().to_vec(), counts.all().iter().sum()),
        MessageVcs::Ranges(ranges) => {
            ranges_fit(reader, at, ranges.all(), placement)?;
            let counts = ranges.all().iter().map(|(from, to)| to - from + 1).collect();
            (counts, ranges.all().iter().map(|(_, to)| to + 1).max().unwrap_or(0))
        }
    };
    let Placement { routing, needs, .. } = placement;
    if let Some(few) = counts.iter().find(|&&count| count < needs.needed) {
        let what = format!(
            "this routing ({}) needs {} virtual channels for every message class, not {few}: {}",
            routing.name(),
            needs.needed,
            needs.why
        );
        return reader.refuse(at, what, format!("write {} or more", needs.needed));
    }
    if all > VIRTUAL_CHANNELS_MAX {
        let what = format!("{all} virtual channels exceed the maximum, {VIRTUAL_CHANNELS_MAX}");
        return reader.refuse(at, what, "write smaller numbers");
    }
    Some(Some(all))
}

/// Reports ranges that end before they begin, and overlapping ones that the routing does not permit.
fn ranges_fit<'a>(
    reader: &mut Reader<'a>,
    at: Node<'a>,
    ranges: &[(u32, u32)],
    placement: &Placement,
) -> Option<()> {
    if let Some((from, to)) = ranges.iter().find(|(from, to)| from > to) {
        let what = format!("the range ({from}, {to}) ends before it begins");
        return reader.refuse(at, what, format!("write ({to}, {from})"));
    }
    let overlap = |(number, a): (usize, &(u32, u32))| {
        let later = &ranges[number + 1..];
        later.iter().find(|b| a.0 <= b.1 && b.0 <= a.1).map(|b| (*a, *b))
    };
    let overlapping = ranges.iter().enumerate().find_map(overlap);
    if let Some((a, b)) = overlapping.filter(|_| !placement.has_one_class()) {
        let what = format!(
            "the ranges {a:?} and {b:?} overlap, and this routing ({}) gives its VCs several classes",
            placement.routing.name()
        );
        return reader.refuse(at, what, "write ranges without common VCs");
    }
    Some(())
}

/// The virtual channels of each channel.
struct Vcs {
    bytes: u64,
    given: u32,
    needed: u32,
}

/// Reports, at `at`, a scenario that does not fit into memory. Circuits have no VCs.
fn memory_suffices<'a>(
    reader: &mut Reader<'a>,
    nodes: u64,
    channels: u64,
    vcs: Option<Vcs>,
    at: Node<'a>,
) -> Option<()> {
    let rest = channels * BYTES_PER_CHANNEL + nodes * BYTES_PER_TERMINAL;
    let of_vcs = vcs.as_ref().map_or(0, |vcs| channels * u64::from(vcs.given) * vcs.bytes);
    let bytes = of_vcs + rest;
    let left = memory::available() / RUN_PER_ENGINE;
    let limit = MEMORY_MAX.min(left);
    if bytes <= limit {
        return Some(());
    }
    let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    let (needed, limit_is) = if left < MEMORY_MAX {
        let left = gib(left * RUN_PER_ENGINE);
        (bytes * RUN_PER_ENGINE, format!("this machine has {left:.1} GiB for it"))
    } else {
        (bytes, format!("the limit is {:.0} GiB", gib(MEMORY_MAX)))
    };
    let of = vcs.as_ref().map_or(String::new(), |vcs| format!(" of {} VCs", vcs.given));
    let what = format!(
        "{channels} channels{of} would need about {:.1} GiB of memory; {limit_is}",
        gib(needed),
    );
    let fewer = vcs.and_then(|vcs| {
        let most = limit.saturating_sub(rest) / (channels * vcs.bytes);
        (most >= u64::from(vcs.needed)).then_some(most)
    });
    let help = match fewer {
        Some(most) => format!("write {most} VCs or fewer, or make the network smaller"),
        None => "make the network smaller".into(),
    };
    reader.refuse(at, what, help)
}

/// Reports a network that does not fit into memory even without VCs; circuits need no more.
pub(super) fn network_has_memory<'a>(
    reader: &mut Reader<'a>,
    links: u64,
    nodes: u64,
    size: Node<'a>,
) -> Option<()> {
    memory_suffices(reader, nodes, links, None, size)
}

/// Reads a machine, except for its number of virtual channels; `None` if a field is wrong, or
/// fields are incompatible.
fn read<'a>(reader: &mut Reader<'a>, given: &Checked<'a>) -> Option<Wormhole> {
    let preset = given.get("preset");
    let mut base = match preset {
        Some(preset) => Wormhole::preset(preset, 1),
        None => match given.get::<Pipeline>("pipeline").and_then(Pipeline::stages) {
            None => Wormhole::new(1, BUFFER_FLITS_DEFAULT),
            Some(stages) => Wormhole::pipelined(1, stages),
        },
    };
    if let (Some(delay), Some(Preset::FiniteBuffers1997)) = (given.given("channel_delay"), preset) {
        // Credits travel back over the same distance.
        base.credit_delay = delay;
    }
    let machine = given.over(&base)?;
    let fits = pipeline::fits(reader, &given.fields, &machine)
        && terminals_fit(reader, &given.fields, &machine);
    fits.then_some(machine)
}

/// True if injection, ejection and terminals are compatible.
fn terminals_fit<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>, machine: &Wormhole) -> bool {
    let channels = machine.terminals == Terminals::Channels;
    let independent = matches!(machine.injection, Injection::Independent { .. });
    let (names, what, help) = match (channels, machine.ejection) {
        (false, Ejection::PerWorm | Ejection::Shared | Ejection::OneFlitPerCycle) => (
            ["ejection", "terminals", "preset"],
            "flits are ejected over ejection channels, and direct terminals have none: they consume \
             flits as they arrive",
            "write `terminals: Channels`, or `ejection: Unlimited`",
        ),
        (true, Ejection::Unlimited) => (
            ["terminals", "ejection", "preset"],
            "terminals with channels need an ejection rule; `Unlimited` is \
             only for direct terminals",
            "write `ejection: PerWorm`, `Shared` or `OneFlitPerCycle`, or `terminals: Direct`",
        ),
        (true, _) if independent => (
            ["injection", "terminals", "preset"],
            "independent messages do not share an injection channel: they need direct terminals",
            "write `injection: OneMessage` or `OneFlitPerCycle`, or `terminals: Direct`",
        ),
        (true | false, _) => return true,
    };
    let blamed = names.iter().find_map(|name| fields.get(name));
    blamed.is_some_and(|field| reader.refuse::<()>(field.value, what, help).is_some())
}

/// Checks that buffers are large enough for whole messages if the forwarding requires so.
pub(super) fn messages_fit<'a>(
    reader: &mut Reader<'a>,
    machine: &Wormhole,
    forwarding: Option<Field<'a>>,
    traffic: &Traffic,
) {
    let Some(forwarding) = forwarding else { return };
    let name = match machine.forwarding {
        Forwarding::Wormhole => return,
        Forwarding::CutThrough => "cut-through",
        Forwarding::StoreAndForward => "store-and-forward",
        Forwarding::Bubble => "bubble flow control",
    };
    let slots = if machine.forwarding == Forwarding::Bubble { 2 } else { 1 };
    let buffer = machine.buffer_flits / slots;
    let lengths: Vec<Lengths> = match &traffic.script {
        None => traffic.all_lengths().collect(),
        Some(script) => {
            let [min, max] = script.lengths();
            vec![Lengths::Uniform { min, max }]
        }
    };
    let does_not_fit = |lengths: &&Lengths| lengths.longest().is_none_or(|most| most > buffer);
    let Some(&lengths) = lengths.iter().find(does_not_fit) else { return };
    let (longest, most) = match lengths {
        Lengths::Fixed(length) => (format!("messages of {length} flits"), Some(length)),
        Lengths::Uniform { max, .. } => (format!("messages of up to {max} flits"), Some(max)),
        Lengths::Geometric { .. } => {
            ("geometric messages, which have no maximum length,".into(), None)
        }
        Lengths::Exponential { .. } => {
            ("exponential messages, which have no maximum length,".into(), None)
        }
    };
    let longer = most.map(|most| most * slots).filter(|&most| most <= BUFFER_FLITS_MAX);
    let longer = longer.map_or(String::new(), |most| format!("`buffer_flits: {most}`, or "));
    let of = if slots == 1 { "a" } else { "half a" };
    let what = format!(
        "{name} buffers whole messages: {longest} do not fit {of} buffer of {}",
        machine.buffer_flits
    );
    let help =
        format!("write {longer}`lengths: Fixed({buffer})` or less, or `forwarding: Wormhole`");
    reader.problem(forwarding.value, what, Some(help));
}
