//! Watches over one message or one router: what happened there in the cycle just simulated.
//!
//! Each asks the engine a question or two after every cycle; a run without them pays nothing.

use super::Session;
use crate::engine::messages::{Doing, MessageView, Whereabouts};
use crate::ids::{MessageId, NodeId, RouterId, WormId};

/// Something that happened to a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    Generated,
    /// Its first flit left its source; of a circuit, it took its first link.
    Entered,
    /// Its head stalled at this router: its request was refused in this cycle.
    Blocked(RouterId),
    /// It was taken out of the network, or its attempt failed; it begins again at its source.
    Aborted,
    /// It was delivered, this many cycles after its generation.
    Delivered(u64),
    /// It was discarded at its source, where as many waited as may.
    Discarded,
}

/// Looks at one message, cycle by cycle.
#[derive(Clone, Debug)]
pub struct MessageWatch {
    pub name: MessageId,
    row: Option<WormId>,
    before: Whereabouts,
}

impl MessageWatch {
    /// Looks for the first time, or after a jump.
    pub fn open(name: MessageId, session: &Session) -> Self {
        let mut watch = Self { name, row: None, before: Whereabouts::Unborn };
        watch.before = watch.see(session);
        watch
    }

    /// What happened to it in the cycle that has just been simulated, in order. To be asked after
    /// each cycle.
    pub fn look(&mut self, session: &Session) -> Vec<Happening> {
        let now = self.see(session);
        let before = std::mem::replace(&mut self.before, now);
        let mut seen = Vec::new();
        if before == Whereabouts::Gone || now == Whereabouts::Unborn {
            return seen;
        }
        if before == Whereabouts::Unborn {
            seen.push(Happening::Generated);
        }
        let known = match before {
            Whereabouts::Present(view) => Some(view),
            Whereabouts::Unborn | Whereabouts::Behind | Whereabouts::Gone => None,
        };
        let had_entered = known.is_some_and(|view| has_entered(&view));
        match now {
            Whereabouts::Present(view) => {
                if known.is_some_and(|known| is_new_attempt(&known, &view)) {
                    seen.push(Happening::Aborted);
                }
                if has_entered(&view) && !had_entered {
                    seen.push(Happening::Entered);
                }
                let since = view.doing.blocked_since();
                if since.is_some() && since != known.and_then(|view| view.doing.blocked_since()) {
                    seen.push(Happening::Blocked(view.at));
                }
            }
            Whereabouts::Gone => {
                let delivered = session.deliveries().iter().find(|one| one.name() == self.name);
                if delivered.is_some() && !had_entered {
                    seen.push(Happening::Entered);
                }
                let how = delivered.map(|one| Happening::Delivered(one.latency()));
                seen.push(how.unwrap_or(Happening::Discarded));
            }
            Whereabouts::Behind | Whereabouts::Unborn => {}
        }
        seen
    }

    fn see(&mut self, session: &Session) -> Whereabouts {
        let found = session.engine().whereabouts(self.name, self.row);
        if let Whereabouts::Present(view) = found {
            self.row = Some(view.worm);
        }
        found
    }
}

fn has_entered(view: &MessageView) -> bool {
    match view.doing {
        Doing::Worm(_) => view.at_source < view.length,
        Doing::Circuit(..) => view.hops > 0,
    }
}

fn is_new_attempt(before: &MessageView, now: &MessageView) -> bool {
    match now.doing {
        Doing::Worm(_) => now.hops < before.hops,
        Doing::Circuit(..) => now.aborts > before.aborts,
    }
}

/// How a message came to a router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coming {
    /// It was generated at a terminal of the router.
    Generated,
    /// Its head arrived over a link.
    Arrived,
}

/// Looks at who comes to one router, cycle by cycle.
#[derive(Clone, Debug)]
pub struct RouterWatch {
    pub at: RouterId,
    /// Its terminals, and how many messages each has generated.
    born: Vec<(NodeId, u64)>,
    /// The messages whose heads are there, in order.
    heads: Vec<MessageId>,
    /// Scratch.
    found: Vec<MessageId>,
}

impl RouterWatch {
    /// Looks for the first time, or after a jump.
    pub fn open(at: RouterId, session: &Session) -> Self {
        let network = &session.scenario().system.network;
        let here = (0..network.nodes()).map(NodeId::new);
        let born = here
            .filter(|&node| network.router_of(node) == at)
            .map(|node| (node, session.engine().sources().generated_at(node)))
            .collect();
        let mut watch = Self { at, born, heads: Vec::new(), found: Vec::new() };
        watch.look(session);
        watch
    }

    /// Who came in the cycle that has just been simulated. To be asked after each cycle.
    pub fn look(&mut self, session: &Session) -> Vec<(MessageId, Coming)> {
        let messages = session.engine();
        let mut seen = Vec::new();
        for (source, born) in &mut self.born {
            let now = messages.sources().generated_at(*source);
            let new = (*born..now).map(|serial| MessageId { source: *source, serial });
            seen.extend(new.map(|name| (name, Coming::Generated)));
            *born = now;
        }
        messages.heads_at(self.at, &mut self.found);
        // A message of one flit may have arrived and been consumed in the same cycle.
        let network = &session.scenario().system.network;
        let here = |node| network.router_of(node) == self.at;
        let consumed = session.deliveries().iter().filter(|one| here(one.destination));
        let consumed: Vec<MessageId> = consumed.map(crate::engine::Delivery::name).collect();
        self.found.sort_unstable();
        let known = |name: &MessageId| self.heads.binary_search(name).is_ok();
        let came = self.found.iter().chain(consumed.iter().filter(|one| !self.found.contains(one)));
        // What starts here did not arrive over a link.
        let came = came.filter(|name| !known(name) && !here(name.source));
        seen.extend(came.map(|&name| (name, Coming::Arrived)));
        std::mem::swap(&mut self.heads, &mut self.found);
        seen
    }
}
