//! The failures of a run, for the screen.

use std::sync::Arc;

use super::theory::Evaluator;
use crate::engine::{Routed, Snapshot, stopped};
use crate::ids::{ChannelId, RouterId};
use crate::routing::dependency::{Proof, Verdict};
use crate::session::Session;
use crate::system::failures::routers_without_links;

/// Failed links, and the routes around them.
#[derive(Clone, PartialEq, Debug)]
pub struct Failed {
    /// The channels of failed links, ascending.
    pub links: Vec<ChannelId>,
    /// Routers without a working link, ascending.
    pub routers: Vec<RouterId>,
    /// The cycle of the last failure or repair.
    pub changed: u64,
    /// Messages that wait behind failed links, directly or through others.
    pub stopped: usize,
    /// Pairs of nodes without a route.
    pub unreachable: u64,
    pub routes: Routes,
}

/// The routes after failures.
#[derive(Clone, PartialEq, Debug)]
pub enum Routes {
    /// The rule finds no routes around failures.
    Fixed,
    /// New routes are due in a later cycle.
    Awaited,
    /// New routes are in use.
    Changed {
        /// True if messages in the network were routed by earlier routes.
        in_transition: bool,
        /// The proof for all of these routes together, once computed.
        proof: Option<Arc<Proof>>,
    },
}

impl Routes {
    /// The routes in use, and their proof, in words.
    pub fn words(&self) -> &'static str {
        let proven = |proof: &Option<Arc<Proof>>| {
            proof.as_ref().is_some_and(|it| matches!(it.verdict, Verdict::Free { .. }))
        };
        match self {
            Self::Fixed => "no routes around failures",
            Self::Awaited => "old routes in use",
            Self::Changed { in_transition: true, proof } if proven(proof) => {
                "in transition, proven"
            }
            Self::Changed { in_transition: true, .. } => "in transition, not proven",
            Self::Changed { in_transition: false, proof } if proven(proof) => {
                "rerouted, proven deadlock-free"
            }
            Self::Changed { in_transition: false, .. } => "rerouted, not proven deadlock-free",
        }
    }
}

impl Failed {
    /// The failures of a run; `None` if nothing has failed, and all messages follow the routes of the
    /// scenario.
    pub(super) fn of(
        session: &Session,
        snapshot: &Snapshot,
        evaluator: &Evaluator,
    ) -> Option<Self> {
        let engine = session.engine();
        let closed = engine.closed_links();
        let relations = engine.relations();
        let is_first = |all: &[Routed]| all.iter().all(|it| it.closed.is_empty()) && all.len() < 2;
        if closed.is_empty() && is_first(&relations) {
            return None;
        }
        let vcs = snapshot.virtual_channels.max(1);
        let stopped = stopped(&snapshot.waits, |vc| closed.contains(&ChannelId(vc.0 / vcs)));
        let routes = if relations.is_empty() {
            Routes::Fixed
        } else if engine.awaits_routes() {
            Routes::Awaited
        } else {
            let in_transition = relations.len() > 1;
            let proof = evaluator.transition(session.scenario(), relations, closed);
            Routes::Changed { in_transition, proof }
        };
        Some(Self {
            links: closed.iter().copied().collect(),
            routers: routers_without_links(&session.scenario().system.network, closed),
            changed: engine.phases().last().map_or(0, |phase| phase.from),
            stopped,
            unreachable: engine.unreachable_pairs(),
            routes,
        })
    }

    /// True if a channel has failed.
    pub fn holds(&self, link: ChannelId) -> bool {
        self.links.binary_search(&link).is_ok()
    }

    /// True if all links of a router have failed.
    pub fn holds_router(&self, router: RouterId) -> bool {
        self.routers.binary_search(&router).is_ok()
    }
}
