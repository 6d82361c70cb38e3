//! Messages that create the dependencies of a cycle.

use super::walk::{Pairs, Walk, every_header};
use super::{Verdict, walk};
use crate::ids::{ChannelId, RouterId, VcId};
use crate::routing::Relation;
use crate::topology::Network;

/// For each VC of a cycle, the source and the destination of a message that uses this VC and then
/// the next; `None` for a dependency that no message creates directly.
pub fn messages(
    network: &Network,
    relation: &Relation,
    pairs: &Pairs,
    cycle: &[VcId],
) -> Vec<Option<(RouterId, RouterId)>> {
    let vcs = relation.virtual_channels();
    let split = |vc: VcId| (ChannelId(vc.0 / vcs), vc.0 % vcs);
    let next = cycle.iter().cycle().skip(1);
    let edges: Vec<Edge> = cycle.iter().zip(next).map(|(&a, &b)| [split(a), split(b)]).collect();
    let mut found = vec![None; edges.len()];
    let done = every_header(network, relation, pairs, |walk, header| {
        for (edge, found) in edges.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            if uses(walk, edge) {
                *found = Some((header.source, header.destination));
            }
        }
        let all = found.iter().all(Option::is_some);
        // Ends the search.
        if all { Err(Verdict::TooLarge { steps: 0 }) } else { Ok(()) }
    });
    drop(done);
    if !relation.reads_source() {
        for (edge, found) in edges.iter().zip(&mut found) {
            if let Some((_, destination)) = *found {
                *found =
                    walk::source_of(network, relation, pairs, destination, |walk| uses(walk, edge))
                        .map(|source| (source, destination));
            }
        }
    }
    found
}

/// Two virtual channels in succession: channels and numbers.
type Edge = [(ChannelId, u32); 2];

/// True if a message of the walk may use the two virtual channels in direct succession.
fn uses(walk: &Walk<'_>, &[(first, first_vc), (next, next_vc)]: &Edge) -> bool {
    let has = |row: usize, channel: ChannelId, vc: u32| {
        walk.offered(row).iter().any(|it| it.channel == channel && it.vcs >> vc & 1 == 1)
    };
    let follows = |row: usize| {
        let (stop, header) = (walk.stops[row], &walk.header);
        let after = walk.row(walk.relation.stop_after(stop, header, first, first_vc));
        after.is_some_and(|row| has(row, next, next_vc))
    };
    (0..walk.stops.len()).any(|row| has(row, first, first_vc) && follows(row))
}
