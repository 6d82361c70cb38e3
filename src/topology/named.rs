//! Finds routers, channels and messages by their typed names, the inverse of
//! [`Network::router_name`] and [`Network::node_name`].

use super::Network;
use crate::ids::{MessageId, NodeId, RouterId};

impl Network {
    /// The router that `(3,4)`, `3 4`, its number or `h12` (that of a host) names. On a ring a lone
    /// number is its coordinate.
    ///
    /// # Errors
    /// The right form, in words.
    pub fn router_named(&self, text: &str) -> Result<RouterId, String> {
        let names = self.switches().map_or(&[][..], |switches| &switches.names().routers);
        if let Some(router) = names.iter().position(|name| name == text.trim()) {
            return Ok(RouterId::new(router));
        }
        if let Some(host) = self.host_named(text) {
            return host.map(|host| self.router_of(host));
        }
        let place = text.trim();
        let switch = self.switches().and_then(|_| place.strip_prefix(['s', 'S']));
        let router = match numbers(switch.unwrap_or(place))?.as_slice() {
            [] => return Err(format!("{} is not a place: write {}", quoted(text), PLACE)),
            [number] => self
                .router_at(&[*number])
                .or_else(|| ((*number as usize) < self.routers()).then_some(RouterId(*number))),
            place => self.router_at(place),
        };
        router.ok_or_else(|| format!("{} lies outside the network", text.trim()))
    }

    /// The terminal that `(3,4)`, `12` or `h12` names: by its number, or by its router's place where
    /// that has one terminal.
    ///
    /// # Errors
    /// The right form, in words.
    pub fn node_named(&self, text: &str) -> Result<NodeId, String> {
        if let Some(host) = self.host_named(text) {
            return host;
        }
        if let [number] = numbers(text)?.as_slice() {
            return self.node(*number, text);
        }
        let router = self.router_named(text)?;
        match self.hosts_at(router) {
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
    /// The right form, in words.
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
        format!("{}#{}", self.short_node_name(message.source), message.serial)
    }

    /// The terminal's name, or its number where coordinates are long.
    pub fn short_node_name(&self, node: NodeId) -> String {
        if self.has_long_names() { node.0.to_string() } else { self.node_name(node) }
    }

    /// The router's name, or its number where coordinates are long.
    pub fn short_router_name(&self, router: RouterId) -> String {
        if self.has_long_names() { router.0.to_string() } else { self.router_name(router) }
    }

    /// True if names have more than three coordinates.
    pub fn has_long_names(&self) -> bool {
        self.cube().is_some_and(|cube| cube.dimensions() > 3)
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
        let names = &self.switches()?.names().hosts;
        if let Some(host) = names.iter().position(|name| name == text.trim()) {
            return Some(Ok(NodeId::new(host)));
        }
        let number = text.trim().strip_prefix(['h', 'H'])?;
        Some(match number.parse() {
            Ok(number) => self.node(number, text),
            Err(_) => Err(format!("{} is not a host: write h12", quoted(text))),
        })
    }
}

const PLACE: &str = "(3,4) or a router's number";

fn quoted(text: &str) -> String {
    match text.trim() {
        "" => "nothing".to_owned(),
        text => text.to_owned(),
    }
}

/// All whole numbers in a text; none where there is more than numbers, commas, spaces and brackets round them.
fn numbers(text: &str) -> Result<Vec<u32>, String> {
    if text.contains(|c: char| !c.is_ascii_digit() && !" \t,()[]".contains(c)) {
        return Ok(Vec::new());
    }
    let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let read: Result<Vec<u32>, _> = parts.map(str::parse).collect();
    read.map_err(|_| format!("{} is not a place: the number is too large", quoted(text)))
}
