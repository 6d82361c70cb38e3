//! The rules of a machine of worms, and whether they fit each other and the messages.

use super::checked::Checked;
use super::node::Field;
use super::reader::{Fields, Reader};
use crate::switching::{
    BUFFER_FLITS_MAX, Ejection, Forwarding, Injection, Preset, Terminals, Wormhole,
};
use crate::traffic::{Lengths, Traffic};
use crate::words::{self, Need, Words, words};

/// The field that chooses a published machine.
pub(super) const PRESET: &[words::Field] = words!(@fields
    /// A published machine, with buffers of one flit; `FiniteBuffers1997` has buffers of 200 flits and
    /// delays of 10 cycles. The fields given beside it override it.
    preset = Need::Open, Preset::KIND;
);

/// A machine but for its number of virtual channels; `None` if one of them is wrong, or some do not fit each other.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    given: &Checked<'a>,
    buffer_flits_default: u32,
) -> Option<Wormhole> {
    let preset = given.get("preset");
    let mut base = match preset {
        Some(preset) => Wormhole::preset(preset, 1),
        None => Wormhole::new(1, buffer_flits_default),
    };
    if let (Some(delay), Some(Preset::FiniteBuffers1997)) = (given.given("channel_delay"), preset) {
        // Its credits travel back over the same distance.
        base.credit_delay = delay;
    }
    let machine = given.over(&base)?;
    terminals_fit(reader, &given.fields, &machine).then_some(machine)
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

/// Sees to it that buffers hold the messages that the forwarding keeps whole.
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
    };
    let buffer = machine.buffer_flits;
    let (longest, help) = match traffic.lengths {
        Lengths::Fixed(length) if length <= buffer => return,
        Lengths::Fixed(length) => {
            let help =
                (length <= BUFFER_FLITS_MAX).then(|| format!("`buffer_flits: {length}`, or "));
            (format!("messages of {length} flits"), help)
        }
        Lengths::Uniform { max, .. } if max <= buffer => return,
        Lengths::Uniform { max, .. } => {
            let help = (max <= BUFFER_FLITS_MAX).then(|| format!("`buffer_flits: {max}`, or "));
            (format!("messages of up to {max} flits"), help)
        }
        Lengths::Geometric { .. } => ("geometric messages, which have no longest,".into(), None),
        Lengths::Exponential { .. } => {
            ("exponential messages, which have no longest,".into(), None)
        }
    };
    let what = format!("{name} keeps messages whole: {longest} do not fit a buffer of {buffer}");
    let help = format!(
        "write {}`lengths: Fixed({buffer})` or less, or `forwarding: Wormhole`",
        help.unwrap_or_default()
    );
    reader.problem(forwarding.value, what, Some(help));
}
