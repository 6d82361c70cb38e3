//! Requests for VCs and for the crossbar: their conditions and their ranks.

use super::arbiter::{Request, after, diagonal, distance, rank};
use super::records::Stage;
use super::rules::{Other, Rules};
use super::state::State;

impl State {
    /// The precedence of the message at the front of a buffer.
    #[inline]
    pub fn precedence<M: Rules>(&self, slot: u32) -> u64 {
        if M::SIMPLE || !self.ordered {
            return 0;
        }
        let front = self.buffers[slot as usize].front;
        self.worms[self.holds[front as usize].worm as usize].precedence
    }

    /// The exit to a channel of the input port with a buffer.
    #[inline]
    pub fn exit(&self, channel: u32, from: u32) -> u32 {
        if self.exits_of_port == 1 {
            return channel;
        }
        let input = self.ports[self.split(from).0].input;
        (channel << self.exit_shift) + input % self.exits_of_port
    }

    /// The position of an exit among those of its router, and their number.
    #[inline]
    pub fn exit_position<M: Rules>(&self, exit: u32) -> (u32, u32) {
        if M::SIMPLE {
            let port = &self.ports[exit as usize];
            return (port.output, port.outputs);
        }
        let port = &self.ports[(exit >> self.exit_shift) as usize];
        let nth = exit & ((1 << self.exit_shift) - 1);
        (port.output * self.exits_of_port + nth, port.outputs * self.exits_of_port)
    }

    /// The exit requested by a buffer that bids in the internal cycle `now`; `None` if the buffer or the
    /// exit is not ready.
    #[inline]
    pub fn output_for<M: Rules>(&self, row: u32, now: u64) -> Option<u32> {
        let buffer = &self.buffers[row as usize];
        if buffer.ready > now {
            return None;
        }
        let channel = buffer.out >> self.shift;
        if M::SIMPLE {
            return Some(channel);
        }
        let exit = self.exit(channel, row);
        (self.exits[exit as usize].next <= now).then_some(exit)
    }

    /// The rank of a VC among those that use the same input of the crossbar.
    #[inline]
    pub fn rank_in_lane<M: Rules>(&self, slot: u32, lane: u32) -> u64 {
        let distance = distance(self.split(slot).1, self.lanes[lane as usize].vc, self.vcs);
        self.rank_of::<M>(slot, distance)
    }

    /// The rank of the first flit of a buffer at a distance from the preferred position of an arbiter.
    #[inline]
    fn rank_of<M: Rules>(&self, row: u32, distance: u32) -> u64 {
        let starts = !M::SIMPLE && self.holds_outputs && self.buffers[row as usize].has_head;
        rank(starts, self.precedence::<M>(row), distance)
    }

    /// The rank of an input of the crossbar at an exit.
    #[inline]
    pub fn rank_at_output<M: Rules>(&self, request: Request, lane: u32, allocator: usize) -> u64 {
        let (input, inputs) = self.crossbar_input::<M>(lane);
        let grants = self.exits[request.resource as usize].grants[allocator];
        self.rank_of::<M>(request.row, distance(input, grants, inputs))
    }

    /// The rank of an exit at an input of the crossbar.
    #[inline]
    pub fn rank_at_input<M: Rules>(&self, request: Request, lane: u32, allocator: usize) -> u64 {
        let (position, count) = self.exit_position::<M>(request.resource);
        let accepts = self.lanes[lane as usize].accepts[allocator];
        rank(false, self.precedence::<M>(request.row), distance(position, accepts, count))
    }

    /// Moves the pointers of an accepted request past its partners.
    #[inline]
    pub fn advance_output_pointers<M: Rules>(
        &mut self,
        Request { row, resource }: Request,
        allocator: usize,
    ) {
        let lane = self.lane_of::<M>()(row);
        let (input, inputs) = self.crossbar_input::<M>(lane);
        let (position, count) = self.exit_position::<M>(resource);
        self.exits[resource as usize].grants[allocator] = after(input, inputs);
        self.lanes[lane as usize].accepts[allocator] = after(position, count);
    }

    /// True if neither the input nor the output of a request was used in the internal cycle `now`.
    pub fn is_open(&self, Request { row, resource }: Request, now: u64) -> bool {
        let lane = &self.lanes[self.lane_of::<Other>()(row) as usize];
        self.exits[resource as usize].next <= now && lane.next <= now
    }

    /// True if the head of a buffer has got a VC with a credit at the output that it requests, and
    /// neither input nor output is used in this cycle.
    pub fn has_vc(&self, request: Request, now: u64) -> bool {
        let buffer = &self.buffers[request.row as usize];
        if buffer.stage != Stage::Active || !self.is_open(request, now) {
            return false;
        }
        let channel = request.resource >> self.exit_shift;
        buffer.out >> self.shift == channel && self.buffers[buffer.out as usize].credits > 0
    }

    /// The rank of a request at the output VC.
    #[inline]
    pub fn rank_at_vc<M: Rules>(&self, request: Request) -> u64 {
        let (lane, lanes) = self.input_lane(request.row);
        let grants = self.buffers[request.resource as usize].grants;
        rank(false, self.precedence::<M>(request.row), distance(lane, grants, lanes))
    }

    /// Adds the request of a head for a VC.
    #[inline]
    pub fn request_vc<M: Rules>(&mut self, request: Request) {
        let rank = self.rank_at_vc::<M>(request);
        self.work.vcs.request(request, rank);
    }

    /// The rank of a request at the head.
    #[inline]
    pub fn rank_at_head(&self, request: Request) -> u64 {
        let (lane, lanes) = self.output_lane(request.resource);
        distance(lane, self.buffers[request.row as usize].accepts, lanes).into()
    }

    /// Moves the pointers of an accepted request past its partners.
    #[inline]
    pub fn advance_vc_pointers(&mut self, Request { row, resource }: Request) {
        let (lane, lanes) = self.input_lane(row);
        let (out_lane, out_lanes) = self.output_lane(resource);
        self.buffers[resource as usize].grants = after(lane, lanes);
        self.buffers[row as usize].accepts = after(out_lane, out_lanes);
    }

    /// True if a head waits for a VC, and the one that it requests is free.
    pub fn can_have_vc(&self, request: Request) -> bool {
        let waits = self.buffers[request.row as usize].stage == Stage::Waiting;
        waits && self.is_free(request.resource)
    }

    /// The place of a request for a VC in a wavefront, which begins with another diagonal of the matrix of
    /// requests in every internal cycle.
    pub fn wave_of_vc(&self, request: Request, now: u64) -> u64 {
        let places = [self.input_lane(request.row), self.output_lane(request.resource)];
        rank(false, self.precedence::<Other>(request.row), diagonal(places, now))
    }

    /// The place of a request for an exit in a wavefront.
    pub fn wave_of_output(&self, request: Request, now: u64) -> u64 {
        let lane = self.lane_of::<Other>()(request.row);
        let places =
            [self.crossbar_input::<Other>(lane), self.exit_position::<Other>(request.resource)];
        self.rank_of::<Other>(request.row, diagonal(places, now))
    }
}
