//! Routing of message classes with VCs of their own: each class by the same rule, on its VCs.

use std::fmt;
use std::sync::Arc;

use super::around::Around;
use super::fields::Threshold;
use super::head::{CLASSES_MAX, Candidate, Header, Stop, Straight, VcUse, share_out};
use super::prepared::Prepared;
use super::rule::{Needs, OnNetwork, Rule, Ties};
use super::source_routes::Routes;
use crate::ids::{ChannelId, RouterId};
use crate::topology::Network;
use crate::topology::cube::Cube;
use crate::words::Misfit;

/// A rule with separate VCs for each message class.
#[derive(Clone)]
pub(super) struct Apart {
    /// The rule on any network and VCs.
    rule: OnNetwork,
    /// The classes of the rule.
    classes: usize,
    /// True if VCs beyond the classes are adaptive.
    adaptive: bool,
    /// The VCs of each message class.
    vcs: Vec<u32>,
    /// The rule and its VCs for each message class, once the network is known.
    parts: Vec<(OnNetwork, Prepared)>,
}

impl fmt::Debug for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Apart");
        fields.field("rule", &self.rule).field("vcs", &self.vcs).finish_non_exhaustive()
    }
}

impl Apart {
    pub fn new(rule: OnNetwork, classes: usize, adaptive: bool, vcs: &[u32]) -> Self {
        Self { rule, classes, adaptive, vcs: vcs.to_vec(), parts: Vec::new() }
    }

    /// The rule's network with the VCs of each message class.
    fn divided(&self, on: &Prepared) -> Vec<Prepared> {
        let of = |&vcs: &u32| {
            let (shift, count) = (vcs.trailing_zeros(), vcs.count_ones());
            let shared = if self.adaptive { self.classes as u32 } else { count };
            let class_vcs = share_out(self.classes as u32, shared).map(|vcs| vcs << shift);
            let line_vcs = class_vcs.iter().fold(0, |all, vcs| all | vcs);
            let adaptive_vcs = vcs & !line_vcs;
            Prepared { class_vcs, adaptive_vcs, line_vcs, ..on.clone() }
        };
        self.vcs.iter().map(of).collect()
    }

    /// The rule's network with the VCs of all message classes, one after another.
    pub fn joined(&self, on: &Prepared) -> Prepared {
        let mut joined =
            Prepared { class_vcs: [0; CLASSES_MAX], adaptive_vcs: 0, line_vcs: 0, ..on.clone() };
        for (number, part) in self.divided(on).iter().enumerate() {
            let own = &part.class_vcs[..self.classes];
            joined.class_vcs[number * self.classes..][..self.classes].copy_from_slice(own);
            joined.adaptive_vcs |= part.adaptive_vcs;
            joined.line_vcs |= part.line_vcs;
        }
        joined
    }

    /// The rule and the VCs of a message class.
    fn part(&self, message_class: u8) -> (&dyn Rule, &Prepared) {
        let (rule, on) = &self.parts[usize::from(message_class)];
        (rule.as_ref(), on)
    }
}

impl Rule for Apart {
    fn name(&self) -> &'static str {
        self.rule.name()
    }

    fn serves(&self, network: &Network) -> Result<Needs, Misfit> {
        self.rule.serves(network)
    }

    fn on(&self, network: &Network) -> Result<Option<OnNetwork>, Misfit> {
        self.rule.on(network)
    }

    fn prepared(&self, on: &Prepared) -> Option<OnNetwork> {
        let part = |on: Prepared| {
            let rule = self.rule.prepared(&on).unwrap_or_else(|| Arc::clone(&self.rule));
            (rule, on)
        };
        let parts = self.divided(on).into_iter().map(part).collect();
        Some(Arc::new(Self { parts, ..self.clone() }))
    }

    fn parts(&self) -> Option<[OnNetwork; 2]> {
        None
    }

    fn refused_on(&self, cube: &Cube) -> Result<(), Misfit> {
        self.rule.refused_on(cube)
    }

    fn ties(&self) -> Ties {
        self.rule.ties()
    }

    fn is_minimal(&self) -> bool {
        self.rule.is_minimal()
    }

    fn chooses(&self) -> bool {
        self.rule.chooses()
    }

    fn settles_routes(&self, wraps: bool) -> bool {
        self.rule.settles_routes(wraps)
    }

    fn routes(&self, network: &Network) -> Option<Result<Routes, Misfit>> {
        self.rule.routes(network)
    }

    fn around(&self) -> Option<Around> {
        self.rule.around()
    }

    fn class_use(&self, class: u8) -> VcUse {
        self.rule.class_use(class % self.classes.max(1) as u8)
    }

    fn reads_source(&self, wraps: bool) -> bool {
        self.rule.reads_source(wraps)
    }

    fn bits_read(&self, _: &Prepared, from: Option<RouterId>, to: RouterId) -> u64 {
        let (rule, on) = self.part(0);
        rule.bits_read(on, from, to)
    }

    fn outcomes(&self, _: &Prepared, from: Option<RouterId>, to: RouterId) -> Vec<u64> {
        let (rule, on) = self.part(0);
        rule.outcomes(on, from, to)
    }

    fn selects_by_queues(&self) -> Option<Threshold> {
        self.rule.selects_by_queues()
    }

    fn first_by_coordinates(&self, _: bool) -> bool {
        // A table of first candidates contains the VCs of one message class.
        false
    }

    fn goes_by_offset(&self) -> bool {
        self.rule.goes_by_offset()
    }

    fn goes_straight(&self) -> bool {
        self.rule.goes_straight()
    }

    fn reads_arrival(&self) -> bool {
        self.rule.reads_arrival()
    }

    fn count_max(&self) -> u8 {
        self.rule.count_max()
    }

    fn count_after(&self, _: &Prepared, stop: Stop, header: &Header, link: ChannelId) -> u8 {
        let (rule, on) = self.part(header.message_class);
        rule.count_after(on, stop, header, link)
    }

    fn straight(&self, _: &Prepared, at: RouterId, header: &Header) -> Straight {
        let (rule, on) = self.part(header.message_class);
        rule.straight(on, at, header)
    }

    fn candidates(&self, _: &Prepared, stop: Stop, header: &Header, found: &mut Vec<Candidate>) {
        let (rule, on) = self.part(header.message_class);
        rule.candidates(on, stop, header, found);
    }
}

#[cfg(test)]
mod tests;
