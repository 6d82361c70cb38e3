//! Ways through a network: the links of a message, where the routing leaves it no choice.

use super::Unsolved;
use crate::ids::NodeId;
use crate::routing::{Candidate, Header};
use crate::system::System;

/// A message by what decides its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trip {
    /// Where it starts.
    pub source: NodeId,
    /// Where it goes.
    pub destination: NodeId,
    /// How its dice fell ([`Header::dice`]).
    pub dice: u64,
}

/// Hands the links of a trip to `each`, from the first to the last, with the VCs that may be taken
/// there; `candidates` is storage. Where a router leaves a choice the model does not cover `system`:
/// it needs `routing` instead.
pub(super) fn follow(
    system: &System,
    Trip { source, destination, dice }: Trip,
    candidates: &mut Vec<Candidate>,
    routing: &str,
    mut each: impl FnMut(Candidate),
) -> Result<(), Unsolved> {
    let network = &system.network;
    let mut at = network.router_of(source);
    let header = Header { source: at, destination: network.router_of(destination), dice };
    loop {
        system.relation.candidates(at, &header, candidates);
        match candidates[..] {
            [] => return Ok(()),
            [candidate] => {
                at = network.channel(candidate.channel).to;
                each(candidate);
            }
            _ => {
                let found = system.relation.routing().name();
                let why = format!("the model needs {routing}, not {found}");
                return Err(Unsolved::NotCovered(why));
            }
        }
    }
}
