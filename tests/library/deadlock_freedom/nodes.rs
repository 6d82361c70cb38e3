//! Proofs through nodes that need room for replies, against a search of all states of small systems.
//!
//! A message of the search holds the virtual channels from its tail to its head. Head and tail move by one
//! channel at any time, so messages of all lengths and buffers of all sizes occur. A state hangs if
//! messages remain that cannot move even after all others have arrived.

use std::collections::HashSet;
use std::sync::Arc;

use flitscope::ids::{ChannelId, NodeId};
use flitscope::routing::dependency::Verdict;
use flitscope::routing::{Candidate, Classes, Header, Order, Routing, Stop};
use flitscope::switching::{Ejection, Injection, MessageVcs, PerClass, Terminals, Wormhole};
use flitscope::system::System;
use flitscope::topology::Role;
use flitscope::topology::cube::{Cube, Family};
use flitscope::traffic::classes::{Feedback, MessageClass, MessageClasses, Origin};
use flitscope::traffic::{Destinations, Lengths, Process, Traffic};
use flitscope::units::Rate;

use crate::share;

/// States of a system before the search is given up, in `.ci/run` and in `.ci/long`.
const STATES_MAX: [usize; 2] = [20_000, 1_000_000];

/// A message, or a reply that its node prepares (without a channel).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Message {
    source: NodeId,
    destination: NodeId,
    class: u8,
    /// The virtual channels held, from the tail to the head.
    held: Vec<u32>,
}

type State = Vec<Message>;

/// The resources for the next step of a message.
enum Next {
    /// Any of these virtual channels.
    Vc(Vec<u32>),
    /// Room for its reply.
    Room,
    /// None: the node consumes the message.
    Nothing,
}

struct Search<'a> {
    system: &'a System,
    one_queue: bool,
    window: Option<usize>,
}

impl Search<'_> {
    fn vcs(&self, channel: ChannelId, mask: u32) -> Vec<u32> {
        let count = self.system.relation.virtual_channels();
        let numbers = (0..count).filter(|v| mask >> v & 1 == 1);
        numbers.map(|v| channel.0 * count + v).collect()
    }

    fn injection(&self, node: NodeId, class: u8) -> Vec<u32> {
        let relation = &self.system.relation;
        let mask = if self.one_queue { 1 } else { relation.vcs_of_message_class(class) };
        self.vcs(self.system.network.injection_of(node).unwrap(), mask)
    }

    fn next(&self, message: &Message) -> Next {
        let System { network, relation, traffic, .. } = self.system;
        let Some(&last) = message.held.last() else {
            return Next::Vc(self.injection(message.source, message.class));
        };
        let count = relation.virtual_channels();
        let (channel, vc) = (ChannelId(last / count), last % count);
        let ends = network.channel(channel);
        let routers = [message.source, message.destination].map(|node| network.router_of(node));
        if ends.to == routers[1] {
            let replies = traffic.classes.reply_to(message.class).is_some();
            return if replies { Next::Room } else { Next::Nothing };
        }
        let stop = match ends.role {
            Role::Link => relation.stop_with(0, channel, vc),
            Role::Injection | Role::Ejection => Stop::start(routers[0]),
        };
        let header = Header::new(routers[0], routers[1], 0);
        let header = Header { message_class: message.class, ..header };
        let mut found: Vec<Candidate> = Vec::new();
        relation.candidates(stop, &header, &mut found);
        Next::Vc(found.iter().flat_map(|it| self.vcs(it.channel, it.vcs)).collect())
    }

    /// True if a message is a reply that occupies room of this node for replies to a class: until its tail
    /// leaves the injection channel.
    fn occupies(&self, message: &Message, node: NodeId, class: u8) -> bool {
        let classes = &self.system.traffic.classes;
        let injects = |&vc: &u32| self.injection(node, message.class).contains(&vc);
        classes.reply_to(class).is_some_and(|(reply, _)| reply == message.class)
            && message.source == node
            && message.held.first().is_none_or(injects)
    }

    /// The indices of the messages that occupy the room that a message needs, and the room.
    fn occupants(&self, state: &State, message: &Message) -> (Vec<usize>, usize) {
        let Message { destination, class, .. } = *message;
        let occupants =
            (0..state.len()).filter(|&it| self.occupies(&state[it], destination, class));
        let room = self.system.traffic.classes.room_after(class);
        (occupants.collect(), room.map_or(usize::MAX, |room| room as usize))
    }

    fn holder(state: &State, vc: u32) -> Option<usize> {
        state.iter().position(|message| message.held.contains(&vc))
    }

    /// True if messages remain that never move again.
    fn hangs(&self, state: &State) -> bool {
        let mut moves = vec![false; state.len()];
        loop {
            let before = moves.clone();
            for (at, message) in state.iter().enumerate().filter(|&(at, _)| !before[at]) {
                let is_free = |other: Option<usize>| other.is_none_or(|it| before[it]);
                moves[at] = match self.next(message) {
                    Next::Nothing => true,
                    Next::Vc(any) => any.iter().any(|&vc| is_free(Self::holder(state, vc))),
                    Next::Room => {
                        let (occupants, room) = self.occupants(state, message);
                        occupants.len() < room || occupants.iter().any(|&it| before[it])
                    }
                };
            }
            if moves == before {
                return moves.contains(&false);
            }
        }
    }

    /// The node whose request led to a message.
    fn root(&self, message: &Message) -> NodeId {
        let is_back = self.system.traffic.classes.depth(message.class) % 2 == 1;
        if is_back { message.destination } else { message.source }
    }

    /// All states after a move.
    fn successors(&self, state: &State) -> Vec<State> {
        let mut all = Vec::new();
        let mut add = |mut state: State| {
            state.sort();
            all.push(state);
        };
        for (at, message) in state.iter().enumerate() {
            let with = |change: &dyn Fn(&mut State)| {
                let mut next = state.clone();
                change(&mut next);
                next
            };
            match self.next(message) {
                Next::Nothing => add(with(&|next| drop(next.remove(at)))),
                Next::Room => {
                    let (occupants, room) = self.occupants(state, message);
                    if occupants.len() < room {
                        let classes = &self.system.traffic.classes;
                        let (class, _) = classes.reply_to(message.class).unwrap();
                        let reply = Message {
                            source: message.destination,
                            destination: message.source,
                            class,
                            held: Vec::new(),
                        };
                        add(with(&|next| next[at] = reply.clone()));
                    }
                }
                Next::Vc(any) => {
                    let free = any.into_iter().filter(|&vc| Self::holder(state, vc).is_none());
                    free.for_each(|vc| add(with(&|next| next[at].held.push(vc))));
                }
            }
            if message.held.len() > 1 {
                add(with(&|next| {
                    next[at].held.remove(0);
                }));
            }
        }
        let nodes = || (0..self.system.network.nodes()).map(NodeId::new);
        for source in nodes() {
            let outstanding = state.iter().filter(|it| self.root(it) == source).count();
            if self.window.is_some_and(|window| outstanding >= window) {
                continue;
            }
            let itself = self.system.traffic.to_itself;
            for destination in nodes().filter(|it| itself || *it != source) {
                for class in self.system.traffic.classes.of_arrivals().iter().map(|(it, _)| *it) {
                    let vcs = self.injection(source, class);
                    for vc in vcs.into_iter().filter(|&vc| Self::holder(state, vc).is_none()) {
                        let message = Message { source, destination, class, held: vec![vc] };
                        let mut next = state.clone();
                        next.push(message);
                        add(next);
                    }
                }
            }
        }
        all
    }

    /// True if a state that hangs can be reached, false if none can; `None` above a number of states.
    fn finds_hang(&self, states_max: usize) -> Option<bool> {
        let mut seen: HashSet<State> = HashSet::from([State::new()]);
        let mut open = vec![State::new()];
        while let Some(state) = open.pop() {
            if self.hangs(&state) {
                return Some(true);
            }
            if seen.len() > states_max {
                return None;
            }
            for next in self.successors(&state) {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        Some(false)
    }
}

/// A chain of classes, each but the last with replies that need room.
fn chain(count: u8, room: u32) -> MessageClasses {
    let class = |number: u8| MessageClass {
        name: number.to_string(),
        lengths: Lengths::Fixed(4),
        origin: match number.checked_sub(1) {
            None => Origin::Arrivals { weight: 1.0 },
            Some(to) => Origin::Reply { to, after: 1, room: Some(room) },
        },
    };
    MessageClasses((0..count).map(class).collect())
}

#[test]
#[expect(clippy::print_stdout, reason = "its figures are for the person who runs it")]
fn proofs_through_nodes_are_those_of_a_search_of_all_states() {
    let mut counts = [0u32; 5];
    let [free, hangs, undecided, with_choices, too_few] = [0, 1, 2, 3, 4];
    for (family, radix, to_itself) in [
        (Family::Mesh, &[2][..], false),
        (Family::Mesh, &[2], true),
        (Family::Mesh, &[3], false),
        (Family::Torus { unidirectional: true }, &[3], false),
        (Family::Mesh, &[2, 2], false),
    ] {
        let classes = if family == Family::Mesh { Classes::None } else { Classes::Static };
        let routing = Routing::DimensionOrder { classes, order: Order::default() };
        let network = Arc::new(Cube::network(family, radix));
        let needed = routing.on(&network).unwrap().needs.needed;
        for (classes, room) in [(2, 1), (2, 2), (3, 1)] {
            let split = vec![needed; usize::from(classes)];
            let split = MessageVcs::Split(PerClass::new(&split).unwrap());
            let overlapping: Vec<_> = (0..classes).map(u32::from).map(|it| (it, it + 1)).collect();
            let overlapping = MessageVcs::Ranges(PerClass::new(&overlapping).unwrap());
            let mut divisions = vec![
                (MessageVcs::Shared, needed),
                (MessageVcs::Shared, needed + 1),
                (split, needed * u32::from(classes)),
            ];
            if needed == 1 {
                divisions.push((overlapping, u32::from(classes) + 1));
            }
            for (message_classes, vcs) in divisions {
                for (one_queue, window) in
                    [(false, None), (true, None), (false, Some(1)), (false, Some(3))]
                {
                    let machine = Wormhole {
                        terminals: Terminals::Channels,
                        ejection: Ejection::PerWorm,
                        injection: if one_queue {
                            Injection::OneMessage
                        } else {
                            Injection::OneFlitPerCycle
                        },
                        message_classes,
                        ..Wormhole::new(vcs, 2)
                    };
                    let random = Traffic::random(
                        Process::Poisson,
                        Rate(0.01),
                        Destinations::Uniform,
                        Lengths::Fixed(4),
                    );
                    let closed_loop =
                        window.map(|window| Feedback::ClosedLoop { window, think: 0 });
                    let traffic =
                        Traffic { classes: chain(classes, room), closed_loop, to_itself, ..random };
                    let system =
                        System::new(Arc::clone(&network), routing.clone(), machine, traffic);
                    let proof = system.proof();
                    let window = window.map(|it| it as usize);
                    let search = Search { system: &system, one_queue, window };
                    let all = share::is_all();
                    let found = search.finds_hang(STATES_MAX[usize::from(all)]);
                    let told = format!(
                        "{radix:?}, to itself {to_itself}, {classes} classes, room {room}, {vcs} VCs, {message_classes:?}, \
                         one queue {one_queue}, window {window:?}: {:?}, {found:?}",
                        proof.can_deadlock()
                    );
                    let is_free = matches!(proof.verdict, Verdict::Free { .. });
                    let kind = match found {
                        None => undecided,
                        Some(true) => {
                            assert!(!is_free, "{told}");
                            hangs
                        }
                        Some(false) if is_free => free,
                        // A window may be too small to fill the cycle.
                        Some(false) if window.is_some() => too_few,
                        Some(false) => {
                            assert!(!proof.can_deadlock(), "{told}");
                            with_choices
                        }
                    };
                    counts[kind] += 1;
                }
            }
        }
    }
    println!(
        "{} free, {} that hang, {} with a cycle through choices and {} with a small window that do not; {} \
         undecided",
        counts[free], counts[hangs], counts[with_choices], counts[too_few], counts[undecided]
    );
    assert!(counts[free] >= 10 && counts[hangs] >= 20, "{counts:?}");
    assert!(share::is_all() || counts[undecided] < 100, "{counts:?}");
}
