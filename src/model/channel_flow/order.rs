//! The queues of the network, in the order of evaluation: a server behind all to which its messages go on.

use crate::ids::{ChannelId, NodeId};

/// What a server is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    /// The VCs of one class on a channel (all, where there are no classes), by bit mask.
    Link(ChannelId, u32),
    /// A node's way out of the network.
    Ejection(NodeId),
}

/// Messages that go on from a server or a source.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Step {
    /// The server they go on to.
    pub to: u32,
    /// Messages per message of a node.
    pub share: f64,
}

/// A queue of the network.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Server {
    pub place: Place,
    /// λ/`λ_node`.
    pub share: f64,
    pub next: Vec<Step>,
}

/// Servers in order.
pub(super) struct Ordered {
    /// Every `Step::to` is smaller than its server's own number.
    pub ordered: Vec<Server>,
    /// New numbers by old number.
    pub renumbered: Vec<u32>,
}

/// Puts `servers` in order, or names one that is part of a cycle or leads into one.
pub(super) fn downstream_first(servers: &[Server]) -> Result<Ordered, Place> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); servers.len()];
    let mut left: Vec<usize> = Vec::with_capacity(servers.len());
    let mut order: Vec<u32> = Vec::with_capacity(servers.len());
    for (number, server) in servers.iter().enumerate() {
        left.push(server.next.len());
        if server.next.is_empty() {
            order.push(number as u32);
        }
        for step in &server.next {
            before[step.to as usize].push(number as u32);
        }
    }
    let mut done = 0;
    while let Some(&number) = order.get(done) {
        done += 1;
        for &earlier in &before[number as usize] {
            left[earlier as usize] -= 1;
            if left[earlier as usize] == 0 {
                order.push(earlier);
            }
        }
    }
    if let Some(stuck) = left.iter().position(|&left| left > 0) {
        return Err(servers[stuck].place);
    }
    let mut renumbered = vec![0; servers.len()];
    for (new, &old) in order.iter().enumerate() {
        renumbered[old as usize] = new as u32;
    }
    let ordered = order
        .iter()
        .map(|&old| {
            let Server { place, share, ref next } = servers[old as usize];
            let next = next
                .iter()
                .map(|step| Step { to: renumbered[step.to as usize], share: step.share })
                .collect();
            Server { place, share, next }
        })
        .collect();
    Ok(Ordered { ordered, renumbered })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(number: u32, next: &[u32]) -> Server {
        let next = next.iter().map(|&to| Step { to, share: 1.0 }).collect();
        Server { place: Place::Link(ChannelId(number), 1), share: 1.0, next }
    }

    #[test]
    fn what_is_ahead_comes_first() {
        let servers = vec![server(0, &[1, 2]), server(1, &[2]), server(2, &[]), server(3, &[0])];
        let Ordered { ordered, renumbered } = downstream_first(&servers).ok().unwrap();
        assert_eq!(renumbered, [2, 1, 0, 3]);
        for (number, server) in ordered.iter().enumerate() {
            assert!(server.next.iter().all(|step| (step.to as usize) < number));
        }
    }

    #[test]
    fn a_cycle_is_refused() {
        let servers = vec![server(0, &[1]), server(1, &[2]), server(2, &[1])];
        assert!(downstream_first(&servers).is_err());
    }
}
