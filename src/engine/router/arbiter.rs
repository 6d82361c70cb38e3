//! Round-robin allocation of resources to requests: grant, then accept.
//!
//! Every resource prefers one of the rows that request it, and every requester accepts one of the
//! resources that prefer it; with several iterations, the rest is matched again. A separable allocation
//! keeps one request of every requester before that, and a wavefront grants requests diagonal by diagonal.
//!
//! Ranks at an arbiter are distances from its preferred position, behind the precedence of messages. No
//! two requests for a resource have the same rank, so the order of requests does not matter.

use educe::Educe;
use get_size2::GetSize;

use crate::engine::tables::{NONE, Scratch};
use crate::routing::Candidate;

/// The rank of a request for a round-robin arbiter: its distance from the preferred position.
#[inline]
pub(super) fn distance(position: u32, preferred: u32, count: u32) -> u32 {
    if position >= preferred { position - preferred } else { position + count - preferred }
}

/// The position after `position`.
#[inline]
pub(super) fn after(position: u32, count: u32) -> u32 {
    if position + 1 == count { 0 } else { position + 1 }
}

/// The rank of a request at a distance from the preferred position, of a message with a precedence; the
/// last ones are those that start to use a resource, if others precede them.
#[inline]
pub(super) fn rank(starts: bool, precedence: u64, distance: u32) -> u64 {
    debug_assert!(precedence >> 39 == 0 && distance >> 24 == 0, "a rank has 64 bits");
    u64::from(starts) << 63 | precedence << 24 | u64::from(distance)
}

/// The distance of a request from the diagonal of a matrix of requests with which the internal cycle
/// `now` begins. No two requests of a diagonal share an input or an output.
#[inline]
pub(super) fn diagonal([(input, inputs), (output, outputs)]: [(u32, u32); 2], now: u64) -> u32 {
    let size = inputs.max(outputs);
    distance((input + output) % size, (now % u64::from(size)) as u32, size)
}

/// The request of a row for a resource.
#[derive(Clone, Copy, Debug, GetSize)]
pub(super) struct Request {
    pub row: u32,
    pub resource: u32,
}

/// Keeps the request with the lowest rank.
pub(super) fn keep_one(requests: &mut Vec<Request>, rank: impl Fn(&Request) -> u64) {
    if let Some(one) = requests.iter().copied().min_by_key(rank) {
        requests.clear();
        requests.push(one);
    }
}

/// The best request for a resource.
#[derive(Clone, Copy, Debug, GetSize)]
struct Best {
    rank: u64,
    row: u32,
}

impl Best {
    const NONE: Self = Self { rank: u64::MAX, row: NONE };

    /// Replaces the request by one with a lower rank.
    #[inline]
    fn improve(&mut self, rank: u64, row: u32) {
        if rank < self.rank {
            *self = Self { rank, row };
        }
    }
}

/// The requests of a cycle.
#[derive(Debug, Default, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Matching {
    requests: Scratch<Request>,
    /// The best request for every resource; [`Best::NONE`] between allocations.
    best: Vec<Best>,
}

impl Matching {
    /// Creates a matching without requests for a number of resources.
    pub fn new(resources: usize) -> Self {
        Self { requests: Scratch::default(), best: vec![Best::NONE; resources] }
    }

    /// Adds a request of `rank` at the resource; all requests of a requester must be consecutive.
    #[inline]
    pub fn request(&mut self, request: Request, rank: u64) {
        self.best[request.resource as usize].improve(rank, request.row);
        self.requests.push(request);
    }

    /// The requests of each requester; `requester` identifies the requester of a row.
    pub fn by_requester(&self, requester: impl Fn(u32) -> u32) -> impl Iterator<Item = &[Request]> {
        self.requests.chunk_by(move |one, other| requester(one.row) == requester(other.row))
    }

    /// The request that a requester accepts among those preferred by their resource: the lowest
    /// `rank`.
    #[inline]
    pub fn accepted(
        &self,
        requests: &[Request],
        rank: impl Fn(&Request) -> u64,
    ) -> Option<Request> {
        if let [only] = requests {
            return Some(*only).filter(|it| self.best[it.resource as usize].row == it.row);
        }
        let preferred = requests.iter().filter(|it| self.best[it.resource as usize].row == it.row);
        preferred.copied().min_by_key(rank)
    }

    /// Keeps the open requests for another iteration, with their ranks at the resources; false if there
    /// are none.
    pub fn retain_open(
        &mut self,
        is_open: impl Fn(&Request) -> bool,
        rank: impl Fn(&Request) -> u64,
    ) -> bool {
        let mut requests = std::mem::take(&mut *self.requests);
        for request in &requests {
            self.best[request.resource as usize] = Best::NONE;
        }
        requests.retain(is_open);
        for request in &requests {
            self.best[request.resource as usize].improve(rank(request), request.row);
        }
        *self.requests = requests;
        !self.requests.is_empty()
    }

    /// All requests, in the order of a rank.
    pub fn sorted_by(&mut self, rank: impl Fn(&Request) -> u64) -> &[Request] {
        self.requests.sort_unstable_by_key(rank);
        &self.requests
    }

    /// Removes all requests.
    pub fn clear(&mut self) {
        for request in self.requests.drain(..) {
            self.best[request.resource as usize] = Best::NONE;
        }
    }
}

/// The requests of all stages.
#[derive(Debug, Default, Educe, GetSize)]
#[educe(Clone)]
pub(super) struct Work {
    /// Requests of buffers for the buffers of output VCs.
    pub vcs: Matching,
    /// Requests of buffers for output channels.
    pub outputs: Matching,
    /// Speculative requests of buffers for output channels.
    pub guesses: Matching,
    /// Speculative requests before their selection for each input of the crossbar.
    pub heads: Scratch<Request>,
    /// The requests of a head, or of an input of the crossbar.
    pub of_one: Scratch<Request>,
    #[get_size(ignore)]
    pub candidates: Scratch<Candidate>,
}
