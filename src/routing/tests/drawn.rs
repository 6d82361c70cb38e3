//! Random rules that depend on the arrival, with dependencies counted state by state.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::dependency::{Verdict, graph};
use super::super::{Candidate, Header, Relation, Stop, bits};
use super::*;
use crate::ids::VcId;
use crate::random::mix;
use crate::topology::Network;
use crate::topology::cube::Family;

/// A rule with candidates determined by a hash of arrival, router and destination.
#[derive(Clone, Copy, Debug)]
struct Drawn<const ESCAPES: bool> {
    seed: u64,
    /// True if hops that lead no closer are offered too, so that messages may return.
    detours: bool,
    /// True if an escape VC that leads closer is always offered.
    leads_home: bool,
}

impl<const ESCAPES: bool> Algorithm for Drawn<ESCAPES> {
    const NAME: &'static str = "drawn";
    const HELP: &'static str = "Candidates determined by a hash.";
    const READS_SOURCE: bool = false;
    const READS_ARRIVAL: bool = true;
    const CLASS_USE: fn(u8) -> VcUse = if ESCAPES { VcUse::Escape } else { VcUse::Class };

    fn needs(&self, _: &Cube) -> Result<Needs, Misfit> {
        Ok(Needs::new(2, "two classes, or an escape and an adaptive VC"))
    }

    fn bits_read(&self, _: &Prepared, _: Option<RouterId>, _: RouterId) -> u64 {
        0
    }

    fn candidates(&self, step: Step<'_>) {
        let (at, to, on, cube) = (step.at, step.header.destination, step.on, step.cube);
        if at == to {
            return;
        }
        let came = step
            .came
            .map_or(0, |came| u64::from(came.channel().0) << 6 | 32 | u64::from(came.vc()));
        let state = mix(mix(self.seed, came), u64::from(at.0) << 32 | u64::from(to.0));
        let all = on.class_vcs.iter().fold(on.adaptive_vcs, |all, vcs| all | vcs);
        let far = cube.distance(at, to);
        let mut closer = Vec::new();
        for &channel in on.network.outputs(at) {
            let hash = mix(state, u64::from(channel.0));
            let leads_closer = cube.distance(on.network.channel(channel).to, to) < far;
            if leads_closer {
                closer.push(channel);
            }
            let vcs = hash as u32 & all;
            if vcs != 0 && (leads_closer || self.detours && hash >> 62 == 0) {
                step.found.push(Candidate { channel, vcs });
            }
        }
        let channel = closer[state as usize % closer.len()];
        if step.found.is_empty() || self.leads_home {
            step.found.push(Candidate { channel, vcs: on.class_vcs[0] });
        }
    }
}

/// All candidates offered to messages for one destination at their reachable stops.
fn offers(
    network: &Network,
    relation: &Relation,
    to: RouterId,
) -> BTreeMap<Stop, Vec<(VcId, Stop)>> {
    let header = Header::new(to, to, 0);
    let mut open: Vec<Stop> = (0..network.routers()).map(RouterId::new).map(Stop::start).collect();
    let (mut found, mut candidates) = (BTreeMap::new(), Vec::new());
    while let Some(stop) = open.pop() {
        if stop.at == to || found.contains_key(&stop) {
            continue;
        }
        relation.candidates(stop, &header, &mut candidates);
        let mut offered = Vec::new();
        for &Candidate { channel, vcs } in &candidates {
            for v in bits(vcs) {
                let vc = VcId(channel.0 * relation.virtual_channels() + v);
                offered.push((vc, relation.stop_after(stop, &header, channel, v)));
            }
        }
        open.extend(offered.iter().map(|&(_, to)| to));
        found.insert(stop, offered);
    }
    found
}

/// The edges of the graph that must have no cycle; `None` if an escape is missing.
fn edges(network: &Network, relation: &Relation) -> Option<BTreeSet<(VcId, VcId)>> {
    let escapes = relation.escape_vcs();
    let is_escape = |vc: VcId| escapes >> (vc.0 % relation.virtual_channels()) & 1 == 1;
    let mut edges = BTreeSet::new();
    for to in (0..network.routers()).map(RouterId::new) {
        let offers = offers(network, relation, to);
        let offered = |stop: Stop| offers.get(&stop).into_iter().flatten().copied();
        for &(first, after) in offers.values().flatten() {
            if escapes == 0 {
                edges.extend(offered(after).map(|(then, _)| (first, then)));
            } else if is_escape(first) {
                let (mut seen, mut open) = (BTreeSet::from([after]), vec![after]);
                while let Some(stop) = open.pop() {
                    for (then, next) in offered(stop) {
                        if is_escape(then) {
                            edges.insert((first, then));
                        } else if seen.insert(next) {
                            open.push(next);
                        }
                    }
                }
            }
        }
        // Stops from which escape VCs alone lead to the destination, found by a backward search.
        let mut home = BTreeSet::new();
        loop {
            let leads = |stop: Stop| stop.at == to || home.contains(&stop);
            let more: Vec<Stop> = offers
                .keys()
                .filter(|&&stop| !home.contains(&stop))
                .filter(|&&stop| offered(stop).any(|(vc, next)| is_escape(vc) && leads(next)))
                .copied()
                .collect();
            if more.is_empty() {
                break;
            }
            home.extend(more);
        }
        if escapes != 0 && home.len() < offers.len() {
            return None;
        }
    }
    Some(edges)
}

/// Compares a proof's graph with the counted graph. Returns true if the graph exists.
fn same(rule: impl Algorithm, network: &Arc<Network>) -> bool {
    let name = format!("{rule:?} on the {}", network.name());
    let relation = Relation::by(Arc::new(rule), Routing::POSITIVE_HOP, Arc::clone(network), 3);
    let expected = edges(network, &relation);
    match graph(network, &relation) {
        Ok(graph) => {
            let vcs = (0..graph.vertices()).map(VcId::new);
            let found: BTreeSet<_> =
                vcs.flat_map(|vc| graph.successors(vc).map(move |then| (vc, then))).collect();
            assert_eq!(Some(found), expected, "{name}");
            true
        }
        Err(Verdict::Stranded { .. }) => {
            assert_eq!(expected, None, "{name}");
            false
        }
        Err(other) => panic!("{name}: {other:?}"),
    }
}

#[test]
fn dependencies_are_those_of_every_state_that_messages_may_come_to() {
    let [one_way, two_ways] = [true, false].map(|unidirectional| Family::Torus { unidirectional });
    let cubes: [(Family, &[u32]); 5] = [
        (two_ways, &[4, 3]),
        (one_way, &[3, 3]),
        (Family::Mesh, &[3, 3]),
        (Family::Hypercube, &[2; 3]),
        (two_ways, &[5]),
    ];
    let (mut graphs, mut stranded) = (0, 0);
    for (family, radix) in cubes {
        let network = Arc::new(Cube::network(family, radix));
        for seed in 0..24 {
            for (detours, leads_home) in
                [(false, false), (false, true), (true, false), (true, true)]
            {
                assert!(same(Drawn::<false> { seed, detours, leads_home }, &network));
                let found = same(Drawn::<true> { seed, detours, leads_home }, &network);
                *(if found { &mut graphs } else { &mut stranded }) += 1;
                assert!(found || !leads_home, "an escape leads home from everywhere");
            }
        }
    }
    assert!(graphs > 200 && stranded > 100, "{graphs} graphs, {stranded} stranded");
}
