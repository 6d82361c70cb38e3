//! Places and messages by the names that people type, the other way round from
//! [`Network::router_name`] and [`Network::node_name`].

use super::Network;
use crate::ids::{MessageId, NodeId, RouterId};

impl Network {
    /// The router that `(3,4)`, `3 4`, its number or `h12` (that of a host) names. On a ring a lone
    /// number is its coordinate.
    ///
    /// # Errors
    /// What would be right, in words.
    pub fn router_named(&self, text: &str) -> Result<RouterId, String> {
        if let Some(host) = self.host_named(text) {
            return host.map(|host| self.router_of(host));
        }
        let router = match (numbers(text)?.as_slice(), self.grid()) {
            ([], _) => return Err(format!("{} is not a place: write {}", quoted(text), PLACE)),
            ([number], cube) => {
                let on_ring = cube.filter(|cube| cube.dimensions() == 1);
                on_ring
                    .and_then(|cube| cube.router_at(&[*number]))
                    .or_else(|| ((*number as usize) < self.routers()).then_some(RouterId(*number)))
            }
            (place, Some(cube)) => cube.router_at(place),
            (_, None) => None,
        };
        router.ok_or_else(|| format!("{} lies outside the network", text.trim()))
    }

    /// The terminal that `(3,4)`, `12` or `h12` names: by its number, or by its router's place where
    /// that has one terminal.
    ///
    /// # Errors
    /// What would be right, in words.
    pub fn node_named(&self, text: &str) -> Result<NodeId, String> {
        if let Some(host) = self.host_named(text) {
            return host;
        }
        if let [number] = numbers(text)?.as_slice() {
            return self.node(*number, text);
        }
        let router = self.router_named(text)?;
        let Some(switches) = self.switches() else { return Ok(NodeId(router.0)) };
        match switches.hosts_at(router) {
            [host] => Ok(*host),
            hosts => {
                let names: Vec<String> = hosts.iter().map(|&host| self.node_name(host)).collect();
                let names = names.join(", ");
                Err(format!("which host at {}? {names}", self.router_name(router)))
            }
        }
    }

    /// The message that `12#4` or `(3,4)#4` names: the terminal, and which of its messages, from 0.
    ///
    /// # Errors
    /// What would be right, in words.
    pub fn message_named(&self, text: &str) -> Result<MessageId, String> {
        let (source, serial) = text.split_once('#').ok_or_else(|| {
            format!("{} is not a message: write SOURCE#NUMBER, as 12#4", quoted(text))
        })?;
        let source = self.node_named(source)?;
        let serial = serial.trim().parse().map_err(|_| {
            format!(
                "which message of {}? write its number, as {}#4",
                self.node_name(source),
                source.0
            )
        })?;
        Ok(MessageId { source, serial })
    }

    /// The message's name for people, as [`Self::message_named`] reads it: `(3,4)#4`, `h12#4`; by
    /// its source's number where coordinates are long.
    pub fn message_name(&self, message: MessageId) -> String {
        let short =
            self.switches().is_some() || self.grid().is_some_and(|cube| cube.dimensions() <= 3);
        if short {
            format!("{}#{}", self.node_name(message.source), message.serial)
        } else {
            format!("{}#{}", message.source.0, message.serial)
        }
    }

    fn node(&self, number: u32, text: &str) -> Result<NodeId, String> {
        let within = (number as usize) < self.nodes();
        within.then_some(NodeId(number)).ok_or_else(|| {
            format!(
                "{} lies outside the network: terminals are 0 to {}",
                text.trim(),
                self.nodes() - 1
            )
        })
    }

    /// The host `h12`, if that is what the text is in a network that has hosts.
    fn host_named(&self, text: &str) -> Option<Result<NodeId, String>> {
        self.switches()?;
        let number = text.trim().strip_prefix(['h', 'H'])?;
        Some(match number.parse() {
            Ok(number) => self.node(number, text),
            Err(_) => Err(format!("{} is not a host: write h12", quoted(text))),
        })
    }
}

/// How a place is written.
const PLACE: &str = "(3,4) or a router's number";

fn quoted(text: &str) -> String {
    match text.trim() {
        "" => "nothing".to_owned(),
        text => text.to_owned(),
    }
}

/// All whole numbers in a text.
fn numbers(text: &str) -> Result<Vec<u32>, String> {
    let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let read: Result<Vec<u32>, _> = parts.map(str::parse).collect();
    read.map_err(|_| format!("{} is not a place: the number is too large", quoted(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::cube::{Cube, Family};
    use crate::topology::switches::Switches;

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
            ("1#-3", "write its number"),
            ("99999999999#1", "too large"),
        ] {
            let message = network.message_named(text).unwrap_err();
            let node =
                network.node_named(text).map_or_else(|error| error, |node| format!("{node:?}"));
            assert!(message.contains(words) || node.contains(words), "{text}: {message}; {node}");
        }
        let hosts = Switches::random(2, &[(0, 1)], &[0, 0, 1]);
        assert!(hosts.node_named("h9").unwrap_err().contains("0 to 2"));
        assert!(hosts.router_named("hx").unwrap_err().contains("h12"));
        assert_eq!(hosts.router_named("h2"), Ok(RouterId(1)));
    }
}
