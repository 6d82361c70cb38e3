//! The fields of `switching` that choose the machine's rules, and whether they fit each other.

use super::node::{Field, Node};
use super::reader::{Fields, Reader};
use crate::switching::{
    Allocation, BUFFER_FLITS_MAX, Bandwidth, CHANNEL_DELAY_MAX, CREDIT_DELAY_MAX, Ejection,
    Forwarding, Injection, LatencyTo, OnDeadlock, Preset, Release, Selection, Terminals,
    WAITING_MAX_DEFAULT, Wormhole,
};
use crate::traffic::{Lengths, Traffic};

/// The fields, in the order in which messages list them.
pub(super) const NAMES: [&str; 15] = [
    "preset",
    "virtual_channels",
    "buffer_flits",
    "channel_delay",
    "credit_delay",
    "bandwidth",
    "release",
    "injection",
    "ejection",
    "terminals",
    "allocation",
    "latency_to",
    "selection",
    "forwarding",
    "on_deadlock",
];

/// The rules as read.
pub(super) struct Policies<'a> {
    /// The machine but for its number of virtual channels.
    pub machine: Wormhole,
    /// Where the rule of forwarding stands.
    pub forwarding: Option<Node<'a>>,
}

/// Reads the rules; `None` if one of them is wrong, or some do not fit each other.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    buffer_flits_default: u32,
) -> Option<Policies<'a>> {
    let presets = ["MeshTorus1997", "Hops1993", "FiniteBuffers1997"];
    let preset = word(reader, fields, "preset", &presets, |name| match name {
        "MeshTorus1997" => Preset::MeshTorus1997,
        "Hops1993" => Preset::Hops1993,
        _ => Preset::FiniteBuffers1997,
    });
    let mut machine = match preset {
        Read::Given(preset) => Wormhole::preset(preset, 1),
        _ => Wormhole::new(1, buffer_flits_default),
    };
    // Every field is read, whatever is wrong with those before it.
    let mut sound = !matches!(preset, Read::Wrong);
    sound &= set(
        &mut machine.buffer_flits,
        number(reader, fields, "buffer_flits", |reader, at| {
            reader.small(at, "a buffer's size in flits", 1..=BUFFER_FLITS_MAX)
        }),
    );
    sound &= delays(reader, fields, &preset, &mut machine);
    let bandwidths = ["OnDemand", "Fixed"];
    sound &= set(
        &mut machine.bandwidth,
        word(reader, fields, "bandwidth", &bandwidths, |name| {
            if name == "Fixed" { Bandwidth::Fixed } else { Bandwidth::OnDemand }
        }),
    );
    let releases = ["Drained", "Sent"];
    sound &= set(
        &mut machine.release,
        word(reader, fields, "release", &releases, |name| {
            if name == "Sent" { Release::Sent } else { Release::Drained }
        }),
    );
    sound &= set(&mut machine.injection, number(reader, fields, "injection", injection));
    let ejections = ["Unlimited", "PerWorm", "Shared", "OneFlitPerCycle"];
    sound &= set(
        &mut machine.ejection,
        word(reader, fields, "ejection", &ejections, |name| match name {
            "Unlimited" => Ejection::Unlimited,
            "PerWorm" => Ejection::PerWorm,
            "Shared" => Ejection::Shared,
            _ => Ejection::OneFlitPerCycle,
        }),
    );
    let terminals = ["Direct", "Channels"];
    sound &= set(
        &mut machine.terminals,
        word(reader, fields, "terminals", &terminals, |name| {
            if name == "Channels" { Terminals::Channels } else { Terminals::Direct }
        }),
    );
    let allocations = ["OldestFirst", "FirstComeFirstServed", "FirstAskedFirstServed"];
    sound &= set(
        &mut machine.allocation,
        word(reader, fields, "allocation", &allocations, |name| match name {
            "OldestFirst" => Allocation::OldestFirst,
            "FirstComeFirstServed" => Allocation::FirstComeFirstServed,
            _ => Allocation::FirstAskedFirstServed,
        }),
    );
    let ends = ["Arrival", "EndOfCycle"];
    sound &= set(
        &mut machine.latency_to,
        word(reader, fields, "latency_to", &ends, |name| {
            if name == "Arrival" { LatencyTo::Arrival } else { LatencyTo::EndOfCycle }
        }),
    );
    let selections = ["Preference", "Random"];
    sound &= set(
        &mut machine.selection,
        word(reader, fields, "selection", &selections, |name| {
            if name == "Random" { Selection::Random } else { Selection::Preference }
        }),
    );
    let forwardings = ["Wormhole", "CutThrough", "StoreAndForward"];
    sound &= set(
        &mut machine.forwarding,
        word(reader, fields, "forwarding", &forwardings, |name| match name {
            "Wormhole" => Forwarding::Wormhole,
            "CutThrough" => Forwarding::CutThrough,
            _ => Forwarding::StoreAndForward,
        }),
    );
    let deadlocks = ["Stop", "Abort", "Continue"];
    sound &= set(
        &mut machine.on_deadlock,
        word(reader, fields, "on_deadlock", &deadlocks, |name| match name {
            "Stop" => OnDeadlock::Stop,
            "Abort" => OnDeadlock::Abort,
            _ => OnDeadlock::Continue,
        }),
    );
    let forwarding = fields.get("forwarding").map(|field| field.value);
    (sound && terminals_fit(reader, fields, &machine)).then_some(Policies { machine, forwarding })
}

/// Reads the delays of channels and credits; says whether they are right.
fn delays<'a>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    preset: &Read<Preset>,
    machine: &mut Wormhole,
) -> bool {
    let channel = number(reader, fields, "channel_delay", |reader, at| {
        reader.small(at, "the channel delay in cycles", 1..=CHANNEL_DELAY_MAX)
    });
    if let (Read::Given(delay), Read::Given(Preset::FiniteBuffers1997)) = (&channel, preset) {
        // Its credits travel back over the same distance.
        machine.credit_delay = *delay;
    }
    let credit = number(reader, fields, "credit_delay", |reader, at| {
        reader.small(at, "the credit delay in cycles", 0..=CREDIT_DELAY_MAX)
    });
    let sound = set(&mut machine.channel_delay, channel);
    set(&mut machine.credit_delay, credit) && sound
}

/// What became of a field.
enum Read<T> {
    Left,
    Given(T),
    Wrong,
}

/// Puts what was read into its place; says whether it was right.
fn set<T>(place: &mut T, read: Read<T>) -> bool {
    match read {
        Read::Left => true,
        Read::Given(value) => {
            *place = value;
            true
        }
        Read::Wrong => false,
    }
}

fn number<'a, T>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    name: &str,
    read: impl Fn(&mut Reader<'a>, Node<'a>) -> Option<T>,
) -> Read<T> {
    match fields.get(name) {
        None => Read::Left,
        Some(field) => read(reader, field.value).map_or(Read::Wrong, Read::Given),
    }
}

fn word<'a, T>(
    reader: &mut Reader<'a>,
    fields: &Fields<'a>,
    name: &str,
    names: &[&'static str],
    value: impl Fn(&str) -> T,
) -> Read<T> {
    let path = format!("switching.{name}");
    number(reader, fields, name, |reader, at| reader.word(&path, at, names).map(&value))
}

fn injection<'a>(reader: &mut Reader<'a>, at: Node<'a>) -> Option<Injection> {
    let names = ["OneFlitPerCycle", "OneMessage", "Independent"];
    let choice = reader.choice("switching.injection", at, &names)?;
    if choice.is == "Independent" {
        let fields = reader.choice_fields("switching.injection", choice, &["waiting_max"]);
        let waiting_max = match fields.get("waiting_max") {
            Some(field) => reader.small(
                field.value,
                "the number of messages that may wait at a node",
                1..=u32::MAX >> 1,
            )?,
            None => WAITING_MAX_DEFAULT,
        };
        return Some(Injection::Independent { waiting_max });
    }
    reader.no_contents(choice);
    Some(if choice.is == "OneMessage" { Injection::OneMessage } else { Injection::OneFlitPerCycle })
}

/// Whether injection, ejection and terminals fit each other.
fn terminals_fit<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>, machine: &Wormhole) -> bool {
    let mut complain = |names: [&str; 2], what: &str, help: &str| {
        let given = names.iter().find_map(|name| fields.get(name));
        let preset = fields.get("preset");
        let Some(Field { value, .. }) = given.or(preset) else { return };
        reader.problem(value, what, Some(help.into()));
    };
    let channels = machine.terminals == Terminals::Channels;
    match (channels, machine.ejection) {
        (false, Ejection::PerWorm | Ejection::Shared | Ejection::OneFlitPerCycle) => {
            complain(
                ["ejection", "terminals"],
                "flits are ejected over ejection channels, and direct terminals have none: they \
                 consume flits as they come",
                "write `terminals: Channels`, or `ejection: Unlimited`",
            );
            return false;
        }
        (true, Ejection::Unlimited) => {
            complain(
                ["terminals", "ejection"],
                "terminals with channels eject flits by a rule; `Unlimited` is that of direct \
                 terminals",
                "write `ejection: PerWorm`, `Shared` or `OneFlitPerCycle`, or `terminals: Direct`",
            );
            return false;
        }
        _ => {}
    }
    if channels && matches!(machine.injection, Injection::Independent { .. }) {
        complain(
            ["injection", "terminals"],
            "independent messages do not share an injection channel: their terminals are direct",
            "write `injection: OneMessage` or `OneFlitPerCycle`, or `terminals: Direct`",
        );
        return false;
    }
    true
}

/// Whether buffers hold the messages that the forwarding keeps whole.
pub(super) fn messages_fit<'a>(
    reader: &mut Reader<'a>,
    policies: &Policies<'a>,
    traffic: &Traffic,
) -> bool {
    let Policies { machine, forwarding: Some(at) } = policies else { return true };
    let name = match machine.forwarding {
        Forwarding::Wormhole => return true,
        Forwarding::CutThrough => "cut-through",
        Forwarding::StoreAndForward => "store-and-forward",
    };
    let buffer = machine.buffer_flits;
    let (longest, help) = match traffic.lengths {
        Lengths::Fixed(length) if length <= buffer => return true,
        Lengths::Fixed(length) => {
            let help =
                (length <= BUFFER_FLITS_MAX).then(|| format!("`buffer_flits: {length}`, or "));
            (format!("messages of {length} flits"), help)
        }
        Lengths::Uniform { max, .. } if max <= buffer => return true,
        Lengths::Uniform { max, .. } => {
            let help = (max <= BUFFER_FLITS_MAX).then(|| format!("`buffer_flits: {max}`, or "));
            (format!("messages of up to {max} flits"), help)
        }
        Lengths::Geometric(_) => ("geometric messages, which have no longest,".into(), None),
        Lengths::Exponential(_) => ("exponential messages, which have no longest,".into(), None),
    };
    let what = format!("{name} keeps messages whole: {longest} do not fit a buffer of {buffer}");
    let help = format!(
        "write {}`lengths: Fixed({buffer})` or less, or `forwarding: Wormhole`",
        help.unwrap_or_default()
    );
    reader.problem(*at, what, Some(help));
    false
}
