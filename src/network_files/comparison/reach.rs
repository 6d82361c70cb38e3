//! Pairs of hosts without a path.

use super::inventory::Inventory;
use crate::ids::RouterId;
use crate::topology::search::distances;

/// Pairs of a source and a destination.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pairs {
    /// Pairs of hosts between which no path leads.
    pub unreachable: u64,
    /// All pairs of different hosts.
    pub all: u64,
}

impl Inventory {
    /// The pairs of hosts between which no path leads, and all pairs.
    pub fn pairs(&self) -> Pairs {
        let routers = self.routers.len();
        let mut hosts = vec![0_u64; routers];
        for host in &self.hosts {
            hosts[host.router] += 1;
        }
        let [ahead, behind] = [false, true].map(|against| self.neighbours(against));
        let reached = |neighbours: &[Vec<RouterId>], start: usize| {
            let next = |at: RouterId| neighbours[at.index()].iter().copied();
            distances(routers, &[RouterId::new(start)], next)
        };
        let is_near = |distance: &u32| *distance < u32::MAX;
        let number = self.hosts.len() as u64;
        let (mut joined, mut seen) = (0, vec![false; routers]);
        for start in 0..routers {
            if seen[start] {
                continue;
            }
            // Routers with paths both ways reach the same routers.
            let (there, back) = (reached(&ahead, start), reached(&behind, start));
            let near = there.iter().zip(&hosts).filter(|(distance, _)| is_near(distance));
            let near: u64 = near.map(|(_, hosts)| hosts).sum();
            for at in (0..routers).filter(|&at| is_near(&there[at]) && is_near(&back[at])) {
                seen[at] = true;
                joined += hosts[at] * near.saturating_sub(1);
            }
        }
        let all = number * number.saturating_sub(1);
        Pairs { unreachable: all - joined, all }
    }
}
