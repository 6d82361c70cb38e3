//! Processes requests for links in the controllers: queues, connections and conflicts.

use super::engine::{CircuitEngine, transmission_ticks};
use super::events::Service;
use super::failures;
use super::state::{Call, NONE};
use crate::engine::view::CircuitState;
use crate::ids::{ChannelId, NodeId, RouterId};
use crate::random::mix;
use crate::routing::{Candidate, Header, Stop, Straight};
use crate::switching::circuit::{Conflict, Remedy};

/// A link requested by a message.
#[derive(Clone, Copy, Debug)]
struct Request {
    /// The directed channel.
    channel: u32,
    /// The lane of the link.
    lane: u32,
    /// The router at the end of the channel.
    to: u32,
    /// The number of further candidates if the lane is in use.
    others: u32,
}

impl CircuitEngine {
    /// Adds a link request to the queue of a controller.
    #[inline]
    pub(super) fn ask(&mut self, now: u64, router: u32, call: u32) {
        self.calls[call as usize].at = router;
        self.join(now, router, call, Service::Verify);
    }

    /// Adds a job to the queue of a controller; an idle controller begins `service` immediately.
    #[inline]
    pub(super) fn join(&mut self, now: u64, router: u32, call: u32, service: Service) {
        let controller = &mut self.controllers[router as usize];
        if controller.serving == NONE {
            controller.serving = call;
            self.calendar.serve(&mut self.controllers, now, service, router);
        } else {
            controller.queue.push(&mut self.calls, call);
        }
    }

    /// Begins the next job of an idle controller, if any.
    #[inline]
    pub(super) fn serve(&mut self, now: u64, router: u32) {
        let controller = &mut self.controllers[router as usize];
        (controller.serving, controller.looked) = (NONE, 0);
        if controller.queue.head != NONE {
            self.serve_next(now, router);
        }
    }

    #[inline(never)]
    fn serve_next(&mut self, now: u64, router: u32) {
        let controller = &mut self.controllers[router as usize];
        let Some(call) = controller.queue.pop(&mut self.calls) else { return };
        controller.serving = call;
        let service = match self.calls[call as usize].state {
            CircuitState::SettingUp => Service::Verify,
            CircuitState::Releasing | CircuitState::Aborting => Service::Release,
            CircuitState::Waiting
            | CircuitState::Transmitting
            | CircuitState::Stopped
            | CircuitState::BackingOff => {
                unreachable!("only requests and releases queue at a controller")
            }
        };
        self.calendar.serve(&mut self.controllers, now, service, router);
    }

    /// The link requested by the message in service.
    #[inline]
    fn request(&mut self, router: u32, call: u32) -> Request {
        let message = &self.calls[call as usize];
        if self.terminals && (message.last == NONE || router == message.ends) {
            return self.request_of_terminal(message);
        }
        let header = message.header();
        if self.straight {
            let relation = &self.common.relation;
            let Straight { channel, vcs, .. } = relation.straight(RouterId(router), &header);
            return self.request_for(channel, vcs, 0);
        }
        let attempt = u64::from(message.tries) << 32 | u64::from(message.held);
        let stop = self.stop_of(router, message);
        self.request_among(router, stop, &header, attempt)
    }

    /// The request for the channel from the source into its router, or to the destination.
    fn request_of_terminal(&self, message: &Call) -> Request {
        let network = &self.common.network;
        let channel = if message.last == NONE {
            network.injection_of(NodeId(message.source))
        } else {
            network.ejection_of(NodeId(message.destination))
        };
        self.request_for(channel.expect("terminals have channels"), 1, 0)
    }

    /// The stop of a message at `router`, as precise as its routing requires.
    #[inline]
    fn stop_of(&self, router: u32, call: &Call) -> Stop {
        let relation = &self.common.relation;
        if relation.reads_arrival() && call.last < self.lanes_between_routers {
            let channel = self.lanes[call.last as usize].channel as usize;
            let vc = call.last - self.ways[channel].lane;
            return relation.stop_with(call.count, ChannelId::new(channel), vc);
        }
        Stop::start(RouterId(router))
    }

    /// The current choice of a message at `router`.
    fn request_among(&mut self, router: u32, stop: Stop, header: &Header, attempt: u64) -> Request {
        let looked = self.controllers[router as usize].looked;
        let candidates = &mut self.common.candidates;
        self.common.relation.candidates(stop, header, candidates);
        if candidates.len() > 1 {
            // A random order determined by message, attempt and hop.
            let mut random = mix(header.route_bits, attempt);
            for at in 0..=looked as usize {
                random = mix(random, at as u64);
                let left = (candidates.len() - at) as u64;
                let pick = (u128::from(random) * u128::from(left)) >> 64;
                candidates.swap(at, at + pick as usize);
            }
        }
        let Candidate { channel, vcs } = candidates[looked as usize];
        let others = candidates.len() as u32 - 1 - looked;
        self.request_for(channel, vcs, others)
    }

    #[inline]
    fn request_for(&self, channel: ChannelId, vcs: u32, others: u32) -> Request {
        let way = self.ways[channel.index()];
        Request { channel: channel.0, lane: way.lane + vcs.trailing_zeros(), to: way.to, others }
    }

    /// Completes the check of a link by a controller.
    #[inline]
    pub(super) fn verified(&mut self, now: u64, router: u32, call: u32) {
        let request = self.request(router, call);
        if self.lanes[request.lane as usize].owner == NONE {
            self.take(now, request.lane, (request.channel, request.to), call);
            self.calendar.serve(&mut self.controllers, now, Service::Connect, router);
        } else {
            self.refuse(now, router, call, &request);
        }
    }

    /// Handles a request for a link in use.
    #[inline(never)]
    fn refuse(&mut self, now: u64, router: u32, call: u32, request: &Request) {
        match self.machine.conflict {
            Conflict::Adaptive { .. } if request.others > 0 => {
                self.controllers[router as usize].looked += 1;
                self.calendar.serve(&mut self.controllers, now, Service::Verify, router);
                return;
            }
            Conflict::Drop { .. } | Conflict::Adaptive { .. } => self.abort(now, call),
            Conflict::Hold => self.wait(now, call, request),
        }
        self.serve(now, router);
    }

    /// Adds a message to the queue of a link. A wait that closes a cycle aborts the message or
    /// stops the run.
    fn wait(&mut self, now: u64, call: u32, request: &Request) {
        let message = &mut self.calls[call as usize];
        message.wants = request.lane;
        message.wants_as = request.channel;
        let closes = self.closes_a_ring(call);
        if closes {
            self.common.counters.deadlocks += 1;
            if let Remedy::Abort { .. } = self.machine.on_deadlock {
                self.abort(now, call);
                return;
            }
        }
        let message = &mut self.calls[call as usize];
        message.state = CircuitState::Waiting;
        message.since = now;
        self.lanes[request.lane as usize].waiting.push(&mut self.calls, call);
        if closes {
            self.stop(now);
        }
    }

    /// Allocates a lane to a message, as a channel that leads to router `to`; the lane becomes the
    /// last of the chain.
    #[inline]
    pub(super) fn take(&mut self, now: u64, lane: u32, (channel, to): (u32, u32), call: u32) {
        let is_link = (channel as usize) < self.common.network.links();
        if is_link && self.common.relation.counts() {
            let message = &self.calls[call as usize];
            let stop = self.stop_of(message.at, message);
            let link = ChannelId(channel);
            let count = self.common.relation.count_after(stop, &message.header(), link);
            self.calls[call as usize].count = count;
        }
        let message = &mut self.calls[call as usize];
        let before = std::mem::replace(&mut message.last, lane);
        match self.lanes.get_mut(before as usize) {
            Some(before) => before.after = lane,
            None => message.first = lane,
        }
        message.held += 1;
        if self.common.letters.are_wanted() && message.letter == NONE {
            message.letter = self.common.letters.give(now, message.name()).0;
        }
        let row = &mut self.lanes[lane as usize];
        row.owner = call;
        row.channel = channel;
        row.to = to;
        row.before = before;
        row.after = NONE;
        row.since = now;
    }

    /// Completes a connection: the request continues at the next router, or has reached the
    /// destination.
    #[inline]
    pub(super) fn connected(&mut self, now: u64, router: u32, call: u32) {
        let message = &self.calls[call as usize];
        let to = self.lanes[message.last as usize].to;
        if to == message.target {
            self.arrive(now, call);
        } else {
            self.ask(now, to, call);
        }
        self.serve(now, router);
    }

    /// Starts the transmission over a complete circuit.
    fn arrive(&mut self, now: u64, call: u32) {
        let message = &mut self.calls[call as usize];
        message.at = message.ends;
        message.state = CircuitState::Transmitting;
        message.since = now;
        message.hops = message.held;
        message.started = now + self.acknowledge;
        let (source, length) = (NodeId(message.source), message.length);
        let end = message.started + transmission_ticks(length);
        if self.common.down.is_empty()
            || failures::closed_lane(self, &self.calls[call as usize]) == NONE
        {
            self.calendar.send(&mut self.calls, end, call);
        } else {
            let message = &mut self.calls[call as usize];
            (message.state, message.due) = (CircuitState::Stopped, (end - now, 0));
        }
        // The message no longer occupies its source.
        if let Some(next) = self.common.sources.leave(source, 0) {
            self.begin(now, next);
        }
    }
}
