//! Networks that are written and read back are equal.

use std::num::NonZeroU16;

use proptest::prelude::*;

use super::*;
use crate::network_files::{Draft, read};
use crate::topology::Channel;
use crate::topology::cube::{Cube, Family};
use crate::topology::switches::{Names, Switches, flaws, random};

fn read_back(writer: &Writer, network: &Network) -> Draft {
    let text = (writer.write)(network);
    read(&format!("a.{}", writer.name), text.as_bytes())
        .unwrap_or_else(|mistakes| panic!("{mistakes:#?}\n{text}"))
}

/// Formats that are read as well.
fn both_ways() -> impl Iterator<Item = &'static Writer> {
    WRITERS.iter().filter(|writer| writer.name != "dot")
}

type Drawn = (u32, u32, u16, u8, u8, u32, bool);

/// A connected network with slow, long, parallel and one-way links, and hosts in any order.
fn network(switches: u32, seed: u64, more: &[Drawn], hosts: &[u32], placed: bool) -> Network {
    let mut cables: Vec<Cable> =
        random::links(switches, switches as usize, 4, seed).into_iter().map(Cable::from).collect();
    for &(from, to, delay, cycles_per_flit, kind, count, one_way) in more {
        let (from, to) = (from % switches, to % switches);
        let attributes = Attributes { delay: NonZeroU16::new(delay), cycles_per_flit, kind };
        cables.push(Cable { from, to, attributes, count, one_way });
        if !flaws(switches as usize, &cables).is_empty() {
            cables.pop();
        }
    }
    let hosts: Vec<u32> = hosts.iter().map(|host| host % switches).collect();
    let place = |at: i32| Place { x: at * 1234 - 5000, y: -at };
    let places = placed.then(|| (0..switches.cast_signed()).map(place).collect());
    Switches::network(switches as usize, &cables, &hosts, places)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn a_network_written_and_read_back_is_equal(
        switches in 2u32..14,
        seed: u64,
        more in prop::collection::vec(
            (0u32..14, 0u32..14, prop_oneof![Just(0u16), 1u16..=4096], 1u8..=64, 0u8..=255, 1u32..=64,
             any::<bool>()), 0..20),
        hosts in prop::collection::vec(0u32..14, 2..30),
        sorted: bool,
        placed: bool,
        named: bool,
    ) {
        let mut hosts = hosts;
        if sorted {
            hosts = hosts.iter().map(|host| host % switches).collect();
            hosts.sort_unstable();
        }
        let mut network = network(switches, seed, &more, &hosts, placed);
        if named {
            let router = |at| format!("<{at}> \"a & b\", {}", at % 3);
            let routers: Vec<String> = (0..network.routers()).map(router).collect();
            let hosts = (0..network.nodes()).map(|at| format!("<h> \"a & b\" {at}")).collect();
            network = Switches::named(network, Names { routers, hosts, ..Names::default() });
        }
        for writer in both_ways() {
            prop_assert_eq!(&read_back(writer, &network).graph().network(), &network);
        }
    }
}

#[test]
fn cubes_keep_their_links_and_hosts() {
    let cubes = [
        Cube::network(Family::Mesh, &[3, 4]),
        Cube::network(Family::Torus { unidirectional: true }, &[3, 3]),
        Cube::network(Family::Torus { unidirectional: false }, &[4, 3, 2]),
        Cube::network(Family::Hypercube, &[2, 2, 2]),
    ];
    let links = |network: &Network| {
        let links = (0..network.links()).map(|link| network.channels()[link]);
        let mut links: Vec<Channel> = links.collect();
        links.sort_by_key(|link| (link.from, link.to));
        links
    };
    for cube in cubes {
        for writer in both_ways() {
            let network = read_back(writer, &cube).graph().network();
            assert_eq!(links(&network), links(&cube), "{}", writer.name);
            assert_eq!(network.nodes(), cube.nodes());
        }
    }
}

#[test]
fn a_graph_of_graphviz_has_all_links() {
    let text = dot::text(&Cube::network(Family::Mesh, &[2, 2]));
    assert_eq!(text.matches("->").count(), 4);
    assert!(text.starts_with("digraph network {") && text.ends_with("}\n"));
}
