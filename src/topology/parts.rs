//! Parts of a network, with the numbers of the whole.

use super::{ByRouter, Channel, Network};
use crate::ids::{ChannelId, NodeId, RouterId};

impl Network {
    /// The same channels, but for links that no route found on the network shall use.
    #[must_use]
    pub fn avoiding(&self, links: &[ChannelId]) -> Self {
        let all = (0..self.links).map(ChannelId::new);
        let kept: Vec<ChannelId> = all.filter(|link| !links.contains(link)).collect();
        let by = |end: fn(Channel) -> RouterId| {
            let ends = kept.iter().map(|&link| end(self.channel(link)));
            ByRouter::new(self.routers, ends, |row| kept[row])
        };
        Self { outputs: by(|link| link.from), inputs: by(|link| link.to), ..self.clone() }
    }

    /// The same routers and channels, but with links and terminals of some routers only. Links that lead
    /// to other routers must not exist.
    #[must_use]
    pub fn within(&self, kept: impl Fn(RouterId) -> bool) -> Self {
        let links = |of: &ByRouter<ChannelId>, end: fn(Channel) -> RouterId| {
            let all = (0..self.routers).map(RouterId::new).filter(|&at| kept(at));
            let ids: Vec<ChannelId> = all.flat_map(|at| of.of(at).iter().copied()).collect();
            let ends = ids.iter().map(|&link| end(self.channel(link)));
            ByRouter::new(self.routers, ends, |row| ids[row])
        };
        let terminals: Vec<RouterId> =
            self.terminals.iter().copied().filter(|&at| kept(at)).collect();
        Self {
            hosts: ByRouter::new(self.routers, terminals.iter().copied(), NodeId::new),
            outputs: links(&self.outputs, |link| link.from),
            inputs: links(&self.inputs, |link| link.to),
            terminals,
            ..self.clone()
        }
    }
}
