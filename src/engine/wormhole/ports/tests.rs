//! Tests of `ports`.

use super::*;
use crate::topology::cube::{Cube, Family};

#[test]
fn every_port_of_a_router_is_served_once_and_each_comes_first_at_times() {
    let network = Cube::network(Family::Mesh, &[3, 3]).with_terminal_channels();
    let ports = Ports::new(&network);
    for router in 0..9u32 {
        let entering: Vec<u32> = (0..network.links() + 9)
            .filter(|&channel| network.channels()[channel].to.0 == router)
            .map(|channel| ports.of_channel(channel) << 8)
            .collect();
        assert!(entering.contains(&ports.of_node(router)));
        let mut firsts = vec![0; entering.len()];
        for draw in 0..400 {
            let mut order: Vec<u64> =
                entering.iter().map(|&port| ports.order(draw, router, port) >> 8).collect();
            firsts[order.iter().position(|&place| place == 0).unwrap()] += 1;
            order.sort_unstable();
            assert!(order.iter().copied().eq(0..entering.len() as u64));
        }
        assert!(firsts.iter().all(|&count| count > 40), "{firsts:?}");
    }
}
