//! Remarks on valid scenarios.

use std::sync::Arc;

use super::Scenario;
use crate::capacity::Capacity;
use crate::flows::Undelivered;
use crate::ids::RouterId;
use crate::routing::source_routes::ROUTERS_MAX;
use crate::routing::{Roots, Routing};
use crate::switching::{Bandwidth, Release, Stages, Terminals, Wormhole};
use crate::system::System;
use crate::traffic::Destinations;
use crate::words::Words;

/// The most routers of a network whose idle routers are found.
const IDLE_ROUTERS_MAX: usize = 512;
/// The most idle routers named.
const IDLE_NAMES_MAX: usize = 3;

impl Scenario {
    /// Remarks on a valid scenario: buffers too short for the delays of the machine, sources unable
    /// to send the offered load, VCs reused before their credits return, load lost by the default
    /// release, percentages that resemble shares, routers that no route uses; before them the remarks on
    /// files that it names.
    pub fn remarks(&self) -> Vec<String> {
        let percentage = percentage(&self.system.traffic.destinations);
        let notes = self.notes.iter().cloned();
        let Some(machine) = self.system.wormhole() else {
            return notes.chain(percentage).chain(self.failed()).collect();
        };
        let drained = self.drained(machine);
        let (sources, idle) = (self.sources(machine), self.idle());
        let failures = self.without_routes_around();
        let all =
            [buffers(machine), sources, releases(machine), drained, percentage, idle, failures];
        notes.chain(all.into_iter().flatten()).collect()
    }

    /// A remark on the messages that failed links stop.
    fn failed(&self) -> Option<String> {
        let system = &self.system;
        let machine = system.circuit().filter(|_| !system.failed().is_empty())?;
        let Undelivered { pairs, of, first } = Undelivered::of(system)?;
        let law = machine.name();
        let Some((from, to)) = first else {
            return Some(format!("the failed links stop no message: {law} delivers all of them"));
        };
        let [from, to] = [from, to].map(|node| system.network.node_name(node));
        Some(format!(
            "the failed links stop messages of {pairs} of {of} pairs of nodes, the first from {from} to {to}: \
             {law} delivers none of them"
        ))
    }

    /// A remark on failures that the routing cannot avoid.
    fn without_routes_around(&self) -> Option<String> {
        let System { relation, network, .. } = &self.system;
        let name = relation.routing().name();
        if self.system.plan().is_empty() {
            return None;
        }
        if !relation.goes_around() {
            return Some(format!(
                "{name} finds no routes around failures: messages that need a failed link wait, and others behind \
                 them; `Layered`, `UpDown`, `NearestCommonAncestor`, `ShortestPath` and tables find others"
            ));
        }
        (network.routers() > ROUTERS_MAX).then(|| {
            format!(
                "{name} finds routes around failures for at most {ROUTERS_MAX} routers, and this network has {}",
                network.routers()
            )
        })
    }

    /// A remark on routers without hosts that carry no messages, such as the spines of a tree that are no
    /// roots.
    fn idle(&self) -> Option<String> {
        let network = &self.system.network;
        let routers = || (0..network.routers()).map(RouterId::new);
        let mut inner = routers().filter(|&at| network.terminals_at(at) == 0).peekable();
        if network.routers() > IDLE_ROUTERS_MAX || inner.peek().is_none() {
            return None;
        }
        let gamma = &self.capacity()?.gamma;
        let is_idle = |at: &RouterId| network.inputs(*at).iter().all(|it| gamma[it.index()] == 0.0);
        let names: Vec<String> = inner.filter(is_idle).map(|at| network.router_name(at)).collect();
        let more = names.len().saturating_sub(IDLE_NAMES_MAX);
        let list = names.iter().take(IDLE_NAMES_MAX).cloned().collect::<Vec<_>>().join(", ");
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let has_roots = matches!(
            self.system.relation.routing(),
            Routing::UpDown { roots: Roots::Listed(_), .. }
        );
        let roots = if has_roots {
            "; `UpDown(roots: Hosts)` counts ranks from the hosts and uses all ways up"
        } else {
            ""
        };
        (!names.is_empty()).then(|| format!("no message passes through {list}{more}{roots}"))
    }

    /// A remark on the load lost by the default release, if the offered load is at least half of
    /// the capacity. Users of routers with earlier release would look for another reason.
    fn drained(&self, machine: &Wormhole) -> Option<String> {
        let turnaround = machine.turnaround_bound(self.system.length_mean());
        let is_closed = self.system.traffic.closed_loop.is_some();
        if !self.default_release || turnaround.is_none() || is_closed {
            return None;
        }
        let (carried, asked) = (self.capacity()?.load.0, self.system.load().0);
        if 2.0 * asked < carried {
            return None;
        }
        let relation = &self.system.relation;
        let other = Wormhole { release: Release::Sent, ..*machine };
        let (network, traffic) = (Arc::clone(&self.system.network), self.system.traffic.clone());
        let other = System::new(network, relation.routing().clone(), other, traffic);
        let other = Capacity::of(&other.with_half_way(relation.half_way())).ok()?.load.0;
        (carried < other).then(|| {
            format!(
                "`release` is omitted, so `Drained` applies: a VC is granted again when the tail has left its \
                 buffer, so that the network carries at most {carried:.4} flits/node/cycle, and {asked:.4} \
                 are offered; with `release: Sent`, as in routers whose buffers hold several messages, at \
                 most {other:.4}"
            )
        })
    }

    /// A remark on the limit of a source with a single VC at its injection channel.
    fn sources(&self, machine: &Wormhole) -> Option<String> {
        if !machine.injection.is_of_one_message() || machine.pipeline.stages().is_some() {
            return None;
        }
        let vcs = machine.virtual_channels;
        let one = (vcs > 1).then(|| format!(" (the links have {vcs})"));
        let length = self.system.length_mean();
        let bound = machine.injection_bound(length);
        // Every such machine has this loss, unimportant below the bound.
        let asked = self.system.load().0 / self.system.sending_share() * self.system.rates().most();
        let bound = bound.filter(|&bound| asked > bound || machine.channel_delay > 1);
        if one.is_none() && bound.is_none() {
            return None;
        }
        let limit = bound.map_or(String::new(), |bound| {
            let asks = if asked > bound { "more than that" } else { "less" };
            format!(
                "; with messages of {length} flit{}, channel delay {} and `release: {}` a source sends \
                 at most {bound:.4} flits per cycle, and {asked:.4} are offered: {asks}",
                if length > 1.0 { "s" } else { "" },
                machine.channel_delay,
                machine.release.word(),
            )
        });
        let one = one.unwrap_or_default();
        let has = match machine.terminals {
            Terminals::Direct => "a source sends over one VC at a time",
            Terminals::Channels => "injection channels have one VC",
        };
        Some(format!("`injection: OneMessage`: {has}{one}{limit}"))
    }
}

/// A remark on a percentage below 1, probably meant as a share.
fn percentage(destinations: &Destinations) -> Option<String> {
    let percent = destinations.percent()?;
    let meant = (percent * 1e9).round() / 1e7;
    (percent < 1.0).then(|| {
        format!(
            "`percent: {percent}` is {percent} % of the messages; a share of {percent} is `percent: {meant}`"
        )
    })
}

/// A remark on the load of a VC as limited by its buffer.
fn buffers(machine: &Wormhole) -> Option<String> {
    let bound = machine.buffer_bound()?;
    let per_vc = if machine.virtual_channels > 1 { "VC" } else { "channel" };
    let sending = match (machine.pipeline.stages(), machine.bandwidth) {
        (Some(Stages { switch, traverse, credit, .. }), _) => {
            let delay = machine.channel_delay;
            format!("switch {switch} + traverse {traverse} + channel delay {delay} + {credit} + ")
        }
        (None, Bandwidth::OnDemand) => String::new(),
        (None, Bandwidth::Fixed) => {
            format!("{} cycles of sending + ", machine.virtual_channels - 1)
        }
    };
    // Terminals consume arriving flits at once.
    let on = match machine.terminals {
        Terminals::Direct => " of messages that continue from its end",
        Terminals::Channels => "",
    };
    Some(format!(
        "a {per_vc} carries at most {bound:.4} flits per cycle{on}: a buffer of {} flit{} and a \
         round trip of {} cycles ({sending}channel delay {} + credit delay {})",
        machine.buffer_flits,
        if machine.buffer_flits == 1 { "" } else { "s" },
        machine.round_trip(),
        machine.channel_delay,
        machine.credit_delay,
    ))
}

/// A remark on VCs granted again before the credit of the last flit is back.
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
        Release::Drained | Release::Sent | Release::Credit => None,
    }
}

#[cfg(test)]
mod tests;
