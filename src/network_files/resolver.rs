//! Finds the routers and links that a routing table names.

use super::cells::Cell;
use super::mistake::{Report, Span};
use super::names::Names;
use crate::ids::{ChannelId, RouterId};
use crate::routing::rows::From;
use crate::topology::Network;

/// Routers and links of a network by name; unknown names are reported.
pub(super) struct Resolver<'n, 'r, 't> {
    pub network: &'n Network,
    pub report: &'r mut Report<'t>,
    names: Names<'n, RouterId>,
}

impl<'n, 'r, 't> Resolver<'n, 'r, 't> {
    pub fn new(network: &'n Network, report: &'r mut Report<'t>) -> Self {
        Self { network, report, names: Names::of_routers(network) }
    }

    /// The router of a name.
    pub fn named(&mut self, name: &str, at: &Span) -> Option<RouterId> {
        self.names.find(name, at, self.report)
    }

    /// The router that a value names.
    pub fn router(&mut self, cell: &Cell<'_>) -> Option<RouterId> {
        self.named(&cell.value, &cell.at)
    }

    /// The routers that a value names: one, or several, as in `s1;s4;s8..s15`. Ranges follow the numbers
    /// of routers.
    pub fn routers(&mut self, cell: &Cell<'_>) -> Vec<RouterId> {
        if self.names.is_known(&cell.value) || !cell.value.contains([';', '.']) {
            return self.router(cell).into_iter().collect();
        }
        let mut found = Vec::new();
        for part in cell.value.split(';').map(str::trim) {
            let ends = part.split_once("..").filter(|_| !self.names.is_known(part));
            let (first, last) = ends.unwrap_or((part, part));
            let [first, last] = [first, last].map(|end| self.named(end.trim(), &cell.at));
            let Some((first, last)) = first.zip(last) else { return Vec::new() };
            if first > last {
                let names = [first, last].map(|end| self.network.router_name(end));
                let what = format!("{} comes after {} in the network", names[0], names[1]);
                let help = format!("write `{}..{}`", names[1], names[0]);
                self.report.add(&cell.at, what, help);
            }
            found.extend((first.0..=last.0).map(RouterId));
        }
        found
    }

    /// The links from a router to the router of a name, as `spine0`, or one of them, as `spine0/2`.
    pub fn links_to(&mut self, at: RouterId, name: &str, place: &Span) -> Vec<ChannelId> {
        let (name, number) = self.numbered(name);
        let Some(next) = self.named(name, place) else { return Vec::new() };
        let links = self.between(at, next);
        self.pick((at, next), &links, number, place)
    }

    /// The arrivals at a router from the router of a name.
    pub fn arrivals(&mut self, at: RouterId, name: &str, place: &Span) -> Vec<From> {
        let (name, number) = self.numbered(name);
        match self.named(name, place) {
            None => Vec::new(),
            Some(from) if from == at => vec![From::Source],
            Some(from) => {
                let links = self.between(from, at);
                self.pick((from, at), &links, number, place).into_iter().map(From::Link).collect()
            }
        }
    }

    /// Splits the number of a parallel link from a name.
    fn numbered<'s>(&self, name: &'s str) -> (&'s str, Option<usize>) {
        if self.names.is_known(name) {
            return (name, None);
        }
        let parts = name.rsplit_once('/').map(|(name, number)| (name, number.parse().ok()));
        parts.filter(|(_, number)| number.is_some()).unwrap_or((name, None))
    }

    fn between(&self, from: RouterId, to: RouterId) -> Vec<ChannelId> {
        let outputs = self.network.outputs(from).iter().copied();
        outputs.filter(|&link| self.network.channel(link).to == to).collect()
    }

    fn pick(
        &mut self,
        (from, to): (RouterId, RouterId),
        links: &[ChannelId],
        number: Option<usize>,
        place: &Span,
    ) -> Vec<ChannelId> {
        let picked = match number {
            None => links.to_vec(),
            Some(number) => {
                number.checked_sub(1).and_then(|at| links.get(at)).copied().into_iter().collect()
            }
        };
        if picked.is_empty() {
            let [from, to] = [from, to].map(|at| self.network.router_name(at));
            let what = match links.len() {
                0 => format!("no link leads from {from} to {to}"),
                count => {
                    format!("{count} links lead from {from} to {to}, so there is no such number")
                }
            };
            self.report.add(place, what, "name a neighbour of the router");
        }
        picked
    }
}
