//! Random connected graphs: a random tree first, then links between switches that have a port left.

use crate::random::{Purpose, Stream, Streams, mix};

/// The most switches of a random graph: all pairs are listed.
pub const SWITCHES_MAX: usize = 1024;

/// Sets the stream of a graph apart from those of the traffic.
const GRAPH: u64 = 0x0067_7261_7068;

/// Draws the links of a connected graph: `links` of them, no two joining the same switches, none
/// with more than `degree` at a switch (at least 2). Fewer come back where no more fit. The same
/// numbers give the same links on every machine.
pub fn links(switches: u32, links: usize, degree: u32, seed: u64) -> Vec<(u32, u32)> {
    let mut stream = Streams::new(mix(seed, GRAPH), 0, Purpose::Arrivals).next_node();
    let mut order: Vec<u32> = (0..switches).collect();
    shuffle(&mut order, &mut stream);
    let mut ports = vec![0u32; switches as usize];
    let mut found = Vec::new();
    let mut joined = vec![false; (switches * switches) as usize];
    let mut join = |ports: &mut [u32], a: u32, b: u32| {
        ports[a as usize] += 1;
        ports[b as usize] += 1;
        joined[(a * switches + b) as usize] = true;
        joined[(b * switches + a) as usize] = true;
        found.push((a.min(b), a.max(b)));
    };
    // The switches of the tree that have a port left: at least one, as a tree of n switches uses
    // 2(n - 1) ports and n of them have 2n or more.
    let mut open = vec![order[0]];
    for &switch in &order[1..] {
        let at = stream.below(open.len() as u32) as usize;
        let to = open[at];
        join(&mut ports, switch, to);
        if ports[to as usize] >= degree {
            open.swap_remove(at);
        }
        open.push(switch);
    }
    let tree = order.len() - 1;
    let mut pairs: Vec<(u32, u32)> =
        (0..switches).flat_map(|a| (a + 1..switches).map(move |b| (a, b))).collect();
    shuffle(&mut pairs, &mut stream);
    let mut wanted = links.saturating_sub(tree);
    let mut more = Vec::new();
    for (a, b) in pairs {
        if wanted == 0 {
            break;
        }
        let free = ports[a as usize] < degree && ports[b as usize] < degree;
        if free && !joined[(a * switches + b) as usize] {
            ports[a as usize] += 1;
            ports[b as usize] += 1;
            more.push((a, b));
            wanted -= 1;
        }
    }
    found.extend(more);
    found.sort_unstable();
    found
}

/// Fisher and Yates.
fn shuffle<T>(list: &mut [T], stream: &mut Stream) {
    for last in (1..list.len()).rev() {
        let at = stream.below(last as u32 + 1) as usize;
        list.swap(at, last);
    }
}
