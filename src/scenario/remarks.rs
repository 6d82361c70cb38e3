//! What is allowed in a scenario and still worth knowing.

use super::Scenario;
use crate::switching::{Bandwidth, Injection, Release, Wormhole};
use crate::words::Words;

impl Scenario {
    /// What a person should know of a scenario that can be run: buffers too short for the delays of
    /// the machine, sources that cannot send what is asked of them, VCs that are free too early.
    pub fn remarks(&self) -> Vec<String> {
        let Some(machine) = self.system.wormhole() else { return Vec::new() };
        let all = [buffers(machine), self.sources(machine), releases(machine)];
        all.into_iter().flatten().collect()
    }

    /// What the one VC of an injection channel does to a source.
    fn sources(&self, machine: &Wormhole) -> Option<String> {
        if machine.injection != Injection::OneMessage {
            return None;
        }
        let vcs = machine.virtual_channels;
        let one = (vcs > 1).then(|| format!(" (the links have {vcs})"));
        let length = self.system.length_mean();
        let bound = machine.injection_bound(length);
        // What every machine of this kind loses is not worth a word until it is asked for.
        let asked = self.system.load().0 / self.system.sending_share();
        let bound = bound.filter(|&bound| asked > bound || machine.channel_delay > 1);
        if one.is_none() && bound.is_none() {
            return None;
        }
        let limit = bound.map_or(String::new(), |bound| {
            let asks = if asked > bound { "more than that" } else { "less" };
            format!(
                "; with messages of {length} flit{}, channel delay {} and `release: {}` a source sends \
                 at most {bound:.4} flits per cycle, and {asked:.4} are asked of it: {asks}",
                if length > 1.0 { "s" } else { "" },
                machine.channel_delay,
                machine.release.word(),
            )
        });
        let one = one.unwrap_or_default();
        Some(format!("`injection: OneMessage`: injection channels have one VC{one}{limit}"))
    }
}

/// How buffers limit what a VC carries.
fn buffers(machine: &Wormhole) -> Option<String> {
    let bound = machine.buffer_bound()?;
    let per_vc = if machine.virtual_channels > 1 { "VC" } else { "channel" };
    let sending = match machine.bandwidth {
        Bandwidth::OnDemand => String::new(),
        Bandwidth::Fixed => format!("{} cycles of sending + ", machine.virtual_channels - 1),
    };
    Some(format!(
        "a {per_vc} carries at most {bound:.4} flits per cycle: a buffer of {} flit{} and a \
         round trip of {} cycles ({sending}channel delay {} + credit delay {})",
        machine.buffer_flits,
        if machine.buffer_flits == 1 { "" } else { "s" },
        machine.round_trip(),
        machine.channel_delay,
        machine.credit_delay,
    ))
}

/// A VC that is granted again before the credit of its last flit is back.
fn releases(machine: &Wormhole) -> Option<String> {
    match machine.release {
        Release::Drained if machine.credit_delay > 1 => Some(format!(
            "`release: Drained` frees a VC in the cycle after its tail has left the buffer: {} before \
             the credit is back (credit delay {}), and before a router could know it",
            match machine.credit_delay - 1 {
                1 => "1 cycle".to_owned(),
                early => format!("{early} cycles"),
            },
            machine.credit_delay,
        )),
        Release::Drained | Release::Sent => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::scenario::{Scenario, parse};
    use crate::session::Session;
    use crate::stats::WarmUp;
    use crate::units::Cycle;

    const BASE: &str = "Scenario(network: Mesh(radix: [4, 4]), routing: DimensionOrder(), \
                        switching: Wormhole(MACHINE), traffic: (arrivals: Poisson(load: LOAD), \
                        destinations: Neighbour, lengths: Fixed(LENGTH)))";

    fn scenario(machine: &str, load: &str, length: u32) -> Scenario {
        let text = BASE.replace("MACHINE", machine).replace("LOAD", load);
        parse("x.ron", &text.replace("LENGTH", &length.to_string()), &[]).unwrap()
    }

    const ONE: &str = "injection: OneMessage, ejection: Shared, terminals: Channels";

    #[test]
    fn what_sources_cannot_send_is_said_and_is_what_they_send() {
        for (machine, length, most) in [
            ("virtual_channels: 2, buffer_flits: 8, channel_delay: 4", 1, 0.2),
            ("virtual_channels: 1, buffer_flits: 8, channel_delay: 3", 3, 0.5),
            ("virtual_channels: 2, buffer_flits: 1", 4, 0.5),
        ] {
            let busy = scenario(&format!("{machine}, {ONE}"), "0.9", length);
            let bound = busy.system.wormhole().unwrap().injection_bound(f64::from(length)).unwrap();
            assert!((bound - most).abs() < 1e-12, "{machine}: {bound}");
            let said = busy.remarks().join("\n");
            let words = format!("at most {most:.4} flits per cycle, and 0.9000 are asked");
            assert!(said.contains(&words) && said.contains("more than that"), "{said}");
            // With so much asked every source sends all that it can, but for those that wait.
            let (nodes, cycles) = (busy.system.network.nodes() as f64, 4_000);
            let mut run = Session::new(Arc::new(busy), 1, 0, WarmUp::Cycles(0));
            run.advance(Cycle(cycles));
            let sent = run.counters().flits_consumed as f64 / nodes / cycles as f64;
            assert!(sent <= bound && sent > 0.9 * bound, "{machine}: {sent} of {bound}");
        }
    }

    #[test]
    fn a_remark_is_made_only_where_there_is_something_to_know() {
        let vcs = scenario(&format!("virtual_channels: 3, buffer_flits: 4, {ONE}"), "0.1", 16);
        assert_eq!(
            vcs.remarks(),
            ["`injection: OneMessage`: injection channels have one VC (the links have 3)"]
        );
        let one = scenario(&format!("buffer_flits: 4, {ONE}"), "0.1", 16);
        assert!(one.remarks().is_empty(), "{:?}", one.remarks());
        assert!(scenario("buffer_flits: 4", "0.1", 16).remarks().is_empty());
        let early = scenario("buffer_flits: 8, credit_delay: 3", "0.1", 16).remarks();
        assert!(early[0].contains("2 cycles before the credit is back"), "{early:?}");
        let sent = "buffer_flits: 8, credit_delay: 3, release: Sent";
        assert!(scenario(sent, "0.1", 16).remarks().is_empty());
    }
}
