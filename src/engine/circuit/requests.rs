//! Requests for links: the queue of a controller, verifying, connecting, and what a link in use means.

use super::engine::{CircuitEngine, transmission_ticks};
use super::events::Service;
use super::state::{Call, NONE};
use crate::engine::view::CircuitState;
use crate::ids::{ChannelId, NodeId, RouterId};
use crate::random::mix;
use crate::routing::{Candidate, Header, Stop, Straight};
use crate::switching::circuit::{Conflict, Remedy};

/// What a request may take next.
#[derive(Clone, Copy, Debug)]
struct Request {
    /// The directed channel.
    channel: u32,
    /// The lane of its link.
    lane: u32,
    /// The router where it ends.
    to: u32,
    /// How many other choices are left if this one is not to be had.
    others: u32,
}

impl CircuitEngine {
    /// A request for a link joins the queue of a controller.
    #[inline]
    pub(super) fn ask(&mut self, now: u64, router: u32, call: u32) {
        self.calls[call as usize].at = router;
        self.join(now, router, call, Service::Verify);
    }

    /// A job joins the queue of a controller, and begins at once where that has none; which is
    /// `service`.
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

    /// A controller that is free begins its next job, if it has one.
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
            CircuitState::Waiting | CircuitState::Transmitting | CircuitState::BackingOff => {
                unreachable!("only requests and releases queue at a controller")
            }
        };
        self.calendar.serve(&mut self.controllers, now, service, router);
    }

    /// What a message that is served may take.
    #[inline]
    fn request(&mut self, router: u32, call: u32) -> Request {
        let message = &self.calls[call as usize];
        let header = Header {
            source: RouterId(message.source),
            destination: RouterId(message.destination),
            route_bits: message.route_bits,
        };
        if self.straight {
            let relation = &self.common.relation;
            let Straight { channel, vcs, .. } = relation.straight(RouterId(router), &header);
            return self.request_for(channel, vcs, 0);
        }
        let attempt = u64::from(message.tries) << 32 | u64::from(message.held);
        let stop = self.stop_of(router, message);
        self.request_among(router, stop, &header, attempt)
    }

    /// The stop of a message at `router`, as far as its routing tells stops apart.
    #[inline]
    fn stop_of(&self, router: u32, call: &Call) -> Stop {
        let relation = &self.common.relation;
        if relation.reads_arrival() && call.last != NONE {
            let channel = self.lanes[call.last as usize].channel as usize;
            let vc = call.last - self.ways[channel].lane;
            return relation.stop_after(ChannelId::new(channel), vc);
        }
        Stop::start(RouterId(router))
    }

    /// The choice of a message at `router` that is to be looked at now.
    fn request_among(&mut self, router: u32, stop: Stop, header: &Header, attempt: u64) -> Request {
        let looked = self.controllers[router as usize].looked;
        let candidates = &mut self.common.candidates;
        self.common.relation.candidates(stop, header, candidates);
        if candidates.len() > 1 {
            // A random order that belongs to the message, its attempt and its hop.
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

    /// A controller has looked at a link.
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

    /// The link wanted is in use.
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

    /// A message stands in the queue of a link, unless its wait would close a ring.
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

    /// A message takes a lane, as a channel that leads to a router: it is the last of its chain.
    #[inline]
    pub(super) fn take(&mut self, now: u64, lane: u32, (channel, to): (u32, u32), call: u32) {
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

    /// A controller has connected: the request goes on to the next router, or has arrived.
    #[inline]
    pub(super) fn connected(&mut self, now: u64, router: u32, call: u32) {
        let message = &self.calls[call as usize];
        let to = self.lanes[message.last as usize].to;
        if to == message.destination {
            self.arrive(now, call);
        } else {
            self.ask(now, to, call);
        }
        self.serve(now, router);
    }

    /// The circuit of a message stands.
    fn arrive(&mut self, now: u64, call: u32) {
        let message = &mut self.calls[call as usize];
        message.at = message.destination;
        message.state = CircuitState::Transmitting;
        message.since = now;
        message.hops = message.held;
        message.started = now + self.acknowledge;
        let (source, length) = (NodeId(message.source), message.length);
        let end = message.started + transmission_ticks(length);
        self.calendar.send(&mut self.calls, end, call);
        // It no longer counts among those that wait at their source.
        if let Some(next) = self.common.sources.leave(source) {
            self.begin(now, &next);
        }
    }
}
