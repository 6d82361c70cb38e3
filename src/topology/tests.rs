//! Names are read as what they name; links join both directions.

use super::links::Links;
use super::*;
use crate::ids::MessageId;
use crate::topology::cube::Family;

fn torus(radix: &[u32]) -> Network {
    Cube::network(Family::Torus { unidirectional: false }, radix)
}

#[test]
fn every_name_is_read_as_what_it_names() {
    let networks = [
        torus(&[4, 3]),
        torus(&[7]),
        Cube::network(Family::Mesh, &[3, 2, 2, 3]),
        Cube::network(Family::Hypercube, &[2; 4]),
        Switches::random(3, &[(0, 1), (1, 2)], &[0, 0, 1, 2]),
    ];
    for network in networks {
        for node in (0..network.nodes()).map(NodeId::new) {
            assert_eq!(network.node_named(&network.node_name(node)), Ok(node));
            assert_eq!(network.node_named(&node.0.to_string()), Ok(node));
            let message = MessageId { source: node, serial: 1 << 40 };
            let name = network.message_name(message);
            assert_eq!(network.message_named(&name), Ok(message), "{name}");
        }
        for router in (0..network.routers()).map(RouterId::new) {
            let name = network.router_name(router);
            assert_eq!(network.router_named(&name), Ok(router), "{name}");
        }
    }
}

#[test]
fn what_is_no_name_says_what_would_be_right() {
    let network = torus(&[4, 3]);
    for (text, words) in [
        ("12", "terminals are"),
        ("12#4", "terminals are"),
        ("", "SOURCE#NUMBER"),
        ("1#", "(1,0)"),
        ("(9,9)#1", "outside"),
        ("x#1", "(3,4)"),
        ("x1#1", "(3,4)"),
        ("-1#1", "(3,4)"),
        ("1.5#1", "(3,4)"),
        ("1#-3", "write its number"),
        ("99999999999#1", "too large"),
    ] {
        let message = network.message_named(text).unwrap_err();
        let node = network.node_named(text).map_or_else(|error| error, |node| format!("{node:?}"));
        assert!(message.contains(words) || node.contains(words), "{text}: {message}; {node}");
    }
    let hosts = Switches::random(2, &[(0, 1)], &[0, 0, 1]);
    assert!(hosts.node_named("h9").unwrap_err().contains("0 to 2"));
    assert!(hosts.router_named("hx").unwrap_err().contains("h12"));
    assert_eq!(hosts.router_named("h2"), Ok(RouterId(1)));
}

#[test]
fn both_directions_share_a_link_and_one_way_channels_are_alone() {
    for (family, radix, count) in [
        (Family::Hypercube, &[2, 2, 2][..], 12),
        (Family::Mesh, &[4, 3], 17),
        (Family::Torus { unidirectional: false }, &[4, 4], 32),
        (Family::Torus { unidirectional: true }, &[4, 4], 32),
        // Two links between the same two neighbours.
        (Family::Torus { unidirectional: false }, &[2], 2),
    ] {
        let network = Cube::network(family, radix);
        let links = Links::new(&network, true);
        assert_eq!(links.count, count, "{family:?} {radix:?}");
        for channel in (0..network.links()).map(ChannelId::new) {
            if let Some(back) = network.opposite(channel) {
                assert_eq!(network.opposite(back), Some(channel));
                assert_eq!(links.of[channel.index()], links.of[back.index()]);
            }
        }
        assert_eq!(Links::new(&network, false).count, network.links());
    }
}

#[test]
fn a_terminal_channel_leads_along_no_dimension() {
    let mesh = Cube::network(Family::Mesh, &[3, 3]).with_terminal_channels();
    let (into, out) = (mesh.injection_of(NodeId(8)), mesh.ejection_of(NodeId(8)));
    assert_eq!([into, out].map(|it| mesh.direction(it.unwrap())), [None; 2]);
    assert_eq!(mesh.direction(ChannelId(0)), Some((0, Sign::Plus)));
}
