//! The grants that built a deadlock, in order, and the changes that would have prevented it.
//!
//! The run is simulated again on a private copy, from before the generation of the oldest message of the
//! deadlock, and the holders of the wanted virtual channels are queried after every cycle.

use std::collections::BTreeSet;

use super::tape::{Keep, Tape};
use super::{Intervention, Session};
use crate::engine::{Wait, WaitKind};
use crate::ids::{ChannelId, MessageId, VcId, WormId};
use crate::routing::dependency::Verdict;
use crate::topology::Network;
use crate::units::Cycle;

/// Maximum number of turns named.
const TURNS_MAX: usize = 6;

/// A wait of a deadlock, with the grant of the wanted virtual channel to its holder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grant {
    /// The cycle of the grant; `None` until found, and for waits without a grant.
    pub cycle: Option<Cycle>,
    /// The message that holds the virtual channel.
    pub holder: MessageId,
    pub vc: VcId,
    /// The message that waits for the virtual channel.
    pub wanted_by: MessageId,
    /// The first cycle of the wait for this holder.
    pub waits_from: Option<Cycle>,
}

/// The grants and waits of the first set of a deadlock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The grants, in the order of their cycles.
    pub grants: Vec<Grant>,
    /// The first cycle with all waits.
    pub closed: Cycle,
    /// A change that would have prevented the deadlock.
    pub remedy: String,
}

/// Simulates a run again to find the grants of its deadlock.
#[derive(Debug)]
pub struct Explainer {
    explanation: Explanation,
    rows: Vec<[Option<WormId>; 2]>,
    tape: Tape,
    journal: Vec<Intervention>,
    path: Vec<VcId>,
    waits: Vec<Wait>,
}

impl Explainer {
    /// Starts the explanation of the deadlock that ended a run; `before` returns a copy of the run before
    /// the generation of a message in the given cycle. `None` without a deadlock of worms.
    pub fn new(
        session: &Session,
        before: impl FnOnce(MessageId, Cycle) -> Session,
    ) -> Option<Self> {
        let set = session.deadlock()?.sets.first()?;
        let engine = session.engine();
        let name = |worm: WormId| engine.name_of(worm);
        let grant = |wait: &Wait| {
            let (holder, wanted_by) = (name(wait.holder?)?, name(wait.worm)?);
            Some(Grant { cycle: None, holder, vc: wait.wants, wanted_by, waits_from: None })
        };
        let grants: Vec<Grant> = set.circle.iter().filter_map(grant).collect();
        let born = |worm: &WormId| Some((engine.message(*worm)?.born, name(*worm)?));
        let (cycle, oldest) = set.worms.iter().filter_map(born).min()?;
        session.scenario().system.wormhole()?;
        let start = before(oldest, cycle);
        let keep = Keep { bytes: 0, ..Keep::default() };
        let journal = session.journal().to_vec();
        let rows = vec![[None; 2]; grants.len()];
        let remedy = remedy(session, &set.circle);
        Some(Self {
            explanation: Explanation { grants, closed: set.closed, remedy },
            rows,
            tape: Tape::with_journal(start, journal.clone(), session.now(), keep),
            journal,
            path: Vec::new(),
            waits: Vec::new(),
        })
    }

    /// True if the explanation is of the deadlock of a run with this journal.
    pub fn fits(&self, closed: Cycle, journal: &[Intervention]) -> bool {
        self.explanation.closed == closed && self.journal == journal
    }

    /// True if all grants and waits are known.
    pub fn is_done(&self) -> bool {
        self.tape.now() > self.explanation.closed || self.tape.is_over()
    }

    /// Continues by at most `cycles`.
    pub fn advance(&mut self, cycles: u64) {
        let end = self.tape.now().0.saturating_add(cycles);
        while self.tape.now().0 < end && !self.is_done() {
            self.tape.advance(self.tape.now() + 1);
            self.look();
        }
    }

    /// The explanation of the deadlock at the end of a run without interventions, made again from its
    /// beginning.
    pub fn of_run(session: &Session) -> Option<Explanation> {
        let again = |_, born: Cycle| {
            let mut again = session.anew();
            again.advance(Cycle(born.0.saturating_sub(1)));
            again
        };
        let mut explainer = Self::new(session, again)?;
        while !explainer.is_done() {
            explainer.advance(u64::MAX);
        }
        Some(explainer.explanation())
    }

    /// The explanation so far, its grants in order.
    pub fn explanation(&self) -> Explanation {
        let mut explanation = self.explanation.clone();
        explanation.grants.sort_by_key(|grant| grant.cycle.unwrap_or(Cycle(u64::MAX)));
        explanation
    }

    fn look(&mut self) {
        let session = self.tape.session();
        let (engine, last) = (session.engine(), Cycle(session.now().0 - 1));
        for (grant, rows) in self.explanation.grants.iter_mut().zip(&mut self.rows) {
            if grant.cycle.is_none()
                && let Some(view) = engine.find(grant.holder, rows[0])
            {
                rows[0] = Some(view.worm);
                engine.path_of(view.worm, &mut self.path);
                grant.cycle = self.path.contains(&grant.vc).then_some(last);
            }
            if let Some(view) = engine.find(grant.wanted_by, rows[1]) {
                rows[1] = Some(view.worm);
                engine.waits_of(view.worm, &mut self.waits);
                let waits = self.waits.iter().any(|wait| wait.wants == grant.vc);
                let since = view.activity.blocked_since().filter(|_| waits);
                grant.waits_from = since.map(|since| grant.cycle.map_or(since, |it| it.max(since)));
            }
        }
    }
}

/// A change that would have prevented the cycle of waits of a deadlock.
fn remedy(session: &Session, circle: &[Wait]) -> String {
    let has = |kind: WaitKind| circle.iter().any(|wait| wait.kind == kind);
    if has(WaitKind::Reply) {
        return "room for the replies to all requests, or separate virtual channels for replies"
            .into();
    }
    if has(WaitKind::HeadOfLine) || has(WaitKind::Room) {
        return "a virtual channel granted only with an empty buffer (`release: Drained`), or with room for the \
                whole message (`forwarding: CutThrough`)"
            .into();
    }
    let of_routes = remedy_of_routes(session, circle);
    if is_of_transition(session) {
        return format!(
            "a network without messages while routes change (`on_failure: (under_way: Lose)`), or new routes in \
             another cycle (`reroute_after`); within the same routes, {of_routes}"
        );
    }
    of_routes
}

/// True if messages of earlier routes are in the network, and the present routes cannot deadlock by
/// themselves.
fn is_of_transition(session: &Session) -> bool {
    let (engine, system) = (session.engine(), &session.scenario().system);
    let relations = engine.relations();
    let [_, .., present] = relations.as_slice() else { return false };
    let present = std::slice::from_ref(&present.relation);
    let proof = system.proof_of_transition(present, engine.closed_links());
    proof.is_some_and(|it| matches!(it.verdict, Verdict::Free { .. }))
}

/// A change of the routes that would have prevented the cycle of waits of a deadlock.
fn remedy_of_routes(session: &Session, circle: &[Wait]) -> String {
    let network = &session.scenario().system.network;
    let links: Vec<ChannelId> = circle.iter().map(|wait| link_of(session, wait.wants)).collect();
    let directions: Option<BTreeSet<_>> = links
        .iter()
        .map(|&link| network.direction(link).map(|(dimension, sign)| (dimension, sign as usize)))
        .collect();
    match directions {
        Some(one) if one.len() == 1 => {
            let ring = one.first().map_or(0, |&(dimension, _)| dimension);
            format!(
                "classes of virtual channels along the rings of dimension {ring}, such as a dateline"
            )
        }
        Some(_) | None => turns(network, circle, session, &links),
    }
}

/// The link of a virtual channel.
fn link_of(session: &Session, vc: VcId) -> ChannelId {
    ChannelId(vc.0 / session.scenario().system.relation.virtual_channels())
}

/// A prohibited turn of those in a cycle of waits.
fn turns(network: &Network, circle: &[Wait], session: &Session, links: &[ChannelId]) -> String {
    let mut path = Vec::new();
    let mut turns: BTreeSet<String> = BTreeSet::new();
    for (wait, &wants) in circle.iter().zip(links) {
        session.engine().path_of(wait.worm, &mut path);
        let Some(&head) = path.last() else { continue };
        let from = link_of(session, head);
        let named = |link: ChannelId| match network.direction(link) {
            Some(_) => {
                let name = network.channel_name(link);
                name.rsplit(')').next().unwrap_or_default().to_owned()
            }
            None => network.channel_name(link),
        };
        if from != wants && network.direction(from) != network.direction(wants)
            || network.direction(wants).is_none()
        {
            turns.insert(format!("{} to {}", named(from), named(wants)));
        }
    }
    let more = turns.len().saturating_sub(TURNS_MAX);
    let list: Vec<String> = turns.into_iter().take(TURNS_MAX).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(
        "an order of the channels in which one of these turns is missing: {}{more}",
        list.join(", ")
    )
}

#[cfg(test)]
mod tests;
