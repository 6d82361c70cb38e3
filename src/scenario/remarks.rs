//! What is allowed in a scenario and still worth knowing.

use super::Scenario;
use crate::switching::Bandwidth;

impl Scenario {
    /// What a person should know of a scenario that can be run: buffers too short for the delays of
    /// the machine.
    pub fn remarks(&self) -> Vec<String> {
        let Some(machine) = self.system.wormhole() else { return Vec::new() };
        let Some(bound) = machine.buffer_bound() else { return Vec::new() };
        let per_vc = if machine.virtual_channels > 1 { "VC" } else { "channel" };
        let sending = match machine.bandwidth {
            Bandwidth::OnDemand => String::new(),
            Bandwidth::Fixed => format!("{} cycles of sending + ", machine.virtual_channels - 1),
        };
        vec![format!(
            "a {per_vc} carries at most {bound:.4} flits per cycle: a buffer of {} flit{} and a \
             round trip of {} cycles ({sending}channel delay {} + credit delay {})",
            machine.buffer_flits,
            if machine.buffer_flits == 1 { "" } else { "s" },
            machine.round_trip(),
            machine.channel_delay,
            machine.credit_delay,
        )]
    }
}
