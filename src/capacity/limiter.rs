//! Limits of a system's channels, and the lowest load at which a limit is reached.

use super::limits::{self, Limit};
use super::{Bottleneck, Resource, cuts, lengths, smaller};
use crate::flows::{ClassFlows, Demand, Flow, Flows};
use crate::ids::ChannelId;
use crate::switching::{Switching, Terminals};
use crate::system::System;
use crate::topology::attributes::Attributes;
use crate::topology::links::Links;
use crate::topology::{Channel, Role};

/// The limits of a system's channels.
pub(super) struct Limiter<'a> {
    system: &'a System,
    /// The link of each channel between routers: one for both directions if circuits occupy both.
    links: Links,
    /// Limits of links with default attributes.
    pub link_limits: Vec<Limit>,
    /// Limits of links with other attributes, in the same number and order.
    own_limits: Vec<(Attributes, Vec<Limit>)>,
    injection_limits: Vec<Limit>,
    ejection_limits: Vec<Limit>,
}

impl<'a> Limiter<'a> {
    pub fn new(system: &'a System, demand: &Demand) -> Self {
        // A VC is busy for the least time per flit with the longest messages, and a link may carry only
        // these.
        let longest = || system.traffic.all_lengths().map(|it| it.mean()).fold(0.0, f64::max);
        let length = if demand.is_directed { longest() } else { system.length_mean() };
        let with = |role, attributes| match &system.switching {
            Switching::Wormhole(machine) => limits::limits(machine, role, attributes, length),
            Switching::Circuit(_) => {
                vec![Limit { resource: Resource::Link, through: 1.0, last: 1.0, per_vc: true }]
            }
        };
        let of = |role| with(role, Attributes::default());
        let mut own_limits: Vec<(Attributes, Vec<Limit>)> = Vec::new();
        for channel in system.network.channels() {
            let own = channel.attributes;
            if own.sets_pace() && own_limits.iter().all(|(known, _)| *known != own) {
                own_limits.push((own, with(Role::Link, own)));
            }
        }
        Self {
            system,
            links: system.links(),
            link_limits: of(Role::Link),
            own_limits,
            injection_limits: of(Role::Injection),
            ejection_limits: of(Role::Ejection),
        }
    }

    fn link_limits(&self, attributes: Attributes) -> &[Limit] {
        let own = self.own_limits.iter().find(|(known, _)| *known == attributes);
        own.map_or(&self.link_limits, |(_, limits)| limits)
    }

    fn vcs(&self, role: Role) -> u32 {
        match &self.system.switching {
            Switching::Wormhole(machine) => limits::vcs(machine, role),
            Switching::Circuit(machine) => machine.lanes(),
        }
    }

    /// The lowest load at which a source or a channel of the selected roles is full.
    pub fn least(&self, flows: &Flows, counts: impl Fn(Role) -> bool) -> (f64, Bottleneck) {
        let share = self.system.sending_share();
        let mut least = (self.sources(), Bottleneck::Sources);
        for (at, channel) in self.system.network.channels().iter().enumerate() {
            let limits = match channel.role {
                role if !counts(role) => continue,
                Role::Link => self.link_limits(channel.attributes),
                Role::Injection => &self.injection_limits,
                Role::Ejection => &self.ejection_limits,
            };
            let id = ChannelId::new(at);
            let all = u32::MAX >> (32 - self.vcs(channel.role));
            for limit in limits {
                for class in &flows.classes {
                    let within = |vcs: u32| !limit.per_vc || vcs & all & !class.vcs == 0;
                    let sum = self.flow(flows, id, within);
                    let on = channel.role == Role::Link && !self.ends_at_links();
                    let last = if on { limit.through } else { limit.last };
                    let weight = (sum.through * limit.through + sum.last * last) / share;
                    let cap =
                        if limit.per_vc { f64::from((class.vcs & all).count_ones()) } else { 1.0 };
                    least = smaller(least, (cap / weight, Bottleneck::Channel(id, limit.resource)));
                }
            }
        }
        least
    }

    /// Like [`Self::least`], for all roles, without distinguishing VCs.
    pub fn least_together(&self, flows: &Flows) -> (f64, Bottleneck) {
        let channels = (0..self.system.network.channels().len()).map(ChannelId::new);
        let together = ClassFlows {
            vcs: u32::MAX,
            channels: channels.map(|channel| flows.over(channel)).collect(),
        };
        let flows = Flows { classes: vec![together], ..*flows };
        self.least(&flows, |_| true)
    }

    /// The flow of the messages on selected VCs over a channel, in both directions if shared.
    fn flow(&self, flows: &Flows, channel: ChannelId, counts: impl Fn(u32) -> bool) -> Flow {
        let network = &self.system.network;
        let shared = self.links.count < network.links();
        let other = if shared { network.opposite(channel) } else { None };
        let mut sum = Flow::default();
        for class in flows.classes.iter().filter(|class| counts(class.vcs)) {
            for channel in [Some(channel), other].into_iter().flatten() {
                let flow = class.channels[channel.index()];
                sum.through += flow.through;
                sum.last += flow.last;
            }
        }
        sum
    }

    /// The load at which the fastest source sends all the time, if directly attached to its links.
    fn sources(&self) -> f64 {
        let machine = self.system.wormhole().filter(|it| it.terminals == Terminals::Direct);
        machine.and_then(limits::source).map_or(f64::INFINITY, |flits| {
            flits * self.system.sending_share() / self.system.sent_most()
        })
    }

    /// Flits per cycle over links across a cut by the `nth` of their limits.
    pub fn per_cut(&self, nth: usize) -> cuts::Cut<'_> {
        let own = self.own(nth);
        let most = own.iter().flatten().copied().reduce(f64::max);
        let per_link = most.unwrap_or_else(|| self.carried(&self.link_limits[nth]));
        cuts::Cut { per_link, own, links: &self.links }
    }

    /// The `nth` limit of links, for lengths.
    pub fn links(&self, nth: usize) -> lengths::LinkLimit<'_> {
        let limit = &self.link_limits[nth];
        if let Some(own) = self.own(nth) {
            let caps = lengths::Caps::Own(own);
            return lengths::LinkLimit { caps, through: 1.0, last: 1.0, links: &self.links };
        }
        lengths::LinkLimit {
            caps: lengths::Caps::All(self.cap(limit)),
            through: limit.through,
            last: self.last(limit),
            links: &self.links,
        }
    }

    /// Flits per cycle over each link by the `nth` of its limits; `None` if all links are alike.
    fn own(&self, nth: usize) -> Option<Vec<f64>> {
        let network = &self.system.network;
        let carried = |channel: &Channel| self.carried(&self.link_limits(channel.attributes)[nth]);
        let links = &network.channels()[..network.links()];
        (!self.own_limits.is_empty()).then(|| links.iter().map(carried).collect())
    }

    /// Maximum flits per cycle within a limit.
    fn carried(&self, limit: &Limit) -> f64 {
        self.cap(limit) / limit.through.min(self.last(limit))
    }

    fn last(&self, limit: &Limit) -> f64 {
        if self.ends_at_links() { limit.last } else { limit.through }
    }

    fn cap(&self, limit: &Limit) -> f64 {
        if limit.per_vc { f64::from(self.vcs(Role::Link)) } else { 1.0 }
    }

    /// True if messages are consumed at the end of their last link.
    fn ends_at_links(&self) -> bool {
        !self.system.network.has_terminal_channels()
    }
}
