//! The order of evaluation: a server behind all to which its messages go on.

use super::routes::{Place, Server, Step};

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
    use crate::ids::ChannelId;

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
